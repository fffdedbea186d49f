//! `Dstiff`: the backward differentiation formulas of order 1 to 6 with a fixed leading coefficient (integrators.md, section 2; Brenan, Campbell, Petzold:
//! *Numerical Solution of Initial-Value Problems in DAEs* (1996), section 5.2, where the code is called DASSL).
//!
//! | symbol | meaning |
//! |---|---|
//! | k, h | order and step \[s\] |
//! | xi_i | (t_{n+1} - t_{n+1-i})/h: where the step's ends lie, in steps |
//! | y_p | polynomial of degree k through y_n .. y_{n-k}, at t_{n+1}; y'_p its slope |
//! | alpha_s | sum_{j=1..k} 1/j, that of equal steps |
//! | alpha_0 | sum_{i=1..k} 1/xi_i |
//!
//! A step solves F(t, y, y'_p + (alpha_s/h)(y - y_p)) = 0. Since alpha_s depends on the order alone, the matrix changes with h only, and is kept as long
//! as c = alpha_s/h stays within 3/5 and 5/3 of its own. The local error is max(1/xi_{k+1}, |1/xi_{k+1} + alpha_0 - alpha_s|) (y - y_p).

use super::coefficients::Coefficients;
use super::options::{NewtonOptions, StepLimits, Tolerance};
use super::variable_steps::variable_steps;

/// Backward differentiation formulas with a fixed leading coefficient: variable order, variable step. The compromise between [`Gstiff`](super::Gstiff), whose
/// matrices last, and [`Wstiff`](super::Wstiff), whose steps are free.
///
/// ```
/// use fourbar_dae::integrator::Dstiff;
///
/// let method = Dstiff { order_max: 2, ..Dstiff::with_tolerance(1e-6) };
/// assert!(method.validate(3).is_ok());
/// ```
#[derive(Debug, Clone, PartialEq)]
#[doc(alias("DASSL", "fixed-leading-coefficient BDF"))]
pub struct Dstiff {
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

variable_steps!(Dstiff, Coefficients::FixedLeading);
