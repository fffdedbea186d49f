//! The modes of a linearized mechanism: frequency, damping and shape, and what they say of the integrator.

use super::OperatingPoint;
use crate::Error;
use fourbar_linalg::text::Brief;
use fourbar_lti::{Mode as Eigenvalue, StateSpace};
use fourbar_multibody::Mechanism;
use fourbar_multibody::analysis::Linearization;
use nalgebra::{Complex, DVector, DVectorView};
use std::f64::consts::TAU;

/// Part of the stiffness matrix, by mass, that the square of an eigenvalue may be off, and of a shape its parts: differences have eleven digits.
const ROUND_OFF: f64 = 1e-10;
/// Stiffness ratio above which a method for stiff systems pays, as the text has it that the multibody algorithms are from.
const STIFF: f64 = 200.0;
/// Stiffness ratio below which it does not, from the same text.
const NON_STIFF: f64 = 20.0;

/// A mode: one real eigenvalue or a pair of complex ones.
#[derive(Debug, Clone, PartialEq)]
pub struct Mode {
    /// The eigenvalue, of a pair the one with positive imaginary part \[1/s\]; 0 where its square is round-off of the stiffness.
    pub eigenvalue: Complex<f64>,
    /// Way of each body: centre of mass x, y, z and turns about the global axes, as complex amplitudes [m, rad]. The largest way is
    /// 1, or the largest turn where nothing but turns is.
    pub shape: Vec<[Complex<f64>; 6]>,
    /// How it moves.
    pub motion: ModeMotion,
}

/// How a mode moves, round-off of its eigenvalue left aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModeMotion {
    /// Nothing holds it: the eigenvalue is 0.
    Free,
    /// It oscillates, and does not grow.
    Oscillates,
    /// It oscillates, and grows.
    Flutters,
    /// It goes back without oscillation, held by damping.
    Overdamped,
    /// It goes back without oscillation in a mechanism without damping, as the way onto an unstable position.
    Decays,
    /// It leaves without oscillation.
    Diverges,
}

impl ModeMotion {
    /// That of an eigenvalue whose real part is off by `error`, in a mechanism with damping or without.
    fn new(eigenvalue: Complex<f64>, error: f64, is_damped: bool) -> Self {
        match (eigenvalue.norm() > 0.0, eigenvalue.im != 0.0) {
            (false, _) => Self::Free,
            (_, true) if eigenvalue.re > error => Self::Flutters,
            (_, true) => Self::Oscillates,
            (_, false) if eigenvalue.re > 0.0 => Self::Diverges,
            (_, false) if is_damped => Self::Overdamped,
            (_, false) => Self::Decays,
        }
    }

    /// Whether it is shown as going to and fro.
    #[must_use]
    pub fn is_periodic(self) -> bool {
        matches!(self, Self::Free | Self::Oscillates | Self::Flutters)
    }

    /// Whether what is small grows.
    #[must_use]
    pub fn is_unstable(self) -> bool {
        matches!(self, Self::Flutters | Self::Diverges)
    }
}

impl Mode {
    /// Its name as number `number`, with three digits: `mode 3, 12.4 Hz`, `mode 1, overdamped, -3.1 1/s`, `mode 2, 0.8 Hz, unstable`.
    #[must_use]
    pub fn label(&self, number: usize) -> String {
        let (frequency, rate) = (Brief(self.frequency()), Brief(self.eigenvalue.re));
        match self.motion {
            ModeMotion::Free => format!("mode {number}, 0 Hz, free"),
            ModeMotion::Oscillates => format!("mode {number}, {frequency:.3} Hz"),
            ModeMotion::Flutters => format!("mode {number}, {frequency:.3} Hz, unstable"),
            ModeMotion::Overdamped => format!("mode {number}, overdamped, {rate:.3} 1/s"),
            ModeMotion::Decays => format!("mode {number}, decays, {rate:.3} 1/s"),
            ModeMotion::Diverges => format!("mode {number}, unstable, {rate:.3} 1/s"),
        }
    }

    /// What it does, as a sentence.
    #[must_use]
    pub fn explanation(&self) -> String {
        let damping = Brief(self.damping());
        let time = Brief(1.0 / self.eigenvalue.re.abs());
        match self.motion {
            ModeMotion::Free => "Nothing holds it: it moves freely.".to_owned(),
            ModeMotion::Oscillates if self.damping() == 0.0 => "It oscillates without damping.".to_owned(),
            ModeMotion::Oscillates => format!("It oscillates with the damping ratio {damping:.3}."),
            ModeMotion::Flutters => {
                format!("Unstable: it oscillates and grows by the factor e in {time:.3} s, damping ratio {damping:.3}.")
            }
            ModeMotion::Overdamped => {
                format!("Overdamped: it goes back without oscillation, by the factor e in {time:.3} s.")
            }
            ModeMotion::Decays => format!("It goes back without oscillation, by the factor e in {time:.3} s."),
            ModeMotion::Diverges => {
                format!("Unstable: it leaves without oscillation and grows by the factor e in {time:.3} s.")
            }
        }
    }

    /// Natural frequency abs(lambda)/(2 pi) \[Hz\].
    #[must_use]
    pub fn frequency(&self) -> f64 {
        self.eigenvalue.norm() / TAU
    }

    /// Damping ratio, see [`damping_ratio`].
    #[must_use]
    pub fn damping(&self) -> f64 {
        damping_ratio(self.eigenvalue)
    }
}

/// Damping ratio -re(lambda)/abs(lambda): 1 or -1 of a real eigenvalue, no number of 0. Round-off of abs(lambda) is none.
#[must_use]
pub fn damping_ratio(eigenvalue: Complex<f64>) -> f64 {
    let ratio = -eigenvalue.re / eigenvalue.norm();
    if ratio.abs() < ROUND_OFF { 0.0 } else { ratio }
}

/// What a stiffness ratio says of the integrator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Advice {
    /// A method for stiff systems: `gstiff`.
    Stiff,
    /// Either.
    Either,
    /// A method for non-stiff systems: `abam`, `rkf45`.
    NonStiff,
}

/// The modes of a mechanism near a state, by ascending frequency.
#[derive(Debug, Clone, PartialEq)]
pub struct Modes {
    /// The modes.
    pub modes: Vec<Mode>,
    /// Names of the bodies, in the order of the shapes.
    pub bodies: Vec<String>,
    /// Modal coordinates of flexible bodies by names such as `arm mode 4`, each with the body that carries it and which of its ways it is:
    /// these bodies are no places.
    pub modal: Vec<(String, [usize; 2])>,
    /// Largest over smallest abs(lambda), those that are zero left out; none where all are.
    pub stiffness_ratio: Option<f64>,
}

impl Modes {
    /// The modes of `linearization`, made at `point`.
    ///
    /// # Errors
    /// [`Error::Linear`] if the eigenvalues do not converge.
    pub fn new(point: &OperatingPoint, linearization: &Linearization) -> Result<Self, Error> {
        let refused = |source| Error::Linear { time: point.time(), source };
        let Linearization { a, b, c, d, basis, coordinates, .. } = linearization;
        let f = coordinates.len();
        let system = StateSpace::new(a.clone(), b.clone(), c.clone(), d.clone()).map_err(refused)?;
        let (eigenvalues, vectors) = system.eigenvectors().map_err(refused)?;
        let softest = softest(linearization);
        let damping = linearization.a.view((f, f), (f, f)).amax();
        let is_damped = damping > softest;
        let mut modes = Vec::new();
        let mut column = 0;
        for eigenvalue in eigenvalues {
            let re = basis * vectors.view((0, column), (f, 1));
            let (eigenvalue, im) = match eigenvalue {
                Eigenvalue::Real(re) => (Complex::new(re, 0.0), None),
                Eigenvalue::Pair { re, im } => {
                    (Complex::new(re, im), Some(basis * vectors.view((0, column + 1), (f, 1))))
                }
            };
            column += 1 + usize::from(im.is_some());
            let eigenvalue = if eigenvalue.norm() > softest { eigenvalue } else { Complex::new(0.0, 0.0) };
            let shape = shape(&re.column(0), im.as_ref().map(|im| im.column(0)).as_ref(), point.mechanism());
            // Half of what its square is off, and what the damping is.
            let error = softest * softest / eigenvalue.norm() + ROUND_OFF * damping;
            modes.push(Mode { eigenvalue, shape, motion: ModeMotion::new(eigenvalue, error, is_damped) });
        }
        modes.sort_by(|a, b| a.frequency().total_cmp(&b.frequency()));
        let bodies = point.mechanism().bodies().iter().map(|body| body.name.clone()).collect();
        let modal = point.mechanism().modal_coordinates().collect();
        Ok(Self { stiffness_ratio: ratio(&modes), modes, bodies, modal })
    }

    /// Whether body `body` is a place, and carries no modal coordinates.
    #[must_use]
    pub fn is_place(&self, body: usize) -> bool {
        self.modal.iter().all(|(_, [carrier, _])| *carrier != body)
    }

    /// What the stiffness ratio says of the integrator.
    #[must_use]
    pub fn advice(&self) -> Advice {
        match self.stiffness_ratio {
            Some(ratio) if ratio > STIFF => Advice::Stiff,
            Some(ratio) if ratio >= NON_STIFF => Advice::Either,
            _ => Advice::NonStiff,
        }
    }
}

impl Advice {
    /// The integrators by their names.
    #[must_use]
    pub fn integrators(self) -> &'static str {
        match self {
            Self::Stiff => "gstiff",
            Self::Either => "gstiff or abam",
            Self::NonStiff => "abam or rkf45",
        }
    }
}

/// Size up to which an eigenvalue is round-off \[1/s\].
pub(super) fn softest(linearization: &Linearization) -> f64 {
    let f = linearization.coordinates.len();
    (ROUND_OFF * linearization.a.view((f, 0), (f, f)).amax()).sqrt()
}

fn ratio(modes: &[Mode]) -> Option<f64> {
    let sizes = || modes.iter().map(|mode| mode.eigenvalue.norm()).filter(|size| *size > 0.0);
    let smallest = sizes().fold(f64::INFINITY, f64::min);
    (smallest < f64::INFINITY).then(|| sizes().fold(0.0, f64::max) / smallest)
}

/// Ways of the bodies, scaled so that the largest is 1; modal coordinates are none.
fn shape(
    re: &DVectorView<'_, f64>,
    im: Option<&DVectorView<'_, f64>>,
    mechanism: &Mechanism,
) -> Vec<[Complex<f64>; 6]> {
    let ways = DVector::from_fn(re.len(), |k, _| Complex::new(re[k], im.map_or(0.0, |im| im[k])));
    let largest = |wanted: &dyn Fn(usize) -> bool| {
        let placed = |k: usize| !mechanism.carries_modes(k / 6);
        let all = ways.iter().enumerate().filter(|(k, _)| wanted(*k) && placed(*k)).map(|(_, way)| *way);
        all.fold(Complex::new(0.0, 0.0), |largest, way| if way.norm() > largest.norm() { way } else { largest })
    };
    let (way, turn) = (largest(&|k| k % 6 < 3), largest(&|k| k % 6 >= 3));
    // Ways that are round-off of turns are none.
    let unit = if way.norm() > ROUND_OFF * mechanism.length() * turn.norm() { way } else { turn };
    let unit = if unit.norm() > 0.0 { unit } else { Complex::new(1.0, 0.0) };
    let scaled = |k: usize| ways[k] / unit;
    (0..ways.len() / 6).map(|body| std::array::from_fn(|k| scaled(6 * body + k))).collect()
}
