//! FMI 3.0.

use super::version2::name;
use super::{CATEGORIES, TOOL, Times, units};
use crate::fmi::{Causality, FmuVariable, Instance};
use crate::xml::{Attributes, Xml};

pub(super) fn write(instance: &Instance, identifier: &str, times: Option<&Times>) -> String {
    let (contents, variables) = (instance.contents(), instance.variables());
    let document = contents.file().document();
    let root = Attributes::default()
        .with("fmiVersion", "3.0")
        .with("modelName", name(document.name(), identifier))
        .with("instantiationToken", contents.token())
        .with("description", document.description())
        .with("generationTool", TOOL)
        .with("variableNamingConvention", "flat");
    let mut xml = Xml::new();
    xml.within("fmiModelDescription", root, |xml| {
        xml.element("CoSimulation", capabilities(instance, identifier));
        units::write(xml, variables);
        xml.within("LogCategories", Attributes::default(), |xml| {
            for (name, description) in CATEGORIES {
                xml.element("Category", Attributes::default().with("name", name).with("description", description));
            }
        });
        if let Some(Times { stop, step }) = times {
            let start = Attributes::default().with("startTime", "0");
            xml.element("DefaultExperiment", start.number("stopTime", *stop).number("stepSize", *step));
        }
        xml.within("ModelVariables", Attributes::default(), |xml| {
            variables.all().iter().enumerate().for_each(|(reference, own)| variable(xml, reference, own));
        });
        xml.within("ModelStructure", Attributes::default(), |xml| structure(xml, instance));
    });
    xml.finish()
}

fn capabilities(instance: &Instance, identifier: &str) -> Attributes {
    let can = instance.capabilities();
    Attributes::default()
        .with("modelIdentifier", identifier)
        .flag("canHandleVariableCommunicationStepSize", true)
        .flag("canGetAndSetFMUState", can.state)
        .flag("canSerializeFMUState", can.serialized_state)
        .flag("providesDirectionalDerivatives", can.directional_derivatives)
        .flag("mightReturnEarlyFromDoStep", can.ends_early)
}

fn variable(xml: &mut Xml, reference: usize, own: &FmuVariable) {
    let (causality, variability) = match own.causality {
        Causality::Independent => ("independent", "continuous"),
        Causality::Input => ("input", "continuous"),
        Causality::Output => ("output", "continuous"),
        Causality::Parameter => ("parameter", "fixed"),
        Causality::CalculatedParameter => ("calculatedParameter", "fixed"),
    };
    let has_start = matches!(own.causality, Causality::Input | Causality::Parameter);
    let attributes = Attributes::default()
        .with("name", &own.name)
        .with("valueReference", reference.to_string())
        .with("causality", causality)
        .with("variability", variability)
        .when(!own.unit.is_empty(), |more| more.with("unit", &own.unit))
        .when(has_start, |more| more.number("start", own.start))
        .when(own.nominal > 0.0, |more| more.number("nominal", own.nominal));
    xml.element("Float64", attributes);
}

fn structure(xml: &mut Xml, instance: &Instance) {
    let variables = instance.variables();
    for (reference, own) in variables.with(Causality::Output) {
        let depends = own.depends_on.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
        let output = Attributes::default().with("valueReference", reference.to_string());
        xml.element("Output", output.with("dependencies", depends));
    }
    // What they depend on at the start is not told: on anything.
    for causality in [Causality::Output, Causality::CalculatedParameter] {
        for (reference, _) in variables.with(causality) {
            xml.element("InitialUnknown", Attributes::default().with("valueReference", reference.to_string()));
        }
    }
}
