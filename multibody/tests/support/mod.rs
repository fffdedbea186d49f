//! Small systems F(t, y, y') = 0 for the tests of the integrators.
#![allow(dead_code)] // every test binary uses its own part

pub(crate) mod andrews;

use fourbar_multibody::dae::{Dae, EvalError, Kind, Unknown};
use nalgebra_sparse::pattern::SparsityPattern;

/// A differential unknown that is error-tested.
pub(crate) const STATE: Unknown = Unknown { kind: Kind::State, error_tested: true, scale_power: 0 };
/// An algebraic unknown of an index-1 system.
pub(crate) const ALGEBRAIC: Unknown = Unknown { kind: Kind::Algebraic, error_tested: false, scale_power: 0 };

/// Residual F(t, y, y').
pub(crate) type Residual = Box<dyn FnMut(f64, &[f64], &[f64], &mut [f64]) -> Result<(), EvalError>>;
/// dF/dy + c dF/dy', dense, by columns: entry (row, column) at column * n + row.
pub(crate) type Jacobian = Box<dyn FnMut(f64, &[f64], &[f64], f64, &mut [f64])>;

/// A small system with a full pattern, given by two closures.
pub(crate) struct Small {
    unknowns: Vec<Unknown>,
    pattern: SparsityPattern,
    residual: Residual,
    jacobian: Jacobian,
}

impl Small {
    pub(crate) fn new(
        unknowns: Vec<Unknown>,
        residual: impl FnMut(f64, &[f64], &[f64], &mut [f64]) -> Result<(), EvalError> + 'static,
        jacobian: impl FnMut(f64, &[f64], &[f64], f64, &mut [f64]) + 'static,
    ) -> Self {
        let n = unknowns.len();
        let offsets = (0..=n).map(|j| j * n).collect();
        let rows = (0..n).flat_map(|_| 0..n).collect();
        let pattern = SparsityPattern::try_from_offsets_and_indices(n, n, offsets, rows).expect("a full pattern");
        Self { unknowns, pattern, residual: Box::new(residual), jacobian: Box::new(jacobian) }
    }
}

impl Dae for Small {
    fn dimension(&self) -> usize {
        self.unknowns.len()
    }
    fn unknowns(&self) -> &[Unknown] {
        &self.unknowns
    }
    fn pattern(&self) -> &SparsityPattern {
        &self.pattern
    }
    fn residual(&mut self, t: f64, y: &[f64], yp: &[f64], residual: &mut [f64]) -> Result<(), EvalError> {
        (self.residual)(t, y, yp, residual)
    }
    fn jacobian(&mut self, t: f64, y: &[f64], yp: &[f64], c: f64, values: &mut [f64]) -> Result<(), EvalError> {
        values.fill(0.0);
        (self.jacobian)(t, y, yp, c, values);
        Ok(())
    }
}

/// Robertson's kinetics; `index1` replaces the third rate by y1 + y2 + y3 = 1.
pub(crate) fn robertson(index1: bool) -> Small {
    let third = if index1 { ALGEBRAIC } else { STATE };
    Small::new(
        vec![STATE, STATE, third],
        move |_, y, yp, r| {
            let (a, b, c) = (0.04 * y[0], 1e4 * y[1] * y[2], 3e7 * y[1] * y[1]);
            r[0] = yp[0] + a - b;
            r[1] = yp[1] - a + b + c;
            r[2] = if index1 { y[0] + y[1] + y[2] - 1.0 } else { yp[2] - c };
            Ok(())
        },
        move |_, y, _, c, j| {
            j.copy_from_slice(&[
                0.04 + c,
                -0.04,
                0.0,
                -1e4 * y[2],
                c + 1e4 * y[2] + 6e7 * y[1],
                -6e7 * y[1],
                -1e4 * y[1],
                1e4 * y[1],
                c,
            ]);
            if index1 {
                (j[2], j[5], j[8]) = (1.0, 1.0, 1.0);
            }
        },
    )
}

/// Van der Pol's oscillator y1' = y2, y2' = mu (1 - y1^2) y2 - y1.
pub(crate) fn van_der_pol(mu: f64) -> Small {
    Small::new(
        vec![STATE, STATE],
        move |_, y, yp, r| {
            r[0] = yp[0] - y[1];
            r[1] = yp[1] - mu * (1.0 - y[0] * y[0]) * y[1] + y[0];
            Ok(())
        },
        move |_, y, _, c, j| {
            j.copy_from_slice(&[c, 2.0 * mu * y[0] * y[1] + 1.0, -1.0, c - mu * (1.0 - y[0] * y[0])]);
        },
    )
}
