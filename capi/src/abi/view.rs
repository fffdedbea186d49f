//! The caller's memory as references and slices, NULL checked.

use super::error::Failure;
use super::status::fourbar_status;

/// # Safety
/// `pointer` is NULL or valid for reads while the reference lives.
pub(crate) unsafe fn reference<'a, T>(pointer: *const T, name: &str) -> Result<&'a T, Failure> {
    // SAFETY: by contract.
    unsafe { pointer.as_ref() }.ok_or_else(|| Failure::null(name))
}

/// `length` values; of none, `pointer` may be NULL.
///
/// # Safety
/// `pointer` is NULL or valid for reads of `length` values while the slice lives.
pub(crate) unsafe fn slice<'a, T>(pointer: *const T, length: usize, name: &str) -> Result<&'a [T], Failure> {
    if length == 0 {
        return Ok(&[]);
    }
    check::<T>(pointer.is_null(), length, name)?;
    // SAFETY: not NULL, valid by contract, not longer than memory.
    Ok(unsafe { std::slice::from_raw_parts(pointer, length) })
}

/// As [`slice`], to be written. The values must have been initialized: no function of this library reads them.
///
/// # Safety
/// `pointer` is NULL or valid for reads and writes of `length` values while the slice lives, and nobody else uses them.
pub(crate) unsafe fn slice_mut<'a, T>(pointer: *mut T, length: usize, name: &str) -> Result<&'a mut [T], Failure> {
    if length == 0 {
        return Ok(&mut []);
    }
    check::<T>(pointer.is_null(), length, name)?;
    // SAFETY: not NULL, valid by contract, not longer than memory.
    Ok(unsafe { std::slice::from_raw_parts_mut(pointer, length) })
}

fn check<T>(null: bool, length: usize, name: &str) -> Result<(), Failure> {
    if null {
        return Err(Failure::null(name));
    }
    if length > isize::MAX as usize / size_of::<T>() {
        let text = format!("{length} values of '{name}' do not fit into memory");
        return Err(Failure::new(fourbar_status::FOURBAR_LENGTH, text));
    }
    Ok(())
}

/// Writes a result.
///
/// # Safety
/// `out` is NULL or valid for writes.
pub(crate) unsafe fn write<T>(out: *mut T, value: T, name: &str) -> Result<(), Failure> {
    if out.is_null() {
        return Err(Failure::null(name));
    }
    // SAFETY: not NULL, valid by contract.
    unsafe { out.write(value) };
    Ok(())
}

/// All values of a result.
///
/// # Safety
/// `out` is NULL or has `length` values.
pub(crate) unsafe fn copy(from: &[f64], out: *mut f64, length: usize, name: &str) -> Result<(), Failure> {
    if length != from.len() {
        let text = format!("'{name}' has length {length}, but must have length {}", from.len());
        return Err(Failure::new(fourbar_status::FOURBAR_LENGTH, text));
    }
    // SAFETY: by contract.
    unsafe { slice_mut(out, length, name) }?.copy_from_slice(from);
    Ok(())
}
