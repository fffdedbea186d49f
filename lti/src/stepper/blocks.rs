//! The product of a step whose e^{AT} is block-diagonal with blocks of at most 2 x 2: cost proportional to n (m + q).

use nalgebra::DMatrix;
use pulp::{Arch, Simd, WithSimd};

use super::panels::{ROWS, Row};

/// Below this dimension a dense product is as fast.
const SMALLEST: usize = 48;

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
    arch: Arch,
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
        Some(Self {
            lower: (1..n).map(|i| matrix[(i, i - 1)]).collect(),
            diagonal: (0..n).map(|i| matrix[(i, i)]).collect(),
            upper: (1..n).map(|i| matrix[(i - 1, i)]).collect(),
            inputs: matrix.view((0, n), (n, columns - n)).iter().copied().collect(),
            outputs: matrix.rows(n, rows - n).transpose().iter().copied().collect(),
            columns,
            rows,
            arch: Arch::new(),
        })
    }

    pub(crate) fn result_lines(&self) -> usize {
        self.rows.div_ceil(ROWS)
    }

    pub(crate) fn apply(&self, x: &[f64], z: &[f64], out: &mut [Row]) {
        self.arch.dispatch(Step { blocks: self, x, z, out: out.as_flattened_mut() });
    }

    #[inline(always)]
    fn product(&self, x: &[f64], z: &[f64], out: &mut [f64]) {
        let n = self.diagonal.len();
        let (next, y) = out.split_at_mut(n);
        for ((next, diagonal), x) in next.iter_mut().zip(&self.diagonal).zip(x) {
            *next = diagonal * x;
        }
        add_products(&mut next[..n - 1], &self.upper, &x[1..]);
        add_products(&mut next[1..], &self.lower, &x[..n - 1]);
        for (column, &factor) in self.inputs.chunks_exact(n).zip(z) {
            next.iter_mut().zip(column).for_each(|(next, c)| *next += c * factor);
        }
        for (row, y) in self.outputs.chunks_exact(self.columns).zip(y) {
            let (of_x, of_z) = row.split_at(n);
            *y = dot(of_x, x) + dot(of_z, z);
        }
    }
}

/// A product, compiled for each instruction set.
struct Step<'a> {
    blocks: &'a BlockProduct,
    x: &'a [f64],
    z: &'a [f64],
    out: &'a mut [f64],
}

impl WithSimd for Step<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        self.blocks.product(self.x, self.z, self.out);
    }
}

/// `out` += `a` `b`, entry by entry.
#[inline(always)]
fn add_products(out: &mut [f64], a: &[f64], b: &[f64]) {
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        *out += a * b;
    }
}

/// Eight sums side by side, so that the additions need not wait for each other.
#[inline(always)]
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
