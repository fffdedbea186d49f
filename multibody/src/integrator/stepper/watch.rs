//! Conditions of the system watched over the steps: see [`Switching`](crate::integrator::switching).

use super::start::first_step;
use super::{GstiffStepper, Plan};
use crate::dae::Dae;
use crate::integrator::error::Error;
use crate::integrator::nordsieck::Trial;
use crate::integrator::statistics::Renewal;
use crate::integrator::switching::Verdict;

impl<D: Dae> GstiffStepper<D> {
    /// Begins to watch at the present point.
    pub(super) fn begin_watch(&mut self) -> Result<(), Error> {
        let Self { dae, state: s, .. } = self;
        let count = dae.watched_count();
        if count > 0 {
            dae.choose_sides(s.time, s.history.column(0))?;
        }
        s.switching.begin(s.time, count);
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
            (Verdict::EndAt(time), Some(judged)) if time - self.state.time >= smallest => {
                self.state.switching.land(time, &judged.switching);
                self.state.statistics.rejected_by_switch += 1;
                Ok(false)
            }
            (_, judged) => {
                if let Some(judged) = judged {
                    let time = self.state.time;
                    self.state.switching.land(time, &judged.switching);
                }
                self.state.statistics.rejected_by_switch += 1;
                self.turn().map(|()| false)
            }
        }
    }

    fn judge(&mut self, plan: Plan) -> Result<Verdict, Error> {
        let Self { dae, state, probe, .. } = self;
        let super::State { switching, history, yp, time, .. } = state;
        let accepted = *time;
        let dae = std::cell::RefCell::new(dae);
        let verdict = switching.judge(
            plan.t,
            |t, out| {
                let (y, slope) = probe.buffers();
                super::interface::interpolate(accepted, history, yp.as_slice(), t, y, slope);
                dae.borrow_mut().watch(t, y, out)
            },
            |k| dae.borrow().expected_sign(k),
        )?;
        Ok(verdict)
    }

    /// Turns what switches at the present point; where accelerations jump, the method begins anew.
    pub(super) fn turn(&mut self) -> Result<(), Error> {
        let Self { dae, state: s, .. } = self;
        let (time, count) = (s.time, dae.watched_count());
        let events = s.switching.turn(time, count, |k| dae.watched_name(k))?;
        let mut trial = std::mem::replace(&mut self.trial, Trial::new(0));
        let (y, yp) = (trial.y.as_mut_slice(), trial.yp.as_mut_slice());
        y.copy_from_slice(s.history.column(0));
        yp.copy_from_slice(s.yp.as_slice());
        let jumped = self.dae.switch(time, y, yp, &events);
        if let Ok(true) = jumped {
            self.begin(time, y, yp);
            let s = &mut self.state;
            s.step = first_step(&self.method, s, &self.dae);
            s.statistics.jumps += 1;
            self.corrector.memory.renewal = Some(Renewal::StepChange);
        }
        self.trial = trial;
        jumped?;
        Ok(())
    }
}
