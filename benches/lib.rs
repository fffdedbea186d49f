//! What the benches measure: mechanisms of growing size, and the matrices of their Newton iteration.

#[path = "../tests/support/machines.rs"]
#[allow(dead_code)]
mod machines;
#[path = "../tests/support/matrices.rs"]
mod matrices;

pub use matrices::{NewtonMatrix, newton_matrices};

use fourbar::multibody::integrator::Gstiff;
use fourbar::multibody::{Dynamics, DynamicsOptions, Formulation, Mechanism, Model};
use std::sync::Arc;

/// A chain of n rods in space, hinged about y and z in turn.
#[must_use]
pub fn chain(n: usize) -> Model {
    let mut model = machines::spatial_chain(n);
    model.measures.clear();
    model
}

/// A ladder of n cells: 2 n + 1 bodies, 3 n closed loops with redundant rows.
#[must_use]
pub fn ladder(n: usize) -> Model {
    let mut model = machines::ladder(n);
    model.measures.clear();
    model
}

/// Andrews' squeezing mechanism.
///
/// # Panics
/// If the model file is not there.
#[must_use]
pub fn andrews() -> Model {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../models/andrews.toml");
    fourbar::file::ModelFile::load(path)
        .expect("the model loads")
        .document()
        .mechanism()
        .expect("a mechanism")
        .model
        .clone()
}

/// A run that has taken `warm_up` steps.
///
/// # Panics
/// If the mechanism does not run.
#[must_use]
pub fn start(
    mechanism: &Arc<Mechanism>,
    formulation: Formulation,
    tolerance: f64,
    end: f64,
    warm_up: usize,
) -> Dynamics {
    let options =
        DynamicsOptions { formulation, method: Gstiff::with_tolerance(tolerance).into(), end, stop_times: Vec::new() };
    let mut dynamics = Dynamics::new(mechanism, &options).expect("the run starts");
    for _ in 0..warm_up {
        dynamics.step().expect("a step");
    }
    dynamics
}
