//! `Rkf45` at work: stages, error test, acceptance.

use super::failure::Failure;
use super::implicit::{Implicit, Outcome};
use super::method::Rkf45;
use super::state::{Formula, Leg, State};
use super::tableau::{A, B5, C, ERROR, STAGES};
use crate::dae::EvalError;
use crate::integrator::contract::Stop;
use crate::integrator::dense::{AcceptedStep, DensePosition, Probe};
use crate::integrator::error::Error;
use crate::integrator::statistics::Statistics;
use crate::integrator::switching::Switching;
use crate::integrator::targets::{Plan, Targets};
use crate::ode::{Fast, Ode};

/// Attempts at one step before it is given up.
const ATTEMPTS_MAX: u32 = 60;
/// Order of the step, for statistics.
const ORDER: usize = 5;
/// Fehlberg's formula is stable on (-3.7, 0); beyond this part of it a step is implicit.
const STABLE: f64 = 2.0;
/// The stage at the end of the step.
const AT_END: usize = 4;

/// A [`Rkf45`] method at work on a system.
#[derive(Debug, Clone)]
pub struct Rkf45Stepper<S> {
    pub(super) method: Rkf45,
    pub(super) ode: S,
    pub(super) state: State,
    /// Point of a stage, then the trial end of the step.
    pub(super) trial: Vec<f64>,
    /// |local error| in tolerances, of each unknown, of the last attempt.
    pub(super) error: Vec<f64>,
    /// What the stages of an attempt do not see, of each unknown.
    missed: Vec<f64>,
    pub(super) implicit: Implicit,
    /// Fast unknowns at the end of an attempt.
    ahead: Fast,
    pub(super) probe: Probe,
    /// The watch before a step, to take it back.
    pub(super) watched: Switching,
    /// Arguments of watched conditions at a switch and a little later.
    pub(super) arguments: [Vec<f64>; 2],
}

impl Rkf45 {
    /// Starts on a system at t = `time` with y = `y` (n entries), to run to `end`.
    ///
    /// # Errors
    /// [`Error::Option`], [`Error::Length`], [`Error::NotFinite`], [`Error::EndBeforeStart`]; [`Error::Evaluation`] if f cannot be
    /// evaluated at the start.
    pub fn start<S: Ode>(&self, ode: S, time: f64, y: &[f64], end: f64) -> Result<Rkf45Stepper<S>, Error> {
        Rkf45Stepper::new(self.clone(), ode, time, y, end)
    }
}

impl<S: Ode> Rkf45Stepper<S> {
    pub(super) fn new(method: Rkf45, ode: S, time: f64, y: &[f64], end: f64) -> Result<Self, Error> {
        let n = ode.dimension();
        method.validate(n)?;
        let unknowns = ode.unknowns();
        let zeros = || vec![0.0; n];
        let leg = Leg {
            time,
            previous: time,
            y: zeros(),
            start: zeros(),
            k: vec![zeros(); STAGES],
            moved: zeros(),
            stepped: false,
            stale: false,
            formula: Formula::Fehlberg,
            length: 0.0,
            fast: Fast::default(),
        };
        let state = State {
            leg,
            targets: Targets::new(time),
            dense: DensePosition::new(n),
            switching: Switching::default(),
            step: 0.0,
            error_before: 1.0,
            relative: method.tolerance.relative,
            absolute: method.tolerance.absolutes(unknowns),
            told: ode.weighs(),
            sizes: zeros(),
            given: method.tolerance.given(unknowns),
            tested: unknowns.iter().map(|u| u.error_tested).collect(),
            statistics: Statistics::default(),
        };
        let (implicit, ahead) = (Implicit::default(), Fast::default());
        let (trial, error, missed, probe) = (zeros(), zeros(), zeros(), Probe::new(n));
        let watched = Switching::default();
        let mut stepper = Self {
            method,
            ode,
            state,
            trial,
            error,
            missed,
            implicit,
            ahead,
            probe,
            watched,
            arguments: [Vec::new(), Vec::new()],
        };
        stepper.begin(time, y)?;
        stepper.state.targets.set_end(time, end)?;
        Ok(stepper)
    }

    /// The system.
    pub fn ode(&self) -> &S {
        &self.ode
    }

    /// The system, to change it between steps; after a change of f call [`Integrator::restart`](crate::integrator::Integrator::restart).
    pub fn ode_mut(&mut self) -> &mut S {
        &mut self.ode
    }

    /// Gives the system back.
    pub fn into_ode(self) -> S {
        self.ode
    }

    /// Begins anew; the step that was planned stays.
    pub(super) fn begin(&mut self, time: f64, y: &[f64]) -> Result<(), Error> {
        let n = self.ode.dimension();
        if y.len() != n {
            return Err(Error::Length { what: "start value", given: y.len(), needed: n });
        }
        if !time.is_finite() {
            return Err(Error::NotFinite { what: "time", name: "the start".into(), value: time });
        }
        if let Some(i) = y.iter().position(|y| !y.is_finite()) {
            return Err(Error::NotFinite { what: "start value", name: self.ode.unknown_name(i), value: y[i] });
        }
        let watched = self.ode.watched_count();
        if watched > 0 {
            self.ode.choose_sides(time, y)?;
        }
        self.state.switching.begin(time, watched);
        self.arguments = [vec![0.0; watched], vec![0.0; watched]];
        self.state.statistics.residual_evaluations += 1;
        self.ode.rhs(time, y, &mut self.trial)?;
        if let Some(i) = self.trial.iter().position(|k| !k.is_finite()) {
            let name = self.ode.unknown_name(i);
            return Err(Error::NotFinite { what: "start derivative", name, value: self.trial[i] });
        }
        self.ahead.ask(&mut self.ode)?;
        let s = &mut self.state;
        std::mem::swap(&mut s.leg.fast, &mut self.ahead);
        s.leg.formula = Formula::Fehlberg;
        std::mem::swap(&mut s.leg.k[0], &mut self.trial);
        s.leg.y.copy_from_slice(y);
        (s.leg.time, s.leg.previous, s.error_before) = (time, time, 1.0);
        (s.leg.stepped, s.leg.stale) = (false, false);
        s.dense.begin(time, self.ode.root_count());
        Ok(())
    }

    /// Takes one accepted step.
    pub(super) fn advance(&mut self) -> Result<(), Error> {
        if self.state.switching.is_pending() {
            self.turn()?;
        }
        self.open_step()?;
        if self.state.step == 0.0 {
            self.state.step = self.first_step()?;
        }
        self.state.renew(&self.ode, self.state.step);
        let mut rejections = 0;
        loop {
            let plan = self.state.targets.plan(self.state.leg.time, self.state.step, self.method.fixed.is_none());
            let attempted = self.attempt(plan)?.map(|error| self.with_defect(plan, error));
            let failure = match attempted {
                Ok(error) if error <= 1.0 || self.method.fixed.is_some() => {
                    if self.accept_watched(plan, error, rejections > 0)? {
                        return Ok(());
                    }
                    continue;
                }
                Ok(error) => Failure::Error(error),
                Err(failure) => failure,
            };
            rejections += 1;
            let s = &mut self.state;
            let ratio = match failure {
                Failure::Error(error) => {
                    s.statistics.rejected_by_error += 1;
                    State::ratio_after_failure(error)
                }
                Failure::Evaluation(_) | Failure::NotFinite(_) | Failure::Overflow(_) => {
                    s.statistics.rejected_by_evaluation += 1;
                    0.25
                }
            };
            s.step = ratio * plan.h;
            let smallest = self.smallest_step();
            if self.state.step < smallest || rejections >= ATTEMPTS_MAX || self.method.fixed.is_some() {
                self.state.step = plan.h;
                let cause = self.explain(failure);
                let fixed = self.method.fixed.is_some();
                return Err(Error::no_step(fixed, self.state.leg.time, plan.h, smallest, cause));
            }
        }
    }

    /// Lets the system change its coordinates; makes the slope at the present time the first of the next step. Where its evaluation
    /// fails, the next call makes up for that: the coordinates have changed already.
    pub(super) fn open_step(&mut self) -> Result<(), Error> {
        let State { leg, targets, step, statistics, switching, .. } = &mut self.state;
        let mut next = self.ode.next_break(leg.time);
        if next <= leg.time {
            leg.stale = true;
            if self.ode.pass_break(leg.time, &mut leg.y)? {
                // The step that was planned says nothing of what comes.
                *step = self.method.fixed.unwrap_or(0.0);
                statistics.jumps += 1;
            }
            next = self.ode.next_break(leg.time);
        }
        targets.next_break = if next > leg.time { next } else { f64::INFINITY }.min(switching.landing());
        leg.stale |= self.ode.before_step(leg.time, &mut leg.y)?;
        if leg.stepped {
            leg.k.swap(0, STAGES - 1);
        }
        // From here on the slopes of the last step are not to be had any more.
        (leg.stepped, leg.previous) = (false, leg.time);
        if leg.stale {
            statistics.residual_evaluations += 1;
            self.ode.rhs(leg.time, &leg.y, &mut self.trial)?;
            self.ahead.ask(&mut self.ode)?;
            std::mem::swap(&mut leg.k[0], &mut self.trial);
            std::mem::swap(&mut leg.fast, &mut self.ahead);
            (leg.formula, leg.stale) = (Formula::Fehlberg, false);
        }
        Ok(())
    }

    /// One attempt; Ok(Ok(error)) is the local error in tolerances, the end of the step in `trial`, settled. Where the system is stiff
    /// it is implicit, unless that does not converge.
    fn attempt(&mut self, plan: Plan) -> Result<Result<f64, Failure>, Error> {
        if plan.h * self.state.leg.fast.rate() <= STABLE
            && let Some(done) = self.attempt_explicit(plan, STABLE)?
        {
            return Ok(done);
        }
        if let Outcome::Error(error) = self.attempt_implicit(plan)? {
            return Ok(Ok(error));
        }
        let done = self.attempt_explicit(plan, f64::INFINITY)?;
        Ok(done.unwrap_or(Ok(f64::INFINITY)))
    }

    /// Fehlberg's step; `None` where its end is stiffer than `stable` over its length.
    fn attempt_explicit(&mut self, Plan { h, t }: Plan, stable: f64) -> Result<Option<Result<f64, Failure>>, Error> {
        self.state.leg.formula = Formula::Fehlberg;
        for i in 1..C.len() {
            let (done, rest) = self.state.leg.k.split_at_mut(i);
            combine(&self.state.leg.y, h, &A[i - 1][..i], done, &mut self.trial);
            let time = if C[i] == 1.0 { t } else { self.state.leg.time + C[i] * h };
            self.state.statistics.residual_evaluations += 1;
            if let Err(failure) = evaluate(&mut self.ode, time, &self.trial, &mut rest[0])? {
                return Ok(Some(Err(failure)));
            }
            if i == AT_END && stable.is_finite() {
                self.ahead.ask(&mut self.ode)?;
                if h * self.ahead.rate() > stable {
                    return Ok(None);
                }
            }
        }
        let s = &mut self.state;
        combine(&s.leg.y, h, &B5, &s.leg.k[..6], &mut self.trial);
        let norm = self.error_norm(h);
        if norm > 1.0 && self.method.fixed.is_none() {
            return Ok(Some(Ok(norm)));
        }
        let s = &mut self.state;
        // `moved` takes the end of the extension first.
        s.leg.moved.copy_from_slice(&self.trial);
        if !self.method.local_extrapolation {
            let estimate = |i: usize| h * (0..6).map(|j| ERROR[j] * s.leg.k[j][i]).sum::<f64>();
            self.trial.iter_mut().enumerate().for_each(|(i, y)| *y -= estimate(i));
        }
        match self.ode.settle(t, &mut self.trial) {
            Ok(()) => {}
            Err(fatal @ EvalError::Fatal { .. }) => return Err(fatal.into()),
            Err(error) => return Ok(Some(Err(Failure::Evaluation(error)))),
        }
        s.leg.moved.iter_mut().zip(&self.trial).for_each(|(moved, y)| *moved = y - *moved);
        s.statistics.residual_evaluations += 1;
        let evaluated = evaluate(&mut self.ode, t, &self.trial, &mut s.leg.k[STAGES - 1])?;
        if evaluated.is_ok() {
            s.leg.fast.ask(&mut self.ode)?;
        }
        Ok(Some(evaluated.map(|()| norm)))
    }

    /// Local error of the step to `trial` in tolerances, NaN counted as infinite.
    fn error_norm(&mut self, h: f64) -> f64 {
        let s = &self.state;
        let mut norm = 0.0;
        for (i, error) in self.error.iter_mut().enumerate() {
            let estimate: f64 = (0..6).map(|j| ERROR[j] * s.leg.k[j][i]).sum();
            *error = (h * estimate).abs() / s.weight_of_step(i, self.trial[i]);
            if s.tested[i] && !(*error <= norm) {
                norm = if error.is_nan() { f64::INFINITY } else { *error };
            }
        }
        norm
    }

    /// The larger of the local error of a step that passed and of what its stages did not see ([`Ode::defect`]), in tolerances.
    fn with_defect(&mut self, Plan { h, t }: Plan, norm: f64) -> f64 {
        if norm > 1.0 || self.method.fixed.is_some() {
            return norm;
        }
        let Self { ode, state: s, trial, error, missed, .. } = self;
        missed.fill(0.0);
        ode.defect(t, h, trial, missed);
        let mut largest = norm;
        for (i, missed) in missed.iter().enumerate().filter(|(i, missed)| s.tested[*i] && **missed > 0.0) {
            let missed = missed / s.weight_of_step(i, trial[i]);
            error[i] = error[i].max(missed);
            largest = largest.max(missed);
        }
        largest
    }

    pub(super) fn accept(&mut self, plan: Plan, error: f64, after_rejection: bool) {
        let s = &mut self.state;
        let ratio = s.ratio_after_success(error, after_rejection);
        s.dense.hold(&s.leg.y, s.leg.slope());
        std::mem::swap(&mut s.leg.start, &mut s.leg.y);
        s.leg.y.copy_from_slice(&self.trial);
        (s.leg.previous, s.leg.time, s.leg.stepped) = (s.leg.time, plan.t, true);
        s.leg.length = plan.h;
        s.statistics.accept(plan.h, ORDER);
        if self.method.fixed.is_none() {
            // A step cut short by a target says little about the next.
            let next = ratio * plan.h;
            let cut = plan.h < s.step && !after_rejection;
            s.step = if cut { next.max(s.step) } else { next }.min(self.method.step.largest);
        }
    }

    /// Hands out the last accepted step as far as the next event or target.
    pub(super) fn hand_out(&mut self) -> Result<Stop, Error> {
        let Self { ode, state: State { leg, dense, targets, .. }, probe, .. } = self;
        let time = leg.time;
        dense.hand_out(time, targets, probe, &mut Accepted { ode, leg })
    }
}

/// The last accepted step, for the search of events.
struct Accepted<'a, S> {
    ode: &'a mut S,
    leg: &'a Leg,
}

impl<S: Ode> AcceptedStep for Accepted<'_, S> {
    fn interpolate(&self, time: f64, y: &mut [f64], yp: &mut [f64]) {
        self.leg.interpolate(time, y, yp);
    }
    fn roots(&mut self, time: f64, y: &[f64], yp: &[f64], out: &mut [f64]) -> Result<(), EvalError> {
        self.ode.roots(time, y, yp, out)
    }
    fn root_name(&self, i: usize) -> String {
        self.ode.root_name(i)
    }
}

/// y + h sum_j a_j k_j.
fn combine(y: &[f64], h: f64, a: &[f64], k: &[Vec<f64>], out: &mut [f64]) {
    out.copy_from_slice(y);
    for (a, k) in a.iter().zip(k) {
        let factor = h * a;
        out.iter_mut().zip(k).for_each(|(out, k)| *out += factor * k);
    }
}

/// f(t, y), with what lets the step shrink told from what stops the run.
fn evaluate(ode: &mut impl Ode, t: f64, y: &[f64], yp: &mut [f64]) -> Result<Result<(), Failure>, Error> {
    if let Some(i) = y.iter().position(|y| !y.is_finite()) {
        return Ok(Err(Failure::Overflow(i)));
    }
    match ode.rhs(t, y, yp) {
        Ok(()) => Ok(yp.iter().position(|k| !k.is_finite()).map_or(Ok(()), |i| Err(Failure::NotFinite(i)))),
        Err(fatal @ EvalError::Fatal { .. }) => Err(fatal.into()),
        Err(error) => Ok(Err(Failure::Evaluation(error))),
    }
}
