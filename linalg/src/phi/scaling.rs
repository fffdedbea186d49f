//! How far a matrix must be scaled down before its Taylor series is short and accurate.

use nalgebra::DMatrix;

use crate::balance::{log2_of, powers_of_two, times_two_to};

use super::balance::{Balance, balance};
use super::{PhiFunctions, PhiScalar, one_norm};

impl<T: PhiScalar> PhiFunctions<T> {
    /// Sets `scaled` = D^-1 factor a D / 2^m and its powers 2 to 5; returns alpha of the scaled matrix (at most 1) and m.
    pub(super) fn scale(&mut self, a: &DMatrix<f64>, factor: f64) -> (f64, i32) {
        let Balance { units, halvings } = balance(a, factor);
        self.units = units;
        // First to a 1-norm of at most 1, so that no power of an extreme matrix overflows. What alpha then leaves to 1 is taken back.
        let by_norm = (self.exponent_of_norm(a) + exponent(factor)).max(0);
        let alpha = self.set_scaled(a, factor, by_norm);
        let mut m = if alpha > 0.0 { by_norm + exponent(alpha) } else { 0 }.clamp(0, by_norm);
        let alpha = loop {
            if m == by_norm {
                break self.set_scaled(a, factor, m);
            }
            // Powers of the smaller matrix may have underflowed and hidden what alpha is: then m grows until alpha fits.
            let alpha = self.set_scaled(a, factor, m);
            if alpha <= 1.01 {
                break alpha;
            }
            let missing = if alpha.is_finite() { exponent(alpha).max(1) } else { (by_norm - m + 1) / 2 };
            m = (m + missing).min(by_norm);
        };
        if halvings == 0 {
            return (alpha, m);
        }
        (self.set_scaled(a, factor, m + halvings), m + halvings)
    }

    /// An e with ||D^-1 a D||_1 <= 2^e: from the largest entry, since the sum of finite ones may overflow.
    fn exponent_of_norm(&self, a: &DMatrix<f64>) -> i32 {
        let n = a.nrows();
        let unit = |i: usize| self.units.get(i).map_or(0.0, |unit| f64::from(*unit));
        let size = |at: usize| log2_of(a[at]) + unit(at / n) - unit(at % n);
        let largest = (0..n * n).map(size).fold(f64::NEG_INFINITY, f64::max);
        if largest.is_finite() { (largest + (n as f64).log2()).ceil() as i32 } else { 0 }
    }

    /// scaled = D^-1 factor a D / 2^m, with its powers; returns its alpha. The power of two is split over both factors so that neither
    /// leaves the range.
    fn set_scaled(&mut self, a: &DMatrix<f64>, factor: f64, m: i32) -> f64 {
        let from_factor = m.min(exponent(factor));
        let factor = times_two_to(factor, -from_factor);
        for j in 0..a.ncols() {
            for i in 0..a.nrows() {
                let entry = times_two_to(a[(i, j)], from_factor - m + self.shift(i, j));
                self.scaled[(i, j)] = T::product(factor, entry);
            }
        }
        let [square, cube, fourth, fifth] = &mut self.powers;
        T::multiply(square, 0.0, &self.scaled, &self.scaled);
        T::multiply(cube, 0.0, square, &self.scaled);
        T::multiply(fourth, 0.0, square, square);
        T::multiply(fifth, 0.0, fourth, &self.scaled);
        // alpha = max(||Z^4||^(1/4), ||Z^5||^(1/5)) bounds ||Z^k||^(1/k) for every k >= 12 (each such k is 4 i + 5 j).
        let (fourth, fifth) = (one_norm(fourth), one_norm(fifth));
        if fourth.is_finite() && fifth.is_finite() { fourth.powf(0.25).max(fifth.powf(0.2)) } else { f64::INFINITY }
    }

    /// The power of two by which an entry is larger in the units D.
    fn shift(&self, i: usize, j: usize) -> i32 {
        if self.units.is_empty() { 0 } else { self.units[j] - self.units[i] }
    }

    /// The functions in the units of the matrix given.
    pub(super) fn give(&mut self) {
        let Self { units, given, .. } = self;
        given.clear();
        if units.is_empty() {
            return;
        }
        let n = units.len();
        for own in [&self.exp, &self.exp_minus_identity].into_iter().chain(&self.phi) {
            given.push(DMatrix::from_fn(n, n, |i, j| {
                let [first, second, third] = powers_of_two(units[i] - units[j]);
                own[(i, j)].times(first).times(second).times(third)
            }));
        }
    }
}

/// The smallest e with |x| <= 2^e (up to rounding of the logarithm); 0 for x = 0.
fn exponent(x: f64) -> i32 {
    if x == 0.0 { 0 } else { x.abs().log2().ceil() as i32 }
}
