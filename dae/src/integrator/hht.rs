//! `Hht`: the generalized-alpha method of Chung and Hulbert, and with it the HHT-alpha method of Hilber, Hughes and Taylor (integrators.md, section 2).
//!
//! | symbol | meaning |
//! |---|---|
//! | a | algorithmic derivative of y: y' at t + (alpha_m - alpha_f) h, to O(h^2) |
//! | alpha_m, alpha_f | weights of the values at the start of the step |
//! | gamma | 1/2 - alpha_m + alpha_f, for order 2 |
//! | rho | spectral radius of a step at infinite stiffness |
//!
//! All unknowns are treated alike, as first-order equations (Jansen, Whiting, Hulbert 2000), and F(t, y, y') = 0 holds at the end of the step (Arnold, Bruels
//! 2007):
//!
//! (1 - alpha_m) a_{n+1} + alpha_m a_n = (1 - alpha_f) y'_{n+1} + alpha_f y'_n,  y_{n+1} = y_n + h ((1 - gamma) a_n + gamma a_{n+1}).
//!
//! With z_2 = h (a - y')/(2 (alpha_m - alpha_f)) in place of a this is the Nordsieck array (y, h y', z_2) with the coefficients [`Damping::coefficients`]: those of
//! order 2 of Gear at rho = 0, those of the trapezoidal rule at rho = 1. So corrector, control and all else are those of [`Gstiff`](super::Gstiff), and a
//! change of the step scales z_2 as it should.

use super::bdf::{Bdf, FixedStep};
use super::coefficients::Coefficients;
use super::damping::Damping;
use super::error::Error;
use super::options::{NewtonOptions, StepLimits, Tolerance};
use super::stepper::BdfStepper;
use crate::dae::Dae;

/// HHT-alpha and generalized-alpha: order 2, one matrix and one solution of the equations a step, and damping of what is too fast for the step alone, as
/// much as is chosen. For structures and other mechanisms with fast vibrations that do not matter.
///
/// ```
/// use fourbar_dae::integrator::{Damping, Hht};
///
/// let method = Hht { damping: Damping::SpectralRadius(0.8), ..Hht::with_tolerance(1e-5) };
/// assert!(method.validate(3).is_ok());
/// assert!(Hht { damping: Damping::Alpha(0.1), ..method }.validate(3).is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
#[doc(alias("generalized-alpha", "Newmark", "Hilber-Hughes-Taylor"))]
pub struct Hht {
    /// Numerical damping.
    pub damping: Damping,
    /// Tolerances and norm of the error test: y - y_p, which is the change of the accelerations but for a factor, tells the local error (Negrut, Rampalli,
    /// Ottarsson, Sajdak 2007).
    pub tolerance: Tolerance,
    /// Limits of the step.
    pub step: StepLimits,
    /// How the corrector's equations are solved.
    pub newton: NewtonOptions,
    /// A constant step \[s\] without error test, halved as that of [`ConstantBdf`](super::ConstantBdf) where it fails; at most `step.largest`.
    pub fixed: Option<f64>,
}

impl Hht {
    /// The method with a relative tolerance, the absolute one left to the system, or the same in typical sizes of the unknowns.
    #[must_use]
    pub fn with_tolerance(relative: f64) -> Self {
        Self { tolerance: Tolerance::uniform(relative), ..Self::default() }
    }

    /// Checks all options for a system of `dimension` unknowns.
    ///
    /// # Errors
    /// [`Error::Option`] names the option, its value and what is allowed; [`Error::Length`].
    pub fn validate(&self, dimension: usize) -> Result<(), Error> {
        Bdf::from(self).validate(dimension)
    }

    /// Starts on a system at t = `time` with y = `y`, y' = `yp` (n entries each), to run to `end`. The start should satisfy the
    /// equations; y' of unknowns whose derivative does not occur may be 0. The first steps are of order 1.
    ///
    /// # Errors
    /// [`Error::Option`], [`Error::Length`], [`Error::NotFinite`], [`Error::EndBeforeStart`].
    pub fn start<D: Dae>(&self, dae: D, time: f64, y: &[f64], yp: &[f64], end: f64) -> Result<BdfStepper<D>, Error> {
        Bdf::from(self).start(dae, time, y, yp, end)
    }

    /// Starts at order 2 with a known history: `columns` are y, h y' and h^2 y''/2 at `time` with h = `step` \[s\], n entries each.
    ///
    /// # Errors
    /// As [`start`](Self::start); [`Error::Option`] if there are other than two or three columns.
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

impl From<&Hht> for Bdf {
    fn from(method: &Hht) -> Self {
        let fixed = |step: f64| if step > method.step.largest { method.step.largest } else { step };
        Self {
            coefficients: Coefficients::Alpha(method.damping),
            order_max: 2,
            tolerance: method.tolerance.clone(),
            step: method.step,
            newton: method.newton,
            fixed: method.fixed.map(|step| FixedStep { step: fixed(step), order: 2 }),
        }
    }
}
