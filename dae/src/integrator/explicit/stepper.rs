//! The loop: what opens a step, attempts, acceptance.

use super::Formula;
use super::course::{Course, Leg, Scratch};
use super::failure::Failure;
use super::weighing::Weighing;
use crate::dae::EvalError;
use crate::integrator::contract::Stop;
use crate::integrator::dense::{AcceptedStep, Probe};
use crate::integrator::error::Error;
use crate::integrator::options::ATTEMPTS_MAX;
use crate::integrator::options::Tolerance;
use crate::integrator::switching::Switching;
use crate::integrator::targets::Plan;
use crate::ode::Ode;

/// A method for y' = f(t, y) at work on a system.
#[derive(Debug, Clone)]
pub struct ExplicitStepper<S, F> {
    pub(super) ode: S,
    pub(super) formula: F,
    pub(super) course: Course,
    pub(super) scratch: Scratch,
    pub(super) probe: Probe,
    /// The watch before a step, to take it back.
    pub(super) watched: Switching,
    /// Arguments of watched conditions at a switch and a little later.
    pub(super) arguments: [Vec<f64>; 2],
}

impl<S, F> ExplicitStepper<S, F> {
    /// The system.
    pub fn ode(&self) -> &S {
        &self.ode
    }

    /// The system, to change it between steps; after a change of f call [`Integrator::restart`](crate::integrator::Integrator::restart).
    pub fn ode_mut(&mut self) -> &mut S {
        &mut self.ode
    }

    /// Counts rows that were chosen anew.
    pub fn count_row_choice(&mut self) {
        self.course.statistics.row_choices += 1;
    }
}

impl<S: Ode, F: Formula> ExplicitStepper<S, F> {
    pub(in crate::integrator) fn new(
        formula: F,
        tolerance: &Tolerance,
        ode: S,
        (time, end): (f64, f64),
        y: &[f64],
    ) -> Result<Self, Error> {
        let n = ode.dimension();
        let course = Course::new(time, Weighing::new(tolerance, ode.unknowns(), ode.weighs()));
        let scratch = Scratch::new(n);
        let (probe, watched, arguments) = (Probe::new(n), Switching::default(), [Vec::new(), Vec::new()]);
        let mut stepper = Self { ode, formula, course, scratch, probe, watched, arguments };
        stepper.begin(time, y)?;
        stepper.course.targets.set_end(time, end)?;
        Ok(stepper)
    }

    /// Begins anew; the step that was planned stays, unless the formula begins with another.
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
        let Self { ode, formula, course, scratch, .. } = self;
        course.switching.begin(time, watched);
        self.arguments = [vec![0.0; watched], vec![0.0; watched]];
        course.statistics.residual_evaluations += 1;
        let slope = &mut scratch.trial;
        ode.rhs(time, y, slope)?;
        if let Some(i) = slope.iter().position(|k| !k.is_finite()) {
            let name = ode.unknown_name(i);
            return Err(Error::NotFinite { what: "start derivative", name, value: slope[i] });
        }
        formula.begin(ode, course, y, slope)?;
        course.leg.y.copy_from_slice(y);
        (course.leg.time, course.leg.previous) = (time, time);
        (course.stepped, course.stale, course.jumped) = (false, false, false);
        course.dense.begin(time, ode.root_count());
        Ok(())
    }

    /// Takes one accepted step.
    pub(super) fn advance(&mut self) -> Result<(), Error> {
        if self.course.switching.is_pending() {
            self.turn()?;
        }
        self.open_step()?;
        if self.course.step == 0.0 {
            self.course.step = self.first_step()?;
        }
        let Course { weighing, leg, step, .. } = &mut self.course;
        weighing.renew(&self.ode, &leg.y, *step);
        self.scratch.settled = None;
        let fixed = self.formula.fixed().is_some();
        let mut rejections = 0;
        loop {
            let Self { ode, formula, course, scratch, .. } = self;
            let plan = course.targets.plan(course.leg.time, course.step, !fixed);
            let attempted = formula.attempt(ode, course, scratch, plan)?;
            let attempted =
                attempted.map(|error| if fixed { error } else { with_defect(ode, course, scratch, plan, error) });
            let failure = match attempted {
                Ok(error) if error <= 1.0 || fixed => {
                    if self.accept_watched(plan, error, rejections > 0)? {
                        return Ok(());
                    }
                    continue;
                }
                Ok(error) => Failure::Error(error),
                Err(failure) => failure,
            };
            rejections += 1;
            let ratio = match failure {
                Failure::Error(error) => {
                    course.statistics.rejected_by_error += 1;
                    course.weighing.foresee(&course.leg.y, &scratch.trial, &scratch.error, rejections);
                    formula.after_failure(course, Some(error), rejections)
                }
                Failure::Evaluation(_) | Failure::NotFinite(_) | Failure::Overflow(_) => {
                    course.statistics.rejected_by_evaluation += 1;
                    formula.after_failure(course, None, rejections)
                }
            };
            course.step = ratio * plan.h;
            let smallest = self.smallest_step();
            if self.course.step < smallest || rejections >= ATTEMPTS_MAX || fixed {
                self.course.step = plan.h;
                let cause = self.explain(failure);
                return Err(Error::no_step(fixed, self.course.leg.time, plan.h, smallest, cause));
            }
        }
    }

    /// Lets the system change its coordinates; makes the slope at the present time the first of the next step. Where its evaluation
    /// fails, the next call makes up for that: the coordinates have changed already.
    pub(super) fn open_step(&mut self) -> Result<(), Error> {
        let Self { ode, formula, course, scratch, .. } = self;
        let mut next = ode.next_break(course.leg.time);
        if next <= course.leg.time {
            course.stale = true;
            if ode.pass_break(course.leg.time, &mut course.leg.y)? {
                // The step that was planned says nothing of what comes.
                course.step = formula.fixed().unwrap_or(0.0);
                course.weighing.forget();
                course.jumped = true;
                course.statistics.jumps += 1;
            }
            next = ode.next_break(course.leg.time);
        }
        course.targets.next_break =
            if next > course.leg.time { next } else { f64::INFINITY }.min(course.switching.landing());
        if ode.before_step(course.leg.time, &mut course.leg.y)? {
            course.stale = true;
            formula.rewrite(ode, course);
        }
        if course.stepped {
            formula.open();
        }
        // From here on the slopes of the last step are not to be had any more.
        (course.stepped, course.leg.previous) = (false, course.leg.time);
        if course.stale {
            course.statistics.residual_evaluations += 1;
            ode.rhs(course.leg.time, &course.leg.y, &mut scratch.trial)?;
            formula.renew(ode, &course.leg.y, &scratch.trial, course.jumped)?;
            (course.stale, course.jumped) = (false, false);
        }
        Ok(())
    }

    pub(super) fn accept(&mut self, plan: Plan, error: f64, after_rejection: bool) {
        let Self { formula, course, scratch, .. } = self;
        course.dense.hold(&course.leg.y, formula.slope(course.stepped));
        let ratio = formula.accept(course, scratch, plan, error, after_rejection);
        std::mem::swap(&mut course.leg.start, &mut course.leg.y);
        course.leg.y.copy_from_slice(&scratch.trial);
        (course.leg.previous, course.leg.time, course.stepped) = (course.leg.time, plan.t, true);
        course.statistics.accept(plan.h, formula.counted_order());
        if formula.fixed().is_none() {
            // A step cut short by a target says little about the next.
            let next = ratio * plan.h;
            let cut = plan.h < course.step && !after_rejection;
            course.step = if cut { next.max(course.step) } else { next }.min(formula.limits().largest);
        }
    }

    /// Hands out the last accepted step as far as the next event or target.
    pub(super) fn hand_out(&mut self) -> Result<Stop, Error> {
        let Self { ode, formula, course, probe, .. } = self;
        let Course { leg, dense, targets, stepped, .. } = course;
        dense.hand_out(leg.time, targets, probe, &mut Accepted { ode, formula, leg, stepped: *stepped })
    }

    /// Value and slope at a time within the last accepted step, exact at its end.
    pub(super) fn within(&self, time: f64, y: &mut [f64], yp: &mut [f64]) {
        let Course { leg, stepped, .. } = &self.course;
        Accepted { ode: (), formula: &self.formula, leg, stepped: *stepped }.at(time, y, yp);
    }
}

/// The larger of the local error of a step that passed and of what its slopes did not see ([`Ode::defect`]), in tolerances.
fn with_defect<S: Ode>(ode: &mut S, course: &Course, scratch: &mut Scratch, Plan { h, t }: Plan, error: f64) -> f64 {
    if error > 1.0 {
        return error;
    }
    let Scratch { trial, error: errors, missed, .. } = scratch;
    missed.fill(0.0);
    ode.defect(t, h, trial, missed);
    let mut largest = error;
    let weighing = &course.weighing;
    for (i, missed) in missed.iter().enumerate().filter(|(i, missed)| weighing.tested[*i] && **missed > 0.0) {
        let missed = missed / weighing.weight_of_step(i, course.leg.y[i], trial[i]);
        errors[i] = errors[i].max(missed);
        largest = largest.max(missed);
    }
    largest
}

/// The last accepted step, for the search of events.
struct Accepted<'a, S, F> {
    ode: S,
    formula: &'a F,
    leg: &'a Leg,
    stepped: bool,
}

impl<S, F: Formula> Accepted<'_, S, F> {
    fn at(&self, time: f64, y: &mut [f64], yp: &mut [f64]) {
        if time == self.leg.time {
            y.copy_from_slice(&self.leg.y);
            yp.copy_from_slice(self.formula.slope(self.stepped));
        } else {
            self.formula.interpolate(self.leg, time, y, yp);
        }
    }
}

impl<S: Ode, F: Formula> AcceptedStep for Accepted<'_, &mut S, F> {
    fn interpolate(&self, time: f64, y: &mut [f64], yp: &mut [f64]) {
        self.at(time, y, yp);
    }
    fn roots(&mut self, time: f64, y: &[f64], yp: &[f64], out: &mut [f64]) -> Result<(), EvalError> {
        self.ode.roots(time, y, yp, out)
    }
    fn root_name(&self, i: usize) -> String {
        self.ode.root_name(i)
    }
}
