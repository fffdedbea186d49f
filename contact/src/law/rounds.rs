//! Impacts of all contacts that close, round by round: those that open take part once the impulses of the others have turned them round.
//!
//! A light body between two heavy ones closes at one contact while it opens at the other, both nearer than events tell apart. A law that
//! prescribes the rebound of the first and lets the second not close would throw the heavy bodies apart with the speed of the light one.
//! It goes to and fro instead, and each of its impacts obeys the law.

use super::collision::{Attempt, Impact};
use super::pairwise::ROUND_OFF;
use super::{restitution::Restitution, simultaneous};
use crate::error::Error;
use crate::surface::Surface;
use nalgebra::{DMatrix, DVector};

/// Rounds until the rest is left to other laws.
const ROUNDS: usize = 100_000;
/// Velocity from which on a contact opens, as part of that of the fastest that closes: what rests on others has round-off.
const OPENS: f64 = 1e-6;

/// The impulses of all rounds. `None` if no contact opens, a round is not `allowed` (impact, impulses), or there is no end.
pub(super) fn solve(
    impact: &Impact,
    first: &[usize],
    restitution: Restitution,
    allowed: impl Fn(&Impact, &DVector<f64>) -> bool,
) -> Result<Option<Attempt>, Error> {
    let mut rates = DVector::from_column_slice(impact.rates);
    let mut whole = Attempt { impulses: DVector::zeros(rates.len()), impacts: 0, residual: 0.0 };
    let fastest = |rates: &DVector<f64>| first[..first.len() - 1].iter().fold(0.0_f64, |a, &i| a.max(-rates[i]));
    let least = ROUND_OFF * fastest(&rates);
    while whole.impacts < ROUNDS {
        let closing = fastest(&rates);
        if closing <= least {
            return Ok(Some(whole));
        }
        let part = Part::new(impact, first, &rates, OPENS * closing);
        if whole.impacts == 0 && part.surfaces.len() == impact.surfaces.len() {
            return Ok(None);
        }
        let round = Impact { w: &part.w, rates: &part.rates, surfaces: &part.surfaces };
        let solved = simultaneous::solve(&round, &part.first, restitution)?;
        if !(round.ends(&part.first, &solved) && allowed(&round, &solved.impulses)) {
            return Ok(None);
        }
        for (s, &i) in solved.impulses.iter().zip(&part.rows) {
            whole.impulses[i] += s;
            rates.axpy(*s, &impact.w.column(i), 1.0);
        }
        whole.impacts += 1;
        whole.residual = whole.residual.max(solved.residual);
    }
    Ok(None)
}

/// The contacts of an impact that do not open.
struct Part {
    rows: Vec<usize>,
    first: Vec<usize>,
    w: DMatrix<f64>,
    rates: Vec<f64>,
    surfaces: Vec<Surface>,
}

impl Part {
    fn new(impact: &Impact, first: &[usize], rates: &DVector<f64>, opens: f64) -> Self {
        let (mut rows, mut starts, mut surfaces) = (Vec::new(), vec![0], Vec::new());
        for (c, surface) in impact.surfaces.iter().enumerate().filter(|(c, _)| rates[first[*c]] <= opens) {
            rows.extend(first[c]..first[c + 1]);
            starts.push(rows.len());
            surfaces.push(*surface);
        }
        let w = DMatrix::from_fn(rows.len(), rows.len(), |i, j| impact.w[(rows[i], rows[j])]);
        let rates = rows.iter().map(|&i| rates[i]).collect();
        Self { rows, first: starts, w, rates, surfaces }
    }
}
