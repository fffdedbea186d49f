//! A mechanism that becomes another one while it moves: elements let go or lock, parameters and inputs take other values.
//!
//! Positions go on. Velocities are put onto the rows that act from there on by the impulse of the joints and motions,
//!
//! ```text
//! M dv + Phi_q^T p = 0,   Phi_q (v + dv) = -Phi_t      (Pfeiffer, Glocker, Multibody Dynamics with Unilateral Contacts, 1996, ch. 8)
//! ```
//!
//! a perfectly inelastic impact: dv is the smallest change in the norm of the kinetic energy. Rank and redundancy are found anew.

use super::acceleration::{Accelerations, with_ground};
use super::assembly::{assemble, by_set, unit_free};
use super::corrections::polish;
use super::initial::{accelerations, begin_composed};
use super::redundancy;
use super::sample::{kinetic_energy, potential_energy};
use crate::constraint::{MAX_ROWS, Row};
use crate::drive::Law;
use crate::error::Error;
use crate::input::Inputs;
use crate::mechanism::{DROPPED, Element, Mechanism, Rows, System, Variant};
use crate::model::{ElementKind, JointKind};
use crate::space::{FixedFrame, Pose, V3};
use crate::state::State;

/// How far joints that lock may be open, in lengths of the mechanism or rad: what integration leaves of two bodies that are to meet there,
/// with the loosest tolerances in use. Bodies are moved by it.
const MEETS: f64 = 1e-4;
/// Part of the energy up to which a difference is rounding: a few thousand units in the last place.
const ROUND_OFF: f64 = 1e-12;

/// What became of a mechanism.
#[derive(Debug)]
pub(super) struct Reopened {
    pub(super) mechanism: Mechanism,
    /// Of each element that locked, the sizes of its impulse \[N s\] and angular impulse about the origin of its marker I \[N m s\].
    pub(super) impulses: Vec<(Element, [f64; 2])>,
    /// Change of kinetic and potential energy \[J\].
    pub(super) energy: f64,
}

/// What is to become of a mechanism.
#[derive(Debug, Default)]
pub(super) struct Change {
    pub(super) variant: Variant,
    /// Elements that act from there on and did not before.
    pub(super) locked: Vec<Element>,
    /// Inputs with their new values.
    pub(super) inputs: Vec<(usize, f64)>,
}

/// The mechanism that `old` becomes by `change` at `state`; its start is the state behind the change.
///
/// # Errors
/// [`Error::DoesNotMeet`] for a joint that is open where it is to lock; [`Error::Model`], [`Error::Overdriven`], [`Error::Singular`],
/// [`Error::Evaluation`].
pub(super) fn reopen(old: &Mechanism, change: Change, state: &State, inputs: &Inputs) -> Result<Reopened, Error> {
    let Some(origin) = old.origin.clone() else {
        return Ok(Reopened { mechanism: old.clone(), impulses: Vec::new(), energy: 0.0 });
    };
    let mut poses = with_ground(&state.poses);
    // What integration leaves open is no part of the poses that joints take.
    polish(old, &mut poses, (&state.drives, &state.angles), state.time)?;
    let Change { mut variant, locked, inputs: set } = change;
    take_poses(old, &origin.model, &mut variant, &locked, &poses);
    let mut new = crate::compile::compile(&origin.model, &origin.functions, &variant)?;
    new.origin = Some(origin);
    new.assembly = old.assembly.clone();
    for (k, input) in new.inputs.iter_mut().enumerate() {
        input.start = inputs.value(k, state.time);
    }
    set.iter().for_each(|&(k, value)| new.inputs[k].start = value);
    new.start = State { multipliers: Vec::new(), ..state.clone() };
    go_on_composed(old, &mut new, &poses);
    begin_motions(&mut new, &locked, &poses);
    let mut system = System::new(&new, Rows::All);
    system.evaluate_drives(&new, state.time, &new.start.drives);
    system.count_from(&new.start.angles);
    refuse_open(old, &new, &system, &poses, &locked)?;
    // Rows that depend on each other do so where all are closed.
    assemble(&new, &mut system, &mut poses, state.time, &[]).map_err(|error| contradicted(error, state.time))?;
    new.assembly.singular_start = redundancy::drop_dependent_rows(&mut new, &mut system, &poses, state.time)?;
    if new.assembly.singular_start {
        return Err(singular(state.time));
    }
    let (drives, angles) = (new.start.drives.clone(), new.start.angles.clone());
    polish(&new, &mut poses, (&drives, &angles), state.time)?;
    new.start.poses.copy_from_slice(&poses[..state.poses.len()]);
    new.start.multipliers = vec![0.0; new.row_count()];
    let mut struck = new.start.clone();
    let mut impact = Accelerations::new(&new, &struck)?;
    impact.strike(&new, &mut struck)?;
    let impulses = locked.iter().filter(|(kind, _)| *kind != ElementKind::Force);
    let impulses = impulses.map(|element| (element.clone(), impulse(&new, element, impact.impulses(), &poses)));
    let impulses = impulses.collect();
    let poses = with_ground(&struck.poses);
    new.count_angles(&mut struck, &poses);
    new.start = struck;
    accelerations(&mut new)?;
    let [after, before] = [energy(&new, &new.start), energy(old, state)];
    // What closing joints to round-off moves is no change.
    let round_off = ROUND_OFF * after.abs().max(before.abs());
    let energy = if (after - before).abs() > round_off { after - before } else { 0.0 };
    Ok(Reopened { mechanism: new, impulses, energy })
}

fn energy(mechanism: &Mechanism, state: &State) -> f64 {
    kinetic_energy(mechanism, &state.poses) + potential_energy(mechanism, state, &with_ground(&state.poses))
}

fn singular(time: f64) -> Error {
    Error::Singular {
        analysis: "switching",
        time,
        place: "the position at which elements lock or let go".to_owned(),
        remedy: "constraints are independent beside this position but not at it; switch a little earlier or later"
            .to_owned(),
    }
}

/// `error` of joints that are nearly closed, each for itself, but not all together.
fn contradicted(error: Error, time: f64) -> Error {
    match error {
        Error::NotAssembled { joints, residual, .. } if !joints.is_empty() => Error::DoesNotMeet {
            element: joints.join(", "),
            time,
            gap: residual,
            remedy: "what locks there contradicts what acts already; draw their places and axes so that all can be closed at once",
        },
        other => other,
    }
}

/// The set of a joint or motion.
pub(super) fn set_of(mechanism: &Mechanism, (kind, name): &Element) -> Option<usize> {
    mechanism.sets.iter().position(|set| {
        let is_kind = match kind {
            ElementKind::Joint => set.joint.is_some_and(|kind| kind != JointKind::Rolling),
            ElementKind::Motion => set.is_motion(),
            ElementKind::Force => false,
        };
        is_kind && set.name == *name
    })
}

/// Lets joints that hold a pose or a distance hold that at which they lock: fixed, orientation, and distance without a length of its own.
fn take_poses(old: &Mechanism, model: &crate::model::Model, variant: &mut Variant, locked: &[Element], poses: &[Pose]) {
    for element in locked {
        let (Some(set), (_, name)) = (set_of(old, element).map(|set| &old.sets[set]), element) else { continue };
        let (i, j, body) = (&set.i, &set.j, &poses[set.j.body]);
        let c = body.a.tr_mul(&i.axes(poses));
        match set.joint {
            Some(JointKind::Fixed) => {
                let r = body.a.tr_mul(&(i.origin(poses) - body.x));
                variant.frames.insert(name.clone(), FixedFrame { body: j.body, r, c });
            }
            Some(JointKind::Orientation) => {
                variant.frames.insert(name.clone(), FixedFrame { c, ..*j });
            }
            Some(JointKind::Distance) if model.joints.iter().any(|own| own.name == *name && own.length.is_none()) => {
                variant.lengths.insert(name.clone(), (i.origin(poses) - j.origin(poses)).norm());
            }
            _ => {}
        }
    }
}

/// Rows of couplers, gears and racks keep their offsets; where a ratio was set they hold from where the joints are.
fn go_on_composed(old: &Mechanism, new: &mut Mechanism, poses: &[Pose]) {
    let mut changed = false;
    let before = |set: usize| old.composed(set).map(|(_, composed)| composed.clone());
    for bound in &mut new.constraints {
        let (set, Some(composed)) = (bound.set, &mut bound.composed) else { continue };
        match before(set) {
            Some(before) if before.terms == composed.terms => composed.offset = before.offset,
            _ => changed = true,
        }
    }
    if changed {
        begin_composed(new, poses);
    }
}

/// Motions by their rates that begin to act do so at the present coordinate, those by their second rates also at its present rate.
fn begin_motions(new: &mut Mechanism, locked: &[Element], poses: &[Pose]) {
    let mut system = System::new(new, Rows::All);
    let mut states = new.start.drives.clone();
    system.evaluate_drives(new, new.start.time, &states);
    system.count_from(&new.start.angles);
    let (mut phi, mut rates) = (vec![0.0; system.row_count()], vec![0.0; system.row_count()]);
    system.defects(new, poses, &mut phi);
    system.defect_rates(new, poses, &mut rates);
    for element in locked.iter().filter(|(kind, _)| *kind == ElementKind::Motion) {
        let set = set_of(new, element).map(|set| new.sets[set].constraints.clone());
        for bound in set.into_iter().flatten().map(|k| &new.constraints[k]) {
            let Some(drive) = bound.drive.map(|d| &new.drives[d]) else { continue };
            if drive.law != Law::Displacement {
                states[drive.first] += phi[bound.first];
            }
            if drive.law == Law::Acceleration {
                states[drive.first + 1] += rates[bound.first];
            }
        }
    }
    new.start.drives = states;
}

/// Refuses joints and motions that are open where they are to lock, and others that a parameter has opened.
fn refuse_open(
    old: &Mechanism,
    new: &Mechanism,
    system: &System,
    poses: &[Pose],
    locked: &[Element],
) -> Result<(), Error> {
    let mut phi = vec![0.0; system.row_count()];
    system.defects(new, poses, &mut phi);
    let relative = by_set(new, &unit_free(new, &phi));
    let Some(set) = (0..relative.len()).find(|&set| !(relative[set] <= MEETS)) else { return Ok(()) };
    let gap = by_set(new, &phi)[set];
    let locks = locked.iter().any(|element| set_of(new, element) == Some(set));
    let remedy = match (locks, new.sets[set].is_motion()) {
        (true, true) => {
            "let the motion begin where the coordinate is, or give its `velocity`, which goes on from the present coordinate"
        }
        (true, false) => "lock it where its markers meet, or use a fixed joint, which keeps the pose that it finds",
        (false, true) => {
            "what a sensor sets there makes its displacement jump; let the displacement begin at 0 there, as a ramp over the time since, or give \
             the motion a `velocity`, which goes on from the present coordinate"
        }
        (false, false) => "set parameters of forces and motions only, not of places and sizes of joints",
    };
    let (element, time) = (old.set_name(set), new.start.time);
    Err(Error::DoesNotMeet { element, time, gap, remedy })
}

/// Sizes of the impulse of a joint or motion and of its moment about the origin of marker I, of the multipliers `p` of independent rows.
fn impulse(mechanism: &Mechanism, element: &Element, p: &[f64], poses: &[Pose]) -> [f64; 2] {
    let Some(set) = set_of(mechanism, element).map(|set| &mechanism.sets[set]) else { return [0.0; 2] };
    let (mut force, mut torque) = (V3::zeros(), V3::zeros());
    let mut rows = [Row::zero(); MAX_ROWS];
    for bound in &mechanism.constraints[set.constraints.clone()] {
        bound.constraint.rows(poses, &mut rows);
        for (row, &at) in rows.iter().zip(&bound.rows[..bound.constraint.row_count()]) {
            if at != DROPPED {
                force -= row.g * p[at as usize];
                torque -= row.gi * p[at as usize];
            }
        }
    }
    torque -= set.i.arm(poses).cross(&force);
    [force.norm(), torque.norm()]
}
