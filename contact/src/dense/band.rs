//! LU with row exchanges of a banded matrix, in the memory of the band (the unblocked form of LAPACK's `gbtrf`).

use super::axpy;

/// Factors of a matrix with `lower` diagonals below the main one and `upper` above; exchanges widen U to `lower + upper`.
#[derive(Debug, Clone, Default)]
pub(crate) struct BandLu {
    n: usize,
    lower: usize,
    upper: usize,
    /// Column by column, entry (i, j) at place `lower + upper + i - j` of its column.
    band: Vec<f64>,
    /// The row that came to place k.
    exchanges: Vec<usize>,
}

impl BandLu {
    /// Rows of the store above the main diagonal.
    fn reach(&self) -> usize {
        self.lower + self.upper
    }

    fn height(&self) -> usize {
        self.reach() + self.lower + 1
    }

    /// Begins with a matrix of zeros.
    pub(crate) fn start(&mut self, n: usize, lower: usize, upper: usize) {
        (self.n, self.lower, self.upper) = (n, lower, upper);
        self.band.clear();
        self.band.resize(n * self.height(), 0.0);
    }

    /// Entry (i, j), which must lie in the band.
    pub(crate) fn entry(&mut self, i: usize, j: usize) -> &mut f64 {
        let place = j * self.height() + self.reach() + i - j;
        &mut self.band[place]
    }

    /// Factors what the entries hold. False if no pivot of a column is above `smallest`.
    pub(crate) fn factor(&mut self, smallest: f64) -> bool {
        let (n, height, reach) = (self.n, self.height(), self.reach());
        self.exchanges.clear();
        // Last column in which a row used so far has entries.
        let mut last = 0;
        for k in 0..n {
            let below = self.lower.min(n - 1 - k);
            let column = &self.band[k * height + reach..=k * height + reach + below];
            let mut shift = 0;
            for (down, entry) in column.iter().enumerate() {
                if entry.abs() > column[shift].abs() {
                    shift = down;
                }
            }
            let pivot = column[shift];
            if !(pivot.abs() > smallest) {
                return false;
            }
            self.exchanges.push(k + shift);
            last = last.max((k + shift + self.upper).min(n - 1));
            if shift > 0 {
                for j in k..=last {
                    let place = j * height + reach + k - j;
                    self.band.swap(place, place + shift);
                }
            }
            let (before, after) = self.band.split_at_mut((k + 1) * height);
            let multipliers = &mut before[k * height + reach + 1..=k * height + reach + below];
            multipliers.iter_mut().for_each(|entry| *entry /= pivot);
            for (j, column) in (k + 1..=last).zip(after.chunks_exact_mut(height)) {
                let place = reach + k - j;
                let factor = column[place];
                if factor != 0.0 {
                    axpy(&mut column[place + 1..=place + below], -factor, multipliers);
                }
            }
        }
        true
    }

    /// x becomes A^-1 x.
    pub(crate) fn solve(&self, x: &mut [f64]) {
        let (n, height, reach) = (self.n, self.height(), self.reach());
        for k in 0..n {
            x.swap(k, self.exchanges[k]);
            let (xk, below) = (x[k], self.lower.min(n - 1 - k));
            if xk != 0.0 {
                let first = k * height + reach + 1;
                axpy(&mut x[k + 1..=k + below], -xk, &self.band[first..first + below]);
            }
        }
        for k in (0..n).rev() {
            let diagonal = k * height + reach;
            x[k] /= self.band[diagonal];
            let (xk, above) = (x[k], reach.min(k));
            if xk != 0.0 {
                axpy(&mut x[k - above..k], -xk, &self.band[diagonal - above..diagonal]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};

    #[test]
    fn solves_with_and_without_exchanges() {
        for (n, lower, upper) in [(1, 0, 0), (6, 0, 2), (6, 2, 0), (9, 1, 1), (40, 3, 5), (40, 5, 3), (12, 11, 11)] {
            for diagonal in [0.1, 40.0] {
                let a = DMatrix::from_fn(n, n, |i, j| {
                    let inside = i <= j + lower && j <= i + upper;
                    let value = ((i * i * 7 + j * 13 + i * j * 5) % 23) as f64 - 10.5;
                    f64::from(u8::from(inside)) * (value + if i == j { diagonal } else { 0.0 })
                });
                let x = DVector::from_fn(n, |i, _| 1.0 - i as f64 / 3.0);
                let b = &a * &x;
                let mut lu = BandLu::default();
                lu.start(n, lower, upper);
                for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).filter(|&(i, j)| a[(i, j)] != 0.0) {
                    *lu.entry(i, j) = a[(i, j)];
                }
                assert!(lu.factor(0.0));
                let mut found = b.clone();
                lu.solve(found.as_mut_slice());
                assert!((&a * &found - &b).amax() < 1e-11 * b.amax(), "n = {n}, {lower} below, {upper} above");
            }
        }
    }

    #[test]
    fn a_singular_matrix_is_told() {
        let mut lu = BandLu::default();
        lu.start(2, 1, 1);
        for (i, j, value) in [(0, 0, 1.0), (1, 0, 2.0), (0, 1, 2.0), (1, 1, 4.0)] {
            *lu.entry(i, j) = value;
        }
        assert!(!lu.factor(1e-14));
    }
}
