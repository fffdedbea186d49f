//! Which pivot sequence is cheapest: several are made and their multiply-adds counted.
//!
//! Most mechanisms are served best by Markowitz, chains of a hundred bodies by Markowitz behind a front that moves from one end to the other,
//! nets of loops by a minimum-degree order of the columns (the pattern of A^T A) or of the rows (A A^T) with threshold partial pivoting. None wins
//! everywhere, and counting is cheap beside the thousands of factorizations that follow. Minimum degree on A + A^T is for matrices that can be eliminated along
//! their diagonal, as those of diffusion can; the zero diagonal of constraint rows forces it off its order.

use crate::{
    Interrupt,
    column_lu::ColumnLu,
    error::Error,
    fill::{Fill, RowView, Sequence},
    markowitz::{self, Elimination, Entry, Front, More, Rule, Stability},
    scaling::Scaling,
};
use nalgebra_sparse::pattern::SparsityPattern;

/// How a pivot sequence was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Ordering {
    /// Markowitz counts, pivots large enough in their row or in their column.
    #[default]
    Markowitz,
    /// The same among few columns at a time, from one end of the matrix to the other.
    MarkowitzFront,
    /// Minimum degree on A^T A, pivots large enough in their column.
    ColumnMinimumDegree,
    /// Minimum degree on A A^T, pivots large enough in their row.
    RowMinimumDegree,
    /// Minimum degree on A + A^T, pivots on the diagonal.
    MinimumDegree,
}

/// Lines that Markowitz looks at before it takes the best pivot found. More is not always better: it is a greedy method, and
/// ties fall differently. The first is tried on every matrix, the others on those with at most `SMALL` entries.
const SEARCHES: [usize; 3] = [4, 16, 64];
/// Entries up to which all searches together take less than a millisecond or so.
const SMALL: usize = 20_000;

/// Multiply-adds an entry up to which the first search is good enough. A factorization reads, places and divides each entry besides; of mechanisms
/// whose bodies each close few loops, the other orders save at most 15 % of these few, and cost as much as a hundred factorizations.
const FEW: usize = 4;

/// Columns behind the front: with all there is no front, with one no choice. Multiply-adds a body of chains and ladders of 600 bodies (SI2): 3,000 to
/// 7,000 with 3 columns and with 6, up to 7,700 with 10, 9,500 with 24; minimum degree takes 7,400 to 10,700.
const FRONT: usize = 6;
/// Rows and columns searched behind it: all.
const FRONT_SEARCH: usize = 16;
/// Smallest threshold behind it. Along a front each pivot stands on all before it: at a tenth of their lines they grew to 1e5 and beyond.
const FRONT_THRESHOLD: f64 = 0.5;

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
    /// Ends the search.
    pub(crate) interrupt: &'a Interrupt,
}

type Found = (Sequence, Fill, Ordering);

/// Multiply-adds of the best sequence.
fn budget(best: &Option<Found>) -> usize {
    best.as_ref().map_or(usize::MAX, |best| best.1.multiply_adds)
}

fn sequence(elimination: Elimination) -> Sequence {
    let (rows, columns) = elimination.pivots.into_iter().unzip();
    Sequence { rows, columns }
}

impl Problem<'_> {
    /// The cheapest sequence found, its fill and its origin.
    pub(crate) fn cheapest(&self) -> Result<(Sequence, Fill, Ordering), Error> {
        let scaled = self.scaled();
        let mut best = None;
        let large = scaled.len() > SMALL;
        // Nothing comes near to it on grids, and the other searches would take many times as long as the factorization.
        if large && let Some(found) = self.by_minimum_degree(&scaled) {
            return Ok(found);
        }
        self.go_on()?;
        let few = FEW * scaled.len();
        self.search_first(&mut best, &scaled, large.then_some(few))?;
        if budget(&best) <= few {
            return self.found(best);
        }
        for &search in if large { &[] } else { &SEARCHES[1..] } {
            let elimination = self.by_markowitz(&scaled, search, None, budget(&best), &mut || 0);
            self.keep_markowitz(&mut best, elimination)?;
        }
        self.go_on()?;
        self.keep_front(&mut best, &scaled);
        self.go_on()?;
        if !large {
            self.keep_minimum_degrees(&mut best, &scaled)?;
        }
        self.found(best)
    }

    fn found(&self, best: Option<Found>) -> Result<Found, Error> {
        let n = self.pattern.major_dim();
        best.ok_or(Error::TooLarge { what: "the elimination", found: n, limit: usize::MAX })
    }

    fn go_on(&self) -> Result<(), Error> {
        if self.interrupt.is_raised() { Err(Error::Interrupted) } else { Ok(()) }
    }

    /// Values of the equilibrated matrix.
    fn scaled(&self) -> Vec<f64> {
        self.pattern.entries().zip(self.values).map(|((j, i), &value)| self.scaling.apply(i, j, value)).collect()
    }

    /// Minimum degree on A + A^T where every pivot on the diagonal is large enough.
    fn by_minimum_degree(&self, scaled: &[f64]) -> Option<Found> {
        let n = self.pattern.major_dim();
        if !(0..n).all(|j| self.pattern.lane(j).binary_search(&j).is_ok()) {
            return None;
        }
        let columns = of_sum(self.pattern)?.order;
        let (pattern, threshold, budget) = (self.pattern, self.threshold, usize::MAX);
        let lu = ColumnLu { pattern, values: scaled, row_count: &[], threshold, budget, diagonal: true };
        let sequence = lu.sequence(&columns)?;
        let fill = Fill::new(self.rows, &sequence, usize::MAX - 1)?;
        Some((sequence, fill, Ordering::MinimumDegree))
    }

    /// Tries minimum degree of the columns and of the rows.
    fn keep_minimum_degrees(&self, best: &mut Option<Found>, scaled: &[f64]) -> Result<(), Error> {
        let allowed = budget(best);
        if let Some(sequence) = self.by_column_degree(self.pattern, self.rows, scaled, allowed) {
            self.keep_cheaper(best, sequence, Ordering::ColumnMinimumDegree);
        }
        let (pattern, view, values) = self.transposed(scaled)?;
        if let Some(Sequence { rows, columns }) = self.by_column_degree(&pattern, &view, &values, allowed) {
            let sequence = Sequence { rows: columns, columns: rows };
            self.keep_cheaper(best, sequence, Ordering::RowMinimumDegree);
        }
        Ok(())
    }

    /// The first search. A greedy one that loses itself in fill takes minutes on large matrices: there the safe orders bound it, once it
    /// takes more than is `few`.
    fn search_first(&self, best: &mut Option<Found>, scaled: &[f64], few: Option<usize>) -> Result<(), Error> {
        let (mut unbounded, mut kept) = (few, Ok(()));
        let mut safe = || {
            let Some(few) = unbounded.take() else { return 0 };
            kept = self.keep_minimum_degrees(best, scaled);
            budget(best).saturating_sub(few)
        };
        let elimination = self.by_markowitz(scaled, SEARCHES[0], None, few.unwrap_or(usize::MAX), &mut safe);
        kept?;
        self.keep_markowitz(best, elimination)
    }

    /// Keeps what Markowitz found without a front.
    fn keep_markowitz(&self, best: &mut Option<Found>, elimination: Elimination) -> Result<(), Error> {
        self.go_on()?;
        let n = self.pattern.major_dim();
        if !elimination.stopped && elimination.pivots.len() < n {
            return Err(elimination.singular(n));
        }
        self.keep_cheaper(best, sequence(elimination), Ordering::Markowitz);
        Ok(())
    }

    /// Tries Markowitz behind a front.
    fn keep_front(&self, best: &mut Option<Found>, scaled: &[f64]) {
        let front = Front::new(markowitz::end_to_end(self.pattern, self.rows), FRONT);
        let elimination = self.by_markowitz(scaled, FRONT_SEARCH, Some(front), budget(best), &mut || 0);
        self.keep_cheaper(best, sequence(elimination), Ordering::MarkowitzFront);
    }

    /// Replaces the best sequence by a cheaper one that is complete.
    fn keep_cheaper(&self, best: &mut Option<Found>, sequence: Sequence, ordering: Ordering) {
        if sequence.rows.len() < self.pattern.major_dim() {
            return;
        }
        if let Some(fill) = Fill::new(self.rows, &sequence, budget(best).saturating_sub(1)) {
            *best = Some((sequence, fill, ordering));
        }
    }

    fn by_markowitz(
        &self,
        scaled: &[f64],
        search: usize,
        front: Option<Front>,
        budget: usize,
        more: More,
    ) -> Elimination {
        let mut rule = self.rule(search);
        if front.is_some() {
            rule.threshold = rule.threshold.max(FRONT_THRESHOLD);
        }
        let (rows, columns) = (self.lines(scaled), self.pattern.major_dim());
        markowitz::eliminate_within(rows, columns, rule, front, budget, more, self.interrupt)
    }

    fn rule(&self, search: usize) -> Rule {
        Rule { threshold: self.threshold, stability: Stability::RowOrColumn, search, drop: None, least: 0.0 }
    }

    /// Rows of the equilibrated matrix.
    fn lines(&self, scaled: &[f64]) -> Vec<Vec<Entry>> {
        let line = |i: usize| self.rows.row(i).iter().map(|&(j, p)| (j, scaled[p as usize])).collect();
        (0..self.pattern.major_dim()).map(line).collect()
    }

    /// The transposed matrix.
    fn transposed(&self, scaled: &[f64]) -> Result<(SparsityPattern, RowView, Vec<f64>), Error> {
        let pattern = self.pattern.transpose();
        let view = RowView::new(&pattern)?;
        let values = self.rows.entries.iter().map(|&(_, p)| scaled[p as usize]).collect();
        Ok((pattern, view, values))
    }

    /// Minimum degree on A^T A, then threshold partial pivoting. Rows too long to matter are left out of A^T A, as COLAMD does
    /// (Davis, Gilbert, Larimore, Ng, ACM TOMS 30 (2004) 353).
    fn by_column_degree(
        &self,
        pattern: &SparsityPattern,
        rows: &RowView,
        values: &[f64],
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
        let threshold = self.threshold;
        ColumnLu { pattern, values, row_count: &row_count, threshold, budget, diagonal: false }.sequence(&columns.order)
    }
}

/// A symmetric elimination order, and what it costs along the diagonal.
struct Order {
    order: Vec<u32>,
    fill: SymmetricFill,
}

/// What eliminating a matrix along its diagonal costs, in a minimum-degree order of A + A^T: known without a factorization.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SymmetricFill {
    /// Entries of L and U with the diagonal, at most.
    pub entries: usize,
    /// Multiply-adds of a factorization, at most.
    pub multiply_adds: usize,
}

impl SymmetricFill {
    /// Of a square pattern; none where it is not square or too large to index.
    #[must_use]
    pub fn of(pattern: &SparsityPattern) -> Option<Self> {
        (pattern.major_dim() == pattern.minor_dim()).then(|| of_sum(pattern)).flatten().map(|order| order.fill)
    }
}

/// Minimum degree on A + A^T.
fn of_sum(pattern: &SparsityPattern) -> Option<Order> {
    minimum_degree(pattern.major_dim(), |j, line| line.extend(pattern.lane(j).iter().map(|&i| i as i32)))
}

/// Approximate minimum degree (Amestoy, Davis, Duff, SIAM J. Matrix Anal. Appl. 17 (1996) 886) of a symmetric pattern given by
/// columns, or of the sum of a pattern and its transpose; none when it is too large to index.
fn minimum_degree(n: usize, mut column: impl FnMut(usize, &mut Vec<i32>)) -> Option<Order> {
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
    let (order, _, info) = amd::order(i32::try_from(n).ok()?, &start, &indices, &amd::Control::default()).ok()?;
    let fill = SymmetricFill { entries: 2 * info.lnz + n, multiply_adds: info.n_mult_subs_lu };
    Some(Order { order: order.into_iter().map(|j| j as u32).collect(), fill })
}
