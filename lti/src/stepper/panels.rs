//! A matrix packed for repeated products with vectors: panels of eight rows, a column of a panel being one cache line, up to four
//! panels side by side in one stream. The instruction set is chosen when the program runs (AVX-512, AVX2 with FMA, or what the
//! target has).

use nalgebra::DMatrix;
use pulp::{Arch, Simd, WithSimd};

/// Rows of a panel.
pub(crate) const ROWS: usize = 8;

/// Eight numbers in one cache line.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[repr(C, align(64))]
struct Line([f64; ROWS]);

/// Eight rows of a result.
pub(crate) type Row = [f64; ROWS];

/// Whether no number of a result is NaN or infinite: zero times such a number is not zero.
#[inline]
pub(crate) fn all_finite(result: &[Row]) -> bool {
    let mut sums = [0.0; ROWS];
    for row in result {
        for (sum, x) in sums.iter_mut().zip(row) {
            *sum += x * 0.0;
        }
    }
    sums == [0.0; ROWS]
}

/// A matrix in panels. Rows are padded with zeros to whole lines.
#[derive(Debug, Clone)]
pub(crate) struct Panels {
    rows: usize,
    columns: usize,
    /// Panels of a group, the last one may have fewer: as many sums as hide the latency of the multiply-adds, in registers.
    side_by_side: usize,
    /// Groups of panels; in a group column after column, in a column panel after panel.
    lines: Vec<Line>,
    arch: Arch,
}

impl Panels {
    pub(crate) fn new(matrix: &DMatrix<f64>) -> Self {
        Self::with_arch(matrix, Arch::new())
    }

    fn with_arch(matrix: &DMatrix<f64>, arch: Arch) -> Self {
        let (rows, columns) = matrix.shape();
        let panels = rows.div_ceil(ROWS);
        let side_by_side = match arch.dispatch(Lanes) {
            8 => 4,
            4 | 2 => 2,
            _ => 1,
        };
        let entry = |i: usize, j: usize| if i < rows { matrix[(i, j)] } else { 0.0 };
        let mut lines = Vec::with_capacity(panels * columns);
        for group in (0..panels).step_by(side_by_side) {
            for j in 0..columns {
                for panel in group..panels.min(group + side_by_side) {
                    lines.push(Line(std::array::from_fn(|i| entry(ROWS * panel + i, j))));
                }
            }
        }
        Self { rows, columns, side_by_side, lines, arch }
    }

    /// Lines of a result: its rows, padded.
    pub(crate) fn result_lines(&self) -> usize {
        self.rows.div_ceil(ROWS)
    }

    /// `out` = matrix [x; z], for `x` and `z` that together have the length of a row, and `out` of [`Panels::result_lines`].
    /// Returns whether no number of `out` is NaN or infinite, as [`all_finite`], found before the numbers leave their registers.
    #[inline]
    pub(crate) fn apply(&self, x: &[f64], z: &[f64], out: &mut [Row]) -> bool {
        debug_assert_eq!(x.len() + z.len(), self.columns);
        self.arch.dispatch(Vector { panels: self, x, z, out })
    }

    /// `out` = matrix times every vector of `z`, one after the other, as are their results in `out`.
    pub(crate) fn apply_many(&self, z: &[f64], out: &mut [Row]) {
        if self.columns > 0 && !out.is_empty() {
            self.arch.dispatch(Many { panels: self, z, out });
        }
    }
}

/// Numbers in a register of the instruction set.
struct Lanes;

impl WithSimd for Lanes {
    type Output = usize;

    fn with_simd<S: Simd>(self, _: S) -> usize {
        S::F64_LANES
    }
}

struct Vector<'a> {
    panels: &'a Panels,
    x: &'a [f64],
    z: &'a [f64],
    out: &'a mut [Row],
}

impl WithSimd for Vector<'_> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> bool {
        match S::F64_LANES {
            8 => self.run::<S, 1, 4>(simd),
            4 => self.run::<S, 2, 2>(simd),
            2 => self.run::<S, 4, 2>(simd),
            _ => self.run::<S, 8, 1>(simd),
        }
    }
}

impl Vector<'_> {
    /// R registers hold a line; full groups have G panels.
    #[inline(always)]
    fn run<S: Simd, const R: usize, const G: usize>(self, simd: S) -> bool {
        let Self { panels, x, z, out } = self;
        let mut product = Product { simd, lines: panels.lines.as_slice(), parts: [x, z], check: simd.splat_f64s(0.0) };
        let mut groups = out.chunks_exact_mut(G);
        for out in &mut groups {
            product.group::<R, G>(out);
        }
        let out = groups.into_remainder();
        match out.len() {
            1 => product.group::<R, 1>(out),
            2 => product.group::<R, 2>(out),
            3 => product.group::<R, 3>(out),
            _ => {}
        }
        simd.reduce_sum_f64s(product.check) == 0.0
    }
}

/// A product under way: the lines that are left, the vector in two parts, and the sum of all results times zero.
struct Product<'a, S: Simd> {
    simd: S,
    lines: &'a [Line],
    parts: [&'a [f64]; 2],
    check: S::f64s,
}

impl<S: Simd> Product<'_, S> {
    /// G panels, even and odd columns in sums of their own.
    #[inline(always)]
    fn group<const R: usize, const G: usize>(&mut self, out: &mut [Row]) {
        let simd = self.simd;
        let zero = simd.splat_f64s(0.0);
        let (mut even, mut odd) = ([[zero; R]; G], [[zero; R]; G]);
        let mut lines = self.lines;
        for part in self.parts {
            let mut factors = part.chunks_exact(2);
            for pair in &mut factors {
                lines = add_column(simd, lines, pair[0], &mut even);
                lines = add_column(simd, lines, pair[1], &mut odd);
            }
            for &last in factors.remainder() {
                lines = add_column(simd, lines, last, &mut even);
            }
        }
        self.lines = lines;
        for g in 0..G {
            let out = S::as_mut_simd_f64s(&mut out[g]).0;
            for r in 0..R {
                out[r] = simd.add_f64s(even[g][r], odd[g][r]);
                self.check = simd.mul_add_e_f64s(out[r], zero, self.check);
            }
        }
    }
}

/// Adds a column of G lines times `factor`; returns the lines behind it.
#[inline(always)]
fn add_column<'a, S: Simd, const R: usize, const G: usize>(
    simd: S,
    lines: &'a [Line],
    factor: f64,
    sums: &mut [[S::f64s; R]; G],
) -> &'a [Line] {
    let Some((column, rest)) = lines.split_first_chunk::<G>() else { return lines };
    let factor = simd.splat_f64s(factor);
    for g in 0..G {
        let line = S::as_simd_f64s(&column[g].0).0;
        for r in 0..R {
            sums[g][r] = simd.mul_add_e_f64s(line[r], factor, sums[g][r]);
        }
    }
    rest
}

struct Many<'a> {
    panels: &'a Panels,
    z: &'a [f64],
    out: &'a mut [Row],
}

impl WithSimd for Many<'_> {
    type Output = ();

    /// Blocks of panels times vectors, sized to the registers: 4 x 6 sums of 8 with AVX-512, 1 x 6 of two times 4 with AVX2.
    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        let panels = self.panels;
        for (group, lines) in panels.lines.chunks(panels.side_by_side * panels.columns).enumerate() {
            let first = group * panels.side_by_side;
            let height = lines.len() / panels.columns;
            match (S::F64_LANES, height) {
                (8, 4) => self.vectors::<S, 1, 4, 6>(simd, lines, height, first),
                (8, 3) => self.vectors::<S, 1, 3, 6>(simd, lines, height, first),
                (8, 2) => self.vectors::<S, 1, 2, 6>(simd, lines, height, first),
                (8, _) => self.vectors::<S, 1, 1, 6>(simd, lines, height, first),
                (4, _) => self.vectors::<S, 2, 1, 6>(simd, lines, height, first),
                (2, _) => self.vectors::<S, 4, 1, 3>(simd, lines, height, first),
                _ => self.vectors::<S, 8, 1, 1>(simd, lines, height, first),
            }
        }
    }
}

impl Many<'_> {
    /// All vectors times one group of `height` panels, B panels and C vectors at a time; what is left of the vectors by fours, then
    /// one by one.
    #[inline(always)]
    fn vectors<S: Simd, const R: usize, const B: usize, const C: usize>(
        &mut self,
        simd: S,
        lines: &[Line],
        height: usize,
        first: usize,
    ) {
        let count = self.z.len() / self.panels.columns;
        let blocks = count - count % C;
        let fours = if C > 4 { count - (count - blocks) % 4 } else { blocks };
        for panel in (0..height).step_by(B) {
            let (lines, at) = (&lines[panel..], first + panel);
            self.some::<S, R, B, C>(simd, lines, height, at, 0..blocks);
            self.some::<S, R, B, 4>(simd, lines, height, at, blocks..fours);
            self.some::<S, R, B, 1>(simd, lines, height, at, fours..count);
        }
    }

    /// The vectors of `range`, C at a time.
    #[inline(always)]
    fn some<S: Simd, const R: usize, const B: usize, const C: usize>(
        &mut self,
        simd: S,
        lines: &[Line],
        height: usize,
        at: usize,
        range: std::ops::Range<usize>,
    ) {
        let columns = self.panels.columns;
        let result_lines = self.panels.result_lines();
        let z = &self.z[range.start * columns..range.end * columns];
        let out = &mut self.out[range.start * result_lines..range.end * result_lines];
        for (z, out) in z.chunks_exact(C * columns).zip(out.chunks_exact_mut(C * result_lines)) {
            store(out, result_lines, at, &block::<S, R, B, C>(simd, lines, height, z));
        }
    }
}

#[inline(always)]
fn store<const B: usize, const C: usize>(out: &mut [Row], stride: usize, at: usize, results: &[[Row; B]; C]) {
    for (out, lines) in out.chunks_exact_mut(stride).zip(results) {
        out[at..at + B].copy_from_slice(lines);
    }
}

/// B panels times C vectors (one after the other in `z`); `lines` begins at the first of the panels and goes on by `height`.
#[inline(always)]
fn block<S: Simd, const R: usize, const B: usize, const C: usize>(
    simd: S,
    lines: &[Line],
    height: usize,
    z: &[f64],
) -> [[Row; B]; C] {
    let columns = z.len() / C;
    let z: [&[f64]; C] = std::array::from_fn(|c| &z[c * columns..(c + 1) * columns]);
    let mut sums = [[[simd.splat_f64s(0.0); R]; B]; C];
    for (k, column) in lines.chunks(height).enumerate().take(columns) {
        for c in 0..C {
            let factor = simd.splat_f64s(z[c][k]);
            for b in 0..B {
                let line = S::as_simd_f64s(&column[b].0).0;
                for r in 0..R {
                    let sum = &mut sums[c][b][r];
                    *sum = simd.mul_add_e_f64s(line[r], factor, *sum);
                }
            }
        }
    }
    let mut results = [[[0.0; ROWS]; B]; C];
    for (results, sums) in results.iter_mut().zip(&sums) {
        for (line, sum) in results.iter_mut().zip(sums) {
            S::as_mut_simd_f64s(line).0.copy_from_slice(sum);
        }
    }
    results
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every instruction set that this processor has, every remainder of rows and vectors.
    #[test]
    fn products_agree_with_plain_sums() {
        let mut sets = vec![Arch::Scalar, Arch::new()];
        #[cfg(target_arch = "x86_64")]
        sets.extend(pulp::x86::V3::try_new().map(Arch::V3));
        for arch in sets {
            for (rows, columns, count) in
                [(1, 1, 1), (5, 6, 3), (8, 4, 6), (17, 9, 7), (31, 12, 13), (33, 3, 2), (70, 71, 14)]
            {
                check(arch, rows, columns, count);
            }
        }
    }

    fn check(arch: Arch, rows: usize, columns: usize, count: usize) {
        let matrix = DMatrix::from_fn(rows, columns, |i, j| ((3 * i + 7 * j) % 11) as f64 - 5.0);
        let vectors = DMatrix::from_fn(columns, count, |i, j| ((5 * i + 2 * j) % 13) as f64 - 6.0);
        let expected = &matrix * &vectors; // whole numbers: exact in any order
        let panels = Panels::with_arch(&matrix, arch);
        let lines = panels.result_lines();
        let z = vectors.as_slice();
        let mut many = vec![[0.0; ROWS]; lines * count];
        panels.apply_many(z, &mut many);
        for c in 0..count {
            let mut single = vec![[0.0; ROWS]; lines];
            let (x, z) = z[c * columns..(c + 1) * columns].split_at(columns / 2);
            panels.apply(x, z, &mut single);
            for i in 0..rows {
                assert_eq!(single.as_flattened()[i], expected[(i, c)], "{arch:?} {rows} x {columns}");
                let at = many[c * lines..].as_flattened()[i];
                assert_eq!(at, expected[(i, c)], "{arch:?} {rows} x {columns} many");
            }
        }
    }
}
