//! Static equilibrium and linearization at the state of a simulation.

use fourbar::lti::StateSpace;

use super::simulation::{fourbar_simulation, with};
use crate::abi::error::Failure;
use crate::abi::handle;
use crate::abi::status::fourbar_status;
use crate::abi::view;
use crate::lti::system::fourbar_system;
use crate::model::failure;

/// Goes to the static equilibrium below the positions of now, at rest, for the inputs of now; motions stand still. Contacts that touch are held closed; those that would pull
/// open. `residual` (may be NULL) receives the
/// largest acceleration left over lengths of the mechanism or rad \[1/s^2\], `stable` (may be NULL) 1 where the equilibrium is stable,
/// else 0. The method begins anew there.
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_NUMERICAL` if none is found, `FOURBAR_CALLBACK`: the simulation is then where it was.
///
/// # Safety
/// Pointers are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulation_find_equilibrium(
    simulation: *mut fourbar_simulation,
    residual: *mut f64,
    stable: *mut i32,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(simulation, |simulation| {
            let found = failure::run(|| simulation.find_equilibrium())?;
            if !residual.is_null() {
                residual.write(found.residual);
            }
            if !stable.is_null() {
                stable.write(i32::from(found.stable));
            }
            Ok(())
        })
    }
}

/// The mechanism near its state of now as dx/dt = A x + B u, y = C x + D u: x holds the ways of f independent coordinates away from the motion, then
/// their rates, then those of the states that have a rate, u the inputs (FOURBAR_PART_INPUT), y the measures (FOURBAR_PART_MEASURE) as
/// deviations. Contacts that touch are held closed. The matrices are read by
/// `fourbar_system_matrix`; they come from differences of fourth order, to about eleven digits. `coordinates` (may be NULL with `length` 0) receives
/// which coordinates these are: 6 b + k is the way of the centre of mass of body b along its own x, y, z for k = 0, 1, 2 and the turn about these for
/// k = 3, 4, 5; `count` (may be NULL) receives f, which is at most six times the number of bodies.
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_LENGTH` where `length` is less than f and not 0; `FOURBAR_NUMERICAL`, `FOURBAR_CALLBACK`.
///
/// # Safety
/// `simulation` is NULL or alive; `coordinates` is NULL or has `length` values; `count` and `out` are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulation_linearize(
    simulation: *mut fourbar_simulation,
    coordinates: *mut usize,
    length: usize,
    count: *mut usize,
    out: *mut *mut fourbar_system,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(simulation, |simulation| {
            let linear = failure::run(|| simulation.linearize())?;
            let own = &linear.coordinates;
            if length != 0 && length < own.len() {
                let text = format!("'coordinates' has length {length}, but must have length {} at least", own.len());
                return Err(Failure::new(fourbar_status::FOURBAR_LENGTH, text));
            }
            let coordinates = view::slice_mut(coordinates, length, "coordinates")?;
            handle::nested(handle::give(out, "out", || {
                let system = StateSpace::new(linear.a.clone(), linear.b.clone(), linear.c.clone(), linear.d.clone())?;
                Ok(fourbar_system { system })
            }))?;
            if length != 0 {
                coordinates[..own.len()].copy_from_slice(own);
            }
            if !count.is_null() {
                count.write(own.len());
            }
            Ok(())
        })
    }
}
