//! `Gstiff`: the backward differentiation formulas of order 1 to 6 with fixed coefficients (integrators.md, section 2; Gear, *IEEE Trans.
//! Circuit Theory* 18 (1971) 89).
//!
//! | symbol | meaning |
//! |---|---|
//! | k, h | order and step \[s\] |
//! | z_j | h^j y^(j)/j!, column j of the Nordsieck array |
//! | y_p | prediction: sum_j z_j; y'_p likewise |
//! | l_j, beta_0 | coefficients of the corrector, beta_0 = l_0 |
//! | c | 1/(h beta_0), so that y' = y'_p + c (y - y_p) |
//! | D | (largest weighted component of y - y_p)/(k + 1): local error in units of the tolerance |
//!
//! A step solves F(t, y, y'_p + c (y - y_p)) = 0 for y. If D <= 1, z = P z + (l/l_0)(y - y_p) with Pascal's triangle P. After a change, step and
//! order are held for k + 1 steps; then the order among k-1, k, k+1 is taken that allows the longest step. The step at most doubles at order
//! 3 and above; it is shortened before it would be rejected. After three rejected attempts the method restarts at order 1. Near the
//! imaginary axis the formulas of order 3 to 6 are unstable; no test for that is made: limit `order_max` to 2.
//!
//! What runs of Andrews' mechanism cost and how exact they are stands in docs/accuracy.md.
//!
//! The vector work of an accepted step of order 5 takes 5 to 8 ns per unknown, from 200 to 25,000 unknowns.

use super::coefficients::Coefficients;
use super::options::{NewtonOptions, StepLimits, Tolerance};
use super::variable_steps::variable_steps;

/// Gear's stiff method: variable order, variable step, Nordsieck array.
///
/// ```
/// use fourbar_dae::{Dae, EvalError, Kind, Unknown};
/// use fourbar_dae::integrator::{Gstiff, Integrator, Stop};
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
/// let mut run = Gstiff { order_max: 4, ..Gstiff::with_tolerance(1e-6) }.start(
///     Decay([state], pattern),
///     0.0,
///     &[1.0],
///     &[-1000.0],
///     2.0,
/// )?;
/// while run.step()? != Stop::EndTime {}
/// assert!((run.state()[0] - 1.999).abs() < 1e-6); // t - 1/1000 once the transient is gone
/// # Ok::<(), fourbar_dae::integrator::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[doc(alias("BDF", "backward differentiation formulas", "Gear"))]
pub struct Gstiff {
    /// Highest order used, 1 to 6. The formulas of order 3 to 6 are unstable near the imaginary axis, the more the higher;
    /// for weakly damped vibrations far faster than the step choose 2. Order 6 hardly bears a change of the step.
    pub order_max: usize,
    /// Tolerances and norm of the error test.
    pub tolerance: Tolerance,
    /// Limits of the step.
    pub step: StepLimits,
    /// How the corrector's equations are solved.
    pub newton: NewtonOptions,
}

variable_steps!(Gstiff, Coefficients::Fixed);
