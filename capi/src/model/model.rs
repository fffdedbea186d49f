//! A model: what a person describes, from TOML or built call by call.

use std::ffi::{CStr, c_char};
use std::path::PathBuf;

use fourbar::file::ModelFile;
use fourbar::mechanism::{ContactSettings, MechanismModel};
use fourbar::multibody::expression::Expression;
use fourbar::multibody::host::HostFunctions;
use fourbar::multibody::model::{Units, vector};

use super::failure;
use crate::abi::error::Failure;
use crate::abi::handle::Exclusive;
use crate::abi::status::fourbar_status;
use crate::abi::{handle, view};

/// A mechanism as a person describes it: bodies, markers, joints, motions, forces, contacts, measures, by name. It is checked as a whole
/// by `fourbar_model_compile`, whose error names what is wrong, where, and what to do.
#[allow(non_camel_case_types)]
pub struct fourbar_model {
    own: Exclusive<Draft>,
}

/// A model that grows.
#[derive(Default)]
pub(crate) struct Draft {
    pub(crate) whole: MechanismModel,
    pub(crate) functions: HostFunctions,
    /// The file it came from, as long as it says the same: errors then have lines.
    pub(crate) file: Option<ModelFile>,
}

impl Draft {
    fn of_file(file: ModelFile) -> Result<Self, Failure> {
        let Some(model) = file.document().mechanism() else {
            let text = format!(
                "\"{}\" is a model of the kind \"{}\"; a fourbar_model is a mechanism",
                file.name(),
                file.document().kind()
            );
            return Err(Failure::new(fourbar_status::FOURBAR_UNSUPPORTED, text));
        };
        Ok(Self { whole: model.clone(), functions: HostFunctions::default(), file: Some(file) })
    }

    /// To be changed: lines of the file count no more.
    pub(super) fn change(&mut self) -> &mut MechanismModel {
        self.file = None;
        &mut self.whole
    }

    /// Adds what another model has.
    fn take(&mut self, more: MechanismModel) -> Result<(), Failure> {
        let (own, given) = (&self.whole.model, &more.model);
        if let Some(name) = given.parameters.keys().find(|name| own.parameters.contains_key(*name)) {
            let text = format!("the model has a parameter \"{name}\" already; give each its own name");
            return Err(Failure::new(fourbar_status::FOURBAR_INVALID, text));
        }
        let units = &given.units;
        if !units.is_empty() && own.units != *units {
            if self.whole != MechanismModel::default() {
                let text = format!(
                    "the model has numbers in {}, the text in \"{}\"; set the units of the model before its first number",
                    if own.units.is_empty() { "SI units".to_owned() } else { format!("\"{}\"", own.units.0) },
                    units.0
                );
                return Err(Failure::new(fourbar_status::FOURBAR_INVALID, text));
            }
            self.whole.model.units = units.clone();
        }
        let own = self.change();
        let (model, given) = (&mut own.model, more.model);
        if !given.name.is_empty() {
            model.name = given.name;
        }
        if !given.description.is_empty() {
            model.description = given.description;
        }
        if given.gravity != vector([0.0; 3]) {
            model.gravity = given.gravity;
        }
        model.simulation = model.simulation.overridden_by(&given.simulation);
        model.parameters.extend(given.parameters);
        model.bodies.extend(given.bodies);
        model.flexible.extend(given.flexible);
        model.markers.extend(given.markers);
        model.joints.extend(given.joints);
        model.motions.extend(given.motions);
        model.couplers.extend(given.couplers);
        model.gears.extend(given.gears);
        model.racks.extend(given.racks);
        model.rolling.extend(given.rolling);
        model.curves.extend(given.curves);
        model.points_on_curves.extend(given.points_on_curves);
        model.curves_on_curves.extend(given.curves_on_curves);
        model.equations.extend(given.equations);
        model.states.extend(given.states);
        model.transfer_functions.extend(given.transfer_functions);
        model.state_spaces.extend(given.state_spaces);
        model.pids.extend(given.pids);
        model.actuators.extend(given.actuators);
        model.inputs.extend(given.inputs);
        model.splines.extend(given.splines);
        model.forces.extend(given.forces);
        model.measures.extend(given.measures);
        own.contacts.shapes.extend(more.contacts.shapes);
        own.contacts.contacts.extend(more.contacts.contacts);
        own.measures.extend(more.measures);
        own.copies.extend(more.copies);
        own.includes.extend(more.includes);
        if more.settings != ContactSettings::default() {
            own.settings = more.settings;
        }
        Ok(())
    }
}

/// # Safety
/// `model` is NULL or alive.
pub(crate) unsafe fn with(
    model: *const fourbar_model,
    call: impl FnOnce(&mut Draft) -> Result<(), Failure>,
) -> fourbar_status {
    // SAFETY: by contract.
    match unsafe { model.as_ref() } {
        Some(model) => model.own.with("model", call),
        None => handle::null("model"),
    }
}

/// A model without bodies, to be built call by call.
///
/// Errors: `FOURBAR_NULL`.
///
/// # Safety
/// `out` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_model_new(out: *mut *mut fourbar_model) -> fourbar_status {
    // SAFETY: by contract.
    unsafe { handle::give(out, "out", || Ok(fourbar_model { own: Exclusive::new(Draft::default()) })) }
}

/// A model from TOML text of `length` bytes, as model files hold it (docs/model-format.md); `name` (NULL: none) stands for the file in errors.
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_TEXT`; `FOURBAR_INVALID` with line, column and remedy; `FOURBAR_UNSUPPORTED` for a model of another kind.
///
/// # Safety
/// `text` is NULL or has `length` bytes, `name` is NULL or ends with a NUL, `out` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_model_from_toml(
    text: *const c_char,
    length: usize,
    name: *const c_char,
    out: *mut *mut fourbar_model,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        handle::give(out, "out", || {
            Ok(fourbar_model { own: Exclusive::new(Draft::of_file(parse(text, length, name)?)?) })
        })
    }
}

/// # Safety
/// As [`fourbar_model_from_toml`].
unsafe fn parse(text: *const c_char, length: usize, name: *const c_char) -> Result<ModelFile, Failure> {
    // SAFETY: by contract.
    let (text, name) = unsafe {
        let text = view::slice(text.cast::<u8>(), length, "text")?;
        (text, if name.is_null() { "model" } else { view::text(name, "name")? })
    };
    let text = std::str::from_utf8(text).map_err(|error| {
        let text = format!("'text' is not UTF-8 from byte {} on", error.valid_up_to());
        Failure::new(fourbar_status::FOURBAR_TEXT, text)
    })?;
    failure::run(|| ModelFile::parse(name, text))
}

/// A model from a file.
///
/// Errors: as `fourbar_model_from_toml`; `FOURBAR_FILE`.
///
/// # Safety
/// `path` is NULL or ends with a NUL, `out` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_model_from_file(path: *const c_char, out: *mut *mut fourbar_model) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        handle::give(out, "out", || {
            let file = PathBuf::from(view::text(path, "path")?);
            let file = failure::run(|| ModelFile::load(file))?;
            Ok(fourbar_model { own: Exclusive::new(Draft::of_file(file)?) })
        })
    }
}

/// Adds whatever TOML text of `length` bytes holds (`[[body]]`, `[[joint]]`, `[[shape]]`, `[[contact]]`, `[contacts]`, ...) to the model; a gravity,
/// a title and settings that it gives replace those of the model.
///
/// Errors: as `fourbar_model_from_toml`; `FOURBAR_INVALID` for a parameter that the model has already. Nothing is added then.
///
/// # Safety
/// `model` is NULL or alive, `text` is NULL or has `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_model_add_toml(
    model: *mut fourbar_model,
    text: *const c_char,
    length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(model, |draft| {
            let more = Draft::of_file(parse(text, length, std::ptr::null())?)?;
            draft.take(more.whole)
        })
    }
}

/// The title.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`.
///
/// # Safety
/// `model` is NULL or alive, `name` is NULL or ends with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_model_set_name(model: *mut fourbar_model, name: *const c_char) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(model, |draft| {
            draft.change().model.name = view::text(name, "name")?.to_owned();
            Ok(())
        })
    }
}

/// The units in which the numbers of the model are written: one each of length, mass, time and force, such as "mm, t, s, N"; without this
/// call they are SI units. Results and what functions of the host take and give are in SI units.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`; `FOURBAR_INVALID` for units that are none.
///
/// # Safety
/// `model` is NULL or alive, `units` is NULL or ends with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_model_set_units(model: *mut fourbar_model, units: *const c_char) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(model, |draft| {
            let units = Units(view::text(units, "units")?.to_owned());
            if !units.is_empty() {
                failure::run(|| units.factors().map_err(|error| fourbar::multibody::Error::Model(error).into()))?;
            }
            draft.change().model.units = units;
            Ok(())
        })
    }
}

/// Gravitational acceleration in the global frame, three values \[m/s^2\].
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_NOT_FINITE`.
///
/// # Safety
/// `model` is NULL or alive, `gravity` is NULL or has three values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_model_set_gravity(model: *mut fourbar_model, gravity: *const f64) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(model, |draft| {
            let gravity = numbers::<3>(gravity, "gravity")?;
            draft.change().model.gravity = vector(gravity);
            Ok(())
        })
    }
}

/// Gives a parameter of the model a value, or adds one; expressions use it by its name.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_NOT_FINITE`.
///
/// # Safety
/// `model` is NULL or alive, `name` is NULL or ends with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_model_set_parameter(
    model: *mut fourbar_model,
    name: *const c_char,
    value: f64,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(model, |draft| {
            let (name, value) = (view::text(name, "name")?.to_owned(), number(value, "value")?);
            draft.change().model.parameters.insert(name, Expression::constant(value));
            Ok(())
        })
    }
}

/// The text of the last error on this handle; read it on the thread that uses the handle. Valid as long as the handle.
///
/// # Safety
/// `model` is NULL (then the text is empty) or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_model_error(model: *const fourbar_model) -> *const c_char {
    // SAFETY: by contract.
    unsafe { model.as_ref() }.map_or(CStr::as_ptr(c""), |model| model.own.message())
}

/// Frees a model; what was compiled from it lives on. NULL is allowed.
///
/// # Safety
/// `model` is NULL or alive, and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_model_free(model: *mut fourbar_model) {
    // SAFETY: by contract.
    unsafe { handle::free(model) }
}

/// A number that is finite.
pub(super) fn number(value: f64, name: &str) -> Result<f64, Failure> {
    if value.is_finite() {
        return Ok(value);
    }
    Err(Failure::new(fourbar_status::FOURBAR_NOT_FINITE, format!("'{name}' is {value}; give a finite number")))
}

/// `N` numbers that are finite.
///
/// # Safety
/// `values` is NULL or has `N` values.
pub(super) unsafe fn numbers<const N: usize>(values: *const f64, name: &str) -> Result<[f64; N], Failure> {
    // SAFETY: by contract.
    let values = unsafe { view::slice(values, N, name) }?;
    let mut own = [0.0; N];
    for (own, value) in own.iter_mut().zip(values) {
        *own = number(*value, name)?;
    }
    Ok(own)
}
