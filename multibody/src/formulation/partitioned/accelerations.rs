//! Accelerations and multipliers with supplementary rows.
//!
//! K = [[M, Phi_q^T], [Phi_q, 0]] is factored once ([`Saddle`]). With (a_0, lambda_0) = K^-1 (Q, gamma) and (X, Y) = K^-1 (P^T, 0) the rows J u' = gamma_J give
//!
//! ```text
//! S Lambda = gamma_J - J a_0,   S = J X,   u' = a_0 + X Lambda,   lambda = lambda_0 + Y Lambda
//! ```
//!
//! S is symmetric only if P = J. It is singular where supplementary rows depend on each other or on those of the joints (a box on four points);
//! then (S + eps I) Lambda_{k+1} = b - S Lambda_k + (S + eps I) Lambda_k, begun at zero, leads to the solution of least norm of a symmetric
//! S: each iteration divides what misses by sigma/eps + 1 along the singular vectors in reach and leaves the others alone.

use super::joined::{Joined, each_body};
use super::partition::Partition;
use super::reduced::Reduced;
use super::saddle::Saddle;
use crate::dae::EvalError;
use crate::force;
use crate::formulation::supplement::Supplement;
use crate::mechanism::Mechanism;
use crate::space::Pose;
use crate::state::Tracked;
use fourbar_linalg::Error as LinearError;

/// Pivots of S below this, relative to its largest entry, are zero.
const SINGULAR: f64 = 1e-11;
/// eps relative to the largest entry of S: round-off in the null space is divided by it, convergence needs it small.
const REGULARIZATION: f64 = 1e-4;
/// Iterations at most: each leaves at most the regularization over the smallest pivot, and `STALLED` ends those that do not converge.
const ITERATIONS: usize = 40;
/// An iteration that leaves more than this part of the residual is the last.
const STALLED: f64 = 0.9;

/// Why accelerations cannot be had.
#[derive(Debug)]
pub(super) enum Failure {
    Linear(LinearError),
    Evaluation(EvalError),
    /// S has no finite solution.
    Supplement,
}

impl From<EvalError> for Failure {
    fn from(error: EvalError) -> Self {
        Self::Evaluation(error)
    }
}

/// Where accelerations are asked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct At<'a> {
    pub(super) t: f64,
    pub(super) poses: &'a [Pose],
    pub(super) tracked: &'a [Tracked],
}

/// Workspace.
#[derive(Debug, Clone)]
pub(super) struct Accelerations {
    /// None with many degrees of freedom, and with supplementary rows.
    reduced: Option<Reduced>,
    /// Made when those do not reach.
    saddle: Option<Saddle>,
    /// Whether it is factored at the point that was solved last.
    factored: bool,
    /// Q and gamma as long as it is not known whether their solution is good.
    kept: [Vec<f64>; 2],
    /// u', then lambda.
    pub(super) accelerations: Vec<f64>,
    pub(super) joints: Vec<f64>,
    /// Lambda.
    pub(super) multipliers: Vec<f64>,
    /// Columns (X, Y), one after the other.
    columns: Vec<f64>,
    dense: Dense,
    /// Whether pivots were chosen afresh.
    pub(super) stale: bool,
    /// Whether an elimination of bodies was refused once, and none is tried any more.
    pub(super) whole: bool,
}

impl Accelerations {
    /// Orders the system at the values `joined` holds, those at `poses`, with the partition `part` of its rows, factored there; with `whole` without
    /// an elimination of bodies.
    pub(super) fn new<S: Supplement>(
        mechanism: &Mechanism,
        joined: &mut Joined<S>,
        part: &mut Partition,
        poses: &[Pose],
        whole: bool,
    ) -> Result<Self, LinearError> {
        let (n, m, r) = (joined.system.mass.ncols(), joined.joint_rows(), joined.rows.len());
        let kept = [vec![1.0; n], vec![1.0; m]];
        let reduced = Reduced::new(mechanism, joined, part).and_then(|mut reduced| {
            let [mut top, mut bottom] = kept.clone();
            reduced.solve(mechanism, joined, part, poses, &mut top, &mut bottom).then_some(reduced)
        });
        let saddle = if reduced.is_some() { None } else { Some(Saddle::new(mechanism, joined, poses, whole)?) };
        Ok(Self {
            reduced,
            saddle,
            factored: false,
            kept,
            accelerations: vec![0.0; n],
            joints: vec![0.0; m],
            multipliers: vec![0.0; r],
            columns: vec![0.0; r * (n + m)],
            dense: Dense::new(r),
            stale: false,
            whole,
        })
    }

    /// Solves at the poses at which `joined` was evaluated and `part` was factored last.
    pub(super) fn solve<S: Supplement>(
        &mut self,
        mechanism: &Mechanism,
        joined: &mut Joined<S>,
        part: &mut Partition,
        at: At<'_>,
    ) -> Result<(), Failure> {
        self.solve_smooth(mechanism, joined, part, at)?;
        if mechanism.frictions.is_empty() { Ok(()) } else { self.rub(mechanism, joined, part, at) }
    }

    /// Adds what friction at joints does to the solution without it.
    fn rub<S: Supplement>(
        &mut self,
        mechanism: &Mechanism,
        joined: &mut Joined<S>,
        part: &mut Partition,
        At { t, poses, .. }: At<'_>,
    ) -> Result<(), Failure> {
        let (mut accelerations, mut joints) = (self.accelerations.clone(), self.joints.clone());
        let added = force::settle(mechanism, t, poses, &joints, |top, bottom| {
            self.accelerations.copy_from_slice(top);
            if !self.respond(mechanism, joined, part, poses) {
                return Err(Failure::Supplement);
            }
            top.copy_from_slice(&self.accelerations);
            bottom.copy_from_slice(&self.joints);
            Ok(())
        })?;
        accelerations.iter_mut().zip(&added.accelerations).for_each(|(sum, part)| *sum += part);
        joints.iter_mut().zip(&added.multipliers).for_each(|(sum, part)| *sum += part);
        (self.accelerations, self.joints) = (accelerations, joints);
        Ok(())
    }

    /// As [`Accelerations::solve`], without friction at joints.
    fn solve_smooth<S: Supplement>(
        &mut self,
        mechanism: &Mechanism,
        joined: &mut Joined<S>,
        part: &mut Partition,
        At { t, poses, tracked }: At<'_>,
    ) -> Result<(), Failure> {
        self.factored = false;
        let Self { reduced, kept: [top, bottom], accelerations, joints, stale, .. } = self;
        joined.system.forces(mechanism, t, poses, tracked, top).map_err(Failure::Evaluation)?;
        joined.system.gamma(mechanism, poses, bottom);
        accelerations.copy_from_slice(top);
        joints.copy_from_slice(bottom);
        if let Some(reduced) = reduced {
            if reduced.solve(mechanism, joined, part, poses, accelerations, joints) {
                return Ok(());
            }
            accelerations.copy_from_slice(top);
            joints.copy_from_slice(bottom);
            *stale = true;
        }
        self.solve_whole(mechanism, joined, poses).map_err(Failure::Linear)?;
        if joined.rows.is_empty() { Ok(()) } else { self.supplement(mechanism, joined, poses) }
    }

    /// Puts the accelerations that forces make which stand in their place, without those of motions and velocities, at the point that was solved last.
    /// Returns whether that can be had.
    pub(super) fn respond<S: Supplement>(
        &mut self,
        mechanism: &Mechanism,
        joined: &mut Joined<S>,
        part: &mut Partition,
        poses: &[Pose],
    ) -> bool {
        let Self { reduced, kept: [loads, _], accelerations, joints, stale, factored, .. } = self;
        joints.fill(0.0);
        if let (Some(reduced), false) = (reduced, *factored) {
            loads.copy_from_slice(accelerations);
            if reduced.solve(mechanism, joined, part, poses, accelerations, joints) {
                return true;
            }
            accelerations.copy_from_slice(loads);
            joints.fill(0.0);
            *stale = true;
        }
        self.solve_whole(mechanism, joined, poses).is_ok()
    }

    /// Solves for the loads and rates that stand in the places of accelerations and multipliers, without coordinates of the freedoms.
    fn solve_whole<S: Supplement>(
        &mut self,
        mechanism: &Mechanism,
        joined: &mut Joined<S>,
        poses: &[Pose],
    ) -> Result<(), LinearError> {
        let saddle = match &mut self.saddle {
            Some(saddle) => saddle,
            empty => empty.insert(Saddle::new(mechanism, joined, poses, self.whole)?),
        };
        if !self.factored {
            self.stale |= saddle.factor(mechanism, joined, poses)?;
            self.factored = true;
        }
        self.stale |= saddle.solve(mechanism, joined, poses, &mut self.accelerations, &mut self.joints)?;
        self.whole |= saddle.refused;
        Ok(())
    }

    fn supplement<S: Supplement>(
        &mut self,
        mechanism: &Mechanism,
        joined: &mut Joined<S>,
        poses: &[Pose],
    ) -> Result<(), Failure> {
        let (n, m) = (self.accelerations.len(), self.joints.len());
        let (ground, r) = (mechanism.bodies.len(), joined.rows.len());
        self.columns.fill(0.0);
        for (k, column) in self.columns.chunks_exact_mut(n + m).enumerate() {
            let row = &joined.rows[k];
            each_body(row.bodies, &row.push, ground, |body, force, torque| {
                column[6 * body..6 * body + 3].copy_from_slice(force.as_slice());
                column[6 * body + 3..6 * body + 6].copy_from_slice(torque.as_slice());
            });
            let (top, bottom) = column.split_at_mut(n);
            let Some(saddle) = &mut self.saddle else { continue };
            self.stale |= saddle.solve(mechanism, joined, poses, top, bottom).map_err(Failure::Linear)?;
            self.whole |= saddle.refused;
        }
        let along = |row: usize, u: &[f64]| -> f64 {
            let at = joined.joint_rows() + row;
            let range = joined.jacobian.row_offsets()[at]..joined.jacobian.row_offsets()[at + 1];
            let entries = joined.jacobian.col_indices()[range.clone()].iter().zip(&joined.jacobian.values()[range]);
            entries.map(|(&c, v)| v * u[c]).sum()
        };
        for (i, row) in joined.rows.iter().enumerate() {
            self.dense.b[i] = row.gamma - along(i, &self.accelerations);
            for (j, column) in self.columns.chunks_exact(n + m).enumerate() {
                self.dense.s[i * r + j] = along(i, &column[..n]);
            }
        }
        self.dense.solve(&mut self.multipliers);
        if !self.multipliers.iter().all(|x| x.is_finite()) {
            return Err(Failure::Supplement);
        }
        for (column, lambda) in self.columns.chunks_exact(n + m).zip(&self.multipliers) {
            let (top, bottom) = column.split_at(n);
            self.accelerations.iter_mut().zip(top).for_each(|(a, x)| *a += lambda * x);
            self.joints.iter_mut().zip(bottom).for_each(|(l, y)| *l += lambda * y);
        }
        Ok(())
    }
}

/// A small dense system S x = b, by rows.
#[derive(Debug, Clone)]
struct Dense {
    n: usize,
    s: Vec<f64>,
    b: Vec<f64>,
    factors: Vec<f64>,
    order: Vec<usize>,
    residual: Vec<f64>,
    work: Vec<f64>,
}

impl Dense {
    fn new(n: usize) -> Self {
        let (square, line) = (vec![0.0; n * n], vec![0.0; n]);
        Self {
            n,
            s: square.clone(),
            b: line.clone(),
            factors: square,
            order: vec![0; n],
            residual: line.clone(),
            work: line,
        }
    }

    /// The solution, or the one of least norm if S is singular and symmetric.
    fn solve(&mut self, x: &mut [f64]) {
        let largest = self.s.iter().fold(0.0_f64, |max, v| max.max(v.abs()));
        x.fill(0.0);
        let (shift, iterations) =
            if self.factor(0.0) > SINGULAR * largest { (0.0, 2) } else { (REGULARIZATION * largest, ITERATIONS) };
        if shift > 0.0 {
            self.factor(shift);
        }
        let load = self.b.iter().fold(0.0_f64, |max, v| max.max(v.abs()));
        let mut before = f64::INFINITY;
        for _ in 0..iterations {
            for (i, residual) in self.residual.iter_mut().enumerate() {
                let row = &self.s[i * self.n..(i + 1) * self.n];
                *residual = self.b[i] - row.iter().zip(&*x).map(|(s, x)| s * x).sum::<f64>();
            }
            let size = self.residual.iter().fold(0.0_f64, |max, v| max.max(v.abs()));
            if size <= 2.0 * f64::EPSILON * load || size >= STALLED * before {
                return;
            }
            before = size;
            self.substitute();
            x.iter_mut().zip(&self.work).for_each(|(x, d)| *x += d);
        }
    }

    /// Factors S + shift I with row pivoting. Returns the smallest pivot.
    fn factor(&mut self, shift: f64) -> f64 {
        let n = self.n;
        self.factors.copy_from_slice(&self.s);
        let mut smallest = f64::INFINITY;
        for k in 0..n {
            self.factors[k * n + k] += shift;
        }
        for k in 0..n {
            let at = |i: usize| self.factors[i * n + k].abs();
            let pivot = (k..n).fold(k, |best, i| if at(i) > at(best) { i } else { best });
            self.order[k] = pivot;
            if pivot != k {
                (0..n).for_each(|j| self.factors.swap(k * n + j, pivot * n + j));
            }
            let value = self.factors[k * n + k];
            smallest = smallest.min(value.abs());
            for i in k + 1..n {
                let factor = self.factors[i * n + k] / value;
                self.factors[i * n + k] = factor;
                for j in k + 1..n {
                    self.factors[i * n + j] -= factor * self.factors[k * n + j];
                }
            }
        }
        smallest
    }

    /// Solves for the residual, into `work`.
    fn substitute(&mut self) {
        let n = self.n;
        self.work.copy_from_slice(&self.residual);
        for k in 0..n {
            self.work.swap(k, self.order[k]);
        }
        for i in 0..n {
            let sum: f64 = (0..i).map(|j| self.factors[i * n + j] * self.work[j]).sum();
            self.work[i] -= sum;
        }
        for i in (0..n).rev() {
            let sum: f64 = (i + 1..n).map(|j| self.factors[i * n + j] * self.work[j]).sum();
            self.work[i] = (self.work[i] - sum) / self.factors[i * n + i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solve(n: usize, s: &[f64], b: &[f64]) -> Vec<f64> {
        let mut dense = Dense::new(n);
        dense.s.copy_from_slice(s);
        dense.b.copy_from_slice(b);
        let mut x = vec![0.0; n];
        dense.solve(&mut x);
        x
    }

    #[test]
    fn regular_systems_are_solved_whatever_their_symmetry() {
        let x = solve(3, &[0.0, 2.0, 1.0, 1.0, 0.0, -1.0, 3.0, 1.0, 0.0], &[7.0, -2.0, 5.0]);
        for (x, exact) in x.iter().zip([1.0, 2.0, 3.0]) {
            assert!((x - exact).abs() < 1e-14);
        }
    }

    /// Corner forces of a plate on four points, up to rigid-body compliance: W = 1 + x_i x_j + y_i y_j has rank 3.
    #[test]
    fn singular_systems_get_the_solution_of_least_norm() {
        let corners = [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]];
        let w = |a: [f64; 2], b: [f64; 2]| 1.0 + a[0] * b[0] + a[1] * b[1];
        let s: Vec<f64> = corners.iter().flat_map(|&a| corners.iter().map(move |&b| w(a, b))).collect();
        // A load that the forces (0.7, 0.3, 0.2, 0.1) carry; least norm takes their part along (1, -1, -1, 1) away.
        let carried = [0.7, 0.3, 0.2, 0.1];
        let b: Vec<f64> = (0..4).map(|i| (0..4).map(|j| s[4 * i + j] * carried[j]).sum()).collect();
        let twist = (0.7 - 0.3 - 0.2 + 0.1) / 4.0;
        for (x, (c, sign)) in solve(4, &s, &b).iter().zip(carried.iter().zip([1.0, -1.0, -1.0, 1.0])) {
            assert!((x - (c - twist * sign)).abs() < 1e-11, "{x}");
        }
    }
}
