//! Settings of a run in place of those of the model.

use std::ffi::c_char;

use fourbar::run::{Allowed, Overrides, RunSetting};

use crate::abi::error::Failure;
use crate::abi::options::{self, Grows, unless_zero};
use crate::abi::status::fourbar_status;
use crate::abi::{guard, view};

/// Settings that replace those of the model; set by `fourbar_run_options_init` first. A setting that the type of model does not have is
/// refused. Each has the name and the meaning that it has in model files and on the command line (docs/running.md).
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct fourbar_run_options {
    /// sizeof(fourbar_run_options).
    pub struct_size: usize,
    /// End time \[s\]; 0 (the default, as for the others): that of the model.
    pub end: f64,
    /// Time between outputs \[s\].
    pub output_step: f64,
    /// Relative tolerance.
    pub tolerance: f64,
    /// Largest step of a mechanism or circuit \[s\].
    pub max_step: f64,
    /// Step of a linear system, of contacts with fixed steps, or between communication points \[s\].
    pub step: f64,
    /// Integrator of a mechanism, such as "gstiff"; NULL (the default, as for the other names): that of the model.
    pub integrator: *const c_char,
    /// Formulation of a mechanism, such as "si2".
    pub formulation: *const c_char,
    /// How contacts are followed, such as "event".
    pub contacts: *const c_char,
    /// Method of a linear system, such as "exact".
    pub method: *const c_char,
    /// Algorithm of coupled simulators, such as "gauss_seidel".
    pub algorithm: *const c_char,
    /// Numerical damping of hht, -1/3 to 0; 1 (the default): that of the model.
    pub alpha: f64,
    /// Numerical damping of hht as the spectral radius at infinity, 0 to 1, in place of `alpha`; -1 (the default): that of the model.
    pub rho_infinity: f64,
    /// Most steps that the run of a mechanism or circuit may take; 0: those of the model.
    pub max_steps: u64,
    /// Largest order of the integrator of a mechanism or circuit, 1 to 6, of abam 1 to 12; 0: that of the model.
    pub max_order: u32,
    /// Order of the method of a linear system, 0 to 20, or degree of the inputs of coupled simulators, 0 to 2; -1 (the default): that of the
    /// model.
    pub order: i32,
    /// 1: the run keeps where its bodies are, and what acts on them, at its outputs, and its report shows them in motion; 0 (the default): it does not.
    pub bodies: i32,
}

// SAFETY: numbers and pointers, the size first.
unsafe impl Grows for fourbar_run_options {
    const NAME: &'static str = "fourbar_run_options";
    const FIRST: usize = size_of::<Self>();

    fn defaults() -> Self {
        let none = std::ptr::null();
        Self {
            struct_size: size_of::<Self>(),
            end: 0.0,
            output_step: 0.0,
            tolerance: 0.0,
            max_step: 0.0,
            step: 0.0,
            integrator: none,
            formulation: none,
            contacts: none,
            method: none,
            algorithm: none,
            alpha: 1.0,
            rho_infinity: -1.0,
            max_steps: 0,
            max_order: 0,
            order: -1,
            bodies: 0,
        }
    }
}

impl fourbar_run_options {
    /// What they say.
    ///
    /// # Safety
    /// Each name is NULL or ends with a NUL.
    pub(super) unsafe fn overrides(&self) -> Result<Overrides, Failure> {
        // SAFETY: by contract.
        let [integrator, formulation, contacts, method, algorithm] = unsafe {
            [
                word("integrator", self.integrator)?,
                word("formulation", self.formulation)?,
                word("contacts", self.contacts)?,
                word("method", self.method)?,
                word("algorithm", self.algorithm)?,
            ]
        };
        Ok(Overrides {
            end: unless_zero("end", self.end)?,
            output_step: unless_zero("output_step", self.output_step)?,
            tolerance: unless_zero("tolerance", self.tolerance)?,
            max_step: unless_zero("max_step", self.max_step)?,
            step: unless_zero("step", self.step)?,
            alpha: (self.alpha != 1.0).then_some(self.alpha),
            rho_infinity: (self.rho_infinity != -1.0).then_some(self.rho_infinity),
            max_order: integer("max_order", i64::from(self.max_order), 0)?,
            order: integer("order", i64::from(self.order), -1)?,
            max_steps: (self.max_steps != 0).then_some(self.max_steps),
            contacts: contacts.and_then(fourbar::mechanism::ContactMethod::from_name),
            method: method.and_then(fourbar::linear::MethodName::from_name),
            algorithm: algorithm.and_then(fourbar::coupled::AlgorithmName::from_name),
            integrator: integrator.map(str::to_owned),
            formulation: formulation.map(str::to_owned),
        })
    }
}

/// One of the words of a setting; `None` for NULL.
///
/// # Safety
/// `given` is NULL or ends with a NUL.
unsafe fn word(name: &'static str, given: *const c_char) -> Result<Option<&'static str>, Failure> {
    if given.is_null() {
        return Ok(None);
    }
    // SAFETY: by contract.
    let given = unsafe { view::text(given, name) }?;
    let words = match RunSetting::find(name).map(RunSetting::allowed) {
        Some(Allowed::Word(words)) => words,
        _ => Vec::new(),
    };
    match words.iter().find(|word| word.eq_ignore_ascii_case(given)) {
        Some(word) => Ok(Some(word)),
        None => {
            let given = fourbar::linalg::text::printable(given);
            let text = format!("{name} is \"{given}\"; it must be one of {}", words.join(", "));
            Err(Failure::new(fourbar_status::FOURBAR_INVALID, text))
        }
    }
}

/// A whole number of the range of a setting; `None` for `absent`.
fn integer(name: &'static str, given: i64, absent: i64) -> Result<Option<u8>, Failure> {
    if given == absent {
        return Ok(None);
    }
    let range = match RunSetting::find(name).map(RunSetting::allowed) {
        Some(Allowed::Integer(range)) => range,
        _ => 0..=0,
    };
    match u64::try_from(given).ok().filter(|value| range.contains(value)).and_then(|value| u8::try_from(value).ok()) {
        Some(value) => Ok(Some(value)),
        None => {
            let text = format!(
                "{name} is {given}; it must be from {} to {}, or {absent} for that of the model",
                range.start(),
                range.end()
            );
            Err(Failure::new(fourbar_status::FOURBAR_INVALID, text))
        }
    }
}

/// Sets the defaults; `size` is sizeof(fourbar_run_options).
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
///
/// # Safety
/// `options` is NULL or has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_run_options_init(options: *mut fourbar_run_options, size: usize) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe { options::write(options, size, &fourbar_run_options::defaults()) })
}
