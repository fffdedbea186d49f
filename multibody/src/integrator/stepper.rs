//! `Gstiff` at work: predict, correct, test, choose the next order and step.

use super::coefficients::{FACTORIAL, beta0};
use super::controller::{Choice, Estimates, WORTHWHILE, choose, growth_limit};
use super::corrector::{Corrector, Failure, Memory, Point, shares};
use super::error::{Cause, Error};
use super::gstiff::Gstiff;
use super::lanes::{Vector, square_norm, square_norm_difference};
use super::nordsieck::{Nordsieck, Trial};
use super::statistics::{Renewal, Statistics};
use super::weights::Weights;
use super::{Integrator, Snapshot, Stop};
use crate::dae::{Dae, History};

/// Attempts at one step before it is given up.
const ATTEMPTS_MAX: u32 = 60;
/// Growth of the step allowed at the very first change, when the step was only guessed.
const GROWTH_AT_START: f64 = 1e4;
/// Largest violation of an algebraic equation, in tolerances, that a step may repair.
const INCONSISTENCY_MAX: f64 = 100.0;
/// A landing on a stop time with less than this part of the planned step is followed by a restart at order 1: scaling
/// such a short step up again would amplify the noise in the high derivatives.
const SHORT_LANDING: f64 = 0.02;

/// A [`Gstiff`] method at work on a system.
#[derive(Debug)]
pub struct GstiffStepper<D> {
    method: Gstiff,
    dae: D,
    state: State,
    corrector: Corrector,
    trial: Trial,
}

/// All that the further steps depend on, but for the corrector's memory.
#[derive(Debug, Clone)]
struct State {
    time: f64,
    /// Start of the last accepted step.
    previous: f64,
    end: f64,
    stops: Vec<f64>,
    next_stop: usize,
    history: Nordsieck,
    yp: Vector,
    /// y - y_p of the last accepted step and of the one before.
    delta: Vector,
    delta_before: Vector,
    /// Whether those two steps had the same length and order.
    deltas_match: bool,
    weights: Weights,
    /// Order and length planned for the next step.
    order: usize,
    step: f64,
    /// Accepted steps to wait before the next change.
    hold: usize,
    /// Before the first change of the step.
    starting: bool,
    statistics: Statistics,
}

/// Saved point.
#[derive(Debug, Clone)]
struct Saved {
    state: State,
    memory: Memory,
    system: Vec<f64>,
}

/// A step as planned.
#[derive(Debug, Clone, Copy)]
struct Plan {
    h: f64,
    t: f64,
    stop: Stop,
}

/// How many attempts at the present step failed.
#[derive(Debug, Default)]
struct Failures {
    error: u32,
    newton: u32,
    /// Local error of the last attempt that failed the test at order 1; 0 if none did.
    at_order_1: f64,
}

impl Failures {
    /// Whether an error above the tolerance does not come from the step: it stays although the step shrank tenfold. The
    /// implicit step then projects a state that violates an algebraic equation back onto it, which is what is wanted
    /// as long as it is a matter of tolerances. (A start that is off by more is an error of the caller.)
    fn is_inconsistency(&self, error: f64) -> bool {
        error <= INCONSISTENCY_MAX && self.at_order_1 > 0.0 && error > 0.5 * self.at_order_1
    }
}

impl<D: Dae> GstiffStepper<D> {
    pub(super) fn new(method: Gstiff, dae: D, time: f64, y: &[f64], yp: &[f64], end: f64) -> Result<Self, Error> {
        let n = dae.dimension();
        method.validate(n)?;
        check_start(&dae, time, y, yp)?;
        let order_max = method.fixed.map_or(method.order_max, |f| f.order);
        let corrector = Corrector::new(&dae, method.newton);
        let state = State {
            time,
            previous: time,
            end: time,
            stops: Vec::new(),
            next_stop: 0,
            history: Nordsieck::new(y, yp, 1.0, order_max),
            yp: Vector::padded(yp, 0.0),
            delta: Vector::zeros(n),
            delta_before: Vector::zeros(n),
            deltas_match: false,
            weights: Weights::new(dae.unknowns(), &method.tolerance),
            order: 1,
            step: 0.0,
            hold: 2,
            starting: true,
            statistics: Statistics::default(),
        };
        let mut stepper = Self { method, dae, state, corrector, trial: Trial::new(n) };
        stepper.set_end_time(end)?;
        stepper.begin(time, y, yp);
        Ok(stepper)
    }

    /// The system.
    pub fn dae(&self) -> &D {
        &self.dae
    }

    /// The system, to change it between steps; after a jump call [`Integrator::restart`].
    pub fn dae_mut(&mut self) -> &mut D {
        &mut self.dae
    }

    /// Gives the system back.
    pub fn into_dae(self) -> D {
        self.dae
    }

    /// Sets order 1 and the first step at a start that is checked.
    fn begin(&mut self, time: f64, y: &[f64], yp: &[f64]) {
        let s = &mut self.state;
        (s.time, s.previous) = (time, time);
        s.yp.as_mut_slice().copy_from_slice(yp);
        s.history.restart(y, yp, 1.0);
        s.weights.renew(s.history.lanes(0));
        s.step = match self.method.fixed {
            Some(fixed) => fixed.step,
            None => first_step(&self.method, s),
        };
        s.history.restart(y, yp, s.step);
        (s.order, s.hold, s.starting, s.deltas_match) = (1, 2, true, false);
    }

    /// Length, end and meaning of the next step: stop times and the end are met exactly, and a short last piece is avoided by
    /// dividing what remains into two.
    fn plan(&self) -> Plan {
        let s = &self.state;
        let (target, stop) = match s.stops.get(s.next_stop) {
            Some(&t) if t < s.end => (t, Stop::StopTime),
            _ => (s.end, Stop::EndTime),
        };
        let remaining = target - s.time;
        if remaining <= s.step * (1.0 + 1e-9) {
            Plan { h: remaining, t: target, stop }
        } else if remaining < 2.0 * s.step && self.method.fixed.is_none() {
            Plan { h: 0.5 * remaining, t: s.time + 0.5 * remaining, stop: Stop::Step }
        } else {
            Plan { h: s.step, t: s.time + s.step, stop: Stop::Step }
        }
    }

    /// One attempt; Ok(Ok(norm)) is the error norm of y - y_p.
    fn attempt(&mut self, plan: Plan) -> Result<Result<f64, Failure>, Error> {
        let Self { dae, state: s, corrector, trial, .. } = self;
        let point = Point { t: plan.t, h_beta0: plan.h * beta0(s.order), order: s.order };
        s.weights.rescale(s.history.column(0), point.h_beta0);
        s.history.predict(s.order, plan.h, trial);
        let solved = corrector.solve(dae, point, trial, &s.weights, &mut s.statistics)?;
        if !matches!(solved, Err(Failure::Slow { fresh: false, .. })) {
            return Ok(solved);
        }
        corrector.memory.renewal = Some(Renewal::SlowConvergence);
        s.history.predict(s.order, plan.h, trial);
        corrector.solve(dae, point, trial, &s.weights, &mut s.statistics)
    }

    /// Repeats attempts with shorter steps until one passes. Returns its plan and local error.
    fn advance(&mut self) -> Result<(Plan, f64), Error> {
        let mut failures = Failures::default();
        loop {
            let plan = self.plan();
            let cause = match self.attempt(plan)? {
                Ok(norm) => {
                    let error = norm / (self.state.order + 1) as f64;
                    if error <= 1.0 || self.method.fixed.is_some() {
                        return Ok((plan, error));
                    }
                    if failures.is_inconsistency(error) {
                        self.state.statistics.consistency_corrections += 1;
                        return Ok((plan, error));
                    }
                    self.reject_error(plan.h, error, &mut failures);
                    None
                }
                Err(failure) => {
                    self.reject_newton(plan.h, &failure, &mut failures);
                    Some(failure)
                }
            };
            let smallest = self.smallest_step();
            if self.state.step < smallest
                || failures.error + failures.newton >= ATTEMPTS_MAX
                || self.method.fixed.is_some()
            {
                let cause = match cause {
                    Some(failure) => self.corrector.explain(failure, &self.dae, &self.state.weights),
                    None => self.explain_error(),
                };
                self.state.step = plan.h;
                return Err(Error::SmallestStep { time: self.state.time, step: plan.h, smallest, cause });
            }
        }
    }

    fn smallest_step(&self) -> f64 {
        self.method.step.smallest.max(16.0 * f64::EPSILON * self.state.time.abs())
    }

    fn explain_error(&self) -> Cause {
        let (weights, delta) = (&self.state.weights, &self.trial.delta);
        let error = square_norm(&delta.lanes, &weights.error.lanes).sqrt() / (self.state.order + 1) as f64;
        Cause::ErrorTest { error, worst: shares(&self.dae, Weights::largest(delta, &weights.error, weights.share())) }
    }

    fn reject_error(&mut self, h: f64, error: f64, failures: &mut Failures) {
        let s = &mut self.state;
        s.statistics.rejected_by_error += 1;
        failures.error += 1;
        failures.at_order_1 = if s.order == 1 { error } else { 0.0 };
        s.starting = false;
        if failures.error >= 3 {
            s.statistics.restarts += u64::from(s.order > 1);
            s.order = 1;
            s.step = 0.1 * h;
        } else {
            let k = s.order;
            let lower = (k > 1).then(|| lower_error(s, k) * (h / s.history.step).powi(k as i32));
            let choice = choose(k, Estimates { same: error, lower, higher: None });
            s.order = choice.order;
            s.step = h * choice.ratio.clamp(0.1, 0.9);
        }
        s.hold = s.order + 1;
    }

    fn reject_newton(&mut self, h: f64, failure: &Failure, failures: &mut Failures) {
        let s = &mut self.state;
        match failure {
            Failure::Slow { .. } | Failure::Singular { .. } => s.statistics.rejected_by_newton += 1,
            Failure::NotFinite(_) | Failure::Evaluation(_) => s.statistics.rejected_by_evaluation += 1,
        }
        failures.newton += 1;
        s.starting = false;
        s.step = 0.25 * h;
        if failures.newton >= 3 && s.order > 1 {
            s.order = 1;
            s.statistics.restarts += 1;
        }
        s.hold = s.order + 1;
    }

    /// Takes the trial into the history.
    fn accept(&mut self, plan: Plan, error: f64) -> Result<(), Error> {
        let Self { state: s, corrector, trial, .. } = self;
        let (k, planned) = (s.order, s.step);
        let same = k == s.history.order && (plan.h / s.history.step - 1.0).abs() < 1e-9;
        if !same {
            s.hold = k + 1;
        }
        s.history.accept(k, plan.h, trial);
        std::mem::swap(&mut s.delta_before, &mut s.delta);
        std::mem::swap(&mut s.delta, &mut trial.delta);
        std::mem::swap(&mut s.yp, &mut trial.yp);
        s.deltas_match = same;
        (s.previous, s.time, s.step) = (s.time, plan.t, plan.h);
        s.statistics.accept(plan.h, k);
        corrector.memory.age += 1;
        s.hold = s.hold.saturating_sub(1);

        let mut choice = self.next_choice(error);
        let s = &mut self.state;
        let mut window = Window { time: plan.t, history: &mut s.history };
        if self.dae.after_step(&mut window)? {
            s.yp.as_mut_slice().copy_from_slice(s.history.column(1));
            s.yp.as_mut_slice().iter_mut().for_each(|yp| *yp /= plan.h);
            self.corrector.memory.renewal = Some(Renewal::ChartExchange);
            s.deltas_match = false;
            choice = choice.filter(|c| c.order <= k);
        }
        self.apply(choice, plan.h < SHORT_LANDING * planned);
        Ok(())
    }

    /// Order and step for the next step, where they may change now.
    fn next_choice(&self, error: f64) -> Option<Choice> {
        let s = &self.state;
        let k = s.order;
        if let Some(fixed) = self.method.fixed {
            return (k < fixed.order).then_some(Choice { order: k + 1, ratio: 1.0 });
        }
        if s.hold > 0 {
            return None;
        }
        let lower = (k > 1).then(|| lower_error(s, k));
        let higher = (k < self.method.order_max && s.deltas_match).then(|| {
            let difference = square_norm_difference(&s.delta.lanes, &s.delta_before.lanes, &s.weights.error.lanes);
            difference.sqrt() / (k + 2) as f64
        });
        Some(choose(k, Estimates { same: error, lower, higher }))
    }

    /// Carries out the choice and renews the weights.
    fn apply(&mut self, choice: Option<Choice>, short_landing: bool) {
        let s = &mut self.state;
        s.weights.renew(s.history.lanes(0));
        if short_landing && self.method.fixed.is_none() {
            s.order = 1;
            s.step = first_step(&self.method, s).min(s.step / SHORT_LANDING);
            (s.hold, s.starting) = (2, true);
            s.statistics.restarts += 1;
            return;
        }
        let Some(choice) = choice else { return };
        let fixed = self.method.fixed.is_some();
        if choice.ratio < WORTHWHILE && !fixed {
            s.hold = HOLD_AGAIN;
            return;
        }
        if choice.order > s.order {
            s.history.append(&s.delta);
        }
        s.order = choice.order;
        s.hold = s.order + 1;
        if !fixed {
            let limit = if s.starting { GROWTH_AT_START } else { growth_limit(s.order) };
            s.step = (s.step * choice.ratio.min(limit)).min(self.method.step.largest);
            s.starting = false;
        }
    }
}

/// Steps until the next look when a change was not worthwhile.
const HOLD_AGAIN: usize = 2;

/// D_- = (k-1)! ||z_k|| at the step of the history.
fn lower_error(s: &State, k: usize) -> f64 {
    FACTORIAL[k - 1] * s.history.column_square_norm(k, &s.weights.error).sqrt()
}

/// First step: the solution changes by about sqrt(rtol) of its weight scale, so that the local error of order 1, about
/// (h/T)^2, meets rtol (Hindmarsh, LSODE); at most a thousandth of the interval, or 1 ms if that is endless.
fn first_step(method: &Gstiff, s: &State) -> f64 {
    let limits = &method.step;
    let cap = if s.end.is_finite() { 1e-3 * (s.end - s.time) } else { 1e-3 };
    let speed = square_norm(&s.yp.lanes, &s.weights.error.lanes).sqrt() * method.tolerance.relative.sqrt();
    let automatic = if speed * cap > 1.0 { 1.0 / speed } else { cap };
    let first = if limits.first > 0.0 { limits.first } else { automatic };
    let smallest = limits.smallest.max(16.0 * f64::EPSILON * s.time.abs()).max(f64::MIN_POSITIVE);
    first.clamp(smallest, limits.largest.max(smallest))
}

fn check_start(dae: &impl Dae, time: f64, y: &[f64], yp: &[f64]) -> Result<(), Error> {
    let n = dae.dimension();
    if !time.is_finite() {
        return Err(Error::NotFinite { what: "start", name: "time".into(), value: time });
    }
    for (what, values) in [("start value", y), ("start derivative", yp)] {
        if values.len() != n {
            return Err(Error::Length { what, given: values.len(), needed: n });
        }
        if let Some(i) = values.iter().position(|x| !x.is_finite()) {
            return Err(Error::NotFinite { what, name: dae.unknown_name(i), value: values[i] });
        }
    }
    Ok(())
}

/// The history as a [`Dae`] sees it.
struct Window<'a> {
    time: f64,
    history: &'a mut Nordsieck,
}

impl History for Window<'_> {
    fn time(&self) -> f64 {
        self.time
    }
    fn step(&self) -> f64 {
        self.history.step
    }
    fn order(&self) -> usize {
        self.history.order
    }
    fn coefficient(&self, unknown: usize, power: usize) -> f64 {
        self.history.column(power)[unknown]
    }
    fn set_coefficient(&mut self, unknown: usize, power: usize, value: f64) {
        self.history.column_mut(power)[unknown] = value;
    }
}

impl<D: Dae> Integrator for GstiffStepper<D> {
    fn step(&mut self) -> Result<Stop, Error> {
        let s = &self.state;
        if s.time >= s.end {
            return Ok(Stop::EndTime);
        }
        let limit = self.method.step.limit;
        if s.statistics.steps >= limit {
            return Err(Error::StepLimit { limit, time: s.time, end: s.end });
        }
        let (plan, error) = self.advance()?;
        if plan.stop == Stop::StopTime {
            self.state.next_stop += 1;
        }
        self.accept(plan, error)?;
        Ok(plan.stop)
    }

    fn time(&self) -> f64 {
        self.state.time
    }

    fn state(&self) -> &[f64] {
        self.state.history.column(0)
    }

    fn derivative(&self) -> &[f64] {
        self.state.yp.as_slice()
    }

    fn order(&self) -> usize {
        self.state.history.order
    }

    fn interpolate(&self, time: f64, y: &mut [f64], yp: &mut [f64]) -> Result<(), Error> {
        let s = &self.state;
        let needed = self.dae.dimension();
        for (what, given) in [("y", y.len()), ("y'", yp.len())] {
            if given != needed {
                return Err(Error::Length { what, given, needed });
            }
        }
        if !(s.previous..=s.time).contains(&time) {
            return Err(Error::OutsideStep { time, from: s.previous, to: s.time });
        }
        s.history.evaluate((time - s.time) / s.history.step, y, yp);
        Ok(())
    }

    fn statistics(&self) -> &Statistics {
        &self.state.statistics
    }

    fn set_end_time(&mut self, end: f64) -> Result<(), Error> {
        if end.is_nan() {
            return Err(Error::NotFinite { what: "end", name: "time".into(), value: end });
        }
        if end < self.state.time {
            return Err(Error::EndBeforeStart { time: self.state.time, end });
        }
        self.state.end = end;
        Ok(())
    }

    fn set_stop_times(&mut self, times: &[f64]) -> Result<(), Error> {
        if let Some(&value) = times.iter().find(|t| !t.is_finite()) {
            return Err(Error::NotFinite { what: "stop", name: "time".into(), value });
        }
        if let Some(pair) = times.windows(2).find(|pair| pair[0] >= pair[1]) {
            return Err(Error::StopTimes { previous: pair[0], next: pair[1] });
        }
        let s = &mut self.state;
        s.stops.clear();
        s.stops.extend_from_slice(times);
        s.next_stop = times.partition_point(|&t| t <= s.time + 16.0 * f64::EPSILON * s.time.abs());
        Ok(())
    }

    fn restart(&mut self, time: f64, y: &[f64], yp: &[f64]) -> Result<(), Error> {
        check_start(&self.dae, time, y, yp)?;
        if time > self.state.end {
            return Err(Error::EndBeforeStart { time, end: self.state.end });
        }
        self.begin(time, y, yp);
        let s = &mut self.state;
        s.statistics.restarts += 1;
        s.next_stop = s.stops.partition_point(|&t| t <= time);
        self.corrector.memory.renewal = Some(Renewal::StepChange);
        Ok(())
    }

    fn save(&self, snapshot: &mut Snapshot) {
        if let Some(saved) = snapshot.get_mut::<Saved>() {
            saved.state.clone_from(&self.state);
            saved.memory.clone_from(&self.corrector.memory);
            saved.system.clear();
            self.dae.save(&mut saved.system);
        } else {
            let mut system = Vec::new();
            self.dae.save(&mut system);
            let saved = Saved { state: self.state.clone(), memory: self.corrector.memory.clone(), system };
            snapshot.content = Some(Box::new(saved));
        }
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        let dimension = self.dae.dimension();
        let saved = snapshot.get::<Saved>().filter(|saved| saved.state.yp.as_slice().len() == dimension);
        let Some(saved) = saved else {
            return Err(Error::ForeignSnapshot { dimension });
        };
        self.dae.restore(&saved.system)?;
        self.state.clone_from(&saved.state);
        if !self.corrector.restore(&self.dae, &saved.memory) {
            return Err(Error::ForeignSnapshot { dimension });
        }
        Ok(())
    }
}
