//! Which coordinates depend on the others, and the linear system that gives them.

use fourbar_linalg::{
    Calahan, CalahanOptions, CsrMatrix, Error as LinearError, Harwell, RankOptions, Refactored, SparsityPattern,
};

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
    /// Largest dependent change at the point where the columns were chosen, see [`Partition::growth`].
    chosen_growth: f64,
    /// Whether pivots were chosen afresh since.
    pub(super) stale: bool,
}

impl Partition {
    /// Chooses dependent columns among those of `jacobian` by elimination with pivots large in rows and columns; rows that depend on
    /// others are left out. `held` tells which rows take part.
    pub(super) fn choose(jacobian: &CsrMatrix<f64>, values: &[f64], held: &[usize]) -> Result<Self, LinearError> {
        let (mut offsets, mut columns, mut chosen) = (vec![0], Vec::new(), Vec::new());
        for &row in held {
            let range = jacobian.row_offsets()[row]..jacobian.row_offsets()[row + 1];
            columns.extend_from_slice(&jacobian.col_indices()[range.clone()]);
            chosen.extend_from_slice(&values[range]);
            offsets.push(columns.len());
        }
        let part = SparsityPattern::try_from_offsets_and_indices(held.len(), jacobian.ncols(), offsets, columns)
            .expect("rows of a pattern");
        let part = CsrMatrix::try_from_pattern_and_values(part, chosen).expect("one value an entry");
        let report = Harwell::rank(&part, &RankOptions::default())?;
        let rows: Vec<usize> = report.independent_rows.iter().map(|&r| held[r]).collect();
        let mut columns = report.pivot_columns;
        columns.sort_unstable();
        let (pattern, sources) = square(jacobian, &rows, &columns);
        let gathered: Vec<f64> = sources.iter().map(|&k| values[k]).collect();
        let n = rows.len();
        let lu = match n {
            0 => None,
            _ => Some(Calahan::new(&pattern, &gathered, &CalahanOptions::default())?),
        };
        let (rhs, solution) = (vec![0.0; n], vec![0.0; n]);
        Ok(Self { rows, columns, sources, values: gathered, lu, rhs, solution, chosen_growth: 0.0, stale: false })
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

    /// Solves G_d x = -defects; `defects` are of all rows. Gives the dependent columns and what each changes by.
    pub(super) fn solve(&mut self, defects: &[f64]) -> Result<impl Iterator<Item = (usize, f64)> + '_, LinearError> {
        for (rhs, &row) in self.rhs.iter_mut().zip(&self.rows) {
            *rhs = -defects[row];
        }
        self.solve_checked()?;
        Ok(self.columns.iter().copied().zip(self.solution.iter().copied()))
    }

    fn solve_checked(&mut self) -> Result<(), LinearError> {
        if let Some(lu) = &mut self.lu {
            self.stale |= lu.solve_checked(&self.values, &self.rhs, &mut self.solution)?.fresh_pivoting;
        }
        Ok(())
    }

    /// How far the dependent coordinates move when the independent ones move by plus or minus `unit`, in their units, relative to the
    /// same at the point where the columns were chosen, but at least 1 there. To be called after [`Partition::factor`].
    pub(super) fn growth(
        &mut self,
        jacobian: &CsrMatrix<f64>,
        values: &[f64],
        unit: impl Fn(usize) -> f64,
    ) -> Result<f64, LinearError> {
        for (rhs, &row) in self.rhs.iter_mut().zip(&self.rows) {
            let range = jacobian.row_offsets()[row]..jacobian.row_offsets()[row + 1];
            let entries = jacobian.col_indices()[range.clone()].iter().zip(&values[range]);
            let independent = entries.filter(|(c, _)| self.columns.binary_search(c).is_err());
            // Signs without a pattern, the same each time: the parity of the bits of a multiple.
            let sign = |c: usize| if (c.wrapping_mul(0x9E37_79B9) >> 7).count_ones() % 2 == 0 { 1.0 } else { -1.0 };
            *rhs = independent.map(|(&c, v)| v * sign(c) * unit(c)).sum();
        }
        self.solve_checked()?;
        let moves = self.solution.iter().zip(&self.columns).map(|(x, &c)| (x / unit(c)).abs());
        let growth = moves.fold(0.0, f64::max);
        if self.chosen_growth == 0.0 {
            self.chosen_growth = growth.max(1.0);
        }
        Ok(growth / self.chosen_growth)
    }
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
