//! Time stepping as bytes, to go on from in another process.

use super::body_space::Free;
use super::impact::Impact;
use super::step_workspace::Workbench;
use super::{ContactRecord, StepRecord, TimeStepper};
use crate::friction::GlobalSolution;
use crate::scene_scales::SceneScales;
use crate::unilateral::Contacts;
use fourbar_linalg::checkpoint::{CheckpointError, Source, Stored, store_list};
use fourbar_linalg::stored;

impl<C: Contacts> TimeStepper<C> {
    /// Appends everything on which the further steps depend, and the record of the last one.
    pub fn store(&self, to: &mut Vec<u8>) {
        self.options.step.store(to);
        self.bench.store(to);
        if let Some(free) = &self.free {
            free.store(to);
        }
    }

    /// The stepper that [`TimeStepper::store`] wrote, of the same mechanism with the same contacts and options; it goes on as that one, bit for
    /// bit.
    ///
    /// # Errors
    /// [`CheckpointError::Content`] for what cannot be such a stepper.
    pub fn loaded(&self, from: &mut Source<'_>) -> Result<Self, CheckpointError>
    where
        C: Clone,
    {
        let mut stepper = self.clone();
        let step = from.value()?;
        stepper.set_step(step).map_err(|_| from.refuse("the step"))?;
        stepper.bench.load(from)?;
        if let Some(free) = &mut stepper.free {
            free.load(from)?;
        }
        Ok(stepper)
    }
}

impl<C: Contacts> Workbench<C> {
    fn store(&self, to: &mut Vec<u8>) {
        Stored::store(&self.configuration, to);
        self.state.store(to);
        self.scales.store(to);
        self.impact.store(to);
        self.record.store(to);
        store_list(&self.contacts_done, to);
        store_list(&self.guess, to);
    }

    /// Contacts within reach are found again where it stands, since [`Workbench::set_step`] forgot them.
    fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        self.configuration.load(from)?;
        self.state.load(from)?;
        self.scales.load(from)?;
        self.take_scales();
        self.impact.load(from)?;
        self.record.load(from)?;
        from.list(&mut self.contacts_done)?;
        from.list(&mut self.guess)?;
        self.configuration.evaluate(&self.state).map_err(|_| from.refuse("the state"))
    }
}

stored!(struct SceneScales { length, mass, acceleration, speed, extent });
// The energy that bodies were given; the rest is of one step.
stored!(struct Impact { debt, debt_before });
stored!(struct ContactRecord { id, gap, closing_speed, impulse });
stored!(struct StepRecord {
    time,
    contacts,
    active,
    gap,
    impulse,
    kinetic,
    potential,
    violation,
    rate_violation,
    projections,
    impact_energy,
    replaced,
    overlap,
    deepest,
    depth,
    hardest,
    out_of_budget,
    residual,
});

/// The impulses from which the next step starts.
impl Free {
    fn store(&self, to: &mut Vec<u8>) {
        store_list(&self.ids, to);
        self.solution.store(to);
    }

    fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        from.list(&mut self.ids)?;
        self.solution.load(from)?;
        // One for each contact of the last step.
        if self.ids.len() == self.solution.impulses.len() { Ok(()) } else { Err(from.refuse("the impulses")) }
    }
}

impl Stored for GlobalSolution {
    fn store(&self, to: &mut Vec<u8>) {
        store_list(&self.velocities, to);
        store_list(&self.impulses, to);
        store_list(&self.bilateral, to);
        self.residual.store(to);
        [self.sweeps, self.factorizations].store(to);
        self.islands.store(to);
        self.out_of_budget.store(to);
    }
    fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        from.list(&mut self.velocities)?;
        from.list(&mut self.impulses)?;
        from.list(&mut self.bilateral)?;
        self.residual.load(from)?;
        [self.sweeps, self.factorizations] = from.value()?;
        self.islands.load(from)?;
        self.out_of_budget.load(from)
    }
}
