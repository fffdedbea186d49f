//! A mechanism without contacts, by the integrators of `fourbar-multibody`.

use std::sync::Arc;

use fourbar_multibody::analysis::Rates;
use fourbar_multibody::integrator::Stop;
use fourbar_multibody::{Dynamics, DynamicsOptions, DynamicsSnapshot, Error, Mechanism};

use super::motion::{Motion, failure};
use super::{MechanismOptions, all_known};
use crate::function::{Failure, Snapshot};

/// A dynamic analysis whose inputs others set. Gear's method keeps its history across a communication point, unless an input jumps there.
pub(super) struct Smooth {
    dynamics: Dynamics,
    rates: Option<Box<Rates>>,
    jump: f64,
    /// Each input at the end of the last step, and the largest value it had.
    reached: Vec<[f64; 2]>,
}

#[derive(Default)]
struct Saved {
    dynamics: DynamicsSnapshot,
    reached: Vec<[f64; 2]>,
}

impl Smooth {
    pub(super) fn new(
        mechanism: &Arc<Mechanism>,
        dynamics: &DynamicsOptions,
        options: &MechanismOptions,
    ) -> Result<Self, Error> {
        let dynamics = DynamicsOptions { end: f64::INFINITY, ..dynamics.clone() };
        let rates =
            if options.output_derivatives { Some(Box::new(Rates::new(mechanism, mechanism.start())?)) } else { None };
        Ok(Self {
            dynamics: Dynamics::new(mechanism, &dynamics)?,
            rates,
            jump: options.jump,
            reached: mechanism.inputs().iter().map(|input| [input.start, input.start.abs()]).collect(),
        })
    }

    /// Whether an input jumps at the present time.
    fn jumps(&self) -> bool {
        let (inputs, time) = (self.dynamics.inputs(), self.dynamics.time());
        self.reached.iter().enumerate().any(|(k, [before, largest])| {
            let now = inputs.value(k, time);
            (now - before).abs() > self.jump * largest.max(now.abs())
        })
    }

    /// Notes the inputs at the end of a step.
    fn arrive(&mut self) {
        let (inputs, time) = (self.dynamics.inputs(), self.dynamics.time());
        for (k, [before, largest]) in self.reached.iter_mut().enumerate() {
            *before = inputs.value(k, time);
            *largest = largest.max(before.abs());
        }
    }
}

impl Motion for Smooth {
    fn time(&self) -> f64 {
        self.dynamics.time()
    }

    fn set_inputs(&mut self, polynomials: &[[f64; 3]]) -> Result<(), Failure> {
        self.dynamics.set_inputs(polynomials.iter().copied()).map_err(failure)
    }

    fn advance(&mut self, to: f64) -> Result<(), Failure> {
        self.dynamics.set_end(to).map_err(failure)?;
        if self.jumps() {
            self.dynamics.restart().map_err(failure)?;
        }
        while !matches!(self.dynamics.step().map_err(failure)?, Stop::EndTime) {}
        self.arrive();
        Ok(())
    }

    fn sample(&mut self, values: &mut [f64]) -> Result<(), Failure> {
        self.dynamics.measures_at(self.dynamics.time(), values).map_err(failure)
    }

    fn knows_rates(&mut self, chosen: &[usize]) -> bool {
        self.rates.as_ref().is_some_and(|rates| all_known(rates, chosen))
    }

    fn sample_rates(&mut self, values: &mut [f64]) -> Result<(), Failure> {
        let Some(rates) = &mut self.rates else { return Err(Failure::Unsupported("derivatives of outputs")) };
        self.dynamics.rates(rates, values).map_err(failure)
    }

    fn save(&mut self, snapshot: &mut Snapshot) -> Result<(), Failure> {
        let saved: &mut Saved = snapshot.content_mut();
        self.dynamics.save(&mut saved.dynamics);
        saved.reached.clone_from(&self.reached);
        Ok(())
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Failure> {
        let saved: &Saved = snapshot.content()?;
        if saved.reached.len() != self.reached.len() {
            return Err(Failure::new("the snapshot belongs to another mechanism"));
        }
        self.dynamics.restore(&saved.dynamics).map_err(failure)?;
        self.reached.clone_from(&saved.reached);
        Ok(())
    }
}
