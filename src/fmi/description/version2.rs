//! FMI 2.0.

use super::{CATEGORIES, TOOL, Times, units};
use crate::fmi::{Causality, FmuVariable, Instance};
use crate::xml::{Attributes, Xml};

pub(super) fn write(instance: &Instance, identifier: &str, times: Option<&Times>) -> String {
    let (contents, variables) = (instance.contents(), instance.variables());
    let document = contents.file().document();
    let root = Attributes::default()
        .with("fmiVersion", "2.0")
        .with("modelName", name(document.name(), identifier))
        .with("guid", contents.token())
        .with("description", document.description())
        .with("generationTool", TOOL)
        .with("variableNamingConvention", "flat")
        .with("numberOfEventIndicators", "0");
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
            // Without the time, reference 0, which is optional here: FMI Library asks it for a start value.
            variables.all().iter().enumerate().skip(1).for_each(|(reference, own)| variable(xml, reference, own));
        });
        xml.within("ModelStructure", Attributes::default(), |xml| structure(xml, instance));
    });
    xml.finish()
}

pub(super) fn name<'a>(name: &'a str, identifier: &'a str) -> &'a str {
    if name.is_empty() { identifier } else { name }
}

fn capabilities(instance: &Instance, identifier: &str) -> Attributes {
    let can = instance.capabilities();
    Attributes::default()
        .with("modelIdentifier", identifier)
        .flag("canHandleVariableCommunicationStepSize", true)
        .flag("canInterpolateInputs", can.input_order > 0)
        .with("maxOutputDerivativeOrder", "0")
        .flag("canNotUseMemoryManagementFunctions", true)
        .flag("canGetAndSetFMUstate", can.state)
        .flag("canSerializeFMUstate", can.serialized_state)
        .flag("providesDirectionalDerivative", can.directional_derivatives)
}

fn variable(xml: &mut Xml, reference: usize, own: &FmuVariable) {
    let (causality, variability, initial) = match own.causality {
        Causality::Independent => ("independent", "continuous", None),
        Causality::Input => ("input", "continuous", None),
        Causality::Output => ("output", "continuous", Some("calculated")),
        Causality::Parameter => ("parameter", "fixed", Some("exact")),
        Causality::CalculatedParameter => ("calculatedParameter", "fixed", Some("calculated")),
    };
    let attributes = Attributes::default()
        .with("name", &own.name)
        .with("valueReference", reference.to_string())
        .with("causality", causality)
        .with("variability", variability)
        .when(initial.is_some(), |more| more.with("initial", initial.unwrap_or_default()));
    let has_start = matches!(own.causality, Causality::Input | Causality::Parameter);
    let real = Attributes::default()
        .when(!own.unit.is_empty(), |more| more.with("unit", &own.unit))
        .when(has_start, |more| more.number("start", own.start))
        .when(own.nominal > 0.0, |more| more.number("nominal", own.nominal));
    xml.within("ScalarVariable", attributes, |xml| xml.element("Real", real));
}

/// Indices count from 1 without the time, so that each is the value reference.
fn structure(xml: &mut Xml, instance: &Instance) {
    let variables = instance.variables();
    let outputs: Vec<_> = variables.with(Causality::Output).collect();
    if !outputs.is_empty() {
        xml.within("Outputs", Attributes::default(), |xml| {
            for (reference, own) in &outputs {
                let index = Attributes::default().with("index", reference.to_string());
                let depends = own.depends_on.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
                xml.element("Unknown", index.with("dependencies", depends));
            }
        });
    }
    // What they depend on at the start is not told: on anything.
    let unknowns = outputs.into_iter().chain(variables.with(Causality::CalculatedParameter));
    let unknowns: Vec<String> = unknowns.map(|(reference, _)| reference.to_string()).collect();
    if !unknowns.is_empty() {
        xml.within("InitialUnknowns", Attributes::default(), |xml| {
            for index in unknowns {
                xml.element("Unknown", Attributes::default().with("index", index));
            }
        });
    }
}
