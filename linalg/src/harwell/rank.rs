//! Rank of a constraint Jacobian: independent rows, dependent rows, and whether these agree with those.
//!
//! A row that vanishes during the elimination is a combination of the pivot rows: its constraint is redundant. Whether it also
//! contradicts them is a question to the right-hand side, [`RankReport::conflicts`].

use std::collections::BinaryHeap;

use super::factors::{Harwell, SEARCH, THRESHOLD};
use crate::{
    error::{Error, check_finite, check_length},
    markowitz::{self, Entry, Rule, Stability},
    scaling::{Scaling, check_matrix, scale},
};
use nalgebra_sparse::CsrMatrix;

/// An entry this much smaller than the largest of its row is the round-off of a zero, such as cos(pi/2) = 6e-17. No units are so far
/// apart within one equation; kept, such entries would be scaled up wherever they have a column to themselves.
const ROUND_OFF: f64 = 4.0 * f64::EPSILON;

/// What elimination leaves of a zero, in the equilibrated matrix: eps times the growth of some hundred pivots. Entries between this and the tolerance stay:
/// left out one by one, they would make rows independent that as a whole are not.
const ELIMINATED: f64 = 1e-12;

/// How the rank of a matrix is decided.
#[derive(Debug, Clone, PartialEq)]
pub struct RankOptions {
    /// What elimination leaves of an entry is zero at or below this, relative to the largest entry of its row in the equilibrated
    /// matrix, in [0, 1). Default 1e-9: far above round-off, far below what a model means to say.
    pub tolerance: f64,
    /// Whether rows and columns are in any units, which equilibration takes out first. Default true. Where all columns are in one unit already,
    /// equilibration only hides which entries are small: then the largest entry of each row alone is made one.
    pub equilibrate: bool,
}

impl Default for RankOptions {
    fn default() -> Self {
        Self { tolerance: 1e-9, equilibrate: true }
    }
}

/// A row that is a combination of independent rows.
#[derive(Debug, Clone, PartialEq)]
pub struct DependentRow {
    /// Its index.
    pub row: usize,
    /// (independent row, factor), ascending: the row is the sum of factor times independent row. Empty for a zero row.
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
    /// Column of the pivot of each independent row, in the same order: these rows and columns are a regular matrix.
    pub pivot_columns: Vec<usize>,
    /// The other rows, ascending.
    pub dependent: Vec<DependentRow>,
}

impl RankReport {
    /// Dependent rows whose right-hand side (m entries) differs from the combination of the independent ones by more
    /// than `tolerance`, in the unit of the right-hand side.
    ///
    /// # Errors
    /// A right-hand side of the wrong length or not finite.
    pub fn conflicts(&self, rhs: &[f64], tolerance: f64) -> Result<Vec<Conflict>, Error> {
        check_length("rhs", rhs.len(), self.rank + self.dependent.len())?;
        check_finite("right-hand side", rhs)?;
        let defect = |d: &DependentRow| rhs[d.row] - d.combination.iter().map(|&(i, c)| c * rhs[i]).sum::<f64>();
        let all = self.dependent.iter().map(|d| Conflict { row: d.row, defect: defect(d) });
        Ok(all.filter(|c| !(c.defect.abs() <= tolerance)).collect())
    }
}

/// An elimination of rows by rows: pivots (row, column) and for each row its multipliers (pivot number, l), ascending.
struct Rows {
    pivots: Vec<(usize, usize)>,
    multipliers: Vec<Vec<Entry>>,
    scaling: Scaling,
}

impl Harwell {
    /// Rank of an m x n matrix of any shape, its independent rows and how the others depend on them.
    ///
    /// # Errors
    /// Entries that are not finite, a tolerance out of range; [`Error::Interrupted`].
    pub fn rank(matrix: &CsrMatrix<f64>, options: &RankOptions) -> Result<RankReport, Error> {
        if !(0.0..1.0).contains(&options.tolerance) {
            return Err(Error::Option { name: "tolerance", value: options.tolerance, range: "[0, 1)" });
        }
        check_matrix("matrix", matrix.triplet_iter().map(|(i, j, &value)| (i, j, value)))?;
        let matrix = &without_round_off(matrix);
        let entries = matrix.triplet_iter().map(|(i, j, &value)| (i, j, value));
        let scaling = match options.equilibrate {
            true => Scaling::new(matrix.nrows(), matrix.ncols(), entries),
            false => Scaling::of_rows(matrix.nrows(), matrix.ncols(), entries),
        };
        Ok(Rows::eliminate(matrix, scaling, options.tolerance)?.report())
    }
}

/// The matrix without the entries that are round-off beside others of their row.
fn without_round_off(matrix: &CsrMatrix<f64>) -> CsrMatrix<f64> {
    let largest: Vec<f64> =
        matrix.row_iter().map(|row| row.values().iter().fold(0.0, |max, v| v.abs().max(max))).collect();
    matrix.filter(|i, _, value| value.abs() > ROUND_OFF * largest[i])
}

impl Rows {
    /// Eliminates the transposed matrix: its pivots are large in their rows, that is in the columns of the matrix, so that
    /// multipliers of rows, and with them round-off in rows, stay bounded by 1/u.
    fn eliminate(matrix: &CsrMatrix<f64>, scaling: Scaling, tolerance: f64) -> Result<Self, Error> {
        let (m, n) = (matrix.nrows(), matrix.ncols());
        let mut count = vec![0; n];
        matrix.col_indices().iter().for_each(|&j| count[j] += 1);
        let mut lines: Vec<Vec<Entry>> = count.into_iter().map(Vec::with_capacity).collect();
        for (i, j, &value) in matrix.triplet_iter() {
            lines[j].push((i as u32, scaling.apply(i, j, value)));
        }
        let rule = Rule {
            threshold: THRESHOLD,
            stability: Stability::Row,
            search: SEARCH,
            drop: Some(ELIMINATED.min(tolerance)),
            least: tolerance,
        };
        let elimination = markowitz::eliminate(lines, m, rule)?;
        let mut multipliers = vec![Vec::new(); m];
        for (k, &(column, _)) in elimination.pivots.iter().enumerate() {
            for &(row, u) in &elimination.upper[column as usize] {
                multipliers[row as usize].push((k as u32, u / elimination.values[k]));
            }
        }
        let pivots = elimination.pivots.iter().map(|&(column, row)| (row as usize, column as usize)).collect();
        Ok(Self { pivots, multipliers, scaling })
    }

    /// Sorts the rows into independent and dependent ones.
    fn report(&self) -> RankReport {
        let mut independent = self.pivots.clone();
        independent.sort_unstable();
        let mut is_pivot = vec![false; self.multipliers.len()];
        for &(i, _) in &independent {
            is_pivot[i] = true;
        }
        let mut work = Work { factor: vec![0.0; independent.len()], open: BinaryHeap::new() };
        let dependent = (0..is_pivot.len()).filter(|&i| !is_pivot[i]);
        let dependent =
            dependent.map(|row| DependentRow { row, combination: self.combination(row, &mut work) }).collect();
        let (independent_rows, pivot_columns) = independent.into_iter().unzip();
        RankReport { rank: self.pivots.len(), independent_rows, pivot_columns, dependent }
    }

    /// The factors c with a_d = sum_k c_k a_k: from a_d = sum_k l_dk u_k and u_k = a_k - sum_j l_kj u_j by back substitution, over the
    /// pivots that take part alone: one of many loops has nothing to do with the others.
    fn combination(&self, row: usize, work: &mut Work) -> Vec<(usize, f64)> {
        for &(k, l) in &self.multipliers[row] {
            work.add(k, l);
        }
        let mut factors = Vec::new();
        while let Some(k) = work.open.pop() {
            // A pivot that was met twice is zero the second time.
            let c = std::mem::take(&mut work.factor[k as usize]);
            if c != 0.0 {
                let i = self.pivots[k as usize].0;
                for &(j, l) in &self.multipliers[i] {
                    work.add(j, -c * l);
                }
                factors.push((i, scale(c, self.scaling.row_power(i) - self.scaling.row_power(row))));
            }
        }
        factors.sort_unstable_by_key(|f| f.0);
        factors
    }
}

/// A combination in the making. Empty before and after.
struct Work {
    /// Of each pivot.
    factor: Vec<f64>,
    /// Pivots whose factor is not zero, the last first.
    open: BinaryHeap<u32>,
}

impl Work {
    fn add(&mut self, k: u32, value: f64) {
        let factor = &mut self.factor[k as usize];
        if *factor == 0.0 {
            self.open.push(k);
        }
        *factor += value;
    }
}
