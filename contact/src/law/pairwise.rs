//! Impacts one after the other: of all closing contacts the fastest is solved alone, until none closes.

use super::collision::{Attempt, Impact};
use super::{restitution::Restitution, simultaneous};
use crate::error::Error;
use nalgebra::{DMatrix, DVector};

/// Impacts until the rest is taken up by a plastic impact.
const IMPACTS: usize = 100_000;
/// Closing velocity that is round-off, as part of the first.
pub(super) const ROUND_OFF: f64 = 1e-14;

pub(super) fn solve(impact: &Impact, first: &[usize], restitution: Restitution) -> Result<Attempt, Error> {
    let mut rates = DVector::from_column_slice(impact.rates);
    let mut impulses = DVector::zeros(rates.len());
    let start = closing(&rates, first).map_or(0.0, |(_, u)| -u);
    let mut impacts = 0;
    while let Some((c, u)) = closing(&rates, first) {
        if -u <= ROUND_OFF * start || impacts == IMPACTS {
            let rest = Impact { rates: rates.as_slice(), ..*impact };
            impulses += simultaneous::plastic(&rest)?.impulses;
            break;
        }
        impacts += 1;
        let rows = first[c]..first[c + 1];
        let w: DMatrix<f64> = impact.w.view((rows.start, rows.start), (rows.len(), rows.len())).into_owned();
        let alone = Impact {
            w: &w,
            rates: &rates.as_slice()[rows.clone()],
            surfaces: std::slice::from_ref(&impact.surfaces[c]),
        };
        let single = simultaneous::solve(&alone, &[0, rows.len()], restitution)?.impulses;
        for (s, i) in single.iter().zip(rows) {
            impulses[i] += s;
            rates.axpy(*s, &impact.w.column(i), 1.0);
        }
    }
    Ok(Attempt { impulses, impacts, residual: 0.0 })
}

/// The contact that closes fastest, the first of equals, and its velocity.
fn closing(rates: &DVector<f64>, first: &[usize]) -> Option<(usize, f64)> {
    let normals = first[..first.len() - 1].iter().map(|&i| rates[i]).enumerate();
    normals.filter(|(_, u)| *u < 0.0).fold(None, |best, next| match best {
        Some((_, u)) if u <= next.1 => best,
        _ => Some(next),
    })
}
