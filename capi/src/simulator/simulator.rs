//! A circuit or a linear system, advanced by the host.

use std::ffi::{CStr, c_char};

use fourbar::Document;
use fourbar::file::ModelFile;
use fourbar::simulation::{SavedStepped, Stepped};

use crate::abi::error::Failure;
use crate::abi::handle::{Exclusive, nested};
use crate::abi::status::fourbar_status;
use crate::abi::{handle, view};
use crate::coupling::of_model;

/// A circuit or a linear system of a model file at a time, which the host advances. Used by one thread at a time.
#[allow(non_camel_case_types)]
pub struct fourbar_simulator {
    own: Exclusive<Stepped>,
}

/// A checkpoint of a simulator. Used by one thread at a time.
#[allow(non_camel_case_types)]
pub struct fourbar_simulator_state {
    own: Exclusive<SavedStepped>,
}

/// # Safety
/// `simulator` is NULL or alive.
pub(super) unsafe fn with(
    simulator: *const fourbar_simulator,
    call: impl FnOnce(&mut Stepped) -> Result<(), Failure>,
) -> fourbar_status {
    // SAFETY: by contract.
    match unsafe { simulator.as_ref() } {
        Some(simulator) => simulator.own.with("simulator", call),
        None => handle::null("simulator"),
    }
}

fn simulator_of(file: Result<ModelFile, fourbar::Error>) -> Result<fourbar_simulator, Failure> {
    let file = file.map_err(|error| of_model(&error))?;
    let other = match file.document() {
        Document::Mechanism(_) => "a mechanism is stepped as a fourbar_simulation (fourbar_model_from_toml)",
        Document::Coupled(_) => "coupled simulators are stepped as a fourbar_coupling (fourbar_coupling_from_toml)",
        document => {
            let stepped = Stepped::new(document).map_err(|error| of_model(&file.explain(error)))?;
            return Ok(fourbar_simulator { own: Exclusive::new(stepped) });
        }
    };
    Err(Failure::new(fourbar_status::FOURBAR_UNSUPPORTED, format!("\"{}\": {other}", file.name())))
}

/// The circuit (type "circuit") or linear system (type "linear") of the model file at `path` (docs/model-format.md), at its start, t = 0. Of the
/// settings of the file those of the method hold; end and output step do not matter.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`; `FOURBAR_FILE`; `FOURBAR_INVALID` with line, column and remedy; `FOURBAR_NUMERICAL`; `FOURBAR_UNSUPPORTED` for a model of another type.
///
/// # Safety
/// `path` is NULL or ends with a NUL; `out` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulator_from_file(
    path: *const c_char,
    out: *mut *mut fourbar_simulator,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe { handle::give(out, "out", || simulator_of(ModelFile::load(view::text(path, "path")?))) }
}

/// The same from the text of a model file, UTF-8 with a NUL at its end; `file` is its name in messages; NULL: "model.toml".
///
/// Errors: as `fourbar_simulator_from_file`.
///
/// # Safety
/// Texts are NULL or end with a NUL; `out` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulator_from_toml(
    text: *const c_char,
    file: *const c_char,
    out: *mut *mut fourbar_simulator,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        handle::give(out, "out", || {
            let text = view::text(text, "text")?;
            let file = if file.is_null() { "model.toml" } else { view::text(file, "file")? };
            simulator_of(ModelFile::parse(file, text))
        })
    }
}

/// Goes to `time` \[s\], exactly, in as many steps of its method as it takes.
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_NOT_FINITE`; `FOURBAR_INVALID` for a time in the past; `FOURBAR_NUMERICAL`: it then stands where it stood, with one
/// exception: a sparse system (diffusion) cannot go back, and only be read and freed.
///
/// # Safety
/// `simulator` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulator_step_to(simulator: *mut fourbar_simulator, time: f64) -> fourbar_status {
    // SAFETY: by contract.
    unsafe { with(simulator, |simulator| simulator.step_to(time).map_err(|error| of_model(&error))) }
}

/// As `fourbar_simulator_step_to`, by `step` \[s\] from the present time.
///
/// Errors: as `fourbar_simulator_step_to`.
///
/// # Safety
/// `simulator` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulator_step(simulator: *mut fourbar_simulator, step: f64) -> fourbar_status {
    // SAFETY: by contract.
    unsafe { with(simulator, |simulator| simulator.step_to(simulator.time() + step).map_err(|error| of_model(&error))) }
}

/// The present time \[s\].
///
/// Errors: `FOURBAR_NULL`.
///
/// # Safety
/// Pointers are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulator_time(simulator: *const fourbar_simulator, time: *mut f64) -> fourbar_status {
    // SAFETY: by contract.
    unsafe { with(simulator, |simulator| view::write(time, simulator.time(), "time")) }
}

/// Saves everything on which the further steps depend.
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_UNSUPPORTED` for a sparse linear system (diffusion).
///
/// # Safety
/// Pointers are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulator_save(
    simulator: *mut fourbar_simulator,
    out: *mut *mut fourbar_simulator_state,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(simulator, |simulator| {
            nested(handle::give(out, "out", || {
                let saved = simulator.save().map_err(|error| of_model(&error))?;
                Ok(fourbar_simulator_state { own: Exclusive::new(saved) })
            }))
        })
    }
}

/// Back to a checkpoint that this simulator saved; the further steps are those that followed it, bit for bit.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_BUSY`; `FOURBAR_STATE` for a checkpoint of another simulator: it is then where it was.
///
/// # Safety
/// Pointers are NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulator_restore(
    simulator: *mut fourbar_simulator,
    saved: *const fourbar_simulator_state,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(simulator, |simulator| {
            let saved = view::reference(saved, "saved")?;
            nested(saved.own.with("saved", |saved| {
                let restored = simulator.restore(saved);
                restored.map_err(|error| Failure::new(fourbar_status::FOURBAR_STATE, error))
            }))
        })
    }
}

/// Frees a checkpoint. NULL is allowed.
///
/// # Safety
/// `saved` is NULL or alive, and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulator_state_free(saved: *mut fourbar_simulator_state) {
    // SAFETY: by contract.
    unsafe { handle::free(saved) }
}

/// The text of the last error on this handle; read it on the thread that uses the handle. Valid as long as the handle.
///
/// # Safety
/// `simulator` is NULL (then the text is empty) or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulator_error(simulator: *const fourbar_simulator) -> *const c_char {
    // SAFETY: by contract.
    unsafe { simulator.as_ref() }.map_or(CStr::as_ptr(c""), |simulator| simulator.own.message())
}

/// Frees a simulator. NULL is allowed.
///
/// # Safety
/// `simulator` is NULL or alive, and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulator_free(simulator: *mut fourbar_simulator) {
    // SAFETY: by contract.
    unsafe { handle::free(simulator) }
}
