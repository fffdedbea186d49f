//! Jumps of the equations: known ones, on which steps end; those that new inputs bring; and those that no step is short enough for.
//!
//! Behind a jump the system says where it goes on ([`Dae::pass_jump`]: differential unknowns stay, the algebraic ones are solved for anew), and
//! the method begins there at order 1: what it remembers of the algebraic unknowns leads nowhere.

use super::BdfStepper;
use super::start::first_step;
use crate::dae::{Dae, EvalError};
use crate::integrator::error::Error;
use crate::integrator::nordsieck::Trial;
use crate::integrator::statistics::Renewal;

/// Jumps that nothing announced are passed up to this number: more of them are no sequence of events but a relay that chatters.
const FOUND_MAX: u64 = 10_000;
/// Time between two of them, in the steps that failed.
const APART: f64 = 1e4;

impl<D: Dae> BdfStepper<D> {
    /// Tells that the equations may have jumped at the present time, as after new inputs: where the next step fails, [`Dae::pass_jump`] is
    /// asked before it is shortened.
    pub fn expect_jump(&mut self) {
        self.state.jumps.expected = true;
    }

    /// Goes on behind a break at the present time, and finds the next one.
    pub(super) fn pass_break(&mut self) -> Result<(), Error> {
        let time = self.state.course.time();
        let mut next = self.dae.next_break(time);
        if next <= time {
            self.jump(time)?;
            next = self.dae.next_break(time);
        }
        self.state.targets.next_break = if next > time { next } else { f64::INFINITY };
        Ok(())
    }

    /// Whether a jump was expected at the present time, and was there. It is expected no longer.
    pub(super) fn meets_expected_jump(&mut self) -> bool {
        // Where no consistent point is found, shorter steps are tried.
        std::mem::take(&mut self.state.jumps.expected) && matches!(self.jump(self.state.course.time()), Ok(true))
    }

    pub(super) fn expects_no_jump(&mut self) {
        self.state.jumps.expected = false;
    }

    /// After `error`: whether it is a jump that lies within the step that failed, and the method has begun anew behind it.
    pub(super) fn crosses_jump(&mut self, error: &Error) -> bool {
        let Error::SmallestStep { step, .. } = *error else { return false };
        let s = &self.state;
        let before = s.course.time();
        let time = (before + step).min(s.targets.target().0);
        let apart = before - s.jumps.found >= APART * step;
        if self.method.fixed.is_some() || !apart || s.statistics.jumps_found >= FOUND_MAX {
            return false;
        }
        if !matches!(self.jump(time), Ok(true)) {
            return false;
        }
        let s = &mut self.state;
        s.course.reach_back(before);
        s.jumps.found = time;
        s.statistics.jumps_found += 1;
        self.pass_break().is_ok()
    }

    /// Whether the system jumps at `time`, the present one or one that is hardly later; the method has then begun anew.
    fn jump(&mut self, time: f64) -> Result<bool, Error> {
        self.cross(time, |dae, y, yp| dae.pass_jump(time, y, yp))
    }

    /// Goes where `change` leads from the point at `time`, the present one or one that is hardly later; where that says that the system jumps, the
    /// method begins anew there.
    pub(super) fn cross(
        &mut self,
        time: f64,
        change: impl FnOnce(&mut D, &mut [f64], &mut [f64]) -> Result<bool, EvalError>,
    ) -> Result<bool, Error> {
        let mut trial = std::mem::replace(&mut self.trial, Trial::new(0));
        let s = &self.state;
        let elapsed = time - s.course.time();
        let (y, yp) = (trial.y.as_mut_slice(), trial.yp.as_mut_slice());
        y.copy_from_slice(s.course.y());
        yp.copy_from_slice(s.course.slope().as_slice());
        y.iter_mut().zip(yp.iter()).for_each(|(y, yp)| *y += elapsed * yp);
        let jumped = change(&mut self.dae, y, yp);
        if let Ok(true) = jumped {
            self.begin(time, y, yp);
            let s = &mut self.state;
            let step = first_step(&self.method, s, &self.dae);
            s.schedule.set_step(step);
            s.statistics.jumps += 1;
            self.corrector.memory.renewal = Some(Renewal::StepChange);
        }
        self.trial = trial;
        Ok(jumped?)
    }
}
