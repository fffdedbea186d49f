//! `ConstantBdf`: the backward differentiation formulas of order 1 to 6 with a constant step (integrators.md, section 2).

use super::bdf::{Bdf, FixedStep};
use super::coefficients::Coefficients;
use super::error::Error;
use super::options::{NewtonOptions, StepLimits, Tolerance};
use super::order::ORDER_MAX;
use super::stepper::BdfStepper;
use crate::dae::Dae;

/// Backward differentiation formulas with a constant step and order: for real time, for studies of convergence, and to compare with programs that work so. No
/// error is tested.
///
/// A step whose equations cannot be solved is halved, up to ten times; the shorter steps lead to its end, and behind it the step is the whole one again.
/// [`Statistics::divided_steps`](super::Statistics::divided_steps) counts such steps.
///
/// ```
/// use fourbar_dae::integrator::ConstantBdf;
///
/// let method = ConstantBdf::new(1e-3, 2);
/// assert!(method.validate(3).is_ok());
/// assert!(ConstantBdf::new(1e-3, 7).validate(3).is_err());
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ConstantBdf {
    /// Step \[s\]; only steps that land on a stop or end time are shorter, and those that were halved. Above `limits.largest` that one is taken.
    pub step: f64,
    /// Order, 1 to 6; the first steps rise to it from order 1.
    pub order: usize,
    /// Tolerances, by which the increments of Newton's iteration are measured.
    pub tolerance: Tolerance,
    /// The most steps, and the largest one; the others of these limits have no meaning here.
    pub limits: StepLimits,
    /// How the corrector's equations are solved.
    pub newton: NewtonOptions,
}

impl ConstantBdf {
    /// With this step \[s\] and order.
    #[must_use]
    pub fn new(step: f64, order: usize) -> Self {
        let (tolerance, limits, newton) = (Tolerance::default(), StepLimits::default(), NewtonOptions::default());
        Self { step, order, tolerance, limits, newton }
    }

    /// Checks all options for a system of `dimension` unknowns.
    ///
    /// # Errors
    /// [`Error::Option`] names the option, its value and what is allowed; [`Error::Length`].
    pub fn validate(&self, dimension: usize) -> Result<(), Error> {
        Bdf::from(self).validate(dimension)
    }

    /// Starts on a system at t = `time` with y = `y`, y' = `yp` (n entries each), to run to `end`. The start should satisfy the
    /// equations; y' of unknowns whose derivative does not occur may be 0.
    ///
    /// # Errors
    /// [`Error::Option`], [`Error::Length`], [`Error::NotFinite`], [`Error::EndBeforeStart`].
    pub fn start<D: Dae>(&self, dae: D, time: f64, y: &[f64], yp: &[f64], end: f64) -> Result<BdfStepper<D>, Error> {
        Bdf::from(self).start(dae, time, y, yp, end)
    }

    /// Starts at order k with a known history, as from another method or a known solution: `columns[j]` = h^j y^(j)/j! at `time`
    /// with h = `step`, j = 0 ..= k, each of n entries.
    ///
    /// # Errors
    /// As [`start`](Self::start); [`Error::Option`] if k is 0 or above the order.
    pub fn start_with_history<D: Dae>(
        &self,
        dae: D,
        time: f64,
        step: f64,
        columns: &[&[f64]],
        end: f64,
    ) -> Result<BdfStepper<D>, Error> {
        BdfStepper::with_history(Bdf::from(self), dae, time, step, columns, end)
    }
}

impl From<&ConstantBdf> for Bdf {
    fn from(method: &ConstantBdf) -> Self {
        let step = if method.step > method.limits.largest { method.limits.largest } else { method.step };
        Self {
            // Those of equal steps, and right where steps land on a stop time or are halved.
            coefficients: Coefficients::Variable,
            order_max: ORDER_MAX,
            tolerance: method.tolerance.clone(),
            step: method.limits,
            newton: method.newton,
            fixed: Some(FixedStep { step, order: method.order }),
        }
    }
}
