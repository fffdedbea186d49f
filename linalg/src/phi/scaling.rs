//! How far a matrix must be scaled down before its Taylor series is short and accurate.

use nalgebra::DMatrix;

use super::{PhiFunctions, PhiScalar, one_norm};

impl<T: PhiScalar> PhiFunctions<T> {
    /// Sets `scaled` = factor a / 2^m and its powers 2 to 5; returns alpha of the scaled matrix (at most 1) and m.
    pub(super) fn scale(&mut self, a: &DMatrix<f64>, factor: f64) -> (f64, i32) {
        // First to a 1-norm of at most 1, so that no power of an extreme matrix overflows. What alpha then leaves to 1 is taken back.
        let by_norm = (exponent(one_norm(a)) + exponent(factor)).max(0);
        let alpha = self.set_scaled(a, factor, by_norm);
        let mut m = if alpha > 0.0 { by_norm + exponent(alpha) } else { 0 }.clamp(0, by_norm);
        if m == by_norm {
            return (alpha, m);
        }
        // Powers of the smaller matrix may have underflowed and hidden what alpha is: then m grows until alpha fits.
        loop {
            let alpha = self.set_scaled(a, factor, m);
            if alpha <= 1.01 || m == by_norm {
                return (alpha, m);
            }
            let missing = if alpha.is_finite() { exponent(alpha).max(1) } else { (by_norm - m + 1) / 2 };
            m = (m + missing).min(by_norm);
        }
    }

    /// scaled = factor a / 2^m, with its powers; returns its alpha. The power of two is split over both factors so that neither
    /// leaves the range.
    fn set_scaled(&mut self, a: &DMatrix<f64>, factor: f64, m: i32) -> f64 {
        let from_factor = m.min(exponent(factor));
        let factor = times_two_to(factor, -from_factor);
        let scaled = |x: f64| T::product(factor, times_two_to(x, from_factor - m));
        self.scaled.zip_apply(a, |entry, x| *entry = scaled(x));
        let [square, cube, fourth, fifth] = &mut self.powers;
        T::multiply(square, 0.0, &self.scaled, &self.scaled);
        T::multiply(cube, 0.0, square, &self.scaled);
        T::multiply(fourth, 0.0, square, square);
        T::multiply(fifth, 0.0, fourth, &self.scaled);
        // alpha = max(||Z^4||^(1/4), ||Z^5||^(1/5)) bounds ||Z^k||^(1/k) for every k >= 12 (each such k is 4 i + 5 j).
        let (fourth, fifth) = (one_norm(fourth), one_norm(fifth));
        if fourth.is_finite() && fifth.is_finite() { fourth.powf(0.25).max(fifth.powf(0.2)) } else { f64::INFINITY }
    }
}

/// The smallest e with |x| <= 2^e (up to rounding of the logarithm); 0 for x = 0.
fn exponent(x: f64) -> i32 {
    if x == 0.0 { 0 } else { x.abs().log2().ceil() as i32 }
}

/// x 2^e, also where 2^e itself would leave the range.
fn times_two_to(x: f64, e: i32) -> f64 {
    let half = e / 2;
    x * 2f64.powi(half) * 2f64.powi(e - half)
}
