//! The parameters of a model of any kind as numbers.

use super::tunable::fixed;
use crate::coupled::SimulatorKind;
use crate::{Document, Error};
use fourbar_multibody::expression::Expression;
use fourbar_multibody::model::Spline;
use fourbar_multibody::{ModelError, Parameters};
use std::collections::BTreeMap;

/// A parameter.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Parameter {
    /// As [`Document::set_parameter`] knows it.
    pub(super) name: String,
    pub(super) value: f64,
    /// Whether it has a number of its own, as opposed to one that follows from others.
    pub(super) is_free: bool,
    /// Whether a running model can go on with another value.
    pub(super) is_tunable: bool,
}

/// All parameters, in the order of their names; of coupled models those of each simulator behind its own.
pub(super) fn parameters(document: &Document) -> Result<Vec<Parameter>, Error> {
    let mut all = Vec::new();
    match document {
        Document::Mechanism(model) => {
            let model = &model.model;
            add("", &model.parameters, &model.splines, &mut all).map_err(fourbar_multibody::Error::Model)?;
        }
        Document::Linear(model) => {
            add("", &model.parameters, &model.splines, &mut all)?;
        }
        Document::Circuit(circuit) => {
            let model = &circuit.model;
            add("", &model.parameters, &model.splines, &mut all).map_err(fourbar_hydraulics::Error::Model)?;
        }
        Document::Coupled(model) => {
            add("", &model.parameters, &[], &mut all).map_err(Error::CoupledModel)?;
            let shared = Parameters::new(&model.parameters).map_err(Error::CoupledModel)?;
            for (index, simulator) in model.simulators.iter().enumerate() {
                let mut kind = simulator.settled_kind(index, &shared)?;
                let splines = kind.splines().to_vec();
                let prefix = format!("{}.", simulator.name);
                add(&prefix, kind.parameters(), &splines, &mut all).map_err(Error::CoupledModel)?;
                if let SimulatorKind::Coupled(model) = kind {
                    let within = parameters(&Document::Coupled(model))?.into_iter();
                    all.extend(within.map(|own| Parameter { name: format!("{prefix}{}", own.name), ..own }));
                }
            }
        }
    }
    let fixed = fixed(document)?;
    all.iter_mut().for_each(|own| own.is_tunable = !fixed.holds(&own.name));
    Ok(all)
}

fn add(
    prefix: &str,
    parameters: &BTreeMap<String, Expression>,
    splines: &[Spline],
    all: &mut Vec<Parameter>,
) -> Result<(), Box<ModelError>> {
    let values = Parameters::with_splines(parameters, splines)?;
    all.extend(parameters.iter().filter_map(|(name, expression)| {
        let is_free = expression.variables().is_empty();
        Some(Parameter { name: format!("{prefix}{name}"), value: values.get(name)?, is_free, is_tunable: false })
    }));
    Ok(())
}
