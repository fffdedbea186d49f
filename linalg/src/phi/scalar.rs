//! The two number formats in which the phi functions are computed: f64, and pairs of f64 for set-up work that must be right
//! to the last digit.

use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Neg, Sub};

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

/// An unevaluated sum of two doubles, `high` being the nearest double to it: 106 bits (Dekker, Numer. Math. 18 (1971) 224;
/// Hida, Li and Bailey, *Algorithms for quad-double precision floating point arithmetic*, ARITH-15 (2001)).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct DoubleDouble {
    high: f64,
    low: f64,
}

impl DoubleDouble {
    /// Upper and lower half.
    #[inline(always)]
    pub(super) fn halves(self) -> [f64; 2] {
        [self.high, self.low]
    }

    /// Times a power of two.
    pub(super) fn scaled(self, power: f64) -> Self {
        Self { high: power * self.high, low: power * self.low }
    }

    /// The exact sum of two doubles (Knuth's TwoSum).
    #[inline(always)]
    pub(super) fn sum(a: f64, b: f64) -> Self {
        let high = a + b;
        let b_part = high - a;
        let low = (a - (high - b_part)) + (b - b_part);
        Self { high, low }
    }

    /// The same where |a| >= |b|.
    #[inline(always)]
    fn sum_ordered(a: f64, b: f64) -> Self {
        let high = a + b;
        Self { high, low: b - (high - a) }
    }
}

impl From<f64> for DoubleDouble {
    fn from(high: f64) -> Self {
        Self { high, low: 0.0 }
    }
}

impl Add for DoubleDouble {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let high = Self::sum(self.high, other.high);
        let low = Self::sum(self.low, other.low);
        let high = Self::sum_ordered(high.high, high.low + low.high);
        Self::sum_ordered(high.high, high.low + low.low)
    }
}

impl Mul for DoubleDouble {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let high = Self::product(self.high, other.high);
        let cross = self.high * other.low + self.low * other.high;
        Self::sum_ordered(high.high, high.low + cross)
    }
}

impl Neg for DoubleDouble {
    type Output = Self;

    fn neg(self) -> Self {
        Self { high: -self.high, low: -self.low }
    }
}

impl Sub for DoubleDouble {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Div for DoubleDouble {
    type Output = Self;

    /// Long division: the quotient in doubles, twice corrected by what is left.
    fn div(self, other: Self) -> Self {
        let digit = |rest: Self| Self::from(rest.high / other.high);
        let first = digit(self);
        let rest = self - first * other;
        let second = digit(rest);
        let third = digit(rest - second * other);
        first + second + third
    }
}

impl PhiScalar for DoubleDouble {
    /// Relative error of double-double arithmetic.
    const EPSILON: f64 = f64::EPSILON * f64::EPSILON;
    /// Each doubling costs a binary digit: of the 52 spare ones 32 are left to it.
    const SPARE_DOUBLINGS: i32 = 32;

    #[inline(always)]
    fn product(a: f64, b: f64) -> Self {
        let high = a * b;
        Self { high, low: a.mul_add(b, -high) }
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
