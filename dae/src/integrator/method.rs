//! The integrators and their options, for those who choose one when they run.

use super::abam::Abam;
use super::bdf::Bdf;
use super::constant_bdf::ConstantBdf;
use super::contract::Integrator;
use super::dstiff::Dstiff;
use super::error::Error;
use super::gstiff::Gstiff;
use super::hht::Hht;
use super::options::{StepLimits, Tolerance};
use super::rkf45::Rkf45;
use super::wstiff::Wstiff;
use crate::dae::Dae;
use crate::ode::Ode;

/// An integrator and its options.
#[derive(Debug, Clone, PartialEq)]
pub enum Method {
    /// Backward differentiation with fixed coefficients, on F(t, y, y') = 0.
    Gstiff(Gstiff),
    /// Backward differentiation with variable coefficients.
    Wstiff(Wstiff),
    /// Backward differentiation with a fixed leading coefficient.
    Dstiff(Dstiff),
    /// Backward differentiation with a constant step.
    ConstantBdf(ConstantBdf),
    /// HHT-alpha and generalized-alpha.
    Hht(Hht),
    /// Fehlberg's method on partitioned coordinates.
    Rkf45(Rkf45),
    /// Formulas of Adams on partitioned coordinates.
    Abam(Abam),
}

/// A method by the kind of system that it solves.
#[derive(Debug, Clone, PartialEq)]
pub enum Family {
    /// Backward differentiation and generalized-alpha, on F(t, y, y') = 0.
    Bdf(Bdf),
    /// Fehlberg's method, on y' = f(t, y).
    Rkf45(Rkf45),
    /// Formulas of Adams, on y' = f(t, y).
    Abam(Abam),
}

impl Default for Method {
    fn default() -> Self {
        Self::Gstiff(Gstiff::default())
    }
}

impl From<Gstiff> for Method {
    fn from(method: Gstiff) -> Self {
        Self::Gstiff(method)
    }
}

impl From<Wstiff> for Method {
    fn from(method: Wstiff) -> Self {
        Self::Wstiff(method)
    }
}

impl From<Dstiff> for Method {
    fn from(method: Dstiff) -> Self {
        Self::Dstiff(method)
    }
}

impl From<ConstantBdf> for Method {
    fn from(method: ConstantBdf) -> Self {
        Self::ConstantBdf(method)
    }
}

impl From<Hht> for Method {
    fn from(method: Hht) -> Self {
        Self::Hht(method)
    }
}

impl From<Rkf45> for Method {
    fn from(method: Rkf45) -> Self {
        Self::Rkf45(method)
    }
}

impl From<Abam> for Method {
    fn from(method: Abam) -> Self {
        Self::Abam(method)
    }
}

impl Method {
    /// By the kind of system that it solves.
    #[must_use]
    pub fn family(&self) -> Family {
        match self {
            Self::Gstiff(method) => Family::Bdf(method.into()),
            Self::Wstiff(method) => Family::Bdf(method.into()),
            Self::Dstiff(method) => Family::Bdf(method.into()),
            Self::ConstantBdf(method) => Family::Bdf(method.into()),
            Self::Hht(method) => Family::Bdf(method.into()),
            Self::Rkf45(method) => Family::Rkf45(method.clone()),
            Self::Abam(method) => Family::Abam(method.clone()),
        }
    }

    /// Name in files and on the command line.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Gstiff(_) => "gstiff",
            Self::Wstiff(_) => "wstiff",
            Self::Dstiff(_) => "dstiff",
            Self::ConstantBdf(_) => "constant_bdf",
            Self::Hht(_) => "hht",
            Self::Rkf45(_) => "rkf45",
            Self::Abam(_) => "abam",
        }
    }

    /// Tolerances of the local error.
    #[must_use]
    pub fn tolerance(&self) -> &Tolerance {
        match self {
            Self::Gstiff(method) => &method.tolerance,
            Self::Wstiff(method) => &method.tolerance,
            Self::Dstiff(method) => &method.tolerance,
            Self::ConstantBdf(method) => &method.tolerance,
            Self::Hht(method) => &method.tolerance,
            Self::Rkf45(method) => &method.tolerance,
            Self::Abam(method) => &method.tolerance,
        }
    }

    /// Limits of the step.
    #[must_use]
    pub fn step(&self) -> &StepLimits {
        match self {
            Self::Gstiff(method) => &method.step,
            Self::Wstiff(method) => &method.step,
            Self::Dstiff(method) => &method.step,
            Self::ConstantBdf(method) => &method.limits,
            Self::Hht(method) => &method.step,
            Self::Rkf45(method) => &method.step,
            Self::Abam(method) => &method.step,
        }
    }

    /// Limits of the step, to change them.
    pub fn step_mut(&mut self) -> &mut StepLimits {
        match self {
            Self::Gstiff(method) => &mut method.step,
            Self::Wstiff(method) => &mut method.step,
            Self::Dstiff(method) => &mut method.step,
            Self::ConstantBdf(method) => &mut method.limits,
            Self::Hht(method) => &mut method.step,
            Self::Rkf45(method) => &mut method.step,
            Self::Abam(method) => &mut method.step,
        }
    }

    /// Begins with this step \[s\]; of a method with a constant one, goes on with it.
    pub fn set_first_step(&mut self, step: f64) {
        match self {
            Self::ConstantBdf(method) => method.step = step,
            _ => self.step_mut().first = step,
        }
    }

    /// Takes no step longer than `largest` \[s\], unless its options have a largest step of their own.
    pub fn limit_step(&mut self, largest: f64) {
        let step = self.step_mut();
        if step.largest.is_infinite() {
            step.largest = largest.max(step.smallest);
        }
    }

    /// Highest order.
    #[must_use]
    pub fn order_max(&self) -> usize {
        match self {
            Self::Gstiff(method) => method.order_max,
            Self::Wstiff(method) => method.order_max,
            Self::Dstiff(method) => method.order_max,
            Self::ConstantBdf(method) => method.order,
            Self::Hht(_) => 2,
            Self::Abam(method) => method.order_max,
            Self::Rkf45(method) => {
                if method.local_extrapolation {
                    5
                } else {
                    4
                }
            }
        }
    }

    /// Whether it takes y' = f(t, y); else it takes F(t, y, y') = 0.
    #[must_use]
    pub fn takes_ode(&self) -> bool {
        !matches!(self.family(), Family::Bdf(_))
    }

    /// Starts on F(t, y, y') = 0 at consistent `y` and `yp` (n entries each), towards `end` \[s\]. None where it
    /// [takes y' = f(t, y)](Self::takes_ode).
    ///
    /// # Errors
    /// Those of the method's own `start`.
    pub fn start_dae<'a>(
        &self,
        dae: &'a mut dyn Dae,
        time: f64,
        y: &[f64],
        yp: &[f64],
        end: f64,
    ) -> Option<Result<Box<dyn Integrator + 'a>, Error>> {
        let Family::Bdf(method) = self.family() else { return None };
        Some(method.start(dae, time, y, yp, end).map(|stepper| Box::new(stepper) as _))
    }

    /// Starts on y' = f(t, y) at `y` (n entries), towards `end` \[s\]. None where it does not
    /// [take that](Self::takes_ode).
    ///
    /// # Errors
    /// Those of the method's own `start`.
    pub fn start_ode<'a>(
        &self,
        ode: &'a mut dyn Ode,
        time: f64,
        y: &[f64],
        end: f64,
    ) -> Option<Result<Box<dyn Integrator + 'a>, Error>> {
        match self.family() {
            Family::Bdf(_) => None,
            Family::Rkf45(method) => Some(method.start(ode, time, y, end).map(|stepper| Box::new(stepper) as _)),
            Family::Abam(method) => Some(method.start(ode, time, y, end).map(|stepper| Box::new(stepper) as _)),
        }
    }
}
