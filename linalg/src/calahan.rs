//! `Calahan`: sparse LU of matrices with one pattern, the order of elimination chosen once and replayed as a flat stream.
//!
//! After D. A. Calahan's code-generating sparse solver, the default of Adams. A frozen pivot order can age: each
//! refactorization tests its pivots, [`Calahan::solve_checked`] tests the solution, and both fall back to fresh pivoting.

use crate::{
    SparsityPattern,
    error::{Error, check_length},
    fill::RowView,
    ordering::{Ordering, Problem},
    scaling::{Scaling, check_matrix},
    stream::{Flow, Stream},
};

/// How [`Calahan`] chooses and trusts its pivots.
#[derive(Debug, Clone, PartialEq)]
pub struct CalahanOptions {
    /// Smallest admissible pivot relative to the largest entry of its line in the equilibrated matrix, in (0, 1].
    /// Larger is stabler and costs more fill; 0.1.
    pub pivot_tolerance: f64,
    /// A refactorization asks for fresh pivots when a pivot falls below this fraction of its line's largest entry at the
    /// time the pivots were chosen, in [0, 1); 1e-4.
    pub pivot_floor: f64,
    /// Backward error above which [`Calahan::solve_checked`] refines the solution once; 1e-10.
    pub refine_above: f64,
    /// Backward error above which, after refinement, it pivots afresh; 1e-6.
    pub repivot_above: f64,
}

impl Default for CalahanOptions {
    fn default() -> Self {
        Self { pivot_tolerance: 0.1, pivot_floor: 1e-4, refine_above: 1e-10, repivot_above: 1e-6 }
    }
}

/// What a [`Calahan`] object has done so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CalahanStatistics {
    /// Factorizations along the stream, fallbacks not counted.
    pub refactorizations: usize,
    /// Fresh pivotings because a pivot became small.
    pub repivoted_for_pivot: usize,
    /// Fresh pivotings because the residual of a solution was too large.
    pub repivoted_for_residual: usize,
    /// Refinement steps.
    pub refinements: usize,
    /// Origin of the pivot sequence in use.
    pub ordering: Ordering,
}

/// Why pivots were chosen afresh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum RepivotCause {
    /// A pivot became small.
    SmallPivot,
    /// The stream overflowed although the values are finite.
    Overflow,
}

/// How a refactorization went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Refactored {
    /// Along the stream, with the pivots in place.
    Stream,
    /// With pivots chosen afresh for these values.
    FreshPivots(RepivotCause),
}

/// How a checked solution came about.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Solved {
    /// Backward error of the solution returned.
    pub backward_error: f64,
    /// Whether a step of iterative refinement was taken.
    pub refined: bool,
    /// Whether pivots were chosen afresh.
    pub fresh_pivoting: bool,
}

/// LU factors of an n x n matrix with a fixed compressed-column pattern.
#[derive(Debug, Clone)]
pub struct Calahan {
    pattern: SparsityPattern,
    rows: RowView,
    options: CalahanOptions,
    stream: Stream,
    statistics: CalahanStatistics,
    residual: Vec<f64>,
    magnitude: Vec<f64>,
}

impl Calahan {
    /// Chooses the order of elimination for a pattern (major = column) and typical values, and factors them.
    ///
    /// # Errors
    /// A pattern that is not square, values of the wrong number or not finite, a singular matrix, options out of range.
    pub fn new(pattern: &SparsityPattern, values: &[f64], options: &CalahanOptions) -> Result<Self, Error> {
        let (rows, columns) = (pattern.minor_dim(), pattern.major_dim());
        if rows != columns {
            return Err(Error::NotSquare { rows, columns });
        }
        check_length("values", values.len(), pattern.nnz())?;
        let view = RowView::new(pattern)?;
        let (stream, ordering) = pivot(pattern, &view, values, options)?;
        Ok(Self {
            pattern: pattern.clone(),
            rows: view,
            options: options.clone(),
            stream,
            statistics: CalahanStatistics { ordering, ..Default::default() },
            residual: vec![0.0; rows],
            magnitude: vec![0.0; rows],
        })
    }

    /// Number n of rows and columns.
    pub fn dimension(&self) -> usize {
        self.pattern.major_dim()
    }

    /// Multiply-adds of one factorization.
    pub fn multiply_adds(&self) -> usize {
        self.stream.multiply_adds()
    }

    /// What has been done so far.
    pub fn statistics(&self) -> &CalahanStatistics {
        &self.statistics
    }

    /// Factors new values (in the order of the pattern) with the pivots in place; chooses fresh ones when a pivot has
    /// become too small for them. Allocates only in that case.
    ///
    /// # Errors
    /// Values of the wrong number or not finite; a singular matrix, after which the object must be given a regular one
    /// before it solves again.
    pub fn refactor(&mut self, values: &[f64]) -> Result<Refactored, Error> {
        check_length("values", values.len(), self.pattern.nnz())?;
        self.statistics.refactorizations += 1;
        let cause = match self.stream.factor(values) {
            Flow::Good => return Ok(Refactored::Stream),
            Flow::SmallPivot => RepivotCause::SmallPivot,
            Flow::NotFinite => RepivotCause::Overflow,
        };
        (self.stream, self.statistics.ordering) = pivot(&self.pattern, &self.rows, values, &self.options)?;
        self.statistics.repivoted_for_pivot += 1;
        Ok(Refactored::FreshPivots(cause))
    }

    /// Solves A x = b in place, without any check of the solution.
    ///
    /// # Panics
    /// `b` must have [`Calahan::dimension`] entries.
    pub fn solve(&mut self, b: &mut [f64]) {
        self.stream.solve(b);
    }

    /// Solves A x = b and tests the solution; `values` are those last factored.
    ///
    /// The backward error is max_i |b - A x|_i / (|A| |x| + |b|)_i (Oettli and Prager, Numer. Math. 6 (1964) 405).
    ///
    /// # Errors
    /// Arguments of the wrong length or not finite, a singular matrix, a solution that stays inaccurate.
    pub fn solve_checked(&mut self, values: &[f64], b: &[f64], x: &mut [f64]) -> Result<Solved, Error> {
        check_length("values", values.len(), self.pattern.nnz())?;
        check_length("b", b.len(), self.dimension())?;
        check_length("x", x.len(), self.dimension())?;
        crate::error::check_finite("right-hand side", b)?;
        let (mut backward_error, mut refined) = self.solve_refined(values, b, x);
        let mut fresh_pivoting = false;
        if !(backward_error <= self.options.repivot_above) {
            (self.stream, self.statistics.ordering) = pivot(&self.pattern, &self.rows, values, &self.options)?;
            self.statistics.repivoted_for_residual += 1;
            fresh_pivoting = true;
            (backward_error, refined) = self.solve_refined(values, b, x);
            if !(backward_error <= self.options.repivot_above) {
                return Err(Error::Inaccurate { backward_error, limit: self.options.repivot_above });
            }
        }
        Ok(Solved { backward_error, refined, fresh_pivoting })
    }

    /// Solves, and refines once if the backward error asks for it.
    fn solve_refined(&mut self, values: &[f64], b: &[f64], x: &mut [f64]) -> (f64, bool) {
        x.copy_from_slice(b);
        self.stream.solve(x);
        let mut error = self.backward_error(values, b, x);
        let refine = !(error <= self.options.refine_above);
        if refine {
            self.statistics.refinements += 1;
            self.stream.solve(&mut self.residual);
            for (x, dx) in x.iter_mut().zip(&self.residual) {
                *x += dx;
            }
            error = self.backward_error(values, b, x);
        }
        (error, refine)
    }

    /// Componentwise backward error of x; leaves b - A x in `residual`.
    fn backward_error(&mut self, values: &[f64], b: &[f64], x: &[f64]) -> f64 {
        self.residual.copy_from_slice(b);
        for (m, b) in self.magnitude.iter_mut().zip(b) {
            *m = b.abs();
        }
        for j in 0..x.len() {
            let entries = self.pattern.major_offsets()[j]..self.pattern.major_offsets()[j + 1];
            for (&i, &a) in self.pattern.minor_indices()[entries.clone()].iter().zip(&values[entries]) {
                let product = a * x[j];
                self.residual[i] -= product;
                self.magnitude[i] += product.abs();
            }
        }
        let mut error: f64 = 0.0;
        for (r, m) in self.residual.iter().zip(&self.magnitude) {
            let ratio = if *m == 0.0 { 0.0 } else { r.abs() / m };
            // NaN must win: f64::max would lose it.
            error = if ratio.is_nan() || ratio > error { ratio } else { error };
            if error.is_nan() {
                break;
            }
        }
        error
    }
}

/// Chooses pivots for these values and factors.
fn pivot(
    pattern: &SparsityPattern,
    rows: &RowView,
    values: &[f64],
    options: &CalahanOptions,
) -> Result<(Stream, Ordering), Error> {
    let n = pattern.major_dim();
    let entries = || pattern.entries().zip(values).map(|((j, i), &value)| (i, j, value));
    check_matrix("matrix", entries())?;
    let scaling = Scaling::new(n, n, entries());
    let problem = Problem { pattern, rows, values, scaling: &scaling, threshold: options.pivot_tolerance };
    let (sequence, fill, ordering) = problem.cheapest()?;
    let mut stream = Stream::new(rows, sequence, &fill)?;
    let _ = stream.factor(values);
    stream.set_floors(options.pivot_floor);
    Ok((stream, ordering))
}
