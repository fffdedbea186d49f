//! The run: set up, stepped, its cost.

use std::ffi::c_char;

use fourbar::coupling::{Master, RunState};
use fourbar::linalg::Interrupt;

use super::building::fourbar_coupling;
use super::failure::of_coupling;
use super::stage::{Watch, state_number, with};
use crate::abi::error::Failure;
use crate::abi::interrupt;
use crate::abi::options::{self, Grows};
use crate::abi::status::fourbar_status;

/// Where a run stands.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum fourbar_run_state {
    /// Set up, nothing exchanged yet.
    FOURBAR_RUN_INITIALISED = 1,
    /// Between two communication points; the next step goes on.
    FOURBAR_RUN_RUNNING = 2,
    /// The same, at rest.
    FOURBAR_RUN_PAUSED = 3,
    /// Stopped by a fault.
    FOURBAR_RUN_FAILED = 4,
    /// At its end time.
    FOURBAR_RUN_FINISHED = 5,
}

/// Counts of a run.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct fourbar_coupling_statistics {
    /// sizeof(fourbar_coupling_statistics).
    pub struct_size: usize,
    /// Communication steps accepted.
    pub steps: u64,
    /// Communication steps undone because the tolerance was missed.
    pub rejected: u64,
    /// Sweeps of the iterated algorithm.
    pub sweeps: u64,
    /// Largest number of sweeps in one step.
    pub most_sweeps: u64,
    /// Steps whose iteration did not converge.
    pub unconverged: u64,
    /// Faults caught, retries included.
    pub faults: u64,
    /// Faults handled with a warning.
    pub warnings: u64,
    /// Times the last good values of a partner were held.
    pub held: u64,
}

// SAFETY: numbers, the size first.
unsafe impl Grows for fourbar_coupling_statistics {
    const NAME: &'static str = "fourbar_coupling_statistics";
    const FIRST: usize = size_of::<Self>();

    fn defaults() -> Self {
        counts(&Default::default())
    }
}

fn counts(own: &fourbar::coupling::management::Statistics) -> fourbar_coupling_statistics {
    fourbar_coupling_statistics {
        struct_size: size_of::<fourbar_coupling_statistics>(),
        steps: own.steps,
        rejected: own.rejected,
        sweeps: own.sweeps,
        most_sweeps: own.most_sweeps,
        unconverged: own.unconverged,
        faults: own.faults,
        warnings: own.warnings,
        held: own.held,
    }
}

/// Sets up the run, if that is not done, and makes the initial exchange: everything is checked, and outputs have their values at the start.
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_NO_SUCH_NAME`, `FOURBAR_INVALID`, `FOURBAR_NOT_FINITE`, `FOURBAR_UNSUPPORTED` for what does not fit together: the coupling can then only be freed;
/// `FOURBAR_CALLBACK` with the fault that stopped the run; `FOURBAR_STATE` where it has no partners yet, which can still be added.
///
/// # Safety
/// `coupling` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_coupling_start(coupling: *mut fourbar_coupling) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(coupling, |coupling| {
            interrupt::go_on()?;
            Interrupt::unwatched(|| {
                let (master, watch) = coupling.started()?;
                master.initialize(watch).map_err(|error| of_coupling(&error)).map(|_| ())
            })
        })
    }
}

/// One communication step; the first sets up the run and makes the initial exchange before it. `state` receives a value of `fourbar_run_state`; at
/// the end time nothing is done. It may be NULL.
///
/// Errors: as `fourbar_coupling_start`; a run that was stopped by a fault gives the same error again.
///
/// # Safety
/// Pointers are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_coupling_step(coupling: *mut fourbar_coupling, state: *mut i32) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(coupling, |coupling| {
            interrupt::go_on()?;
            let reached = Interrupt::unwatched(|| {
                let (master, watch) = coupling.started()?;
                master.step(watch).map_err(|error| of_coupling(&error))
            })?;
            if !state.is_null() {
                state.write(state_number(reached));
            }
            Ok(())
        })
    }
}

/// Communication steps until the common time is `time` \[s\] or later, or the end time. `state` receives a value of `fourbar_run_state`; it may be
/// NULL.
///
/// Errors: as `fourbar_coupling_step`; `FOURBAR_NOT_FINITE` for a time that is not finite, where the run has no end; `FOURBAR_INTERRUPTED` between two
/// communication steps, from where the run goes on.
///
/// # Safety
/// Pointers are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_coupling_run_to(
    coupling: *mut fourbar_coupling,
    time: f64,
    state: *mut i32,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(coupling, |coupling| {
            interrupt::go_on()?;
            let (master, watch) = Interrupt::unwatched(|| coupling.started())?;
            if time.is_nan() || (time.is_infinite() && master.clock().end().is_infinite()) {
                let text = format!("'time' is {time}: the run would not come back");
                return Err(Failure::new(fourbar_status::FOURBAR_NOT_FINITE, text));
            }
            let reached = run_to(master, watch, time)?;
            if !state.is_null() {
                state.write(state_number(reached));
            }
            Ok(())
        })
    }
}

fn run_to(master: &mut Master, watch: &mut Watch, time: f64) -> Result<RunState, Failure> {
    let failed = |error| of_coupling(&error);
    let mut state = Interrupt::unwatched(|| master.initialize(watch)).map_err(failed)?;
    // A communication point that misses the time by round-off alone is that point.
    let near = 1e-9 * master.clock().tick();
    while state != RunState::Finished && master.clock().time() < time - near {
        // A partner that is interrupted within a step has failed: the run ends between two.
        interrupt::go_on()?;
        state = Interrupt::unwatched(|| master.step(watch)).map_err(failed)?;
    }
    Ok(state)
}

/// The common time \[s\] and where the run stands (`fourbar_run_state`); each may be NULL where it is not asked for.
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_STATE` before the run is set up.
///
/// # Safety
/// Pointers are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_coupling_time(
    coupling: *const fourbar_coupling,
    time: *mut f64,
    state: *mut i32,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(coupling, |coupling| {
            let (master, _) = coupling.running()?;
            if !time.is_null() {
                time.write(master.clock().time());
            }
            if !state.is_null() {
                state.write(state_number(master.state()));
            }
            Ok(())
        })
    }
}

/// What the run has cost so far; `size` is sizeof(fourbar_coupling_statistics).
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`; `FOURBAR_STATE` before the run is set up.
///
/// # Safety
/// `statistics` is NULL or has `size` bytes; `coupling` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_coupling_get_statistics(
    coupling: *const fourbar_coupling,
    statistics: *mut fourbar_coupling_statistics,
    size: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(coupling, |coupling| {
            let (master, _) = coupling.running()?;
            options::write(statistics, size, &counts(master.statistics()))
        })
    }
}

/// The text of the last failure on this handle, empty before the first: valid as long as the handle.
///
/// # Safety
/// `coupling` is NULL or alive; no other thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_coupling_error(coupling: *const fourbar_coupling) -> *const c_char {
    // SAFETY: by contract.
    unsafe { coupling.as_ref() }.map_or(c"".as_ptr(), |coupling| coupling.own.message())
}
