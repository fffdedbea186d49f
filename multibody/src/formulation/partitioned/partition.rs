//! Which coordinates depend on the others, and the linear system that gives them.

use super::spread::Spread;
use super::tangent::Tangent;
use fourbar_linalg::{
    Calahan, CalahanOptions, CsrMatrix, Error as LinearError, Harwell, Partition as Selection, Refactored,
    SparsityPattern,
};

/// What elimination leaves below this of the largest entry of a row is zero: far above round-off, far below what a model means to say.
const RANK_TOLERANCE: f64 = 1e-9;
/// How much further a translation counts than a turn that moves the joint as far. The row of a joint whose points coincide has the same entry for
/// the translation at any position, that for the turn may vanish as the body turns: of both, the translation shall depend.
const TRANSLATION: f64 = 2.0;

/// The dependent columns of a Jacobian [G_d G_i]: G_d is square and regular.
#[derive(Debug, Clone)]
pub(super) struct Partition {
    /// Independent rows, ascending.
    pub(super) rows: Vec<usize>,
    /// Dependent columns, ascending.
    columns: Vec<usize>,
    /// Place of each value of G_d among those of the Jacobian.
    sources: Vec<usize>,
    values: Vec<f64>,
    /// None without rows.
    lu: Option<Calahan>,
    rhs: Vec<f64>,
    solution: Vec<f64>,
    /// Where degrees of freedom are few, the way on which constraints are closed, and the last change of all columns.
    pub(super) tangent: Option<Tangent>,
    change: Vec<f64>,
    /// Largest dependent change at the point where the columns were chosen, see [`Partition::growth`].
    chosen_growth: f64,
    /// Largest entry of G_d^-1 applied to a vector of plus and minus one there.
    chosen_inverse: f64,
    /// Smallest pivot relative to the largest at that point, and its row.
    pub(super) weakest: (f64, usize),
    /// Whether pivots were chosen afresh since.
    pub(super) stale: bool,
    /// How corrections of these rows move the dependent columns, where the importer of a unit solves for them.
    pub(super) spread: Spread,
}

impl Partition {
    /// Chooses dependent columns among those of `jacobian`, each measured in its `unit`; rows that depend on others are left out.
    /// `held` tells which rows take part.
    pub(super) fn choose(
        jacobian: &CsrMatrix<f64>,
        values: &[f64],
        held: &[usize],
        unit: impl Fn(usize) -> f64,
    ) -> Result<Self, LinearError> {
        let Selection { rows, columns, weakest } =
            Harwell::partition(&scaled(jacobian, values, held, &unit), RANK_TOLERANCE)?;
        let rows: Vec<usize> = rows.into_iter().map(|row| held[row]).collect();
        let weakest = (weakest.0, held.get(weakest.1).copied().unwrap_or(0));
        let (pattern, sources) = square(jacobian, &rows, &columns);
        let gathered: Vec<f64> = sources.iter().map(|&k| values[k]).collect();
        let n = rows.len();
        let lu = match n {
            0 => None,
            _ => Some(Calahan::new(&pattern, &gathered, &CalahanOptions::default())?),
        };
        let (rhs, solution) = (vec![0.0; n], vec![0.0; n]);
        let tangent = Tangent::new(jacobian, |column| columns.binary_search(&column).is_ok(), &unit);
        let change = vec![0.0; if tangent.is_some() { jacobian.ncols() } else { 0 }];
        let spread = Spread::new((&rows, &columns), &pattern, jacobian, tangent.is_some(), &unit);
        Ok(Self {
            rows,
            columns,
            sources,
            values: gathered,
            lu,
            rhs,
            solution,
            tangent,
            change,
            chosen_growth: 0.0,
            chosen_inverse: 0.0,
            weakest,
            stale: false,
            spread,
        })
    }

    /// Factors G_d at new values of the Jacobian.
    pub(super) fn factor(&mut self, values: &[f64]) -> Result<(), LinearError> {
        for (value, &k) in self.values.iter_mut().zip(&self.sources) {
            *value = values[k];
        }
        if let Some(lu) = &mut self.lu {
            self.stale |= matches!(lu.refactor(&self.values)?, Refactored::FreshPivots(_));
        }
        Ok(())
    }

    /// Solves G_d x = -defects for the [`Partition::changes`]; `defects` are of all rows. Fresh pivots are chosen where the solution is not good.
    pub(super) fn solve(&mut self, defects: &[f64]) -> Result<(), LinearError> {
        for (rhs, &row) in self.rhs.iter_mut().zip(&self.rows) {
            *rhs = -defects[row];
        }
        self.solve_checked()
    }

    /// The same, without a test: the caller sees by the rows whether the solution is good.
    pub(super) fn solve_untested(&mut self, defects: &[f64]) {
        for (x, &row) in self.solution.iter_mut().zip(&self.rows) {
            *x = -defects[row];
        }
        if let Some(lu) = &mut self.lu {
            lu.solve(&mut self.solution);
        }
    }

    /// The dependent columns and what each changes by, the others at rest.
    pub(super) fn solved(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.columns.iter().copied().zip(self.solution.iter().copied())
    }

    /// Finds how the constraints let the bodies move at the `values` that were factored last. Returns whether these motions are far from those that
    /// are held.
    pub(super) fn find_motions(&mut self, values: &[f64]) -> bool {
        let Some(mut tangent) = self.tangent.take() else { return false };
        tangent.find_motions(values, self);
        let regular = tangent.factor();
        self.tangent = Some(tangent);
        !regular
    }

    /// Takes the coordinates along the motions at the `values` that were factored last for the independent ones.
    pub(super) fn hold(&mut self, values: &[f64]) {
        let Some(mut tangent) = self.tangent.take() else { return };
        tangent.find_motions(values, self);
        tangent.hold();
        self.tangent = Some(tangent);
        self.spread.hold(values, &self.values);
    }

    /// Finds the [`Partition::changes`] that take `defects` of all rows away, the solution `tested` or not.
    pub(super) fn correct(&mut self, defects: &[f64], tested: bool) -> Result<(), LinearError> {
        if tested {
            self.solve(defects)?;
        } else {
            self.solve_untested(defects);
        }
        if let Some(tangent) = &mut self.tangent {
            self.change.fill(0.0);
            self.columns.iter().zip(&self.solution).for_each(|(&column, d)| self.change[column] = *d);
            tangent.straighten(&mut self.change);
        }
        Ok(())
    }

    /// The columns that change and what each changes by.
    pub(super) fn changes(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let dependent = if self.tangent.is_some() { 0 } else { self.columns.len() };
        let solved = self.columns.iter().copied().zip(self.solution.iter().copied());
        self.change.iter().copied().enumerate().chain(solved.take(dependent))
    }

    /// Solves G_d^T lambda = `forces` of the dependent columns, untested; `forces` are of all columns, lambda of all rows.
    pub(super) fn solve_transposed(&mut self, forces: &[f64], lambda: &mut [f64]) {
        for (x, &column) in self.solution.iter_mut().zip(&self.columns) {
            *x = forces[column];
        }
        if let Some(lu) = &mut self.lu {
            lu.solve_transposed(&mut self.solution);
        }
        for (x, &row) in self.solution.iter().zip(&self.rows) {
            lambda[row] = *x;
        }
    }

    /// The largest of the defects of its rows, or NaN; `defects` are of all rows.
    pub(super) fn largest_defect(&self, defects: &[f64]) -> f64 {
        self.rows.iter().map(|&row| defects[row].abs()).fold(0.0, greatest)
    }

    fn solve_checked(&mut self) -> Result<(), LinearError> {
        if let Some(lu) = &mut self.lu {
            self.stale |= lu.solve_checked(&self.values, &self.rhs, &mut self.solution)?.fresh_pivoting;
        }
        Ok(())
    }

    /// How much the partition has worsened since it was chosen (1 in the call that follows the choice): the larger of two ratios. One tells
    /// how far the dependent coordinates move when the independent ones move by their units, the other how far they move when the
    /// constraints do. To be called after [`Partition::factor`].
    pub(super) fn wear(
        &mut self,
        jacobian: &CsrMatrix<f64>,
        values: &[f64],
        unit: impl Fn(usize) -> f64,
    ) -> Result<f64, LinearError> {
        for (rhs, &row) in self.rhs.iter_mut().zip(&self.rows) {
            let range = jacobian.row_offsets()[row]..jacobian.row_offsets()[row + 1];
            let entries = jacobian.col_indices()[range.clone()].iter().zip(&values[range]);
            let independent = entries.filter(|(c, _)| self.columns.binary_search(c).is_err());
            *rhs = independent.map(|(&c, v)| v * sign(c) * unit(c)).sum();
        }
        let growth = self.largest_change(&unit)?.max(1.0);
        for (rhs, &row) in self.rhs.iter_mut().zip(&self.rows) {
            *rhs = sign(row);
        }
        let inverse = self.largest_change(&unit)?.max(f64::MIN_POSITIVE);
        if self.chosen_growth == 0.0 {
            (self.chosen_growth, self.chosen_inverse) = (growth, inverse);
        }
        Ok((growth / self.chosen_growth).max(inverse / self.chosen_inverse))
    }

    /// Largest entry of G_d^-1 rhs, in units.
    fn largest_change(&mut self, unit: &impl Fn(usize) -> f64) -> Result<f64, LinearError> {
        self.solve_checked()?;
        let changes = self.solution.iter().zip(&self.columns).map(|(x, &c)| (x / unit(c)).abs());
        Ok(changes.fold(0.0, f64::max))
    }
}

/// The larger of two numbers, or NaN.
pub(super) fn greatest(a: f64, b: f64) -> f64 {
    if a > b || a.is_nan() { a } else { b }
}

/// Signs without a pattern, the same each time: the parity of the bits of a multiple.
fn sign(k: usize) -> f64 {
    if (k.wrapping_mul(0x9E37_79B9) >> 7).count_ones().is_multiple_of(2) { 1.0 } else { -1.0 }
}

/// The rows `held`, columns in their units, the largest entry of each row one.
fn scaled(jacobian: &CsrMatrix<f64>, values: &[f64], held: &[usize], unit: impl Fn(usize) -> f64) -> CsrMatrix<f64> {
    let (mut offsets, mut columns, mut entries) = (vec![0], Vec::new(), Vec::new());
    for &row in held {
        let range = jacobian.row_offsets()[row]..jacobian.row_offsets()[row + 1];
        let first = entries.len();
        for (&column, value) in jacobian.col_indices()[range.clone()].iter().zip(&values[range]) {
            columns.push(column);
            entries.push(value * unit(column) * if column % 6 < 3 { TRANSLATION } else { 1.0 });
        }
        let largest = entries[first..].iter().fold(f64::MIN_POSITIVE, |max, v: &f64| v.abs().max(max));
        entries[first..].iter_mut().for_each(|v| *v /= largest);
        offsets.push(columns.len());
    }
    CsrMatrix::try_from_csr_data(held.len(), jacobian.ncols(), offsets, columns, entries)
        .expect("rows of a valid matrix")
}

/// Pattern (by columns) of the given rows and columns, and the place of each entry among those of the Jacobian.
fn square(jacobian: &CsrMatrix<f64>, rows: &[usize], columns: &[usize]) -> (SparsityPattern, Vec<usize>) {
    let mut entries = Vec::new();
    for (r, &row) in rows.iter().enumerate() {
        let range = jacobian.row_offsets()[row]..jacobian.row_offsets()[row + 1];
        for k in range {
            if let Ok(c) = columns.binary_search(&jacobian.col_indices()[k]) {
                entries.push((c, r, k));
            }
        }
    }
    entries.sort_unstable();
    let mut offsets = vec![0; columns.len() + 1];
    for &(c, _, _) in &entries {
        offsets[c + 1] += 1;
    }
    for c in 0..columns.len() {
        offsets[c + 1] += offsets[c];
    }
    let indices = entries.iter().map(|e| e.1).collect();
    let pattern = SparsityPattern::try_from_offsets_and_indices(columns.len(), columns.len(), offsets, indices)
        .expect("entries are sorted and distinct");
    (pattern, entries.iter().map(|e| e.2).collect())
}
