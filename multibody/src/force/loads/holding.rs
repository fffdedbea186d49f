//! Conditions of forces, held on one side during a step.

use super::Loads;
use crate::dae::EvalError;
use crate::expression::{Conditions, Program};
use crate::integrator::{Direction, RootEvent};
use crate::mechanism::Mechanism;
use crate::space::Pose;
use crate::state::Tracked;

/// The conditions of the programs of a mechanism, and the first place of each among all that are watched.
#[derive(Debug, Clone, Default)]
pub(crate) struct Watched {
    /// Of measures that forces use, in the order of evaluation, and of the programs of forces.
    measures: Vec<(Conditions, usize)>,
    programs: Vec<(Conditions, usize)>,
    count: usize,
}

impl Watched {
    /// The conditions of `measures` and `programs`; none where a number comes from elsewhere.
    pub(crate) fn new<'a>(
        measures: impl Iterator<Item = Option<&'a Program>>,
        programs: impl Iterator<Item = Option<&'a Program>>,
    ) -> Self {
        let mut count = 0;
        let mut place = |program: Option<&Program>| {
            let conditions = program.map(|program| program.conditions(0)).unwrap_or_default();
            let first = count;
            count += conditions.count();
            (conditions, first)
        };
        let (measures, programs) = (measures.map(&mut place).collect(), programs.map(&mut place).collect());
        Self { measures, programs, count }
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    fn of_measure(&self, at: usize) -> &(Conditions, usize) {
        &self.measures[at]
    }

    /// What is watched at place `k`: its conditions, the place among them, and whose they are: a measure or a program.
    fn find(&self, k: usize) -> Option<(&Conditions, usize, Result<usize, usize>)> {
        let within = |(conditions, first): &(Conditions, usize)| (*first..first + conditions.count()).contains(&k);
        let measure = self.measures.iter().position(within).map(Ok);
        let owner = measure.or_else(|| self.programs.iter().position(within).map(Err))?;
        let (conditions, first) = match owner {
            Ok(at) => &self.measures[at],
            Err(p) => &self.programs[p],
        };
        Some((conditions, k - first, owner))
    }

    /// The measure or program that is watched at place `k`, by a number.
    pub(crate) fn function(&self, k: usize) -> usize {
        match self.find(k) {
            Some((.., Ok(at))) => at,
            Some((.., Err(p))) => self.measures.len() + p,
            None => usize::MAX,
        }
    }

    /// Name of what is watched at place `k`.
    pub(crate) fn name(&self, mechanism: &Mechanism, k: usize) -> String {
        match self.find(k) {
            Some((conditions, place, Ok(at))) => {
                let measure = &mechanism.measure_infos[mechanism.force_measures[at]].name;
                format!("{} in measure \"{measure}\"", conditions.name(place))
            }
            Some((conditions, place, Err(p))) => {
                format!("{} in force \"{}\"", conditions.name(place), mechanism.programs[p].owner)
            }
            None => format!("condition {k}"),
        }
    }
}

/// On which sides conditions are held.
#[derive(Debug, Clone, Default)]
pub(crate) struct Holding {
    /// Whether they are held at all.
    on: bool,
    sides: Vec<f64>,
    arguments: Vec<f64>,
}

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
        self.passage.clone_from(&other.passage);
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

impl Mechanism {
    /// Conditions of the measure at place `at` among those that forces use.
    pub(super) fn conditions_of_measure(&self, at: usize) -> &(Conditions, usize) {
        self.watched.of_measure(at)
    }

    /// Conditions of program `p` of a force.
    pub(super) fn conditions_of_program(&self, p: usize) -> &(Conditions, usize) {
        &self.watched.programs[p]
    }
}
