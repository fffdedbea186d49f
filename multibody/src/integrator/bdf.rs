//! What the methods of the Gear family have in common: the options of a [`BdfStepper`](super::BdfStepper).

use super::coefficients::{Coefficients, ORDER_MAX};
use super::constant_bdf::FixedStep;
use super::error::Error;
use super::options::{NewtonOptions, StepLimits, Tolerance, within};
use super::stepper::BdfStepper;
use crate::dae::Dae;

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

impl Bdf {
    /// Starts as the method does.
    ///
    /// # Errors
    /// [`Error::Option`], [`Error::Length`], [`Error::NotFinite`], [`Error::EndBeforeStart`].
    pub fn start<D: Dae>(self, dae: D, time: f64, y: &[f64], yp: &[f64], end: f64) -> Result<BdfStepper<D>, Error> {
        BdfStepper::new(self, dae, time, y, yp, end)
    }

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

/// What methods with variable order and step have in common: defaults, checks, the start. Each has the fields `order_max`, `tolerance`, `step` and
/// `newton`.
macro_rules! variable_steps {
    ($method:ident, $coefficients:expr) => {
        impl Default for $method {
            fn default() -> Self {
                Self {
                    order_max: 5,
                    tolerance: Tolerance::default(),
                    step: StepLimits::default(),
                    newton: NewtonOptions::default(),
                }
            }
        }

        impl $method {
            /// The method with a relative tolerance, the absolute one left to the system, or the same in typical sizes of the unknowns.
            #[must_use]
            pub fn with_tolerance(relative: f64) -> Self {
                Self { tolerance: Tolerance::uniform(relative), ..Self::default() }
            }

            /// Checks all options for a system of `dimension` unknowns.
            ///
            /// # Errors
            /// [`Error::Option`](crate::integrator::Error::Option) names the option, its value and what is allowed;
            /// [`Error::Length`](crate::integrator::Error::Length).
            pub fn validate(&self, dimension: usize) -> Result<(), $crate::integrator::Error> {
                $crate::integrator::Bdf::from(self).validate(dimension)
            }

            /// Starts on a system at t = `time` with y = `y`, y' = `yp` (n entries each), to run to `end`. The start should satisfy the
            /// equations; y' of unknowns whose derivative does not occur may be 0.
            ///
            /// # Errors
            /// Of [`Error`](crate::integrator::Error): `Option`, `Length`, `NotFinite`, `EndBeforeStart`.
            pub fn start<D: $crate::dae::Dae>(
                &self,
                dae: D,
                time: f64,
                y: &[f64],
                yp: &[f64],
                end: f64,
            ) -> Result<$crate::integrator::BdfStepper<D>, $crate::integrator::Error> {
                $crate::integrator::Bdf::from(self).start(dae, time, y, yp, end)
            }
        }

        impl From<&$method> for $crate::integrator::Bdf {
            fn from(method: &$method) -> Self {
                Self {
                    coefficients: $coefficients,
                    order_max: method.order_max,
                    tolerance: method.tolerance.clone(),
                    step: method.step,
                    newton: method.newton,
                    fixed: None,
                }
            }
        }
    };
}
pub(super) use variable_steps;
