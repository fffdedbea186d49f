//! Faults of a run: how seriously each class is taken, and what happened.

use std::ffi::c_char;

use fourbar::coupling::management::{Fallback, Handling, Level};

use super::building::fourbar_coupling;
use super::stage::{with, with_building};
use crate::abi::error::Failure;
use crate::abi::status::fourbar_status;
use crate::abi::view;

/// Classes of faults.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum fourbar_fault_class {
    /// A partner reports an error; stops the run by default.
    FOURBAR_FAULT_COMMUNICATION = 1,
    /// A value is NaN or infinite; stops the run by default.
    FOURBAR_FAULT_SAMPLING = 2,
    /// A partner is at another time than the clock; stops the run by default.
    FOURBAR_FAULT_TIME = 3,
    /// A partner does not answer within its limit; stops the run by default.
    FOURBAR_FAULT_TIME_LIMIT = 4,
    /// An iteration did not converge, or an algebraic loop was not solved; a warning by default.
    FOURBAR_FAULT_CONVERGENCE = 5,
    /// The tolerance is missed at the shortest step, an oscillation grows by the coupling, or the error of the whole run is estimated above 1 %; a
    /// warning by default.
    FOURBAR_FAULT_ACCURACY = 6,
    /// The run is behind the wall clock; an information by default.
    FOURBAR_FAULT_OVERRUN = 7,
}

/// How serious a fault is taken. The first two are for the last three classes, RETRY and HOLD for the first four.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum fourbar_fault_level {
    /// Reported; the run goes on.
    FOURBAR_LEVEL_INFORM = 1,
    /// Reported as a warning; the run goes on.
    FOURBAR_LEVEL_WARN = 2,
    /// The partner returns to its last state and is asked again, as often as said; then the run stops.
    FOURBAR_LEVEL_RETRY = 3,
    /// As RETRY; then as HOLD.
    FOURBAR_LEVEL_RETRY_THEN_HOLD = 4,
    /// The last good values of the partner stand in until it gives good ones again.
    FOURBAR_LEVEL_HOLD = 5,
    /// The run ends.
    FOURBAR_LEVEL_STOP = 6,
}

/// What was done about a fault.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum fourbar_fault_handling {
    /// The run went on.
    FOURBAR_HANDLING_INFORMED = 1,
    /// The run went on; its results are less good.
    FOURBAR_HANDLING_WARNED = 2,
    /// The partner was asked again.
    FOURBAR_HANDLING_RETRIED = 3,
    /// The last good values were held.
    FOURBAR_HANDLING_HELD = 4,
    /// The partner was brought back from its last good saved state.
    FOURBAR_HANDLING_RESTORED = 5,
    /// The run ended.
    FOURBAR_HANDLING_STOPPED = 6,
}

/// Sets how serious a class of faults (`fourbar_fault_class`) is taken (`fourbar_fault_level`); `attempts` is for the levels with RETRY, at least 1.
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_INVALID`; `FOURBAR_STATE` once the run has begun. A level that cannot handle the class is refused when the run is set up.
///
/// # Safety
/// `coupling` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_coupling_set_fault_level(
    coupling: *mut fourbar_coupling,
    class: i32,
    level: i32,
    attempts: u32,
) -> fourbar_status {
    use fourbar_fault_class as C;
    // SAFETY: by contract.
    unsafe {
        with_building(coupling, |building| {
            let level = level_of(level, attempts)?;
            let faults = &mut building.options.faults;
            let classes = [
                (C::FOURBAR_FAULT_COMMUNICATION, &mut faults.communication),
                (C::FOURBAR_FAULT_SAMPLING, &mut faults.sampling),
                (C::FOURBAR_FAULT_TIME, &mut faults.time),
                (C::FOURBAR_FAULT_TIME_LIMIT, &mut faults.time_limit),
                (C::FOURBAR_FAULT_CONVERGENCE, &mut faults.convergence),
                (C::FOURBAR_FAULT_ACCURACY, &mut faults.accuracy),
                (C::FOURBAR_FAULT_OVERRUN, &mut faults.overrun),
            ];
            match classes.into_iter().find(|(known, _)| *known as i32 == class) {
                Some((_, own)) => *own = level,
                None => return Err(invalid(format!("class is {class}, which is no fourbar_fault_class"))),
            }
            Ok(())
        })
    }
}

fn invalid(text: String) -> Failure {
    Failure::new(fourbar_status::FOURBAR_INVALID, text)
}

fn level_of(level: i32, attempts: u32) -> Result<Level, Failure> {
    use fourbar_fault_level as L;
    let is = |known: L| known as i32 == level;
    let retry = |then| match attempts {
        0 => Err(invalid("attempts is 0; ask a partner again at least once".into())),
        attempts => Ok(Level::Retry { attempts, then }),
    };
    if is(L::FOURBAR_LEVEL_INFORM) {
        Ok(Level::Inform)
    } else if is(L::FOURBAR_LEVEL_WARN) {
        Ok(Level::Warn)
    } else if is(L::FOURBAR_LEVEL_RETRY) {
        retry(Fallback::Stop)
    } else if is(L::FOURBAR_LEVEL_RETRY_THEN_HOLD) {
        retry(Fallback::Hold)
    } else if is(L::FOURBAR_LEVEL_HOLD) {
        Ok(Level::Hold)
    } else if is(L::FOURBAR_LEVEL_STOP) {
        Ok(Level::Stop)
    } else {
        Err(invalid(format!("level is {level}, which is no fourbar_fault_level")))
    }
}

/// The number of faults that are kept, the first 10,000, and of all that were caught; each may be NULL where it is not asked for.
///
/// Errors: `FOURBAR_NULL`.
///
/// # Safety
/// Pointers are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_coupling_fault_count(
    coupling: *const fourbar_coupling,
    kept: *mut usize,
    all: *mut u64,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(coupling, |coupling| {
            if !kept.is_null() {
                kept.write(coupling.watch.faults.len());
            }
            if !all.is_null() {
                all.write(coupling.watch.count);
            }
            Ok(())
        })
    }
}

/// Fault `i` (from 0): its level (`fourbar_fault_level`), what was done (`fourbar_fault_handling`), its time \[s\], and its text into `buffer` of `size` bytes as
/// `fourbar_coupling_output_name` does. `level`, `handling` and `time` may be NULL where they are not asked for.
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_INVALID` where there is no such fault; `FOURBAR_LENGTH` when the buffer is too short.
///
/// # Safety
/// `buffer` is NULL or has `size` bytes; the others are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_coupling_fault(
    coupling: *const fourbar_coupling,
    i: usize,
    level: *mut i32,
    handling: *mut i32,
    time: *mut f64,
    buffer: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(coupling, |coupling| {
            let faults = &coupling.watch.faults;
            let Some(own) = faults.get(i) else {
                return Err(invalid(format!("fault {i} was asked for; there are {}, counted from 0", faults.len())));
            };
            view::copy_text(&own.text, buffer, size, needed)?;
            for (out, value) in [(level, level_number(own.level)), (handling, handling_number(own.handling))] {
                if !out.is_null() {
                    out.write(value);
                }
            }
            if !time.is_null() {
                time.write(own.time);
            }
            Ok(())
        })
    }
}

fn level_number(level: Level) -> i32 {
    use fourbar_fault_level as L;
    (match level {
        Level::Inform => L::FOURBAR_LEVEL_INFORM,
        Level::Warn => L::FOURBAR_LEVEL_WARN,
        Level::Retry { then: Fallback::Stop, .. } => L::FOURBAR_LEVEL_RETRY,
        Level::Retry { then: Fallback::Hold, .. } => L::FOURBAR_LEVEL_RETRY_THEN_HOLD,
        Level::Hold => L::FOURBAR_LEVEL_HOLD,
        Level::Stop => L::FOURBAR_LEVEL_STOP,
    }) as i32
}

fn handling_number(handling: Handling) -> i32 {
    use fourbar_fault_handling as H;
    (match handling {
        Handling::Informed => H::FOURBAR_HANDLING_INFORMED,
        Handling::Warned => H::FOURBAR_HANDLING_WARNED,
        Handling::Retried(_) => H::FOURBAR_HANDLING_RETRIED,
        Handling::Held => H::FOURBAR_HANDLING_HELD,
        Handling::Stopped => H::FOURBAR_HANDLING_STOPPED,
        _ => H::FOURBAR_HANDLING_RESTORED,
    }) as i32
}
