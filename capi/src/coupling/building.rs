//! A coupling: partners, connections, fault levels.

use std::ffi::c_char;

use fourbar::coupled::{CoupledModel, CoupledSettings};
use fourbar::coupling::Connection;
use fourbar::file::ModelFile;

use super::failure::of_model;
use super::options::{fourbar_coupling_options, options_of};
use super::stage::{Building, Coupling, with_building};
use crate::abi::error::Failure;
use crate::abi::handle::{self, Exclusive};
use crate::abi::options;
use crate::abi::status::fourbar_status;
use crate::abi::view;

/// Partners, what passes between them, and their run. Used by one thread at a time.
#[allow(non_camel_case_types)]
pub struct fourbar_coupling {
    pub(super) own: Exclusive<Coupling>,
}

impl From<Building> for fourbar_coupling {
    fn from(building: Building) -> Self {
        Self { own: Exclusive::new(Coupling::new(building)) }
    }
}

/// A coupling without partners; `options` NULL means the defaults.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`, `FOURBAR_INVALID`. Ranges of the numbers are checked when the run is set up.
///
/// # Safety
/// The options are NULL or as they say; `out` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_coupling_new(
    options: *const fourbar_coupling_options,
    out: *mut *mut fourbar_coupling,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        handle::give(out, "out", || {
            let options = options_of(&options::read(options)?)?;
            Ok(Building { partners: Vec::new(), connections: Vec::new(), options }.into())
        })
    }
}

/// A coupling from the text of a model file of the type "coupled" (docs/model-format.md), UTF-8 with a NUL at its end. `file` is its name in
/// messages, and the files of its simulators are sought in the folder of that; NULL: the present folder. `options` NULL means those of the
/// model; else they replace them. More partners and connections may be added; where the model says in which sequence its simulators step,
/// those that are added follow in the order of their calls.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_STRUCT_SIZE`; `FOURBAR_INVALID` with line, column and remedy; `FOURBAR_FILE` for a file of a simulator; `FOURBAR_UNSUPPORTED`
/// for a model of another type.
///
/// # Safety
/// Texts are NULL or end with a NUL; the options are NULL or as they say; `out` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_coupling_from_toml(
    text: *const c_char,
    file: *const c_char,
    options: *const fourbar_coupling_options,
    out: *mut *mut fourbar_coupling,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        handle::give(out, "out", || {
            let text = view::text(text, "text")?;
            let file = if file.is_null() { "model.toml" } else { view::text(file, "file")? };
            let given = if options.is_null() { None } else { Some(options_of(&options::read(options)?)?) };
            let file = ModelFile::parse(file, text).map_err(|error| of_model(&error))?;
            let Some(model) = file.document().coupled() else {
                let text = format!("the model is of the type \"{}\", not \"coupled\"", file.document().kind());
                return Err(Failure::new(fourbar_status::FOURBAR_UNSUPPORTED, text));
            };
            let building = building_of(model, given).map_err(|error| of_model(&file.explain(error)))?;
            Ok(building.into())
        })
    }
}

fn building_of(model: &CoupledModel, given: Option<fourbar::coupling::Options>) -> Result<Building, fourbar::Error> {
    let options = match given {
        Some(options) => options,
        None => model.options(&CoupledSettings::default())?,
    };
    Ok(Building { partners: model.partners()?, connections: model.connections()?, options })
}

/// Lets an output feed an input, both as "partner.variable": input = `gain` (output, converted to the unit of the input) + `offset`.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`; `FOURBAR_STATE` once the run has begun. Names, units and numbers are checked when the run is set up.
///
/// # Safety
/// Texts are NULL or end with a NUL; `coupling` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_coupling_connect(
    coupling: *mut fourbar_coupling,
    from: *const c_char,
    to: *const c_char,
    gain: f64,
    offset: f64,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with_building(coupling, |building| {
            let connection = Connection::new(view::text(from, "from")?, view::text(to, "to")?);
            building.connections.push(connection.gain(gain).offset(offset));
            Ok(())
        })
    }
}

/// Frees a coupling: its instances are destroyed. It waits until functions of the host (`fourbar_coupling_add_functions`) that are still at
/// work on a partner's thread, after a `time_limit` say, have returned; then their instances are destroyed, each once. One that never
/// returns holds it for ever. A library (`fourbar_coupling_add_library`) that has not answered in time is left to itself. NULL is allowed.
///
/// # Safety
/// `coupling` is NULL or alive, and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_coupling_free(coupling: *mut fourbar_coupling) {
    // SAFETY: by contract.
    unsafe { handle::free(coupling) }
}
