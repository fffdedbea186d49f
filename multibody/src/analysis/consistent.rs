//! States put onto the constraints: what another program sets must be one that the mechanism can have.

use super::acceleration::{Accelerations, with_ground};
use super::assembly::{CLOSED, by_set, unit_free};
use super::corrections::{POLISHING, polish, velocities};
use crate::error::Error;
use crate::input::Inputs;
use crate::integrator::Error as IntegratorError;
use crate::mechanism::{Mechanism, Rows, System};
use crate::space::Pose;
use crate::state::State;

/// See [`Mechanism::consistent`].
pub(crate) fn consistent(mechanism: &Mechanism, state: &State, inputs: &Inputs) -> Result<State, Error> {
    check(mechanism, state)?;
    let chosen = mechanism.chosen_at(state);
    let near = chosen.as_ref().unwrap_or(mechanism);
    let mut poses = with_ground(&state.poses);
    for pose in &mut poses {
        // Rotation matrices that were typed in or rounded.
        let given = nalgebra::Rotation3::from_matrix_unchecked(pose.a);
        let quaternion = nalgebra::UnitQuaternion::from_rotation_matrix(&given);
        pose.a = nalgebra::UnitQuaternion::new_normalize(quaternion.into_inner()).to_rotation_matrix().into_inner();
    }
    let corrections = polish(near, &mut poses, (&state.drives, &state.angles), state.time)?;
    refuse_open(mechanism, &poses, state, corrections)?;
    velocities(near, &mut poses, &state.drives, state.time)?;
    let mut consistent = State { angles: state.angles.clone(), ..mechanism.start().clone() };
    consistent.time = state.time;
    consistent.drives.copy_from_slice(&state.drives);
    mechanism.count_angles(&mut consistent, &poses);
    poses.truncate(state.poses.len());
    consistent.poses = poses;
    // Multipliers are those of the rows that suit the positions found, whatever they were found from.
    let chosen = mechanism.chosen_at(&consistent);
    let mechanism = chosen.as_ref().unwrap_or(mechanism);
    let mut accelerations = Accelerations::new(mechanism, &consistent)?;
    accelerations.inputs_mut().clone_from(inputs);
    accelerations.solve(mechanism, &mut consistent)?;
    Ok(consistent)
}

fn check(mechanism: &Mechanism, state: &State) -> Result<(), Error> {
    let start = mechanism.start();
    let lengths = [
        ("poses", state.poses.len(), start.poses.len()),
        ("coordinates of motions", state.drives.len(), start.drives.len()),
        ("counted angles", state.angles.len(), start.angles.len()),
    ];
    if let Some(&(what, given, needed)) = lengths.iter().find(|(_, given, needed)| given != needed) {
        return Err(IntegratorError::Length { what, given, needed }.into());
    }
    let not_finite =
        |what, name: &str, value| Err(IntegratorError::NotFinite { what, name: name.to_owned(), value }.into());
    if !state.time.is_finite() {
        return not_finite("time", "the state", state.time);
    }
    for (body, pose) in mechanism.bodies().iter().zip(&state.poses) {
        let numbers = pose.x.iter().chain(pose.a.iter()).chain(pose.v.iter()).chain(pose.w.iter());
        if let Some(value) = numbers.copied().find(|value| !value.is_finite()) {
            return not_finite("state", &format!("body \"{}\"", body.name), value);
        }
    }
    match state.drives.iter().position(|value| !value.is_finite()) {
        Some(k) => not_finite("state", &mechanism.drive_unknown_name(k), state.drives[k]),
        None => Ok(()),
    }
}

/// Refuses positions that leave joints open.
fn refuse_open(mechanism: &Mechanism, poses: &[Pose], state: &State, residual: f64) -> Result<(), Error> {
    let mut system = System::new(mechanism, Rows::All);
    system.evaluate_drives(mechanism, state.time, &state.drives);
    system.count_from(&state.angles);
    let mut phi = vec![0.0; system.row_count()];
    system.defects(mechanism, poses, &mut phi);
    let relative = by_set(mechanism, &unit_free(mechanism, &phi));
    let joints: Vec<String> =
        (0..relative.len()).filter(|&set| !(relative[set] <= CLOSED)).map(|set| mechanism.set_name(set)).collect();
    if joints.is_empty() {
        return Ok(());
    }
    let residual = phi.iter().fold(residual, |a, b| a.max(b.abs()));
    Err(Error::NotAssembled { joints, residual, iterations: POLISHING })
}
