//! How far a matrix must be scaled down before its Taylor series is short and accurate.

use nalgebra::DMatrix;

use super::{PhiFunctions, PhiScalar, one_norm};

impl<T: PhiScalar> PhiFunctions<T> {
    /// Sets `scaled` = factor a / 2^m and its powers 2 to 5; returns alpha of the scaled matrix (at most 1) and m.
    pub(super) fn scale(&mut self, a: &DMatrix<f64>, factor: f64) -> (f64, i32) {
        // First to a 1-norm in [1/2, 1), so that no power of an extreme matrix leaves the range of f64.
        let norm_exponent = exponent(one_norm(a)) + exponent(factor);
        self.set_scaled(a, factor, norm_exponent);
        self.set_powers();
        let alpha = self.alpha();
        // alpha is at most 1 here; the rescaled matrix may grow again until alpha lies in (1/2, 1].
        let m = (norm_exponent + exponent(alpha)).clamp(0, norm_exponent.max(0));
        let regrowth = norm_exponent - m;
        if regrowth == 0 {
            return (alpha, m);
        }
        self.set_scaled(a, factor, m);
        self.set_powers();
        (self.alpha(), m)
    }

    /// scaled = factor a / 2^m. The power of two goes to whichever of the two factors keeps the product exact in range.
    fn set_scaled(&mut self, a: &DMatrix<f64>, factor: f64, m: i32) {
        let from_factor = m.min(exponent(factor));
        let factor = times_two_to(factor, -from_factor);
        self.scaled.zip_apply(a, |scaled, x| {
            *scaled = T::product(factor, times_two_to(x, from_factor - m));
        });
    }

    /// Powers 2, 3, 4, 5 of `scaled`.
    fn set_powers(&mut self) {
        let [square, cube, fourth, fifth] = &mut self.powers;
        T::multiply(square, 0.0, &self.scaled, &self.scaled);
        T::multiply(cube, 0.0, square, &self.scaled);
        T::multiply(fourth, 0.0, square, square);
        T::multiply(fifth, 0.0, fourth, &self.scaled);
    }

    /// alpha = max(||Z^4||^(1/4), ||Z^5||^(1/5)), which bounds ||Z^k||^(1/k) for every k >= 12 (each such k is 4 i + 5 j).
    fn alpha(&self) -> f64 {
        let [_, _, fourth, fifth] = &self.powers;
        one_norm(fourth).powf(0.25).max(one_norm(fifth).powf(0.2))
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
