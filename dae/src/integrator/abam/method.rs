//! The method as people choose it.

use super::coefficients::ABAM_ORDER_MAX;
use crate::integrator::error::Error;
use crate::integrator::options::{StepLimits, Tolerance, within};

/// Formulas of Adams, Bashforth and Moulton of order 1 to 12 in variable step, for systems y' = f(t, y) that are smooth and not stiff.
///
/// ```
/// use fourbar_dae::{EvalError, Kind, Unknown};
/// use fourbar_dae::integrator::{Abam, Integrator, Stop};
/// use fourbar_dae::ode::Ode;
///
/// /// A mass on a spring.
/// struct Spring([Unknown; 2]);
///
/// impl Ode for Spring {
///     fn dimension(&self) -> usize {
///         2
///     }
///     fn unknowns(&self) -> &[Unknown] {
///         &self.0
///     }
///     fn rhs(&mut self, _: f64, y: &[f64], yp: &mut [f64]) -> Result<(), EvalError> {
///         yp.copy_from_slice(&[y[1], -y[0]]);
///         Ok(())
///     }
/// }
///
/// let unknown = |kind| Unknown { kind, error_tested: true, scale_power: 0, typical: 1.0 };
/// let spring = Spring([unknown(Kind::STATE); 2]);
/// let mut run = Abam::with_tolerance(1e-10).start(spring, 0.0, &[1.0, 0.0], 10.0)?;
/// while run.step()? != Stop::EndTime {}
/// assert!((run.state()[0] - 10.0_f64.cos()).abs() < 1e-8);
/// # Ok::<(), fourbar_dae::integrator::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[doc(alias("Adams-Bashforth-Moulton", "Shampine-Gordon", "multistep"))]
pub struct Abam {
    /// Highest order of the predictor, 1 to 12; the solution that goes on is of one order more. Adams calls it KMAX.
    pub order_max: usize,
    /// Tolerances and norm of the error test. Adams calls the relative one ERROR.
    pub tolerance: Tolerance,
    /// Limits of the step. Adams calls them HINIT, HMIN and HMAX.
    pub step: StepLimits,
}

impl Default for Abam {
    fn default() -> Self {
        Self { order_max: ABAM_ORDER_MAX, tolerance: Tolerance::default(), step: StepLimits::default() }
    }
}

impl Abam {
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
        let order = self.order_max;
        within("highest order", order as f64, (1..=ABAM_ORDER_MAX).contains(&order), "from 1 to 12")?;
        self.tolerance.validate(dimension)?;
        self.step.validate()
    }
}
