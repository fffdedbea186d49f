//! Enumeration of complementary bases: the last resort for a handful of pairs, which finds a solution of any matrix if there is one.
//!
//! A regular M_aa leaves one point to look at; the singular ones, which take longer, come after all others.

use super::{Outcome, Point, Run, basis::Basis, scaled::Scaled, singular::Singular};
use crate::solution::{MethodName, Status};

/// Tries all 2^n complementary bases of a problem of few pairs.
#[derive(Debug, Clone, PartialEq)]
pub struct Enumeration {
    /// Residual of the original problem that counts as solved.
    pub tolerance: f64,
    /// Pairs at most; larger problems are left alone.
    pub max_pairs: usize,
}

impl Default for Enumeration {
    fn default() -> Self {
        Self { tolerance: 1e-10, max_pairs: 14 }
    }
}

/// Pairs up to which singular bases, of which there may be as many as bases, are looked into.
const SINGULAR: usize = 12;

/// Workspace of the method.
#[derive(Debug, Clone, Default)]
pub struct Workspace {
    basis: Basis,
    zeros: Vec<f64>,
    z: Vec<f64>,
    w: Vec<f64>,
    /// Bases with singular M_aa, and the search in one of them.
    skipped: Vec<usize>,
    singular: Singular,
}

impl Run for Enumeration {
    type Workspace = Workspace;
    const NAME: MethodName = MethodName::Enumeration;
    const POLISHED: bool = true;

    fn tolerance(&self) -> f64 {
        self.tolerance
    }

    fn run(&self, scaled: &Scaled, point: &mut Point, workspace: &mut Workspace) -> Outcome {
        let n = scaled.len();
        if n > self.max_pairs.min(usize::BITS as usize - 1) {
            return Outcome { status: Status::MaxIterations, iterations: 0 };
        }
        for vector in [&mut workspace.zeros, &mut workspace.z, &mut workspace.w] {
            vector.clear();
            vector.resize(n, 0.0);
        }
        workspace.skipped.clear();
        let (mut best, enough) = (f64::INFINITY, 0.01 * self.tolerance);
        for mask in 0..1_usize << n {
            if scaled.meter.is_over() {
                return Outcome { status: Status::OutOfBudget, iterations: mask };
            }
            workspace.basis.select(n, |i| mask >> i & 1 == 1);
            if !workspace.basis.factor(scaled, 0.0) {
                workspace.skipped.push(mask);
                continue;
            }
            workspace.z.fill(0.0);
            workspace.basis.correct(scaled, 0.0, &workspace.zeros, &mut workspace.z);
            scaled.w(&workspace.z, &mut workspace.w);
            let natural = Scaled::natural(&workspace.z, &workspace.w);
            if natural < best {
                best = natural;
                point.z.copy_from_slice(&workspace.z);
            }
            if best <= enough {
                return Outcome { status: Status::Solved, iterations: mask + 1 };
            }
        }
        let mut iterations = 1 << n;
        for &mask in workspace.skipped.iter().filter(|_| n <= SINGULAR) {
            iterations += 1;
            scaled.meter.spend(n * n * n);
            if scaled.meter.is_over() {
                return Outcome { status: Status::OutOfBudget, iterations };
            }
            let natural = workspace.singular.search(scaled, |i| mask >> i & 1 == 1, &mut workspace.z);
            if natural < best {
                best = natural;
                point.z.copy_from_slice(&workspace.z);
            }
            if best <= enough {
                return Outcome { status: Status::Solved, iterations };
            }
        }
        Outcome { status: Status::NumericalTrouble, iterations }
    }
}
