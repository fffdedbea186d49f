//! Analyses at the state of a simulation.

use super::Simulation;
use crate::Error;
use crate::analysis::closed_contacts::{ClosedContacts, Purpose};
use fourbar_multibody::State;
use fourbar_multibody::analysis::{Equilibrium, Linearization, Sampler, hold};

impl Simulation {
    /// Goes to the static equilibrium that lies below the positions of now, for the inputs of now, at rest; the method begins anew there.
    /// Contacts are closed as they stand; they close on the way where they would overlap, and open where they would pull.
    ///
    /// # Errors
    /// [`Error::Multibody`] if there is none: nothing has changed then.
    pub fn find_equilibrium(&mut self) -> Result<Equilibrium, Error> {
        self.solve()?;
        let (mechanism, state) = (self.compiled.mechanism(), self.solved.state());
        let found = match self.closed_contacts(Purpose::Statics)? {
            Some(mut contacts) => Equilibrium::find_with(mechanism, state, state.time, &self.inputs, &mut contacts)?,
            None => Equilibrium::find(mechanism, state, &self.inputs)?,
        };
        self.set_state(&found.state)?;
        Ok(found)
    }

    /// The mechanism near its state of now as a linear system, with contacts closed as they are: the normal direction, and the tangential ones where
    /// friction sticks. Contacts that would pull are open.
    ///
    /// # Errors
    /// [`Error::Multibody`] at a singular position or where forces cannot be evaluated nearby.
    pub fn linearize(&mut self) -> Result<Linearization, Error> {
        self.solve()?;
        let held = self.held()?;
        let mechanism = self.compiled.mechanism();
        Ok(match held {
            Some(Held { mut contacts, state, .. }) => {
                Linearization::with(mechanism, &state, &self.inputs, &mut contacts)?
            }
            None => Linearization::new(mechanism, self.solved.state(), &self.inputs)?,
        })
    }

    fn closed_contacts(&self, purpose: Purpose) -> Result<Option<ClosedContacts>, Error> {
        let (mechanism, state) = (self.compiled.mechanism(), self.solved.state());
        let of = |set: &fourbar_contact::pair::ContactSet| ClosedContacts::new(set.clone(), mechanism, state, purpose);
        self.compiled.contacts().map(of).transpose()
    }

    /// The contacts that hold the mechanism at its state of now, and its measures with them; none without contacts.
    pub(crate) fn held(&mut self) -> Result<Option<Held>, Error> {
        self.solve()?;
        let Some(mut contacts) = self.closed_contacts(Purpose::Linear)? else { return Ok(None) };
        let (mechanism, mut state) = (self.compiled.mechanism(), self.solved.state().clone());
        let loads = hold(mechanism, &mut state, &self.inputs, &mut contacts)?;
        let mut sampler = Sampler::new(mechanism, &state)?;
        sampler.set_inputs(&self.inputs);
        let mut measures = vec![0.0; mechanism.measures().len()];
        sampler.sample_loaded(mechanism, &mut state.clone(), &loads, &mut measures)?;
        Ok(Some(Held { contacts, state, measures }))
    }
}

/// A mechanism held by contacts.
pub(crate) struct Held {
    pub(crate) contacts: ClosedContacts,
    pub(crate) state: State,
    pub(crate) measures: Vec<f64>,
}
