//! Mixed problems: the free variables are eliminated, what is left is solved, and the answer is judged on the problem as it was given.

use super::{
    Automatic, Method,
    exchange::{Exchange, Stuck},
};
use crate::{
    problem::{Lcp, MixedLcp},
    solution::{Solution, Status},
};
use nalgebra::{DMatrix, DVector};

/// Residual that needs no further correction.
const ENOUGH: f64 = 1e-13;

/// Solves a mixed problem by the way `solve` has with linear complementarity problems.
fn solve(mixed: &MixedLcp, tolerance: f64, solve: impl Fn(&Lcp) -> Solution) -> Solution {
    let (f, n) = (mixed.free(), mixed.len());
    let mut exchange = Exchange::new(mixed);
    let mut solution = match exchange.eliminate() {
        Ok(()) => {
            let mut solution = solve(&exchange.lcp());
            let (mut u, mut z) = (vec![0.0; f], vec![0.0; n]);
            exchange.recover(&solution.z, &solution.w, &mut u, &mut z);
            (solution.u, solution.z) = (u, z);
            solution.undetermined = exchange.undetermined;
            // A certificate speaks of the reduced problem, whose pairs may stand reversed.
            solution.certificate.clear();
            solution
        }
        Err(Stuck::Inconsistent) => {
            let mut solution = Solution::default();
            solution.reset(f, n);
            solution.status = Status::Inconsistent;
            solution
        }
        Err(Stuck::Unpaired) => {
            let mut solution = solve(&mixed.split());
            solution.u = (0..f).map(|i| solution.z[i] - solution.z[f + i]).collect();
            solution.z.drain(..2 * f);
            solution.certificate.clear();
            solution
        }
    };
    judge(mixed, tolerance, &mut solution);
    solution
}

/// Measures (u, z) on the original problem, after a correction where that helps, and settles the status.
fn judge(mixed: &MixedLcp, tolerance: f64, solution: &mut Solution) {
    let mut w = vec![0.0; mixed.len()];
    let mut residual = mixed.residual(&solution.u, &solution.z, &mut w);
    let doubtful = solution.status == Status::Solved && residual.value() > ENOUGH;
    if let Some((u, z)) = doubtful.then(|| corrected(mixed, &solution.u, &solution.z, &w)).flatten() {
        let mut better_w = vec![0.0; mixed.len()];
        let better = mixed.residual(&u, &z, &mut better_w);
        if better.value() < residual.value() {
            (residual, w) = (better, better_w);
            (solution.u, solution.z) = (u, z);
        }
    }
    solution.w = w;
    solution.residual = residual;
    if residual.within(tolerance) {
        solution.status = Status::Solved;
    } else if solution.status == Status::Solved {
        solution.status = Status::NumericalTrouble;
    }
}

/// One Newton step on A u + B z + a = 0 and w_i = 0 for the active i = {z_i > w_i}; `None` if that system is singular.
fn corrected(mixed: &MixedLcp, u: &[f64], z: &[f64], w: &[f64]) -> Option<(Vec<f64>, Vec<f64>)> {
    let f = mixed.free();
    let active: Vec<usize> = (0..mixed.len()).filter(|&i| z[i] > w[i]).collect();
    let k = active.len();
    let entry = |i: usize, j: usize| match (i < f, j < f) {
        (true, true) => mixed.a()[(i, j)],
        (true, false) => mixed.b()[(i, active[j - f])],
        (false, true) => mixed.c()[(active[i - f], j)],
        (false, false) => mixed.d()[(active[i - f], active[j - f])],
    };
    let lu = DMatrix::from_fn(f + k, f + k, entry).lu();
    let (mut u, mut kept) = (u.to_vec(), vec![0.0; mixed.len()]);
    active.iter().for_each(|&i| kept[i] = z[i]);
    let equations =
        mixed.a() * DVector::from_column_slice(&u) + mixed.b() * DVector::from_column_slice(&kept) + mixed.a_vec();
    let pairs =
        mixed.c() * DVector::from_column_slice(&u) + mixed.d() * DVector::from_column_slice(&kept) + mixed.b_vec();
    let rhs = DVector::from_fn(f + k, |i, _| if i < f { -equations[i] } else { -pairs[active[i - f]] });
    let step = lu.solve(&rhs)?;
    u.iter_mut().enumerate().for_each(|(i, ui)| *ui += step[i]);
    active.iter().enumerate().for_each(|(place, &i)| kept[i] += step[f + place]);
    Some((u, kept))
}

impl Automatic {
    /// Solves a mixed problem. Redundant equations that agree are dropped ([`Solution::undetermined`] counts what they leave open of u,
    /// which is set to zero); equations that contradict each other give [`Status::Inconsistent`].
    #[must_use]
    pub fn solve_mixed(&self, mixed: &MixedLcp) -> Solution {
        solve(mixed, self.tolerance, |lcp| self.solve(lcp))
    }
}

/// Solves a mixed problem by a method of one's choice, as [`Automatic::solve_mixed`] does.
#[must_use]
pub fn solve_mixed<M: Method>(method: &M, mixed: &MixedLcp) -> Solution {
    solve(mixed, method.tolerance(), |lcp| method.solve(lcp))
}
