//! The state of a stepper saved, put back, and written as bytes.

use super::Stepper;
use super::state::StepperState;
use crate::{Discretization, Error, StateSpace};
use fourbar_linalg::checkpoint::{Fingerprint, Header, Stored};

impl Stepper {
    /// A copy of everything that changes.
    #[must_use]
    pub fn save(&self) -> StepperState {
        self.state.clone()
    }

    /// The same into a copy made before by a stepper of the same system, step and method; allocates nothing.
    ///
    /// # Errors
    /// [`Error::ForeignState`] as [`Stepper::restore`]: the copy is then what it was.
    pub fn save_into(&self, saved: &mut StepperState) -> Result<(), Error> {
        self.check_own(saved)?;
        saved.clone_from(&self.state);
        Ok(())
    }

    /// Back to a saved state, bitwise; allocates nothing.
    ///
    /// # Errors
    /// [`Error::ForeignState`] when it was saved by a stepper of another system, step or method.
    pub fn restore(&mut self, saved: &StepperState) -> Result<(), Error> {
        self.check_own(saved)?;
        self.state.clone_from(saved);
        Ok(())
    }

    fn check_own(&self, saved: &StepperState) -> Result<(), Error> {
        let dimensions = |state: &StepperState| (state.states, state.samples.len());
        if saved.origin != self.state.origin || dimensions(saved) != dimensions(&self.state) {
            return Err(Error::ForeignState { saved: dimensions(saved), own: dimensions(&self.state) });
        }
        Ok(())
    }

    /// The bytes of a saved state, from which [`Stepper::state_from_bytes`] makes it again, in this process or another.
    ///
    /// # Errors
    /// [`Error::ForeignState`] as [`Stepper::restore`].
    pub fn state_to_bytes(&self, saved: &StepperState) -> Result<Vec<u8>, Error> {
        self.check_own(saved)?;
        Ok(self.header().write(|to| saved.store(to)))
    }

    /// The saved state whose bytes these are, written by a stepper of the same system, step and method. This one stays where it is.
    ///
    /// # Errors
    /// [`Error::Checkpoint`] for bytes that are damaged, of another system, step or method, or of another version of this library.
    pub fn state_from_bytes(&self, bytes: &[u8]) -> Result<StepperState, Error> {
        let mut from = self.header().read(bytes)?;
        let mut saved = self.state.clone();
        saved.load(&mut from)?;
        from.finish()?;
        Ok(saved)
    }

    fn header(&self) -> Header {
        Header { kind: "a stepper", fingerprint: self.state.origin }
    }
}

/// What tells the states of steppers apart: the matrices of the system, the step and the method.
pub(super) fn origin(system: &StateSpace, main: &Discretization) -> u64 {
    let matrices = [system.a(), system.b(), system.c(), system.d()];
    let sum = matrices
        .iter()
        .fold(Fingerprint::default(), |sum, matrix| sum.data(&matrix.shape()).numbers(matrix.as_slice()));
    sum.numbers(&[main.step()]).data(main.method()).value()
}
