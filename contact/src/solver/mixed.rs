//! Mixed problems: the free variables are eliminated, what is left is solved, and the answer is checked on the problem as it was given.

use super::{
    Automatic, AutomaticWorkspace, Method, Workspace,
    exchange::{Exchange, Stuck},
};
use crate::{
    budget::{Budget, Meter},
    problem::{Lcp, MixedLcp},
    residual::Balance,
    solution::{Solution, Status},
};
use nalgebra::{DMatrix, DVector};

/// Residual that needs no further correction.
const ENOUGH: f64 = 1e-13;

/// Free variables up to which a problem that elimination did not solve is tried once more, as an LCP of 2 f + n pairs.
const SPLIT: usize = 120;
/// Equations up to which a singular system of an active set is solved in the sense of least squares.
const SINGULAR_VALUES: usize = 240;
/// Singular values of the scaled system below this share of the largest count as zero.
const RANK: f64 = 1e-11;
/// Corrections at most of a solution by its residual.
const CORRECTIONS: usize = 3;

/// Solves a mixed problem by the way `solve` has with linear complementarity problems: what elimination leaves, then, if that fails, the
/// problem with u = u+ - u- and every equation as two inequalities, which eliminates nothing.
fn solve(mixed: &MixedLcp, tolerance: f64, budget: &Budget, solve: impl Fn(&Lcp, &Meter) -> Solution) -> Solution {
    let (f, n, balance) = (mixed.free(), mixed.len(), mixed.balance());
    let mut meter = Meter::default();
    meter.begin(budget);
    let mut exchange = Exchange::new(mixed);
    let eliminated = exchange.eliminate();
    if eliminated == Err(Stuck::Inconsistent) {
        let mut solution = Solution::default();
        solution.reset(f, n);
        solution.status = Status::Inconsistent;
        verify(mixed, &balance, tolerance, &mut solution);
        return solution;
    }
    meter.spend(f * (f + n) * (f + n));
    let mut first = None;
    if eliminated.is_ok() {
        let mut solution = solve(&exchange.lcp(), &meter);
        let (mut u, mut z) = (vec![0.0; f], vec![0.0; n]);
        exchange.recover(&solution.z, &solution.w, &mut u, &mut z);
        (solution.u, solution.z) = (u, z);
        solution.undetermined = exchange.undetermined;
        verify(mixed, &balance, tolerance, &mut solution);
        if solution.solved() || f > SPLIT || meter.is_over() {
            return solution;
        }
        first = Some(solution);
    }
    let mut second = solve(&mixed.split(), &meter);
    second.u = (0..f).map(|i| second.z[i] - second.z[f + i]).collect();
    second.z.drain(..2 * f);
    second.undetermined = exchange.undetermined;
    verify(mixed, &balance, tolerance, &mut second);
    match first {
        Some(mut first) if !second.solved() => {
            first.iterations += second.iterations;
            second.attempts.iter().for_each(|attempt| first.attempts.push(*attempt));
            first
        }
        _ => second,
    }
}

/// Measures (u, z) on the original problem, after corrections where they help, and settles the status.
fn verify(mixed: &MixedLcp, balance: &Balance, tolerance: f64, solution: &mut Solution) {
    // A certificate speaks of the reduced problem, whose pairs may stand reversed.
    solution.certificate.clear();
    let mut w = vec![0.0; mixed.len()];
    let mut residual = mixed.measure(&solution.u, &solution.z, &mut w, balance);
    for _ in 0..CORRECTIONS {
        if solution.status != Status::Solved || residual.value() <= ENOUGH {
            break;
        }
        let mut improved = false;
        for method in [regular, least_squares] {
            let Some((u, z)) = corrected(mixed, balance, (&solution.u, &solution.z, &w), method) else { continue };
            let mut better_w = vec![0.0; mixed.len()];
            let better = mixed.measure(&u, &z, &mut better_w, balance);
            if better.value() < residual.value() {
                improved = true;
                (residual, w) = (better, better_w);
                (solution.u, solution.z) = (u, z);
            }
            if residual.within(tolerance) {
                break;
            }
        }
        if !improved {
            break;
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

/// The solution of a regular system.
fn regular(matrix: DMatrix<f64>, rhs: &DVector<f64>) -> Option<DVector<f64>> {
    matrix.lu().solve(rhs)
}

/// The shortest solution of least squares.
fn least_squares(matrix: DMatrix<f64>, rhs: &DVector<f64>) -> Option<DVector<f64>> {
    if matrix.nrows() > SINGULAR_VALUES {
        return None;
    }
    let svd = fourbar_linalg::SingularValues::new(&matrix)?;
    Some(svd.solve(rhs, RANK * svd.largest()))
}

/// One Newton step on A u + B z + a = 0 and w_i = 0 for the active i = {z_i > w_i} (both scaled); `None` if that system has no solution.
fn corrected(
    mixed: &MixedLcp,
    balance: &Balance,
    (u, z, w): (&[f64], &[f64], &[f64]),
    method: fn(DMatrix<f64>, &DVector<f64>) -> Option<DVector<f64>>,
) -> Option<(Vec<f64>, Vec<f64>)> {
    let f = mixed.free();
    let Balance { rows: row, columns: column, .. } = balance;
    let active: Vec<usize> = (0..mixed.len()).filter(|&i| z[i] / column[f + i] > w[i] * row[f + i]).collect();
    let k = active.len();
    let place = |i: usize| if i < f { i } else { f + active[i - f] };
    let entry = |i: usize, j: usize| match (i < f, j < f) {
        (true, true) => mixed.a()[(i, j)],
        (true, false) => mixed.b()[(i, active[j - f])],
        (false, true) => mixed.c()[(active[i - f], j)],
        (false, false) => mixed.d()[(active[i - f], active[j - f])],
    };
    let matrix = DMatrix::from_fn(f + k, f + k, |i, j| entry(i, j) * row[place(i)] * column[place(j)]);
    let (mut u, mut kept) = (u.to_vec(), vec![0.0; mixed.len()]);
    active.iter().for_each(|&i| kept[i] = z[i]);
    let equations =
        mixed.a() * DVector::from_column_slice(&u) + mixed.b() * DVector::from_column_slice(&kept) + mixed.a_vec();
    let pairs =
        mixed.c() * DVector::from_column_slice(&u) + mixed.d() * DVector::from_column_slice(&kept) + mixed.b_vec();
    let missed = |i: usize| if i < f { equations[i] } else { pairs[active[i - f]] };
    let step = method(matrix, &DVector::from_fn(f + k, |i, _| -missed(i) * row[place(i)]))?;
    u.iter_mut().enumerate().for_each(|(i, ui)| *ui += step[i] * column[i]);
    active.iter().enumerate().for_each(|(at, &i)| kept[i] += step[f + at] * column[f + i]);
    Some((u, kept))
}

impl Automatic {
    /// Solves a mixed problem. Redundant equations that agree are dropped ([`Solution::undetermined`] counts what they leave open of u,
    /// which is set to zero); equations that contradict each other give [`Status::Inconsistent`].
    #[must_use]
    pub fn solve_mixed(&self, mixed: &MixedLcp) -> Solution {
        self.solve_mixed_within(mixed, &Budget::default())
    }

    /// The same within a budget.
    #[must_use]
    pub fn solve_mixed_within(&self, mixed: &MixedLcp, budget: &Budget) -> Solution {
        solve(mixed, self.tolerance, budget, |lcp, meter| {
            let mut solution = Solution::default();
            self.solve_under(meter, lcp, None, &mut AutomaticWorkspace::default(), &mut solution);
            solution
        })
    }
}

/// Solves a mixed problem by a method of one's choice, as [`Automatic::solve_mixed`] does.
#[must_use]
pub fn solve_mixed<M: Method>(method: &M, mixed: &MixedLcp) -> Solution {
    solve_mixed_within(method, mixed, &Budget::default())
}

/// The same within a budget.
#[must_use]
pub fn solve_mixed_within<M: Method>(method: &M, mixed: &MixedLcp, budget: &Budget) -> Solution {
    solve(mixed, method.tolerance(), budget, |lcp, meter| {
        let (mut workspace, mut solution) = (Workspace::<M>::default(), Solution::default());
        workspace.under(meter, |workspace| method.solve_begun(lcp, None, workspace, &mut solution));
        solution
    })
}
