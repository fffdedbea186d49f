//! Programs that keep to one side of their conditions.

use super::conditions::{Conditions, Held};
use super::machine::execute;
use super::program::Program;
use super::program::Stack;
use super::scalar::Scalar;

impl Program {
    /// The conditions that no time is known for beforehand ([`Program::breaks`] tells the others), `time` being the slot of the time.
    #[must_use]
    pub fn conditions(&self, time: usize) -> Conditions {
        Conditions::new(&self.code, self.watched(time))
    }

    /// The value with conditions held; `held` gets the arguments that are watched. Where the side held has no value (a root of
    /// what is negative beyond), that of the other.
    pub fn evaluate_held<T: Scalar>(&self, read: impl Fn(usize) -> T, held: &mut Held<'_>, stack: &mut Stack<T>) -> T {
        let value = execute(&self.code, &self.surfaces, &read, stack.take(self.depth()), held);
        if value.re().is_finite() { value } else { self.evaluate_with(read, stack) }
    }
}
