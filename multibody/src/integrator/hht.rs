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

use super::bdf::Bdf;
use super::coefficients::Coefficients;
use super::constant_bdf::FixedStep;
use super::error::Error;
use super::options::{NewtonOptions, StepLimits, Tolerance, within};
use super::stepper::BdfStepper;
use crate::dae::Dae;

/// How much a step of [`Hht`] damps what is far faster than the step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Damping {
    /// HHT-alpha, from -1/3 (most damping) to 0 (none): alpha_m = 0, alpha_f = -alpha. Fast parts are multiplied by alpha/(1 + alpha) in each step.
    Alpha(f64),
    /// Generalized-alpha by the spectral radius at infinity, from 0 (fast parts are gone after a step or two) to 1 (none is damped).
    SpectralRadius(f64),
}

impl Default for Damping {
    /// HHT-alpha with -0.3, as in Adams.
    fn default() -> Self {
        Self::Alpha(-0.3)
    }
}

impl Damping {
    /// alpha_m and alpha_f.
    fn weights(self) -> [f64; 2] {
        match self {
            Self::Alpha(alpha) => [0.0, -alpha],
            Self::SpectralRadius(rho) => [(3.0 * rho - 1.0) / (2.0 + 2.0 * rho), rho / (1.0 + rho)],
        }
    }

    /// l_1 and l_2: what y - y_p adds to h y' and to z_2; and y - y_p per local error.
    pub(super) fn coefficients(self) -> [f64; 3] {
        let [m, f] = self.weights();
        let gamma = 0.5 - m + f;
        let (first, second) = ((1.0 - m) / (gamma * (1.0 - f)), 0.5 / (gamma * (1.0 - f)));
        // On y = t^3/6 in steps of 1: a = y' + (m - f) y'' + kappa; y_{n+1} is off by `error`, and y - y_p is 1/(2 l_2), whose sum z_2 is t/2.
        let middle = 0.5 + m - f;
        let kappa = 0.5 * (1.0 - f) - (1.0 - m) * middle;
        let error = (1.0 / 6.0 - kappa - gamma * middle).abs();
        [first, second, 0.5 / second / error]
    }

    /// Checks the range.
    pub(super) fn validate(self) -> Result<(), Error> {
        match self {
            Self::Alpha(alpha) => within("alpha", alpha, (-1.0 / 3.0..=0.0).contains(&alpha), "from -1/3 to 0"),
            Self::SpectralRadius(rho) => {
                within("spectral radius at infinity", rho, (0.0..=1.0).contains(&rho), "from 0 to 1")
            }
        }
    }
}

/// HHT-alpha and generalized-alpha: order 2, one matrix and one solution of the equations a step, and damping of what is too fast for the step alone, as
/// much as is chosen. For structures and other mechanisms with fast vibrations that do not matter.
///
/// ```
/// use fourbar_multibody::integrator::{Damping, Hht};
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

#[cfg(test)]
mod tests {
    use super::*;

    /// At the ends of their ranges the coefficients are those of known formulas, and so are the errors: BDF2's is 1/3 and the trapezoidal rule's 1/12 of
    /// h^3 y'''. In between rho alone says them.
    #[test]
    fn coefficients_are_those_of_known_formulas() {
        for i in 0..=10 {
            let rho = f64::from(i) / 10.0;
            let found = Damping::SpectralRadius(rho).coefficients();
            let second = (1.0 + rho) * (1.0 + rho) / 2.0;
            let expected = [(3.0 - rho) * (1.0 + rho) / 2.0, second, 3.0 / (1.0 - rho + rho * rho)];
            for (found, expected) in found.into_iter().zip(expected) {
                assert!((found - expected).abs() < 1e-14, "rho = {rho}: {found} for {expected}");
            }
        }
        for (undamped, error) in [(Damping::Alpha(0.0), 6.0), (Damping::SpectralRadius(1.0), 3.0)] {
            assert!((undamped.coefficients()[2] - error).abs() < 1e-14, "{undamped:?}");
        }
    }
}
