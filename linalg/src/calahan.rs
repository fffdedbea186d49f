//! `Calahan`: sparse LU of matrices with one pattern, the order of elimination chosen once and replayed as a flat stream.
//!
//! After the code-generating sparse solver of D. A. Calahan, the default of Adams. A frozen pivot order can age: each
//! refactorization tests its pivots, [`Calahan::solve_checked`] tests the solution, and both fall back to fresh pivoting. The
//! pivot test alone is not enough: small pivots betray most but not all of the bad factorizations, the residual all of them.

mod backward;
mod report;
mod stored;

pub use report::{CalahanOptions, CalahanStatistics, Refactored, RepivotCause, Solved};

use crate::{
    error::{Error, check_finite, check_length},
    fill::RowView,
    ordering::{Ordering, Problem},
    scaling::{Scaling, check_matrix, scale},
    stream::{Flow, Stream},
};
use backward::BackwardError;
use nalgebra_sparse::pattern::SparsityPattern;

/// LU factors of an n x n matrix with a fixed compressed-column pattern.
///
/// Size: the factors take about 12 bytes an entry and 4 bytes a multiply-add ([`Calahan::multiply_adds`]).
#[derive(Debug, Clone)]
#[doc(alias("static-pivot sparse LU"))]
pub struct Calahan {
    pattern: SparsityPattern,
    rows: RowView,
    options: CalahanOptions,
    stream: Stream,
    statistics: CalahanStatistics,
    backward: BackwardError,
    /// Backward error of the last solution with freshly chosen pivots: no others will do much better.
    attainable: f64,
    /// Values and tolerance for which the pivots in place were chosen: from these they are chosen again.
    chosen: (Vec<f64>, f64),
}

impl Calahan {
    /// Chooses the order of elimination for a pattern (major = column) and typical values, and factors them.
    ///
    /// Structural zeros cost time in every factorization; an entry that is zero now but not later must be in the pattern.
    ///
    /// # Errors
    /// A pattern that is not square, values of the wrong number or not finite, a singular matrix, options out of range.
    pub fn new(pattern: &SparsityPattern, values: &[f64], options: &CalahanOptions) -> Result<Self, Error> {
        options.validate()?;
        let (rows, columns) = (pattern.minor_dim(), pattern.major_dim());
        if rows != columns {
            return Err(Error::NotSquare { rows, columns });
        }
        check_length("values", values.len(), pattern.nnz())?;
        let view = RowView::new(pattern)?;
        let Pivoted { stream, ordering, sizes, .. } = pivot(pattern, &view, values, options, options.pivot_tolerance)?;
        Ok(Self {
            pattern: pattern.clone(),
            rows: view,
            options: options.clone(),
            stream,
            statistics: CalahanStatistics { ordering, ..Default::default() },
            backward: BackwardError::new(sizes),
            attainable: 0.0,
            chosen: (values.to_vec(), options.pivot_tolerance),
        })
    }

    /// Number n of rows and columns.
    pub fn dimension(&self) -> usize {
        self.pattern.major_dim()
    }

    /// The pattern that is factored, by columns.
    pub(crate) fn pattern(&self) -> &SparsityPattern {
        &self.pattern
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
    /// Values of the wrong number or not finite; a singular matrix. After an error the object holds no factors: give it a regular
    /// matrix before it solves again.
    pub fn refactor(&mut self, values: &[f64]) -> Result<Refactored, Error> {
        check_length("values", values.len(), self.pattern.nnz())?;
        self.statistics.refactorizations += 1;
        let (cause, count) = match self.stream.factor(values) {
            Flow::Good => return Ok(Refactored::Stream),
            Flow::SmallPivot => (RepivotCause::SmallPivot, &mut self.statistics.fresh_for_pivot),
            Flow::NotFinite => (RepivotCause::Overflow, &mut self.statistics.fresh_for_overflow),
        };
        *count += 1;
        self.pivot_afresh(values, self.options.pivot_tolerance)?;
        Ok(Refactored::FreshPivots(cause))
    }

    /// Solves A x = b in place with the last factors, without any check of the solution and without allocation.
    ///
    /// `b` must have [`Calahan::dimension`] entries. Another length is a mistake of the calling code: debug builds stop, others
    /// fill `b` with NaN.
    pub fn solve(&mut self, b: &mut [f64]) {
        debug_assert_eq!(b.len(), self.dimension(), "the right-hand side must have one entry per row");
        if b.len() == self.dimension() {
            self.stream.solve(b);
        } else {
            b.fill(f64::NAN);
        }
    }

    /// Solves A^T x = b in place, as [`Calahan::solve`] does A x = b.
    pub fn solve_transposed(&mut self, b: &mut [f64]) {
        debug_assert_eq!(b.len(), self.dimension(), "the right-hand side must have one entry per column");
        if b.len() == self.dimension() {
            self.stream.solve_transposed(b);
        } else {
            b.fill(f64::NAN);
        }
    }

    /// Solves A x = b and tests the solution; `values` are those last given to [`Calahan::refactor`].
    ///
    /// The test is the componentwise backward error max_i |b - A x|_i / (|A| |x| + |b|)_i. Above
    /// [`CalahanOptions::refine_above`] the solution is refined once, above [`CalahanOptions::repivot_above`] pivots are chosen
    /// afresh (the only case that allocates), ever more strictly while it stays there, and the solution refined up to ten times, unless that was
    /// of little help the last time; above [`CalahanOptions::refuse_above`] the solution is refused.
    ///
    /// # Errors
    /// Arguments of the wrong length or not finite, a singular matrix, a solution that stays inaccurate.
    pub fn solve_checked(&mut self, values: &[f64], b: &[f64], x: &mut [f64]) -> Result<Solved, Error> {
        check_length("values", values.len(), self.pattern.nnz())?;
        check_length("b", b.len(), self.dimension())?;
        check_length("x", x.len(), self.dimension())?;
        check_finite("right-hand side", b)?;
        let mut solved = self.solve_refined(values, b, x, 1);
        if !(solved.backward_error <= self.options.repivot_above.max(10.0 * self.attainable)) {
            self.statistics.fresh_for_residual += 1;
            for tolerance in ever_stricter(self.options.pivot_tolerance) {
                self.pivot_afresh(values, tolerance)?;
                solved = Solved { fresh_pivoting: true, ..self.solve_refined(values, b, x, 10) };
                if solved.backward_error <= self.options.repivot_above {
                    break;
                }
            }
            self.attainable = solved.backward_error;
        }
        let limit = self.options.refuse_above;
        if !(solved.backward_error <= limit) {
            return Err(Error::Inaccurate { backward_error: solved.backward_error, limit });
        }
        Ok(solved)
    }

    /// Solves, and refines up to `steps` times while the backward error asks for it.
    fn solve_refined(&mut self, values: &[f64], b: &[f64], x: &mut [f64], steps: usize) -> Solved {
        x.copy_from_slice(b);
        self.stream.solve(x);
        let mut backward_error = self.backward.of(&self.pattern, values, b, x);
        let mut refined = false;
        for _ in 0..steps {
            if backward_error <= self.options.refine_above {
                break;
            }
            refined = true;
            self.statistics.refinements += 1;
            self.stream.solve(&mut self.backward.residual);
            for (x, dx) in x.iter_mut().zip(&self.backward.residual) {
                *x += dx;
            }
            backward_error = self.backward.of(&self.pattern, values, b, x);
        }
        Solved { backward_error, refined, fresh_pivoting: false }
    }

    fn pivot_afresh(&mut self, values: &[f64], tolerance: f64) -> Result<(), Error> {
        let pivoted = pivot(&self.pattern, &self.rows, values, &self.options, tolerance)?;
        self.stream = pivoted.stream;
        self.backward = BackwardError::new(pivoted.sizes);
        self.statistics.ordering = pivoted.ordering;
        self.chosen.0.copy_from_slice(values);
        self.chosen.1 = tolerance;
        Ok(())
    }
}

/// A pivot sequence chosen for certain values, with their factors.
struct Pivoted {
    stream: Stream,
    ordering: Ordering,
    /// Natural sizes of the unknowns.
    sizes: Vec<f64>,
    /// How far the entries grew during the elimination.
    growth: f64,
}

/// Tolerances from the given one on: along a chain of bodies or cells, pivots a tenth of their line multiply up.
fn ever_stricter(tolerance: f64) -> impl Iterator<Item = f64> {
    std::iter::once(tolerance).chain([0.5, 1.0].into_iter().filter(move |&stricter| stricter > tolerance))
}

/// Chooses pivots for these values and factors, at the tolerance given or at the first stricter one that needs it: singular is only what
/// is so with the strictest, and of several with too much growth that with the least is taken.
fn pivot(
    pattern: &SparsityPattern,
    rows: &RowView,
    values: &[f64],
    options: &CalahanOptions,
    tolerance: f64,
) -> Result<Pivoted, Error> {
    let n = pattern.major_dim();
    let entries = || pattern.entries().zip(values).map(|((j, i), &value)| (i, j, value));
    check_matrix("matrix", entries())?;
    let scaling = Scaling::new(n, n, entries());
    let mut best: Result<Pivoted, Error> = Err(Error::Overflow);
    for threshold in ever_stricter(tolerance) {
        let problem = Problem { pattern, rows, values, scaling: &scaling, threshold, interrupt: &options.interrupt };
        let pivoted = pivot_at(&problem);
        let growth = |result: &Result<Pivoted, Error>| result.as_ref().map_or(f64::INFINITY, |pivoted| pivoted.growth);
        if best.is_err() || growth(&pivoted) < growth(&best) {
            best = pivoted;
        }
        if growth(&best) <= options.growth_limit || options.interrupt.is_raised() {
            break;
        }
    }
    let mut pivoted = best?;
    pivoted.stream.set_floors(options.pivot_floor);
    Ok(pivoted)
}

/// The same at one tolerance.
fn pivot_at(problem: &Problem) -> Result<Pivoted, Error> {
    let n = problem.pattern.major_dim();
    let (sequence, fill, ordering) = problem.cheapest()?;
    let mut stream = Stream::new(problem.rows, sequence, &fill)?;
    let flow = stream.factor(problem.values);
    let terms = stream.terms(problem.values);
    if flow == Flow::NotFinite {
        return Err(Error::Overflow);
    }
    if let Some((row, column, pivot)) = stream.spurious_pivot(&terms) {
        return Err(Error::Singular { row, column, pivot, dimension: n });
    }
    let growth = stream.growth(&terms, problem.scaling);
    let size = |j| scale(1.0, problem.scaling.size_power(j).clamp(-1000, 1000));
    Ok(Pivoted { stream, ordering, sizes: (0..n).map(size).collect(), growth })
}
