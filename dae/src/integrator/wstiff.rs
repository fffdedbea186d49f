//! `Wstiff`: the backward differentiation formulas of order 1 to 6 with variable coefficients (integrators.md, section 2; van Bokhoven, *IEEE Trans.
//! Circuits and Systems* 22 (1975) 109).
//!
//! | symbol | meaning |
//! |---|---|
//! | k, h | order and step \[s\] |
//! | xi_i | (t_{n+1} - t_{n+1-i})/h: where the step's ends lie, in steps |
//! | y_p | polynomial of degree k through y_n .. y_{n-k}, at t_{n+1}; y'_p its slope |
//! | alpha_s | sum_{i=1..k} 1/xi_i |
//!
//! A step solves F(t, y, y'_p + (alpha_s/h)(y - y_p)) = 0: y' is the slope of the polynomial through y and the k values before it, whatever the steps
//! were. Its local error is (y - y_p)/xi_{k+1}. The polynomial is kept as its Taylor series at t_n in powers of the step, which is Newton's series of
//! divided differences written about another point: y adds (y - y_p) prod_{i=1..k} (1 + x/xi_i) to it.

use super::coefficients::Coefficients;
use super::options::{NewtonOptions, StepLimits, Tolerance};
use super::variable_steps::variable_steps;

/// Backward differentiation formulas whose coefficients follow the steps: variable order, variable step.
///
/// Steps may change often and far without a loss of accuracy, where those of [`Gstiff`](super::Gstiff) must be held for k + 1 steps and may at most double.
///
/// ```
/// use fourbar_dae::{Dae, EvalError, Kind, Unknown};
/// use fourbar_dae::integrator::{Integrator, Stop, Wstiff};
/// use nalgebra_sparse::pattern::SparsityPattern;
///
/// /// y' = -1000 (y - t), y(0) = 1.
/// struct Decay([Unknown; 1], SparsityPattern);
///
/// impl Dae for Decay {
///     fn dimension(&self) -> usize {
///         1
///     }
///     fn unknowns(&self) -> &[Unknown] {
///         &self.0
///     }
///     fn pattern(&self) -> &SparsityPattern {
///         &self.1
///     }
///     fn residual(&mut self, t: f64, y: &[f64], yp: &[f64], r: &mut [f64]) -> Result<(), EvalError> {
///         r[0] = yp[0] + 1000.0 * (y[0] - t);
///         Ok(())
///     }
///     fn jacobian(&mut self, _: f64, _: &[f64], _: &[f64], c: f64, values: &mut [f64]) -> Result<(), EvalError> {
///         values[0] = c + 1000.0;
///         Ok(())
///     }
/// }
///
/// let state = Unknown { kind: Kind::STATE, error_tested: true, scale_power: 0, typical: 1.0 };
/// let pattern = SparsityPattern::try_from_offsets_and_indices(1, 1, vec![0, 1], vec![0]).unwrap();
/// let mut run = Wstiff::with_tolerance(1e-6).start(Decay([state], pattern), 0.0, &[1.0], &[-1000.0], 2.0)?;
/// while run.step()? != Stop::EndTime {}
/// assert!((run.state()[0] - 1.999).abs() < 1e-6); // t - 1/1000 once the transient is gone
/// # Ok::<(), fourbar_dae::integrator::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[doc(alias("variable-coefficient BDF"))]
pub struct Wstiff {
    /// Highest order used, 1 to 6. The formulas of order 3 to 6 are unstable near the imaginary axis, the more the higher; for weakly damped
    /// vibrations far faster than the step choose 2.
    pub order_max: usize,
    /// Tolerances and norm of the error test.
    pub tolerance: Tolerance,
    /// Limits of the step.
    pub step: StepLimits,
    /// How the corrector's equations are solved.
    pub newton: NewtonOptions,
}

variable_steps!(Wstiff, Coefficients::Variable);
