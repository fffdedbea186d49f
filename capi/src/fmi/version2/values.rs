//! Values: all variables are reals.

use crate::fmi::component::{Component, get_reals, no_such, set_reals};
use std::ffi::{c_char, c_int};

entries! {
    /// `fmi2GetReal`.
    fmi2GetReal(references: *const u32, count: usize, values: *mut f64) =>
        |component, references, count, values| get_reals(component, references, count, values, count);

    /// `fmi2SetReal`.
    fmi2SetReal(references: *const u32, count: usize, values: *const f64) =>
        |component, references, count, values| set_reals(component, references, count, values, count);

    /// `fmi2GetInteger`: there are none.
    fmi2GetInteger(references: *const u32, count: usize, _values: *mut c_int) =>
        |component, references, count, _| no_such(component, references, count, "integer");

    /// `fmi2SetInteger`: there are none.
    fmi2SetInteger(references: *const u32, count: usize, _values: *const c_int) =>
        |component, references, count, _| no_such(component, references, count, "integer");

    /// `fmi2GetBoolean`: there are none.
    fmi2GetBoolean(references: *const u32, count: usize, _values: *mut c_int) =>
        |component, references, count, _| no_such(component, references, count, "Boolean");

    /// `fmi2SetBoolean`: there are none.
    fmi2SetBoolean(references: *const u32, count: usize, _values: *const c_int) =>
        |component, references, count, _| no_such(component, references, count, "Boolean");

    /// `fmi2GetString`: there are none.
    fmi2GetString(references: *const u32, count: usize, _values: *mut *const c_char) =>
        |component, references, count, _| no_such(component, references, count, "string");

    /// `fmi2SetString`: there are none.
    fmi2SetString(references: *const u32, count: usize, _values: *const *const c_char) =>
        |component, references, count, _| no_such(component, references, count, "string");
}
