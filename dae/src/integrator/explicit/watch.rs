//! Conditions of the system watched over the steps: see [`Switching`](crate::integrator::switching).

use super::course::Course;
use super::{ExplicitStepper, Formula};
use crate::dae::RootEvent;
use crate::integrator::error::Error;
use crate::integrator::switching::{LOOK_AHEAD, Verdict};
use crate::integrator::targets::Plan;
use crate::ode::Ode;

impl<S: Ode, F: Formula> ExplicitStepper<S, F> {
    /// Accepts the step whose end is in `trial` if no condition switches within it; otherwise makes ready to take it again, and returns
    /// false.
    pub(super) fn accept_watched(&mut self, plan: Plan, error: f64, after_rejection: bool) -> Result<bool, Error> {
        if self.ode.watched_count() == 0 {
            self.accept(plan, error, after_rejection);
            return Ok(true);
        }
        self.watched.clone_from(&self.course.switching);
        let verdict = self.judge(plan)?;
        if matches!(verdict, Verdict::Fine | Verdict::Switches) {
            self.accept(plan, error, after_rejection);
            if verdict == Verdict::Switches {
                self.course.switching.wait();
            }
            return Ok(true);
        }
        std::mem::swap(&mut self.course.switching, &mut self.watched);
        let smallest = self.smallest_step();
        self.formula.take_back();
        let Course { switching, leg, targets, statistics, .. } = &mut self.course;
        statistics.rejected_by_switch += 1;
        match verdict {
            Verdict::EndAt(time) if time - leg.time >= smallest => {
                switching.land(time, &self.watched);
                targets.next_break = targets.next_break.min(time);
            }
            _ => {
                switching.land(leg.time, &self.watched);
                self.turn()?;
                self.open_step()?;
                if self.course.step == 0.0 {
                    self.course.step = self.first_step()?;
                }
            }
        }
        Ok(false)
    }

    fn judge(&mut self, plan: Plan) -> Result<Verdict, Error> {
        let smallest = self.smallest_step();
        let Self { ode, formula, course, scratch, probe, .. } = self;
        let Course { switching, leg, .. } = course;
        let ode = std::cell::RefCell::new(ode);
        let verdict = switching.judge(
            (plan.t, smallest),
            |t, out| {
                let (y, slope) = probe.buffers();
                if t == plan.t {
                    y.copy_from_slice(&scratch.trial);
                } else {
                    formula.extend(leg, scratch, plan, t, y, slope);
                }
                ode.borrow_mut().watch(t, y, out)
            },
            |k| ode.borrow().expected_sign(k),
            |k| ode.borrow().watched_function(k),
        )?;
        Ok(verdict)
    }

    /// Turns what switches at the present point.
    pub(super) fn turn(&mut self) -> Result<(), Error> {
        let Self { ode, formula, course, .. } = self;
        let events = course.switching.turn(course.leg.time, ode.watched_count());
        course.stale = true;
        if ode.switch(course.leg.time, &mut course.leg.y, &events)? {
            course.step = formula.fixed().unwrap_or(0.0);
            course.weighing.forget();
            course.jumped = true;
            course.statistics.jumps += 1;
        }
        self.look_behind(&events)
    }

    /// Refuses a switch to which both sides lead.
    fn look_behind(&mut self, events: &[RootEvent]) -> Result<(), Error> {
        let smallest = self.smallest_step();
        let Self { ode, course: Course { switching, leg, statistics, .. }, probe, arguments, .. } = self;
        let [now, ahead] = arguments;
        let (y, slope) = probe.buffers();
        ode.watch(leg.time, &leg.y, now)?;
        statistics.residual_evaluations += 1;
        ode.rhs(leg.time, &leg.y, slope)?;
        let apart = LOOK_AHEAD * smallest;
        y.iter_mut().zip(&leg.y).zip(slope).for_each(|((y, at), slope)| *y = at + apart * *slope);
        ode.watch(leg.time + apart, y, ahead)?;
        switching.look_behind(
            (leg.time, smallest, 1.0),
            events,
            [now, ahead],
            |k| ode.expected_sign(k),
            |k| ode.watched_name(k),
        )
    }
}
