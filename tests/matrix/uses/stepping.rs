//! Models that a host steps, as C and Python do, and their checkpoints.

use super::{Case, Fault, runs, units, wrong};
use fourbar::file::ModelFile;
use fourbar::run::Overrides;
use fourbar::simulation::{CompiledModel, Simulation, Stepped};
use std::sync::Arc;

fn simulation(case: &Case) -> Result<(ModelFile, Simulation), Fault> {
    simulation_with(case, "")
}

fn simulation_with(case: &Case, more: &str) -> Result<(ModelFile, Simulation), Fault> {
    let file = case.file(more)?;
    let Some(model) = file.document().mechanism() else { return wrong("not a mechanism") };
    let compiled = CompiledModel::new(model, &Default::default()).map_err(|error| file.explain(error))?;
    let simulation =
        Simulation::new(&Arc::new(compiled), &Overrides::default()).map_err(|error| file.explain(error))?;
    Ok((file, simulation))
}

fn measured(simulation: &mut Simulation, column: &str) -> Result<f64, Fault> {
    let compiled = Arc::clone(simulation.compiled());
    let mut values = vec![0.0; compiled.columns().len()];
    simulation.measures(&mut values)?;
    let index = compiled.columns().iter().position(|own| own.name == column);
    index.map_or_else(|| wrong("there is no such column"), |index| Ok(values[index]))
}

fn output(stepped: &mut Stepped, column: &str) -> Result<f64, Fault> {
    let mut values = vec![0.0; stepped.output_variables().len()];
    stepped.outputs(&mut values)?;
    let index = stepped.output_variables().iter().position(|own| own.name == column);
    index.map_or_else(|| wrong("there is no such output"), |index| Ok(values[index]))
}

pub(crate) fn stepped(case: &Case) -> Result<(), Fault> {
    if !case.feature.is_mechanism() {
        let mut stepped = Stepped::new(case.file("")?.document())?;
        for time in case.times() {
            stepped.step_to(time)?;
        }
        return case.same(output(&mut stepped, case.feature.column)?);
    }
    let (file, mut simulation) = simulation(case)?;
    for time in case.times() {
        simulation.step_to(time).map_err(|error| file.explain(error))?;
    }
    simulation.state()?;
    case.same(measured(&mut simulation, case.feature.column)?)
}

/// The impulses since the step before add up to some.
pub(crate) fn contact_measures(case: &Case) -> Result<(), Fault> {
    let (_, mut simulation) = simulation_with(case, &runs::measures_of_contact())?;
    let mut impulse = 0.0;
    for time in case.times() {
        simulation.step_to(time)?;
        impulse += measured(&mut simulation, "normal_impulse")?;
    }
    if impulse > 0.0 {
        case.same(measured(&mut simulation, case.feature.column)?)
    } else {
        wrong("the contact never presses")
    }
}

/// The same bit for bit.
fn again(first: f64, second: f64) -> Result<(), Fault> {
    if first == second { Ok(()) } else { wrong(format!("{first} goes on as {second}")) }
}

/// Saved half way, and put back.
pub(crate) fn checkpoint(case: &Case) -> Result<(), Fault> {
    let (half, end) = (0.5 * case.feature.end, case.feature.end);
    if !case.feature.is_mechanism() {
        let mut stepped = Stepped::new(case.file("")?.document())?;
        stepped.step_to(half)?;
        let saved = stepped.save()?;
        stepped.step_to(end)?;
        let first = output(&mut stepped, case.feature.column)?;
        stepped.restore(&saved)?;
        stepped.step_to(end)?;
        return again(first, output(&mut stepped, case.feature.column)?);
    }
    let (_, mut simulation) = simulation(case)?;
    simulation.step_to(half)?;
    let saved = simulation.save();
    simulation.step_to(end)?;
    let first = measured(&mut simulation, case.feature.column)?;
    simulation.restore(&saved)?;
    simulation.step_to(end)?;
    again(first, measured(&mut simulation, case.feature.column)?)?;
    case.same(first)
}

/// As bytes, in another compilation of the model; of other kinds of models by the functions of units.
pub(crate) fn checkpoint_bytes(case: &Case) -> Result<(), Fault> {
    if !case.feature.is_mechanism() {
        return units::saved(case);
    }
    let (half, end) = (0.5 * case.feature.end, case.feature.end);
    let (_, mut first) = simulation(case)?;
    first.step_to(half)?;
    let bytes = first.checkpoint_to_bytes(&first.save())?;
    let (_, mut second) = simulation(case)?;
    let saved = second.checkpoint_from_bytes(&bytes)?;
    second.restore(&saved)?;
    first.step_to(end)?;
    second.step_to(end)?;
    again(measured(&mut first, case.feature.column)?, measured(&mut second, case.feature.column)?)
}
