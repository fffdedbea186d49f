//! Expressions whose names are bound: flat programs over slots, and their derivatives.
use num_dual::{Dual2_64, DualSVec64};
use std::sync::Arc;

use super::builder::Builder;
use super::code::Op;
use super::conditions::Held;
use super::machine::{Free, execute};
use super::scalar::Scalar;
use super::spline::Surface;

/// How many partial derivatives [`Program::gradient`] computes in one run.
pub const GRADIENT_WIDTH: usize = 4;

/// An expression whose names are bound to slots and constants.
///
/// A flat list of operations without calls through pointers; running it allocates nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Program {
    pub(super) code: Vec<Op>,
    pub(super) surfaces: Vec<Arc<Surface>>,
    slots: Vec<usize>,
    depth: usize,
}

/// The scratch memory of programs that run on the numbers `T`.
#[derive(Debug, Clone)]
pub struct Stack<T> {
    values: Vec<T>,
}

/// The scratch memory of [`Program::gradient`] and [`Program::gradient_held`].
pub type GradientStack = Stack<DualSVec64<GRADIENT_WIDTH>>;

impl<T: Scalar> Stack<T> {
    /// A stack for programs of the given [`Program::depth`].
    #[must_use]
    pub fn new(depth: usize) -> Self {
        Self { values: vec![T::from(0.0); depth] }
    }

    /// A stack for all of these programs.
    pub fn for_programs<'a>(programs: impl IntoIterator<Item = &'a Program>) -> Self {
        Self::new(programs.into_iter().map(Program::depth).max().unwrap_or(0))
    }

    /// The first `depth` values. Grows a stack that was made for smaller programs, the first time only.
    pub(super) fn take(&mut self, depth: usize) -> &mut [T] {
        if self.values.len() < depth {
            self.values.resize(depth, T::from(0.0));
        }
        &mut self.values[..depth]
    }
}

impl Program {
    /// The program of a number.
    #[must_use]
    pub fn constant(value: f64) -> Self {
        Self { code: vec![Op::Constant(value)], surfaces: Vec::new(), slots: Vec::new(), depth: 1 }
    }

    /// The program of the operations that were emitted.
    pub(super) fn of(builder: Builder) -> Self {
        let depth = builder.deepest();
        let (code, _, surfaces) = builder.into_parts();
        Self { slots: slots_of(&code), code, surfaces, depth }
    }

    /// The slots that the value can depend on, in ascending order.
    #[must_use]
    pub fn slots(&self) -> &[usize] {
        &self.slots
    }

    /// The value, if it depends on no slot.
    #[must_use]
    pub fn is_constant(&self) -> Option<f64> {
        match self.code[..] {
            [Op::Constant(value)] => Some(value),
            _ => None,
        }
    }

    /// How many values the program stacks at most.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// The value, where slot i has the value `slots[i]`.
    ///
    /// A slot beyond the end of `slots` has the value NaN, and so has then the result.
    #[inline]
    pub fn evaluate<T: Scalar>(&self, slots: &[T], stack: &mut Stack<T>) -> T {
        let read = |slot: usize| match slots.get(slot) {
            Some(value) => *value,
            None => T::from(f64::NAN),
        };
        self.evaluate_with(read, stack)
    }

    /// The value, where slot i has the value `read(i)`: for dual numbers, which the caller then need not store.
    #[inline]
    pub fn evaluate_with<T: Scalar>(&self, read: impl Fn(usize) -> T, stack: &mut Stack<T>) -> T {
        execute(&self.code, &self.surfaces, read, stack.take(self.depth), &mut Free)
    }

    /// The value at `slots`; its partial derivative with respect to slot `self.slots()[k]` goes to `partials[k]`.
    ///
    /// `partials` has the length of [`Self::slots`]; if it is shorter, the last derivatives are left out.
    pub fn gradient(&self, slots: &[f64], partials: &mut [f64], stack: &mut Stack<DualSVec64<GRADIENT_WIDTH>>) -> f64 {
        self.gradient_of(slots, partials, |read| self.evaluate_with(read, stack))
    }

    /// As [`Program::gradient`], with conditions held.
    pub fn gradient_held(
        &self,
        slots: &[f64],
        held: &mut Held<'_>,
        partials: &mut [f64],
        stack: &mut Stack<DualSVec64<GRADIENT_WIDTH>>,
    ) -> f64 {
        self.gradient_of(slots, partials, |read| self.evaluate_held(read, held, stack))
    }

    fn gradient_of(
        &self,
        slots: &[f64],
        partials: &mut [f64],
        mut evaluate: impl FnMut(&dyn Fn(usize) -> DualSVec64<GRADIENT_WIDTH>) -> DualSVec64<GRADIENT_WIDTH>,
    ) -> f64 {
        let at = |slot: usize| DualSVec64::from(slots.get(slot).copied().unwrap_or(f64::NAN));
        let mut value = None;
        let groups = self.slots.chunks(GRADIENT_WIDTH);
        for (group, out) in groups.zip(partials.chunks_mut(GRADIENT_WIDTH)) {
            let seeded = |slot| match group.iter().position(|of_group| *of_group == slot) {
                Some(index) => at(slot).derivative(index),
                None => at(slot),
            };
            let result = evaluate(&seeded);
            value = Some(result.re);
            for (index, partial) in out.iter_mut().enumerate() {
                *partial = result.eps.0.map_or(0.0, |eps| eps[index]);
            }
        }
        value.unwrap_or_else(|| evaluate(&at).re)
    }

    /// The same program with its constants in slots from `first` on, which `constants` is filled with: what their rounding does to the value
    /// is then told by its partial derivatives. Its operations keep their places, so that conditions and breaks are those of `self`, which
    /// must be asked for them.
    #[must_use]
    pub fn with_constants_in_slots(mut self, first: usize, constants: &mut Vec<f64>) -> Self {
        for op in &mut self.code {
            if let Op::Constant(value) = *op {
                *op = Op::Load(first + constants.len());
                constants.push(value);
            }
        }
        self.slots = slots_of(&self.code);
        self
    }

    /// For a program of the time alone: its value and its first and second derivative at `time`.
    ///
    /// Every slot is read as the time.
    pub fn time_derivatives(&self, time: f64, stack: &mut Stack<Dual2_64>) -> [f64; 3] {
        let result = self.evaluate_with(|_| Dual2_64::from(time).derivative(), stack);
        [result.re, result.v1, result.v2]
    }
}

/// The slots that the operations load, in ascending order.
fn slots_of(code: &[Op]) -> Vec<usize> {
    let load = |op: &Op| match op {
        Op::Load(slot) => Some(*slot),
        _ => None,
    };
    let mut slots: Vec<usize> = code.iter().filter_map(load).collect();
    slots.sort_unstable();
    slots.dedup();
    slots
}
