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

use super::implicit::Outcome;
use super::radau::{AT_START, C, GAMMA, INVERSE, NODES, extension};
use super::state::Formula;
use super::stepper::Rkf45Stepper;
use super::stiff::{dot, solve};
use crate::dae::EvalError;
use crate::integrator::error::Error;
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

impl<S: Ode> Rkf45Stepper<S> {
    /// An attempt at the step; its slopes come into the places of Fehlberg's if its error passes.
    pub(super) fn attempt_implicit(&mut self, plan: Plan) -> Result<Outcome, Error> {
        self.implicit.resize(self.trial.len(), self.ode.fast_count());
        self.guess(plan.h);
        if !self.iterate(plan)? {
            return Ok(Outcome::Diverged);
        }
        let (work, leg) = (&mut self.implicit, &mut self.state.leg);
        for (slope, line) in work.slopes.iter_mut().zip(&INVERSE) {
            slope.fill(0.0);
            for (a, z) in line.iter().zip(&work.increments) {
                slope.iter_mut().zip(z).for_each(|(f, z)| *f += a / plan.h * z);
            }
        }
        let end = leg.y.iter().zip(&work.increments[NODES - 1]);
        self.trial.iter_mut().zip(end).for_each(|(trial, (y, z))| *trial = y + z);
        let Some(norm) = self.estimate(plan.h) else { return Ok(Outcome::Diverged) };
        if norm > 1.0 && self.method.fixed.is_none() {
            return Ok(Outcome::Error(norm));
        }
        let leg = &mut self.state.leg;
        leg.moved.copy_from_slice(&self.trial);
        match self.ode.settle(plan.t, &mut self.trial) {
            Ok(()) => {}
            Err(fatal @ EvalError::Fatal { .. }) => return Err(fatal.into()),
            Err(_) => return Ok(Outcome::Diverged),
        }
        leg.moved.iter_mut().zip(&self.trial).for_each(|(moved, y)| *moved = y - *moved);
        for (k, slope) in leg.k[1..].iter_mut().zip(&self.implicit.slopes) {
            k.copy_from_slice(slope);
        }
        // Which is also f at the end: the last node.
        leg.k[NODES + 1].copy_from_slice(&self.implicit.slopes[NODES - 1]);
        leg.formula = Formula::Radau;
        leg.fast.clone_from(&self.implicit.fast[NODES - 1]);
        Ok(Outcome::Error(norm))
    }

    /// First increments: the polynomial of the last step continued, or the slope at the start.
    fn guess(&mut self, h: f64) {
        let leg = &self.state.leg;
        let continued = leg.formula == Formula::Radau && h <= CONTINUED * leg.length;
        let end = extension(1.0).0;
        for (c, z) in C.iter().zip(&mut self.implicit.increments) {
            if continued {
                let weights = extension(1.0 + c * h / leg.length).0;
                z.fill(0.0);
                for ((weight, end), k) in weights.iter().zip(&end).zip(&leg.k) {
                    let factor = leg.length * (weight - end);
                    z.iter_mut().zip(k).for_each(|(z, k)| *z += factor * k);
                }
            } else {
                z.iter_mut().zip(&leg.k[0]).for_each(|(z, k)| *z = c * h * k);
            }
        }
    }

    /// Newton's iteration; whether it converged.
    fn iterate(&mut self, Plan { h, t }: Plan) -> Result<bool, Error> {
        let mut before = f64::INFINITY;
        for _ in 0..ITERATIONS {
            for i in 0..NODES {
                let (work, s) = (&mut self.implicit, &mut self.state);
                let point = s.leg.y.iter().zip(&work.increments[i]);
                work.point.iter_mut().zip(point).for_each(|(point, (y, z))| *point = y + z);
                let time = if i == NODES - 1 { t } else { s.leg.time + C[i] * h };
                s.statistics.residual_evaluations += 1;
                let m = work.w.len() / NODES;
                let w = &work.w[i * m..(i + 1) * m];
                let evaluated = self.ode.rhs_fast(time, &work.point, w, &mut work.slopes[i]);
                match evaluated.and_then(|()| work.fast[i].ask(&mut self.ode)) {
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
                size = size.max(self.state.norm(change.iter().copied()));
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
    fn estimate(&mut self, h: f64) -> Option<f64> {
        let (work, s) = (&mut self.implicit, &self.state);
        let factor = GAMMA * h;
        let error = &mut work.point;
        error.copy_from_slice(&s.leg.k[0]);
        for (weight, slope) in AT_START.iter().zip(&work.slopes) {
            error.iter_mut().zip(slope).for_each(|(e, f)| *e -= weight * f);
        }
        error.iter_mut().for_each(|e| *e *= factor);
        // Stiffness at the end that has less of it: what it damps all along the step.
        let (start, end) = (&s.leg.fast, &work.fast[NODES - 1]);
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
        let mut norm = 0.0_f64;
        for (i, (out, e)) in self.error.iter_mut().zip(error).enumerate() {
            *out = e.abs() / s.weight_of_step(i, self.trial[i]);
            if s.tested[i] && !(*out <= norm) {
                norm = if out.is_nan() { f64::INFINITY } else { *out };
            }
        }
        Some(norm)
    }
}
