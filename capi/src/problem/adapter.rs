//! Equations of the host as a [`Dae`] and, where they are explicit, as an [`Ode`].

use std::ptr;
use std::sync::Arc;

use fourbar::dae::interrupt::{self, Interrupt};
use fourbar::dae::ode::Ode;
use fourbar::dae::{Dae, Differences, EvalError, Unknown};
use fourbar::linalg::SparsityPattern;

use super::pattern::Pattern;
use super::table::{Form, Rhs, Table, finite, judge};
use crate::abi::environment::of_host;
use crate::abi::error::Failure;

/// Part of its typical magnitude below which an unknown counts as that much for its increment: with 1e-3 the difference keeps five digits
/// beside terms of typical size, and quadratic terms of Robertson's kinetics (3e7 y^2) come out to 1e-3. (The absolute tolerance, which
/// IDA takes, is too small: beside it y1 + y2 + y3 - 1 does not change.)
const FLOOR: f64 = 1e-3;

/// The host's functions in messages.
const RESIDUAL: &str = "the residual function";
const RHS: &str = "the rhs function";
const JACOBIAN: &str = "the jacobian function";
const ROOTS: &str = "the roots function";

/// The host's functions with the workspace of one integration.
pub(super) struct Adapter {
    pub(super) table: Arc<Table>,
    pattern: Arc<Pattern>,
    /// Where the host gives no matrix.
    differences: Option<Differences>,
    /// Evaluations spent on differences.
    pub(super) differenced: u64,
    /// df/dy as the host orders it.
    given: Vec<f64>,
}

impl Adapter {
    /// For methods that solve with the matrix.
    pub(super) fn implicit(table: &Arc<Table>) -> Result<Self, Failure> {
        let pattern = Arc::clone(table.pattern()?);
        let differences = table.jacobian.is_none().then(|| {
            let floors: Vec<f64> = table.unknowns.iter().map(|unknown| FLOOR * unknown.typical).collect();
            Differences::new(&pattern.whole, &floors)
        });
        let given = if differences.is_none() { vec![0.0; pattern.given.len()] } else { Vec::new() };
        Ok(Self { table: Arc::clone(table), pattern, differences, differenced: 0, given })
    }

    /// For those that evaluate f alone.
    pub(super) fn explicit(table: &Arc<Table>) -> Self {
        let (table, pattern) = (Arc::clone(table), Arc::new(Pattern::none()));
        Self { table, pattern, differences: None, differenced: 0, given: Vec::new() }
    }

    fn evaluate_roots(&self, t: f64, y: &[f64], yp: &[f64], roots: &mut [f64]) -> Result<(), EvalError> {
        let table = &self.table;
        unwritten(roots);
        match table.roots {
            // SAFETY: the host's function with arrays of the lengths it was promised.
            Some(function) => unsafe {
                let returned = of_host(|| function(table.user.0, t, y.as_ptr(), yp.as_ptr(), roots.as_mut_ptr()));
                judge(returned, ROOTS, t)?;
                finite(roots, ROOTS, t, |i| format!("root function {i}"))
            },
            None => Ok(()),
        }
    }
}

/// What a function of the host forgets to write is no number, and is told as such; what was there before would be a wrong one.
fn unwritten(values: &mut [f64]) {
    values.fill(f64::NAN);
}

impl Table {
    /// F(t, y, y'), or y' - f(t, y).
    fn evaluate(&self, t: f64, y: &[f64], yp: &[f64], residual: &mut [f64]) -> Result<(), EvalError> {
        interrupt::check(&Interrupt::never(), t)?;
        match self.form {
            Form::Residual(function) => {
                unwritten(residual);
                // SAFETY: the host's function with arrays of the lengths it was promised.
                let returned =
                    of_host(|| unsafe { function(self.user.0, t, y.as_ptr(), yp.as_ptr(), residual.as_mut_ptr()) });
                judge(returned, RESIDUAL, t)?;
                finite(residual, RESIDUAL, t, |i| format!("equation {i}"))
            }
            Form::Rhs(function) => {
                self.slope(function, t, y, residual)?;
                residual.iter_mut().zip(yp).for_each(|(r, yp)| *r = yp - *r);
                Ok(())
            }
            Form::Mechanism(..) => Err(without_function(t)),
        }
    }

    /// f(t, y).
    fn slope(&self, function: Rhs, t: f64, y: &[f64], slope: &mut [f64]) -> Result<(), EvalError> {
        interrupt::check(&Interrupt::never(), t)?;
        unwritten(slope);
        // SAFETY: the host's function with arrays of the lengths it was promised.
        let returned = of_host(|| unsafe { function(self.user.0, t, y.as_ptr(), slope.as_mut_ptr()) });
        judge(returned, RHS, t)?;
        finite(slope, RHS, t, |i| format!("the derivative of {}", self.name(i)))
    }
}

/// Equations that have no right-hand side, or those of a mechanism, which are evaluated without an adapter.
fn without_function(time: f64) -> EvalError {
    EvalError::Fatal { element: RHS.into(), time, reason: "these equations have no function of the host for it".into() }
}

/// y' - f(t, y) has the matrix c I - df/dy.
fn explicit_matrix(pattern: &Pattern, c: f64, given: &[f64], values: &mut [f64]) {
    values.fill(0.0);
    given.iter().zip(&pattern.given).for_each(|(value, &at)| values[at] = -value);
    pattern.diagonal.iter().for_each(|&at| values[at] += c);
}

impl Dae for Adapter {
    fn dimension(&self) -> usize {
        self.table.unknowns.len()
    }
    fn unknowns(&self) -> &[Unknown] {
        &self.table.unknowns
    }
    fn unknown_name(&self, i: usize) -> String {
        self.table.name(i)
    }
    fn pattern(&self) -> &SparsityPattern {
        &self.pattern.whole
    }
    fn residual(&mut self, t: f64, y: &[f64], yp: &[f64], residual: &mut [f64]) -> Result<(), EvalError> {
        self.table.evaluate(t, y, yp, residual)
    }
    fn jacobian(&mut self, t: f64, y: &[f64], yp: &[f64], c: f64, values: &mut [f64]) -> Result<(), EvalError> {
        let Self { table, pattern, differences, differenced, given } = self;
        if let Some(differences) = differences {
            *differenced += differences.evaluations() as u64;
            return differences.evaluate(&pattern.whole, y, yp, c, values, |y, yp, f| table.evaluate(t, y, yp, f));
        }
        let Some(function) = table.jacobian else { return Ok(()) };
        let entry = |k| format!("entry {k}");
        unwritten(if let Form::Residual(_) = table.form { &mut *values } else { &mut *given });
        // SAFETY: the host's function with arrays of the lengths it was promised.
        unsafe {
            if let Form::Residual(_) = table.form {
                let returned = of_host(|| function(table.user.0, t, y.as_ptr(), yp.as_ptr(), c, values.as_mut_ptr()));
                judge(returned, JACOBIAN, t)?;
                return finite(values, JACOBIAN, t, entry);
            }
            let returned = of_host(|| function(table.user.0, t, y.as_ptr(), ptr::null(), 0.0, given.as_mut_ptr()));
            judge(returned, JACOBIAN, t)?;
        }
        finite(given, JACOBIAN, t, entry)?;
        explicit_matrix(pattern, c, given, values);
        Ok(())
    }
    fn root_count(&self) -> usize {
        self.table.directions.len()
    }
    fn roots(&mut self, t: f64, y: &[f64], yp: &[f64], roots: &mut [f64]) -> Result<(), EvalError> {
        self.evaluate_roots(t, y, yp, roots)
    }
}

impl Ode for Adapter {
    fn dimension(&self) -> usize {
        self.table.unknowns.len()
    }
    fn unknowns(&self) -> &[Unknown] {
        &self.table.unknowns
    }
    fn unknown_name(&self, i: usize) -> String {
        self.table.name(i)
    }
    fn rhs(&mut self, t: f64, y: &[f64], yp: &mut [f64]) -> Result<(), EvalError> {
        match self.table.form {
            Form::Rhs(function) => self.table.slope(function, t, y, yp),
            Form::Residual(_) | Form::Mechanism(..) => Err(without_function(t)),
        }
    }
    fn root_count(&self) -> usize {
        self.table.directions.len()
    }
    fn roots(&mut self, t: f64, y: &[f64], yp: &[f64], roots: &mut [f64]) -> Result<(), EvalError> {
        self.evaluate_roots(t, y, yp, roots)
    }
}
