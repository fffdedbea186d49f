//! From a model to a mechanism.

use std::sync::Arc;

use fourbar::linalg::text::Brief;
use fourbar::simulation::CompiledModel;

use super::failure;
use super::mechanism::fourbar_mechanism;
use super::model::{Draft, fourbar_model, with};
use crate::abi::error::Failure;
use crate::abi::handle;
use crate::abi::status::fourbar_status;
use crate::log;

/// Compiles the model: checks names, values and expressions, assembles bodies and joints (the initial-condition analysis), finds redundant
/// constraints, and compiles contacts. The model may be changed and compiled again, and freed. What was moved and what is redundant goes to
/// the log.
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_INVALID` naming what is wrong, where, and what to do; `FOURBAR_NUMERICAL` where the model cannot be assembled;
/// `FOURBAR_CALLBACK` where a function of the host fails at the start.
///
/// # Safety
/// `model` is NULL or alive, `out` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_model_compile(
    model: *const fourbar_model,
    out: *mut *mut fourbar_mechanism,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(model, |draft| {
            handle::nested(handle::give(out, "out", || {
                let compiled = Arc::new(compile(draft)?);
                tell(&compiled);
                Ok(fourbar_mechanism::new(compiled))
            }))
        })
    }
}

fn compile(draft: &Draft) -> Result<CompiledModel, Failure> {
    failure::run(|| {
        let compiled = CompiledModel::new(&draft.whole, &draft.functions);
        compiled.map_err(|error| match &draft.file {
            Some(file) => file.explain(error),
            None => error,
        })
    })
}

/// What whoever wrote the model should know.
fn tell(compiled: &CompiledModel) {
    let mechanism = compiled.mechanism();
    let name = mechanism.name();
    for moved in &mechanism.assembly().moved {
        log::inform(|| {
            format!(
                "model \"{name}\": assembly moved the body \"{}\" by {:.4} m and {:.4} rad",
                moved.body,
                Brief(moved.translation),
                Brief(moved.rotation)
            )
        });
    }
    for redundancy in mechanism.redundancies() {
        log::warn(|| {
            format!(
                "model \"{name}\": {} ({}) depends on {} and was dropped; reactions are not unique",
                redundancy.joint,
                redundancy.row,
                others(&redundancy.because_of)
            )
        });
    }
    if mechanism.assembly().singular_start {
        log::warn(|| format!("model \"{name}\": the start is a singular position; start a little away from it"));
    }
}

/// Joints and motions by name.
fn others(names: &[String]) -> String {
    if names.is_empty() {
        return "its other rows".to_owned();
    }
    names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
}
