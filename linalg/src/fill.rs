//! The pattern of L + U for a fixed pivot sequence, and what eliminating with it costs.
//!
//! Row i of L + U is the union of row i of the permuted matrix with the rows k < i of U that it meets (up-looking
//! elimination); the union is kept as a sorted linked list. One multiply-add is done per pair (l_ik, u_kj).

use crate::error::Error;
use nalgebra_sparse::pattern::SparsityPattern;

/// The order of elimination: pivot k sits in row `rows[k]` and column `columns[k]` of the matrix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sequence {
    pub(crate) rows: Vec<u32>,
    pub(crate) columns: Vec<u32>,
}

/// Rows of a compressed-column pattern, with the place of each entry among the values.
#[derive(Debug, Clone)]
pub(crate) struct RowView {
    pub(crate) start: Vec<u32>,
    /// (column, index of the value)
    pub(crate) entries: Vec<(u32, u32)>,
}

impl RowView {
    /// Transposes a compressed-column pattern.
    pub(crate) fn new(pattern: &SparsityPattern) -> Result<Self, Error> {
        let limit = u32::MAX as usize - 1;
        if pattern.nnz() > limit {
            return Err(Error::TooLarge { what: "the matrix", found: pattern.nnz(), limit });
        }
        let mut start = vec![0u32; pattern.minor_dim() + 1];
        for &i in pattern.minor_indices() {
            start[i + 1] += 1;
        }
        for i in 0..pattern.minor_dim() {
            start[i + 1] += start[i];
        }
        let mut fill = start.clone();
        let mut entries = vec![(0, 0); pattern.nnz()];
        for (position, (j, i)) in pattern.entries().enumerate() {
            entries[fill[i] as usize] = (j as u32, position as u32);
            fill[i] += 1;
        }
        Ok(Self { start, entries })
    }

    /// Entries of row i.
    pub(crate) fn row(&self, i: usize) -> &[(u32, u32)] {
        &self.entries[self.start[i] as usize..self.start[i + 1] as usize]
    }
}

/// Pattern of L + U by rows, in pivot numbers.
#[derive(Debug, Clone)]
pub(crate) struct Fill {
    pub(crate) lower_start: Vec<u32>,
    pub(crate) lower: Vec<u32>,
    pub(crate) upper_start: Vec<u32>,
    pub(crate) upper: Vec<u32>,
    pub(crate) multiply_adds: usize,
}

impl Fill {
    /// Columns k < i of row i of L.
    pub(crate) fn lower_row(&self, i: usize) -> &[u32] {
        &self.lower[self.lower_start[i] as usize..self.lower_start[i + 1] as usize]
    }

    /// Columns j > i of row i of U.
    pub(crate) fn upper_row(&self, i: usize) -> &[u32] {
        &self.upper[self.upper_start[i] as usize..self.upper_start[i + 1] as usize]
    }

    /// The pattern of L + U, or `None` as soon as it would cost more than `budget` multiply-adds.
    pub(crate) fn new(rows: &RowView, sequence: &Sequence, budget: usize) -> Option<Self> {
        let n = sequence.rows.len();
        let mut number = vec![0u32; n];
        for (k, &j) in sequence.columns.iter().enumerate() {
            number[j as usize] = k as u32;
        }
        let mut fill = Self {
            lower_start: Vec::with_capacity(n + 1),
            lower: Vec::with_capacity(rows.entries.len()),
            upper_start: Vec::with_capacity(n + 1),
            upper: Vec::with_capacity(rows.entries.len()),
            multiply_adds: 0,
        };
        fill.lower_start.push(0);
        fill.upper_start.push(0);
        let mut next = vec![0u32; n + 1]; // sorted list; slot n is its head, n also ends it
        let mut scratch = Vec::new();
        for i in 0..n {
            scratch.clear();
            scratch.extend(rows.row(sequence.rows[i] as usize).iter().map(|e| number[e.0 as usize]));
            scratch.sort_unstable();
            let mut last = n;
            for &j in &scratch {
                next[last] = j;
                last = j as usize;
            }
            next[last] = n as u32;
            fill.merge_row(i, &mut next);
            if fill.multiply_adds > budget {
                return None;
            }
        }
        Some(fill)
    }

    /// Walks the list of row i, merging U row k at each k < i, then stores it.
    fn merge_row(&mut self, i: usize, next: &mut [u32]) {
        let n = next.len() - 1;
        let mut k = next[n] as usize;
        while k < i {
            self.lower.push(k as u32);
            let row = self.upper_start[k] as usize..self.upper_start[k + 1] as usize;
            self.multiply_adds += row.len();
            let mut at = k;
            for &j in &self.upper[row] {
                while next[at] < j {
                    at = next[at] as usize;
                }
                if next[at] > j {
                    next[j as usize] = next[at];
                    next[at] = j;
                }
                at = j as usize;
            }
            k = next[k] as usize;
        }
        if k == i {
            k = next[k] as usize;
        }
        while k < n {
            self.upper.push(k as u32);
            k = next[k] as usize;
        }
        self.lower_start.push(self.lower.len() as u32);
        self.upper_start.push(self.upper.len() as u32);
    }
}
