//! A step of the Radau IIA method where a system is stiff through a few fast unknowns.
//!
//! It solves for the increments z_i = u(t + c_i h) - y and the fast unknowns w_i of all stages at once. Newton's iteration takes what is
//! fast from the system ([`Ode::fast`]: L = df/dw, R^T = dg/dy, s = dg/dw), everything else by substitution:
//!
//! ```text
//! dz_i = r_i + h sum_j a_ij L_j dw_j,   r_i = h sum_j a_ij f_j - z_i
//! s_i dw_i + R_i^T dz_i = -g_i:   s_i dw_i + h sum_j a_ij (R_i^T L_j) dw_j = -g_i - R_i^T r_i
//! ```
//!
//! a dense system in the fast unknowns, regular also where s is zero. The error is estimated by the slope at the start against that of
//! the polynomial, G h (f(t, y) - u'(t)), filtered by (I + G h L s^-1 R^T)^-1; it is of order 5 as is Fehlberg's.

use super::fehlberg::Fehlberg;
use super::implicit::Outcome;
use super::radau::{AT_START, C, GAMMA, INVERSE, NODES, extension};
use super::slopes::Formula;
use super::stiff::{dot, solve};
use crate::dae::EvalError;
use crate::integrator::error::Error;
use crate::integrator::explicit::course::{Course, Leg, Scratch};
use crate::integrator::explicit::failure::settle;
use crate::integrator::targets::Plan;
use crate::ode::Ode;

/// Iterations at most: more cost as much as a step of half the length.
const ITERATIONS: usize = 12;
/// Part of the tolerance that may be left: the error estimate magnifies it a hundred times.
const LEFT: f64 = 1e-3;
/// What round-off may leave where the iteration gets no further.
const ROUND_OFF: f64 = 0.1;
/// Longest step, in units of the last one, to which its polynomial is continued for a first guess.
const CONTINUED: f64 = 2.0;

impl Fehlberg {
    /// An attempt at the step; its slopes come into the places of Fehlberg's if its error passes.
    pub(super) fn attempt_implicit<S: Ode>(
        &mut self,
        ode: &mut S,
        course: &mut Course,
        scratch: &mut Scratch,
        plan: Plan,
    ) -> Result<Outcome, Error> {
        self.implicit.resize(scratch.trial.len(), ode.fast_count());
        self.guess(plan.h);
        if !self.iterate(ode, course, plan)? {
            return Ok(Outcome::Diverged);
        }
        let work = &mut self.implicit;
        for (slope, line) in work.slopes.iter_mut().zip(&INVERSE) {
            slope.fill(0.0);
            for (a, z) in line.iter().zip(&work.increments) {
                slope.iter_mut().zip(z).for_each(|(f, z)| *f += a / plan.h * z);
            }
        }
        let end = course.leg.y.iter().zip(&work.increments[NODES - 1]);
        scratch.trial.iter_mut().zip(end).for_each(|(trial, (y, z))| *trial = y + z);
        let Some(norm) = self.estimate(course, scratch, plan.h) else { return Ok(Outcome::Diverged) };
        if norm > 1.0 && self.method.fixed.is_none() {
            return Ok(Outcome::Error(norm));
        }
        let slopes = &mut self.slopes;
        slopes.moved.copy_from_slice(&scratch.trial);
        let Ok(change) = settle(ode, plan, course, scratch)? else { return Ok(Outcome::Diverged) };
        if change > 1.0 && self.method.fixed.is_none() {
            return Ok(Outcome::Error(change));
        }
        slopes.moved.iter_mut().zip(&scratch.trial).for_each(|(moved, y)| *moved = y - *moved);
        for (k, slope) in slopes.k[1..].iter_mut().zip(&self.implicit.slopes) {
            k.copy_from_slice(slope);
        }
        // Which is also f at the end: the last node.
        slopes.k[NODES + 1].copy_from_slice(&self.implicit.slopes[NODES - 1]);
        slopes.formula = Formula::Radau;
        slopes.fast.clone_from(&self.implicit.fast[NODES - 1]);
        Ok(Outcome::Error(norm))
    }

    /// First increments: the polynomial of the last step continued, or the slope at the start.
    fn guess(&mut self, h: f64) {
        let last = &self.slopes;
        let continued = last.formula == Formula::Radau && h <= CONTINUED * last.length;
        let end = extension(1.0).0;
        for (c, z) in C.iter().zip(&mut self.implicit.increments) {
            if continued {
                let weights = extension(1.0 + c * h / last.length).0;
                z.fill(0.0);
                for ((weight, end), k) in weights.iter().zip(&end).zip(&last.k) {
                    let factor = last.length * (weight - end);
                    z.iter_mut().zip(k).for_each(|(z, k)| *z += factor * k);
                }
            } else {
                z.iter_mut().zip(&last.k[0]).for_each(|(z, k)| *z = c * h * k);
            }
        }
    }

    /// Newton's iteration; whether it converged.
    fn iterate<S: Ode>(&mut self, ode: &mut S, course: &mut Course, Plan { h, t }: Plan) -> Result<bool, Error> {
        let Course { leg: Leg { y, time: from, .. }, weighing, statistics, .. } = course;
        let mut before = f64::INFINITY;
        for _ in 0..ITERATIONS {
            for i in 0..NODES {
                let work = &mut self.implicit;
                let point = y.iter().zip(&work.increments[i]);
                work.point.iter_mut().zip(point).for_each(|(point, (y, z))| *point = y + z);
                let time = if i == NODES - 1 { t } else { *from + C[i] * h };
                statistics.residual_evaluations += 1;
                let m = work.w.len() / NODES;
                let w = &work.w[i * m..(i + 1) * m];
                let evaluated = ode.rhs_fast(time, &work.point, w, &mut work.slopes[i]);
                match evaluated.and_then(|()| work.fast[i].ask(ode)) {
                    Ok(()) => {}
                    Err(fatal @ EvalError::Fatal { .. }) => return Err(fatal.into()),
                    Err(_) => return Ok(false),
                }
            }
            if !self.implicit.correct(h) {
                return Ok(false);
            }
            let mut size = 0.0_f64;
            for (z, change) in self.implicit.increments.iter_mut().zip(&self.implicit.rest) {
                size = size.max(weighing.norm(y, change.iter().copied()));
                z.iter_mut().zip(change).for_each(|(z, dz)| *z += dz);
            }
            self.implicit.w.iter_mut().zip(&self.implicit.x).for_each(|(w, dw)| *w += dw);
            if !size.is_finite() {
                return Ok(false);
            }
            // The first correction tells nothing of the rate.
            let rate = if before.is_finite() { size / before } else { 1.0 };
            if size <= LEFT || (rate < 1.0 && size * rate <= LEFT * (1.0 - rate)) {
                return Ok(true);
            }
            if rate >= 1.0 && before.is_finite() {
                return Ok(size <= ROUND_OFF);
            }
            before = size;
        }
        Ok(false)
    }

    /// Local error of the step to `trial`, in tolerances. `None` where its equations are singular.
    fn estimate(&mut self, course: &Course, scratch: &mut Scratch, h: f64) -> Option<f64> {
        let (work, last) = (&mut self.implicit, &self.slopes);
        let factor = GAMMA * h;
        let error = &mut work.point;
        error.copy_from_slice(&last.k[0]);
        for (weight, slope) in AT_START.iter().zip(&work.slopes) {
            error.iter_mut().zip(slope).for_each(|(e, f)| *e -= weight * f);
        }
        error.iter_mut().for_each(|e| *e *= factor);
        // Stiffness at the end that has less of it: what it damps all along the step.
        let (start, end) = (&last.fast, &work.fast[NODES - 1]);
        let fast = if start.rate() < end.rate() { start } else { end };
        let m = fast.count();
        let (matrix, x) = (&mut work.matrix[..m * m], &mut work.x[..m]);
        for k in 0..m {
            x[k] = -dot(fast.by_y(k), error);
            for l in 0..m {
                matrix[k * m + l] = factor * dot(fast.by_y(k), fast.effect(l));
            }
            matrix[k * m + k] += fast.slope[k];
        }
        if !solve(matrix, x) {
            return None;
        }
        for (l, x) in x.iter().enumerate() {
            error.iter_mut().zip(fast.effect(l)).for_each(|(e, effect)| *e += factor * x * effect);
        }
        Some(scratch.judge(course, |i| error[i]))
    }
}
