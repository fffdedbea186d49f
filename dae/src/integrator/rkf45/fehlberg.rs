//! The formula at work: stages, error test, dense output.

use super::implicit::{Implicit, Outcome};
use super::method::Rkf45;
use super::slopes::{Formula as Taken, Slopes};
use super::tableau::{A, B5, C, ERROR, STAGES};
use crate::dae::EvalError;
use crate::integrator::error::Error;
use crate::integrator::explicit::course::{Course, Leg, Scratch};
use crate::integrator::explicit::failure::{Failure, evaluate, settle};
use crate::integrator::explicit::{ExplicitStepper, Formula};
use crate::integrator::options::StepLimits;
use crate::integrator::targets::Plan;
use crate::ode::{Fast, Ode};

/// Order of the step, for statistics.
const ORDER: usize = 5;
/// Fehlberg's formula is stable on (-3.7, 0); beyond this part of it a step is implicit.
const STABLE: f64 = 2.0;
/// The stage at the end of the step.
const AT_END: usize = 4;

/// Fehlberg's formula, or that of Radau where the system is stiff, with its slopes.
#[derive(Debug, Clone)]
pub struct Fehlberg {
    pub(super) method: Rkf45,
    pub(super) slopes: Slopes,
    pub(super) implicit: Implicit,
    /// Fast unknowns at the end of an attempt.
    ahead: Fast,
}

/// An [`Rkf45`] method at work on a system.
pub type Rkf45Stepper<S> = ExplicitStepper<S, Fehlberg>;

impl Rkf45 {
    /// Starts on a system at t = `time` with y = `y` (n entries), to run to `end`.
    ///
    /// # Errors
    /// [`Error::Option`], [`Error::Length`], [`Error::NotFinite`], [`Error::EndBeforeStart`]; [`Error::Evaluation`] if f cannot be
    /// evaluated at the start.
    pub fn start<S: Ode>(&self, ode: S, time: f64, y: &[f64], end: f64) -> Result<Rkf45Stepper<S>, Error> {
        let n = ode.dimension();
        self.validate(n)?;
        ExplicitStepper::new(Fehlberg::new(self.clone(), n), &self.tolerance, ode, (time, end), y)
    }
}

impl Fehlberg {
    pub(super) fn new(method: Rkf45, n: usize) -> Self {
        Self { method, slopes: Slopes::new(n), implicit: Implicit::default(), ahead: Fast::default() }
    }
}

impl Formula for Fehlberg {
    type History = Slopes;

    // The order of the error estimate.
    const FIRST_ORDER: i32 = 4;

    fn history(&self) -> &Slopes {
        &self.slopes
    }

    fn history_mut(&mut self) -> &mut Slopes {
        &mut self.slopes
    }

    fn fits(history: &Slopes, n: usize, fast: usize) -> bool {
        history.fast.fits(fast, n)
    }

    fn limits(&self) -> &StepLimits {
        &self.method.step
    }

    fn fixed(&self) -> Option<f64> {
        self.method.fixed
    }

    fn last_order(&self) -> usize {
        if self.method.local_extrapolation { 5 } else { 4 }
    }

    fn counted_order(&self) -> usize {
        ORDER
    }

    fn slope(&self, stepped: bool) -> &[f64] {
        &self.slopes.k[if stepped { STAGES - 1 } else { 0 }]
    }

    fn begin<S: Ode>(&mut self, ode: &mut S, _: &mut Course, y: &[f64], slope: &[f64]) -> Result<(), EvalError> {
        self.renew(ode, y, slope, true)?;
        self.slopes.forget_error();
        Ok(())
    }

    fn open(&mut self) {
        self.slopes.k.swap(0, STAGES - 1);
    }

    fn renew<S: Ode>(&mut self, ode: &mut S, _: &[f64], slope: &[f64], _: bool) -> Result<(), EvalError> {
        self.ahead.ask(ode)?;
        std::mem::swap(&mut self.slopes.fast, &mut self.ahead);
        self.slopes.k[0].copy_from_slice(slope);
        self.slopes.formula = Taken::Fehlberg;
        Ok(())
    }

    /// Where the system is stiff the attempt is implicit, unless that does not converge.
    fn attempt<S: Ode>(
        &mut self,
        ode: &mut S,
        course: &mut Course,
        scratch: &mut Scratch,
        plan: Plan,
    ) -> Result<Result<f64, Failure>, Error> {
        if plan.h * self.slopes.fast.rate() <= STABLE
            && let Some(done) = self.attempt_explicit(ode, course, scratch, plan, STABLE)?
        {
            return Ok(done);
        }
        if let Outcome::Error(error) = self.attempt_implicit(ode, course, scratch, plan)? {
            return Ok(Ok(error));
        }
        let done = self.attempt_explicit(ode, course, scratch, plan, f64::INFINITY)?;
        Ok(done.unwrap_or(Ok(f64::INFINITY)))
    }

    fn after_failure(&mut self, _: &mut Course, error: Option<f64>, _: u32) -> f64 {
        Slopes::ratio_after_failure(error)
    }

    fn take_back(&mut self) {
        // The slopes of the step that is taken back are no history.
        self.slopes.formula = Taken::Fehlberg;
    }

    fn accept(&mut self, _: &mut Course, _: &mut Scratch, plan: Plan, error: f64, after_rejection: bool) -> f64 {
        self.slopes.length = plan.h;
        self.slopes.ratio_after_success(error, after_rejection)
    }

    fn interpolate(&self, leg: &Leg, time: f64, y: &mut [f64], yp: &mut [f64]) {
        self.slopes.extend((&leg.start, leg.previous, leg.time - leg.previous), time, y, yp);
    }

    fn extend(&self, leg: &Leg, _: &Scratch, plan: Plan, time: f64, y: &mut [f64], yp: &mut [f64]) {
        self.slopes.extend((&leg.y, leg.time, plan.h), time, y, yp);
    }
}

impl Fehlberg {
    /// Fehlberg's step; `None` where its end is stiffer than `stable` over its length.
    fn attempt_explicit<S: Ode>(
        &mut self,
        ode: &mut S,
        course: &mut Course,
        scratch: &mut Scratch,
        Plan { h, t }: Plan,
        stable: f64,
    ) -> Result<Option<Result<f64, Failure>>, Error> {
        let Self { method, slopes: Slopes { k, moved, fast, formula, .. }, ahead, .. } = self;
        *formula = Taken::Fehlberg;
        for i in 1..C.len() {
            let (done, rest) = k.split_at_mut(i);
            combine(&course.leg.y, h, &A[i - 1][..i], done, &mut scratch.trial);
            let time = if C[i] == 1.0 { t } else { course.leg.time + C[i] * h };
            course.statistics.residual_evaluations += 1;
            if let Err(failure) = evaluate(ode, time, &scratch.trial, &mut rest[0])? {
                return Ok(Some(Err(failure)));
            }
            if i == AT_END && stable.is_finite() {
                ahead.ask(ode)?;
                if h * ahead.rate() > stable {
                    return Ok(None);
                }
            }
        }
        combine(&course.leg.y, h, &B5, &k[..6], &mut scratch.trial);
        let estimate = |i: usize| (0..6).map(|j| ERROR[j] * k[j][i]).sum::<f64>();
        let norm = scratch.judge(course, |i| h * estimate(i));
        if norm > 1.0 && method.fixed.is_none() {
            return Ok(Some(Ok(norm)));
        }
        // `moved` takes the end of the extension first.
        moved.copy_from_slice(&scratch.trial);
        if !method.local_extrapolation {
            scratch.trial.iter_mut().enumerate().for_each(|(i, y)| *y -= h * estimate(i));
        }
        match settle(ode, Plan { h, t }, course, scratch)? {
            // A smaller one may be round-off, and says nothing of the next step.
            Ok(change) if change > 1.0 && method.fixed.is_none() => return Ok(Some(Ok(change))),
            Ok(_) => {}
            Err(failure) => return Ok(Some(Err(failure))),
        }
        moved.iter_mut().zip(&scratch.trial).for_each(|(moved, y)| *moved = y - *moved);
        course.statistics.residual_evaluations += 1;
        let evaluated = evaluate(ode, t, &scratch.trial, &mut k[STAGES - 1])?;
        if evaluated.is_ok() {
            fast.ask(ode)?;
        }
        Ok(Some(evaluated.map(|()| norm)))
    }
}

/// y + h sum_j a_j k_j.
fn combine(y: &[f64], h: f64, a: &[f64], k: &[Vec<f64>], out: &mut [f64]) {
    let mut pairs = a.iter().map(|a| h * a).zip(k);
    let Some((factor, k)) = pairs.next() else { return out.copy_from_slice(y) };
    for ((out, y), k) in out.iter_mut().zip(y).zip(k) {
        *out = y + factor * k;
    }
    for (factor, k) in pairs {
        out.iter_mut().zip(k).for_each(|(out, k)| *out += factor * k);
    }
}
