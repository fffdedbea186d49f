//! Expansion with friction: impulses that are at least a floor, S_N >= e P_N, found by projected sweeps.
//!
//! 0 <= S_N - floor _|_ u_N >= 0 and |S_T| <= mu S_N, S_T opposite to u_T where it slips. The floor takes the problem out of the
//! cone form that the friction solvers know. Contacts are few and the sweeps contract, so they are run to round-off.

use super::Impact;
use nalgebra::{DMatrix, DVector};

const SWEEPS: usize = 200_000;
const TOLERANCE: f64 = 1e-14;

/// Step lengths 1/W_NN and 1/trace of each group of friction rows; rows without mass stay at rest.
fn steps(w: &DMatrix<f64>, first: &[usize]) -> Vec<f64> {
    let mut steps = vec![0.0; w.nrows()];
    for pair in first.windows(2) {
        for rows in groups(pair[0], pair[1]) {
            let trace: f64 = rows.clone().map(|i| w[(i, i)]).sum();
            rows.for_each(|i| steps[i] = if trace > 0.0 { 1.0 / trace } else { 0.0 });
        }
    }
    steps
}

/// Rows of one contact that share one bound: normal, sliding, spinning, rolling.
pub(super) fn groups(first: usize, end: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    let cuts = [first, first + 1, first + 3, first + 4, first + 6];
    (0..4).map(move |k| cuts[k]..cuts[k + 1]).filter(move |rows| rows.end <= end)
}

/// Impulses and the largest change of a last sweep relative to the velocities. `free` is u without them, u + W S after.
pub(super) fn solve(impact: &Impact, free: &DVector<f64>, floor: &[f64], first: &[usize]) -> (DVector<f64>, f64) {
    let (w, steps) = (impact.w, steps(impact.w, first));
    let mut impulses = DVector::zeros(free.len());
    let mut rates = free.clone();
    let scale = free.amax().max(f64::MIN_POSITIVE);
    let mut change = 0.0;
    for _ in 0..SWEEPS {
        change = 0.0_f64;
        for (c, surface) in impact.surfaces.iter().enumerate() {
            for (g, rows) in groups(first[c], first[c + 1]).enumerate() {
                let limit = [0.0, surface.friction, surface.spinning, surface.rolling][g] * impulses[first[c]];
                let mut trial = [0.0_f64; 2];
                for (t, i) in trial.iter_mut().zip(rows.clone()) {
                    *t = impulses[i] - steps[i] * rates[i];
                }
                if g == 0 {
                    trial[0] = trial[0].max(floor[c]);
                } else {
                    let size = trial[0].hypot(trial[1]);
                    if size > limit {
                        trial = trial.map(|t| t * (limit / size));
                    }
                }
                for (t, i) in trial.into_iter().zip(rows) {
                    let d = t - impulses[i];
                    if d != 0.0 {
                        impulses[i] = t;
                        rates.axpy(d, &w.column(i), 1.0);
                        change = change.max((d * w[(i, i)]).abs());
                    }
                }
            }
        }
        if change <= TOLERANCE * scale {
            break;
        }
    }
    (impulses, change / scale)
}
