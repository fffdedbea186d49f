//! Friction at joints: derivatives, closed forms, independent integrations, redundant constraints.

mod closed_forms;
mod derivatives;
mod motion;
mod redundant;
mod released;

use fourbar_multibody::integrator::{Abam, Gstiff, Hht, Rkf45, Stop, Tolerance};
use fourbar_multibody::{Dynamics, DynamicsOptions, Error, Formulation, Mechanism, Method, Model};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

fn compile(model: &Value) -> Result<Arc<Mechanism>, Error> {
    Mechanism::compile(&serde_json::from_value::<Model>(model.clone()).expect("a model")).map(Arc::new)
}

fn gstiff(tolerance: f64, formulation: Formulation) -> (Method, Formulation) {
    (Gstiff::with_tolerance(tolerance).into(), formulation)
}

/// Every formulation.
fn stiff(tolerance: f64) -> Vec<(Method, Formulation)> {
    [Formulation::Si2, Formulation::Si1, Formulation::I3].map(|f| gstiff(tolerance, f)).into()
}

/// Every formulation, and a method of each kind of equations.
fn methods(tolerance: f64) -> Vec<(Method, Formulation)> {
    let mut all = stiff(tolerance);
    // Of second order: with the tolerance of the others it would take a hundred times their steps.
    let coarse = Tolerance::uniform(100.0 * tolerance);
    all.push((Hht { tolerance: coarse, ..Hht::default() }.into(), Formulation::Si2));
    all.push((Abam::with_tolerance(tolerance).into(), Formulation::Si2));
    all.push((Rkf45::with_tolerance(tolerance).into(), Formulation::Si2));
    all
}

/// The measures of the mechanism at `times`, by name.
fn run(
    mechanism: &Arc<Mechanism>,
    (method, formulation): (Method, Formulation),
    times: &[f64],
) -> Vec<BTreeMap<String, f64>> {
    let options = DynamicsOptions { formulation, method, end: 0.0, stop_times: vec![] };
    let mut dynamics = Dynamics::new(mechanism, &options).expect("a start");
    let mut values = vec![0.0; mechanism.measures().len()];
    let mut at = |&t: &f64| {
        dynamics.set_end(t).expect("an end");
        while dynamics.step().expect("a step") != Stop::EndTime {}
        dynamics.measures_at(t, &mut values).expect("measures");
        mechanism.measures().iter().map(|info| info.name.clone()).zip(values.iter().copied()).collect()
    };
    times.iter().map(&mut at).collect()
}
