//! Values: all variables are of 64 bits.

use crate::fmi::component::{Component, get_reals, no_such, set_reals, unsupported};
use std::ffi::c_int;

entries! {
    /// `fmi3GetFloat64`.
    fmi3GetFloat64(references: *const u32, count: usize, values: *mut f64, value_count: usize) => get_reals;

    /// `fmi3SetFloat64`.
    fmi3SetFloat64(references: *const u32, count: usize, values: *const f64, value_count: usize) => set_reals;

    /// `fmi3GetBinary`: there are none.
    fmi3GetBinary(references: *const u32, count: usize, _sizes: *mut usize, _values: *mut *const u8, _value_count: usize) =>
        |component, references, count, _, _, _| no_such(component, references, count, "Binary");

    /// `fmi3SetBinary`: there are none.
    fmi3SetBinary(references: *const u32, count: usize, _sizes: *const usize, _values: *const *const u8, _value_count: usize) =>
        |component, references, count, _, _, _| no_such(component, references, count, "Binary");

    /// `fmi3GetNumberOfVariableDependencies`: not claimed.
    fmi3GetNumberOfVariableDependencies(_reference: u32, _count: *mut usize) => |component, _, _| unsupported(component, "dependencies of elements");

    /// `fmi3GetVariableDependencies`: not claimed.
    fmi3GetVariableDependencies(_dependent: u32, _elements: *mut usize, _independents: *mut u32, _independent_elements: *mut usize, _kinds: *mut c_int, _count: usize) =>
        |component, _, _, _, _, _, _| unsupported(component, "dependencies of elements");
}
