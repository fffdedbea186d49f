//! Row pivots for a given column order: left-looking LU with threshold partial pivoting.
//!
//! Column by column, x = L^-1 a_j is found by a depth-first search through the columns of L that it meets (Gilbert and Peierls,
//! SIAM J. Sci. Stat. Comput. 9 (1988) 862). Among the rows with |x_i| >= u max |x| the one with the
//! fewest entries in the matrix is taken. Only the choice of pivots is kept: the factors belong to the stream.

use crate::fill::Sequence;
use nalgebra_sparse::pattern::SparsityPattern;

/// Stands for no row.
const NONE: u32 = u32::MAX;

/// What is to be factored and how pivots are chosen.
pub(crate) struct ColumnLu<'a> {
    /// Compressed columns of the matrix.
    pub(crate) pattern: &'a SparsityPattern,
    /// Values of the equilibrated matrix.
    pub(crate) values: &'a [f64],
    /// Entries in each row.
    pub(crate) row_count: &'a [u32],
    /// u: smallest admissible pivot relative to its column.
    pub(crate) threshold: f64,
    /// Give up beyond this many multiply-adds.
    pub(crate) budget: usize,
    /// Only pivots on the diagonal: give up where one is too small.
    pub(crate) diagonal: bool,
}

/// Work of the elimination: L by columns, in the rows of the matrix, and the column at hand.
struct Work {
    start: Vec<usize>,
    rows: Vec<u32>,
    values: Vec<f64>,
    /// Number of the pivot in each row, or none.
    pivot_of: Vec<u32>,
    x: Vec<f64>,
    /// Column for which each row was last reached.
    reached: Vec<u32>,
    /// Reached pivots in reverse topological order, and reached rows that are not pivots yet.
    order: Vec<u32>,
    open: Vec<u32>,
    stack: Vec<(u32, usize)>,
}

impl ColumnLu<'_> {
    /// The pivot sequence for columns in this order; none when a column has no pivot or the budget is exceeded.
    pub(crate) fn sequence(&self, columns: &[u32]) -> Option<Sequence> {
        let n = columns.len();
        let mut work = Work {
            start: vec![0],
            rows: Vec::with_capacity(2 * self.pattern.nnz()),
            values: Vec::with_capacity(2 * self.pattern.nnz()),
            pivot_of: vec![NONE; n],
            x: vec![0.0; n],
            reached: vec![NONE; n],
            order: Vec::new(),
            open: Vec::new(),
            stack: Vec::new(),
        };
        let mut pivot_rows = Vec::with_capacity(n);
        let mut multiply_adds = 0;
        for (k, &j) in columns.iter().enumerate() {
            multiply_adds += self.eliminate(j as usize, k as u32, &mut work);
            let pivot_row = self.choose(j, &work)?;
            if multiply_adds > self.budget {
                return None;
            }
            work.keep(pivot_row, k as u32);
            pivot_rows.push(pivot_row);
        }
        Some(Sequence { rows: pivot_rows, columns: columns.to_vec() })
    }

    /// x = L^-1 a_j on its nonzero pattern; returns the multiply-adds.
    fn eliminate(&self, j: usize, k: u32, work: &mut Work) -> usize {
        let entries = self.pattern.major_offsets()[j]..self.pattern.major_offsets()[j + 1];
        let rows = &self.pattern.minor_indices()[entries.clone()];
        work.order.clear();
        work.open.clear();
        for &i in rows {
            work.reach(i as u32, k);
        }
        for (&i, &value) in rows.iter().zip(&self.values[entries]) {
            work.x[i] = value;
        }
        let mut multiply_adds = 0;
        for at in (0..work.order.len()).rev() {
            let row = work.order[at] as usize;
            let column = work.pivot_of[row] as usize;
            let (first, end) = (work.start[column], work.start[column + 1]);
            let x = work.x[row];
            for (&i, &l) in work.rows[first..end].iter().zip(&work.values[first..end]) {
                work.x[i as usize] -= l * x;
            }
            multiply_adds += end - first;
            work.x[row] = 0.0;
        }
        multiply_adds
    }

    /// The pivot row of column j among the open rows.
    fn choose(&self, j: u32, work: &Work) -> Option<u32> {
        let size = |i: u32| work.x[i as usize].abs();
        let largest = work.open.iter().map(|&i| size(i)).fold(0.0, f64::max);
        let admissible = |i: u32| size(i) >= self.threshold * largest && size(i) > 0.0;
        if self.diagonal {
            return admissible(j).then_some(j);
        }
        work.open.iter().copied().filter(|&i| admissible(i)).min_by_key(|&i| self.row_count[i as usize])
    }
}

impl Work {
    /// Depth-first search from row i through the columns of L.
    fn reach(&mut self, i: u32, k: u32) {
        if self.reached[i as usize] == k {
            return;
        }
        self.reached[i as usize] = k;
        if self.pivot_of[i as usize] == NONE {
            self.open.push(i);
            return;
        }
        self.stack.push((i, self.start[self.pivot_of[i as usize] as usize]));
        while let Some(&mut (row, ref mut at)) = self.stack.last_mut() {
            let column = self.pivot_of[row as usize] as usize;
            let end = self.start[column + 1];
            let mut deeper = None;
            while *at < end {
                let child = self.rows[*at];
                *at += 1;
                if self.reached[child as usize] != k {
                    self.reached[child as usize] = k;
                    if self.pivot_of[child as usize] == NONE {
                        self.open.push(child);
                    } else {
                        deeper = Some(child);
                        break;
                    }
                }
            }
            match deeper {
                Some(child) => self.stack.push((child, self.start[self.pivot_of[child as usize] as usize])),
                None => {
                    self.order.push(row);
                    self.stack.pop();
                }
            }
        }
    }

    /// Stores column k of L for the chosen pivot and clears x.
    fn keep(&mut self, pivot_row: u32, k: u32) {
        let pivot = self.x[pivot_row as usize];
        for &i in &self.open {
            if i != pivot_row {
                self.rows.push(i);
                self.values.push(self.x[i as usize] / pivot);
            }
            self.x[i as usize] = 0.0;
        }
        self.start.push(self.rows.len());
        self.pivot_of[pivot_row as usize] = k;
    }
}
