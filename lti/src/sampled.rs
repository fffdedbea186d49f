//! Sampled systems x(k+1) = A_d x(k) + B_d u(k), y(k) = C_d x(k) + D_d u(k) for the usual holds: matrices for controllers and other
//! programs.

mod checked;
mod delays;

use nalgebra::{Complex, DMatrix};

use crate::error::{all_finite, length, positive};
use crate::{Error, GMatrices, StateSpace, TransferMatrix};
use checked::checked;
pub use delays::Delays;
use delays::Sampling;

/// What the input does between its samples, or how else a sampled system stands for a continuous one (Franklin, Powell and Workman, *Digital
/// Control of Dynamic Systems*, 3rd ed., chapters 4 and 6).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Hold {
    /// Zero-order hold: the input keeps the value of its last sample; exact for the output of a digital controller.
    ZeroOrder,
    /// First-order hold (triangle): straight lines from sample to sample; exact for inputs that are such.
    FirstOrder,
    /// Impulse invariant: the answer to the samples 1, 0, 0, ... is T times the impulse response at the samples, its first value the limit from
    /// the right. The direct part D stays as it is.
    Impulse,
    /// Bilinear: s = (2/T)(z - 1)/(z + 1). Prewarped at an angular frequency w \[rad/s\], below pi/T: s = w/tan(w T/2) (z - 1)/(z + 1), so
    /// that the frequency response there is that of the continuous system.
    Tustin {
        /// w; none for the plain transformation.
        prewarped_at: Option<f64>,
    },
}

impl Hold {
    /// `zoh`, `foh`, `impulse`, `tustin`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::ZeroOrder => "zoh",
            Self::FirstOrder => "foh",
            Self::Impulse => "impulse",
            Self::Tustin { .. } => "tustin",
        }
    }
}

/// A sampled system: its four matrices and what they were made by.
///
/// Its state z is that of the continuous system, less [`SampledSystem::shift`] times u(k) (which is 0 but for the first-order hold, whose end
/// of a step uses u(k+1)), then the samples and outputs that delays keep.
///
/// ```
/// use fourbar_lti::{Hold, lag};
///
/// let sampled = lag(1.0, 0.5)?.sampled(0.1, Hold::ZeroOrder)?;
/// let p = (-0.2f64).exp();
/// assert!((sampled.a()[0] - p).abs() < 1e-16 && (sampled.b()[0] - (1.0 - p)).abs() < 1e-16);
/// # Ok::<(), fourbar_lti::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SampledSystem {
    matrices: StateSpace,
    shift: DMatrix<f64>,
    step: f64,
    hold: Hold,
}

impl SampledSystem {
    /// A_d, square.
    #[must_use]
    pub fn a(&self) -> &DMatrix<f64> {
        self.matrices.a()
    }

    /// B_d, a column for each input.
    #[must_use]
    pub fn b(&self) -> &DMatrix<f64> {
        self.matrices.b()
    }

    /// C_d, a row for each output.
    #[must_use]
    pub fn c(&self) -> &DMatrix<f64> {
        self.matrices.c()
    }

    /// D_d, q x m.
    #[must_use]
    pub fn d(&self) -> &DMatrix<f64> {
        self.matrices.d()
    }

    /// The state of the continuous system is the first n values of z + shift u(k).
    #[must_use]
    pub fn shift(&self) -> &DMatrix<f64> {
        &self.shift
    }

    /// Number of states: n, and what delays keep.
    #[must_use]
    pub fn states(&self) -> usize {
        self.matrices.states()
    }

    /// T \[s\].
    #[must_use]
    pub fn step(&self) -> f64 {
        self.step
    }

    /// The hold.
    #[must_use]
    pub fn hold(&self) -> Hold {
        self.hold
    }

    /// `y` = C_d z + D_d u, then `z` = A_d z + B_d u.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::NotFinite`] for u, [`Error::Overflow`]; z and y are then as before.
    pub fn advance(&self, z: &mut [f64], u: &[f64], y: &mut [f64]) -> Result<(), Error> {
        length("state", z.len(), self.states())?;
        length("input", u.len(), self.matrices.inputs())?;
        length("output", y.len(), self.matrices.outputs())?;
        all_finite("input", u)?;
        let column = |values: &[f64]| DMatrix::from_column_slice(values.len(), 1, values);
        let (old, u) = (column(z), column(u));
        let (output, next) = (self.c() * &old + self.d() * &u, self.a() * &old + self.b() * &u);
        if !output.iter().chain(&next).all(|x| x.is_finite()) {
            return Err(Error::Overflow { what: "next state or output" });
        }
        y.copy_from_slice(output.as_slice());
        z.copy_from_slice(next.as_slice());
        Ok(())
    }

    /// C_d (z I - A_d)^{-1} B_d + D_d, q x m; z = e^{iwT} for the angular frequency w. None at a pole.
    #[must_use]
    pub fn at(&self, z: Complex<f64>) -> Option<DMatrix<Complex<f64>>> {
        TransferMatrix::unreduced(&self.matrices).at(z)
    }
}

impl StateSpace {
    /// The sampled system for the step T = `step` \[s\].
    ///
    /// # Errors
    /// [`Error::NotPositive`] for the step; [`Error::Transition`] and [`Error::Overflow`] beyond the range of f64; for Tustin [`Error::Bilinear`] where it
    /// takes a pole to infinity, [`Error::Setting`] for a frequency out of range.
    pub fn sampled(&self, step: f64, hold: Hold) -> Result<SampledSystem, Error> {
        self.sampled_with_delays(step, hold, &Delays::default())
    }

    /// The same with inputs and outputs delayed. With the holds of order 0 and 1 delays of any length are exact: the held input is delayed,
    /// whole steps and fractions. The other two take whole steps.
    ///
    /// # Errors
    /// As [`StateSpace::sampled`]; [`Error::Length`] for the number of delays, [`Error::Setting`] for one that is negative, longer than
    /// [`Delays::MOST_STEPS`], or no whole number of steps where it must be.
    pub fn sampled_with_delays(&self, step: f64, hold: Hold, delays: &Delays) -> Result<SampledSystem, Error> {
        positive("step", step)?;
        let delays = delays.in_steps(self.inputs(), self.outputs(), step)?;
        let sampling = match hold {
            Hold::ZeroOrder | Hold::FirstOrder => Sampling::of_held(self, step, hold == Hold::FirstOrder, &delays)?,
            Hold::Impulse => Sampling::of_samples(&self.impulse_invariant(step)?, &delays, step)?,
            Hold::Tustin { prewarped_at } => {
                Sampling::of_samples(&self.bilinear(half_step(step, prewarped_at)?, step)?, &delays, step)?
            }
        };
        let (matrices, shift) = sampling.assemble()?;
        Ok(SampledSystem { matrices, shift, step, hold })
    }

    /// A_d = E = e^{AT}, B_d = T E B, C_d = C, D_d = D + T C B.
    fn impulse_invariant(&self, step: f64) -> Result<StateSpace, Error> {
        let exp = GMatrices::new(self.a(), step, 0)?.exp().clone();
        let b = &exp * self.b() * step;
        checked(exp, b, self.c().clone(), self.d() + self.c() * self.b() * step)
    }

    /// With h = T/2 and R = (I - h A)^{-1}: A_d = R (I + h A), B_d = 2 h R B, C_d = C R, D_d = D + h C R B.
    fn bilinear(&self, h: f64, step: f64) -> Result<StateSpace, Error> {
        let n = self.states();
        if n == 0 {
            return Ok(self.clone());
        }
        let identity = DMatrix::identity(n, n);
        let resolvent = TransferMatrix::unreduced(&StateSpace::from_checked(
            self.a().clone(),
            identity.clone(),
            identity.clone(),
            DMatrix::zeros(n, n),
        ));
        // (I - h A)^{-1} = (1/h) (1/h I - A)^{-1}.
        let resolvent = resolvent.at(Complex::new(1.0 / h, 0.0)).ok_or(Error::Bilinear { step })?.map(|z| z.re / h);
        let b = &resolvent * self.b();
        let d = self.d() + self.c() * &b * h;
        // R (I + h A) = 2 R - I.
        checked(&resolvent * 2.0 - identity, b * (2.0 * h), self.c() * resolvent, d)
    }
}

/// T/2, or tan(w T/2)/w.
fn half_step(step: f64, prewarped_at: Option<f64>) -> Result<f64, Error> {
    let Some(w) = prewarped_at else { return Ok(0.5 * step) };
    if !(w > 0.0 && w * step < std::f64::consts::PI) {
        return Err(Error::Setting { name: "prewarped_at", value: w, range: "(0, pi/step) rad/s" });
    }
    Ok((0.5 * w * step).tan() / w)
}
