//! Steps of a system of dense matrices: equal ones by one stepper, parts of them by one-step methods made for their length.

use super::inputs::Inputs;
use crate::linear::Stepping;
use crate::run::schedule::Interval;
use fourbar_lti::{Error, Method, StateSpace, Stepper};

/// A stepper and what it needs at the ends of its steps.
#[derive(Debug, Clone)]
pub(super) struct Dense {
    stepper: Stepper,
    /// One-step method for parts of steps.
    short: Method,
    offsets: Vec<f64>,
    start_offsets: Vec<f64>,
    /// Whether a new history of the inputs begins.
    fresh: bool,
    samples: Vec<f64>,
    y: Vec<f64>,
}

impl Dense {
    pub(super) fn new(system: &StateSpace, initial: &[f64], step: f64, stepping: &Stepping) -> Result<Self, Error> {
        let mut stepper = Stepper::new(system, step, stepping.method.clone())?;
        stepper.set_state(initial)?;
        let (offsets, start_offsets) = (stepper.sample_offsets(), stepper.startup_offsets());
        Ok(Self {
            short: stepping.method.startup().unwrap_or_else(|| stepping.method.clone()),
            samples: vec![0.0; system.inputs() * offsets.len().max(start_offsets.len()).max(1)],
            y: vec![0.0; system.outputs()],
            fresh: true,
            offsets,
            start_offsets,
            stepper,
        })
    }

    pub(super) fn advance(&mut self, interval: &Interval, inputs: &mut Inputs) -> Result<(), Error> {
        if !interval.whole {
            return self.advance_by_part(interval, inputs);
        }
        if self.fresh || interval.from.stop.is_some() {
            begin_history(&mut self.stepper, interval, inputs, &mut self.samples)?;
        }
        let starting = self.stepper.missing_history() > 0;
        let offsets = if starting { &self.start_offsets } else { &self.offsets };
        let samples = sample(interval, offsets, inputs, &mut self.samples);
        if starting { self.stepper.start_step(samples, &mut self.y) } else { self.stepper.step(samples, &mut self.y) }?;
        self.fresh = false;
        Ok(())
    }

    fn advance_by_part(&mut self, interval: &Interval, inputs: &mut Inputs) -> Result<(), Error> {
        let mut part = Stepper::new(self.stepper.system(), interval.length, self.short.clone())?;
        part.set_state(self.stepper.state())?;
        let offsets = part.sample_offsets();
        self.samples.resize(self.samples.len().max(inputs.len() * offsets.len()), 0.0);
        begin_history(&mut part, interval, inputs, &mut self.samples)?;
        part.step(sample(interval, &offsets, inputs, &mut self.samples), &mut self.y)?;
        self.stepper.set_state(part.state())?;
        self.fresh = true;
        Ok(())
    }

    /// y = C x + D u now.
    pub(super) fn outputs(&self, u: &[f64], y: &mut [f64]) -> Result<(), Error> {
        self.stepper.output(u, y)
    }
}

/// Forgets the inputs before the beginning of the interval.
fn begin_history(
    stepper: &mut Stepper,
    interval: &Interval,
    inputs: &mut Inputs,
    samples: &mut [f64],
) -> Result<(), Error> {
    let u = &mut samples[..inputs.len()];
    let (time, side) = interval.from.onwards();
    inputs.sample(time, side, u);
    stepper.set_input(u)
}

/// The inputs at `offsets` from the beginning of the interval, one sample after the other.
fn sample<'a>(interval: &Interval, offsets: &[f64], inputs: &mut Inputs, samples: &'a mut [f64]) -> &'a [f64] {
    let m = inputs.len();
    for (i, offset) in offsets.iter().enumerate() {
        let (time, side) = interval.at(*offset);
        inputs.sample(time, side, &mut samples[i * m..(i + 1) * m]);
    }
    &samples[..offsets.len() * m]
}
