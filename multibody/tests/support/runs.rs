//! Models written as JSON, and runs of them by several methods.

use fourbar_multibody::integrator::{Abam, Gstiff, Rkf45, Stop};
use fourbar_multibody::model::Model;
use fourbar_multibody::{Dynamics, DynamicsOptions, Error, Formulation, Mechanism, Method};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

pub(crate) fn read(model: &Value) -> Model {
    serde_json::from_value(model.clone()).expect("a model")
}

pub(crate) fn compile(model: &Value) -> Arc<Mechanism> {
    try_compile(model).unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn try_compile(model: &Value) -> Result<Arc<Mechanism>, Error> {
    Mechanism::compile(&read(model)).map(Arc::new)
}

/// Three formulations, and the two methods on partitioned coordinates.
pub(crate) fn methods() -> [(Method, Formulation); 5] {
    let gstiff = |formulation| (Gstiff::with_tolerance(1e-8).into(), formulation);
    [
        gstiff(Formulation::Si2),
        gstiff(Formulation::I3),
        gstiff(Formulation::Si1),
        (Rkf45::with_tolerance(1e-9).into(), Formulation::Si2),
        (Abam::with_tolerance(1e-9).into(), Formulation::Si2),
    ]
}

/// Two formulations and a method on partitioned coordinates, with errors far below those of closed forms written in doubles.
pub(crate) fn tight_methods() -> [(Method, Formulation); 3] {
    [
        (Gstiff::with_tolerance(1e-11).into(), Formulation::Si2),
        (Gstiff::with_tolerance(1e-11).into(), Formulation::Si1),
        (Rkf45::with_tolerance(1e-11).into(), Formulation::Si2),
    ]
}

/// All measures at `end`.
pub(crate) fn measures(mechanism: &Arc<Mechanism>, (method, formulation): (Method, Formulation), end: f64) -> Vec<f64> {
    let options = DynamicsOptions { formulation, method, end, stop_times: vec![] };
    let mut dynamics = Dynamics::new(mechanism, &options).expect("a start");
    while dynamics.step().expect("a step") != Stop::EndTime {
        assert!(dynamics.statistics().steps < 20_000, "t = {}", dynamics.time());
    }
    let mut values = vec![0.0; mechanism.measures().len()];
    dynamics.measures_at(end, &mut values).expect("measures");
    values
}

/// The measures at `times`, by name.
pub(crate) fn named_measures(
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

/// That the message of the error names the place and says `told`.
pub(crate) fn refused(model: &Value, place: &str, told: &str) {
    let error = Mechanism::compile(&read(model)).expect_err("refused").to_string();
    assert!(error.contains(place) && error.contains(told), "{error}");
}
