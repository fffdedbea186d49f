//! The parameters of a model of any kind as numbers.

use crate::coupled::SimulatorKind;
use crate::tuning::{self, Fixed, numbers};
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
    /// Whether a running model can go on with another value, as far as the model alone tells.
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
    let fixed = match document {
        Document::Mechanism(model) => tuning::of_mechanism(model)?,
        Document::Linear(model) => tuning::of_linear(model),
        Document::Circuit(circuit) => tuning::of_circuit(circuit),
        // Settings, gains and offsets are made of its own; simulators tell theirs.
        Document::Coupled(model) => Fixed::Some(model.parameters.keys().cloned().collect()),
    };
    all.iter_mut().for_each(|own| own.is_tunable = !fixed.holds(&own.name));
    Ok(all)
}

fn add(
    prefix: &str,
    parameters: &BTreeMap<String, Expression>,
    splines: &[Spline],
    all: &mut Vec<Parameter>,
) -> Result<(), Box<ModelError>> {
    let named = numbers(parameters, splines)?.into_iter();
    all.extend(named.map(|own| {
        let name = format!("{prefix}{}", own.name);
        Parameter { name, value: own.value, is_free: own.is_free, is_tunable: false }
    }));
    Ok(())
}
