//! Proof that no point is feasible, for a matrix of any class.
//!
//! The least distance of M z + q from the nonnegative orthant, min 1/2 |M z + q - s|^2 over z, s >= 0, is a semidefinite problem. Where it
//! is not zero, y = s - M z - q satisfies y >= 0, M^T y <= 0 and q^T y = -|y|^2 < 0 (its optimality conditions), which is Farkas'
//! certificate. Where it is zero the problem is feasible, and nothing is said about its solvability.

use super::{ActiveSet, InteriorPoint, Outcome, Point, Run, active_set, interior_point, scaled::Scaled};
use crate::{
    dense::dot,
    problem::Lcp,
    solution::{MethodName, Status},
};

/// Search for a certificate of infeasibility by least distance.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Feasibility {
    /// Pairs at most; the problem solved has twice as many.
    pub(super) max_pairs: usize,
}

/// Workspace of the search.
#[derive(Debug, Clone, Default)]
pub(super) struct Workspace {
    lcp: Lcp,
    scaled: Scaled,
    point: Point,
    active: active_set::Workspace,
    interior: interior_point::Workspace,
    w: Vec<f64>,
    unscaled: Vec<f64>,
}

impl Run for Feasibility {
    type Workspace = Workspace;
    const NAME: MethodName = MethodName::Feasibility;
    const POLISHED: bool = false;

    fn tolerance(&self) -> f64 {
        0.0
    }

    fn run(&self, scaled: &Scaled, point: &mut Point, workspace: &mut Workspace) -> Outcome {
        let n = scaled.len();
        if n > self.max_pairs || !workspace.take(scaled) {
            return Outcome { status: Status::NumericalTrouble, iterations: 0 };
        }
        workspace.scaled.meter.begin_under(&scaled.meter);
        workspace.point.z.clear();
        workspace.point.z.resize(2 * n, 0.0);
        workspace.point.warm = false;
        let mut outcome = ActiveSet::default().run(&workspace.scaled, &mut workspace.point, &mut workspace.active);
        workspace.distance(scaled, &mut point.ray);
        if outcome.status != Status::Solved && !scaled.certifies(&mut point.ray) {
            outcome = InteriorPoint::default().run(&workspace.scaled, &mut workspace.point, &mut workspace.interior);
            workspace.distance(scaled, &mut point.ray);
        }
        scaled.meter.charge(&workspace.scaled.meter);
        Outcome { status: Status::NumericalTrouble, iterations: outcome.iterations }
    }
}

impl Workspace {
    /// The problem of least distance, [[M^T M, -M^T], [-M, I]] and (M^T q, -q).
    fn take(&mut self, scaled: &Scaled) -> bool {
        let n = scaled.len();
        let filled = self.lcp.refill(2 * n, |mut m, q| {
            for j in 0..n {
                for i in 0..n {
                    m[(i, j)] = dot(scaled.column(i), scaled.column(j));
                    m[(n + i, j)] = -scaled.column(j)[i];
                    m[(j, n + i)] = m[(n + i, j)];
                }
                m[(n + j, n + j)] = 1.0;
                q[j] = dot(scaled.column(j), &scaled.q);
                q[n + j] = -scaled.q[j];
            }
        });
        if filled.is_ok() {
            self.scaled.take(&self.lcp);
        }
        filled.is_ok()
    }

    /// y = s - M z - q.
    fn distance(&mut self, scaled: &Scaled, y: &mut Vec<f64>) {
        let n = scaled.len();
        self.w.resize(n, 0.0);
        self.unscaled.resize(2 * n, 0.0);
        self.scaled.unscale(&self.point.z, &mut self.unscaled);
        scaled.w(&self.unscaled[..n], &mut self.w);
        y.clear();
        y.extend(self.unscaled[n..].iter().zip(&self.w).map(|(s, w)| s.max(0.0) - w));
    }
}
