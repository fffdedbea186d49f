//! Units of the Functional Mock-up Interface: description, co-simulation, model exchange.

use super::{Case, Fault, wrong};
use crate::fmi_importer::Importer;
use crate::fmi_instances::written;
use fourbar::fmi::description::description;
use fourbar::fmi::{Causality, Export, FmiVersion, Instance, Interfaces};

/// A unit of the model with its description, ready to begin.
fn unit(case: &Case, version: FmiVersion, interfaces: Interfaces) -> Result<Instance, Fault> {
    let folder = tempfile::tempdir()?;
    let file = written(&folder, "model.toml", &case.feature.text(""));
    let export = Export::with(&file, version, interfaces)?;
    let text = description(export.instance(), version, "model");
    if !text.contains(&format!("name=\"{}\"", case.feature.column)) {
        return wrong("the description lacks the result");
    }
    let mut instance = export.into_instance();
    instance.set_up(0.0, Some(case.feature.end), None)?;
    instance.enter_initialization()?;
    instance.exit_initialization()?;
    Ok(instance)
}

fn result(instance: &mut Instance, column: &str) -> Result<f64, Fault> {
    let found = instance.variables().with(Causality::Output).find(|(_, own)| own.name == column);
    let Some((reference, _)) = found else { return wrong("the unit lacks the result") };
    Ok(instance.get(reference)?)
}

fn stepped(case: &Case, version: FmiVersion) -> Result<(), Fault> {
    let mut instance = unit(case, version, Interfaces::CoSimulation)?;
    for time in case.times() {
        let from = instance.time();
        instance.step(from, time - from)?;
    }
    case.same(result(&mut instance, case.feature.column)?)
}

pub(crate) fn stepped_2(case: &Case) -> Result<(), Fault> {
    stepped(case, FmiVersion::V2)
}

pub(crate) fn stepped_3(case: &Case) -> Result<(), Fault> {
    stepped(case, FmiVersion::V3)
}

/// The equations under an integrator that is not ours.
pub(crate) fn exchanged(case: &Case) -> Result<(), Fault> {
    let mut importer = Importer::new(unit(case, FmiVersion::V3, Interfaces::ModelExchange)?)?;
    importer.go(case.feature.end, 1e-3)?;
    case.same(result(&mut importer.instance, case.feature.column)?)
}

/// A checkpoint as bytes, in another instance.
pub(crate) fn saved(case: &Case) -> Result<(), Fault> {
    let mut first = unit(case, FmiVersion::V3, Interfaces::CoSimulation)?;
    let half = 0.5 * case.feature.end;
    first.step(0.0, half)?;
    let state = first.save()?;
    let bytes = first.state_to_bytes(&state)?;
    let mut second = unit(case, FmiVersion::V3, Interfaces::CoSimulation)?;
    let state = second.state_from_bytes(&bytes)?;
    second.restore(&state)?;
    let mut values = [0.0; 2];
    for (instance, value) in [&mut first, &mut second].into_iter().zip(&mut values) {
        instance.step(half, half)?;
        *value = result(instance, case.feature.column)?;
    }
    if values[0] != values[1] {
        return wrong(format!("{} goes on as {}", values[0], values[1]));
    }
    case.same(values[0])
}
