//! FMI 3.0.

use super::{Experiment, TOOL, classified, common, dependencies, listed, names};
use crate::fmi::{Causality, FmuInterface, FmuVariable, Instance};
use crate::xml::{Attributes, Xml};

pub(super) fn write(instance: &Instance, identifier: &str, experiment: Option<&Experiment>) -> String {
    let (contents, variables) = (instance.contents(), instance.variables());
    let (name, words) = names(instance, identifier);
    let root = Attributes::default()
        .with("fmiVersion", "3.0")
        .with("modelName", name)
        .with("instantiationToken", contents.token())
        .with("description", words)
        .with("generationTool", TOOL)
        .with("variableNamingConvention", "flat");
    let mut xml = Xml::new();
    xml.within("fmiModelDescription", root, |xml| {
        interfaces(xml, instance, identifier);
        common(xml, variables, experiment);
        xml.within("ModelVariables", Attributes::default(), |xml| {
            variables.all().iter().enumerate().for_each(|(reference, own)| variable(xml, reference, own));
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
        let own = identified().flag("canGetAndSetFMUState", true).flag("canSerializeFMUState", true);
        xml.element("ModelExchange", own.flag("needsCompletedIntegratorStep", true));
    }
    if instance.contents().interfaces().have(FmuInterface::CoSimulation) {
        let own = identified()
            .flag("canHandleVariableCommunicationStepSize", true)
            .flag("canGetAndSetFMUState", can.state)
            .flag("canSerializeFMUState", can.serialized_state)
            .flag("providesDirectionalDerivatives", can.directional_derivatives)
            .flag("providesIntermediateUpdate", true)
            .flag("canReturnEarlyAfterIntermediateUpdate", true)
            .flag("mightReturnEarlyFromDoStep", can.ends_early || can.has_events);
        xml.element("CoSimulation", own);
    }
}

fn variable(xml: &mut Xml, reference: usize, own: &FmuVariable) {
    let (causality, variability) = classified(own);
    let is_guess = own.causality == Causality::Algebraic;
    let has_start = is_guess || matches!(own.causality, Causality::Input | Causality::Parameter);
    let attributes = Attributes::default()
        .with("name", &own.name)
        .with("valueReference", reference.to_string())
        .with("causality", causality)
        .with("variability", variability);
    if own.causality == Causality::Switch {
        return xml.element("Boolean", attributes.flag("start", false));
    }
    let attributes = attributes
        .when(is_guess, |more| more.with("initial", "approx"))
        .when(!own.unit.is_empty(), |more| more.with("unit", &own.unit))
        .when(has_start, |more| more.number("start", own.start))
        .when(own.nominal > 0.0, |more| more.number("nominal", own.nominal))
        .when(own.derivative_of.is_some(), |more| {
            more.with("derivative", own.derivative_of.unwrap_or_default().to_string())
        });
    xml.element("Float64", attributes);
}

fn structure(xml: &mut Xml, instance: &Instance) {
    let variables = instance.variables();
    let unknown = |reference: u32| Attributes::default().with("valueReference", reference.to_string());
    for (element, causality) in [("Output", Causality::Output), ("ContinuousStateDerivative", Causality::Derivative)] {
        for (reference, own) in variables.with(causality) {
            let depends = dependencies(instance, own);
            let depending = |more: Attributes| more.with("dependencies", depends.as_deref().unwrap_or_default());
            xml.element(element, unknown(reference).when(depends.is_some(), depending));
        }
    }
    for causality in [Causality::Output, Causality::CalculatedParameter, Causality::State, Causality::Derivative] {
        for (reference, own) in variables.with(causality) {
            let depends = listed(own.starts_from.iter().copied());
            xml.element("InitialUnknown", unknown(reference).with("dependencies", depends));
        }
    }
    variables.with(Causality::Indicator).for_each(|(k, _)| xml.element("EventIndicator", unknown(k)));
}
