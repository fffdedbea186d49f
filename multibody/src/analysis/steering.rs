//! A dynamic analysis under the hand of another program, which sets its inputs and its end as it goes and returns to checkpoints.

use super::dynamics::{Account, Dynamics};
use super::guard::GuardPoint;
use super::rates::Rates;
use super::switching::Switching;
use crate::error::Error;
use crate::formulation::Equations;
use crate::input::Inputs;
use crate::integrator::Snapshot;
use crate::mechanism::Mechanism;
use fourbar_linalg::checkpoint::{CheckpointError, Source, Stored};
use std::sync::Arc;

/// A checkpoint of a [`Dynamics`]. Saving into a used one allocates nothing.
#[derive(Debug, Default)]
pub struct DynamicsSnapshot {
    integrator: Snapshot,
    inputs: Inputs,
    before: Inputs,
    stale: bool,
    energy: Account,
    /// Where sensors stand, and what the mechanism was then.
    switched: Option<Box<(Arc<Mechanism>, Switching)>>,
    /// The mechanism with the rows that were kept then; none where no choice is made while it moves.
    chosen: Option<Arc<Mechanism>>,
    guard: Option<Box<GuardPoint>>,
}

impl Dynamics {
    /// Moves the end time \[s\]; steps land on it exactly.
    ///
    /// # Errors
    /// [`Error::Integrator`] if it lies before the present time or is a NaN.
    pub fn set_end(&mut self, end: f64) -> Result<(), Error> {
        if let Some(switching) = &mut self.switching
            && !switching.set_end(end)?
        {
            return Ok(());
        }
        Ok(self.running.integrator_mut().set_end_time(end)?)
    }

    /// The inputs in force.
    #[must_use]
    pub fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    /// From the present time on the inputs are these polynomials about it: value, first and second derivative, one an input in the
    /// order of [`Mechanism::inputs`](crate::Mechanism::inputs). They may jump: Gear's method keeps its order and step, with a history
    /// in which the forces of now had always acted; its error test sees what is left of the jump, that of the rates of the forces.
    ///
    /// # Errors
    /// [`Error::Integrator`] for another number of inputs or one that is not finite; the inputs then stay as they were.
    pub fn set_inputs(&mut self, polynomials: impl ExactSizeIterator<Item = [f64; 3]> + Clone) -> Result<(), Error> {
        let since = self.time();
        if !self.stale {
            self.before.clone_from(&self.inputs);
        }
        self.inputs.set(&self.mechanism, since, polynomials)?;
        self.pass_inputs();
        self.stale = true;
        Ok(())
    }

    pub(super) fn pass_inputs(&mut self) {
        if let Some(switching) = &mut self.switching {
            switching.sensing_mut().set_inputs(&self.inputs);
        }
        self.running.inputs_mut().clone_from(&self.inputs);
        self.all_rows.inputs_mut().clone_from(&self.inputs);
        self.sampler.set_inputs(&self.inputs);
    }

    /// Tells the integrator of changed inputs before it takes the first step with them.
    pub(super) fn take_inputs(&mut self) -> Result<(), Error> {
        self.motion_at(self.time())?;
        if let Some(accelerations) = &mut self.accelerations
            && accelerations.change(&self.mechanism, &mut self.state, [&self.before, &self.inputs])?
        {
            self.running.jump(&self.state, &mut self.y)?;
        }
        self.stale = false;
        Ok(())
    }

    /// Rates of all measured scalars at the last step, by `rates`, for the present inputs; see [`Rates::sample`].
    ///
    /// # Errors
    /// As [`Rates::sample`].
    pub fn rates(&mut self, rates: &mut Rates, values: &mut [f64]) -> Result<(), Error> {
        self.motion_at(self.time())?;
        rates.set_inputs(&self.inputs);
        rates.sample(&self.mechanism, &mut self.state, values)
    }

    /// Saves everything on which the further steps depend.
    pub fn save(&self, snapshot: &mut DynamicsSnapshot) {
        self.running.integrator().save(&mut snapshot.integrator);
        snapshot.inputs.clone_from(&self.inputs);
        snapshot.before.clone_from(&self.before);
        snapshot.stale = self.stale;
        snapshot.energy = self.energy;
        let switched = |own: &Switching| Box::new((Arc::clone(&self.base), own.clone()));
        snapshot.switched = self.switching.as_deref().map(switched);
        snapshot.chosen = self.guard.is_some().then(|| Arc::clone(&self.mechanism));
        match &self.guard {
            Some(guard) => guard.save(&mut snapshot.guard),
            None => snapshot.guard = None,
        }
    }

    /// Returns to a checkpoint; the further steps are those that followed it, bit for bit, if the inputs are.
    ///
    /// # Errors
    /// [`Error::Integrator`] for the snapshot of another analysis.
    pub fn restore(&mut self, snapshot: &DynamicsSnapshot) -> Result<(), Error> {
        self.return_to(snapshot.switched.as_deref())?;
        if let Some(chosen) = &snapshot.chosen {
            self.keep_as(chosen)?;
        }
        if let (Some(guard), Some(point)) = (&mut self.guard, &snapshot.guard) {
            guard.restore(point);
        }
        self.running.integrator_mut().restore(&snapshot.integrator)?;
        self.inputs.clone_from(&snapshot.inputs);
        self.before.clone_from(&snapshot.before);
        self.stale = snapshot.stale;
        self.energy = snapshot.energy;
        self.pass_inputs();
        Ok(())
    }

    /// Goes back to the mechanism of a checkpoint, and to what its sensors had done.
    fn return_to(&mut self, switched: Option<&(Arc<Mechanism>, Switching)>) -> Result<(), Error> {
        let Some((mechanism, switching)) = switched else { return Ok(()) };
        if !Arc::ptr_eq(mechanism, &self.base) {
            *self = Self::bare(mechanism, switching.options(), mechanism.start(), Equations::fewest)?;
            if let Some(interrupt) = switching.interrupt() {
                self.running.set_interrupt(interrupt.clone());
            }
        }
        self.switching = Some(Box::new(switching.clone()));
        Ok(())
    }

    /// Goes on with the rows that `chosen` keeps; the integrator is to be restored.
    fn keep_as(&mut self, chosen: &Arc<Mechanism>) -> Result<(), Error> {
        if chosen.choice.mark != self.mechanism.choice.mark {
            self.motion_at(self.time())?;
            self.running.follow(chosen, &self.state)?;
        }
        self.mechanism = Arc::clone(chosen);
        Ok(())
    }

    /// Reads a point that [`DynamicsSnapshot::store`] wrote of an analysis of the same mechanism with the same options, in this process or
    /// another. The analysis stays where it is; [`Dynamics::restore`] goes there.
    ///
    /// # Errors
    /// [`CheckpointError::Content`] for what cannot be such a point; [`CheckpointError::InProcess`] for a mechanism with sensors or `active`.
    pub fn load(&self, from: &mut Source<'_>) -> Result<DynamicsSnapshot, CheckpointError> {
        if self.switching.is_some() {
            // It does not hold what sensors made of the mechanism.
            return Err(CheckpointError::InProcess { what: "a mechanism with sensors or `active`" });
        }
        let (integrator, chosen) = match from.value()? {
            true => {
                let mut dropped = self.base.dropped_rows();
                dropped.load(from)?;
                let foreign = |_| from.refuse("the rows that are kept");
                let mechanism = self.base.keeping_all_but(&dropped).map(Arc::new).ok_or(()).map_err(foreign)?;
                let begun = Self::bare(&self.base, &self.options, self.base.start(), Equations::fewest);
                let mut begun = begun.map_err(|_| from.refuse("the start of the analysis"))?;
                begun.keep_as(&mechanism).map_err(|_| from.refuse("the rows that are kept"))?;
                (begun.running.integrator().load(from)?, Some(mechanism))
            }
            false => (self.running.integrator().load(from)?, None),
        };
        let (inputs, before) = (self.inputs.clone(), self.before.clone());
        let mut snapshot = DynamicsSnapshot {
            integrator,
            inputs,
            before,
            stale: false,
            energy: self.energy,
            switched: None,
            chosen,
            guard: None,
        };
        if let Some(guard) = &self.guard {
            guard.save(&mut snapshot.guard);
        }
        if let Some(point) = &mut snapshot.guard {
            point.load(from)?;
        }
        snapshot.inputs.load(from)?;
        snapshot.before.load(from)?;
        snapshot.stale.load(from)?;
        snapshot.energy.load(from)?;
        Ok(snapshot)
    }
}

impl DynamicsSnapshot {
    /// Appends its bytes to `to`.
    pub fn store(&self, to: &mut Vec<u8>) {
        self.chosen.as_ref().map(|chosen| chosen.dropped_rows()).store(to);
        self.integrator.store(to);
        if let Some(point) = &self.guard {
            point.store(to);
        }
        self.inputs.store(to);
        self.before.store(to);
        self.stale.store(to);
        self.energy.store(to);
    }
}
