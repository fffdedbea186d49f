//! Values of types that no variable has, and truth values, of which units with residuals have one.

use crate::fmi::component::{Component, get_truths, no_such, set_truths};
use std::ffi::{c_char, c_int};

entries! {
    /// `fmi3GetFloat32`: there are none.
    fmi3GetFloat32(references: *const u32, count: usize, _values: *mut f32, _value_count: usize) =>
        |component, references, count, _, _| no_such(component, references, count, "Float32");

    /// `fmi3SetFloat32`: there are none.
    fmi3SetFloat32(references: *const u32, count: usize, _values: *const f32, _value_count: usize) =>
        |component, references, count, _, _| no_such(component, references, count, "Float32");

    /// `fmi3GetInt8`: there are none.
    fmi3GetInt8(references: *const u32, count: usize, _values: *mut i8, _value_count: usize) =>
        |component, references, count, _, _| no_such(component, references, count, "Int8");

    /// `fmi3SetInt8`: there are none.
    fmi3SetInt8(references: *const u32, count: usize, _values: *const i8, _value_count: usize) =>
        |component, references, count, _, _| no_such(component, references, count, "Int8");

    /// `fmi3GetUInt8`: there are none.
    fmi3GetUInt8(references: *const u32, count: usize, _values: *mut u8, _value_count: usize) =>
        |component, references, count, _, _| no_such(component, references, count, "UInt8");

    /// `fmi3SetUInt8`: there are none.
    fmi3SetUInt8(references: *const u32, count: usize, _values: *const u8, _value_count: usize) =>
        |component, references, count, _, _| no_such(component, references, count, "UInt8");

    /// `fmi3GetInt16`: there are none.
    fmi3GetInt16(references: *const u32, count: usize, _values: *mut i16, _value_count: usize) =>
        |component, references, count, _, _| no_such(component, references, count, "Int16");

    /// `fmi3SetInt16`: there are none.
    fmi3SetInt16(references: *const u32, count: usize, _values: *const i16, _value_count: usize) =>
        |component, references, count, _, _| no_such(component, references, count, "Int16");

    /// `fmi3GetUInt16`: there are none.
    fmi3GetUInt16(references: *const u32, count: usize, _values: *mut u16, _value_count: usize) =>
        |component, references, count, _, _| no_such(component, references, count, "UInt16");

    /// `fmi3SetUInt16`: there are none.
    fmi3SetUInt16(references: *const u32, count: usize, _values: *const u16, _value_count: usize) =>
        |component, references, count, _, _| no_such(component, references, count, "UInt16");

    /// `fmi3GetInt32`: there are none.
    fmi3GetInt32(references: *const u32, count: usize, _values: *mut i32, _value_count: usize) =>
        |component, references, count, _, _| no_such(component, references, count, "Int32");

    /// `fmi3SetInt32`: there are none.
    fmi3SetInt32(references: *const u32, count: usize, _values: *const i32, _value_count: usize) =>
        |component, references, count, _, _| no_such(component, references, count, "Int32");

    /// `fmi3GetUInt32`: there are none.
    fmi3GetUInt32(references: *const u32, count: usize, _values: *mut u32, _value_count: usize) =>
        |component, references, count, _, _| no_such(component, references, count, "UInt32");

    /// `fmi3SetUInt32`: there are none.
    fmi3SetUInt32(references: *const u32, count: usize, _values: *const u32, _value_count: usize) =>
        |component, references, count, _, _| no_such(component, references, count, "UInt32");

    /// `fmi3GetInt64`: there are none.
    fmi3GetInt64(references: *const u32, count: usize, _values: *mut i64, _value_count: usize) =>
        |component, references, count, _, _| no_such(component, references, count, "Int64");

    /// `fmi3SetInt64`: there are none.
    fmi3SetInt64(references: *const u32, count: usize, _values: *const i64, _value_count: usize) =>
        |component, references, count, _, _| no_such(component, references, count, "Int64");

    /// `fmi3GetUInt64`: there are none.
    fmi3GetUInt64(references: *const u32, count: usize, _values: *mut u64, _value_count: usize) =>
        |component, references, count, _, _| no_such(component, references, count, "UInt64");

    /// `fmi3SetUInt64`: there are none.
    fmi3SetUInt64(references: *const u32, count: usize, _values: *const u64, _value_count: usize) =>
        |component, references, count, _, _| no_such(component, references, count, "UInt64");

    /// `fmi3GetBoolean`.
    fmi3GetBoolean(references: *const u32, count: usize, values: *mut u8, value_count: usize) => get_truths;

    /// `fmi3SetBoolean`.
    fmi3SetBoolean(references: *const u32, count: usize, values: *const u8, value_count: usize) => set_truths;

    /// `fmi3GetString`: there are none.
    fmi3GetString(references: *const u32, count: usize, _values: *mut *const c_char, _value_count: usize) =>
        |component, references, count, _, _| no_such(component, references, count, "String");

    /// `fmi3SetString`: there are none.
    fmi3SetString(references: *const u32, count: usize, _values: *const *const c_char, _value_count: usize) =>
        |component, references, count, _, _| no_such(component, references, count, "String");
}
