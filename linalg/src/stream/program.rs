//! The programme of the flat stream: where every value goes and which entry every multiply-add changes.

use std::cmp::Ordering;

use crate::{
    error::Error,
    fill::{Fill, RowView, Sequence},
};

/// Rows eliminated together.
pub(super) const ROWS: usize = 4;

/// Places among the factors: n pivots, then L by columns, then U by rows.
#[derive(Debug, Clone)]
pub(super) struct Program {
    pub(super) sequence: Sequence,
    /// Place of each value of the matrix.
    pub(super) places: Vec<u32>,
    /// For each pivot the entries of its column of L and of its row of U.
    pub(super) blocks: Vec<[u32; 2]>,
    /// Row of each entry of L and column of each entry of U, in pivot numbers.
    pub(super) lower: Vec<u32>,
    pub(super) upper: Vec<u32>,
    /// Place that each multiply-add changes, in the order of execution: pivot by pivot, `ROWS` rows together, along the row of U.
    pub(super) targets: Vec<u32>,
}

/// Finds the place of entry (i, j), given in pivot numbers.
struct Places<'a> {
    fill: &'a Fill,
    lower_start: &'a [u32],
    lower: &'a [u32],
}

impl Program {
    /// Compiles the programme of a sequence with its fill.
    pub(super) fn new(rows: &RowView, sequence: Sequence, fill: &Fill) -> Result<Self, Error> {
        let n = sequence.rows.len();
        let (length, limit) = (n + fill.lower.len() + fill.upper.len(), u32::MAX as usize);
        if length > limit {
            return Err(Error::TooLarge { what: "the factors", found: length, limit });
        }
        let (lower_start, lower) = columns_of(fill, n);
        let places = Places { fill, lower_start: &lower_start, lower: &lower };
        let mut number = vec![0u32; n];
        for (k, &j) in sequence.columns.iter().enumerate() {
            number[j as usize] = k as u32;
        }
        let mut value_places = vec![0u32; rows.entries.len()];
        for (i, &row) in sequence.rows.iter().enumerate() {
            for &(j, value) in rows.row(row as usize) {
                value_places[value as usize] = places.of(i as u32, number[j as usize]);
            }
        }
        // Of a full matrix these are n^3/3, far more than the matrix itself.
        let mut targets = Vec::new();
        let what = "the programme of the elimination";
        targets
            .try_reserve_exact(fill.multiply_adds)
            .map_err(|_| Error::Memory { what, entries: fill.multiply_adds })?;
        for k in 0..n {
            for rows in places.column(k).chunks(ROWS) {
                for &j in fill.upper_row(k) {
                    targets.extend(rows.iter().map(|&i| places.of(i, j)));
                }
            }
        }
        let blocks = (0..n).map(|k| [places.column(k).len() as u32, fill.upper_row(k).len() as u32]).collect();
        Ok(Self { sequence, places: value_places, blocks, upper: fill.upper.clone(), lower, targets })
    }

    /// Number of places.
    pub(super) fn length(&self) -> usize {
        self.blocks.len() + self.lower.len() + self.upper.len()
    }

    /// Row and column of every place, in pivot numbers.
    pub(super) fn places_by_pivot(&self) -> impl Iterator<Item = (u32, u32)> {
        let pivots = 0..self.blocks.len() as u32;
        let repeated = |which: usize| {
            let blocks = self.blocks.iter().zip(0u32..);
            blocks.flat_map(move |(block, k)| std::iter::repeat_n(k, block[which] as usize))
        };
        let lower = self.lower.iter().copied().zip(repeated(0));
        let upper = repeated(1).zip(self.upper.iter().copied());
        pivots.map(|k| (k, k)).chain(lower).chain(upper)
    }

    /// Calls `f` with the place changed and the places of l and u for every multiply-add.
    pub(super) fn for_each_multiply_add(&self, mut f: impl FnMut(usize, usize, usize)) {
        let mut targets = self.targets.iter();
        let (mut l, mut u) = (self.blocks.len(), self.blocks.len() + self.lower.len());
        for &[rows, columns] in &self.blocks {
            let (rows, columns) = (rows as usize, columns as usize);
            for first in (0..rows).step_by(ROWS) {
                for column in 0..columns {
                    for row in first..rows.min(first + ROWS) {
                        if let Some(&target) = targets.next() {
                            f(target as usize, l + row, u + column);
                        }
                    }
                }
            }
            (l, u) = (l + rows, u + columns);
        }
    }
}

/// L by columns, from its rows.
fn columns_of(fill: &Fill, n: usize) -> (Vec<u32>, Vec<u32>) {
    let mut start = vec![0u32; n + 1];
    for &k in &fill.lower {
        start[k as usize + 1] += 1;
    }
    for k in 0..n {
        start[k + 1] += start[k];
    }
    let mut next = start.clone();
    let mut rows = vec![0u32; fill.lower.len()];
    for i in 0..n {
        for &k in fill.lower_row(i) {
            rows[next[k as usize] as usize] = i as u32;
            next[k as usize] += 1;
        }
    }
    (start, rows)
}

impl Places<'_> {
    /// Rows of column k of L.
    fn column(&self, k: usize) -> &[u32] {
        &self.lower[self.lower_start[k] as usize..self.lower_start[k + 1] as usize]
    }

    /// Place of entry (i, j), which the fill holds.
    fn of(&self, i: u32, j: u32) -> u32 {
        let n = self.lower_start.len() - 1;
        let (row, column) = (i as usize, j as usize);
        match i.cmp(&j) {
            Ordering::Equal => i,
            Ordering::Greater => {
                let before = self.column(column).partition_point(|&other| other < i);
                n as u32 + self.lower_start[column] + before as u32
            }
            Ordering::Less => {
                let before = self.fill.upper_row(row).partition_point(|&other| other < j);
                (n + self.lower.len()) as u32 + self.fill.upper_start[row] + before as u32
            }
        }
    }
}
