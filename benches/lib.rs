//! What the benches measure: mechanisms of growing size, and the matrices of their Newton iteration.

#[path = "../tests/support/machines.rs"]
#[allow(dead_code)]
mod machines;

use fourbar::multibody::dae::Dae;
use fourbar::multibody::integrator::Gstiff;
use fourbar::multibody::{Dynamics, DynamicsOptions, Equations, Formulation, Mechanism, Model};
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
    fourbar::file::ModelFile::load(path).expect("the model loads").model().clone()
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
        DynamicsOptions { formulation, method: Gstiff::with_tolerance(tolerance), end, stop_times: Vec::new() };
    let mut dynamics = Dynamics::new(mechanism, &options).expect("the run starts");
    for _ in 0..warm_up {
        dynamics.step().expect("a step");
    }
    dynamics
}

/// A Newton matrix, in compressed columns.
#[derive(Debug, Clone)]
pub struct NewtonMatrix {
    /// Name for reports.
    pub name: String,
    /// n.
    pub n: usize,
    /// Start of each column.
    pub offsets: Vec<usize>,
    /// Row of each entry.
    pub rows: Vec<usize>,
    /// Values at the configuration of the start, then with the bodies turned by up to 0.05 rad.
    pub values: Vec<Vec<f64>>,
}

/// Matrices of a mechanism with h `beta_0` = 1e-3, the bodies turned by up to `turn` rad in each but the first.
///
/// # Panics
/// If the model does not compile.
#[must_use]
pub fn newton_matrices(name: &str, model: &Model, formulation: Formulation, turn: f64, sets: usize) -> NewtonMatrix {
    let mechanism = Arc::new(Mechanism::compile(model).expect("the model compiles"));
    let mut equations = Equations::new(Arc::clone(&mechanism), formulation, mechanism.start());
    let n = equations.dimension();
    let (mut y, mut yp) = (vec![0.0; n], vec![0.0; n]);
    let mut seed = 1_u64;
    let mut scatter = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    let values = (0..sets)
        .map(|set| {
            let mut state = mechanism.start().clone();
            for pose in &mut state.poses {
                if set > 0 {
                    let turn = turned([turn * scatter(), turn * scatter(), turn * scatter()]);
                    pose.a = turn * pose.a;
                }
                for k in 0..3 {
                    pose.v[k] += scatter();
                    pose.w[k] += scatter();
                }
            }
            equations.write(&state, &mut y, &mut yp);
            let mut values = vec![0.0; equations.pattern().nnz()];
            equations.jacobian(0.0, &y, &yp, 1e3, &mut values).expect("the matrix is evaluated");
            values
        })
        .collect();
    let (offsets, rows) = (equations.pattern().major_offsets().to_vec(), equations.pattern().minor_indices().to_vec());
    NewtonMatrix { name: name.to_owned(), n, offsets, rows, values }
}

fn turned(v: [f64; 3]) -> fourbar::multibody::space::M3 {
    fourbar::multibody::space::rotation(&fourbar::multibody::space::V3::from(v))
}
