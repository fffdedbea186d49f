//! dF/dy + c dF/dy' by differences, for systems that cannot give it themselves.
//!
//! Column j is (F(t, y + d e_j, y' + c d e_j) - F(t, y, y'))/d: the combination that the corrector needs, in one difference (Brenan, Campbell,
//! Petzold: *Numerical Solution of Initial-Value Problems in Differential-Algebraic Equations*, section 5.2). Columns that share no row are
//! differenced together (Curtis, Powell, Reid, *J. Inst. Maths Applics* 13 (1974) 117).

use nalgebra_sparse::pattern::SparsityPattern;

use super::EvalError;

/// Differences with their workspace; [`Differences::evaluate`] allocates nothing.
///
/// ```
/// use fourbar_dae::Differences;
/// use nalgebra_sparse::pattern::SparsityPattern;
///
/// // F = (y0' + y0 y1, y1 - y0^2), all four entries.
/// let pattern = SparsityPattern::try_from_offsets_and_indices(2, 2, vec![0, 2, 4], vec![0, 1, 0, 1]).unwrap();
/// let mut differences = Differences::new(&pattern, &[1.0, 1.0]);
/// let mut values = [0.0; 4];
/// differences.evaluate(&pattern, &[3.0, 2.0], &[0.0, 0.0], 10.0, &mut values, |y, yp, f| {
///     f.copy_from_slice(&[yp[0] + y[0] * y[1], y[1] - y[0] * y[0]]);
///     Ok(())
/// })?;
/// for (value, exact) in values.iter().zip([12.0, -6.0, 3.0, 1.0]) {
///     assert!((value - exact).abs() < 1e-6);
/// }
/// # Ok::<(), fourbar_dae::EvalError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Differences {
    /// Columns, those that are differenced together side by side.
    columns: Vec<usize>,
    /// Where the groups end in `columns`.
    ends: Vec<usize>,
    /// Magnitude below which the increment of an unknown does not shrink any more, in its unit.
    floors: Vec<f64>,
    /// Increments d.
    increments: Vec<f64>,
    y: Vec<f64>,
    yp: Vec<f64>,
    base: Vec<f64>,
    moved: Vec<f64>,
}

impl Differences {
    /// For systems of the pattern of dF/dy + c dF/dy' (compressed by columns); `floors` holds a small but not negligible magnitude of each
    /// unknown, positive, such as a thousandth of its typical one.
    #[must_use]
    pub fn new(pattern: &SparsityPattern, floors: &[f64]) -> Self {
        let n = pattern.major_dim();
        let (columns, ends) = groups(pattern);
        let zeros = || vec![0.0; n];
        Self {
            columns,
            ends,
            floors: floors.to_vec(),
            increments: zeros(),
            y: zeros(),
            yp: zeros(),
            base: zeros(),
            moved: zeros(),
        }
    }

    /// Number of evaluations that one matrix takes.
    #[must_use]
    pub fn evaluations(&self) -> usize {
        self.ends.len() + 1
    }

    /// The columns that can be evaluated together: they share no row.
    pub fn groups(&self) -> impl Iterator<Item = &[usize]> {
        let begins = std::iter::once(&0).chain(&self.ends);
        begins.zip(&self.ends).map(|(begin, end)| &self.columns[*begin..*end])
    }

    /// Writes the matrix at (y, y') to `values`, in the order of the pattern; `residual` evaluates F at a given y and y'.
    ///
    /// # Errors
    /// Those of `residual`.
    pub fn evaluate(
        &mut self,
        pattern: &SparsityPattern,
        y: &[f64],
        yp: &[f64],
        c: f64,
        values: &mut [f64],
        mut residual: impl FnMut(&[f64], &[f64], &mut [f64]) -> Result<(), EvalError>,
    ) -> Result<(), EvalError> {
        residual(y, yp, &mut self.base)?;
        self.y.copy_from_slice(y);
        self.yp.copy_from_slice(yp);
        let mut first = 0;
        for &end in &self.ends {
            let group = &self.columns[first..end];
            first = end;
            for &j in group {
                let d = increment(y[j], yp[j], c, self.floors[j]);
                self.increments[j] = d;
                self.y[j] = y[j] + d;
                self.yp[j] = yp[j] + c * d;
            }
            residual(&self.y, &self.yp, &mut self.moved)?;
            for &j in group {
                (self.y[j], self.yp[j]) = (y[j], yp[j]);
                let offsets = pattern.major_offsets()[j]..pattern.major_offsets()[j + 1];
                for (value, &row) in values[offsets].iter_mut().zip(pattern.lane(j)) {
                    *value = (self.moved[row] - self.base[row]) / self.increments[j];
                }
            }
        }
        Ok(())
    }
}

/// Half of the digits of the largest of y, of what it moves by in a step (about y'/c), and of the floor, along the way that y takes.
fn increment(y: f64, yp: f64, c: f64, floor: f64) -> f64 {
    let way = if c > 0.0 { yp / c } else { 0.0 };
    let d = f64::EPSILON.sqrt() * y.abs().max(way.abs()).max(floor);
    // The difference that y + d really has.
    let signed = if yp < 0.0 { -d } else { d };
    (y + signed) - y
}

/// Columns in groups that share no row: each takes the first columns that still fit.
fn groups(pattern: &SparsityPattern) -> (Vec<usize>, Vec<usize>) {
    let n = pattern.major_dim();
    let mut taken = vec![usize::MAX; pattern.minor_dim()];
    let (mut columns, mut ends) = (Vec::with_capacity(n), Vec::new());
    let mut left: Vec<usize> = (0..n).collect();
    while !left.is_empty() {
        let group = ends.len();
        left.retain(|&j| {
            let fits = pattern.lane(j).iter().all(|&row| taken[row] != group);
            if fits {
                pattern.lane(j).iter().for_each(|&row| taken[row] = group);
                columns.push(j);
            }
            !fits
        });
        ends.push(columns.len());
    }
    (columns, ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tridiagonal_matrix_takes_three_groups() {
        let n = 50;
        let rows: Vec<Vec<usize>> = (0..n).map(|j: usize| (j.saturating_sub(1)..(j + 2).min(n)).collect()).collect();
        let offsets = std::iter::once(0).chain(rows.iter().scan(0, |sum, r| {
            *sum += r.len();
            Some(*sum)
        }));
        let pattern =
            SparsityPattern::try_from_offsets_and_indices(n, n, offsets.collect(), rows.concat()).expect("a pattern");
        let mut differences = Differences::new(&pattern, &vec![1e-6; n]);
        assert_eq!(differences.evaluations(), 4);
        let (y, yp): (Vec<f64>, Vec<f64>) = (0..n).map(|i| (i as f64 - 20.0, 1.0 - i as f64)).unzip();
        let mut values = vec![0.0; pattern.nnz()];
        // F_i = y_{i-1} - 2 y_i^2 + 3 y_{i+1} + y_i'
        let f = |y: &[f64], yp: &[f64], f: &mut [f64]| {
            let at = |i: usize| y.get(i).copied().unwrap_or(0.0);
            (0..n).for_each(|i| f[i] = at(i.wrapping_sub(1)) - 2.0 * y[i] * y[i] + 3.0 * at(i + 1) + yp[i]);
            Ok(())
        };
        differences.evaluate(&pattern, &y, &yp, 7.0, &mut values, f).expect("values");
        for ((row, column), value) in pattern_entries(&pattern).zip(&values) {
            let exact = match row as isize - column as isize {
                0 => 7.0 - 4.0 * y[column],
                1 => 1.0,
                _ => 3.0,
            };
            assert!((value - exact).abs() < 1e-4 * (1.0 + exact.abs()), "({row}, {column}): {value} {exact}");
        }
    }

    fn pattern_entries(pattern: &SparsityPattern) -> impl Iterator<Item = (usize, usize)> {
        (0..pattern.major_dim()).flat_map(|j| pattern.lane(j).iter().map(move |&row| (row, j)))
    }

    #[test]
    fn increments_are_exact_and_never_zero() {
        for (y, yp, c) in [(0.0, 0.0, 1e3), (1e-30, 0.0, 0.0), (1e10, -3.0, 1e-3), (-2.5, 1e8, 10.0)] {
            let d = increment(y, yp, c, 1e-9);
            assert!(d != 0.0 && (y + d) - y == d, "y = {y}: {d}");
        }
    }
}
