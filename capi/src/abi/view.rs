//! The caller's memory as references and slices, NULL checked.

use std::ffi::{CStr, c_char};

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

/// Before an array is copied: a wrong length may be any number.
pub(crate) fn check_length(what: &str, given: usize, n: usize) -> Result<(), Failure> {
    if given == n {
        return Ok(());
    }
    Err(Failure::new(fourbar_status::FOURBAR_LENGTH, format!("'{what}' has length {given}, but must have length {n}")))
}

/// A text that ends with a NUL, as long as the pointer lives.
///
/// # Safety
/// `text` is NULL or ends with a NUL.
pub(crate) unsafe fn text<'a>(text: *const c_char, name: &str) -> Result<&'a str, Failure> {
    if text.is_null() {
        return Err(Failure::null(name));
    }
    // SAFETY: not NULL, ends with a NUL by contract.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|error| {
        let text = format!("'{name}' is not UTF-8 from byte {} on", error.valid_up_to());
        Failure::new(fourbar_status::FOURBAR_TEXT, text)
    })
}

/// Texts that each end with a NUL; an error names the one that is none.
///
/// # Safety
/// Each is NULL or ends with a NUL.
pub(crate) unsafe fn texts(all: &[*const c_char], name: &str) -> Result<Vec<String>, Failure> {
    let one = |(i, &pointer): (usize, &*const c_char)| {
        // SAFETY: by contract.
        unsafe { text(pointer, &format!("{name}[{i}]")) }.map(str::to_owned)
    };
    all.iter().enumerate().map(one).collect()
}

/// Copies a text with its NUL into `buffer` of `size` bytes; `needed` receives the bytes that the whole text needs with its NUL. With `size`
/// 0, `buffer` may be NULL; a buffer that is too short is an error, and stays as it is.
///
/// # Safety
/// `buffer` is NULL or has `size` bytes; `needed` is NULL or valid.
pub(crate) unsafe fn copy_text(
    text: &str,
    buffer: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> Result<(), Failure> {
    let length = text.len() + 1;
    // SAFETY: by contract.
    unsafe {
        if !needed.is_null() {
            needed.write(length);
        } else if size == 0 {
            return Err(Failure::null("needed"));
        }
        if size == 0 {
            return Ok(());
        }
        if size < length {
            let text = format!("'buffer' has {size} bytes; the text needs {length} with its NUL");
            return Err(Failure::new(fourbar_status::FOURBAR_LENGTH, text));
        }
        let buffer = slice_mut(buffer.cast::<u8>(), length, "buffer")?;
        buffer[..length - 1].copy_from_slice(text.as_bytes());
        buffer[length - 1] = 0;
    }
    Ok(())
}

/// Copies bytes into `buffer` of `size`, as [`copy_text`] does a text.
///
/// # Safety
/// `buffer` is NULL or has `size` bytes; `needed` is NULL or valid.
pub(crate) unsafe fn copy_bytes(bytes: &[u8], buffer: *mut u8, size: usize, needed: *mut usize) -> Result<(), Failure> {
    // SAFETY: by contract.
    unsafe {
        if !needed.is_null() {
            needed.write(bytes.len());
        } else if size == 0 {
            return Err(Failure::null("needed"));
        }
        if size == 0 {
            return Ok(());
        }
        if size < bytes.len() {
            let text = format!("'buffer' has {size} bytes; {} are needed", bytes.len());
            return Err(Failure::new(fourbar_status::FOURBAR_LENGTH, text));
        }
        slice_mut(buffer, bytes.len(), "buffer")?.copy_from_slice(bytes);
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
