//! The formula at work: predictor, error test, corrector, dense output.

use super::choice::Errors;
use super::coefficients::{Coefficients, ERROR};
use super::history::{Differences, History};
use super::method::Abam;
use crate::dae::EvalError;
use crate::integrator::error::Error;
use crate::integrator::explicit::course::{Course, Leg, Scratch};
use crate::integrator::explicit::failure::{Failure, evaluate, settle};
use crate::integrator::explicit::{ExplicitStepper, Formula};
use crate::integrator::options::StepLimits;
use crate::integrator::statistics::STIFF_RUN;
use crate::integrator::targets::Plan;
use crate::ode::Ode;

/// Ratio of a step to the one before from which the point between them is left out. The formula itself never asks for more than 2, so that
/// the one before was cut short by a target. Two points close together would spoil the differences of long steps.
const GROWTH_MAX: f64 = 2.0 + 1e-6;
/// Highest order of which many steps tell of a stiff system (Shampine, Gordon, chapter 8): higher ones would be taken if accuracy decided.
const LOW_ORDER: usize = 4;

/// The formulas of Adams, with their history.
#[derive(Debug, Clone)]
pub struct Adams {
    method: Abam,
    history: History,
    /// Of the last attempt: its coefficients, differences, f at its end, errors, and what rounding took.
    own: Coefficients,
    ahead: Differences,
    slope: Vec<f64>,
    errors: Errors,
    rounding: Vec<f64>,
}

/// An [`Abam`] method at work on a system.
pub type AbamStepper<S> = ExplicitStepper<S, Adams>;

impl Abam {
    /// Starts on a system at t = `time` with y = `y` (n entries), to run to `end`.
    ///
    /// # Errors
    /// [`Error::Option`], [`Error::Length`], [`Error::NotFinite`], [`Error::EndBeforeStart`]; [`Error::Evaluation`] if f cannot be
    /// evaluated at the start.
    pub fn start<S: Ode>(&self, ode: S, time: f64, y: &[f64], end: f64) -> Result<AbamStepper<S>, Error> {
        let n = ode.dimension();
        self.validate(n)?;
        ExplicitStepper::new(Adams::new(self.clone(), n), &self.tolerance, ode, (time, end), y)
    }
}

impl Adams {
    pub(super) fn new(method: Abam, n: usize) -> Self {
        Self {
            method,
            history: History::new(n),
            own: Coefficients::default(),
            ahead: Differences::new(n),
            slope: vec![0.0; n],
            errors: Errors::default(),
            rounding: vec![0.0; n],
        }
    }

    /// Error test of the predicted step; keeps the errors at the lower orders.
    fn test(&mut self, course: &Course, scratch: &mut Scratch) -> f64 {
        let Self {
            history,
            own: Coefficients { psi, g, sigma, .. },
            ahead: Differences { phi, .. },
            slope,
            errors,
            ..
        } = self;
        let (k, h) = (history.order, psi[0]);
        let defect = |i: usize| slope[i] - phi[0][i];
        // Order j by equal steps: h gamma*_j sigma_{j+1} phi_{j+1}.
        let factor = |j: usize| h * ERROR[j - 1] * sigma[j];
        *errors = Errors { own: scratch.judge(course, |i| factor(k) * defect(i)), lower: 0.0, lowest: 0.0 };
        if k > 1 {
            errors.lower = scratch.judge(course, |i| factor(k - 1) * (defect(i) + phi[k - 1][i]));
        }
        if k > 2 {
            errors.lowest = scratch.judge(course, |i| factor(k - 2) * (defect(i) + phi[k - 2][i]));
        }
        scratch.judge(course, |i| h * (g[k - 1] - g[k]) * defect(i))
    }

    /// Corrects the predicted end in `scratch`.
    fn correct(&mut self, scratch: &mut Scratch) {
        let Self { history, own, ahead, slope, rounding, .. } = self;
        let factor = own.psi[0] * own.g[history.order];
        let defects = slope.iter().zip(&ahead.phi[0]);
        for ((y, rounding), (f, phi)) in scratch.trial.iter_mut().zip(rounding).zip(defects) {
            let change = factor * (f - phi) - *rounding;
            let corrected = *y + change;
            *rounding = (corrected - *y) - change;
            *y = corrected;
        }
    }
}

impl Formula for Adams {
    type History = History;

    // A run begins with one point: the formula of Euler and the trapezoidal rule.
    const FIRST_ORDER: i32 = 1;

    fn history(&self) -> &History {
        &self.history
    }

    fn history_mut(&mut self) -> &mut History {
        &mut self.history
    }

    fn fits(history: &History, _: usize, _: usize) -> bool {
        history.fits()
    }

    fn limits(&self) -> &StepLimits {
        &self.method.step
    }

    fn last_order(&self) -> usize {
        self.history.last_order
    }

    fn counted_order(&self) -> usize {
        self.history.last_order
    }

    fn is_stiff(&self) -> bool {
        self.history.low >= STIFF_RUN
    }

    fn slope(&self, _: bool) -> &[f64] {
        &self.history.slopes[0]
    }

    fn begin<S: Ode>(&mut self, _: &mut S, course: &mut Course, y: &[f64], slope: &[f64]) -> Result<(), EvalError> {
        self.history.begin(y, slope);
        course.step = 0.0;
        Ok(())
    }

    fn rewrite<S: Ode>(&mut self, ode: &mut S, course: &mut Course) {
        let many = self.history.count > 1;
        self.history.rewrite(ode, &course.leg.y);
        if many && self.history.count == 1 {
            // Which is to begin anew, with a step for order 1.
            self.history.starting = true;
            course.step = 0.0;
        }
    }

    fn renew<S: Ode>(&mut self, _: &mut S, y: &[f64], slope: &[f64], jumped: bool) -> Result<(), EvalError> {
        if jumped {
            self.history.begin(y, slope);
        } else {
            self.history.renew(y, slope);
        }
        Ok(())
    }

    fn attempt<S: Ode>(
        &mut self,
        ode: &mut S,
        course: &mut Course,
        scratch: &mut Scratch,
        plan: Plan,
    ) -> Result<Result<f64, Failure>, Error> {
        while self.history.count > 1 && plan.h > GROWTH_MAX * self.history.psi[0] {
            self.history.leave_out();
        }
        let Self { history, own, ahead, slope, rounding, .. } = self;
        let k = history.order;
        own.set(plan.h, k, &history.psi);
        ahead.predict((&history.last, own, k), (&course.leg.y, &history.rounding), &mut scratch.trial, rounding);
        course.statistics.residual_evaluations += 1;
        if let Err(failure) = evaluate(ode, plan.t, &scratch.trial, slope)? {
            return Ok(Err(failure));
        }
        let error = self.test(course, scratch);
        if !(error <= 1.0) {
            if k == 1 {
                // Measured by the slope at its end: at rest the slope at the start is zero.
                let ends = scratch.trial.iter_mut().zip(&course.leg.y).zip(&self.slope);
                ends.for_each(|((end, y), slope)| *end = y + plan.h * slope);
            }
            return Ok(Ok(error));
        }
        self.correct(scratch);
        let change = match settle(ode, plan, course, scratch)? {
            Ok(change) => change,
            Err(failure) => return Ok(Err(failure)),
        };
        if !(change <= 1.0) {
            self.errors.own = self.errors.own.max(change);
            return Ok(Ok(change));
        }
        course.statistics.residual_evaluations += 1;
        if let Err(failure) = evaluate(ode, plan.t, &scratch.trial, &mut self.slope)? {
            return Ok(Err(failure));
        }
        self.ahead.update(k, &self.slope);
        self.ahead.join(k + 1, &self.own.psi, &course.leg.y, &scratch.trial);
        Ok(Ok(error))
    }

    fn after_failure(&mut self, course: &mut Course, error: Option<f64>, rejections: u32) -> f64 {
        let (ratio, given_up) = self.history.choose_again(error.map(|_| &self.errors), rejections);
        course.statistics.restarts += u64::from(given_up);
        ratio
    }

    fn accept(&mut self, course: &mut Course, scratch: &mut Scratch, _: Plan, _: f64, _: bool) -> f64 {
        let Self { history, own, ahead, slope, errors, rounding, method } = self;
        let (k, h) = (history.order, own.psi[0]);
        history.equal = if history.count > 1 && h == history.psi[0] { history.equal + 1 } else { 1 };
        std::mem::swap(&mut history.last, ahead);
        std::mem::swap(&mut history.rounding, rounding);
        history.accept(own, &scratch.trial, slope);
        // In the book a step of higher order sets the counter back to nothing. Where the fast part has died away its rounding errors let the
        // order grow for some steps, so that here such a step takes one back; of stiff systems most steps are low.
        // So does a step above half of the longest allowed one: it is not stability that keeps it from doubling.
        let limited = h > 0.5 * method.step.largest;
        let low = k <= LOW_ORDER && !limited;
        history.low = if low { (history.low + 1).min(2 * STIFF_RUN) } else { history.low.saturating_sub(1) };
        course.statistics.stiff_steps += u64::from(history.low >= STIFF_RUN);
        let beyond = std::mem::take(&mut history.last.phi[k + 1]);
        let ratio = history.choose(errors, method.order_max, || {
            let factor = h * ERROR[k];
            scratch.judge(course, |i| factor * beyond[i])
        });
        history.last.phi[k + 1] = beyond;
        ratio
    }

    fn interpolate(&self, leg: &Leg, time: f64, y: &mut [f64], yp: &mut [f64]) {
        let History { last, psi, last_order, .. } = &self.history;
        last.extend((last_order + 1, psi), leg.time - time, &leg.y, y, yp);
    }

    fn extend(&self, _: &Leg, scratch: &Scratch, plan: Plan, time: f64, y: &mut [f64], yp: &mut [f64]) {
        let count = self.history.order + 1;
        self.ahead.extend((count, &self.own.psi), plan.t - time, &scratch.trial, y, yp);
    }
}
