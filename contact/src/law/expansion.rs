//! Expansion with friction: impulses that are at least a floor, S_N >= e P_N, as a problem in cones.
//!
//! ```text
//! 0 <= S_N - f _|_ u_N >= 0,   |S_g| <= c_g S_N, against u_g at the limit
//! ```
//!
//! The floor f takes the problem out of the reduced form. It comes back to it by a second contact at the same place that only rubs: its
//! normal row stands alone, W_NN S'_N - W_NN f = 0, so that S'_N = f, and its friction rows are those of the first. Both slip alike, so that
//! their frictions add up to the one of S_N = f + rest.

use super::{collision::Impact, cone};
use crate::error::Error;
use crate::surface::Surface;
use nalgebra::{DMatrix, DVector};

/// A row of the problem: that of an impact, or the normal row of a contact that only rubs, with its floor.
#[derive(Clone, Copy)]
enum Line {
    Row(usize),
    Floor(usize, f64),
}

/// Impulses and residual. `free` is u without them, u + W S after; `first` the first row of each contact.
pub(super) fn solve(
    impact: &Impact,
    free: &DVector<f64>,
    floor: &[f64],
    first: &[usize],
) -> Result<(DVector<f64>, f64), Error> {
    let mut lines: Vec<Line> = (0..free.len()).map(Line::Row).collect();
    let mut surfaces: Vec<Surface> = impact.surfaces.to_vec();
    let rubbing = |c: &usize| floor[*c] > 0.0 && impact.surfaces[*c].friction_rows() > 0;
    for c in (0..impact.surfaces.len()).filter(rubbing) {
        lines.push(Line::Floor(first[c], floor[c]));
        lines.extend((first[c] + 1..first[c + 1]).map(Line::Row));
        surfaces.push(impact.surfaces[c]);
    }
    let pushed =
        DVector::from_fn(free.len(), |i, _| first.binary_search(&i).map_or(0.0, |c| *floor.get(c).unwrap_or(&0.0)));
    let pushed_free = free + impact.w * &pushed;
    let w = DMatrix::from_fn(lines.len(), lines.len(), |i, j| match (lines[i], lines[j]) {
        (Line::Row(a), Line::Row(b)) => impact.w[(a, b)],
        (Line::Floor(a, _), Line::Floor(..)) if i == j => impact.w[(a, a)],
        _ => 0.0,
    });
    let q = DVector::from_iterator(
        lines.len(),
        lines.iter().map(|line| match *line {
            Line::Row(a) => pushed_free[a],
            Line::Floor(a, floor) => -impact.w[(a, a)] * floor,
        }),
    );
    let rates = vec![0.0; lines.len()];
    let (rest, residual) = cone::solve(&Impact { w: &w, rates: &rates, surfaces: &surfaces }, &q)?;
    let mut impulses = pushed;
    for (line, s) in lines.iter().zip(&rest) {
        if let Line::Row(a) = *line {
            impulses[a] += s;
        }
    }
    Ok((impulses, residual))
}
