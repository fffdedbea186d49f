//! The two number formats in which the phi functions are computed: f64, and pairs of f64 for set-up work that must be right
//! to the last digit.

use std::fmt::Debug;
use std::ops::{Add, Mul};

use super::double_double::DoubleDouble;
use nalgebra::DMatrix;

/// A number format of [`PhiFunctions`](super::PhiFunctions): f64 or [`DoubleDouble`].
pub trait PhiScalar:
    Copy + Debug + PartialEq + Default + From<f64> + Add<Output = Self> + Mul<Output = Self> + sealed::Sealed + 'static
{
    /// Distance from 1 to the next number.
    const EPSILON: f64;

    /// How many doublings may each double the relative error of e^Z before f64 would notice.
    const SPARE_DOUBLINGS: i32;

    /// The exact product of two doubles, as far as the format holds it.
    fn product(a: f64, b: f64) -> Self;

    /// 1/k!.
    fn inverse_factorial(k: usize) -> Self;

    /// The nearest double.
    fn to_f64(self) -> f64;

    /// Times a power of two.
    #[must_use]
    fn times(self, power: f64) -> Self;

    /// `out` = `beta` `out` + `a` `b`, `beta` a power of two or 0.
    fn multiply(out: &mut DMatrix<Self>, beta: f64, a: &DMatrix<Self>, b: &DMatrix<Self>);

    /// `out` += `weight` `a`.
    fn add_scaled(out: &mut DMatrix<Self>, weight: Self, a: &DMatrix<Self>);
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for f64 {}
    impl Sealed for super::DoubleDouble {}
}

impl PhiScalar for f64 {
    /// Distance of 1 to the next number.
    const EPSILON: f64 = f64::EPSILON;
    /// Numbers without digits to spare are scaled as their errors ask for.
    const SPARE_DOUBLINGS: i32 = 0;

    fn product(a: f64, b: f64) -> Self {
        a * b
    }

    fn inverse_factorial(k: usize) -> Self {
        1.0 / (1..=k.min(171)).map(|i| i as f64).product::<f64>()
    }

    fn to_f64(self) -> f64 {
        self
    }

    fn times(self, power: f64) -> Self {
        self * power
    }

    fn multiply(out: &mut DMatrix<f64>, beta: f64, a: &DMatrix<f64>, b: &DMatrix<f64>) {
        out.gemm(1.0, a, b, beta);
    }

    fn add_scaled(out: &mut DMatrix<f64>, weight: f64, a: &DMatrix<f64>) {
        out.zip_apply(a, |out, a| *out += weight * a);
    }
}

impl PhiScalar for DoubleDouble {
    /// Relative error of double-double arithmetic.
    const EPSILON: f64 = f64::EPSILON * f64::EPSILON;
    /// Each doubling costs a binary digit: of the 52 spare ones 32 are left to it.
    const SPARE_DOUBLINGS: i32 = 32;

    #[inline(always)]
    fn product(a: f64, b: f64) -> Self {
        Self::exact_product(a, b)
    }

    fn inverse_factorial(k: usize) -> Self {
        let factorial = (1..=k.min(171)).fold(Self::from(1.0), |product, i| product * Self::from(i as f64));
        if factorial.high.is_finite() { Self::from(1.0) / factorial } else { Self::default() }
    }

    fn to_f64(self) -> f64 {
        self.high
    }

    fn times(self, power: f64) -> Self {
        self.scaled(power)
    }

    fn multiply(out: &mut DMatrix<Self>, beta: f64, a: &DMatrix<Self>, b: &DMatrix<Self>) {
        super::pairs::multiply(out, beta, a, b);
    }

    fn add_scaled(out: &mut DMatrix<Self>, weight: Self, a: &DMatrix<Self>) {
        super::pairs::add_scaled(out, weight, a);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_keep_what_a_double_drops() {
        let third = DoubleDouble::inverse_factorial(3) * DoubleDouble::from(2.0);
        let defect = third * DoubleDouble::from(3.0) + DoubleDouble::from(-1.0);
        assert!(defect.to_f64().abs() < 1e-31, "{defect:?}");
        let tiny = DoubleDouble::from(1.0) + DoubleDouble::from(1e-25) + DoubleDouble::from(-1.0);
        assert!((tiny.to_f64() - 1e-25).abs() < 1e-40, "{tiny:?}");
    }
}
