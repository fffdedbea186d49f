//! Matrix entries, emitted in one fixed order: the first pass records where they go, later passes only add values.

use crate::space::{M3, V3};
use nalgebra_sparse::pattern::SparsityPattern;

/// Receives matrix entries. Entries at the same place add up.
pub(super) trait Sink {
    fn add(&mut self, row: usize, column: usize, value: f64);

    #[inline]
    fn block(&mut self, row: usize, column: usize, m: &M3) {
        for c in 0..3 {
            for r in 0..3 {
                self.add(row + r, column + c, m[(r, c)]);
            }
        }
    }

    #[inline]
    fn diagonal(&mut self, row: usize, column: usize, value: f64) {
        for k in 0..3 {
            self.add(row + k, column + k, value);
        }
    }

    #[inline]
    fn row(&mut self, row: usize, column: usize, v: &V3) {
        for k in 0..3 {
            self.add(row, column + k, v[k]);
        }
    }
}

/// Records places.
#[derive(Default)]
pub(super) struct Places(Vec<(u32, u32)>);

impl Sink for Places {
    fn add(&mut self, row: usize, column: usize, _value: f64) {
        // (column, row), so that sorting gives the order of compressed columns.
        self.0.push((column as u32, row as u32));
    }
}

impl Places {
    /// The pattern, and for each emitted entry its index among the values.
    pub(super) fn finish(self, n: usize) -> (SparsityPattern, Vec<u32>) {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        sorted.dedup();
        let slots = self.0.iter().map(|place| sorted.partition_point(|p| p < place) as u32).collect();
        let mut offsets = vec![0; n + 1];
        for &(column, _) in &sorted {
            offsets[column as usize + 1] += 1;
        }
        for k in 0..n {
            offsets[k + 1] += offsets[k];
        }
        let rows = sorted.iter().map(|&(_, row)| row as usize).collect();
        let pattern = SparsityPattern::try_from_offsets_and_indices(n, n, offsets, rows)
            .expect("sorted and deduplicated places form a pattern");
        (pattern, slots)
    }
}

/// Adds values at recorded places, in the recorded order.
pub(super) struct Values<'a> {
    slots: std::slice::Iter<'a, u32>,
    values: &'a mut [f64],
}

impl<'a> Values<'a> {
    pub(super) fn new(slots: &'a [u32], values: &'a mut [f64]) -> Self {
        values.fill(0.0);
        Self { slots: slots.iter(), values }
    }
}

impl Sink for Values<'_> {
    #[inline]
    fn add(&mut self, _row: usize, _column: usize, value: f64) {
        if let Some(&slot) = self.slots.next() {
            self.values[slot as usize] += value;
        }
    }
}
