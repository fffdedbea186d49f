//! The method as people choose it.

use crate::integrator::error::Error;
use crate::integrator::options::{StepLimits, Tolerance, within};

/// Fehlberg's method of order 4(5), for systems y' = f(t, y).
///
/// ```
/// use fourbar_dae::{EvalError, Kind, Unknown};
/// use fourbar_dae::integrator::{Integrator, Rkf45, Stop};
/// use fourbar_dae::ode::Ode;
///
/// /// A ball thrown up, with the ground as a root function.
/// struct Throw([Unknown; 2]);
///
/// impl Ode for Throw {
///     fn dimension(&self) -> usize {
///         2
///     }
///     fn unknowns(&self) -> &[Unknown] {
///         &self.0
///     }
///     fn rhs(&mut self, _: f64, y: &[f64], yp: &mut [f64]) -> Result<(), EvalError> {
///         yp.copy_from_slice(&[y[1], -9.81]);
///         Ok(())
///     }
///     fn root_count(&self) -> usize {
///         1
///     }
///     fn roots(&mut self, _: f64, y: &[f64], _: &[f64], roots: &mut [f64]) -> Result<(), EvalError> {
///         roots[0] = y[0];
///         Ok(())
///     }
/// }
///
/// let unknown = |kind| Unknown { kind, error_tested: true, scale_power: 0, typical: 1.0 };
/// let throw = Throw([unknown(Kind::STATE); 2]);
/// let mut run = Rkf45::with_tolerance(1e-9).start(throw, 0.0, &[0.0, 9.81], 10.0)?;
/// while run.step()? != Stop::Event {}
/// assert!((run.time() - 2.0).abs() < 1e-12 && (run.state()[1] + 9.81).abs() < 1e-12);
/// # Ok::<(), fourbar_dae::integrator::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[doc(alias("Runge-Kutta-Fehlberg"))]
pub struct Rkf45 {
    /// Tolerances and norm of the error test.
    pub tolerance: Tolerance,
    /// Limits of the step.
    pub step: StepLimits,
    /// Whether the solution of order 5 goes on, not that of order 4 which the error estimate belongs to.
    pub local_extrapolation: bool,
    /// A fixed step \[s\] instead of the error test; only steps that land on a stop or end time are shorter.
    pub fixed: Option<f64>,
}

impl Default for Rkf45 {
    fn default() -> Self {
        Self { tolerance: Tolerance::default(), step: StepLimits::default(), local_extrapolation: true, fixed: None }
    }
}

impl Rkf45 {
    /// The method with a relative tolerance, and the same absolute one in units of each unknown's typical size.
    #[must_use]
    pub fn with_tolerance(relative: f64) -> Self {
        Self { tolerance: Tolerance::uniform(relative), ..Self::default() }
    }

    /// Checks all options for a system of `dimension` unknowns.
    ///
    /// # Errors
    /// [`Error::Option`] names the option, its value and what is allowed; [`Error::Length`].
    pub fn validate(&self, dimension: usize) -> Result<(), Error> {
        self.tolerance.validate(dimension)?;
        self.step.validate()?;
        match self.fixed {
            Some(step) => within("fixed step", step, step > 0.0 && step.is_finite(), "a positive time"),
            None => Ok(()),
        }
    }
}
