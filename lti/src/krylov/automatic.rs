//! The cheaper of the two projections.

use fourbar_linalg::CscMatrix;

use super::cost::Costs;
use super::polynomial::PolynomialKrylov;
use super::propagator::{KrylovEffort, KrylovOptions, Propagator};
use super::rational::RationalKrylov;
use crate::Error;

/// Steps of dx/dt = A x + f(t) by [`PolynomialKrylov`] or [`RationalKrylov`], whichever takes fewer multiply-adds for a matrix, a step and a number of steps.
///
/// It is decided before the first step, from ||A|| T, the entries of A, and those that a minimum-degree elimination would fill, so that a matrix is never factored
/// in vain. A that is not dominated by diffusion (waves) is left to products as long as the substeps allowed suffice.
///
/// ```
/// use fourbar_linalg::CscMatrix;
/// use fourbar_lti::{Krylov, KrylovOptions, KrylovSpace, Propagator};
/// use nalgebra::DMatrix;
///
/// let a = CscMatrix::from(&DMatrix::from_row_slice(2, 2, &[-1.0, 1.0, 1.0, -1.0]));
/// let mut krylov = Krylov::new(&a, &KrylovOptions::default(), 0.5, 100)?;
/// assert_eq!(krylov.space(), KrylovSpace::Polynomial);
/// let mut x = [1.0, 0.0];
/// krylov.exp_action(0.5, &mut x)?;
/// assert!((x[0] - 0.5 * (1.0 + (-1f64).exp())).abs() < 1e-12);
/// # Ok::<(), fourbar_lti::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Krylov(Chosen);

/// The space that a step is projected onto.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KrylovSpace {
    /// Of A and x: products only.
    Polynomial,
    /// Of (I - gamma A)^{-1} and x: one factorization.
    Rational,
}

#[derive(Debug, Clone)]
enum Chosen {
    Polynomial(Box<PolynomialKrylov<CscMatrix<f64>>>),
    Rational(Box<RationalKrylov>),
}

impl Krylov {
    /// For about `steps` steps of `step` \[s\]; steps of other lengths are exact too, if not at the least cost.
    ///
    /// # Errors
    /// [`Error::Setting`], [`Error::NotPositive`] for the step; [`Error::MatrixShape`] and [`Error::NotFinite`] for A \[1/s\].
    pub fn new(a: &CscMatrix<f64>, options: &KrylovOptions, step: f64, steps: u64) -> Result<Self, Error> {
        crate::error::positive("step", step)?;
        let polynomial = PolynomialKrylov::new(a.clone(), options)?;
        if Costs::new(a, options).polynomial_is_cheaper(step, steps.max(1) as f64) {
            return Ok(Self(Chosen::Polynomial(Box::new(polynomial))));
        }
        Ok(Self(Chosen::Rational(Box::new(RationalKrylov::new(a, options)?))))
    }

    /// The projection chosen.
    #[must_use]
    pub fn space(&self) -> KrylovSpace {
        match self.0 {
            Chosen::Polynomial(_) => KrylovSpace::Polynomial,
            Chosen::Rational(_) => KrylovSpace::Rational,
        }
    }

    fn propagator(&self) -> &dyn Propagator {
        match &self.0 {
            Chosen::Polynomial(krylov) => krylov.as_ref(),
            Chosen::Rational(krylov) => krylov.as_ref(),
        }
    }

    fn propagator_mut(&mut self) -> &mut dyn Propagator {
        match &mut self.0 {
            Chosen::Polynomial(krylov) => krylov.as_mut(),
            Chosen::Rational(krylov) => krylov.as_mut(),
        }
    }
}

impl Propagator for Krylov {
    fn dimension(&self) -> usize {
        self.propagator().dimension()
    }

    fn pace(&self) -> f64 {
        self.propagator().pace()
    }

    fn set_pace(&mut self, pace: f64) {
        self.propagator_mut().set_pace(pace);
    }

    fn advance(&mut self, step: f64, x: &mut [f64], forcing: &[f64]) -> Result<KrylovEffort, Error> {
        self.propagator_mut().advance(step, x, forcing)
    }
}
