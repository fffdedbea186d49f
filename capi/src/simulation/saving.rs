//! States of a simulation: as numbers, and saved whole.

use fourbar::multibody::State;
use fourbar::simulation::{Saved, Simulation};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

use super::reading::quaternion;
use super::simulation::{fourbar_simulation, read, with};
use crate::abi::error::Failure;
use crate::abi::handle::{Exclusive, nested};
use crate::abi::status::fourbar_status;
use crate::abi::{handle, view};
use crate::model::failure;
use crate::model::state::{PER_BODY, numbers_of};

/// A checkpoint of a simulation: everything on which the further steps depend.
#[allow(non_camel_case_types)]
pub struct fourbar_simulation_state {
    own: Exclusive<Saved>,
}

fn state_length(simulation: &Simulation) -> usize {
    numbers_of(simulation.compiled().mechanism())
}

/// The number of values of a state as numbers: 13 a body, and the coordinates of motions given by velocity (one) or acceleration (two).
///
/// Errors: `FOURBAR_NULL`.
///
/// # Safety
/// Pointers are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulation_state_length(
    simulation: *const fourbar_simulation,
    length: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe { with(simulation, |simulation| view::write(length, state_length(simulation), "length")) }
}

/// The state now: of each body the centre of mass \[m\], the quaternion w, x, y, z of the body frame, the velocity of the centre of mass \[m/s\] and the
/// angular velocity \[rad/s\], global frame; then the coordinates of motions.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_NUMERICAL`, `FOURBAR_CALLBACK`.
///
/// # Safety
/// `simulation` is NULL or alive; `values` is NULL or has `length` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulation_get_state(
    simulation: *mut fourbar_simulation,
    values: *mut f64,
    length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        read(simulation, |simulation| {
            let state = failure::run(|| simulation.state())?;
            view::copy(&flatten(state), values, length, "values")
        })
    }
}

pub(crate) fn flatten(state: &State) -> Vec<f64> {
    let mut values = Vec::with_capacity(PER_BODY * state.poses.len() + state.drives.len());
    for pose in &state.poses {
        values.extend_from_slice(pose.x.as_slice());
        values.extend_from_slice(&quaternion(pose));
        values.extend_from_slice(pose.v.as_slice());
        values.extend_from_slice(pose.w.as_slice());
    }
    values.extend_from_slice(&state.drives);
    values
}

/// Goes on from a state as numbers at `time` \[s\], put onto the constraints by the smallest corrections: positions first, then velocities. Quaternions are
/// normalized. The inputs keep their values of now; the method begins anew, and counts of steps with it.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_NOT_FINITE`, `FOURBAR_INVALID` for a quaternion 0, `FOURBAR_NUMERICAL` where joints cannot be closed from
/// there, `FOURBAR_CALLBACK`: the simulation is then where it was.
///
/// # Safety
/// `simulation` is NULL or alive; `values` is NULL or has `length` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulation_set_state(
    simulation: *mut fourbar_simulation,
    time: f64,
    values: *const f64,
    length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(simulation, |simulation| {
            let needed = state_length(simulation);
            if length != needed {
                let text = format!("'values' has length {length}, but must have length {needed}");
                return Err(Failure::new(fourbar_status::FOURBAR_LENGTH, text));
            }
            let values = view::slice(values, length, "values")?;
            let mut state = failure::run(|| simulation.state())?.clone();
            state.time = time;
            unflatten(values, &mut state)?;
            // Turns do not follow from rates over the time between: the nearest ones count.
            state.angles.iter_mut().for_each(|angle| angle.time = time);
            failure::run(|| simulation.set_state(&state))
        })
    }
}

pub(crate) fn unflatten(values: &[f64], state: &mut State) -> Result<(), Failure> {
    let (bodies, drives) = values.split_at(PER_BODY * state.poses.len());
    for (body, (pose, v)) in state.poses.iter_mut().zip(bodies.chunks_exact(PER_BODY)).enumerate() {
        let q = Quaternion::new(v[3], v[4], v[5], v[6]);
        if q.norm() == 0.0 {
            let text = format!("the quaternion of body {body} is 0; give one of length 1");
            return Err(Failure::new(fourbar_status::FOURBAR_INVALID, text));
        }
        pose.x = Vector3::from_column_slice(&v[..3]);
        pose.a = UnitQuaternion::new_normalize(q).to_rotation_matrix().into_inner();
        pose.v = Vector3::from_column_slice(&v[7..10]);
        pose.w = Vector3::from_column_slice(&v[10..]);
    }
    state.drives.copy_from_slice(drives);
    Ok(())
}

fn check_own(simulation: &Simulation, saved: &Saved) -> Result<(), Failure> {
    if saved.is_of(simulation) {
        return Ok(());
    }
    let text = "the snapshot is of another compiled mechanism: it goes into simulations of the fourbar_mechanism it was saved from, not of \
                another compilation of the same model; its bytes do (fourbar_simulation_state_to_bytes)";
    Err(Failure::new(fourbar_status::FOURBAR_STATE, text))
}

/// Saves everything on which the further steps depend, the list of events included.
///
/// Errors: `FOURBAR_NULL`.
///
/// # Safety
/// Pointers are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulation_save(
    simulation: *const fourbar_simulation,
    out: *mut *mut fourbar_simulation_state,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(simulation, |simulation| {
            nested(handle::give(out, "out", || Ok(fourbar_simulation_state { own: Exclusive::new(simulation.save()) })))
        })
    }
}

/// Back to a checkpoint saved by this simulation, or by another one of the same mechanism followed by the same method; the further steps are those
/// that followed it, bit for bit.
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_STATE` for a checkpoint of another mechanism or method: the simulation is then where it was.
///
/// # Safety
/// Pointers are NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulation_restore(
    simulation: *mut fourbar_simulation,
    saved: *const fourbar_simulation_state,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(simulation, |simulation| {
            let saved = view::reference(saved, "saved")?;
            nested(saved.own.with("saved", |saved| {
                check_own(simulation, saved)?;
                failure::run(|| simulation.restore(saved))
            }))
        })
    }
}

/// The bytes of a checkpoint, to be kept in a file or sent to another process: into `buffer` of `size` bytes; `needed` receives how many they
/// are, also where `size` is 0 and `buffer` NULL. `fourbar_simulation_state_from_bytes` makes the checkpoint again.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_BUSY`; `FOURBAR_LENGTH` for a buffer that is too short; `FOURBAR_STATE` for a checkpoint of another compiled mechanism.
///
/// # Safety
/// Handles are NULL or alive; `buffer` is NULL or has `size` bytes; `needed` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulation_state_to_bytes(
    simulation: *const fourbar_simulation,
    saved: *const fourbar_simulation_state,
    buffer: *mut u8,
    size: usize,
    needed: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(simulation, |simulation| {
            let saved = view::reference(saved, "saved")?;
            nested(saved.own.with("saved", |saved| {
                check_own(simulation, saved)?;
                let bytes = failure::run(|| simulation.checkpoint_to_bytes(saved))?;
                view::copy_bytes(&bytes, buffer, size, needed)
            }))
        })
    }
}

/// The checkpoint whose bytes these are, for `fourbar_simulation_restore`. It was written by a simulation of the same model,
/// settings and method, in this process or another; the host's functions are taken to be the same.
/// `simulation` itself stays where it is.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_BUSY`; `FOURBAR_INVALID` for bytes that are no checkpoint, incomplete or damaged; `FOURBAR_STATE` for a checkpoint of another model, settings or method;
/// `FOURBAR_UNSUPPORTED` for one that another version of the library wrote.
///
/// # Safety
/// `simulation` is NULL or alive; `bytes` is NULL or has `length` bytes; `out` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulation_state_from_bytes(
    simulation: *const fourbar_simulation,
    bytes: *const u8,
    length: usize,
    out: *mut *mut fourbar_simulation_state,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(simulation, |simulation| {
            nested(handle::give(out, "out", || {
                let bytes = view::slice(bytes, length, "bytes")?;
                let own = Exclusive::new(failure::run(|| simulation.checkpoint_from_bytes(bytes))?);
                Ok(fourbar_simulation_state { own })
            }))
        })
    }
}

/// Frees a checkpoint. NULL is allowed.
///
/// # Safety
/// `saved` is NULL or alive, and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulation_state_free(saved: *mut fourbar_simulation_state) {
    // SAFETY: by contract.
    unsafe { handle::free(saved) }
}
