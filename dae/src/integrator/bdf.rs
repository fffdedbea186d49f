//! What the methods of the Gear family have in common: the options of a [`BdfStepper`](super::BdfStepper).

use super::coefficients::Coefficients;
use super::error::Error;
use super::options::{NewtonOptions, StepLimits, Tolerance, within};
use super::order::ORDER_MAX;

/// Any method for F(t, y, y') = 0: [`Gstiff`](super::Gstiff), [`Wstiff`](super::Wstiff), [`Dstiff`](super::Dstiff),
/// [`ConstantBdf`](super::ConstantBdf) or [`Hht`](super::Hht), for those to whom it is all one which.
#[derive(Debug, Clone, PartialEq)]
pub struct Bdf {
    pub(super) coefficients: Coefficients,
    pub(super) order_max: usize,
    pub(super) tolerance: Tolerance,
    pub(super) step: StepLimits,
    pub(super) newton: NewtonOptions,
    pub(super) fixed: Option<FixedStep>,
}

/// A fixed step and order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct FixedStep {
    pub(super) step: f64,
    pub(super) order: usize,
}

impl Bdf {
    /// Checks all options for a system of `dimension` unknowns.
    pub(super) fn validate(&self, dimension: usize) -> Result<(), Error> {
        within("highest order", self.order_max as f64, (1..=ORDER_MAX).contains(&self.order_max), "from 1 to 6")?;
        if let Coefficients::Alpha(damping) = self.coefficients {
            damping.validate()?;
        }
        self.tolerance.validate(dimension)?;
        self.step.validate()?;
        self.newton.validate()?;
        if let Some(FixedStep { step, order }) = self.fixed {
            within("fixed step", step, step > 0.0 && step.is_finite(), "a positive time")?;
            within("fixed order", order as f64, (1..=ORDER_MAX).contains(&order), "from 1 to 6")?;
        }
        Ok(())
    }

    /// Highest order in use.
    pub(super) fn highest(&self) -> usize {
        self.fixed.map_or(self.order_max, |fixed| fixed.order)
    }
}
