//! Which pivot sequence is cheapest: several are made and their multiply-adds counted.
//!
//! Most mechanisms are served best by Markowitz, chains of a hundred bodies and more by a minimum-degree order of the columns
//! (the pattern of A^T A) or of the rows (A A^T) with threshold partial pivoting. None wins everywhere, and counting is cheap
//! beside the thousands of factorizations that follow. Minimum degree on A + A^T was tried and never won: the zero diagonal
//! of the constraint rows forces it off its order.

use crate::{
    SparsityPattern,
    column_lu::ColumnLu,
    error::Error,
    fill::{Fill, RowView, Sequence},
    markowitz::{self, Rule, Stability},
    scaling::Scaling,
};

/// How a pivot sequence was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Ordering {
    /// Markowitz counts, pivots large enough in their row or in their column.
    #[default]
    Markowitz,
    /// Minimum degree on A^T A, pivots large enough in their column.
    ColumnMinimumDegree,
    /// Minimum degree on A A^T, pivots large enough in their row.
    RowMinimumDegree,
}

/// Lines that Markowitz looks at before it takes the best pivot found. More is not always better: it is a greedy method, and
/// ties fall differently. The first is tried on every matrix, the others on those with at most `SMALL` entries.
const SEARCHES: [usize; 3] = [4, 16, 64];
const SMALL: usize = 20_000;

/// A square matrix whose pivots are wanted.
pub(crate) struct Problem<'a> {
    /// Compressed columns.
    pub(crate) pattern: &'a SparsityPattern,
    /// The same by rows.
    pub(crate) rows: &'a RowView,
    /// Values in the order of `pattern`.
    pub(crate) values: &'a [f64],
    /// Makes pivots comparable.
    pub(crate) scaling: &'a Scaling,
    /// u: smallest admissible pivot relative to its line.
    pub(crate) threshold: f64,
}

impl Problem<'_> {
    /// The cheapest sequence found, its fill and its origin.
    pub(crate) fn cheapest(&self) -> Result<(Sequence, Fill, Ordering), Error> {
        let scaled: Vec<f64> =
            self.pattern.entries().zip(self.values).map(|((j, i), &value)| self.scaling.apply(i, j, value)).collect();
        let mut best = None;
        let searches = if scaled.len() <= SMALL { &SEARCHES[..] } else { &SEARCHES[..1] };
        for &search in searches {
            self.keep_cheaper(&mut best, self.by_markowitz(&scaled, search)?, Ordering::Markowitz);
        }
        let budget = best.as_ref().map_or(usize::MAX, |b| b.1.multiply_adds);
        if let Some(sequence) = by_column_degree(self.pattern, self.rows, &scaled, self.threshold, budget) {
            self.keep_cheaper(&mut best, sequence, Ordering::ColumnMinimumDegree);
        }
        if let Some(Sequence { rows, columns }) = self.by_row_degree(&scaled, budget)? {
            let sequence = Sequence { rows: columns, columns: rows };
            self.keep_cheaper(&mut best, sequence, Ordering::RowMinimumDegree);
        }
        let n = self.pattern.major_dim();
        best.ok_or(Error::TooLarge { what: "the elimination", found: n, limit: usize::MAX })
    }

    /// Replaces the best sequence by a cheaper one.
    fn keep_cheaper(&self, best: &mut Option<(Sequence, Fill, Ordering)>, sequence: Sequence, ordering: Ordering) {
        let budget = best.as_ref().map_or(usize::MAX, |b| b.1.multiply_adds.saturating_sub(1));
        if let Some(fill) = Fill::new(self.rows, &sequence, budget) {
            *best = Some((sequence, fill, ordering));
        }
    }

    fn by_markowitz(&self, scaled: &[f64], search: usize) -> Result<Sequence, Error> {
        let n = self.pattern.major_dim();
        let line = |i: usize| self.rows.row(i).iter().map(|&(j, p)| (j, scaled[p as usize])).collect();
        let rule = Rule { threshold: self.threshold, stability: Stability::RowOrColumn, search, drop: None };
        let elimination = markowitz::eliminate((0..n).map(line).collect(), n, rule);
        if elimination.pivots.len() < n {
            return Err(elimination.singular(n));
        }
        let (rows, columns) = elimination.pivots.into_iter().unzip();
        Ok(Sequence { rows, columns })
    }

    /// The sequence of the transposed matrix by column degree.
    fn by_row_degree(&self, scaled: &[f64], budget: usize) -> Result<Option<Sequence>, Error> {
        let transposed = self.pattern.transpose();
        let rows = RowView::new(&transposed)?;
        let values: Vec<f64> = self.rows.entries.iter().map(|&(_, p)| scaled[p as usize]).collect();
        Ok(by_column_degree(&transposed, &rows, &values, self.threshold, budget))
    }
}

/// Minimum degree on A^T A, then threshold partial pivoting. Rows too long to matter are left out of A^T A, as COLAMD does
/// (Davis, Gilbert, Larimore, Ng, ACM TOMS 30 (2004) 353).
fn by_column_degree(
    pattern: &SparsityPattern,
    rows: &RowView,
    values: &[f64],
    threshold: f64,
    budget: usize,
) -> Option<Sequence> {
    let n = pattern.major_dim();
    let dense = (10.0 * (n as f64).sqrt()).max(16.0) as usize;
    let mut seen = vec![u32::MAX; n];
    let columns = minimum_degree(n, |j, line| {
        for row in pattern.lane(j).iter().map(|&i| rows.row(i)).filter(|row| row.len() <= dense) {
            for &(c, _) in row {
                if seen[c as usize] != j as u32 {
                    seen[c as usize] = j as u32;
                    line.push(c as i32);
                }
            }
        }
    })?;
    let row_count: Vec<u32> = rows.start.windows(2).map(|w| w[1] - w[0]).collect();
    ColumnLu { pattern, values, row_count: &row_count, threshold, budget }.sequence(&columns)
}

/// Approximate minimum degree (Amestoy, Davis, Duff, SIAM J. Matrix Anal. Appl. 17 (1996) 886) of a symmetric pattern given by
/// columns; none when it is too large to index.
fn minimum_degree(n: usize, mut column: impl FnMut(usize, &mut Vec<i32>)) -> Option<Vec<u32>> {
    let mut start = vec![0i32];
    let mut indices = Vec::new();
    let mut line = Vec::new();
    for j in 0..n {
        line.clear();
        column(j, &mut line);
        line.push(j as i32);
        line.sort_unstable();
        line.dedup();
        indices.extend_from_slice(&line);
        start.push(i32::try_from(indices.len()).ok()?);
    }
    let (order, _, _) = amd::order(i32::try_from(n).ok()?, &start, &indices, &amd::Control::default()).ok()?;
    Some(order.into_iter().map(|j| j as u32).collect())
}
