//! `Rkf45`: the Runge-Kutta method of Fehlberg of order 5 with an error estimate of order 4, for y' = f(t, y).
//!
//! | symbol | meaning |
//! |---|---|
//! | h | step \[s\] |
//! | k_1 .. k_6 | f at the stages; k_7 = f at the end of the step, which is k_1 of the next |
//! | w_i | weight of unknown i: `relative` max(abs(y_n), abs(y_{n+1})) + a_i |
//! | D | largest of abs(h sum_j (b_j - b^_j) k_ij)/w_i: local error in units of the tolerance |
//!
//! A step with D <= 1 is accepted; the solution of order 5 goes on (local extrapolation), or, without it, that of order 4. The next step is
//! h 0.9 D_n^-0.14 D_{n-1}^0.08 (a PI controller: Gustafsson, ACM Trans. Math. Softw. 17 (1991) 533; Hairer, Wanner II, IV.2), a fifth to five
//! times the last. A restart takes one evaluation and keeps the step. The method is for equations that are not stiff, or stiff through a few
//! fast unknowns that they name ([`Ode::fast`]): where these would decide on the step it is one of the Radau IIA method of order 9.

mod control;
mod implicit;
mod interface;
mod radau;
mod stepper;
mod stiff;
mod tableau;
mod watch;

pub use stepper::Rkf45Stepper;

use super::error::Error;
use super::options::{StepLimits, Tolerance, within};
use crate::ode::Ode;

/// Fehlberg's method of order 4(5), for systems y' = f(t, y).
///
/// ```
/// use fourbar_multibody::dae::{EvalError, Kind, Unknown};
/// use fourbar_multibody::integrator::{Integrator, Rkf45, Stop};
/// use fourbar_multibody::ode::Ode;
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
/// let throw = Throw([unknown(Kind::Position), unknown(Kind::Velocity)]);
/// let mut run = Rkf45::with_tolerance(1e-9).start(throw, 0.0, &[0.0, 9.81], 10.0)?;
/// while run.step()? != Stop::Event {}
/// assert!((run.time() - 2.0).abs() < 1e-12 && (run.state()[1] + 9.81).abs() < 1e-12);
/// # Ok::<(), fourbar_multibody::integrator::Error>(())
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

    /// Starts on a system at t = `time` with y = `y` (n entries), to run to `end`.
    ///
    /// # Errors
    /// [`Error::Option`], [`Error::Length`], [`Error::NotFinite`], [`Error::EndBeforeStart`]; [`Error::Evaluation`] if f cannot be
    /// evaluated at the start.
    pub fn start<S: Ode>(&self, ode: S, time: f64, y: &[f64], end: f64) -> Result<Rkf45Stepper<S>, Error> {
        Rkf45Stepper::new(self.clone(), ode, time, y, end)
    }
}
