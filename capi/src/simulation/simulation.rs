//! A simulation of a mechanism, advanced by the host.

use std::ffi::{CStr, c_char};

use fourbar::linalg::Interrupt;
use fourbar::simulation::{Progress, Simulation};

use super::options::{fourbar_simulation_options, integrator, named_as_given, overrides};
use crate::abi::error::Failure;
use crate::abi::handle::Exclusive;
use crate::abi::status::fourbar_status;
use crate::abi::{handle, view};
use crate::log;
use crate::model::failure;
use crate::model::mechanism::fourbar_mechanism;

/// A mechanism at a time, which the host advances, with contacts or without. Used by one thread at a time.
#[allow(non_camel_case_types)]
pub struct fourbar_simulation {
    own: Exclusive<Simulation>,
}

/// # Safety
/// `simulation` is NULL or alive.
#[inline]
pub(super) unsafe fn with(
    simulation: *const fourbar_simulation,
    call: impl FnOnce(&mut Simulation) -> Result<(), Failure>,
) -> fourbar_status {
    // SAFETY: by contract.
    match unsafe { simulation.as_ref() } {
        Some(simulation) => simulation.own.with("simulation", call),
        None => handle::null("simulation"),
    }
}

/// As [`with`], for what is read of a simulation, also of one that was interrupted.
///
/// # Safety
/// `simulation` is NULL or alive.
pub(super) unsafe fn read(
    simulation: *const fourbar_simulation,
    call: impl FnOnce(&mut Simulation) -> Result<(), Failure>,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe { with(simulation, |simulation| Interrupt::unwatched(|| call(simulation))) }
}

/// A simulation of `mechanism` at its start, t = 0, with `options` (NULL: all as the model says). The mechanism may be freed afterwards.
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_STRUCT_SIZE`; `FOURBAR_NOT_FINITE`, `FOURBAR_INVALID` for options out of range; `FOURBAR_UNSUPPORTED` for options that the model does not have;
/// `FOURBAR_NUMERICAL` for a start from which it cannot be simulated; `FOURBAR_CALLBACK`.
///
/// # Safety
/// Pointers are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulation_new(
    mechanism: *const fourbar_mechanism,
    options: *const fourbar_simulation_options,
    out: *mut *mut fourbar_simulation,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        handle::give(out, "out", || {
            let compiled = &view::reference(mechanism, "mechanism")?.compiled;
            let (overrides, integrator) = (overrides(options)?, integrator(options)?);
            let simulation = failure::run(|| {
                let begun = match integrator {
                    Some(integrator) => Simulation::with_integrator(compiled, &overrides, integrator),
                    None => Simulation::new(compiled, &overrides),
                };
                begun.map_err(|error| named_as_given(error, &overrides))
            })?;
            log::inform(|| format!("model \"{}\": a simulation begins", compiled.mechanism().name()));
            Ok(fourbar_simulation { own: Exclusive::new(simulation) })
        })
    }
}

/// What a step came to.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum fourbar_progress {
    /// A step of the method, short of the end.
    FOURBAR_PROGRESS_STEP = 1,
    /// Contacts closed, opened, stuck or slipped; `fourbar_simulation_event` tells.
    FOURBAR_PROGRESS_EVENT = 2,
    /// The end is reached, exactly.
    FOURBAR_PROGRESS_END = 3,
}

/// Goes to `time` \[s\], exactly, in as many steps of the method as it takes.
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_NOT_FINITE`; `FOURBAR_INVALID` for a time in the past; `FOURBAR_NUMERICAL`, `FOURBAR_CALLBACK` where the motion cannot
/// go on: it then stands at the end of the last step that could be made, from which it can be tried again.
///
/// # Safety
/// `simulation` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulation_step_to(simulation: *mut fourbar_simulation, time: f64) -> fourbar_status {
    // SAFETY: by contract.
    unsafe { with(simulation, |simulation| failure::run(|| simulation.step_to(time))) }
}

/// As `fourbar_simulation_step_to`, by `step` \[s\] from the present time.
///
/// Errors: as `fourbar_simulation_step_to`.
///
/// # Safety
/// `simulation` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulation_step(simulation: *mut fourbar_simulation, step: f64) -> fourbar_status {
    // SAFETY: by contract.
    unsafe { with(simulation, |simulation| failure::run(|| simulation.step_to(simulation.time() + step))) }
}

/// Makes one step of the method towards `end` \[s\], which it does not pass; `progress` (may be NULL) receives a value of `fourbar_progress`.
///
/// Errors: as `fourbar_simulation_step_to`.
///
/// # Safety
/// `simulation` is NULL or alive, `progress` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulation_advance(
    simulation: *mut fourbar_simulation,
    end: f64,
    progress: *mut i32,
) -> fourbar_status {
    use fourbar_progress as P;
    // SAFETY: by contract.
    unsafe {
        with(simulation, |simulation| {
            let made = match failure::run(|| simulation.advance(end))? {
                Progress::Step => P::FOURBAR_PROGRESS_STEP,
                Progress::Event => P::FOURBAR_PROGRESS_EVENT,
                Progress::End => P::FOURBAR_PROGRESS_END,
            };
            if !progress.is_null() {
                progress.write(made as i32);
            }
            Ok(())
        })
    }
}

/// The present time \[s\] and the number of steps of the method made; either may be NULL.
///
/// Errors: `FOURBAR_NULL`.
///
/// # Safety
/// Pointers are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulation_time(
    simulation: *const fourbar_simulation,
    time: *mut f64,
    steps: *mut u64,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(simulation, |simulation| {
            if !time.is_null() {
                time.write(simulation.time());
            }
            if !steps.is_null() {
                steps.write(simulation.steps());
            }
            Ok(())
        })
    }
}

/// The text of the last error on this handle; read it on the thread that uses the handle. Valid as long as the handle.
///
/// # Safety
/// `simulation` is NULL (then the text is empty) or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulation_error(simulation: *const fourbar_simulation) -> *const c_char {
    // SAFETY: by contract.
    unsafe { simulation.as_ref() }.map_or(CStr::as_ptr(c""), |simulation| simulation.own.message())
}

/// Frees a simulation. NULL is allowed.
///
/// # Safety
/// `simulation` is NULL or alive, and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulation_free(simulation: *mut fourbar_simulation) {
    // SAFETY: by contract.
    unsafe { handle::free(simulation) }
}
