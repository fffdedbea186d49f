//! Structs of options and figures that may grow: their first field is their size in the caller's header.
//!
//! A caller with an older, shorter struct gets the defaults for the fields it does not know. One with a newer, longer struct is served as
//! long as what this library does not know is zero, as the init function leaves it.

use std::mem::MaybeUninit;

use super::error::Failure;
use super::status::fourbar_status;
use fourbar::linalg::text::Brief;

/// Longest struct taken for one: beyond it, the size is not a size.
const LONGEST: usize = 4096;

/// A struct whose first field is `struct_size: usize`, `repr(C)`, made of plain numbers and pointers.
///
/// # Safety
/// Every bit pattern of such a struct is a value, and it begins with a `usize`.
pub(crate) unsafe trait Grows: Copy {
    /// Its name in the header.
    const NAME: &'static str;
    /// Size in the first header.
    const FIRST: usize;

    /// The defaults, `struct_size` being that of this library.
    fn defaults() -> Self;

    /// Its field `reserved`, which a later library may give a meaning to: 0 until then.
    fn reserved(&self) -> u32 {
        0
    }
}

/// The caller's struct over the defaults; NULL means the defaults.
///
/// # Safety
/// `given` is NULL or points to as many initialized bytes as its first field says.
pub(crate) unsafe fn read<T: Grows>(given: *const T) -> Result<T, Failure> {
    let mut own = T::defaults();
    if given.is_null() {
        return Ok(own);
    }
    // SAFETY: the struct begins with its size; the sizes are checked before anything else is read.
    unsafe {
        let size = given.cast::<usize>().read_unaligned();
        check::<T>(size)?;
        let known = size.min(size_of::<T>());
        std::ptr::copy_nonoverlapping(given.cast::<u8>(), (&raw mut own).cast::<u8>(), known);
        let unknown = std::slice::from_raw_parts(given.cast::<u8>().add(known), size - known);
        if unknown.iter().any(|byte| *byte != 0) {
            let text = format!("{} has fields set that this library does not know: link a newer one", T::NAME);
            return Err(Failure::new(fourbar_status::FOURBAR_UNSUPPORTED, text));
        }
    }
    check_reserved(T::NAME, own.reserved())?;
    Ok(own)
}

/// Refuses what is written where a later library may read something.
pub(crate) fn check_reserved(name: &str, reserved: u32) -> Result<(), Failure> {
    if reserved == 0 {
        return Ok(());
    }
    let text = format!(
        "'reserved' of {name} is {reserved}; it must be 0: set the whole struct first, by its init function where it has one"
    );
    Err(Failure::new(fourbar_status::FOURBAR_INVALID, text))
}

/// Writes `value` into the caller's struct of `size` bytes; bytes that this library does not know become zero.
///
/// # Safety
/// `out` is NULL or valid for writes of `size` bytes.
pub(crate) unsafe fn write<T: Grows>(out: *mut T, size: usize, value: &T) -> Result<(), Failure> {
    if out.is_null() {
        return Err(Failure::null(T::NAME));
    }
    check::<T>(size)?;
    let known = size.min(size_of::<T>());
    let bytes = out.cast::<MaybeUninit<u8>>();
    // SAFETY: `size` bytes by contract; the first field is a usize.
    unsafe {
        std::ptr::copy_nonoverlapping(std::ptr::from_ref(value).cast::<MaybeUninit<u8>>(), bytes, known);
        bytes.add(known).write_bytes(0, size - known);
        out.cast::<usize>().write_unaligned(size);
    }
    Ok(())
}

/// A field that 0 leaves to the model.
pub(crate) fn unless_zero(name: &str, value: f64) -> Result<Option<f64>, Failure> {
    if !value.is_finite() {
        let text = format!("{name} is {value}; give a finite number, or 0 for that of the model");
        return Err(Failure::new(fourbar_status::FOURBAR_NOT_FINITE, text));
    }
    at_least_zero(name, value, "that of the model")?;
    Ok((value != 0.0).then_some(value))
}

/// Refuses what is below 0, where 0 stands for `zero`, and NaN.
pub(crate) fn at_least_zero(name: &str, value: f64, zero: &str) -> Result<(), Failure> {
    if value >= 0.0 {
        return Ok(());
    }
    let text = format!("{name} is {}; it must be at least 0 (0: {zero})", Brief(value));
    let status = if value.is_nan() { fourbar_status::FOURBAR_NOT_FINITE } else { fourbar_status::FOURBAR_INVALID };
    Err(Failure::new(status, text))
}

fn check<T: Grows>(size: usize) -> Result<(), Failure> {
    if (T::FIRST..=LONGEST).contains(&size) {
        return Ok(());
    }
    let text = format!(
        "struct_size of {} is {size}; it must be its sizeof, at least {}: call its init function first",
        T::NAME,
        T::FIRST
    );
    Err(Failure::new(fourbar_status::FOURBAR_STRUCT_SIZE, text))
}
