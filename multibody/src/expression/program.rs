//! Expressions whose names are bound: flat programs over slots, and their derivatives.
use num_dual::{Dual2_64, DualSVec64};
use std::sync::Arc;

use super::builder::Builder;
use super::code::{Binary, Op};
use super::conditions::Held;
use super::error::{ExpressionError, Problem};
use super::machine::{Free, execute};
use super::scalar::Scalar;
use super::spline::Surface;
use super::{Binding, Expression};

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

/// Binds the names of an expression. Constants are folded, and a conditional with a constant condition keeps only the
/// branch it takes.
pub(super) fn bind(
    expression: &Expression,
    resolve: &mut dyn FnMut(&str) -> Option<Binding>,
) -> Result<Program, ExpressionError> {
    if let Some(quantities) = &expression.quantities {
        quantities.check().map_err(|problem| ExpressionError::new(&expression.source, 0, problem))?;
    }
    let mut binder = Binder {
        loads: resolve_all(expression, resolve)?,
        families: Vec::new(),
        expression,
        builder: Builder::default(),
        open: Vec::new(),
        alone: Vec::new(),
    };
    binder.resolve_splines(resolve)?;
    let mut next = 0;
    while next < expression.code.len() {
        next = binder.take(next)?;
        binder.close(next);
    }
    if let Some(conversion) = &expression.conversion {
        binder.scale(conversion.value, 0)?;
    }
    Ok(finish(binder.builder))
}

/// Copies the operations of an expression into a program.
struct Binder<'a> {
    expression: &'a Expression,
    /// What replaces each variable.
    loads: Vec<Op>,
    /// Whether each spline is a family of curves.
    families: Vec<bool>,
    builder: Builder,
    /// Conditionals of which both branches are kept, the innermost last.
    open: Vec<Open>,
    /// First branches that stand alone: the index of the jump behind them, and where it goes.
    alone: Vec<(usize, usize)>,
}

/// A conditional that is being copied: its end in the expression, its operations in the program.
struct Open {
    end: usize,
    branch: usize,
    jump: usize,
}

impl Binder<'_> {
    /// Copies the operation of this index; returns the index of the next one.
    fn take(&mut self, index: usize) -> Result<usize, ExpressionError> {
        let place = self.expression.places[index];
        match self.expression.code[index] {
            Op::Branch { otherwise, end } => match self.builder.constant() {
                Some(condition) => {
                    self.builder.pop();
                    if condition.is_nan() {
                        self.emit(Op::Constant(f64::NAN), place)?;
                        return Ok(end);
                    }
                    if condition == 0.0 {
                        return Ok(otherwise);
                    }
                    self.alone.push((otherwise - 1, end));
                }
                None => {
                    let branch = self.builder.branch(place);
                    self.open.push(Open { end, branch, jump: branch });
                }
            },
            Op::Jump(_) => {
                if let Some((_, end)) = self.alone.pop_if(|(jump, _)| *jump == index) {
                    return Ok(end);
                }
                let jump = self.builder.jump(place);
                if let Some(conditional) = self.open.last_mut() {
                    conditional.jump = jump;
                }
            }
            Op::Load(variable) => {
                self.emit(self.loads[variable], place)?;
                if let Some(conversion) = &self.expression.conversion {
                    self.scale(1.0 / conversion.variables[variable], place)?;
                }
            }
            Op::Spline { index, order, family } => self.spline(index, order, family, place)?,
            op => self.emit(op, place)?,
        }
        Ok(index + 1)
    }

    /// Finds the splines of the expression.
    fn resolve_splines(&mut self, resolve: &mut dyn FnMut(&str) -> Option<Binding>) -> Result<(), ExpressionError> {
        for used in &self.expression.splines {
            let name = used.name.clone();
            let problem = match resolve(&name) {
                Some(Binding::Spline(spline)) => {
                    self.builder.surfaces.push(Arc::clone(spline.interpolated(used.by)));
                    self.families.push(spline.is_family());
                    continue;
                }
                Some(_) => Problem::NotASpline { name },
                None => Problem::UnknownSpline { name, nearest: None },
            };
            return Err(ExpressionError::new(&self.expression.source, used.place, problem));
        }
        Ok(())
    }

    /// A spline with as many arguments as it needs: of a single curve z is 0, and left out.
    fn spline(&mut self, index: usize, order: u8, family: bool, place: usize) -> Result<(), ExpressionError> {
        if family && !self.families[index] && self.builder.constant() == Some(0.0) {
            self.builder.pop();
        } else if family != self.families[index] {
            let used = &self.expression.splines[index];
            let problem = Problem::SplineFamily { name: used.name.clone(), family: self.families[index] };
            return Err(ExpressionError::new(&self.expression.source, used.place, problem));
        }
        self.emit(Op::Spline { index, order, family: self.families[index] }, place)
    }

    /// Multiplies the value on top.
    fn scale(&mut self, factor: f64, place: usize) -> Result<(), ExpressionError> {
        if factor == 1.0 {
            return Ok(());
        }
        self.emit(Op::Constant(factor), place)?;
        self.emit(Op::Binary(Binary::Multiply), place)
    }

    /// Ends the conditionals that end before the operation of this index.
    fn close(&mut self, index: usize) {
        while let Some(conditional) = self.open.pop_if(|open| open.end == index) {
            self.builder.join(conditional.branch, conditional.jump);
        }
    }

    fn emit(&mut self, op: Op, place: usize) -> Result<(), ExpressionError> {
        let source = &self.expression.source;
        let located = |problem| ExpressionError::new(source, place, problem);
        self.builder.emit(op, place).map_err(located)
    }
}

/// What each variable of the expression is replaced by.
fn resolve_all(
    expression: &Expression,
    resolve: &mut dyn FnMut(&str) -> Option<Binding>,
) -> Result<Vec<Op>, ExpressionError> {
    let uses = expression.variables.iter().zip(&expression.first_uses);
    uses.map(|(name, &offset)| {
        let fail = |problem| Err(ExpressionError::new(&expression.source, offset, problem));
        match resolve(name) {
            Some(Binding::Slot(slot)) => Ok(Op::Load(slot)),
            Some(Binding::Constant(value)) if value.is_finite() => Ok(Op::Constant(value)),
            Some(Binding::Constant(value)) => {
                let name = name.clone();
                fail(Problem::NotFinite { name, value })
            }
            Some(Binding::Spline(_)) => fail(Problem::BareSpline { name: name.clone() }),
            None => {
                let name = name.clone();
                let nearest = None;
                fail(Problem::UnknownName { name, nearest })
            }
        }
    })
    .collect()
}

fn finish(builder: Builder) -> Program {
    let depth = builder.deepest();
    let (code, _, surfaces) = builder.into_parts();
    Program { slots: slots_of(&code), code, surfaces, depth }
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
