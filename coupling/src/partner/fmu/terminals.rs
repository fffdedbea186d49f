//! `terminalsAndIcons.xml`: variables that are connected together (FMI 3.0, section 2.4.9).

use super::error::FmuError;
use super::model::FmuTerminal;
use super::parse::{Element, Source, child, elements, tree};

/// Where it lies in the archive.
pub(super) const FILE: &str = "terminalsAndIcons/terminalsAndIcons.xml";
/// Terminals within terminals: buses of vehicles have three or four levels.
const DEEPEST: usize = 32;

/// The terminals that `text` tells of.
pub(super) fn parse(fmu: &str, text: &str) -> Result<Vec<FmuTerminal>, FmuError> {
    let document = tree(fmu, FILE, text)?;
    let source = Source { fmu, file: FILE, document: &document };
    child(document.root_element(), "Terminals").map_or(Ok(Vec::new()), |list| terminals(&source, list, 0))
}

fn terminals(source: &Source<'_>, list: Element<'_>, depth: usize) -> Result<Vec<FmuTerminal>, FmuError> {
    if depth > DEEPEST {
        return Err(source.wrong(list, "its terminals lie too deep in one another", "make them flatter"));
    }
    elements(list)
        .filter(|node| node.tag_name().name() == "Terminal")
        .map(|node| {
            let text = |name| node.attribute(name).unwrap_or_default().to_owned();
            Ok(FmuTerminal {
                name: text("name"),
                description: text("description"),
                kind: text("terminalKind"),
                matching_rule: text("matchingRule"),
                members: elements(node).flat_map(members).collect(),
                terminals: terminals(source, node, depth + 1)?,
            })
        })
        .collect()
}

/// The variables of an element: a stream has one for each direction of the flow.
fn members(node: Element<'_>) -> Vec<(String, String, String)> {
    let names: &[(&str, &str, &str)] = match node.tag_name().name() {
        "TerminalMemberVariable" => &[("memberName", "variableName", "variableKind")],
        "TerminalStreamMemberVariable" => {
            &[("inStreamMemberName", "inStreamVariableName", ""), ("outStreamMemberName", "outStreamVariableName", "")]
        }
        _ => &[],
    };
    let text = |name: &str| node.attribute(name).unwrap_or_default().to_owned();
    let kind = |name: &str| if name.is_empty() { "stream".to_owned() } else { text(name) };
    names.iter().map(|(member, variable, role)| (text(member), text(variable), kind(role))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_are_read_with_those_within_them() {
        let text = r#"<fmiTerminalsAndIcons fmiVersion="3.0"><Terminals>
            <Terminal name="shaft" terminalKind="org.example.flange" matchingRule="plug" description="left end">
              <TerminalMemberVariable variableName="w" memberName="speed" variableKind="signal"/>
              <TerminalStreamMemberVariable inStreamMemberName="hi" outStreamMemberName="ho"
                 inStreamVariableName="h_in" outStreamVariableName="h_out"/>
              <Terminal name="inner" matchingRule="bus"/>
            </Terminal></Terminals></fmiTerminalsAndIcons>"#;
        let read = parse("x.fmu", text).unwrap();
        assert_eq!(read.len(), 1);
        let shaft = &read[0];
        assert_eq!((shaft.name.as_str(), shaft.kind.as_str()), ("shaft", "org.example.flange"));
        let member = |a: &str, b: &str, c: &str| (a.to_owned(), b.to_owned(), c.to_owned());
        let expected =
            [member("speed", "w", "signal"), member("hi", "h_in", "stream"), member("ho", "h_out", "stream")];
        assert_eq!(shaft.members, expected);
        assert_eq!(shaft.terminals[0].matching_rule, "bus");
        let deep = format!("<a><Terminals>{}{}</Terminals></a>", "<Terminal>".repeat(99), "</Terminal>".repeat(99));
        assert!(parse("x.fmu", &deep).unwrap_err().to_string().contains("too deep"));
    }
}
