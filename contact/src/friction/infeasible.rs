//! Proof that contacts close whatever impulses act: weights of the normals whose impulses cancel, yet whose gaps close together.
//!
//! With y >= 0 in the normal rows, 0 elsewhere, and W y = 0 (impulses y move nothing), y . u = S . W y + y . q = y . q for all impulses
//! S. If y . q < 0, some normal velocity is negative: the problem has no solution, with or without friction. For semidefinite W such y
//! are exactly Farkas' certificates of the normal rows alone, a linear complementarity problem.

use crate::{
    problem::{FrictionProblem, Lcp},
    solution::{Solution, Status},
    solver::{Automatic, AutomaticWorkspace},
};

use super::scaled::Scaled;

/// By how much of |W| |y| an entry of W y may differ from zero, and of |q| |y| q . y must.
const ROUND_OFF: f64 = 1e-10;

/// Workspace of the proof; it grows when a proof is first asked for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Workspace {
    lcp: Lcp,
    workspace: AutomaticWorkspace,
    solution: Solution,
}

impl Workspace {
    /// Whether the normal rows alone contradict each other.
    pub(crate) fn suspects(&mut self, scaled: &Scaled) -> bool {
        self.solve(scaled) && self.solution.status == Status::Infeasible
    }

    /// Impulses of the normal rows alone, as if there were no friction; scaled, one a contact.
    pub(crate) fn frictionless(&mut self, scaled: &Scaled) -> Option<&[f64]> {
        if self.solve(scaled) { Some(&self.solution.z) } else { None }
    }

    fn solve(&mut self, scaled: &Scaled) -> bool {
        let n = scaled.offsets.len() - 1;
        let rows = &scaled.offsets[..n];
        let filled = self.lcp.refill(n, |mut m, q| {
            for (j, &column) in rows.iter().enumerate() {
                for (i, &row) in rows.iter().enumerate() {
                    m[(i, j)] = scaled.column(column)[row];
                }
                q[j] = scaled.q[column];
            }
        });
        if filled.is_ok() {
            let Self { lcp, workspace, solution } = self;
            Automatic::default().solve_under(&scaled.meter, lcp, None, workspace, solution);
        }
        filled.is_ok()
    }

    /// Fills `certificate` with y, in the units of the problem, if there is one.
    pub(crate) fn proves(&mut self, problem: &FrictionProblem, scaled: &Scaled, certificate: &mut Vec<f64>) -> bool {
        if !self.suspects(scaled) {
            return false;
        }
        let (w, offsets) = (problem.w(), problem.offsets());
        certificate.clear();
        certificate.resize(problem.rows(), 0.0);
        for (y, &row) in self.solution.certificate.iter().zip(offsets) {
            certificate[row] = y * scaled.unit(row);
        }
        // Weights of islands are free of their scales: none acts on another.
        let largest = certificate.iter().fold(0.0, |largest: f64, y| largest.max(*y));
        certificate.iter_mut().for_each(|y| *y /= largest);
        let vanishes = (0..problem.rows()).all(|j| {
            let column = w.column(j);
            let (sum, size) = column
                .iter()
                .zip(certificate.iter())
                .fold((0.0, 0.0), |(sum, size), (w, y)| (sum + w * y, size + (w * y).abs()));
            sum.abs() <= ROUND_OFF * size
        });
        let products = || problem.q().iter().zip(certificate.iter()).map(|(q, y)| q * y);
        let round_off = ROUND_OFF * products().map(f64::abs).sum::<f64>();
        let proved = vanishes && products().sum::<f64>() < -round_off;
        if !proved {
            certificate.clear();
        }
        proved
    }
}
