//! A front that moves through a matrix from one end to the other.
//!
//! Along a chain of a hundred bodies all pivots look alike to Markowitz, and a minimum degree takes every second body first: each then joins two
//! neighbours, which costs three times as much as to eliminate them one after the other from an end. So pivots are taken from few columns
//! only, those that a breadth-first search from the other end has reached last (the order of Cuthill and McKee, Proc. 24th Nat. Conf. ACM (1969)
//! 157, reversed as George does: Stanford report STAN-CS-71-208, 1971), and others are opened as these are eliminated.

use crate::fill::RowView;
use nalgebra_sparse::pattern::SparsityPattern;

/// Columns from which pivots may be taken.
#[derive(Debug)]
pub(crate) struct Front {
    /// All columns, from one end to the other.
    order: Vec<u32>,
    opened: usize,
    /// Opened and not eliminated.
    waiting: usize,
    width: usize,
    is_open: Vec<bool>,
}

impl Front {
    /// A front that holds `width` columns open.
    pub(crate) fn new(order: Vec<u32>, width: usize) -> Self {
        Self { is_open: vec![false; order.len()], order, opened: 0, waiting: 0, width }
    }

    /// The next column to open, if fewer wait than there should: the width, and `more` where those have no pivot.
    pub(super) fn open(&mut self, more: usize) -> Option<usize> {
        if self.waiting >= self.width + more {
            return None;
        }
        let j = *self.order.get(self.opened)? as usize;
        self.opened += 1;
        self.waiting += 1;
        self.is_open[j] = true;
        Some(j)
    }

    /// Columns that are open and not eliminated.
    pub(super) fn waiting(&self) -> usize {
        self.waiting
    }

    /// Whether a column is open or eliminated.
    pub(super) fn is_open(&self, j: usize) -> bool {
        self.is_open[j]
    }

    /// Whether all columns are open.
    pub(super) fn is_through(&self) -> bool {
        self.opened == self.order.len()
    }

    /// A column was eliminated.
    pub(super) fn eliminated(&mut self) {
        self.waiting -= 1;
    }
}

/// The columns of a matrix from one end to the other: in reverse the order in which a breadth-first search meets them that begins where another,
/// begun anywhere, ended. Each row is passed once.
pub(crate) fn end_to_end(pattern: &SparsityPattern, rows: &RowView) -> Vec<u32> {
    let n = pattern.major_dim();
    let mut order: Vec<u32> = Vec::with_capacity(n);
    let mut search = Search { pattern, rows, seen: vec![0; n], passed: vec![0; pattern.minor_dim()], stamp: 0 };
    let mut placed = vec![false; n];
    for start in 0..n {
        if placed[start] {
            continue;
        }
        let far = search.from(start as u32).last().copied().unwrap_or(start as u32);
        let part = search.from(far);
        part.iter().for_each(|&j| placed[j as usize] = true);
        order.extend(part);
    }
    order.reverse();
    order
}

/// Breadth-first searches through columns that share rows.
struct Search<'a> {
    pattern: &'a SparsityPattern,
    rows: &'a RowView,
    /// Stamp of the last search that met each column, and each row.
    seen: Vec<u32>,
    passed: Vec<u32>,
    stamp: u32,
}

impl Search<'_> {
    /// All columns connected with one, in the order met.
    fn from(&mut self, start: u32) -> Vec<u32> {
        self.stamp += 1;
        self.seen[start as usize] = self.stamp;
        let mut order = vec![start];
        let mut at = 0;
        while let Some(&j) = order.get(at) {
            at += 1;
            for &i in self.pattern.lane(j as usize) {
                if self.passed[i] == self.stamp {
                    continue;
                }
                self.passed[i] = self.stamp;
                for &(c, _) in self.rows.row(i) {
                    if self.seen[c as usize] != self.stamp {
                        self.seen[c as usize] = self.stamp;
                        order.push(c);
                    }
                }
            }
        }
        order
    }
}
