//! `Harwell`: LU with Markowitz threshold pivoting on the values at hand, and the rank of constraint Jacobians.
//!
//! Named after the Harwell subroutines (MA28) that Adams offers beside Calahan. A row of a constraint Jacobian that
//! vanishes during the elimination is a combination of the pivot rows: its constraint is redundant, and it agrees with the others or not.

use crate::{
    CscMatrix, CsrMatrix,
    error::{Error, check_finite, check_length},
    markowitz::{self, Elimination, Entry, Rule},
    scaling::{Scaling, check_matrix},
};

/// How the rank of a matrix is decided.
#[derive(Debug, Clone, PartialEq)]
pub struct RankOptions {
    /// An entry that elimination leaves at or below this is zero; relative to the largest entry of the equilibrated row, in [0, 1); 1e-9.
    pub tolerance: f64,
}

impl Default for RankOptions {
    fn default() -> Self {
        Self { tolerance: 1e-9 }
    }
}

/// A row that is a combination of independent rows.
#[derive(Debug, Clone, PartialEq)]
pub struct DependentRow {
    /// Its index.
    pub row: usize,
    /// (independent row, factor): the row is the sum of factor times independent row. Empty for a zero row.
    pub combination: Vec<(usize, f64)>,
}

/// A dependent row whose right-hand side contradicts those of the rows it depends on.
#[derive(Debug, Clone, PartialEq)]
pub struct Conflict {
    /// The dependent row.
    pub row: usize,
    /// Its right-hand side minus the combination of the independent ones, in the unit of the right-hand side.
    pub defect: f64,
}

/// Rank of an m x n matrix, and where it is.
#[derive(Debug, Clone, PartialEq)]
pub struct RankReport {
    /// Number of independent rows.
    pub rank: usize,
    /// Independent rows, ascending.
    pub independent_rows: Vec<usize>,
    /// Column of the pivot of each independent row, in the same order: these columns of these rows are a regular matrix.
    pub pivot_columns: Vec<usize>,
    /// The other rows, ascending.
    pub dependent: Vec<DependentRow>,
    rows: usize,
}

impl RankReport {
    /// Dependent rows whose right-hand side (m entries) differs from the combination of the independent ones by more
    /// than `tolerance`, in the unit of the right-hand side.
    ///
    /// # Errors
    /// A right-hand side of the wrong length or not finite.
    pub fn conflicts(&self, rhs: &[f64], tolerance: f64) -> Result<Vec<Conflict>, Error> {
        check_length("rhs", rhs.len(), self.rows)?;
        check_finite("right-hand side", rhs)?;
        let defect = |d: &DependentRow| rhs[d.row] - d.combination.iter().map(|&(i, c)| c * rhs[i]).sum::<f64>();
        Ok(self
            .dependent
            .iter()
            .map(|d| Conflict { row: d.row, defect: defect(d) })
            .filter(|c| !(c.defect.abs() <= tolerance))
            .collect())
    }
}

/// Sparse elimination with its own numerics; see [`Harwell::rank`] and [`Harwell::factor`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Harwell;

impl Harwell {
    /// Rank of an m x n matrix of any shape, its independent rows and how the others depend on them.
    ///
    /// # Errors
    /// Entries that are not finite, a tolerance out of range.
    pub fn rank(matrix: &CsrMatrix<f64>, options: &RankOptions) -> Result<RankReport, Error> {
        if !(0.0..1.0).contains(&options.tolerance) {
            return Err(Error::Option { name: "tolerance", value: options.tolerance, range: "[0, 1)" });
        }
        let entries = || matrix.triplet_iter().map(|(i, j, &value)| (i, j, value));
        check_matrix("matrix", entries())?;
        let scaling = Scaling::new(matrix.nrows(), matrix.ncols(), entries());
        let lines = scaled_rows(matrix, &scaling);
        let rule = Rule { threshold: 0.1, search: 4, drop: Some(options.tolerance) };
        let elimination = markowitz::eliminate(lines, matrix.ncols(), rule);
        Ok(report(&elimination, &scaling, matrix.nrows()))
    }

    /// LU factors of a square matrix, pivots chosen for its values.
    ///
    /// # Errors
    /// A matrix that is not square, not finite or singular.
    pub fn factor(matrix: &CscMatrix<f64>) -> Result<HarwellFactors, Error> {
        let matrix = CsrMatrix::from(matrix);
        let n = matrix.nrows();
        if n != matrix.ncols() {
            return Err(Error::NotSquare { rows: n, columns: matrix.ncols() });
        }
        let entries = || matrix.triplet_iter().map(|(i, j, &value)| (i, j, value));
        check_matrix("matrix", entries())?;
        let scaling = Scaling::new(n, n, entries());
        let rule = Rule { threshold: 0.1, search: 4, drop: Some(0.0) };
        let elimination = markowitz::eliminate(scaled_rows(&matrix, &scaling), n, rule);
        if elimination.pivots.len() < n {
            return Err(elimination.singular(n));
        }
        Ok(HarwellFactors { elimination, scaling })
    }
}

fn scaled_rows(matrix: &CsrMatrix<f64>, scaling: &Scaling) -> Vec<Vec<Entry>> {
    let line = |(i, row): (usize, nalgebra_sparse::csr::CsrRow<'_, f64>)| {
        row.col_indices().iter().zip(row.values()).map(|(&j, &v)| (j as u32, scaling.apply(i, j, v))).collect()
    };
    matrix.row_iter().enumerate().map(line).collect()
}

/// LU factors of a square matrix.
#[derive(Debug)]
pub struct HarwellFactors {
    elimination: Elimination,
    scaling: Scaling,
}

impl HarwellFactors {
    /// Solves A x = b in place.
    ///
    /// # Errors
    /// A right-hand side of the wrong length or not finite.
    pub fn solve(&self, b: &mut [f64]) -> Result<(), Error> {
        use crate::scaling::scale;
        let e = &self.elimination;
        check_length("b", b.len(), e.pivots.len())?;
        check_finite("right-hand side", b)?;
        let mut y = vec![0.0; b.len()];
        for (k, &(i, _)) in e.pivots.iter().enumerate() {
            let start = scale(b[i as usize], self.scaling.row_power(i as usize));
            y[k] = e.lower[i as usize].iter().fold(start, |sum, &(k, l)| sum - l * y[k as usize]);
        }
        for (k, &(i, j)) in e.pivots.iter().enumerate().rev() {
            let sum = e.upper[i as usize].iter().fold(y[k], |sum, &(j, u)| sum - u * b[j as usize]);
            b[j as usize] = sum / e.values[k];
        }
        for (j, x) in b.iter_mut().enumerate() {
            *x = scale(*x, self.scaling.column_power(j));
        }
        Ok(())
    }
}

/// Sorts the rows into independent and dependent ones.
fn report(elimination: &Elimination, scaling: &Scaling, m: usize) -> RankReport {
    let mut independent: Vec<(usize, usize)> =
        elimination.pivots.iter().map(|&(i, j)| (i as usize, j as usize)).collect();
    independent.sort_unstable();
    let mut is_pivot = vec![false; m];
    for &(i, _) in &independent {
        is_pivot[i] = true;
    }
    let mut work = vec![0.0; independent.len()];
    let dependent = (0..m)
        .filter(|&i| !is_pivot[i])
        .map(|row| DependentRow { row, combination: combination(elimination, scaling, row, &mut work) })
        .collect();
    RankReport {
        rank: independent.len(),
        independent_rows: independent.iter().map(|p| p.0).collect(),
        pivot_columns: independent.iter().map(|p| p.1).collect(),
        dependent,
        rows: m,
    }
}

/// The factors c with a_d = sum_k c_k a_k: from a_d = sum_k l_dk u_k and u_k = a_k - sum_j l_kj u_j by back substitution.
fn combination(elimination: &Elimination, scaling: &Scaling, row: usize, work: &mut [f64]) -> Vec<(usize, f64)> {
    let lower = &elimination.lower;
    for &(k, l) in &lower[row] {
        work[k as usize] = l;
    }
    let top = lower[row].last().map_or(0, |e| e.0 as usize + 1);
    let mut factors = Vec::new();
    for k in (0..top).rev() {
        let c = std::mem::take(&mut work[k]);
        if c != 0.0 {
            let i = elimination.pivots[k].0 as usize;
            for &(j, l) in &lower[i] {
                work[j as usize] -= c * l;
            }
            let power = scaling.row_power(i) - scaling.row_power(row);
            factors.push((i, crate::scaling::scale(c, power)));
        }
    }
    factors.sort_unstable_by_key(|f| f.0);
    factors
}
