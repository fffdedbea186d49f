//! C -= A B on blocks of one matrix, from packed copies of A and B (Goto and van de Geijn 2008, in small).

/// Rows and columns of the tile that stays in registers.
const TILE: usize = 4;

/// Packed copies of the two factors.
#[derive(Debug, Clone, Default)]
pub(super) struct Product {
    left: Vec<f64>,
    right: Vec<f64>,
}

/// Copies a k-deep block into strips of `TILE`: `value(line, p)` for line in 0..lines, p in 0..k; lines beyond the end are zero.
fn pack(buffer: &mut Vec<f64>, lines: usize, k: usize, value: impl Fn(usize, usize) -> f64) {
    buffer.clear();
    for first in (0..lines).step_by(TILE) {
        for p in 0..k {
            buffer.extend((first..first + TILE).map(|line| if line < lines { value(line, p) } else { 0.0 }));
        }
    }
}

/// The product of one strip of rows and one strip of columns.
#[inline]
fn tile(left: &[f64], right: &[f64]) -> [[f64; TILE]; TILE] {
    let mut sums = [[0.0; TILE]; TILE];
    for (a, b) in left.as_chunks::<TILE>().0.iter().zip(right.as_chunks::<TILE>().0) {
        for (column, &bj) in sums.iter_mut().zip(b) {
            for (sum, &ai) in column.iter_mut().zip(a) {
                *sum += ai * bj;
            }
        }
    }
    sums
}

impl Product {
    /// In the n x n matrix `a`: rows and columns from `from` on lose (rows from `from`, columns `k0..from`) times
    /// (rows `k0..from`, columns from `from`).
    pub(super) fn lu_update(&mut self, a: &mut [f64], n: usize, k0: usize, from: usize) {
        let (k, rest) = (from - k0, n - from);
        pack(&mut self.left, rest, k, |i, p| a[(k0 + p) * n + from + i]);
        pack(&mut self.right, rest, k, |j, p| a[(from + j) * n + k0 + p]);
        self.subtract(a, n, from, k, false);
    }

    /// The same for a lower triangle: it loses L21 L21^T, L21 = (rows from `from`, columns `k0..from`).
    pub(super) fn cholesky_update(&mut self, a: &mut [f64], n: usize, k0: usize, from: usize) {
        let (k, rest) = (from - k0, n - from);
        pack(&mut self.left, rest, k, |i, p| a[(k0 + p) * n + from + i]);
        self.subtract(a, n, from, k, true);
    }

    /// Subtracts the packed product; `lower`: tiles on and below the diagonal only, with the right factor the left one's transpose.
    fn subtract(&self, a: &mut [f64], n: usize, from: usize, k: usize, lower: bool) {
        let right = if lower { &self.left } else { &self.right };
        for (jt, columns) in right.chunks_exact(TILE * k).enumerate() {
            let skipped = if lower { jt } else { 0 };
            for (it, rows) in self.left.chunks_exact(TILE * k).enumerate().skip(skipped) {
                let sums = tile(rows, columns);
                let row = from + it * TILE;
                let height = TILE.min(n - row);
                for (column, sums) in (from + jt * TILE..n).zip(&sums) {
                    let place = column * n + row;
                    for (entry, sum) in a[place..place + height].iter_mut().zip(sums) {
                        *entry -= sum;
                    }
                }
            }
        }
    }
}
