//! A mechanism from a model: compiled, then assembled.

use super::Mechanism;
use crate::error::Error;
use crate::host::HostFunctions;
use crate::mechanism::{Origin, Variant};
use crate::model::Model;
use std::sync::Arc;

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
        let variant = crate::compile::start_variant(model);
        let mechanism = Self::assembled(model, functions, &variant)?;
        if !mechanism.has_switches() {
            return Ok(mechanism);
        }
        let mut mechanism = Self::settled(mechanism, model, functions)?;
        mechanism.origin = Some(Arc::new(Origin { model: model.clone(), functions: functions.clone() }));
        Ok(mechanism)
    }

    fn assembled(model: &Model, functions: &HostFunctions, variant: &Variant) -> Result<Self, Error> {
        let mut mechanism = crate::compile::compile(model, functions, variant)?;
        crate::analysis::initialize(&mut mechanism)?;
        crate::compile::check_slopes(model, &mechanism)?;
        Ok(mechanism)
    }

    /// With the elements that act where the mechanism is assembled with them.
    fn settled(mut mechanism: Self, model: &Model, functions: &HostFunctions) -> Result<Self, Error> {
        // Each round may find that one more acts; then all have been seen.
        for _ in 0..=mechanism.switches.activities.len() {
            let mut variant = mechanism.switches.variant.clone();
            let act = crate::analysis::activities_at_start(&mechanism)?;
            let turned =
                mechanism.switches.activities.iter().zip(&act).filter(|(a, acts)| variant.turn(&a.element, **acts));
            if turned.count() == 0 {
                return Ok(mechanism);
            }
            mechanism = Self::assembled(model, functions, &variant)?;
        }
        Err(Error::Undecided { element: mechanism.switches.name(mechanism.switches.sensors.len()) })
    }
}
