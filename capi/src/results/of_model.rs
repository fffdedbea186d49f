//! A run of a model that is built call by call, or whose forces and motions are functions of the host.

use fourbar::Document;
use fourbar::run::Run;

use super::options::fourbar_run_options;
use super::run::fourbar_run;
use crate::abi::error::Failure;
use crate::abi::handle;
use crate::abi::options;
use crate::abi::status::fourbar_status;
use crate::model::failure;
use crate::model::model::{Draft, fourbar_model, with};

/// Compiles a model as it is now for a run from its start to its end, with the functions that it was given
/// (`fourbar_model_set_force_function`, `fourbar_model_set_motion_function`). `options` NULL means those of the model; an end time is needed here
/// or there. The model may be changed and freed afterwards; its functions are called by `fourbar_run_execute`, on its thread.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_STRUCT_SIZE`; `FOURBAR_NOT_FINITE`; `FOURBAR_INVALID` naming what is wrong, where, and what to do;
/// `FOURBAR_NUMERICAL` where the model cannot be assembled; `FOURBAR_UNSUPPORTED` for a setting that a mechanism does not have; `FOURBAR_CALLBACK`
/// where a function of the host fails at the start.
///
/// # Safety
/// `model` is NULL or alive; the options are NULL or as they say; `out` is NULL or valid; functions of the model may be called with their `user`
/// as long as the run lives.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_run_from_model(
    model: *const fourbar_model,
    options: *const fourbar_run_options,
    out: *mut *mut fourbar_run,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe { with(model, |draft| handle::nested(handle::give(out, "out", || run_of(draft, options)))) }
}

/// # Safety
/// The options are NULL or as they say.
unsafe fn run_of(draft: &Draft, given: *const fourbar_run_options) -> Result<fourbar_run, Failure> {
    // SAFETY: by contract.
    let given = unsafe { options::read(given) }?;
    // SAFETY: by contract.
    let overrides = unsafe { given.overrides() }?;
    let document = Document::Mechanism(Box::new(draft.whole.clone()));
    let bodies = given.kept(&document, &draft.functions)?;
    let run = failure::run(|| {
        Run::with_functions(&document, &overrides, &draft.functions).map_err(|error| match &draft.file {
            Some(file) => file.explain(error),
            None => error,
        })
    })?;
    Ok(fourbar_run::new(run, bodies, draft.file.clone(), document.description().to_owned()))
}
