//! Initial conditions: positions, then velocities, then accelerations and multipliers.

use super::acceleration::{Accelerations, with_ground};
use super::assembly::{CLOSED, assemble, by_set};
use super::corrections::polish;
use super::{redundancy, stated};
use crate::constraint::{MAX_ROWS, Row};
use crate::drive::Law;
use crate::error::Error;
use crate::mechanism::{
    AssemblyReport, Begun, BoundConstraint, ChangedVelocity, Closure, Counted, EXACT, Level, Mechanism, Moved, NotKept,
    Part, Rows, System,
};
use crate::space::{Pose, V3, rotation_vector};
use crate::state::Tracked;
use std::f64::consts::TAU;

/// Changes below this are round-off, in lengths of the mechanism, rad, or relative to the largest velocity.
const ROUND_OFF: f64 = 1e-13;
/// What is left of the change of an exact value by its weight, at most so many times the inverse of that.
const WEIGHED: f64 = 100.0;
/// Part by which a stated velocity may change without a warning: people write three digits.
const WRITTEN: f64 = 1e-3;

/// Makes the start state of a freshly compiled mechanism consistent, finds its redundant rows, and reports.
pub(crate) fn initialize(mechanism: &mut Mechanism) -> Result<(), Error> {
    let t = mechanism.start.time;
    let given = mechanism.start.poses.clone();
    let mut poses = with_ground(&given);
    let mut system = System::new(mechanism, Rows::All);
    let open = open_rows(mechanism);
    let mut states = drive_starts(mechanism);
    system.evaluate_drives(mechanism, t, &states);
    let mut phi = vec![0.0; system.row_count()];
    system.defects(mechanism, &poses, &mut phi);
    for &row in &open {
        phi[row] = 0.0;
    }
    let before = by_set(mechanism, &phi);
    let mut iterations = assemble(mechanism, &mut system, &mut poses, t, &open)?;
    // Stated starts and motions move bodies as they are meant to; only how far the drawn joints were open is told.
    let closed = joined(mechanism, &mut system, &given, &poses, &before);
    iterations += stated::positions(mechanism, &mut poses, &with_ground(&given), &states, &open)?;
    start_drives(mechanism, &mut system, &poses, t, &mut states);
    mechanism.start.drives = states;
    // Composed rows begin with the angles as they are counted there.
    count_angles(mechanism, &poses);
    begin_composed(mechanism, &poses);
    system.count_from(&mechanism.start.angles);
    let singular_start = redundancy::drop_dependent_rows(mechanism, &mut system, &poses, t)?;
    let drives = mechanism.start.drives.clone();
    let angles = mechanism.start.angles.clone();
    polish(mechanism, &mut poses, (&drives, &angles), t)?;
    let determined = stated::velocities(mechanism, &mut poses, &drives, t, &open)?;
    system.evaluate_drives(mechanism, t, &mechanism.start.drives);
    system.defects(mechanism, &poses, &mut phi);
    let after = by_set(mechanism, &phi);
    let nearly_dependent = redundancy::nearly_dependent(mechanism, &mut system, &poses, t)?;
    poses.pop();
    let not_kept = not_kept(mechanism, &given, &poses);
    mechanism.assembly = AssemblyReport {
        moved: moved(mechanism, &given, &closed, &poses),
        changed: changed(mechanism, &given, &poses, &not_kept),
        not_kept,
        begun: begun(mechanism, &before),
        closures: closures(mechanism, &before, &after),
        determined,
        iterations,
        singular_start,
        nearly_dependent,
    };
    mechanism.start.poses = poses;
    let poses = with_ground(&mechanism.start.poses);
    count_angles(mechanism, &poses);
    accelerations(mechanism)
}

/// Where the joints alone close, `poses` being where the motions, too, have what they prescribe; `before` is what joints and motions were open.
fn joined(mechanism: &Mechanism, system: &mut System, given: &[Pose], poses: &[Pose], before: &[f64]) -> Vec<Pose> {
    let motions = || mechanism.constraints.iter().filter(|bound| bound.drive.is_some());
    if motions().all(|motion| before[motion.set] == 0.0) {
        return poses.to_vec();
    }
    let composed = mechanism.constraints.iter().filter(|bound| bound.begins());
    let rows: Vec<usize> = motions().chain(composed).map(|bound| bound.first).collect();
    let mut joined = with_ground(given);
    // Only a report depends on it.
    match assemble(mechanism, system, &mut joined, mechanism.start.time, &rows) {
        Ok(_) => joined,
        Err(_) => poses.to_vec(),
    }
}

/// Rows of motions given by velocity or acceleration without a start, composed ones, which hold wherever the joints happen to be, and rows that
/// hold velocities alone.
fn open_rows(mechanism: &Mechanism) -> Vec<usize> {
    let open = |d: usize| mechanism.drives[d].law != Law::Displacement && mechanism.drives[d].start.is_none();
    let begins =
        |c: &&BoundConstraint| c.begins() || c.drive.is_some_and(open) || c.constraint.form.holds_velocities_only();
    mechanism.constraints.iter().filter(begins).map(|c| c.first).collect()
}

/// Lets composed rows hold as the joints were assembled.
pub(super) fn begin_composed(mechanism: &mut Mechanism, poses: &[Pose]) {
    let counted = Counted { angles: &mechanism.start.angles, time: mechanism.start.time };
    for bound in mechanism.constraints.iter_mut().filter(|bound| bound.begins()) {
        let mut rows = [Row::zero(); MAX_ROWS];
        let value = |part: Part<'_>| {
            part.rows(poses, counted, &mut rows);
            rows[0].phi
        };
        let sum: f64 = bound.parts().map(value).sum();
        if let Some(composed) = &mut bound.composed {
            composed.offset += sum;
        }
    }
}

fn drive_starts(mechanism: &Mechanism) -> Vec<f64> {
    let mut states = vec![0.0; mechanism.drive_unknowns()];
    states.extend(mechanism.states.iter().map(|state| state.start));
    for drive in &mechanism.drives {
        match drive.law {
            Law::Displacement => {}
            Law::Velocity => states[drive.first] = drive.start.unwrap_or(0.0),
            Law::Acceleration => {
                states[drive.first] = drive.start.unwrap_or(0.0);
                states[drive.first + 1] = drive.start_rate;
            }
        }
    }
    states
}

/// Lets open drives begin where their joints were assembled.
fn start_drives(mechanism: &Mechanism, system: &mut System, poses: &[Pose], t: f64, states: &mut [f64]) {
    let mut phi = vec![0.0; system.row_count()];
    system.defects(mechanism, poses, &mut phi);
    for row in open_rows(mechanism) {
        let (bound, _) = mechanism.all_row(row);
        if let Some(d) = bound.drive {
            // The coordinate less the state 0 it was evaluated with.
            states[mechanism.drives[d].first] += phi[row];
        }
    }
    system.evaluate_drives(mechanism, t, states);
}

/// Largest speed of a body, turning at the length of the mechanism.
fn largest_speed(mechanism: &Mechanism, poses: &[Pose]) -> f64 {
    poses.iter().fold(0.0_f64, |a, p| a.max(p.v.norm()).max(p.w.norm() * mechanism.length))
}

/// How far a body was moved and turned, and how its velocities changed.
fn changes(old: &Pose, new: &Pose) -> [[V3; 2]; 2] {
    [[new.x - old.x, rotation_vector(&(new.a * old.a.transpose()))], [new.v - old.v, new.w - old.w]]
}

/// Bodies that start elsewhere than given; displaced are those that `closed`, the poses at which the drawn joints close, has elsewhere. Where joints state
/// at which coordinates they start, the drawing is a sketch, and none are displaced.
fn moved(mechanism: &Mechanism, given: &[Pose], closed: &[Pose], poses: &[Pose]) -> Vec<Moved> {
    let sketched = mechanism.stated.iter().any(|stated| stated.at(Level::Position).is_some());
    let speed = largest_speed(mechanism, poses);
    let mut moved = Vec::new();
    for (index, ((old, closed), new)) in given.iter().zip(closed).zip(poses).enumerate().take(mechanism.bodies.len()) {
        let [[translation, rotation], [velocity, angular_velocity]] = changes(old, new).map(|of| of.map(|v| v.norm()));
        let far = translation > ROUND_OFF * mechanism.length || rotation > 10.0 * ROUND_OFF;
        let faster = velocity > ROUND_OFF * speed || angular_velocity * mechanism.length > ROUND_OFF * speed;
        if far || (speed > 0.0 && faster) {
            let [[way, turn], _] = changes(old, closed);
            let apart = way.norm() > CLOSED * mechanism.length || turn.norm() > CLOSED;
            let displaced = apart && !sketched;
            let own = Moved {
                body: mechanism.known_name(index).to_owned(),
                translation,
                rotation,
                velocity,
                angular_velocity,
                displaced,
            };
            // Of a flexible body the way of its frame is told, and how far it bends where that stays.
            match moved.iter_mut().find(|told: &&mut Moved| told.body == own.body) {
                Some(told) => told.displaced |= own.displaced,
                None => moved.push(own),
            }
        }
    }
    moved
}

/// Exact start values that changed by more than a joint may be open, and by more than their weight leaves of the largest change.
fn not_kept(mechanism: &Mechanism, given: &[Pose], poses: &[Pose]) -> Vec<NotKept> {
    let length = mechanism.length;
    let speed = largest_speed(mechanism, poses);
    let pairs = || mechanism.bodies.iter().zip(given.iter().zip(poses));
    let mut allowed = [CLOSED * length, CLOSED * speed];
    for (_, (old, new)) in pairs() {
        for (allowed, [way, turn]) in allowed.iter_mut().zip(changes(old, new)) {
            *allowed = allowed.max(way.norm().max(turn.norm() * length) * WEIGHED / EXACT);
        }
    }
    let mut found = Vec::new();
    for (body, (old, new)) in pairs() {
        let changes = changes(old, new);
        for &value in &body.exact {
            let (level, coordinates) = value.coordinates();
            let component = |k: usize| changes[level][k / 3][k % 3];
            let arm = if coordinates.start < 3 { 1.0 } else { length };
            let change = coordinates.map(component).fold(0.0, f64::hypot);
            if change * arm > allowed[level] {
                found.push(NotKept { body: body.name.clone(), value, change });
            }
        }
    }
    found
}

/// Velocities other than zero that bodies state and that changed, but for what is told of exact ones, and for what formulas leave of a zero: round-off
/// of the largest speed stated or begun with, or of that of a fall through the length of the mechanism.
fn changed(mechanism: &Mechanism, given: &[Pose], poses: &[Pose], not_kept: &[NotKept]) -> Vec<ChangedVelocity> {
    let mut found = Vec::new();
    let length = mechanism.length;
    let fall = (mechanism.gravity.norm() * length).sqrt();
    let round_off = ROUND_OFF * largest_speed(mechanism, given).max(largest_speed(mechanism, poses)).max(fall);
    for (index, (body, (old, new))) in mechanism.bodies.iter().zip(given.iter().zip(poses)).enumerate() {
        for (is_angular, stated, start) in [(false, old.v, new.v), (true, old.w, new.w)] {
            let is_told = not_kept.iter().any(|told| {
                let (level, coordinates) = told.value.coordinates();
                told.body == body.name && level == 1 && (coordinates.start >= 3) == is_angular
            });
            let (change, arm) = ((start - stated).norm(), if is_angular { length } else { 1.0 });
            let counts = change > WRITTEN * stated.norm() && change * arm > round_off;
            if !is_told && counts && stated != V3::zeros() {
                found.push(ChangedVelocity { body: mechanism.known_name(index).to_owned(), is_angular, stated, start });
            }
        }
    }
    found
}

/// Motions that begin elsewhere than drawn; `before` is how far joints and motions were open.
fn begun(mechanism: &Mechanism, before: &[f64]) -> Vec<Begun> {
    let driven = mechanism.constraints.iter().filter(|bound| bound.drive.is_some());
    let of = |bound: &BoundConstraint| {
        let (motion, way, is_angle) =
            (mechanism.sets[bound.set].name.clone(), before[bound.set], bound.constraint.is_angular());
        let allowed = if is_angle { CLOSED } else { CLOSED * mechanism.length };
        (way > allowed).then_some(Begun { motion, way, is_angle })
    };
    driven.filter_map(of).collect()
}

fn closures(mechanism: &Mechanism, before: &[f64], after: &[f64]) -> Vec<Closure> {
    let names = (0..mechanism.sets.len()).map(|k| mechanism.sets[k].name.clone());
    names.zip(before).zip(after).map(|((joint, &before), &after)| Closure { joint, before, after }).collect()
}

/// Counted angles begin on the branch (-pi, pi], or with the angle that a joint of the same markers states.
fn count_angles(mechanism: &mut Mechanism, poses: &[Pose]) {
    let time = mechanism.start.time;
    mechanism.start.angles = (0..mechanism.tracked.len())
        .map(|k| {
            let [raw, rate] = mechanism.tracked_angle(k, poses);
            let turns =
                stated::counted(mechanism, &mechanism.tracked[k]).map_or(0.0, |value| ((value - raw) / TAU).round());
            let angle = raw + TAU * turns;
            Tracked { time, angle, rate }
        })
        .collect();
}

pub(super) fn accelerations(mechanism: &mut Mechanism) -> Result<(), Error> {
    let n = mechanism.bodies.len();
    let mut state = mechanism.start.clone();
    state.accelerations = vec![[V3::zeros(); 2]; n];
    state.multipliers = vec![0.0; mechanism.row_count()];
    if !mechanism.assembly.singular_start {
        Accelerations::new(mechanism, &state)?.solve(mechanism, &mut state)?;
    }
    mechanism.start = state;
    Ok(())
}
