//! `terminalsAndIcons.xml` (FMI 3.0.2, section 2.5): rods and shafts of hydraulic components that are moved from outside.
//!
//! A rod takes its position and velocity and gives its force; a shaft takes its speed and gives its torque. All of one component stand under its name.

use crate::Document;
use crate::fmi::{Causality, FmuVariable, Instance};
use crate::xml::{Attributes, Xml};

/// Kinds of terminals: the name of the kind, its inputs, and the output that answers.
const KINDS: [(&str, &[&str], &str); 2] =
    [("fourbar.rod", &["position", "velocity"], "force"), ("fourbar.shaft", &["speed"], "torque")];

/// A terminal: name, kind, and the variables with their names within it.
struct Terminal<'a> {
    name: &'a str,
    kind: &'static str,
    members: Vec<(&'a str, &'static str)>,
}

/// The text of `terminalsAndIcons.xml`; none for a model without terminals.
#[must_use]
pub fn terminals(instance: &Instance) -> Option<String> {
    let document = instance.contents().file().document();
    if !matches!(document, Document::Circuit(_) | Document::Coupled(_)) {
        return None;
    }
    let found = found(instance.variables().all());
    if found.is_empty() {
        return None;
    }
    let mut xml = Xml::new();
    xml.within("fmiTerminalsAndIcons", Attributes::default().with("fmiVersion", "3.0"), |xml| {
        xml.within("Terminals", Attributes::default(), |xml| {
            for Terminal { name, kind, members } in &found {
                let own =
                    Attributes::default().with("name", name).with("matchingRule", "plug").with("terminalKind", kind);
                xml.within("Terminal", own, |xml| {
                    for (variable, member) in members {
                        let own = Attributes::default().with("variableName", variable).with("memberName", member);
                        xml.element("TerminalMemberVariable", own.with("variableKind", "signal"));
                    }
                });
            }
        });
    });
    Some(xml.finish())
}

fn found(variables: &[FmuVariable]) -> Vec<Terminal<'_>> {
    let with = |causality| variables.iter().filter(move |own| own.causality == causality);
    let mut all = Vec::new();
    for (kind, inputs, output) in KINDS {
        for answer in with(Causality::Output) {
            let Some(name) = answer.name.strip_suffix(output).and_then(|name| name.strip_suffix('.')) else { continue };
            let input = |member: &&'static str| {
                let own = with(Causality::Input).find(|own| own.name.strip_prefix(name) == Some(&format!(".{member}")));
                own.map(|own| (own.name.as_str(), *member))
            };
            let Some(mut members) = inputs.iter().map(input).collect::<Option<Vec<_>>>() else { continue };
            members.push((&answer.name, output));
            all.push(Terminal { name, kind, members });
        }
    }
    all
}
