//! The product of a step whose e^{AT} is block-diagonal with blocks of at most 2 x 2: cost proportional to n (m + q).

use nalgebra::DMatrix;

use super::panels::{ROWS, Row};

/// Below this dimension a dense product is as fast.
const SMALLEST: usize = 16;

/// [E F; CE G] with E as its three diagonals, F and the rows of CE and G as they are.
#[derive(Debug, Clone)]
pub(crate) struct BlockProduct {
    lower: Vec<f64>,
    diagonal: Vec<f64>,
    upper: Vec<f64>,
    /// Columns of F, one after the other.
    inputs: Vec<f64>,
    /// Rows of [CE G], one after the other.
    outputs: Vec<f64>,
    columns: usize,
    rows: usize,
}

impl BlockProduct {
    /// None when the first `n` rows and columns of the matrix of the step are not such blocks, or too few.
    pub(crate) fn recognise(matrix: &DMatrix<f64>, n: usize) -> Option<Self> {
        let linked = |i: usize| i + 1 < n && (matrix[(i, i + 1)] != 0.0 || matrix[(i + 1, i)] != 0.0);
        let far = |i: usize, j: usize| i.abs_diff(j) > 1 && matrix[(i, j)] != 0.0;
        let chained = (1..n).any(|i| linked(i - 1) && linked(i));
        if n < SMALLEST || chained || (0..n).any(|j| (0..n).any(|i| far(i, j))) {
            return None;
        }
        let (rows, columns) = matrix.shape();
        let at = |i: Option<usize>, j: Option<usize>| match (i, j) {
            (Some(i), Some(j)) if i < n && j < n => matrix[(i, j)],
            _ => 0.0,
        };
        Some(Self {
            lower: (0..n).map(|i| at(Some(i), i.checked_sub(1))).collect(),
            diagonal: (0..n).map(|i| matrix[(i, i)]).collect(),
            upper: (0..n).map(|i| at(Some(i), Some(i + 1))).collect(),
            inputs: matrix.view((0, n), (n, columns - n)).iter().copied().collect(),
            outputs: matrix.rows(n, rows - n).transpose().iter().copied().collect(),
            columns,
            rows,
        })
    }

    pub(crate) fn result_lines(&self) -> usize {
        self.rows.div_ceil(ROWS)
    }

    pub(crate) fn apply(&self, x: &[f64], z: &[f64], out: &mut [Row]) {
        let n = self.diagonal.len();
        let (next, y) = out.as_flattened_mut().split_at_mut(n);
        for (i, next) in next.iter_mut().enumerate() {
            let before = if i > 0 { x[i - 1] } else { 0.0 };
            let after = if i + 1 < n { x[i + 1] } else { 0.0 };
            *next = self.diagonal[i] * x[i] + (self.lower[i] * before + self.upper[i] * after);
        }
        for (column, &factor) in self.inputs.chunks_exact(n).zip(z) {
            next.iter_mut().zip(column).for_each(|(next, c)| *next += c * factor);
        }
        for (row, y) in self.outputs.chunks_exact(self.columns).zip(y) {
            let (of_x, of_z) = row.split_at(n);
            *y = dot(of_x, x) + dot(of_z, z);
        }
    }
}

/// Eight sums side by side, so that the additions need not wait for each other.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f64 = a.remainder().iter().zip(b.remainder()).map(|(a, b)| a * b).sum();
    let mut sums = [0.0; 8];
    for (a, b) in a.zip(b) {
        for i in 0..8 {
            sums[i] += a[i] * b[i];
        }
    }
    sums.iter().sum::<f64>() + rest
}
