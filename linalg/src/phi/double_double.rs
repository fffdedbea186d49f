//! Pairs of f64.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// An unevaluated sum of two doubles, `high` being the nearest double to it: 106 bits (Dekker, Numer. Math. 18 (1971) 224;
/// Hida, Li and Bailey, *Algorithms for quad-double precision floating point arithmetic*, ARITH-15 (2001)).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct DoubleDouble {
    pub(super) high: f64,
    pub(super) low: f64,
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

    /// The exact product of two doubles.
    #[inline(always)]
    pub(super) fn exact_product(a: f64, b: f64) -> Self {
        let high = a * b;
        Self { high, low: a.mul_add(b, -high) }
    }

    /// The exact sum where |a| >= |b|.
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
        let high = Self::exact_product(self.high, other.high);
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
