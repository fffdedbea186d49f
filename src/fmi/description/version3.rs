//! FMI 3.0.

use super::version2::name;
use super::{TOOL, Times, classified, common};
use crate::fmi::{Causality, FmuInterface, FmuVariable, Instance};
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
        interfaces(xml, instance, identifier);
        common(xml, variables, times);
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
    for (reference, own) in variables.with(Causality::Output) {
        let depends = own.depends_on.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
        let output = Attributes::default().with("valueReference", reference.to_string());
        xml.element("Output", output.with("dependencies", depends));
    }
    let mut list = |element: &str, causality| {
        for (reference, _) in variables.with(causality) {
            xml.element(element, Attributes::default().with("valueReference", reference.to_string()));
        }
    };
    list("ContinuousStateDerivative", Causality::Derivative);
    // What they depend on at the start is not told: on anything.
    for causality in [Causality::Output, Causality::CalculatedParameter, Causality::State, Causality::Derivative] {
        list("InitialUnknown", causality);
    }
    list("EventIndicator", Causality::Indicator);
}
