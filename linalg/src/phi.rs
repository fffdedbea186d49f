//! The matrix exponential and the phi functions of a dense matrix, for any matrix, accurate to working precision.
//!
//! phi_0(Z) = e^Z and phi_k(Z) = sum_{n>=0} Z^n / (n+k)!, linked by phi_k = Z phi_{k+1} + I/k! (Hochbruck and Ostermann,
//! *Exponential integrators*, Acta Numerica 19 (2010), eq. 2.10 and 2.11). The scheme:
//!
//! 1. Units in which Z is as small as its cycles allow, D^-1 Z D with powers of two in D (`balance`): states in units 1e140 apart
//!    change neither the scaling nor any digit.
//! 2. Z/2^m with the smallest m that brings alpha = max(||Z^4||^(1/4), ||Z^5||^(1/5)) to at most 1 (`scaling`). Roots of norms
//!    of powers, not ||Z||: a non-normal or badly scaled matrix would be scaled too far and lose its digits (Al-Mohy and
//!    Higham, SIAM J. Matrix Anal. Appl. 31 (2009) 970).
//! 3. The Taylor series of the highest phi function, then phi_k = Z phi_{k+1} + I/k! downward, which is stable at this small
//!    scale and only here (`taylor`).
//! 4. m doublings of D = e^Z - I and of the phi functions (`doubling`).

mod balance;
mod double_double;
mod doubling;
mod pairs;
mod scalar;
mod scaling;
mod taylor;

use crate::text::Brief;
use nalgebra::DMatrix;

pub use double_double::DoubleDouble;
pub use scalar::PhiScalar;

/// Why the phi functions of a matrix could not be computed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PhiError {
    /// The matrix is not square.
    #[error("phi functions need a square matrix, this one is {rows} x {columns}")]
    NotSquare {
        /// Rows of the matrix given.
        rows: usize,
        /// Columns of the matrix given.
        columns: usize,
    },
    /// An entry is NaN or infinite.
    #[error("entry ({row}, {column}) of the matrix is {value}; every entry must be finite")]
    EntryNotFinite {
        /// Row of the entry, from 0.
        row: usize,
        /// Column of the entry, from 0.
        column: usize,
        /// The entry.
        value: f64,
    },
    /// The factor of the matrix is NaN or infinite.
    #[error("the factor of the matrix is {value}; it must be finite")]
    FactorNotFinite {
        /// The factor given.
        value: f64,
    },
    /// The index of the highest function is beyond what the factorials in f64 carry.
    #[error("phi functions up to index {order} were asked for; in f64 they can be had up to {limit}")]
    OrderTooHigh {
        /// Highest index asked for.
        order: usize,
        /// Highest index there is.
        limit: usize,
    },
    /// The exponential leaves the range of the number format.
    #[error(
        "the exponential of a matrix of 1-norm {norm} exceeds the range of f64: it grows too far; use a smaller factor (time step)",
        norm = Brief(*.norm)
    )]
    Overflow {
        /// 1-norm of the matrix times the factor.
        norm: f64,
    },
    /// The computation was ended from outside.
    #[error("the computation was interrupted; lower the flag and call again")]
    Interrupted,
}

/// e^Z, D = e^Z - I and phi_1(Z), ..., phi_p(Z) of a dense matrix Z, with the workspace to compute them again.
///
/// In f64 it is as accurate as the conditioning and a few rounding errors allow, and fast; in [`DoubleDouble`], about ten
/// times slower, the results are right to their last digit in f64.
///
/// The storage is made once for a dimension and an order; [`PhiFunctions::compute`] may then be called for any number of
/// matrices and factors.
///
/// ```
/// use fourbar_linalg::phi::PhiFunctions;
/// use nalgebra::dmatrix;
///
/// // A double integrator: singular, so that A^{-1} (e^A - I) does not exist, but phi_1 does.
/// let mut phi = PhiFunctions::<f64>::new(2, 2);
/// phi.compute(&dmatrix![0.0, 1.0; 0.0, 0.0], 0.5)?;
/// assert_eq!(phi.exp(), &dmatrix![1.0, 0.5; 0.0, 1.0]);
/// assert_eq!(phi.phi(1), &dmatrix![1.0, 0.25; 0.0, 1.0]);
/// # Ok::<(), fourbar_linalg::phi::PhiError>(())
/// ```
#[derive(Debug, Clone)]
pub struct PhiFunctions<T: PhiScalar = f64> {
    order: usize,
    /// ||Z||_1, or the largest number.
    norm: f64,
    /// log2 of the units D in which the matrices below are; empty for those of Z.
    units: Vec<i32>,
    /// e^Z, e^Z - I, phi_1, ... in the units of Z, where they are others.
    given: Vec<DMatrix<T>>,
    /// e^Z.
    exp: DMatrix<T>,
    /// D = e^Z - I.
    exp_minus_identity: DMatrix<T>,
    /// phi_1, ..., phi_max(order, 1).
    phi: Vec<DMatrix<T>>,
    /// Z / 2^m.
    scaled: DMatrix<T>,
    /// Powers 2 to 5 of the scaled matrix.
    powers: [DMatrix<T>; 4],
    scratch: DMatrix<T>,
}

impl<T: PhiScalar> PhiFunctions<T> {
    /// Highest index that [`PhiFunctions::compute`] accepts: phi_k is about 1/k!, whose double vanishes soon behind.
    pub const MAX_ORDER: usize = 150;

    /// Storage for phi_0, ..., phi_`order` of matrices of dimension `n` (0 is allowed); all values are those of Z = 0.
    #[must_use]
    pub fn new(n: usize, order: usize) -> Self {
        let zero = DMatrix::from_element(n, n, T::default());
        let mut phi = Self {
            order,
            norm: 0.0,
            units: Vec::new(),
            given: Vec::new(),
            exp: zero.clone(),
            exp_minus_identity: zero.clone(),
            phi: vec![zero.clone(); order.clamp(1, Self::MAX_ORDER)],
            scaled: zero.clone(),
            powers: std::array::from_fn(|_| zero.clone()),
            scratch: zero,
        };
        phi.at_small_scale(0.0);
        phi
    }

    /// Computes every function at Z = `factor` * `a`.
    ///
    /// Cost: about 8 + p matrix products, and p + 1 more for each doubling (log2 of the spectral size of Z, at least 0).
    ///
    /// # Errors
    /// [`PhiError`] when `a` is not square or not finite, when `factor` is not finite, when e^Z overflows, or when the order exceeds
    /// [`PhiFunctions::MAX_ORDER`]; [`PhiError::Interrupted`] once what the thread watches is raised ([`Interrupt::watch`](crate::Interrupt::watch)).
    /// After an error
    /// the values are unspecified. The dimension of `a` need not be the one given to [`PhiFunctions::new`]; another one makes
    /// the storage anew.
    pub fn compute(&mut self, a: &DMatrix<f64>, factor: f64) -> Result<(), PhiError> {
        check(a, factor)?;
        if self.order > Self::MAX_ORDER {
            return Err(PhiError::OrderTooHigh { order: self.order, limit: Self::MAX_ORDER });
        }
        if a.nrows() != self.dimension() {
            *self = Self::new(a.nrows(), self.order);
        }
        if a.is_empty() {
            return Ok(());
        }
        let (alpha, doublings) = self.scale(a, factor);
        go_on()?;
        self.at_small_scale(alpha);
        self.norm = one_norm(&(a * factor.abs())).min(f64::MAX);
        self.double_times(doublings)?;
        self.give();
        self.check_range()
    }

    /// From the functions at Z to those at 2 Z, for the price of p + 1 matrix products.
    ///
    /// # Errors
    /// [`PhiError::Overflow`] or [`PhiError::Interrupted`], after which the values are unspecified.
    pub fn double(&mut self) -> Result<(), PhiError> {
        self.norm = (2.0 * self.norm).min(f64::MAX);
        self.double_times(1)?;
        self.give();
        self.check_range()
    }

    fn check_range(&self) -> Result<(), PhiError> {
        let finite = |m: &DMatrix<T>| m.iter().all(|x| x.to_f64().is_finite());
        if finite(self.exp()) && (1..=self.order).all(|k| finite(self.phi(k))) {
            Ok(())
        } else {
            Err(PhiError::Overflow { norm: self.norm })
        }
    }

    /// Dimension n of the matrices.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.exp.nrows()
    }

    /// The highest index p of the functions computed.
    #[must_use]
    pub fn order(&self) -> usize {
        self.order
    }

    /// e^Z.
    #[must_use]
    pub fn exp(&self) -> &DMatrix<T> {
        self.given.first().unwrap_or(&self.exp)
    }

    /// D = e^Z - I, without the cancellation of a subtraction where Z is small.
    #[must_use]
    pub fn exp_minus_identity(&self) -> &DMatrix<T> {
        self.given.get(1).unwrap_or(&self.exp_minus_identity)
    }

    /// phi_k(Z), for k = 0 (the exponential) to the order given at construction.
    ///
    /// # Panics
    /// If `k` exceeds [`PhiFunctions::order`] or [`PhiFunctions::MAX_ORDER`], as an index beyond the end of a slice does.
    #[must_use]
    pub fn phi(&self, k: usize) -> &DMatrix<T> {
        assert!(k <= self.order, "phi_{k} asked of a set up to phi_{}", self.order);
        if k == 0 { self.exp() } else { self.given.get(k + 1).unwrap_or(&self.phi[k - 1]) }
    }
}

/// e^(`factor` * `a`) alone.
///
/// # Errors
/// As [`PhiFunctions::compute`].
pub fn exponential(a: &DMatrix<f64>, factor: f64) -> Result<DMatrix<f64>, PhiError> {
    let mut phi = PhiFunctions::<f64>::new(a.nrows(), 0);
    phi.compute(a, factor)?;
    Ok(phi.exp().clone())
}

/// Between products of matrices, which take a second at a thousand states: whether to go on.
fn go_on() -> Result<(), PhiError> {
    if crate::Interrupt::thread_is_interrupted() { Err(PhiError::Interrupted) } else { Ok(()) }
}

fn check(a: &DMatrix<f64>, factor: f64) -> Result<(), PhiError> {
    let (rows, columns) = a.shape();
    if rows != columns {
        return Err(PhiError::NotSquare { rows, columns });
    }
    if !factor.is_finite() {
        return Err(PhiError::FactorNotFinite { value: factor });
    }
    match a.iter().position(|x| !x.is_finite()) {
        Some(at) => Err(PhiError::EntryNotFinite { row: at % rows, column: at / rows, value: a[at] }),
        None => Ok(()),
    }
}

/// Largest column sum of absolute values; NaN if any is.
fn one_norm<T: PhiScalar>(a: &DMatrix<T>) -> f64 {
    let sums = a.column_iter().map(|column| column.iter().map(|x| x.to_f64().abs()).sum::<f64>());
    sums.fold(0.0, |largest, sum| if largest.is_nan() || sum <= largest { largest } else { sum })
}

#[cfg(test)]
mod tests {
    use nalgebra::dmatrix;

    use super::*;

    /// A stiff, coupled, oscillating matrix.
    fn matrix() -> DMatrix<f64> {
        dmatrix![-3.0, 40.0, 0.5; -40.0, -3.0, 2.0; 0.0, 1.0, -900.0]
    }

    #[test]
    fn recursion_holds_at_the_full_scale_of_a_stiff_matrix() {
        let z = matrix();
        let mut phi = PhiFunctions::<f64>::new(3, 4);
        phi.compute(&z, 1.0).unwrap();
        let mut factorial = 1.0;
        for k in 0..4 {
            factorial *= k.max(1) as f64;
            let right = &z * phi.phi(k + 1) + DMatrix::identity(3, 3) / factorial;
            let error = (right - phi.phi(k)).abs().max();
            assert!(error < 1e-13, "phi_{k}: {error:e}");
        }
    }

    #[test]
    fn doubles_agree_with_pairs_of_doubles_and_with_nalgebra() {
        let (mut fast, mut exact) = (PhiFunctions::<f64>::new(3, 2), PhiFunctions::<DoubleDouble>::new(3, 2));
        for factor in [1e-3, 0.07, 1.0] {
            fast.compute(&matrix(), factor).unwrap();
            exact.compute(&matrix(), factor).unwrap();
            for k in 0..=2 {
                let difference = fast.phi(k) - exact.phi(k).map(PhiScalar::to_f64);
                assert!(difference.abs().max() < 2e-14, "phi_{k} at {factor}");
            }
            assert!((fast.exp() - (matrix() * factor).exp()).abs().max() < 2e-13);
        }
    }

    #[test]
    fn doubling_reaches_what_a_direct_evaluation_gives() {
        let (mut stepwise, mut direct) = (PhiFunctions::<f64>::new(3, 3), PhiFunctions::<f64>::new(3, 3));
        stepwise.compute(&matrix(), 0.01).unwrap();
        stepwise.double().unwrap();
        direct.compute(&matrix(), 0.02).unwrap();
        for k in 0..=3 {
            assert!((stepwise.phi(k) - direct.phi(k)).abs().max() < 1e-15, "phi_{k}");
        }
    }

    #[test]
    fn empty_zero_and_extreme_matrices() {
        let mut phi = PhiFunctions::<f64>::new(0, 3);
        phi.compute(&DMatrix::zeros(0, 0), 1.0).unwrap();
        assert_eq!(phi.phi(2).shape(), (0, 0));
        // Another dimension makes the storage anew; far out, phi_1(z) = -1/z.
        phi.compute(&dmatrix![-1e300], 1.0).unwrap();
        assert_eq!(phi.exp()[0], 0.0);
        assert!((phi.phi(1)[0] * 1e300 - 1.0).abs() < 1e-13);
        phi.compute(&dmatrix![1e-300], 1e-20).unwrap();
        assert_eq!(phi.phi(3)[0], 1.0 / 6.0);
    }

    /// Units as far apart as the range of f64 allows: e^A = [cosh w, (p/w) sinh w; (w/p) sinh w, cosh w] for A = [0, p; w^2/p, 0].
    #[test]
    fn badly_scaled_beyond_the_range_of_the_powers() {
        let (w, p) = (30.0f64, 3e160);
        let exp = exponential(&dmatrix![0.0, p; w * w / p, 0.0], 1.0).unwrap();
        let close = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-13, "{a:e} {b:e}");
        close(exp[(0, 0)], w.cosh());
        close(exp[(0, 1)], p / w * w.sinh());
        close(exp[(1, 0)], w / p * w.sinh());
        let nilpotent = exponential(&dmatrix![0.0, 1e200, 0.0; 0.0, 0.0, 1e100; 0.0, 0.0, 0.0], 1.0).unwrap();
        assert_eq!((nilpotent[(0, 1)], nilpotent[(0, 2)]), (1e200, 5e299));
    }

    #[test]
    fn bad_input_is_named() {
        let mut phi = PhiFunctions::<f64>::new(2, 1);
        let wrong_shape = phi.compute(&DMatrix::zeros(2, 3), 1.0).unwrap_err();
        assert_eq!(wrong_shape, PhiError::NotSquare { rows: 2, columns: 3 });
        let nan = phi.compute(&dmatrix![0.0, 0.0; f64::INFINITY, 0.0], 1.0).unwrap_err();
        assert_eq!(
            (1, 0),
            match nan {
                PhiError::EntryNotFinite { row, column, .. } => (row, column),
                _ => (9, 9),
            }
        );
        assert_eq!(
            PhiFunctions::<f64>::new(1, 151).compute(&dmatrix![1.0], 1.0),
            Err(PhiError::OrderTooHigh { order: 151, limit: 150 })
        );
        assert!(matches!(phi.compute(&dmatrix![1.0], f64::NAN), Err(PhiError::FactorNotFinite { .. })));
        assert_eq!(exponential(&dmatrix![1e3], 1.0), Err(PhiError::Overflow { norm: 1e3 }));
        assert_eq!(exponential(&dmatrix![709.0], 1.0).unwrap()[0].ln().round(), 709.0);
    }
}
