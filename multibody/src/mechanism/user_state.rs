//! The unknowns of the user, compiled.

use super::Mechanism;

/// An unknown x of the user: x' = f or 0 = f.
#[derive(Debug, Clone, PartialEq)]
pub struct UserState {
    /// Name in the model.
    pub name: String,
    /// f among the programs of the mechanism.
    pub(crate) program: usize,
    /// Whether 0 = f, and x is algebraic.
    pub implicit: bool,
    /// Value at the start, or a guess of it.
    pub start: f64,
    /// Typical size.
    pub size: f64,
}

impl Mechanism {
    /// Unknowns of the user, in the order of the model. Their values follow those of motions in [`State::drives`](crate::State::drives).
    #[must_use]
    pub fn user_states(&self) -> &[UserState] {
        &self.states
    }

    /// Their values among `drives`, which is [`State::drives`](crate::State::drives).
    #[must_use]
    pub fn states_in<'a>(&self, drives: &'a [f64]) -> &'a [f64] {
        // Initial conditions of joints are sought without them.
        drives.get(self.drive_unknowns()..).filter(|states| states.len() == self.states.len()).unwrap_or(&[])
    }

    /// The same, to change them.
    pub fn states_in_mut<'a>(&self, drives: &'a mut [f64]) -> &'a mut [f64] {
        let first = drives.len() - self.states.len().min(drives.len());
        &mut drives[first..]
    }

    /// Whether an unknown of the user has an equation 0 = f.
    pub(crate) fn has_implicit_states(&self) -> bool {
        self.states.iter().any(|state| state.implicit)
    }

    /// The unknown of the user whose equation program `p` is.
    pub(crate) fn state_of_program(&self, p: usize) -> Option<usize> {
        self.states.iter().position(|state| state.program == p)
    }

    /// Forces, flexible bodies or unknowns of the user whose values are to be evaluated.
    pub(crate) fn is_loaded(&self) -> bool {
        self.force_count() > 0 || !self.states.is_empty() || !self.flexible.is_empty()
    }

    /// What program `p` belongs to, for messages.
    pub(crate) fn program_owner(&self, p: usize) -> String {
        let what = if self.state_of_program(p).is_some() { "state" } else { "force" };
        format!("{what} \"{}\"", self.programs[p].owner)
    }
}
