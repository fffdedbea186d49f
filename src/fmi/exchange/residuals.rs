//! Equations whose algebraic variables the importer solves for, by the layered standard FMI-LS-DAE: x' = f(t, x, a), 0 = g(t, x, a) of index 1.
//!
//! x are the unknowns of model exchange, so that a unit may be solved in either way. [`Partitioned`](fourbar_multibody::formulation::Partitioned)
//! says what a and g are.

use super::{Equations, Exchange, Start, failed};
use crate::Error;
use fourbar_multibody::formulation::{AlgebraicVariable, Partitioned};

/// Algebraic variables of the importer, and what follows from them.
#[derive(Default)]
pub(super) struct Algebraic {
    /// Whether the importer solves for them.
    pub(super) solved: bool,
    /// Those that it has set last, where it does.
    pub(super) a: Vec<f64>,
    /// f and g at the present point, if they are known.
    found: Option<[Vec<f64>; 2]>,
}

impl Algebraic {
    /// The present point is another one.
    pub(super) fn forget(&mut self) {
        self.found = None;
    }
}

impl Start {
    /// The algebraic variables with their values at the start.
    pub(super) fn algebraic(&mut self, kind: &'static str) -> Result<Vec<(AlgebraicVariable, f64)>, Error> {
        let Self { equations, time, y, .. } = self;
        let Some(open) = equations.open() else { return Err(Error::NoResiduals { kind }) };
        let a = values(open, *time, y)?;
        Ok(open.algebraic_variables(&a).into_iter().zip(a).collect())
    }

    /// On which unknowns and algebraic variables, counted on, each derivative and each residual, counted on, depends.
    pub(in crate::fmi) fn structure(&mut self) -> Option<Vec<Vec<usize>>> {
        Some(self.equations.open()?.structure())
    }

    /// Algebraic variables and residuals where the equations stand; none where they have none.
    pub(super) fn open_values(&mut self) -> Result<[Vec<f64>; 2], Error> {
        let Self { equations, time, y, .. } = self;
        let Some(open) = equations.open() else { return Ok([Vec::new(), Vec::new()]) };
        let a = values(open, *time, y)?;
        let [_, residuals] = evaluate(open, *time, y, &a)?;
        Ok([a, residuals])
    }
}

/// The algebraic variables that satisfy the equations at (t, y).
fn values(open: &mut Partitioned, t: f64, y: &[f64]) -> Result<Vec<f64>, Error> {
    let mut a = vec![0.0; open.algebraic_count()];
    open.solve_algebraic(t, y, &mut a).map_err(failed)?;
    Ok(a)
}

/// f and g at (t, y, a).
fn evaluate(open: &mut Partitioned, t: f64, y: &[f64], a: &[f64]) -> Result<[Vec<f64>; 2], Error> {
    let mut found = [vec![0.0; y.len()], vec![0.0; a.len()]];
    let [slopes, residuals] = &mut found;
    open.residual(t, y, a, slopes, residuals).map_err(failed)?;
    Ok(found)
}

/// Of a model whose unit has no residuals: none of its variables asks for them.
const NONE: Error = Error::NoResiduals { kind: "model" };

/// The equations, which have algebraic variables where they are asked for these.
fn open(equations: &mut dyn Equations) -> Result<&mut Partitioned, Error> {
    equations.open().ok_or(NONE)
}

impl Exchange {
    /// From now on the importer solves for the algebraic variables, or not.
    pub(in crate::fmi) fn solve_algebraic(&mut self, solved: bool) -> Result<(), Error> {
        self.algebraic = Algebraic { solved, ..Algebraic::default() };
        self.follow_algebraic()
    }

    /// Where the importer solves for them, algebraic variables become those that satisfy the equations at the present point.
    pub(super) fn follow_algebraic(&mut self) -> Result<(), Error> {
        self.algebraic.forget();
        if self.algebraic.solved {
            self.algebraic.a = values(open(&mut *self.equations)?, self.time, &self.y)?;
        }
        Ok(())
    }

    /// Sets algebraic variable k, where the importer solves for it.
    pub(in crate::fmi) fn set_algebraic(&mut self, k: usize, value: f64) {
        if let Some(a) = self.algebraic.a.get_mut(k) {
            *a = value;
            self.algebraic.forget();
        }
    }

    /// Algebraic variable k.
    pub(in crate::fmi) fn algebraic(&mut self, k: usize) -> Result<f64, Error> {
        if !self.algebraic.solved {
            let _ = self.found()?;
        }
        Ok(self.algebraic.a.get(k).copied().unwrap_or(f64::NAN))
    }

    /// Residual k.
    pub(in crate::fmi) fn residual(&mut self, k: usize) -> Result<f64, Error> {
        let [_, residuals] = self.found()?;
        Ok(residuals.get(k).copied().unwrap_or(f64::NAN))
    }

    /// f and g at the present point.
    pub(super) fn found(&mut self) -> Result<&[Vec<f64>; 2], Error> {
        let Self { equations, time, y, algebraic, .. } = self;
        if algebraic.found.is_none() {
            let open = open(&mut **equations)?;
            if !algebraic.solved {
                algebraic.a = values(open, *time, y)?;
            }
            algebraic.found = Some(evaluate(open, *time, y, &algebraic.a)?);
        }
        algebraic.found.as_ref().ok_or(NONE)
    }
}
