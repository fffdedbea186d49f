//! C -= A B on blocks of one matrix, from packed copies of A and B (Goto and van de Geijn, ACM Trans. Math. Softw. 34 (2008) 12, in small),
//! with the widest SIMD instructions that are there when the program runs.

use pulp::{Arch, Simd, WithSimd};

/// Columns of a tile, the part of C that stays in registers; its rows fill two registers.
const COLUMNS: usize = 6;
/// Rows of the largest tile, and rows and columns where there are no SIMD instructions to be asked for.
const ROWS: usize = 16;
const PLAIN: usize = 4;

/// Packed copies of the two factors.
#[derive(Debug, Clone, Default)]
pub(super) struct Product {
    left: Vec<f64>,
    right: Vec<f64>,
}

/// Copies a k-deep block into strips of so many lines: `value(line, p)` for line in 0..lines, p in 0..k; lines beyond the end are zero.
fn pack(buffer: &mut Vec<f64>, strip: usize, lines: usize, k: usize, value: impl Fn(usize, usize) -> f64) {
    buffer.clear();
    for first in (0..lines).step_by(strip) {
        for p in 0..k {
            buffer.extend((first..first + strip).map(|line| if line < lines { value(line, p) } else { 0.0 }));
        }
    }
}

impl Product {
    /// In the n x n matrix `a`: rows and columns from `from` on lose (rows from `from`, columns `k0..from`) times
    /// (rows `k0..from`, columns from `from`).
    pub(super) fn lu_update(&mut self, a: &mut [f64], n: usize, k0: usize, from: usize) {
        let (arch, k, rest) = (Arch::new(), from - k0, n - from);
        let (rows, columns) = arch.dispatch(Strips);
        pack(&mut self.left, rows, rest, k, |i, p| a[(k0 + p) * n + from + i]);
        pack(&mut self.right, columns, rest, k, |j, p| a[(from + j) * n + k0 + p]);
        arch.dispatch(Update { left: &self.left, right: &self.right, a, n, from, k, lower: false });
    }

    /// The same for a lower triangle: it loses L21 L21^T, L21 = (rows from `from`, columns `k0..from`).
    pub(super) fn cholesky_update(&mut self, a: &mut [f64], n: usize, k0: usize, from: usize) {
        let (arch, k, rest) = (Arch::new(), from - k0, n - from);
        let (rows, columns) = arch.dispatch(Strips);
        pack(&mut self.left, rows, rest, k, |i, p| a[(k0 + p) * n + from + i]);
        pack(&mut self.right, columns, rest, k, |j, p| a[(k0 + p) * n + from + j]);
        arch.dispatch(Update { left: &self.left, right: &self.right, a, n, from, k, lower: true });
    }
}

/// Rows and columns of a tile.
struct Strips;

impl WithSimd for Strips {
    type Output = (usize, usize);

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> (usize, usize) {
        if matches!(S::F64_LANES, 4 | 8) { (2 * S::F64_LANES, COLUMNS) } else { (PLAIN, PLAIN) }
    }
}

/// Subtracts the packed product; `lower`: tiles on and below the diagonal only.
struct Update<'a> {
    left: &'a [f64],
    right: &'a [f64],
    a: &'a mut [f64],
    n: usize,
    from: usize,
    k: usize,
    lower: bool,
}

impl WithSimd for Update<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        if matches!(S::F64_LANES, 4 | 8) {
            self.tiles::<COLUMNS>(2 * S::F64_LANES, |left, right, sums| in_registers(simd, left, right, sums));
        } else {
            self.tiles::<PLAIN>(PLAIN, plain);
        }
    }
}

impl Update<'_> {
    #[inline(always)]
    fn tiles<const WIDTH: usize>(self, height: usize, tile: impl Fn(&[f64], &[f64], &mut [[f64; ROWS]; WIDTH])) {
        let mut sums = [[0.0; ROWS]; WIDTH];
        for (jt, columns) in self.right.chunks_exact(WIDTH * self.k).enumerate() {
            let skipped = if self.lower { jt * WIDTH / height } else { 0 };
            for (it, rows) in self.left.chunks_exact(height * self.k).enumerate().skip(skipped) {
                tile(rows, columns, &mut sums);
                let row = self.from + it * height;
                let height = height.min(self.n - row);
                for (column, sums) in (self.from + jt * WIDTH..self.n).zip(&sums) {
                    let place = column * self.n + row;
                    for (entry, sum) in self.a[place..place + height].iter_mut().zip(sums) {
                        *entry -= sum;
                    }
                }
            }
        }
    }
}

/// The product of one strip of rows, two registers high, and one strip of columns.
#[inline(always)]
fn in_registers<S: Simd>(simd: S, left: &[f64], right: &[f64], out: &mut [[f64; ROWS]; COLUMNS]) {
    let mut sums = [[simd.splat_f64s(0.0); 2]; COLUMNS];
    let left = S::as_simd_f64s(left).0.as_chunks::<2>().0;
    for (a, b) in left.iter().zip(right.as_chunks::<COLUMNS>().0) {
        for (sums, &b) in sums.iter_mut().zip(b) {
            let b = simd.splat_f64s(b);
            sums[0] = simd.mul_add_f64s(a[0], b, sums[0]);
            sums[1] = simd.mul_add_f64s(a[1], b, sums[1]);
        }
    }
    for (out, sums) in out.iter_mut().zip(&sums) {
        S::as_mut_simd_f64s(out).0[..2].copy_from_slice(sums);
    }
}

/// The same by numbers one by one, which the compiler puts in the registers that every machine of the target has.
#[inline(always)]
fn plain(left: &[f64], right: &[f64], out: &mut [[f64; ROWS]; PLAIN]) {
    let mut sums = [[0.0; PLAIN]; PLAIN];
    for (a, b) in left.as_chunks::<PLAIN>().0.iter().zip(right.as_chunks::<PLAIN>().0) {
        for (column, &bj) in sums.iter_mut().zip(b) {
            for (sum, &ai) in column.iter_mut().zip(a) {
                *sum += ai * bj;
            }
        }
    }
    for (out, sums) in out.iter_mut().zip(&sums) {
        out[..PLAIN].copy_from_slice(sums);
    }
}
