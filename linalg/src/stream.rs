//! The flat stream: LU of a matrix whose pivot sequence and fill are known, without any search.
//!
//! Right-looking elimination: at pivot k every row i of column k of L gets l_ik = a_ik / u_kk and a_ij -= l_ik u_kj along row k
//! of U. The place of each a_ij among the factors is one precomputed number, read in the order of execution; column k of L
//! and row k of U are contiguous. Rows are taken four at a time, so that one load of u_kj serves four multiply-adds and
//! the inner loop, of the same length for every row of the pivot, is well predicted.
//!
//! Measured against up-looking elimination (row by row, 16-bit places in a work row): half its time. Unchecked indices gain
//! nothing here, so the code stays safe.

mod program;

use std::cell::Cell;

use crate::{
    error::Error,
    fill::{Fill, RowView, Sequence},
    scaling::Scaling,
};
use program::{Program, ROWS};

/// Programme and values of a factorization.
#[derive(Debug, Clone)]
pub(crate) struct Stream {
    program: Program,
    /// u_kk, then L by columns (unit diagonal left out), then U by rows.
    factors: Vec<f64>,
    inverse: Vec<f64>,
    /// |u_kk| below this asks for fresh pivots.
    floor: Vec<f64>,
    permuted: Vec<f64>,
}

/// What the pivot test found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flow {
    /// All pivots are usable.
    Good,
    /// A pivot fell below its floor.
    SmallPivot,
    /// A value is NaN or infinite.
    NotFinite,
}

impl Stream {
    /// Compiles the stream; it holds no factors yet.
    pub(crate) fn new(rows: &RowView, sequence: Sequence, fill: &Fill) -> Result<Self, Error> {
        let program = Program::new(rows, sequence, fill)?;
        let n = program.blocks.len();
        let factors = vec![0.0; program.length()];
        Ok(Self { program, factors, inverse: vec![0.0; n], floor: vec![0.0; n], permuted: vec![0.0; n] })
    }

    /// Multiply-adds of one factorization.
    pub(crate) fn multiply_adds(&self) -> usize {
        self.program.targets.len()
    }

    /// Factors the matrix with these values (one per entry of the pattern).
    pub(crate) fn factor(&mut self, values: &[f64]) -> Flow {
        self.factors.fill(0.0);
        for (&place, &value) in self.program.places.iter().zip(values) {
            // Subnormal numbers have lost their digits, and arithmetic with them takes a hundred times as long.
            self.factors[place as usize] = if value.abs() < f64::MIN_POSITIVE { 0.0 } else { value };
        }
        let n = self.inverse.len();
        // Cells, because the places of a row of the program may lie anywhere behind the pivot.
        let all = Cell::from_mut(&mut self.factors[..]).as_slice_of_cells();
        let (mut lower, mut upper) = all[n..].split_at(self.program.lower.len());
        let mut targets = &self.program.targets[..];
        let mut small = false;
        for k in 0..n {
            let (l, u);
            (l, lower) = lower.split_at(self.program.blocks[k][0] as usize);
            (u, upper) = upper.split_at(self.program.blocks[k][1] as usize);
            let pivot = all[k].get();
            small |= !(pivot.abs() >= self.floor[k]);
            let inverse = 1.0 / pivot;
            self.inverse[k] = inverse;
            let (chunks, rest) = l.as_chunks::<ROWS>();
            for chunk in chunks {
                targets = update(chunk.each_ref(), inverse, u, targets, all);
            }
            targets = match rest {
                [a] => update([a], inverse, u, targets, all),
                [a, b] => update([a, b], inverse, u, targets, all),
                [a, b, c] => update([a, b, c], inverse, u, targets, all),
                _ => targets,
            };
        }
        match (all_finite(&self.factors), small) {
            (false, _) => Flow::NotFinite,
            (true, true) => Flow::SmallPivot,
            (true, false) => Flow::Good,
        }
    }

    /// Makes a fraction of the present pivots the least that later ones may be.
    pub(crate) fn set_floors(&mut self, fraction: f64) {
        for (floor, pivot) in self.floor.iter_mut().zip(&self.factors) {
            *floor = fraction * pivot.abs();
        }
    }

    /// |A| + |L| |U|, the sizes of the terms that make up each entry, by place.
    pub(crate) fn terms(&self, values: &[f64]) -> Vec<f64> {
        let mut terms = vec![0.0; self.program.length()];
        for (&place, value) in self.program.places.iter().zip(values) {
            terms[place as usize] += value.abs();
        }
        self.program.for_each_multiply_add(|target, l, u| terms[target] += (self.factors[l] * self.factors[u]).abs());
        terms
    }

    /// The first pivot that is nothing but round-off: (row, column, |u_kk| over the terms it is the difference of).
    ///
    /// The computed factors are exact for A + E, |E| <= gamma |L| |U| (Higham, Accuracy and Stability, 2nd ed., theorem 9.3). A
    /// pivot below a few units of round-off of (|L| |U|)_kk is therefore zero for a matrix that cannot be told from A.
    pub(crate) fn spurious_pivot(&self, terms: &[f64]) -> Option<(usize, usize, f64)> {
        /// Few units of round-off: gamma grows with the terms of a pivot, which are few in sparse matrices.
        const ROUND_OFF: f64 = 32.0 * f64::EPSILON;
        let ratio = |k: usize| self.factors[k].abs() / terms[k];
        (0..self.inverse.len()).find(|&k| !(ratio(k) > ROUND_OFF)).map(|k| {
            let ratio = if terms[k] > 0.0 { ratio(k) } else { 0.0 };
            (self.program.sequence.rows[k] as usize, self.program.sequence.columns[k] as usize, ratio)
        })
    }

    /// The largest of the terms in the equilibrated matrix, whose own entries are below 2: by the same theorem the backward error of
    /// the factors is about this many units of round-off.
    pub(crate) fn growth(&self, terms: &[f64], scaling: &Scaling) -> f64 {
        let sequence = &self.program.sequence;
        let scaled = |row: u32, column: u32, term: f64| {
            scaling.apply(sequence.rows[row as usize] as usize, sequence.columns[column as usize] as usize, term)
        };
        self.program.places_by_pivot().zip(terms).fold(0.0, |growth, ((i, j), &term)| scaled(i, j, term).max(growth))
    }

    /// Solves A x = b in place with the last factorization.
    pub(crate) fn solve(&mut self, b: &mut [f64]) {
        let program = &self.program;
        let y = &mut self.permuted[..];
        for (to, &from) in y.iter_mut().zip(&program.sequence.rows) {
            *to = b[from as usize];
        }
        let (mut l, mut u) = self.factors[y.len()..].split_at(program.lower.len());
        let (mut rows, mut columns) = (&program.lower[..], &program.upper[..]);
        for (k, &[count, _]) in program.blocks.iter().enumerate() {
            let (values, indices);
            (values, l) = l.split_at(count as usize);
            (indices, rows) = rows.split_at(count as usize);
            let z = y[k];
            for (&i, &l) in indices.iter().zip(values) {
                y[i as usize] -= l * z;
            }
        }
        for (k, &[_, count]) in program.blocks.iter().enumerate().rev() {
            let (values, indices);
            (u, values) = u.split_at(u.len() - count as usize);
            (columns, indices) = columns.split_at(columns.len() - count as usize);
            let mut sum = y[k];
            for (&j, &u) in indices.iter().zip(values) {
                sum -= u * y[j as usize];
            }
            y[k] = sum * self.inverse[k];
        }
        for (&from, &to) in y.iter().zip(&program.sequence.columns) {
            b[to as usize] = from;
        }
    }

    /// Solves A^T x = b in place with the last factorization.
    pub(crate) fn solve_transposed(&mut self, b: &mut [f64]) {
        let program = &self.program;
        let y = &mut self.permuted[..];
        for (to, &from) in y.iter_mut().zip(&program.sequence.columns) {
            *to = b[from as usize];
        }
        let (mut l, mut u) = self.factors[y.len()..].split_at(program.lower.len());
        let (mut rows, mut columns) = (&program.lower[..], &program.upper[..]);
        for (k, &[_, count]) in program.blocks.iter().enumerate() {
            let (values, indices);
            (values, u) = u.split_at(count as usize);
            (indices, columns) = columns.split_at(count as usize);
            let z = y[k] * self.inverse[k];
            y[k] = z;
            for (&j, &u) in indices.iter().zip(values) {
                y[j as usize] -= u * z;
            }
        }
        for (k, &[count, _]) in program.blocks.iter().enumerate().rev() {
            let (values, indices);
            (l, values) = l.split_at(l.len() - count as usize);
            (rows, indices) = rows.split_at(rows.len() - count as usize);
            let sum: f64 = indices.iter().zip(values).map(|(&i, l)| l * y[i as usize]).sum();
            y[k] -= sum;
        }
        for (&from, &to) in y.iter().zip(&program.sequence.rows) {
            b[to as usize] = from;
        }
    }
}

/// Whether no value is NaN or infinite: zero times such a value is not zero. Eight sums, so that none waits for another.
fn all_finite(values: &[f64]) -> bool {
    let (chunks, rest) = values.as_chunks::<8>();
    let mut sums = [0.0; 8];
    for chunk in chunks {
        for (sum, value) in sums.iter_mut().zip(chunk) {
            *sum += value * 0.0;
        }
    }
    sums.iter().sum::<f64>() == 0.0 && rest.iter().all(|value| value.is_finite())
}

/// Eliminates N rows with one pivot: divides their entries of L by it and subtracts l u_kj along row k of U; returns the
/// targets not yet used.
#[inline(always)]
fn update<'a, const N: usize>(
    l: [&Cell<f64>; N],
    inverse: f64,
    u: &[Cell<f64>],
    targets: &'a [u32],
    all: &[Cell<f64>],
) -> &'a [u32] {
    let l = l.map(|entry| {
        entry.set(entry.get() * inverse);
        entry.get()
    });
    let (now, later) = targets.split_at(N * u.len());
    for (places, u) in now.as_chunks::<N>().0.iter().zip(u) {
        let u = u.get();
        for (&place, l) in places.iter().zip(l) {
            let target = &all[place as usize];
            target.set(target.get() - l * u);
        }
    }
    later
}
