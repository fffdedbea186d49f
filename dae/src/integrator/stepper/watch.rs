//! Conditions of the system watched over the steps: see [`Switching`](crate::integrator::switching).

use super::BdfStepper;
use super::state::State;
use crate::dae::{Dae, RootEvent};
use crate::integrator::error::Error;
use crate::integrator::lanes::largest;
use crate::integrator::switching::{LOOK_AHEAD, Verdict};
use crate::integrator::targets::Plan;

impl<D: Dae> BdfStepper<D> {
    /// Begins to watch at the present point.
    pub(super) fn begin_watch(&mut self) -> Result<(), Error> {
        let Self { dae, state: s, .. } = self;
        let count = dae.watched_count();
        if count > 0 {
            dae.choose_sides(s.course.time(), s.course.y())?;
        }
        s.switching.begin(s.course.time(), count);
        self.watched = [vec![0.0; count], vec![0.0; count]];
        Ok(())
    }

    /// Accepts the step if no condition switches within it; otherwise takes it back, to be taken again, and returns false.
    pub(super) fn accept_watched(&mut self, plan: Plan, error: f64) -> Result<bool, Error> {
        let count = self.dae.watched_count();
        if count == 0 {
            let planned = self.take(plan);
            return self.conclude(plan, planned, error).map(|()| true);
        }
        match &mut self.before {
            Some(before) => (**before).clone_from(&self.state),
            none => *none = Some(Box::new(self.state.clone())),
        }
        let planned = self.take(plan);
        let verdict = self.judge(plan)?;
        if let (Verdict::EndAt(_) | Verdict::Turn, Some(before)) = (verdict, &mut self.before) {
            std::mem::swap(&mut self.state, &mut **before);
        }
        let smallest = self.smallest_step();
        match (verdict, &self.before) {
            (Verdict::Fine, _) => self.conclude(plan, planned, error).map(|()| true),
            (Verdict::Switches, _) => {
                self.conclude(plan, planned, error)?;
                self.state.switching.wait();
                Ok(true)
            }
            (Verdict::EndAt(time), Some(judged)) if time - self.state.course.time() >= smallest => {
                self.state.switching.land(time, &judged.switching);
                self.state.statistics.rejected_by_switch += 1;
                Ok(false)
            }
            (_, judged) => {
                if let Some(judged) = judged {
                    let time = self.state.course.time();
                    self.state.switching.land(time, &judged.switching);
                }
                self.state.statistics.rejected_by_switch += 1;
                self.turn().map(|()| false)
            }
        }
    }

    fn judge(&mut self, plan: Plan) -> Result<Verdict, Error> {
        let smallest = self.smallest_step();
        let Self { dae, state, probe, .. } = self;
        let State { switching, course, .. } = state;
        let dae = std::cell::RefCell::new(dae);
        let verdict = switching.judge(
            (plan.t, smallest),
            |t, out| {
                let (y, slope) = probe.buffers();
                course.interpolate(t, y, slope);
                dae.borrow_mut().watch(t, y, out)
            },
            |k| dae.borrow().expected_sign(k),
            |k| dae.borrow().watched_function(k),
        )?;
        Ok(verdict)
    }

    /// Turns what switches at the present point; where accelerations jump, the method begins anew.
    pub(super) fn turn(&mut self) -> Result<(), Error> {
        let (time, count) = (self.state.course.time(), self.dae.watched_count());
        let events = self.state.switching.turn(time, count);
        self.cross(time, |dae, y, yp| dae.switch(time, y, yp, &events))?;
        self.look_behind(&events)
    }

    /// Refuses a switch to which both sides lead.
    fn look_behind(&mut self, events: &[RootEvent]) -> Result<(), Error> {
        let smallest = self.smallest_step();
        let Self { dae, state: s, probe, watched: [now, ahead], .. } = self;
        let (y, _) = probe.buffers();
        y.copy_from_slice(s.course.y());
        dae.watch(s.course.time(), y, now)?;
        let apart = LOOK_AHEAD * smallest;
        y.iter_mut().zip(s.course.slope().as_slice()).for_each(|(y, yp)| *y += apart * yp);
        dae.watch(s.course.time() + apart, y, ahead)?;
        // In this part of the while the tested unknowns go by one tolerance.
        let allowed = 1.0 / (apart * largest(&s.course.slope().lanes, &s.weights.error.lanes));
        let allowed = if allowed.is_finite() { allowed } else { 1.0 };
        s.switching.look_behind(
            (s.course.time(), smallest, allowed),
            events,
            [now, ahead],
            |k| dae.expected_sign(k),
            |k| dae.watched_name(k),
        )
    }
}
