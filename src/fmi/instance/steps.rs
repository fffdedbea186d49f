//! Steps of co-simulation, whole or in parts.

use super::{Advance, Instance, Phase};
use crate::fmi::Error;
use crate::run::SAME;

impl Instance {
    /// Steps from `from` on by `step` \[s\].
    ///
    /// # Errors
    /// [`Error::State`], [`Error::Step`]; [`Error::Model`] where the motion cannot go on: the instance is of no use then until it is reset or
    /// put back to a checkpoint.
    pub fn step(&mut self, from: f64, step: f64) -> Result<Advance, Error> {
        let to = self.begin_step(from, step)?;
        loop {
            let advance = self.step_on(to)?;
            if advance.is_whole {
                return Ok(advance);
            }
        }
    }

    /// Begins a step from `from` on by `step` \[s\], to be taken in parts by [`Instance::step_on`]; returns where it ends \[s\].
    ///
    /// # Errors
    /// As [`Instance::step`].
    pub fn begin_step(&mut self, from: f64, step: f64) -> Result<f64, Error> {
        self.check("a step", &[Phase::Stepping], "allowed between steps")?;
        let to = self.target(from, step)?;
        self.begun = self.time;
        let inputs = self.inputs.clone();
        let passed = self.motion().and_then(|motion| Ok(motion.set_inputs(&inputs)?));
        self.failing(passed)?;
        self.phase = Phase::WithinStep;
        Ok(to)
    }

    /// Takes one step of the model's own method towards the end `to` \[s\] of a step that was begun. Between these values can be read.
    ///
    /// # Errors
    /// As [`Instance::step`].
    pub fn step_on(&mut self, to: f64) -> Result<Advance, Error> {
        self.check("a part of a step", &[Phase::WithinStep], "allowed after the begin of a step")?;
        let reached = self.motion().and_then(|motion| Ok(motion.step(to)?));
        let reached = self.failing(reached)?;
        self.time = reached.time;
        self.forget_outputs();
        let is_whole = reached.time >= to || reached.ended_by.is_some();
        if is_whole {
            self.leave_step();
        }
        if reached.ended_by.is_some() {
            self.phase = Phase::Ended;
        }
        Ok(Advance { time: reached.time, ended_by: reached.ended_by, at_event: reached.at_event, is_whole })
    }

    /// Ends a step that was begun at the time that it has reached.
    pub fn leave_step(&mut self) {
        if self.phase != Phase::WithinStep {
            return;
        }
        let moved = self.time - self.begun;
        for input in &mut self.inputs {
            // Derivatives are those of one step: the input stays where they have taken it.
            let [value, first, second] = *input;
            *input = [value + moved * (first + 0.5 * moved * second), 0.0, 0.0];
        }
        self.begun = self.time;
        self.phase = Phase::Stepping;
        self.forget_outputs();
    }

    /// A step that fails leaves the instance of no use.
    fn failing<T>(&mut self, done: Result<T, Error>) -> Result<T, Error> {
        if done.is_err() {
            self.phase = Phase::Failed;
        }
        done
    }

    /// Where a step ends, which may miss the time of now and the end by round-off.
    fn target(&self, from: f64, step: f64) -> Result<f64, Error> {
        let (time, end) = (self.time, self.experiment.end);
        let refuse = |remedy| Err(Error::Step { from, step, time, end, remedy });
        if !(step > 0.0 && step.is_finite() && from.is_finite()) {
            return refuse("take finite times and a step above 0 s");
        }
        let near = SAME * step + 4.0 * f64::EPSILON * time.abs();
        if (from - time).abs() > near {
            return refuse("steps begin where the last one ended, or at the time of a restored state");
        }
        let to = fourbar_coupling::function::end_of_step(from, step);
        if (to - end).abs() <= near {
            return Ok(end);
        }
        if to > end {
            return refuse("end at the stop time, or set a later one up");
        }
        Ok(to)
    }
}
