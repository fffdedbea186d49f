//! What passes between the partners, by name.

use std::ffi::c_char;

use fourbar::coupling::Master;

use super::building::fourbar_coupling;
use super::failure::of_coupling;
use super::stage::with;
use crate::abi::error::Failure;
use crate::abi::status::fourbar_status;
use crate::abi::view;

/// The value of an output, "partner.variable", as sampled last, in its unit.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`; `FOURBAR_NO_SUCH_NAME`, `FOURBAR_INVALID` where the name has no dot; `FOURBAR_STATE` before the run is set up.
///
/// # Safety
/// `name` is NULL or ends with a NUL; the others are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_coupling_get_output(
    coupling: *const fourbar_coupling,
    name: *const c_char,
    value: *mut f64,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(coupling, |coupling| {
            let (master, _) = coupling.running()?;
            let own = master.output(view::text(name, "name")?).map_err(|error| of_coupling(&error))?;
            view::write(value, own, "value")
        })
    }
}

/// Sets an input that no output feeds, "partner.variable", in its unit: from the next communication step on, before the first from the initial
/// exchange on. Sets up the run, if that is not done.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`; `FOURBAR_NO_SUCH_NAME`; `FOURBAR_INVALID` where a connection feeds it; `FOURBAR_NOT_FINITE`; those of `fourbar_coupling_start`.
///
/// # Safety
/// `name` is NULL or ends with a NUL; `coupling` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_coupling_set_input(
    coupling: *mut fourbar_coupling,
    name: *const c_char,
    value: f64,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(coupling, |coupling| {
            let name = view::text(name, "name")?;
            let (master, _) = coupling.started()?;
            master.set_input(name, value).map_err(|error| of_coupling(&error))
        })
    }
}

/// The numbers of all outputs and of all inputs; each may be NULL where it is not asked for. Sets up the run, if that is not done.
///
/// Errors: `FOURBAR_NULL`; those of `fourbar_coupling_start`.
///
/// # Safety
/// Pointers are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_coupling_counts(
    coupling: *mut fourbar_coupling,
    outputs: *mut usize,
    inputs: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(coupling, |coupling| {
            let own = coupling.started()?.0.output_names().len();
            if !outputs.is_null() {
                outputs.write(own);
            }
            if !inputs.is_null() {
                inputs.write(coupling.inputs.len());
            }
            Ok(())
        })
    }
}

/// The name of output `i` (from 0, partner by partner), "partner.variable", into `buffer` of `size` bytes; `needed` receives the bytes that it takes with
/// its NUL. With `size` 0, `buffer` may be NULL.
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_INVALID` where there is no such output; `FOURBAR_LENGTH` when the buffer is too short; `FOURBAR_STATE` before the run is set up.
///
/// # Safety
/// `buffer` is NULL or has `size` bytes; the others are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_coupling_output_name(
    coupling: *const fourbar_coupling,
    i: usize,
    buffer: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(coupling, |coupling| {
            let names = coupling.running()?.0.output_names();
            view::copy_text(named(&names, i, "output")?, buffer, size, needed)
        })
    }
}

/// The same for input `i`.
///
/// Errors: as `fourbar_coupling_output_name`.
///
/// # Safety
/// As `fourbar_coupling_output_name`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_coupling_input_name(
    coupling: *const fourbar_coupling,
    i: usize,
    buffer: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(coupling, |coupling| {
            coupling.running()?;
            view::copy_text(named(&coupling.inputs, i, "input")?, buffer, size, needed)
        })
    }
}

fn named<'a>(names: &'a [String], i: usize, what: &str) -> Result<&'a str, Failure> {
    names.get(i).map(String::as_str).ok_or_else(|| {
        let text = format!("{what} {i} was asked for; there are {}, counted from 0", names.len());
        Failure::new(fourbar_status::FOURBAR_INVALID, text)
    })
}

/// The unit of an input or output, "partner.variable", into `buffer` as `fourbar_coupling_output_name` does.
///
/// Errors: as `fourbar_coupling_output_name`; `FOURBAR_TEXT`, `FOURBAR_NO_SUCH_NAME`.
///
/// # Safety
/// `name` is NULL or ends with a NUL; `buffer` is NULL or has `size` bytes; the others are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_coupling_unit(
    coupling: *const fourbar_coupling,
    name: *const c_char,
    buffer: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(coupling, |coupling| {
            let (master, _) = coupling.running()?;
            let unit = master.unit(view::text(name, "name")?).map_err(|error| of_coupling(&error))?;
            view::copy_text(unit, buffer, size, needed)
        })
    }
}

/// The values of all outputs as sampled last, in the order of `fourbar_coupling_output_name`, each in its unit.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`; `FOURBAR_STATE` before the run is set up.
///
/// # Safety
/// `values` is NULL or has `length` values; `coupling` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_coupling_get_outputs(
    coupling: *const fourbar_coupling,
    values: *mut f64,
    length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(coupling, |coupling| {
            let (master, _) = coupling.running()?;
            view::copy(&outputs(master), values, length, "values")
        })
    }
}

/// A text of a partner as it stands, "partner.text", into `buffer` as `fourbar_coupling_output_name` does: a text output of an FMU, or what it was started with.
///
/// Errors: as `fourbar_coupling_output_name`; `FOURBAR_TEXT`, `FOURBAR_NO_SUCH_NAME`.
///
/// # Safety
/// `name` is NULL or ends with a NUL; `buffer` is NULL or has `size` bytes; the others are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_coupling_get_text(
    coupling: *mut fourbar_coupling,
    name: *const c_char,
    buffer: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(coupling, |coupling| {
            let name = view::text(name, "name")?;
            let (master, _) = coupling.running()?;
            let own = master.texts().into_iter().find(|own| own.name == name).ok_or_else(|| {
                let text = format!("there is no text \"{name}\"; partners that are FMUs may have some");
                Failure::new(fourbar_status::FOURBAR_NO_SUCH_NAME, text)
            })?;
            view::copy_text(&own.value, buffer, size, needed)
        })
    }
}

fn outputs(master: &Master) -> Vec<f64> {
    // Names that the master gave are known to it.
    master.output_names().iter().map(|name| master.output(name).unwrap_or(f64::NAN)).collect()
}
