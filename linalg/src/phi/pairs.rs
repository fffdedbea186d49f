//! Sums and products of matrices in double-double arithmetic, vectorized (SIMD).
//!
//! A product a b = p + e in doubles is exact with e = fma(a, b, -p) (Dekker), a sum too (Knuth); so each entry is the sum of the p in a
//! compensated sum, with all errors and cross products gathered beside it: the dot product of Ogita, Rump and Oishi (SIAM J. Sci.
//! Comput. 26 (2005) 1955, algorithm 5.3), as good as if carried out with 106 bits. The instruction set is chosen when the program runs.

use nalgebra::DMatrix;
use pulp::{Arch, Simd, WithSimd};

use super::double_double::DoubleDouble;

/// Rows taken together: whole SIMD registers on every machine.
const ROWS: usize = 8;
/// Terms taken together: their factors stay in the fastest memory.
const DEPTH: usize = 64;

type Line = [f64; ROWS];

/// `out` = `beta` `out` + `a` `b`, `beta` a power of two or 0.
pub(super) fn multiply(
    out: &mut DMatrix<DoubleDouble>,
    beta: f64,
    a: &DMatrix<DoubleDouble>,
    b: &DMatrix<DoubleDouble>,
) {
    let scaled = |x: DoubleDouble| if beta == 0.0 { DoubleDouble::default() } else { x.scaled(beta) };
    out.apply(|x| *x = scaled(*x));
    let ((rows, depth), columns) = (a.shape(), b.ncols());
    let (a, b, out) = (a.as_slice(), b.as_slice(), out.as_mut_slice());
    if rows > 0 && depth > 0 {
        Arch::new().dispatch(Product { a, b, out, rows, depth, columns });
    }
}

/// `out` += `weight` `a`.
pub(super) fn add_scaled(out: &mut DMatrix<DoubleDouble>, weight: DoubleDouble, a: &DMatrix<DoubleDouble>) {
    Arch::new().dispatch(Sum { out: out.as_mut_slice(), weight, a: a.as_slice() });
}

struct Sum<'a> {
    out: &'a mut [DoubleDouble],
    weight: DoubleDouble,
    a: &'a [DoubleDouble],
}

impl WithSimd for Sum<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for (out, &a) in self.out.iter_mut().zip(self.a) {
            *out = *out + self.weight * a;
        }
    }
}

struct Product<'a> {
    a: &'a [DoubleDouble],
    b: &'a [DoubleDouble],
    out: &'a mut [DoubleDouble],
    rows: usize,
    depth: usize,
    columns: usize,
}

/// `ROWS` rows of a, `DEPTH` columns, upper and lower halves apart.
struct Panel {
    high: [Line; DEPTH],
    low: [Line; DEPTH],
}

impl WithSimd for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        match S::F64_LANES {
            8 => self.run::<S, 1>(simd),
            4 => self.run::<S, 2>(simd),
            2 => self.run::<S, 4>(simd),
            _ => self.run::<S, 8>(simd),
        }
    }
}

impl Product<'_> {
    /// R registers hold a line.
    #[inline(always)]
    fn run<S: Simd, const R: usize>(mut self, simd: S) {
        let mut panel = Panel { high: [[0.0; ROWS]; DEPTH], low: [[0.0; ROWS]; DEPTH] };
        for row in (0..self.rows).step_by(ROWS) {
            let height = ROWS.min(self.rows - row);
            for from in (0..self.depth).step_by(DEPTH) {
                let terms = DEPTH.min(self.depth - from);
                for k in 0..terms {
                    let column = &self.a[(from + k) * self.rows + row..][..height];
                    (panel.high[k], panel.low[k]) = split(column);
                }
                let pairs = self.columns - self.columns % 2;
                for column in (0..pairs).step_by(2) {
                    self.block::<S, R, 2>(simd, &panel, [row, height], [from, terms], column);
                }
                if pairs < self.columns {
                    self.block::<S, R, 1>(simd, &panel, [row, height], [from, terms], pairs);
                }
            }
        }
    }

    /// Adds the panel times C columns of b.
    #[inline(always)]
    fn block<S: Simd, const R: usize, const C: usize>(
        &mut self,
        simd: S,
        panel: &Panel,
        [row, height]: [usize; 2],
        [from, terms]: [usize; 2],
        column: usize,
    ) {
        let b: [&[DoubleDouble]; C] = std::array::from_fn(|c| &self.b[(column + c) * self.depth + from..][..terms]);
        let (mut sums, mut rests) = ([[simd.splat_f64s(0.0); R]; C], [[simd.splat_f64s(0.0); R]; C]);
        for c in 0..C {
            let (high, low) = split(&self.out[(column + c) * self.rows + row..][..height]);
            sums[c].copy_from_slice(S::as_simd_f64s(&high).0);
            rests[c].copy_from_slice(S::as_simd_f64s(&low).0);
        }
        for (k, (high, low)) in panel.high[..terms].iter().zip(&panel.low[..terms]).enumerate() {
            let (high, low) = (S::as_simd_f64s(high).0, S::as_simd_f64s(low).0);
            for c in 0..C {
                let [b_high, b_low] = b[c][k].halves().map(|x| simd.splat_f64s(x));
                for r in 0..R {
                    let (sum, rest) = (&mut sums[c][r], &mut rests[c][r]);
                    accumulate(simd, [high[r], low[r]], [b_high, b_low], sum, rest);
                }
            }
        }
        for c in 0..C {
            let (mut high, mut low) = ([0.0; ROWS], [0.0; ROWS]);
            S::as_mut_simd_f64s(&mut high).0.copy_from_slice(&sums[c]);
            S::as_mut_simd_f64s(&mut low).0.copy_from_slice(&rests[c]);
            let out = &mut self.out[(column + c) * self.rows + row..][..height];
            for (i, out) in out.iter_mut().enumerate() {
                *out = DoubleDouble::sum(high[i], low[i]);
            }
        }
    }
}

/// `sum` + `rest` += a b.
#[inline(always)]
fn accumulate<S: Simd>(simd: S, a: [S::f64s; 2], b: [S::f64s; 2], sum: &mut S::f64s, rest: &mut S::f64s) {
    let product = simd.mul_f64s(a[0], b[0]);
    // What the product lacks, with the opposite sign.
    let lacking = simd.negate_mul_add_f64s(a[0], b[0], product);
    let lacking = simd.negate_mul_add_f64s(a[0], b[1], lacking);
    let lacking = simd.negate_mul_add_f64s(a[1], b[0], lacking);
    let total = simd.add_f64s(*sum, product);
    let part = simd.sub_f64s(total, *sum);
    let error = simd.add_f64s(simd.sub_f64s(*sum, simd.sub_f64s(total, part)), simd.sub_f64s(product, part));
    *sum = total;
    *rest = simd.add_f64s(*rest, simd.sub_f64s(error, lacking));
}

/// Upper and lower halves of at most `ROWS` numbers, zeros behind them.
#[inline(always)]
fn split(numbers: &[DoubleDouble]) -> (Line, Line) {
    let (mut high, mut low) = ([0.0; ROWS], [0.0; ROWS]);
    for (i, x) in numbers.iter().enumerate() {
        [high[i], low[i]] = x.halves();
    }
    (high, low)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phi::PhiScalar;

    /// Against sums of whole numbers too large for a double, in every instruction set and with every remainder: 2^60 i + j.
    #[test]
    fn products_hold_106_bits() {
        for (rows, depth, columns) in [(1, 1, 1), (3, 70, 2), (8, 64, 5), (17, 130, 3)] {
            let whole = |i: usize, j: usize, m: usize| {
                ((i * 37 + j * 11 + m) % 1009) as i128 * (1 << 30) + (i * j % 997) as i128
            };
            let number = |x: i128| {
                let high = x as f64;
                DoubleDouble::from(high) + DoubleDouble::from((x - high as i128) as f64)
            };
            let a = DMatrix::from_fn(rows, depth, |i, j| number(whole(i, j, 5)));
            let b = DMatrix::from_fn(depth, columns, |i, j| number(whole(i, j, 3)));
            let mut out = DMatrix::from_element(rows, columns, number(3));
            multiply(&mut out, 2.0, &a, &b);
            for i in 0..rows {
                for j in 0..columns {
                    let exact = 6 + (0..depth).map(|k| whole(i, k, 5) * whole(k, j, 3)).sum::<i128>();
                    let defect = out[(i, j)] + number(-exact);
                    assert_eq!(defect.to_f64(), 0.0, "{rows} x {depth} x {columns} at {i}, {j}");
                }
            }
        }
    }
}
