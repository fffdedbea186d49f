//! Scales of the pairs of a problem: with z~ = z / s and w~ = s w the matrix S M S has a diagonal of ones.
//!
//! Contacts of a tower between grams and tonnes, or rows in metres beside rows in radians, weigh the same after it.

use crate::ordering::root;
use crate::problem::Lcp;
use nalgebra::DMatrix;

/// How far above sqrt(M_ii M_jj) an entry (i, j) may stand before the diagonal under it counts as round-off.
const SPURIOUS: f64 = 1e6;

/// Largest entry of a row or column of the matrix so scaled, or its inverse, from which on rows and columns get scales of their own.
const WILD: f64 = 1e3;

/// Entries of the matrix so scaled that are either weak coupling or in other units.
const FAINT: std::ops::Range<f64> = 1e-13..1e-6;

/// Scales of rows and columns: z = c z~, w~ = r w. The same (r = c = s) unless rows or columns of the matrix are out of all proportion.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scales {
    /// r: w~ = r w, q~ = r q.
    pub(crate) rows: Vec<f64>,
    /// c: z = c z~.
    pub(crate) columns: Vec<f64>,
    /// Largest entry of the scaled matrix.
    pub(crate) largest: f64,
    workspace: Sums,
}

impl Scales {
    /// Takes those of a problem: s on both sides, or, where that leaves rows or columns wild, those of [`geometric`], which are the same in
    /// whatever units rows and columns stand, with rows and after them columns divided by their largest entry (to a power of two).
    pub(crate) fn take(&mut self, lcp: &Lcp) {
        symmetric(lcp, &mut self.rows);
        self.columns.clear();
        self.columns.extend_from_slice(&self.rows);
        if !self.tame(lcp) {
            let n = lcp.len();
            geometric(n, |i, j| lcp.column(j)[i], &mut self.rows, &mut self.columns, &mut self.workspace);
            for i in 0..n {
                let size = (0..n).fold(0.0, |size: f64, j| size.max(self.entry(lcp, i, j)));
                self.rows[i] *= power(size);
            }
            for j in 0..n {
                let size = (0..n).fold(0.0, |size: f64, i| size.max(self.entry(lcp, i, j)));
                self.columns[j] *= power(size);
            }
        }
        self.weigh_parts(lcp);
        self.largest = self.sizes(lcp).fold(0.0, f64::max);
        self.weigh_empty_rows(lcp);
    }

    /// Rows and columns that no entry joins to others have a unit of their own for their constants, which then count as much as those of the
    /// others: bodies that do not touch, each as if it were alone. An entry below the faint ones joins nothing, but counts as a constant: what it makes
    /// of the unknowns of another part, which are as large as that part's constants.
    fn weigh_parts(&mut self, lcp: &Lcp) {
        let n = lcp.len();
        let Self { rows, columns, workspace: Sums { first, sums: sizes, .. }, .. } = self;
        let entry = |i: usize, j: usize| (lcp.column(j)[i] * rows[i] * columns[j]).abs();
        // Each row and, n behind, each column points towards the first of its part.
        first.clear();
        first.extend(0..2 * n);
        for j in 0..n {
            for i in (0..n).filter(|&i| entry(i, j) >= FAINT.start) {
                let (a, b) = (root(first, i), root(first, n + j));
                first[a.max(b)] = a.min(b);
            }
        }
        sizes.clear();
        sizes.resize(2 * n, 0.0);
        for (i, q) in lcp.q().iter().enumerate() {
            let part = root(first, i);
            sizes[part] = sizes[part].max((q * rows[i]).abs());
        }
        // So small an entry brings less than it takes: no more rounds than there are parts.
        for _ in 0..n {
            let mut settled = true;
            for j in 0..n {
                for i in (0..n).filter(|&i| lcp.column(j)[i] != 0.0) {
                    let (to, from) = (root(first, i), root(first, n + j));
                    let brought = entry(i, j) * sizes[from];
                    if to != from && brought > sizes[to] {
                        (sizes[to], settled) = (brought, false);
                    }
                }
            }
            if settled {
                break;
            }
        }
        let largest = sizes.iter().copied().fold(0.0, f64::max);
        for i in 0..n {
            let factor = |part: usize| if sizes[part] > 0.0 { power(sizes[part] / largest) } else { 1.0 };
            self.rows[i] *= factor(root(first, i));
            self.columns[i] /= factor(root(first, n + i));
        }
    }

    /// A row without entries has no unit but that of its constant, which then counts as much as the largest of the others.
    fn weigh_empty_rows(&mut self, lcp: &Lcp) {
        let empty = |i: usize| (0..lcp.len()).all(|j| lcp.column(j)[i] == 0.0);
        let constants = || lcp.q().iter().enumerate().filter(|(_, q)| **q != 0.0);
        if !constants().any(|(i, _)| empty(i)) {
            return;
        }
        let others =
            constants().filter(|(i, _)| !empty(*i)).fold(0.0, |size: f64, (i, q)| size.max((q * self.rows[i]).abs()));
        for (i, q) in constants().filter(|(i, _)| empty(*i)) {
            self.rows[i] = if others > 0.0 { others } else { 1.0 } / q.abs();
        }
    }

    fn entry(&self, lcp: &Lcp, i: usize, j: usize) -> f64 {
        (lcp.column(j)[i] * self.rows[i] * self.columns[j]).abs()
    }

    /// Largest entry of each column.
    fn sizes(&self, lcp: &Lcp) -> impl Iterator<Item = f64> {
        (0..lcp.len()).map(move |j| {
            let size = lcp.column(j).iter().zip(&self.rows).fold(0.0, |size: f64, (m, r)| size.max((m * r).abs()));
            size * self.columns[j]
        })
    }

    /// Whether the largest entries of all rows and columns are near one. A diagonal of ones settles most of them.
    fn tame(&self, lcp: &Lcp) -> bool {
        let proportionate = |size: f64| size == 0.0 || (1.0 / WILD..=WILD).contains(&size);
        let diagonal = |i: usize| self.entry(lcp, i, i) >= 1.0 / WILD;
        self.sizes(lcp).all(proportionate)
            && (0..lcp.len()).all(|i| {
                diagonal(i) || proportionate((0..lcp.len()).fold(0.0, |size: f64, j| size.max(self.entry(lcp, i, j))))
            })
            && (0..lcp.len()).all(|j| (0..lcp.len()).all(|i| !self.one_sided(lcp, i, j)))
    }

    /// Whether an entry is far smaller than the diagonal but not round-off, and its mirror image of another size: not the weak coupling of two
    /// pairs but a row or column in a unit of its own.
    fn one_sided(&self, lcp: &Lcp, i: usize, j: usize) -> bool {
        let entry = self.entry(lcp, i, j);
        FAINT.contains(&entry) && {
            let mirrored = self.entry(lcp, j, i);
            mirrored > WILD * entry || mirrored * WILD < entry
        }
    }
}

/// The power of two nearest to the inverse of a size; 1 for 0.
fn power(size: f64) -> f64 {
    if size > 0.0 { (-size.log2()).round().exp2() } else { 1.0 }
}

/// Scales rows and columns of a tableau of `size` rows (the constants in its last column along with their rows) by powers of two until
/// their largest entries are near one; returns both. A row variable is its value in the tableau over its scale, a column variable its
/// value times its scale.
///
/// First the sizes of all entries are brought as near to one as rows and columns can (least squares of their logarithms, Curtis and Reid,
/// J. Inst. Maths Applics 10 (1972) 118), which gives the same tableau in whatever units rows and columns were written; largest
/// entries alone would leave blocks as small as the units are apart.
pub(crate) fn equilibrate(t: &mut DMatrix<f64>, size: usize) -> (Vec<f64>, Vec<f64>) {
    let (mut rows, mut columns) = (Vec::new(), Vec::new());
    geometric(size, |i, j| t[(i, j)], &mut rows, &mut columns, &mut Sums::default());
    for i in 0..size {
        t.row_mut(i).scale_mut(rows[i]);
    }
    for j in 0..size {
        t.column_mut(j).scale_mut(columns[j]);
    }
    let half = |largest: f64| if largest > 0.0 { (-0.5 * largest.log2()).round().exp2() } else { 1.0 };
    for _ in 0..8 {
        for i in 0..size {
            let factor = half(t.view((i, 0), (1, size)).amax());
            t.row_mut(i).scale_mut(factor);
            rows[i] *= factor;
        }
        for j in 0..size {
            let factor = half(t.column(j).amax());
            t.column_mut(j).scale_mut(factor);
            columns[j] *= factor;
        }
    }
    (rows, columns)
}

/// Entries whose scaled size is 2 to minus this are taken for round-off and do not count as sizes.
const STRAY: f64 = 50.0;

/// Change of the logarithms, which are rounded in the end, that needs no further sweep.
const STANDING: f64 = 1e-3;

/// Logarithm to base two of a size, to a tenth, from its bits.
fn log2(size: f64) -> f64 {
    let bits = size.to_bits();
    ((bits >> 52) & 0x7ff) as f64 - 1023.0 + (bits & ((1 << 52) - 1)) as f64 / (1_u64 << 52) as f64
}

/// Workspace of [`geometric`] and of the search for parts.
#[derive(Debug, Clone, Default)]
struct Sums {
    first: Vec<usize>,
    sums: Vec<f64>,
    counts: Vec<f64>,
}

/// Powers of two r_i and c_j that make sum (log |t_ij| + log r_i + log c_j)^2 over the entries other than zero least, by rows and columns in turn.
fn geometric(
    size: usize,
    t: impl Fn(usize, usize) -> f64,
    rows: &mut Vec<f64>,
    columns: &mut Vec<f64>,
    workspace: &mut Sums,
) {
    for vector in [&mut *rows, &mut *columns, &mut workspace.sums, &mut workspace.counts] {
        vector.clear();
        vector.resize(size, 0.0);
    }
    for sweep in 0..24 {
        workspace.sums.fill(0.0);
        workspace.counts.fill(0.0);
        for j in 0..size {
            let counted = |i: usize, scales: f64| {
                let entry = t(i, j).abs();
                (entry != 0.0).then(|| log2(entry)).filter(|log| sweep < 2 || log + scales > -STRAY)
            };
            let (mut sum, mut count) = (0.0, 0.0);
            for i in 0..size {
                if let Some(log) = counted(i, rows[i] + columns[j]) {
                    sum += log + rows[i];
                    count += 1.0;
                }
            }
            columns[j] = if count > 0.0 { -sum / count } else { 0.0 };
            for i in 0..size {
                if let Some(log) = counted(i, rows[i] + columns[j]) {
                    workspace.sums[i] += log + columns[j];
                    workspace.counts[i] += 1.0;
                }
            }
        }
        let mut moved: f64 = 0.0;
        for i in 0..size {
            let row = if workspace.counts[i] > 0.0 { -workspace.sums[i] / workspace.counts[i] } else { 0.0 };
            moved = moved.max((row - rows[i]).abs());
            rows[i] = row;
        }
        // From the third sweep on round-off does not count.
        if sweep > 2 && moved < STANDING {
            break;
        }
    }
    for log in rows.iter_mut().chain(columns) {
        *log = log.round().clamp(-900.0, 900.0).exp2();
    }
}

/// Fills `s` with s_i = 1/sqrt(|M_ii|). Where the diagonal is zero (games, multipliers of friction) or round-off beside its row and
/// column, the largest entry of both takes its place; a pair without any entry keeps s_i = 1.
fn symmetric(lcp: &Lcp, s: &mut Vec<f64>) {
    let n = lcp.len();
    s.clear();
    s.resize(n, 0.0);
    for j in 0..n {
        for (i, entry) in lcp.column(j).iter().enumerate() {
            s[i] = s[i].max(entry.abs());
            s[j] = s[j].max(entry.abs());
        }
    }
    for i in 0..n {
        let diagonal = lcp.column(i)[i].abs();
        if diagonal > 0.0 && (diagonal * SPURIOUS > s[i] || genuine(lcp, i, diagonal)) {
            s[i] = diagonal;
        }
    }
    for si in s {
        *si = if *si > 0.0 { 1.0 / si.sqrt() } else { 1.0 };
    }
}

/// Whether every entry beside a small diagonal keeps to |M_ij|^2 <= `SPURIOUS`^2 M_ii M_jj, as those of semidefinite matrices do
/// with 1 in place of `SPURIOUS`^2.
fn genuine(lcp: &Lcp, i: usize, diagonal: f64) -> bool {
    (0..lcp.len()).all(|j| {
        let entry = lcp.column(j)[i].abs().max(lcp.column(i)[j].abs());
        entry * entry <= SPURIOUS * SPURIOUS * diagonal * lcp.column(j)[j].abs()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::DVector;

    fn of(n: usize, m: &[f64]) -> Vec<f64> {
        let mut s = Vec::new();
        symmetric(&Lcp::new(DMatrix::from_row_slice(n, n, m), DVector::zeros(n)).unwrap(), &mut s);
        s
    }

    #[test]
    fn diagonals_become_one() {
        assert_eq!(of(2, &[4.0, 1.0, -3.0, 1e-6]), [0.5, 1e3]);
        assert_eq!(of(2, &[4e-20, 1e-6, 1e-6, 1e10]), [5e9, 1e-5]);
    }

    #[test]
    fn round_off_and_zeros_on_the_diagonal_do_not_scale() {
        assert_eq!(of(2, &[1e-30, 4.0, 4.0, 1.0]), [0.5, 1.0]);
        assert_eq!(of(3, &[0.0, 9.0, 0.0, 4.0, 0.0, 0.0, 0.0, 0.0, 0.0]), [1.0 / 3.0, 1.0 / 3.0, 1.0]);
    }

    #[test]
    fn rows_in_other_units_get_scales_of_their_own() {
        let m = DMatrix::from_row_slice(2, 2, &[6.75e-9, 9.84e-9, 9.84e7, 2.23e8]);
        let (lcp, mut scales) = (Lcp::new(m, DVector::zeros(2)).unwrap(), Scales::default());
        scales.take(&lcp);
        for i in 0..2 {
            let row = scales.entry(&lcp, i, 0).max(scales.entry(&lcp, i, 1));
            let column = scales.entry(&lcp, 0, i).max(scales.entry(&lcp, 1, i));
            assert!((0.3..3.0).contains(&row) && (0.3..3.0).contains(&column));
        }
    }
}
