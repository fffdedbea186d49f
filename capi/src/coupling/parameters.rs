//! Parameters of the partners, by name, between two communication steps.

use std::ffi::c_char;

use fourbar::coupling::{Error, Parameter, ParameterRefusal};

use super::building::fourbar_coupling;
use super::failure::of_coupling;
use super::stage::with;
use crate::abi::error::Failure;
use crate::abi::options::{self, Grows};
use crate::abi::status::fourbar_status;
use crate::abi::view;

/// A parameter of a partner as it stands.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct fourbar_parameter {
    /// sizeof(fourbar_parameter).
    pub struct_size: usize,
    /// Value in its unit.
    pub value: f64,
    /// Smallest value; minus infinity where none is known.
    pub lowest: f64,
    /// Largest value; infinity where none is known.
    pub highest: f64,
    /// Not 0: `fourbar_coupling_set_parameter` may change it.
    pub tunable: i32,
    /// 0.
    pub reserved: i32,
}

// SAFETY: numbers, the size first.
unsafe impl Grows for fourbar_parameter {
    const NAME: &'static str = "fourbar_parameter";
    const FIRST: usize = size_of::<Self>();

    fn defaults() -> Self {
        of(&Parameter::fixed("", 0.0))
    }
}

fn of(own: &Parameter) -> fourbar_parameter {
    fourbar_parameter {
        struct_size: size_of::<fourbar_parameter>(),
        value: own.value,
        lowest: own.lowest,
        highest: own.highest,
        tunable: i32::from(own.is_tunable),
        reserved: 0,
    }
}

/// The number of parameters of all partners. Sets up the run, if that is not done.
///
/// Errors: `FOURBAR_NULL`; those of `fourbar_coupling_start`.
///
/// # Safety
/// Pointers are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_coupling_parameter_count(
    coupling: *mut fourbar_coupling,
    count: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe { with(coupling, |coupling| view::write(count, coupling.started()?.0.parameters().len(), "count")) }
}

/// The name of parameter `i` (from 0, partner by partner), "partner.parameter", into `buffer` as `fourbar_coupling_output_name` does.
///
/// Errors: as `fourbar_coupling_output_name`.
///
/// # Safety
/// As `fourbar_coupling_output_name`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_coupling_parameter_name(
    coupling: *mut fourbar_coupling,
    i: usize,
    buffer: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(coupling, |coupling| {
            let all = coupling.running()?.0.parameters();
            let own = all.get(i).ok_or_else(|| {
                let text = format!("parameter {i} was asked for; there are {}, counted from 0", all.len());
                Failure::new(fourbar_status::FOURBAR_INVALID, text)
            })?;
            view::copy_text(&own.name, buffer, size, needed)
        })
    }
}

/// The parameter "partner.parameter" of a run that is set up.
unsafe fn find(coupling: &mut super::stage::Coupling, name: *const c_char) -> Result<Parameter, Failure> {
    // SAFETY: by contract of the caller.
    let name = unsafe { view::text(name, "name") }?;
    let (master, _) = coupling.running()?;
    let all = master.parameters();
    let nearest = fourbar::linalg::text::nearest(name, all.iter().map(|own| own.name.as_str()));
    all.into_iter().find(|own| own.name == name).ok_or_else(|| {
        let reason = ParameterRefusal::Unknown { nearest };
        let text = format!("there is no parameter \"{name}\": {reason}");
        Failure::new(fourbar_status::FOURBAR_NO_SUCH_NAME, text)
    })
}

/// A parameter as it stands, "partner.parameter"; `size` is sizeof(fourbar_parameter).
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_STRUCT_SIZE`; `FOURBAR_NO_SUCH_NAME`; `FOURBAR_STATE` before the run is set up.
///
/// # Safety
/// `name` is NULL or ends with a NUL; `parameter` is NULL or has `size` bytes; `coupling` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_coupling_get_parameter(
    coupling: *mut fourbar_coupling,
    name: *const c_char,
    parameter: *mut fourbar_parameter,
    size: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe { with(coupling, |coupling| options::write(parameter, size, &of(&find(coupling, name)?))) }
}

/// The unit of a parameter, "partner.parameter", into `buffer` as `fourbar_coupling_output_name` does; empty where none is stated.
///
/// Errors: as `fourbar_coupling_get_parameter`; `FOURBAR_LENGTH`.
///
/// # Safety
/// `name` is NULL or ends with a NUL; `buffer` is NULL or has `size` bytes; the others are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_coupling_parameter_unit(
    coupling: *mut fourbar_coupling,
    name: *const c_char,
    buffer: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe { with(coupling, |coupling| view::copy_text(&find(coupling, name)?.unit, buffer, size, needed)) }
}

/// Sets a tunable parameter of a partner, "partner.parameter", in its unit: it holds from the next communication step on, and goes into what
/// `fourbar_coupling_save` writes. Sets up the run, if that is not done.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`; `FOURBAR_NO_SUCH_NAME`; `FOURBAR_NOT_FINITE`; `FOURBAR_INVALID` where it is fixed, fed by a connection, out of its
/// range, or refused by the partner: nothing has changed then; those of `fourbar_coupling_start`.
///
/// # Safety
/// `name` is NULL or ends with a NUL; `coupling` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_coupling_set_parameter(
    coupling: *mut fourbar_coupling,
    name: *const c_char,
    value: f64,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(coupling, |coupling| {
            let name = view::text(name, "name")?;
            let (master, _) = coupling.started()?;
            master.set_parameter(name, value).map_err(|error| of_parameter(&error))
        })
    }
}

fn of_parameter(error: &Error) -> Failure {
    let status = match error {
        Error::Parameter { reason: ParameterRefusal::Unknown { .. }, .. } => fourbar_status::FOURBAR_NO_SUCH_NAME,
        Error::Parameter { reason: ParameterRefusal::NotFinite, .. } => fourbar_status::FOURBAR_NOT_FINITE,
        Error::Parameter { .. } => fourbar_status::FOURBAR_INVALID,
        other => return of_coupling(other),
    };
    Failure::new(status, error)
}
