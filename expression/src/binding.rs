//! What the names of an expression stand for, and the program that it is with them.
use super::builder::Builder;
use super::code::{Binary, Op};
use super::error::{ExpressionError, Problem};
use super::expression::Expression;
use super::program::Program;
use super::spline::Spline;
use std::sync::Arc;

/// What a name of an expression stands for.
#[derive(Debug, Clone, PartialEq)]
pub enum Binding {
    /// A number that is known when the model is compiled.
    Constant(f64),
    /// The value in the slot of this index, given at each evaluation.
    Slot(usize),
    /// A spline, which `akispl` and `cubspl` name.
    Spline(Arc<Spline>),
}

impl Expression {
    /// The value, if the expression uses no names.
    ///
    /// ```
    /// use fourbar_expression::Expression;
    /// assert_eq!(Expression::parse("2 * 3 + 1")?.value(), Some(7.0));
    /// assert_eq!(Expression::parse("2 * time")?.value(), None);
    /// # Ok::<(), fourbar_expression::ExpressionError>(())
    /// ```
    #[must_use]
    pub fn value(&self) -> Option<f64> {
        if !self.variables.is_empty() {
            return None;
        }
        // Without names, only conditionals are left to be folded, which binding does.
        bind(self, &mut |_| None).ok()?.is_constant()
    }

    /// Compiles the expression; `resolve` says what each of [`Self::variables`] and the splines that it names stand for.
    ///
    /// # Errors
    /// A name that `resolve` does not know ([`ExpressionError::suggest`] adds the nearest known one), a constant
    /// that is not finite, a step over an interval that the constants make empty, a spline in the place of a number or the reverse.
    pub fn bind(&self, resolve: &mut dyn FnMut(&str) -> Option<Binding>) -> Result<Program, ExpressionError> {
        bind(self, resolve)
    }
}

/// Binds the names of an expression. Constants are folded, and a conditional with a constant condition keeps only the
/// branch it takes.
fn bind(expression: &Expression, resolve: &mut dyn FnMut(&str) -> Option<Binding>) -> Result<Program, ExpressionError> {
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
    Ok(Program::of(binder.builder))
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
