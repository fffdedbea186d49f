//! FMI 2.0.

use super::{Experiment, TOOL, classified, common, dependencies, listed, names};
use crate::fmi::{Causality, FmuInterface, FmuVariable, Instance};
use crate::xml::{Attributes, Xml};

pub(super) fn write(instance: &Instance, identifier: &str, experiment: Option<&Experiment>) -> String {
    let (contents, variables) = (instance.contents(), instance.variables());
    let (name, words) = names(instance, identifier);
    let root = Attributes::default()
        .with("fmiVersion", "2.0")
        .with("modelName", name)
        .with("guid", contents.token())
        .with("description", words)
        .with("generationTool", TOOL)
        .with("variableNamingConvention", "flat")
        .with("numberOfEventIndicators", variables.indicators().to_string());
    let mut xml = Xml::new();
    xml.within("fmiModelDescription", root, |xml| {
        interfaces(xml, instance, identifier);
        common(xml, variables, experiment);
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
    let unknown = |reference: u32| Attributes::default().with("index", reference.to_string());
    let mut list = |element: &'static str, causality| {
        let mut unknowns = variables.with(causality).peekable();
        if unknowns.peek().is_some() {
            xml.within(element, Attributes::default(), |xml| {
                for (reference, own) in unknowns {
                    let depends = dependencies(instance, own);
                    let depending =
                        |more: Attributes| more.with("dependencies", depends.as_deref().unwrap_or_default());
                    xml.element("Unknown", unknown(reference).when(depends.is_some(), depending));
                }
            });
        }
    };
    list("Outputs", Causality::Output);
    list("Derivatives", Causality::Derivative);
    let causalities = [Causality::Output, Causality::CalculatedParameter, Causality::State, Causality::Derivative];
    let mut unknowns = causalities.into_iter().flat_map(|own| variables.with(own)).peekable();
    if unknowns.peek().is_some() {
        xml.within("InitialUnknowns", Attributes::default(), |xml| {
            for (reference, own) in unknowns {
                let depends = listed(own.starts_from.iter().copied());
                xml.element("Unknown", unknown(reference).with("dependencies", depends));
            }
        });
    }
}
