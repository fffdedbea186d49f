//! A mechanism from a model: compiled, then assembled.

use super::Mechanism;
use crate::error::Error;
use crate::host::HostFunctions;
use crate::model::Model;

impl Mechanism {
    /// Compiles a model: resolves its names and expressions, checks it, assembles it, and finds redundant constraints.
    ///
    /// # Errors
    /// [`Error`] naming what is wrong, where, and what to do.
    pub fn compile(model: &Model) -> Result<Self, Error> {
        Self::compile_with(model, &HostFunctions::default())
    }

    /// As [`Mechanism::compile`], forces and motions of these names computed by functions of the host.
    ///
    /// # Errors
    /// As [`Mechanism::compile`]; for a function of what the model does not have or a function cannot compute.
    pub fn compile_with(model: &Model, functions: &HostFunctions) -> Result<Self, Error> {
        let mut mechanism = crate::compile::compile(model, functions)?;
        crate::analysis::initialize(&mut mechanism)?;
        Ok(mechanism)
    }
}
