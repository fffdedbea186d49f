//! Units in which rows and columns of a square matrix are alike: D^-1 A D with powers of two in D.
//!
//! Let row and column of each index have the same largest entry outside the diagonal (Osborne, J. ACM 7 (1960) 338, in the maximum norm;
//! Schulman and Sinclair, J. ACM 64 (2017) 9:1). Then from a largest entry of all one may go on along largest entries until a cycle
//! closes: no entry exceeds the largest geometric mean of a cycle, which is at most the spectral radius of |A|.

use nalgebra::{DMatrix, DVector};

/// What ties all units to 0, as a part of an entry: it picks one of the many that shifts of all units are, and bends the rest by bits at most.
const TIE: f64 = 1e-8;

/// log2 of D, such that in D^-1 A D row and column of each index have the same largest entry outside the diagonal, to a factor 2. An index
/// whose row or column is zero there keeps its unit.
#[must_use]
pub fn balancing_units(a: &DMatrix<f64>) -> Vec<i32> {
    let entries = Entries::new(a, 0.0);
    let mut units = vec![0.0; a.nrows()];
    // Ordinary matrices settle at once; along a chain of many units the least squares do what would take many sweeps.
    if !entries.settle(&mut units, f64::NEG_INFINITY, 100) {
        units = entries.least_squares();
        entries.settle(&mut units, f64::NEG_INFINITY, entries.sweeps());
    }
    rounded(&units)
}

/// As [`balancing_units`], begun at the units in which the sum of the squares of the logarithms of all entries is least: the balanced matrix
/// is the same whatever the given units were, also where entries lie on no cycle. For solutions of linear equations, which small entries
/// do not spoil.
#[must_use]
pub fn invariant_units(a: &DMatrix<f64>) -> Vec<i32> {
    let entries = Entries::new(a, 0.0);
    let mut units = entries.least_squares();
    entries.settle(&mut units, f64::NEG_INFINITY, entries.sweeps());
    rounded(&units)
}

/// x 2^e, also where 2^e itself would leave the range.
#[must_use]
pub fn times_two_to(x: f64, e: i32) -> f64 {
    powers_of_two(e).into_iter().fold(x, |x, power| x * power)
}

/// Three finite powers of two with the product 2^e, or one that carries every number out of the range.
pub(crate) fn powers_of_two(e: i32) -> [f64; 3] {
    let e = e.clamp(-2400, 2400);
    let third = e / 3;
    [third, third, e - 2 * third].map(|e| 2f64.powi(e))
}

/// log2 |x|; of 0 without the division by zero that a logarithm tells the processor of.
pub(crate) fn log2_of(x: f64) -> f64 {
    if x == 0.0 { f64::NEG_INFINITY } else { x.abs().log2() }
}

pub(crate) fn rounded(units: &[f64]) -> Vec<i32> {
    units.iter().map(|unit| unit.round() as i32).collect()
}

/// log2 |a_ij| off the diagonal, where it is not 0, by rows and by columns.
pub(crate) struct Entries {
    pub(crate) rows: Vec<Vec<(usize, f64)>>,
    columns: Vec<Vec<(usize, f64)>>,
}

impl Entries {
    /// Of 2^`shift` `a`.
    pub(crate) fn new(a: &DMatrix<f64>, shift: f64) -> Self {
        let n = a.nrows();
        let mut entries = Self { rows: vec![Vec::new(); n], columns: vec![Vec::new(); n] };
        for j in 0..n {
            for i in (0..n).filter(|i| *i != j && a[(*i, j)] != 0.0) {
                let size = a[(i, j)].abs().log2() + shift;
                entries.rows[i].push((j, size));
                entries.columns[j].push((i, size));
            }
        }
        entries
    }

    /// Sweeps that cost no more than two products of matrices.
    pub(crate) fn sweeps(&self) -> usize {
        let n = self.rows.len();
        (n * n * n / self.rows.iter().map(Vec::len).sum::<usize>().max(1)).max(100)
    }

    /// Osborne's iteration: each index in turn gets the unit in which its row and its column are alike, entries below the floor being as
    /// good as those on it. Whether that settled.
    pub(crate) fn settle(&self, units: &mut [f64], floor: f64, sweeps: usize) -> bool {
        let n = self.rows.len();
        for sweep in 0..sweeps {
            let mut largest_change = 0.0_f64;
            for place in 0..n {
                // To and fro, so that what one end of a chain needs reaches the other in one sweep.
                let i = if sweep % 2 == 0 { place } else { n - 1 - place };
                let largest = |line: &[(usize, f64)], sign: f64| {
                    line.iter().map(|(k, size)| size + sign * (units[*k] - units[i])).fold(floor, f64::max)
                };
                let change = 0.5 * (largest(&self.rows[i], 1.0) - largest(&self.columns[i], -1.0));
                if change.is_finite() {
                    units[i] += change;
                    largest_change = largest_change.max(change.abs());
                }
            }
            // What all indices of a path lack together is less than rounding to powers of two leaves.
            if largest_change <= 0.5 / n as f64 {
                return true;
            }
        }
        false
    }

    /// The units in which the sum of the squares of all logarithms is least (Curtis and Reid, J. Inst. Maths Applics 10 (1972) 118, for
    /// one diagonal): a Laplacian system, which costs a third of a product. Whatever the given units were, they lead to the same matrix.
    pub(crate) fn least_squares(&self) -> Vec<f64> {
        let n = self.rows.len();
        let mut laplacian = DMatrix::from_diagonal_element(n, n, TIE);
        let mut right = DVector::zeros(n);
        for (i, row) in self.rows.iter().enumerate() {
            for (j, size) in row {
                laplacian[(i, i)] += 1.0;
                laplacian[(*j, *j)] += 1.0;
                laplacian[(i, *j)] -= 1.0;
                laplacian[(*j, i)] -= 1.0;
                right[i] += size;
                right[*j] -= size;
            }
        }
        laplacian.cholesky().map_or(vec![0.0; n], |factors| factors.solve(&right).as_slice().to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::dmatrix;

    #[test]
    fn the_largest_entry_is_that_of_a_cycle() {
        // A cycle of geometric mean 100, in awkward units.
        let cycle = dmatrix![1.0, 1e70, 0.0; 0.0, -3.0, 1e-140; 1e76, 0.0, 2.0];
        let units = balancing_units(&cycle);
        let balanced = DMatrix::from_fn(3, 3, |i, j| cycle[(i, j)] * 2f64.powi(units[j] - units[i]));
        assert!(balanced.amax() < 200.0, "{balanced}");
        assert_eq!(balancing_units(&dmatrix![-50.0, 1e300; 0.0, -7.0]), [0, 0]);
        assert!(balancing_units(&DMatrix::zeros(0, 0)).is_empty());
    }
}
