//! Projected Gauss-Seidel and SOR: one pair after the other, z_i = max(0, z_i - omega w_i / M_ii).
//!
//! Converges for symmetric semidefinite matrices and for diagonally dominant ones (H+), slowly where heavy stands on light; diverges on
//! strongly skew ones. It says Solved only where the residual is small, never because steps are.

use super::{Outcome, Point, Run, scaled::Scaled};
use crate::{
    dense::dot,
    solution::{MethodName, Status},
};

/// Projected sweeps over the rows.
#[derive(Debug, Clone, PartialEq)]
pub struct GaussSeidel {
    /// Residual of the original problem that counts as solved.
    pub tolerance: f64,
    /// Sweeps at most.
    pub max_iterations: usize,
    /// Relaxation omega, 0 to 2: 1 is Gauss-Seidel, above it SOR.
    pub relaxation: f64,
    /// Sweeps forth and back in turn.
    pub symmetric: bool,
}

impl Default for GaussSeidel {
    fn default() -> Self {
        Self { tolerance: 1e-10, max_iterations: 10_000, relaxation: 1.0, symmetric: false }
    }
}

/// Sweeps between checks of the natural map.
const CHECK: usize = 8;
/// Natural map of the scaled problem, which begins at one, from which there is no way back: squares still are numbers.
const DIVERGED: f64 = 1e30;

/// Workspace of the method: M by rows.
#[derive(Debug, Clone, Default)]
pub struct Workspace {
    rows: Vec<f64>,
    w: Vec<f64>,
}

impl Run for GaussSeidel {
    type Workspace = Workspace;
    const NAME: MethodName = MethodName::GaussSeidel;
    const POLISHED: bool = false;

    fn tolerance(&self) -> f64 {
        self.tolerance
    }

    fn run(&self, scaled: &Scaled, point: &mut Point, workspace: &mut Workspace) -> Outcome {
        let n = scaled.len();
        workspace.take(scaled);
        for sweep in 1..=self.max_iterations {
            for k in 0..n {
                let i = if self.symmetric && sweep % 2 == 0 { n - 1 - k } else { k };
                let row = &workspace.rows[i * n..(i + 1) * n];
                if row[i] > 0.0 {
                    let w = dot(row, &point.z) + scaled.q[i];
                    point.z[i] = (point.z[i] - self.relaxation * w / row[i]).max(0.0);
                }
            }
            if sweep % CHECK == 0 || sweep == self.max_iterations {
                scaled.w(&point.z, &mut workspace.w);
                let natural = Scaled::natural(&point.z, &workspace.w);
                if natural <= 0.1 * self.tolerance {
                    return Outcome { status: Status::Solved, iterations: sweep };
                }
                if scaled.meter.is_over() {
                    return Outcome { status: Status::OutOfBudget, iterations: sweep };
                }
                if natural > DIVERGED {
                    return Outcome { status: Status::NumericalTrouble, iterations: sweep };
                }
            }
        }
        Outcome { status: Status::MaxIterations, iterations: self.max_iterations }
    }
}

impl Workspace {
    fn take(&mut self, scaled: &Scaled) {
        let n = scaled.len();
        self.w.resize(n, 0.0);
        self.rows.clear();
        self.rows.resize(n * n, 0.0);
        for j in 0..n {
            for (i, &m) in scaled.column(j).iter().enumerate() {
                self.rows[i * n + j] = m;
            }
        }
    }
}
