//! Small systems y' = f(t, y) for the tests of the integrators.

use fourbar_dae::ode::Ode;
use fourbar_dae::{EvalError, Unknown};

use super::STATE;

/// y' = f(t, y) with root functions, both given as closures.
pub(crate) struct Closures<const N: usize, F, R> {
    pub(crate) unknowns: [Unknown; N],
    pub(crate) f: F,
    pub(crate) roots: R,
    pub(crate) root_count: usize,
}

impl<const N: usize, F, R> Ode for Closures<N, F, R>
where
    F: FnMut(f64, &[f64], &mut [f64]) -> Result<(), EvalError>,
    R: FnMut(f64, &[f64], &mut [f64]),
{
    fn dimension(&self) -> usize {
        N
    }
    fn unknowns(&self) -> &[Unknown] {
        &self.unknowns
    }
    fn rhs(&mut self, t: f64, y: &[f64], yp: &mut [f64]) -> Result<(), EvalError> {
        (self.f)(t, y, yp)
    }
    fn root_count(&self) -> usize {
        self.root_count
    }
    fn roots(&mut self, t: f64, y: &[f64], _yp: &[f64], out: &mut [f64]) -> Result<(), EvalError> {
        (self.roots)(t, y, out);
        Ok(())
    }
}

/// Root functions of systems that have none.
pub(crate) type NoRoots = fn(f64, &[f64], &mut [f64]);

pub(crate) fn system<const N: usize, F>(f: F) -> Closures<N, F, NoRoots>
where
    F: FnMut(f64, &[f64], &mut [f64]) -> Result<(), EvalError>,
{
    Closures { unknowns: [STATE; N], f, roots: |_, _, _| {}, root_count: 0 }
}

/// y1' = y2, y2' = -y1 + 3 sin(2 t): y = (cos t + 2 sin t - sin 2t, ...).
pub(crate) fn forced(t: f64, y: &[f64], yp: &mut [f64]) -> Result<(), EvalError> {
    yp.copy_from_slice(&[y[1], -y[0] + 3.0 * (2.0 * t).sin()]);
    Ok(())
}

pub(crate) fn forced_solution(t: f64) -> [f64; 2] {
    [t.cos() + 2.0 * t.sin() - (2.0 * t).sin(), -t.sin() + 2.0 * t.cos() - 2.0 * (2.0 * t).cos()]
}
