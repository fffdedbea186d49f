//! Which constraint rows depend on others, at the assembled position and beside it.
//!
//! Rank is a matter of the configuration: at a singular position rows depend on each other that are independent everywhere
//! else. So when rows depend, the mechanism is moved a little on the kept rows alone: a row that is redundant stays satisfied, a
//! row that is needed opens. (To ask for the rank beside the start would not do: a linkage that moves although counting forbids it
//! closes so slowly there that its redundant row seems independent.)

use super::assembly::{assemble, displace};
use super::corrections::polish;
use super::explain::named;
use super::kept::choose;
use super::{choice, saddle};
use crate::constraint::Form;
use crate::error::Error;
use crate::mechanism::{BoundConstraint, Choice, DROPPED, Mechanism, NearlyDependent, Plane, Redundancy, System};
use crate::space::Pose;
use crate::state::State;
use fourbar_linalg::{CsrMatrix, DependentRow, Error as LinearError, Harwell, RankOptions};

/// Relative size below which a pivot counts as zero: above round-off of the geometry, below any real coupling.
pub(super) const TOLERANCE: f64 = 1e-8;
/// Relative sizes up to which rows of gears that are independent are so by the digits that ratios and places were written with, ascending.
const NEARLY: [f64; 4] = [1e-6, 1e-5, 1e-4, 1e-3];
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
    let mut dependent = dependent_rows(mechanism, system, poses, t)?;
    let independent = mechanism.all_row_count() - dependent.len();
    let moves = !dependent.is_empty() && Plane::at(mechanism, poses, independent).is_none();
    // Each time round another point is turned: they end.
    while moves && turn_with_loops(mechanism, &dependent) {
        system.renumber(mechanism);
        dependent = dependent_rows(mechanism, system, poses, t)?;
    }
    mechanism.choice = Choice { moves, ..Choice::default() };
    refuse_overdriven(mechanism, system, &dependent, t)?;
    number(mechanism, &dependent, poses);
    if dependent.is_empty() || ASIDE.iter().all(|&way| stays_closed(mechanism, system, poses, t, way)) {
        return Ok(false);
    }
    // The start is singular: number by the rank at a regular position.
    for way in ASIDE {
        let mut beside = poses.to_vec();
        displace(&mut beside, &scattered(mechanism, way), 1.0);
        if assemble(mechanism, system, &mut beside, t, &[]).is_ok() {
            let regular = dependent_rows(mechanism, system, &beside, t)?;
            if regular.len() < dependent.len() {
                number(mechanism, &regular, &beside);
                return Ok(true);
            }
        }
    }
    Ok(true)
}

/// Writes the rows of coincident points along the axes of J where one is dropped: with these the rows that depend on each other turn. Points all of whose
/// rows are kept say the same in any axes. Whether there are any to turn.
fn turn_with_loops(mechanism: &mut Mechanism, dependent: &[DependentRow]) -> bool {
    let mut changed = false;
    for own in dependent {
        let at = mechanism.constraints.partition_point(|bound| bound.first <= own.row) - 1;
        let form = &mut mechanism.constraints[at].constraint.form;
        if *form == Form::Point {
            *form = Form::LocalPoint;
            changed = true;
        }
    }
    changed
}

/// Rows to drop for `Phi_q` to have full rank.
pub(super) fn dependent_rows(
    mechanism: &Mechanism,
    system: &mut System,
    poses: &[Pose],
    t: f64,
) -> Result<Vec<DependentRow>, Error> {
    system.evaluate_phi(mechanism, poses);
    let dependent = rank(mechanism, &scaled(mechanism, system), t, TOLERANCE)?;
    Ok(choose(mechanism, dependent, |own| choice::largest_factor(mechanism, poses, own)))
}

/// `Phi_q` with lengths in lengths of the mechanism.
fn scaled(mechanism: &Mechanism, system: &System) -> CsrMatrix<f64> {
    let mut scaled = system.phi.clone();
    for (row, mut entries) in scaled.row_iter_mut().enumerate() {
        let (bound, _) = mechanism.all_row(row);
        let scale = if bound.constraint.is_angular() { 1.0 } else { 1.0 / mechanism.length };
        let (columns, values) = entries.cols_and_values_mut();
        for (column, value) in columns.iter().zip(values) {
            *value *= if column % 6 < 3 { scale * mechanism.length } else { scale };
        }
    }
    scaled
}

/// Gears, couplers and racks that hold against each other because their ratios and places disagree by their last digits, at `poses`; none where they
/// agree, or are independent altogether.
pub(super) fn nearly_dependent(
    mechanism: &Mechanism,
    system: &mut System,
    poses: &[Pose],
    t: f64,
) -> Result<Option<NearlyDependent>, Error> {
    if mechanism.sets.iter().all(|set| set.relation.is_none()) {
        return Ok(None);
    }
    system.evaluate_phi(mechanism, poses);
    let scaled = scaled(mechanism, system);
    let exact = rank(mechanism, &scaled, t, TOLERANCE)?.len();
    for mismatch in NEARLY {
        let dependent = rank(mechanism, &scaled, t, mismatch)?;
        let relation = |own: &&DependentRow| mechanism.sets[mechanism.all_row(own.row).0.set].relation.is_some();
        let relations: Vec<&DependentRow> = dependent.iter().filter(relation).collect();
        if dependent.len() > exact && !relations.is_empty() {
            let mut sets: Vec<usize> = relations.iter().flat_map(|own| involved(mechanism, own)).collect();
            sets.extend(relations.iter().map(|own| mechanism.all_row(own.row).0.set));
            sets.retain(|&set| mechanism.sets[set].relation.is_some());
            sets.sort_unstable();
            sets.dedup();
            let relations = sets.into_iter().map(|set| mechanism.sets[set].name.clone()).collect();
            let freedom = 6 * mechanism.bodies.len() - (mechanism.all_row_count() - exact);
            return Ok(Some(NearlyDependent { relations, mismatch, freedom }));
        }
    }
    Ok(None)
}

fn rank(mechanism: &Mechanism, scaled: &CsrMatrix<f64>, t: f64, tolerance: f64) -> Result<Vec<DependentRow>, Error> {
    let report = Harwell::rank(scaled, &RankOptions { tolerance, equilibrate: false })
        .map_err(|e| named(mechanism, "redundancy", t, of_constraints(mechanism, e), true))?;
    Ok(report.dependent)
}

/// The error of `Phi_q` alone as that of the saddle-point matrix, whose rows of bodies come first.
fn of_constraints(mechanism: &Mechanism, error: LinearError) -> LinearError {
    match error {
        LinearError::NotFinite { matrix, row, column, value } => {
            LinearError::NotFinite { matrix, row: 6 * mechanism.bodies.len() + row, column, value }
        }
        other => other,
    }
}

/// Whether motions add their full number to the rank of the joints. Factors of combinations tell it less well: they are as inexact as the
/// tolerance over the pivots, which are small in a plane that is tilted a little.
fn motions_are_independent(
    mechanism: &Mechanism,
    system: &System,
    dropped: &[DependentRow],
    t: f64,
) -> Result<bool, Error> {
    let mut joints = scaled(mechanism, system);
    let mut motions = 0;
    for (row, mut entries) in joints.row_iter_mut().enumerate() {
        if is_motion(mechanism, mechanism.all_row(row).0.set) {
            entries.values_mut().fill(0.0);
            motions += 1;
        }
    }
    Ok(rank(mechanism, &joints, t, TOLERANCE)?.len() == dropped.len() + motions)
}

/// Whether a set prescribes: a motion, or a constraint by an expression of the time.
fn is_motion(mechanism: &Mechanism, set: usize) -> bool {
    let set = &mechanism.sets[set];
    set.is_motion() || mechanism.constraints[set.constraints.clone()].iter().any(BoundConstraint::is_timed)
}

/// Whether the dropped rows stay closed when the mechanism is moved by `way` on the kept ones.
fn stays_closed(mechanism: &Mechanism, system: &mut System, poses: &[Pose], t: f64, way: f64) -> bool {
    let mut beside = poses.to_vec();
    displace(&mut beside, &scattered(mechanism, way), 1.0);
    let start = &mechanism.start;
    let Ok(kept) = polish(mechanism, &mut beside, (&start.drives, &start.angles), t) else { return true };
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

fn refuse_overdriven(mechanism: &Mechanism, system: &System, dropped: &[DependentRow], t: f64) -> Result<(), Error> {
    for dependent in dropped {
        let sets = involved(mechanism, dependent);
        let (own, _) = mechanism.all_row(dependent.row);
        let driven = |set: usize| is_motion(mechanism, set);
        if driven(own.set) || sets.iter().any(|&set| driven(set)) {
            if motions_are_independent(mechanism, system, dropped, t)? {
                return Ok(());
            }
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
fn involved(mechanism: &Mechanism, dependent: &DependentRow) -> Vec<usize> {
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

/// Numbers the rows that are kept; their pivots are chosen at `poses`.
fn number(mechanism: &mut Mechanism, dropped: &[DependentRow], poses: &[Pose]) {
    let redundancies = dropped
        .iter()
        .map(|dependent| {
            let (bound, row) = mechanism.all_row(dependent.row);
            let row = match bound.function() {
                Some(_) => "its equation".to_owned(),
                None => crate::constraint::table::describe(bound.constraint.form, row),
            };
            Redundancy {
                joint: mechanism.sets[bound.set].name.clone(),
                row,
                because_of: involved(mechanism, dependent)
                    .into_iter()
                    .filter(|&set| !is_motion(mechanism, set))
                    .map(|set| mechanism.sets[set].name.clone())
                    .collect(),
            }
        })
        .collect();
    mechanism.redundancies = redundancies;
    keep_all_but(mechanism, dropped, poses);
    let State { time, drives, angles, .. } = mechanism.start.clone();
    choice::begin(mechanism, poses, (time, &drives, &angles));
}

/// Numbers the rows but for the dropped ones.
pub(super) fn keep_all_but(mechanism: &mut Mechanism, dropped: &[DependentRow], poses: &[Pose]) {
    let mut keep = vec![true; mechanism.all_row_count()];
    dropped.iter().for_each(|dependent| keep[dependent.row] = false);
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
    mechanism.choice.mark = Choice::mark((0..keep.len()).filter(|&row| !keep[row]));
    saddle::prepare(mechanism, poses);
}
