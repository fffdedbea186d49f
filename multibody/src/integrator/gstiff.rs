//! `Gstiff`: the backward differentiation formulas of order 1 to 6 with fixed coefficients (integrators.md, section 2; Gear 1971).

use super::coefficients::ORDER_MAX;
use super::error::Error;
use super::options::{NewtonOptions, StepLimits, Tolerance, within};
use super::stepper::GstiffStepper;
use crate::dae::Dae;

/// Gear's stiff method: variable order, variable step, Nordsieck array.
#[derive(Debug, Clone, PartialEq)]
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
    /// A fixed step and order instead of the error test; for convergence studies and real-time use.
    pub fixed: Option<FixedStep>,
}

/// A fixed step and order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FixedStep {
    /// Step \[s\]; only steps that land on a stop or end time are shorter.
    pub step: f64,
    /// Order, 1 to 6; the first steps rise to it from order 1.
    pub order: usize,
}

impl Default for Gstiff {
    fn default() -> Self {
        Self {
            order_max: 5,
            tolerance: Tolerance::default(),
            step: StepLimits::default(),
            newton: NewtonOptions::default(),
            fixed: None,
        }
    }
}

impl Gstiff {
    /// The method with a relative tolerance, and the same absolute one in SI units.
    #[must_use]
    pub fn with_tolerance(relative: f64) -> Self {
        Self { tolerance: Tolerance::uniform(relative), ..Self::default() }
    }

    /// Checks all options for a system of `dimension` unknowns.
    ///
    /// # Errors
    /// [`Error::Option`] names the option, its value and what is allowed; [`Error::Length`].
    pub fn validate(&self, dimension: usize) -> Result<(), Error> {
        within("order_max", self.order_max as f64, (1..=ORDER_MAX).contains(&self.order_max), "1 to 6")?;
        self.tolerance.validate(dimension)?;
        self.step.validate()?;
        self.newton.validate()?;
        if let Some(FixedStep { step, order }) = self.fixed {
            within("fixed.step", step, step > 0.0 && step.is_finite(), "a positive time")?;
            within("fixed.order", order as f64, (1..=ORDER_MAX).contains(&order), "1 to 6")?;
        }
        Ok(())
    }

    /// Starts on a system at t = `time` with y = `y`, y' = `yp` (n entries each), to run to `end`. The start should satisfy the
    /// equations; y' of unknowns whose derivative does not occur may be 0.
    ///
    /// # Errors
    /// [`Error::Option`], [`Error::Length`], [`Error::NotFinite`], [`Error::EndBeforeStart`].
    pub fn start<D: Dae>(&self, dae: D, time: f64, y: &[f64], yp: &[f64], end: f64) -> Result<GstiffStepper<D>, Error> {
        GstiffStepper::new(self.clone(), dae, time, y, yp, end)
    }

    /// Starts at order k with a known history, as from another method or a known solution: `columns[j]` = h^j y^(j)/j! at `time`
    /// with h = `step`, j = 0 ..= k, each of n entries.
    ///
    /// # Errors
    /// As [`start`](Self::start); [`Error::Option`] if k is 0 or above the highest order.
    pub fn start_with_history<D: Dae>(
        &self,
        dae: D,
        time: f64,
        step: f64,
        columns: &[&[f64]],
        end: f64,
    ) -> Result<GstiffStepper<D>, Error> {
        GstiffStepper::with_history(self.clone(), dae, time, step, columns, end)
    }
}
