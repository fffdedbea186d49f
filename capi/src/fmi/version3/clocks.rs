//! Clocks: there are none.

use crate::fmi::component::{Component, no_such, unsupported};
use std::ffi::c_int;

entries! {
    /// `fmi3GetClock`: there are none.
    fmi3GetClock(references: *const u32, count: usize, _values: *mut u8) =>
        |component, references, count, _| no_such(component, references, count, "Clock");

    /// `fmi3SetClock`: there are none.
    fmi3SetClock(references: *const u32, count: usize, _values: *const u8) =>
        |component, references, count, _| no_such(component, references, count, "Clock");

    /// `fmi3GetIntervalDecimal`: there are none.
    fmi3GetIntervalDecimal(references: *const u32, count: usize, _intervals: *mut f64, _qualifiers: *mut c_int) =>
        |component, references, count, _, _| no_such(component, references, count, "Clock");

    /// `fmi3GetIntervalFraction`: there are none.
    fmi3GetIntervalFraction(references: *const u32, count: usize, _counters: *mut u64, _resolutions: *mut u64, _qualifiers: *mut c_int) =>
        |component, references, count, _, _, _| no_such(component, references, count, "Clock");

    /// `fmi3GetShiftDecimal`: there are none.
    fmi3GetShiftDecimal(references: *const u32, count: usize, _shifts: *mut f64) =>
        |component, references, count, _| no_such(component, references, count, "Clock");

    /// `fmi3GetShiftFraction`: there are none.
    fmi3GetShiftFraction(references: *const u32, count: usize, _counters: *mut u64, _resolutions: *mut u64) =>
        |component, references, count, _, _| no_such(component, references, count, "Clock");

    /// `fmi3SetIntervalDecimal`: there are none.
    fmi3SetIntervalDecimal(references: *const u32, count: usize, _intervals: *const f64) =>
        |component, references, count, _| no_such(component, references, count, "Clock");

    /// `fmi3SetIntervalFraction`: there are none.
    fmi3SetIntervalFraction(references: *const u32, count: usize, _counters: *const u64, _resolutions: *const u64) =>
        |component, references, count, _, _| no_such(component, references, count, "Clock");

    /// `fmi3SetShiftDecimal`: there are none.
    fmi3SetShiftDecimal(references: *const u32, count: usize, _shifts: *const f64) =>
        |component, references, count, _| no_such(component, references, count, "Clock");

    /// `fmi3SetShiftFraction`: there are none.
    fmi3SetShiftFraction(references: *const u32, count: usize, _counters: *const u64, _resolutions: *const u64) =>
        |component, references, count, _, _| no_such(component, references, count, "Clock");

    /// `fmi3ActivateModelPartition`: not claimed.
    fmi3ActivateModelPartition(_clock: u32, _time: f64) => |component, _, _| unsupported(component, "scheduled execution");
}
