//! Conditions of forces, held on one side during a step.

use super::Loads;
use crate::dae::{Direction, EvalError, RootEvent};
use crate::expression::{Conditions, Program};
use crate::force::watched::Holding;
use crate::mechanism::Mechanism;
use crate::space::Pose;
use crate::state::Tracked;

impl Loads {
    /// Holds conditions from now on, on sides still to be chosen.
    pub(crate) fn hold(&mut self, mechanism: &Mechanism) {
        let count = mechanism.watched.count();
        self.holding = Holding { on: count > 0, sides: vec![f64::NAN; count], arguments: vec![0.0; count] };
    }

    /// Holds nothing any more: each evaluation takes the sides on which its point lies.
    pub(crate) fn let_go(&mut self) {
        self.holding.on = false;
    }

    /// Lets all sides be chosen anew at the next evaluation.
    pub(crate) fn release(&mut self) {
        self.holding.sides.fill(f64::NAN);
    }

    /// Inputs, breaks and sides as those of `other`.
    pub(crate) fn adopt(&mut self, other: &Self) {
        self.inputs.clone_from(&other.inputs);
        self.break_state.clone_from(&other.break_state);
        self.holding.clone_from(&other.holding);
    }

    /// The sides, to keep them.
    pub(crate) fn sides(&self) -> &[f64] {
        &self.holding.sides
    }

    /// Goes back to `sides`.
    pub(crate) fn restore_sides(&mut self, sides: &[f64]) {
        self.holding.sides.copy_from_slice(sides);
    }

    /// The arguments of the conditions at a point; 0 for those on which nothing depends there.
    pub(crate) fn watch(
        &mut self,
        mechanism: &Mechanism,
        t: f64,
        poses: &[Pose],
        tracked: &[Tracked],
        arguments: &mut [f64],
    ) -> Result<(), EvalError> {
        self.holding.arguments.fill(0.0);
        self.evaluate(mechanism, t, poses, tracked)?;
        arguments.copy_from_slice(&self.holding.arguments);
        Ok(())
    }

    /// Chooses the sides that are still to be chosen, at a point; forgets those of conditions on which nothing depends there.
    pub(crate) fn choose(
        &mut self,
        mechanism: &Mechanism,
        t: f64,
        poses: &[Pose],
        tracked: &[Tracked],
    ) -> Result<(), EvalError> {
        if !self.holding.on {
            return Ok(());
        }
        self.holding.arguments.fill(f64::NAN);
        self.evaluate(mechanism, t, poses, tracked)?;
        for (side, argument) in self.holding.sides.iter_mut().zip(&mut self.holding.arguments) {
            if argument.is_nan() {
                (*side, *argument) = (f64::NAN, 0.0);
            }
        }
        Ok(())
    }

    /// The sign that the argument at place `k` has on the side that is held.
    pub(crate) fn expected(&self, mechanism: &Mechanism, k: usize) -> Option<i8> {
        let (conditions, place, _) = mechanism.watched.find(k)?;
        conditions.expected(place, self.holding.sides[k])
    }

    /// Turns to the other sides what `events` tell; whether anything is held there.
    pub(crate) fn turn(&mut self, mechanism: &Mechanism, events: &[RootEvent]) -> bool {
        let mut turned = false;
        for event in events {
            let Some((conditions, place, _)) = mechanism.watched.find(event.index) else { continue };
            let first = event.index - place;
            let sides = &mut self.holding.sides[first..first + conditions.count()];
            turned |= conditions.turn(place, event.direction == Direction::Rising, sides);
        }
        turned
    }

    /// Value of a program.
    pub(super) fn value_of(&mut self, program: &Program, (conditions, first): &(Conditions, usize)) -> f64 {
        let Self { slots, stack, holding, .. } = self;
        if conditions.count() == 0 || !holding.on {
            return program.evaluate(slots, stack);
        }
        let range = *first..first + conditions.count();
        let mut held = conditions.hold(&mut holding.sides[range.clone()], &mut holding.arguments[range]);
        program.evaluate_held(|slot| slots.get(slot).copied().unwrap_or(f64::NAN), &mut held, stack)
    }

    /// Partial derivatives of a program, in `self.partials`.
    pub(super) fn gradient_of(&mut self, program: &Program, (conditions, first): &(Conditions, usize)) {
        let Self { slots, dual_stack, partials, holding, .. } = self;
        if conditions.count() == 0 || !holding.on {
            program.gradient(slots, partials, dual_stack);
            return;
        }
        let range = *first..first + conditions.count();
        let mut held = conditions.hold(&mut holding.sides[range.clone()], &mut holding.arguments[range]);
        program.gradient_held(slots, &mut held, partials, dual_stack);
    }
}
