//! What a step by each projection costs, from A and T alone, before anything is computed.
//!
//! Costs are multiply-adds. Dimensions of polynomial spaces are bounds of Hochbruck and Lubich (SIAM J. Numer. Anal. 34 (1997) 1911): with the
//! spectrum of a skew A on an interval of length 4 r, r in units of 1/substep, |error| <= 12 e^{-r^2/m} (e r/m)^m for m >= 2 r (theorem 3), which is
//! above the bound for a field of values in a disc of radius r; for symmetric A with eigenvalues from -4 r to 0, 10 e^{-m^2/(5 r)} for
//! sqrt(4 r) <= m <= 2 r, and (10/r) e^{-r} (e r/m)^m beyond (theorem 2).

use fourbar_linalg::{CscMatrix, SymmetricFill};

use super::propagator::KrylovOptions;

/// Share of the skew part in the norm of A above which A is not dominated by diffusion. It is a quarter of the symmetric part's at a cell Peclet
/// number of 1, where rational spaces need no more than for diffusion alone. It is half of it at 2, and as large as it for waves.
const SKEW: f64 = 0.5;

/// Multiply-adds of a small exponential of dimension m, in m^3: a Pade approximant of order 13 and its squarings.
const SMALL: f64 = 15.0;

/// What decides about the costs of a matrix.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Costs {
    states: usize,
    n: f64,
    entries: f64,
    /// ||A||_1 and the same of its symmetric and skew parts \[1/s\].
    norm: f64,
    symmetric: f64,
    skew: f64,
    fill: SymmetricFill,
    options: KrylovOptions,
}

impl Costs {
    pub(super) fn new(a: &CscMatrix<f64>, options: &KrylovOptions) -> Self {
        let transposed = a.transpose();
        let part = |sign: f64| norm_1(&(a + &transposed * sign)) / 2.0;
        let n = a.nrows();
        // What cannot be indexed is not factored either.
        let none = SymmetricFill { entries: usize::MAX, multiply_adds: usize::MAX };
        Self {
            states: n,
            n: n as f64,
            entries: a.nnz() as f64,
            norm: norm_1(a),
            symmetric: part(1.0),
            skew: part(-1.0),
            fill: SymmetricFill::of(a.pattern()).unwrap_or(none),
            options: options.clone(),
        }
    }

    /// Whether polynomial projection is the cheaper one for `steps` steps of `step` \[s\].
    pub(super) fn polynomial_is_cheaper(&self, step: f64, steps: f64) -> bool {
        let [polynomial, substeps] = self.polynomial(step);
        let possible = substeps <= self.options.max_substeps as f64;
        let diffusive = self.skew <= SKEW * self.symmetric;
        possible && (!diffusive || steps * polynomial <= self.fill.multiply_adds as f64 + steps * self.rational())
    }

    /// Multiply-adds of a step by products with A, and its substeps.
    fn polynomial(&self, step: f64) -> [f64; 2] {
        // The spectrum of a skew A is up to 2 ||A|| long, that of a negative definite one ||A||.
        let radius = |substeps: f64| if self.skew == 0.0 { 0.25 } else { 0.5 } * self.norm * step / substeps;
        let largest = self.options.max_dimension as f64;
        let reached = |substeps: f64| self.dimension(radius(substeps)) <= largest;
        let mut substeps = 1.0;
        while !reached(substeps) && substeps <= self.options.max_substeps as f64 {
            substeps *= 2.0;
        }
        let m = self.dimension(radius(substeps)).min(largest);
        // Checked every fourth vector.
        [substeps * (m * self.entries + m * m * self.n + SMALL * m.powi(4) / 16.0), substeps]
    }

    /// The smallest dimension whose bound is within the tolerance.
    fn dimension(&self, r: f64) -> f64 {
        let (tolerance, symmetric) = (self.options.tolerance, self.skew == 0.0);
        let r = r.max(f64::MIN_POSITIVE);
        let tail = |m: f64, decay: f64| -decay + m * (1.0 + (r / m).ln());
        let bound = |m: f64| {
            if symmetric && m <= 2.0 * r {
                if m * m < 4.0 * r { f64::INFINITY } else { 10f64.ln() - m * m / (5.0 * r) }
            } else if symmetric {
                (10.0 / r).ln() + tail(m, r)
            } else if m < 2.0 * r {
                f64::INFINITY
            } else {
                12f64.ln() + tail(m, r * r / m)
            }
        };
        // In a space that is complete there is no error.
        let most = (self.options.max_dimension + 1).min(self.states);
        (1..most).find(|m| bound(*m as f64) <= tolerance.ln()).unwrap_or(most) as f64
    }

    /// Multiply-adds of a step by solutions with I - gamma A: two vectors for each digit, as measured (docs/lti-sparse.md), checked every second.
    fn rational(&self) -> f64 {
        let m = (2.0 * -self.options.tolerance.log10()).min(self.options.max_dimension as f64);
        m * (self.fill.entries as f64 + 2.0 * self.entries) + m * m * self.n + 2.0 * SMALL * m.powi(4) / 8.0
    }
}

fn norm_1(a: &CscMatrix<f64>) -> f64 {
    let (offsets, _, values) = a.csc_data();
    let columns = offsets.windows(2).map(|w| values[w[0]..w[1]].iter().map(|a| a.abs()).sum::<f64>());
    columns.fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fourbar_linalg::CscMatrix;
    use nalgebra_sparse::CooMatrix;

    fn line(n: usize, over: f64, back: f64) -> CscMatrix<f64> {
        let mut a = CooMatrix::new(n, n);
        for i in 0..n {
            a.push(i, i, -(over + back));
            if i + 1 < n {
                a.push(i, i + 1, back);
                a.push(i + 1, i, over);
            }
        }
        CscMatrix::from(&a)
    }

    #[test]
    fn stiff_diffusion_is_for_the_rational_space_and_slow_for_the_polynomial_one() {
        let costs = |a: &CscMatrix<f64>| Costs::new(a, &KrylovOptions::default());
        let diffusion = costs(&line(10_000, 1.0, 1.0));
        assert!(diffusion.polynomial_is_cheaper(1.0, 100.0));
        assert!(!diffusion.polynomial_is_cheaper(1e3, 100.0));
        // Transport against nothing: no diffusion at all.
        let wave = line(10_000, 1.0, -1.0);
        assert!(costs(&wave).polynomial_is_cheaper(1e3, 100.0));
        assert!(!costs(&wave).polynomial_is_cheaper(1e9, 100.0));
    }

    #[test]
    fn dimensions_grow_with_the_radius_and_the_digits() {
        let of = |tolerance, r| {
            let options = KrylovOptions { tolerance, max_dimension: 900, ..KrylovOptions::default() };
            Costs::new(&line(1000, 1.0, 1.0), &options).dimension(r)
        };
        assert!(of(1e-12, 1.0) < of(1e-12, 10.0) && of(1e-6, 10.0) < of(1e-12, 10.0));
        // A root of the norm for symmetric A: 100 times the radius, 10 times the dimension.
        let ratio = of(1e-12, 2500.0) / of(1e-12, 25.0 * 25.0);
        assert!((1.9..2.1).contains(&ratio), "{ratio}");
    }
}
