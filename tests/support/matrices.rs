//! Newton matrices that mechanisms assemble, for tests and benches.

use fourbar::multibody::dae::Dae;
use fourbar::multibody::{Equations, Formulation, Mechanism, Model};
use std::sync::Arc;

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

/// Matrices of a mechanism with h `beta_0` = 1e-3, the bodies turned by up to `turn` rad in each set but the first.
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
