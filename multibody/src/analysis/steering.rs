//! A dynamic analysis under the hand of another program: its inputs and its end set as it goes, saved points, new beginnings.

use super::acceleration::Accelerations;
use super::dynamics::{Account, Dynamics};
use super::rates::Rates;
use crate::error::Error;
use crate::input::Inputs;
use crate::integrator::Snapshot;

/// A saved point of a [`Dynamics`]. Saving into a used one allocates nothing.
#[derive(Debug, Default)]
pub struct DynamicsSnapshot {
    integrator: Snapshot,
    inputs: Inputs,
    stale: bool,
    energy: Account,
}

impl Dynamics {
    /// Moves the end time \[s\]; steps land on it exactly.
    ///
    /// # Errors
    /// [`Error::Integrator`] if it lies before the present time or is a NaN.
    pub fn set_end(&mut self, end: f64) -> Result<(), Error> {
        Ok(self.running.integrator_mut().set_end_time(end)?)
    }

    /// The inputs in force.
    #[must_use]
    pub fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    /// From the present time on the inputs are these polynomials about it: value, first and second derivative, one an input in the
    /// order of [`Mechanism::inputs`](crate::Mechanism::inputs). Gear's method goes on with its history, whose error test sees a kink
    /// or a small jump; after a large jump [`Dynamics::restart`] is cheaper.
    ///
    /// # Errors
    /// [`Error::Integrator`] for another number of inputs or one that is not finite; the inputs then stay as they were.
    pub fn set_inputs(&mut self, polynomials: impl ExactSizeIterator<Item = [f64; 3]> + Clone) -> Result<(), Error> {
        let since = self.time();
        self.inputs.set(&self.mechanism, since, polynomials)?;
        self.pass_inputs();
        self.stale = true;
        Ok(())
    }

    fn pass_inputs(&mut self) {
        self.running.inputs_mut().clone_from(&self.inputs);
        self.all_rows.inputs_mut().clone_from(&self.inputs);
        self.sampler.set_inputs(&self.inputs);
        if let Some(accelerations) = &mut self.accelerations {
            accelerations.inputs_mut().clone_from(&self.inputs);
        }
    }

    /// Begins anew from the present state with accelerations for the present inputs, as after a jump of a force. Gear's method falls
    /// back to order 1.
    ///
    /// # Errors
    /// [`Error::Singular`], [`Error::Evaluation`], [`Error::Integrator`].
    pub fn restart(&mut self) -> Result<(), Error> {
        self.state_at(self.time())?;
        let accelerations = match &mut self.accelerations {
            Some(accelerations) => accelerations,
            None => {
                let mut accelerations = Accelerations::new(&self.mechanism, &self.state)?;
                accelerations.inputs_mut().clone_from(&self.inputs);
                self.accelerations.insert(Box::new(accelerations))
            }
        };
        accelerations.solve(&self.mechanism, &mut self.state)?;
        self.running.restart(&self.state, &mut self.y, &mut self.yp)?;
        self.stale = false;
        Ok(())
    }

    /// Rates of all measured scalars at the last step, by `rates`, for the present inputs; see [`Rates::sample`].
    ///
    /// # Errors
    /// As [`Rates::sample`].
    pub fn rates(&mut self, rates: &mut Rates, values: &mut [f64]) -> Result<(), Error> {
        self.state_at(self.time())?;
        rates.set_inputs(&self.inputs);
        rates.sample(&self.mechanism, &mut self.state, values)
    }

    /// Saves everything on which the further steps depend.
    pub fn save(&self, snapshot: &mut DynamicsSnapshot) {
        self.running.integrator().save(&mut snapshot.integrator);
        snapshot.inputs.clone_from(&self.inputs);
        snapshot.stale = self.stale;
        snapshot.energy = self.energy;
    }

    /// Returns to a saved point; the further steps are those that followed it, bit for bit, if the inputs are.
    ///
    /// # Errors
    /// [`Error::Integrator`] for the snapshot of another analysis.
    pub fn restore(&mut self, snapshot: &DynamicsSnapshot) -> Result<(), Error> {
        self.running.integrator_mut().restore(&snapshot.integrator)?;
        self.inputs.clone_from(&snapshot.inputs);
        self.stale = snapshot.stale;
        self.energy = snapshot.energy;
        self.pass_inputs();
        Ok(())
    }
}
