//! Which constraint rows depend on others, at the assembled position and beside it.
//!
//! Rank is a matter of the configuration: at a singular position rows depend on each other that are independent everywhere
//! else. So when rows depend, the mechanism is moved a little on the kept rows alone: a row that is redundant stays satisfied, a
//! row that is needed opens. (To ask for the rank beside the start would not do: a linkage that moves although counting forbids it
//! closes so slowly there that its redundant row seems independent.)

use super::assembly::{assemble, displace};
use super::initial::polish;
use super::named;
use crate::error::Error;
use crate::mechanism::{DROPPED, Mechanism, Redundancy, System};
use crate::space::Pose;
use fourbar_linalg::{CsrMatrix, Harwell, RankOptions, RankReport};

/// Relative size below which a pivot counts as zero: above round-off of the geometry, below any real coupling.
const TOLERANCE: f64 = 1e-8;
/// Weight in a combination from which a row takes part.
const TAKES_PART: f64 = 1e-6;
/// Violation below which a row counts as closed, in lengths of the mechanism, or in rad.
const CLOSES: f64 = 1e-9;
/// Ways by which the mechanism is moved aside \[rad, lengths of the mechanism\].
const ASIDE: [f64; 2] = [0.05, 0.013];

/// Numbers the independent rows, records the dependent ones. Returns whether the start is a singular position.
pub(super) fn drop_dependent_rows(
    mechanism: &mut Mechanism,
    system: &mut System,
    poses: &[Pose],
    t: f64,
) -> Result<bool, Error> {
    let report = rank(mechanism, system, poses, t)?;
    refuse_overdriven(mechanism, &report)?;
    number(mechanism, &report);
    if report.dependent.is_empty() || ASIDE.iter().all(|&way| stays_closed(mechanism, system, poses, t, way)) {
        return Ok(false);
    }
    // The start is singular: number by the rank at a regular position.
    for way in ASIDE {
        let mut beside = poses.to_vec();
        displace(&mut beside, &scattered(mechanism, way), 1.0);
        if assemble(mechanism, system, &mut beside, t, &[]).is_ok() {
            let regular = rank(mechanism, system, &beside, t)?;
            if regular.rank > report.rank {
                number(mechanism, &regular);
                return Ok(true);
            }
        }
    }
    Ok(true)
}

/// Rank of `Phi_q` with lengths in lengths of the mechanism.
fn rank(mechanism: &Mechanism, system: &mut System, poses: &[Pose], t: f64) -> Result<RankReport, Error> {
    system.evaluate_phi(mechanism, poses);
    let mut scaled: CsrMatrix<f64> = system.phi.clone();
    for (row, mut entries) in scaled.row_iter_mut().enumerate() {
        let (bound, _) = mechanism.all_row(row);
        let scale = if bound.constraint.is_angular() { 1.0 } else { 1.0 / mechanism.length };
        let (columns, values) = entries.cols_and_values_mut();
        for (column, value) in columns.iter().zip(values) {
            *value *= if column % 6 < 3 { scale * mechanism.length } else { scale };
        }
    }
    Harwell::rank(&scaled, &RankOptions { tolerance: TOLERANCE })
        .map_err(|e| named(mechanism, "redundancy", t, e, true))
}

/// Whether the dropped rows stay closed when the mechanism is moved by `way` on the kept ones.
fn stays_closed(mechanism: &Mechanism, system: &mut System, poses: &[Pose], t: f64, way: f64) -> bool {
    let mut beside = poses.to_vec();
    displace(&mut beside, &scattered(mechanism, way), 1.0);
    let Ok(kept) = polish(mechanism, &mut beside, &mechanism.start.drives, t) else { return true };
    let mut phi = vec![0.0; system.row_count()];
    system.defects(mechanism, &beside, &mut phi);
    let largest = phi.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
    // If not even the kept rows closed, nothing is known.
    kept > CLOSES * mechanism.length || largest <= CLOSES * mechanism.length.max(1.0)
}

/// A displacement by `way` in a direction that favours no body; closing the kept rows leaves of it what they allow.
fn scattered(mechanism: &Mechanism, way: f64) -> Vec<f64> {
    let golden = 0.618_033_988_75;
    let length = |k: usize| if k % 6 < 3 { mechanism.length } else { 1.0 };
    (0..6 * mechanism.bodies.len()).map(|k| way * length(k) * (2.0 * ((k + 1) as f64 * golden).fract() - 1.0)).collect()
}

fn refuse_overdriven(mechanism: &Mechanism, report: &RankReport) -> Result<(), Error> {
    for dependent in &report.dependent {
        let sets = involved(mechanism, dependent);
        let (own, _) = mechanism.all_row(dependent.row);
        let driven = |set: usize| mechanism.sets[set].joint.is_none();
        if driven(own.set) || sets.iter().any(|&set| driven(set)) {
            let motion = std::iter::once(own.set).chain(sets.iter().copied()).find(|&s| driven(s)).unwrap_or(own.set);
            let others = std::iter::once(own.set).chain(sets).filter(|&s| s != motion);
            return Err(Error::Overdriven {
                motion: mechanism.set_name(motion),
                others: others.map(|s| mechanism.set_name(s)).collect(),
            });
        }
    }
    Ok(())
}

/// Sets whose rows make up a dependent row, without its own.
fn involved(mechanism: &Mechanism, dependent: &fourbar_linalg::DependentRow) -> Vec<usize> {
    let own = mechanism.all_row(dependent.row).0.set;
    let largest = dependent.combination.iter().fold(0.0_f64, |a, &(_, c)| a.max(c.abs()));
    let mut sets: Vec<usize> = dependent
        .combination
        .iter()
        .filter(|(_, c)| c.abs() > TAKES_PART * largest)
        .map(|&(row, _)| mechanism.all_row(row).0.set)
        .filter(|&set| set != own)
        .collect();
    sets.sort_unstable();
    sets.dedup();
    sets
}

fn number(mechanism: &mut Mechanism, report: &RankReport) {
    let redundancies = report
        .dependent
        .iter()
        .map(|dependent| {
            let (bound, row) = mechanism.all_row(dependent.row);
            let form = bound.constraint.form;
            Redundancy {
                joint: mechanism.sets[bound.set].name.clone(),
                row: crate::constraint::table::describe(form, row),
                because_of: involved(mechanism, dependent)
                    .into_iter()
                    .map(|s| mechanism.sets[s].name.clone())
                    .collect(),
            }
        })
        .collect();
    mechanism.redundancies = redundancies;
    let mut keep = vec![false; mechanism.all_row_count()];
    for &row in &report.independent_rows {
        keep[row] = true;
    }
    let mut next = 0;
    for bound in &mut mechanism.constraints {
        for k in 0..bound.constraint.row_count() {
            if keep[bound.first + k] {
                bound.rows[k] = next;
                next += 1;
            } else {
                bound.rows[k] = DROPPED;
            }
        }
    }
    mechanism.independent_rows = next as usize;
}
