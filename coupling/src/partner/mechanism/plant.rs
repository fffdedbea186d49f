//! The control plant (R46): what of a mechanism its partners see, to be written to a file.

use fourbar_multibody::{Mechanism, Model};
use serde::{Deserialize, Serialize};

use crate::function::{Causality, Variable};

/// Inputs, outputs and step of a mechanism, and what became of its redundant constraints.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ControlPlant {
    /// Title of the model.
    pub name: String,
    /// What it takes.
    pub inputs: Vec<PlantVariable>,
    /// What it gives.
    pub outputs: Vec<PlantVariable>,
    /// Step of its solver \[s\], if that is fixed: the communication step may not be shorter.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub solver_step: Option<f64>,
    /// How it is followed in time.
    pub method: String,
    /// Degrees of freedom that its actuators and other forces move, motions in force counted as constraints.
    pub degrees_of_freedom: usize,
    /// Motions that actuators have taken out of force (R44).
    pub replaced_motions: Vec<String>,
    /// Motions in force.
    pub motions: Vec<String>,
    /// Constraint rows of joints that depend on others and were dropped (R45).
    pub dropped_rows: Vec<String>,
}

/// An input or output of a [`ControlPlant`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlantVariable {
    /// Name.
    pub name: String,
    /// Unit; empty for a bare number.
    pub unit: String,
    /// Value at the start \[unit\].
    pub start: f64,
    /// Inputs on which an output depends without delay.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub feedthrough: Vec<String>,
}

impl ControlPlant {
    pub(super) fn new(mechanism: &Mechanism, model: &Model, variables: &[Variable], solver_step: Option<f64>) -> Self {
        let of = |causality| {
            let variables = variables.iter().filter(move |variable| variable.causality == causality);
            let plant = |v: &Variable| PlantVariable {
                name: v.name.clone(),
                unit: v.unit.clone(),
                start: v.start,
                feedthrough: v.feedthrough.clone(),
            };
            variables.map(plant).collect()
        };
        let dropped = mechanism.redundancies().iter();
        Self {
            name: mechanism.name().to_owned(),
            inputs: of(Causality::Input),
            outputs: of(Causality::Output),
            solver_step,
            method: String::new(),
            degrees_of_freedom: mechanism.degrees_of_freedom(),
            replaced_motions: model.actuators.iter().filter_map(|actuator| actuator.replaces.clone()).collect(),
            motions: model.motions_in_force().map(|motion| motion.name.clone()).collect(),
            dropped_rows: dropped.map(|row| row.row.clone()).collect(),
        }
    }
}
