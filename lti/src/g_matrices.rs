//! G_i(T) = int_0^T e^{A(T-s)} (s/T)^i ds = i! T phi_{i+1}(AT), \[s\]: the integrals that make input holds of any order exact.
//!
//! If u(t_k + theta T) = sum_j c_j theta^j, then int_0^T e^{A(T-s)} B u ds = sum_j G_j B c_j. The free functions are the four
//! recursions that link the matrices, numbered as in the source (Jiang and Chai 1995); they are identities to check with,
//! not the way the matrices are computed (see [`fourbar_linalg::phi`]).

use fourbar_linalg::phi::{DoubleDouble, PhiError, PhiFunctions, PhiScalar};
use nalgebra::DMatrix;

use crate::Error;
use crate::error::shape;

/// The arithmetic in which transition matrices are computed. They are rounded to f64 in the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Precision {
    /// Extended up to dimension [`Precision::EXTENDED_UP_TO`] and for all input holds of more than [`Precision::WORKING_UP_TO_ORDER`],
    /// working for the rest.
    #[default]
    Automatic,
    /// f64 throughout: a few rounding errors, times the conditioning of the problem; more where e^{AT} decays behind a transient.
    Working,
    /// Double-double arithmetic: every entry accurate to working precision, at about ten times the time.
    Extended,
}

impl Precision {
    /// Largest dimension for which [`Precision::Automatic`] means the extended arithmetic.
    pub const EXTENDED_UP_TO: usize = 256;

    /// Highest index p of a set of matrices for which [`Precision::Automatic`] may mean the working arithmetic: interpolation weights
    /// of an order l beyond it cancel by more than 2^l.
    pub const WORKING_UP_TO_ORDER: usize = 4;
}

/// e^{AT} and G_0(T), ..., G_p(T).
///
/// ```
/// use fourbar_lti::GMatrices;
/// use nalgebra::dmatrix;
///
/// // dx/dt = -1e4 x, so far into its decay that A G_i + I would cancel to nothing.
/// let g = GMatrices::new(&dmatrix![-1e4], 0.005, 3)?;
/// assert!((g.g(0)[0] - 1e-4).abs() < 1e-19);
/// assert!((g.exp()[0] / (-50f64).exp() - 1.0).abs() < 1e-14);
/// # Ok::<(), fourbar_lti::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct GMatrices {
    step: f64,
    order: usize,
    phi: Phi,
    exp: DMatrix<f64>,
    g: Vec<DMatrix<f64>>,
}

#[derive(Debug, Clone)]
enum Phi {
    Working(PhiFunctions<f64>),
    Extended(PhiFunctions<DoubleDouble>),
}

impl GMatrices {
    /// e^{AT}, G_0, ..., G_`order` of the n x n matrix `a` \[1/s\] for the step T = `step` \[s\], of either sign.
    ///
    /// # Errors
    /// [`PhiError`]: `a` not square or not finite, `step` not finite, e^{AT} beyond the range of f64.
    pub fn new(a: &DMatrix<f64>, step: f64, order: usize) -> Result<Self, PhiError> {
        Self::with_precision(a, step, order, Precision::Automatic)
    }

    /// The same in the arithmetic asked for.
    ///
    /// # Errors
    /// As [`GMatrices::new`].
    pub fn with_precision(a: &DMatrix<f64>, step: f64, order: usize, precision: Precision) -> Result<Self, PhiError> {
        let n = a.nrows();
        let extended = match precision {
            Precision::Automatic => n <= Precision::EXTENDED_UP_TO || order > Precision::WORKING_UP_TO_ORDER,
            Precision::Working => false,
            Precision::Extended => true,
        };
        let phi = if extended {
            let mut phi = PhiFunctions::new(n, order.saturating_add(1));
            phi.compute(a, step)?;
            Phi::Extended(phi)
        } else {
            let mut phi = PhiFunctions::new(n, order.saturating_add(1));
            phi.compute(a, step)?;
            Phi::Working(phi)
        };
        Ok(Self::from_phi(phi, step, order))
    }

    fn from_phi(phi: Phi, step: f64, order: usize) -> Self {
        let exp = match &phi {
            Phi::Working(phi) => phi.exp().clone(),
            Phi::Extended(phi) => phi.exp().map(PhiScalar::to_f64),
        };
        let mut result = Self { step, order, phi, exp, g: Vec::new() };
        let unit = |i: usize| move |j: usize| DoubleDouble::from(f64::from(u8::from(i == j)));
        result.g = (0..=order).map(|i| result.combination(&(0..=i).map(unit(i)).collect::<Vec<_>>())).collect();
        result
    }

    /// The step T \[s\].
    #[must_use]
    pub fn step(&self) -> f64 {
        self.step
    }

    /// The highest index p.
    #[must_use]
    pub fn order(&self) -> usize {
        self.order
    }

    /// e^{AT}, n x n.
    #[must_use]
    pub fn exp(&self) -> &DMatrix<f64> {
        &self.exp
    }

    /// G_i(T), n x n \[s\].
    ///
    /// # Panics
    /// If `i` exceeds [`GMatrices::order`], as an index beyond the end of a slice does.
    #[must_use]
    pub fn g(&self, i: usize) -> &DMatrix<f64> {
        &self.g[i]
    }

    /// The matrices for 2 T, by identity (11): p + 2 matrix products instead of a new evaluation.
    ///
    /// # Errors
    /// [`PhiError::Overflow`].
    pub fn doubled(&self) -> Result<Self, PhiError> {
        let mut phi = self.phi.clone();
        match &mut phi {
            Phi::Working(phi) => phi.double()?,
            Phi::Extended(phi) => phi.double()?,
        }
        Ok(Self::from_phi(phi, 2.0 * self.step, self.order))
    }

    /// sum_j weights_j G_j \[s\], rounded once: interpolation weights of high order cancel heavily.
    pub(crate) fn combination(&self, weights: &[DoubleDouble]) -> DMatrix<f64> {
        match &self.phi {
            Phi::Working(phi) => combine(phi, self.step, weights, |w| w.to_f64()),
            Phi::Extended(phi) => combine(phi, self.step, weights, |w| w),
        }
    }
}

/// sum_j weights_j j! T phi_{j+1}.
fn combine<T: PhiScalar>(
    phi: &PhiFunctions<T>,
    step: f64,
    weights: &[DoubleDouble],
    round: impl Fn(DoubleDouble) -> T,
) -> DMatrix<f64> {
    let n = phi.dimension();
    let mut sum = DMatrix::from_element(n, n, T::default());
    let mut factor = DoubleDouble::from(step);
    for (j, &weight) in weights.iter().enumerate() {
        factor = factor * DoubleDouble::from(j.max(1) as f64);
        let weight = round(weight * factor);
        sum.zip_apply(phi.phi(j + 1), |s, p| *s = *s + weight * p);
    }
    sum.map(PhiScalar::to_f64)
}

/// (8): e^{AT} = A G_0 + I; `a` and `g0` n x n.
///
/// # Errors
/// [`Error::MatrixShape`].
pub fn exponential_from_g0(a: &DMatrix<f64>, g0: &DMatrix<f64>) -> Result<DMatrix<f64>, Error> {
    let n = a.nrows();
    shape("A", a, (n, n))?;
    shape("G", g0, (n, n))?;
    Ok(a * g0 + DMatrix::identity(n, n))
}

/// (9): G_{i-1} = (T/i)(A G_i + I), for i >= 1.
///
/// An identity, not a method: at the full step of a stiff system it multiplies an error of G_i by ||A|| T / i.
///
/// # Errors
/// [`Error::MatrixShape`], [`Error::Index`] for i = 0.
pub fn lower_from_upper(a: &DMatrix<f64>, step: f64, i: usize, g_i: &DMatrix<f64>) -> Result<DMatrix<f64>, Error> {
    if i == 0 {
        return Err(Error::Index { name: "index of G", index: i, smallest: 1, largest: usize::MAX });
    }
    Ok(exponential_from_g0(a, g_i)? * (step / i as f64))
}

/// (10): G_i = i! T sum_{j>=i+1} (AT)^{j-i-1}/j!, the first `terms` terms of it.
///
/// # Errors
/// [`Error::MatrixShape`].
pub fn g_by_series(a: &DMatrix<f64>, step: f64, i: usize, terms: usize) -> Result<DMatrix<f64>, Error> {
    let n = a.nrows();
    shape("A", a, (n, n))?;
    let z = a * step;
    let first = i as f64 + 1.0;
    if terms == 0 {
        return Ok(DMatrix::zeros(n, n));
    }
    // Horner in the ratios of consecutive terms: term k+1 = term k * (AT)/(i+1+k).
    let mut sum = DMatrix::identity(n, n);
    for k in (1..terms).rev() {
        sum = &z * sum / (first + k as f64) + DMatrix::identity(n, n);
    }
    Ok(sum * (step / first))
}

/// (11): G_i(2T) = 2^{-i} [ e^{AT} G_i(T) + sum_{j=0..i} C(i,j) G_j(T) ], from the matrices for T.
///
/// # Errors
/// [`Error::Index`] when `i` exceeds [`GMatrices::order`].
pub fn g_of_double_step(g: &GMatrices, i: usize) -> Result<DMatrix<f64>, Error> {
    if i > g.order() {
        return Err(Error::Index { name: "index of G", index: i, smallest: 0, largest: g.order() });
    }
    let mut sum = g.exp() * g.g(i);
    let mut binomial = 1.0;
    for j in 0..=i {
        sum += g.g(j) * binomial;
        binomial *= (i - j) as f64 / (j + 1) as f64;
    }
    Ok(sum * 0.5f64.powi(i as i32))
}

#[cfg(test)]
mod tests {
    use nalgebra::dmatrix;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn of_the_zero_matrix() {
        let g = GMatrices::new(&DMatrix::zeros(2, 2), 0.75, 4).unwrap();
        for i in 0..=4 {
            assert_eq!(g.g(i), &(DMatrix::identity(2, 2) * 0.75 / (i + 1) as f64));
        }
        let empty = GMatrices::new(&DMatrix::zeros(0, 0), 1.0, 2).unwrap();
        assert_eq!(empty.g(2).shape(), (0, 0));
    }

    #[test]
    fn working_precision_agrees_with_extended() {
        let a = dmatrix![-1.0, 1e3, 0.0; -1e3, -1.0, 5.0; 0.0, 2.0, -1e5];
        let [working, extended] = [Precision::Working, Precision::Extended]
            .map(|precision| GMatrices::with_precision(&a, 1e-3, 4, precision).unwrap());
        for i in 0..=4 {
            let error = (working.g(i) - extended.g(i)).abs().max();
            assert!(error < 4e-16 * extended.g(i).abs().max(), "G_{i}: {error:e}");
        }
    }

    #[test]
    fn identities_refuse_what_does_not_fit() {
        let (square, other) = (dmatrix![1.0, 2.0; 3.0, 4.0], DMatrix::zeros(2, 3));
        assert!(matches!(exponential_from_g0(&square, &dmatrix![1.0]), Err(Error::MatrixShape { .. })));
        assert!(matches!(lower_from_upper(&square, 1.0, 0, &square), Err(Error::Index { smallest: 1, .. })));
        assert!(matches!(g_by_series(&other, 1.0, 0, 4), Err(Error::MatrixShape { .. })));
        assert_eq!(g_by_series(&square, 1.0, usize::MAX, 0).unwrap(), DMatrix::zeros(2, 2));
        let g = GMatrices::new(&square, 1.0, 1).unwrap();
        assert!(matches!(g_of_double_step(&g, 2), Err(Error::Index { largest: 1, .. })));
    }

    proptest! {
        /// (8) to (11) on random matrices, stable or not, each side computed without the other.
        #[test]
        fn the_four_identities(
            entries in prop::collection::vec(-3.0..3.0f64, 16),
            shift in -20.0..1.0f64,
            step in 0.01..1.0f64,
        ) {
            let a = DMatrix::from_vec(4, 4, entries) + DMatrix::identity(4, 4) * shift;
            let g = GMatrices::new(&a, step, 4).unwrap();
            let close = |left: &DMatrix<f64>, right: &DMatrix<f64>| {
                // Each identity adds I or a norm of A to the matrices: that sets the size of its rounding.
                let size = 1.0 + right.abs().max() + a.abs().max() * step;
                (left - right).abs().max() < 64.0 * f64::EPSILON * size
            };
            prop_assert!(close(&exponential_from_g0(&a, g.g(0))?, g.exp()));
            let double = g.doubled().unwrap();
            let direct = GMatrices::new(&a, 2.0 * step, 4).unwrap();
            for i in 0..=4 {
                if i > 0 {
                    prop_assert!(close(&lower_from_upper(&a, step, i, g.g(i))?, g.g(i - 1)));
                }
                prop_assert!(close(&g_of_double_step(&g, i)?, direct.g(i)));
                prop_assert!((double.g(i) - direct.g(i)).abs().max() <= 4.0 * f64::EPSILON * direct.g(i).abs().max());
                let small = GMatrices::new(&a, step / 64.0, 4).unwrap();
                prop_assert!(close(&g_by_series(&a, step / 64.0, i, 24)?, small.g(i)));
            }
        }
    }
}
