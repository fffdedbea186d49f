//! Which pivot sequence is cheapest: several are made and their multiply-adds counted.
//!
//! Small mechanisms and trees are served best by Markowitz, large closed loops by a minimum-degree order of the columns
//! (the pattern of A^T A) with threshold partial pivoting, some chains by minimum degree on A + A^T. None wins everywhere, and
//! counting is cheap beside the thousands of factorizations that follow.

use crate::{
    SparsityPattern,
    column_lu::ColumnLu,
    error::Error,
    fill::{Fill, RowView, Sequence},
    markowitz::{self, Rule},
    scaling::Scaling,
};

/// How a pivot sequence was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Ordering {
    /// Markowitz counts with a threshold relative to the row.
    #[default]
    Markowitz,
    /// Minimum degree on A + A^T, diagonal pivots where they are large enough.
    SymmetricMinimumDegree,
    /// Minimum degree on A^T A, row pivots by threshold partial pivoting.
    ColumnMinimumDegree,
}

/// The cheapest sequence found for these values, its fill and its origin.
pub(crate) fn cheapest(
    pattern: &SparsityPattern,
    rows: &RowView,
    values: &[f64],
    scaling: &Scaling,
    threshold: f64,
) -> Result<(Sequence, Fill, Ordering), Error> {
    let scaled: Vec<f64> = pattern.entries().zip(values).map(|((j, i), &value)| scaling.apply(i, j, value)).collect();
    let sequence = by_markowitz(rows, &scaled, threshold)?;
    let partner = partners(&sequence);
    let Some(fill) = Fill::new(rows, &sequence, usize::MAX) else {
        return Err(Error::TooLarge { what: "the elimination", found: usize::MAX, limit: usize::MAX });
    };
    let mut best = (sequence, fill, Ordering::Markowitz);
    let row_count: Vec<u32> = rows.start.windows(2).map(|w| w[1] - w[0]).collect();
    for ordering in [Ordering::SymmetricMinimumDegree, Ordering::ColumnMinimumDegree] {
        let symmetric = ordering == Ordering::SymmetricMinimumDegree;
        let columns = if symmetric { symmetric_degree(pattern, &partner) } else { column_degree(pattern, rows) };
        let wish = symmetric.then_some(&partner[..]);
        let budget = best.1.multiply_adds;
        let lu = ColumnLu { pattern, values: &scaled, row_count: &row_count, threshold, wish, budget: 20 * budget };
        let Some(sequence) = columns.and_then(|columns| lu.sequence(&columns)) else { continue };
        if let Some(fill) = Fill::new(rows, &sequence, budget)
            && fill.multiply_adds < budget
        {
            best = (sequence, fill, ordering);
        }
    }
    Ok(best)
}

fn by_markowitz(rows: &RowView, scaled: &[f64], threshold: f64) -> Result<Sequence, Error> {
    let n = rows.start.len() - 1;
    let line = |i: usize| rows.row(i).iter().map(|&(j, p)| (j, scaled[p as usize])).collect();
    let rule = Rule { threshold, search: 4, drop: None };
    let elimination = markowitz::eliminate((0..n).map(line).collect(), n, rule);
    if elimination.pivots.len() < n {
        return Err(elimination.singular(n));
    }
    let (rows, columns) = elimination.pivots.iter().copied().unzip();
    Ok(Sequence { rows, columns })
}

/// The pivot row of each column.
fn partners(sequence: &Sequence) -> Vec<u32> {
    let mut partner = vec![0; sequence.rows.len()];
    for (&i, &j) in sequence.rows.iter().zip(&sequence.columns) {
        partner[j as usize] = i;
    }
    partner
}

/// Minimum degree on B + B^T, where B has its rows moved so that each column has its partner on the diagonal.
fn symmetric_degree(pattern: &SparsityPattern, partner: &[u32]) -> Option<Vec<u32>> {
    let mut place = vec![0u32; partner.len()];
    for (j, &i) in partner.iter().enumerate() {
        place[i as usize] = j as u32;
    }
    minimum_degree(pattern.major_dim(), |j, line| {
        line.extend(pattern.lane(j).iter().map(|&i| place[i] as i32));
    })
}

/// Minimum degree on A^T A; rows too long to matter are left out, as COLAMD does (Davis et al., ACM TOMS 30 (2004) 353).
fn column_degree(pattern: &SparsityPattern, rows: &RowView) -> Option<Vec<u32>> {
    let n = pattern.major_dim();
    let dense = (10.0 * (n as f64).sqrt()).max(16.0) as usize;
    let mut seen = vec![u32::MAX; n];
    minimum_degree(n, |j, line| {
        for &i in pattern.lane(j) {
            let row = rows.row(i);
            if row.len() > dense {
                continue;
            }
            for &(c, _) in row {
                if seen[c as usize] != j as u32 {
                    seen[c as usize] = j as u32;
                    line.push(c as i32);
                }
            }
        }
    })
}

/// Approximate minimum degree (Amestoy, Davis, Duff, SIAM J. Matrix Anal. Appl. 17 (1996) 886) of a pattern given by columns.
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
    let (order, _, _) = amd::order(n as i32, &start, &indices, &amd::Control::default()).ok()?;
    Some(order.into_iter().map(|j| j as u32).collect())
}
