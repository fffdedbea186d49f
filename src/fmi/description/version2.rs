//! FMI 2.0.

use super::{TOOL, Times, classified, common};
use crate::fmi::{Causality, FmuInterface, FmuVariable, Instance};
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
        .with("numberOfEventIndicators", variables.indicators().to_string());
    let mut xml = Xml::new();
    xml.within("fmiModelDescription", root, |xml| {
        interfaces(xml, instance, identifier);
        common(xml, variables, times);
        xml.within("ModelVariables", Attributes::default(), |xml| {
            // Without the time, reference 0, which is optional here: FMI Library asks it for a start value.
            // Event indicators, the last ones, are no variables here.
            let listed = variables.all().iter().filter(|own| own.causality != Causality::Indicator);
            listed.enumerate().skip(1).for_each(|(reference, own)| variable(xml, reference, own));
        });
        xml.within("ModelStructure", Attributes::default(), |xml| structure(xml, instance));
    });
    xml.finish()
}

pub(super) fn name<'a>(name: &'a str, identifier: &'a str) -> &'a str {
    if name.is_empty() { identifier } else { name }
}

/// The interfaces with what they can do; model exchange comes first.
fn interfaces(xml: &mut Xml, instance: &Instance, identifier: &str) {
    let identified = || Attributes::default().with("modelIdentifier", identifier);
    let can = instance.capabilities();
    if instance.contents().interfaces().have(FmuInterface::ModelExchange) {
        let own = identified().flag("canNotUseMemoryManagementFunctions", true);
        xml.element("ModelExchange", own.flag("canGetAndSetFMUstate", true).flag("canSerializeFMUstate", true));
    }
    if instance.contents().interfaces().have(FmuInterface::CoSimulation) {
        let own = identified()
            .flag("canHandleVariableCommunicationStepSize", true)
            .flag("canInterpolateInputs", can.input_order > 0)
            .with("maxOutputDerivativeOrder", "0")
            .flag("canNotUseMemoryManagementFunctions", true)
            .flag("canGetAndSetFMUstate", can.state)
            .flag("canSerializeFMUstate", can.serialized_state)
            .flag("providesDirectionalDerivative", can.directional_derivatives);
        xml.element("CoSimulation", own);
    }
}

fn variable(xml: &mut Xml, reference: usize, own: &FmuVariable) {
    let (causality, variability) = classified(own);
    let initial = match own.causality {
        Causality::Independent | Causality::Input => None,
        Causality::Parameter => Some("exact"),
        _ => Some("calculated"),
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
        .when(own.nominal > 0.0, |more| more.number("nominal", own.nominal))
        // The index of a variable is its reference.
        .when(own.derivative_of.is_some(), |more| {
            more.with("derivative", own.derivative_of.unwrap_or_default().to_string())
        });
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
    let index = |(reference, _): (u32, &FmuVariable)| Attributes::default().with("index", reference.to_string());
    let derivatives: Vec<Attributes> = variables.with(Causality::Derivative).map(index).collect();
    if !derivatives.is_empty() {
        xml.within("Derivatives", Attributes::default(), |xml| {
            derivatives.into_iter().for_each(|own| xml.element("Unknown", own));
        });
    }
    // What they depend on at the start is not told: on anything.
    let more = [Causality::CalculatedParameter, Causality::State, Causality::Derivative];
    let unknowns = outputs.into_iter().chain(more.into_iter().flat_map(|own| variables.with(own)));
    let unknowns: Vec<String> = unknowns.map(|(reference, _)| reference.to_string()).collect();
    if !unknowns.is_empty() {
        xml.within("InitialUnknowns", Attributes::default(), |xml| {
            for index in unknowns {
                xml.element("Unknown", Attributes::default().with("index", index));
            }
        });
    }
}
