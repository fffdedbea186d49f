//! The equations to be solved, how they are iterated, and what comes of it.

use crate::error::Error;

/// A system F(x) = 0 of n equations with a Jacobian that can be kept.
pub trait Equations {
    /// Why an evaluation or a factorization failed for good; a point outside the domain is a NaN in the residual instead.
    type Error;

    /// Number n of equations and unknowns.
    fn dimension(&self) -> usize;

    /// Writes F(x) to `residual`, n entries each. NaN entries say that x lies outside the domain; damping then shortens the step.
    ///
    /// # Errors
    /// What cannot be mended by a shorter step.
    fn residual(&mut self, x: &[f64], residual: &mut [f64]) -> Result<(), Self::Error>;

    /// Evaluates and factors the Jacobian at x.
    ///
    /// # Errors
    /// A Jacobian that cannot be evaluated or is singular.
    fn refresh(&mut self, x: &[f64]) -> Result<(), Self::Error>;

    /// Replaces r by J^-1 r.
    ///
    /// # Errors
    /// A failed solve.
    fn correct(&mut self, r: &mut [f64]) -> Result<(), Self::Error>;

    /// Norm in which corrections are measured; by default the largest magnitude. NaN must not be lost.
    fn norm(&self, d: &[f64]) -> f64 {
        d.iter().fold(0.0, |max, v| if v.abs() > max || v.is_nan() { v.abs() } else { max })
    }
}

/// How [`Newton`](super::Newton) iterates.
#[derive(Debug, Clone, PartialEq)]
pub struct NewtonOptions {
    /// Size of the error left at which the iteration has converged, in the unit of [`Equations::norm`], positive. Default 1e-10.
    pub tolerance: f64,
    /// Most corrections. Default 50.
    pub max_iterations: usize,
    /// Rate above which the Jacobian is evaluated again, in (0, 1). Default 0.25: two corrections with the old one then bring less
    /// than one with the new one.
    pub refresh_above: f64,
    /// Smallest damping factor lambda, in (0, 1]; 1 switches damping off. Default 1e-4.
    pub smallest_damping: f64,
}

impl Default for NewtonOptions {
    fn default() -> Self {
        Self { tolerance: 1e-10, max_iterations: 50, refresh_above: 0.25, smallest_damping: 1e-4 }
    }
}

impl NewtonOptions {
    /// Refuses numbers out of range.
    ///
    /// # Errors
    /// [`Error::Option`] with the name, the value and the range.
    pub fn validate(&self) -> Result<(), Error> {
        let check = |name, value, range, good| if good { Ok(()) } else { Err(Error::Option { name, value, range }) };
        let positive = self.tolerance > 0.0 && self.tolerance.is_finite();
        check("tolerance", self.tolerance, "(0, infinity)", positive)?;
        check("max_iterations", self.max_iterations as f64, "1, 2, ..", self.max_iterations > 0)?;
        let open = self.refresh_above > 0.0 && self.refresh_above < 1.0;
        check("refresh_above", self.refresh_above, "(0, 1)", open)?;
        let damping = self.smallest_damping > 0.0 && self.smallest_damping <= 1.0;
        check("smallest_damping", self.smallest_damping, "(0, 1]", damping)
    }
}

/// What an iteration has cost and where it stands.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct IterationStatistics {
    /// Corrections applied.
    pub iterations: usize,
    /// Evaluations of F.
    pub residuals: usize,
    /// Evaluations of J.
    pub jacobians: usize,
    /// Norm of the last correction.
    pub correction: f64,
    /// Last rate, 0 while unknown.
    pub rate: f64,
    /// Smallest damping factor used.
    pub damping: f64,
}

/// How an iteration ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Outcome {
    /// The error left is below the tolerance.
    Converged {
        /// Estimate of the error left, rho/(1 - rho) |d|.
        error: f64,
        /// What it cost.
        statistics: IterationStatistics,
    },
    /// Even the smallest step along a fresh Newton direction does not bring the solution nearer.
    Diverged(IterationStatistics),
    /// The iterations allowed are used up although full corrections still shrink.
    Slow {
        /// Corrections still needed at this rate.
        needed: usize,
        /// Where it stands.
        statistics: IterationStatistics,
    },
    /// The iterations allowed are used up, and no rate promises an end.
    MaxIterations(IterationStatistics),
    /// F or a correction is NaN or infinite at a point that no shorter step avoids.
    NotFinite(IterationStatistics),
    /// The unknowns or the equations are not as many as the iteration was made for; nothing has been done.
    WrongLength {
        /// Entries of x, or dimension of the equations.
        found: usize,
        /// Unknowns of the iteration.
        expected: usize,
    },
}

impl Outcome {
    /// Whether the solution has been found.
    pub fn is_converged(&self) -> bool {
        matches!(self, Self::Converged { .. })
    }

    /// What the iteration has cost.
    pub fn statistics(&self) -> IterationStatistics {
        match *self {
            Self::Converged { statistics, .. } | Self::Slow { statistics, .. } => statistics,
            Self::Diverged(statistics) | Self::MaxIterations(statistics) | Self::NotFinite(statistics) => statistics,
            Self::WrongLength { .. } => IterationStatistics::default(),
        }
    }
}
