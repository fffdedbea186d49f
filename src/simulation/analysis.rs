//! Analyses at the state of a simulation.

use super::Simulation;
use crate::Error;
use fourbar_multibody::analysis::{Equilibrium, Linearization};

impl Simulation {
    /// Goes to the static equilibrium that lies below the positions of now, for the inputs of now, at rest; the method begins anew there.
    ///
    /// # Errors
    /// [`Error::Multibody`] if there is none: nothing has changed then; [`Error::WithContacts`] where contacts are followed.
    pub fn find_equilibrium(&mut self) -> Result<Equilibrium, Error> {
        self.refuse_contacts("static analysis")?;
        self.solve()?;
        let found = Equilibrium::find(self.compiled.mechanism(), self.solved.state(), &self.inputs)?;
        self.set_state(&found.state)?;
        Ok(found)
    }

    /// The mechanism near its state of now as a linear system.
    ///
    /// # Errors
    /// [`Error::Multibody`] at a singular position or where forces cannot be evaluated nearby; [`Error::WithContacts`] where contacts are followed.
    pub fn linearize(&mut self) -> Result<Linearization, Error> {
        self.refuse_contacts("linearization")?;
        self.solve()?;
        Ok(Linearization::new(self.compiled.mechanism(), self.solved.state(), &self.inputs)?)
    }

    fn refuse_contacts(&self, analysis: &'static str) -> Result<(), Error> {
        match self.compiled.contacts() {
            Some(_) => Err(Error::WithContacts { analysis }),
            None => Ok(()),
        }
    }
}
