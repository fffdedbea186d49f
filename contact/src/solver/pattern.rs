//! Where the entries of a sparse matrix stand, and the order of the pairs that brings them close to the diagonal.
//!
//! Membranes over obstacles, lubricated bearings, options, stacks: their matrices hold few entries beside zeros, and in the order of
//! [`ordering`](crate::ordering) these lie in a narrow band, which every principal submatrix inherits.

use crate::ordering::Graph;

/// Pairs below which a matrix counts as full.
const FEW: usize = 48;
/// Share of entries other than zero, one over this, from which on a matrix counts as full.
const SPARSE: usize = 8;
/// Work of a full factorization over that of one in the band, below which the former, which goes by blocks, is the faster.
const WORTH: usize = 12;

/// The entries by columns, and the order of the band.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pattern {
    /// Whether the entries are kept here; else the matrix counts as full.
    pub(crate) sparse: bool,
    /// Whether factorizations keep to the band.
    pub(crate) banded: bool,
    /// Diagonals below and above the main one, in the order of the band.
    pub(crate) lower: usize,
    pub(crate) upper: usize,
    /// Pairs beside each other, and their order in the band.
    pub(crate) graph: Graph,
    /// First entry of each column.
    starts: Vec<usize>,
    rows: Vec<usize>,
    values: Vec<f64>,
}

impl Pattern {
    /// Takes an n x n matrix, column by column.
    pub(crate) fn take(&mut self, n: usize, m: &[f64]) {
        self.sparse = n >= FEW && m.iter().filter(|&&entry| entry != 0.0).count() * SPARSE <= n * n;
        self.banded = false;
        if !self.sparse {
            return;
        }
        self.starts.clear();
        self.rows.clear();
        self.values.clear();
        for column in m.chunks_exact(n) {
            self.starts.push(self.rows.len());
            for (i, &entry) in column.iter().enumerate().filter(|(_, entry)| **entry != 0.0) {
                self.rows.push(i);
                self.values.push(entry);
            }
        }
        self.starts.push(self.rows.len());
        let (starts, rows) = (&self.starts, &self.rows);
        self.graph.assign_edges(n, |each| {
            for j in 0..n {
                rows[starts[j]..starts[j + 1]].iter().filter(|&&i| i != j).for_each(|&i| each(i, j));
            }
        });
        (self.lower, self.upper) = (0, 0);
        for j in 0..n {
            for &i in &self.rows[self.starts[j]..self.starts[j + 1]] {
                self.lower = self.lower.max(self.graph.place[i].saturating_sub(self.graph.place[j]));
                self.upper = self.upper.max(self.graph.place[j].saturating_sub(self.graph.place[i]));
            }
        }
        self.banded = WORTH * self.lower.max(1) * (self.lower + self.upper) <= n * n;
    }

    /// Entries (row, value) of column j.
    pub(crate) fn column(&self, j: usize) -> impl Iterator<Item = (usize, f64)> {
        let entries = self.starts[j]..self.starts[j + 1];
        self.rows[entries.clone()].iter().copied().zip(self.values[entries].iter().copied())
    }

    /// Multiplications of a factorization, beside those of a full one, n^3 / 3.
    pub(crate) fn work(&self, n: usize) -> usize {
        if self.banded { n * (self.lower + 1) * (self.lower + self.upper + 1) } else { n * n * n / 3 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain whose links are numbered at random has one diagonal on either side again; apart from it, parts stay apart.
    #[test]
    fn a_shuffled_chain_is_a_band_of_one() {
        let n = 101;
        let name = |i: usize| i * 37 % n;
        let mut m = vec![0.0; n * n];
        for i in 0..n {
            m[name(i) * n + name(i)] = 2.0;
            if i + 1 < n && i != 50 {
                m[name(i) * n + name(i + 1)] = -1.0;
            }
        }
        let mut pattern = Pattern::default();
        pattern.take(n, &m);
        assert!(pattern.sparse && pattern.banded);
        assert_eq!(pattern.lower.max(pattern.upper), 1);
        let mut order = pattern.graph.order.clone();
        order.sort_unstable();
        assert!(order.iter().copied().eq(0..n));
        assert!(pattern.column(name(3)).any(|entry| entry == (name(4), -1.0)));
    }

    #[test]
    fn a_grid_has_the_band_of_its_side_and_full_matrices_none() {
        let side = 20;
        let n = side * side;
        let near = |a: usize, b: usize| a.abs_diff(b) == 1 && a / side == b / side || a.abs_diff(b) == side;
        let m: Vec<f64> = (0..n * n).map(|k| if near(k / n, k % n) { -1.0 } else { 0.0 }).collect();
        let mut pattern = Pattern::default();
        pattern.take(n, &m);
        assert!(pattern.banded && pattern.lower <= side && pattern.upper <= side, "{}", pattern.lower);
        pattern.take(n, &vec![1.0; n * n]);
        assert!(!pattern.sparse && !pattern.banded);
    }
}
