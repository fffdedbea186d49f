//! Which constraint rows depend on others, at the assembled position and beside it.
//!
//! Rank is a matter of the configuration: at a singular position rows depend on each other that are independent everywhere
//! else. So when rows depend, the mechanism is also moved a little along its own freedom, assembled there, and asked again;
//! rows that are independent there are kept.

use super::assembly::assemble;
use super::named;
use crate::error::Error;
use crate::mechanism::{DROPPED, Mechanism, Redundancy, System};
use crate::space::Pose;
use fourbar_linalg::{CsrMatrix, Harwell, RankOptions, RankReport};

/// Relative size below which a pivot counts as zero: above round-off of the geometry, below any real coupling.
const TOLERANCE: f64 = 1e-8;
/// Weight in a combination from which a row takes part.
const TAKES_PART: f64 = 1e-6;
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
    let mut singular = false;
    let mut chosen = report;
    if !chosen.dependent.is_empty() {
        for way in ASIDE {
            if let Some(beside) = moved_aside(mechanism, system, poses, t, way) {
                let report = rank(mechanism, system, &beside, t)?;
                if report.rank > chosen.rank {
                    singular = true;
                    chosen = report;
                }
            }
        }
    }
    refuse_overdriven(mechanism, &chosen)?;
    number(mechanism, &chosen);
    Ok(singular)
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

/// The mechanism moved by `way` along a motion it can make, and assembled; none if that fails.
fn moved_aside(mechanism: &Mechanism, system: &mut System, poses: &[Pose], t: f64, way: f64) -> Option<Vec<Pose>> {
    let mut beside = poses.to_vec();
    // Any direction that favours no body will do; assembly brings it back to the nearest position that the joints allow.
    let direction: Vec<f64> = (0..6 * mechanism.bodies.len())
        .map(|k| {
            let length = if k % 6 < 3 { mechanism.length } else { 1.0 };
            way * length * ((k as f64 + 1.0) * 0.618_033_988_75).fract().mul_add(2.0, -1.0)
        })
        .collect();
    super::assembly::displace(&mut beside, &direction, 1.0);
    assemble(mechanism, system, &mut beside, t, &[]).ok().map(|_| beside)
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
