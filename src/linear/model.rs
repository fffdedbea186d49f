//! A linear system and how it is stepped, as a person describes them.

use super::{Block, Diffusion, Input, Output, StateSpaceModel};
use fourbar_multibody::expression::Expression;
use fourbar_multibody::model::Spline;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A linear system as a person describes it: exactly one of `state_space`, `block` and `diffusion` says what it is.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct LinearModel {
    /// Title.
    pub name: String,
    /// What the model shows.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Units in which results are shown, as `"mm, deg"`; those of the outputs if empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub result_units: String,
    /// Named constants that every expression may use; they may refer to each other.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, Expression>,
    /// Curves through points, for expressions.
    #[serde(rename = "spline", skip_serializing_if = "Vec::is_empty")]
    pub splines: Vec<Spline>,
    /// How the model is to be run unless the caller says otherwise.
    pub simulation: LinearSettings,
    /// The system by its matrices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state_space: Option<StateSpaceModel>,
    /// The system as a block diagram.
    #[serde(rename = "block", skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<Block>,
    /// The system as diffusion along a rod.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diffusion: Option<Diffusion>,
    /// Input signals.
    #[serde(rename = "input", skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<Input>,
    /// Results by name.
    #[serde(rename = "output", skip_serializing_if = "Vec::is_empty")]
    pub outputs: Vec<Output>,
}

/// How a linear model is run unless the caller says otherwise.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct LinearSettings {
    /// End time \[s\]; runs start at t = 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<Expression>,
    /// Time between outputs \[s\], a multiple of `step`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_step: Option<Expression>,
    /// Step T \[s\]; the output step if absent, which `exact` halves where inputs are interpolated, until `tolerance` is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<Expression>,
    /// How inputs are treated between samples; `exact` if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<MethodName>,
    /// Order of the interpolation of inputs, 0 to 20; 3 if absent, 7 for `exact`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<u8>,
    /// Relative error, 1e-14 to 0.1: of the interpolation of inputs (1e-9 if absent; a given step is warned of above 1e-6), and of a step of a
    /// sparse system (1e-12 if absent).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<Expression>,
    /// Times at which a step ends exactly and a new history of the inputs begins \[s\]. Jumps and kinks of inputs are found without.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stop_times: Vec<Expression>,
}

impl LinearSettings {
    /// These settings with every entry that `other` gives taken from there. A method of its own order drops the order of another.
    #[must_use]
    pub fn overridden_by(&self, other: &Self) -> Self {
        let (mut one, two) = (self.clone(), other.clone());
        if two.method.is_some_and(|method| !method.has_order() && Some(method) != one.method) {
            one.order = None;
        }
        Self {
            end: two.end.or(one.end),
            output_step: two.output_step.or(one.output_step),
            step: two.step.or(one.step),
            method: two.method.or(one.method),
            order: two.order.or(one.order),
            tolerance: two.tolerance.or(one.tolerance),
            stop_times: if two.stop_times.is_empty() { one.stop_times } else { two.stop_times },
        }
    }
}

/// `exact`, or a family of [`fourbar_lti::Method`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum MethodName {
    /// No samples: inputs that are sums of c t^k e^(lambda t) between their jumps are stepped exactly; the others as by `algorithm_1`.
    #[default]
    #[serde(rename = "exact")]
    Exact,
    /// One step, samples within it.
    #[serde(rename = "algorithm_1")]
    Algorithm1,
    /// Multistep: one new sample a step.
    #[serde(rename = "algorithm_2")]
    Algorithm2,
    /// Algorithm 1 without the sample at the end of the step.
    #[serde(rename = "algorithm_1_real_time")]
    Algorithm1RealTime,
    /// Algorithm 2 without the sample at the end of the step.
    #[serde(rename = "algorithm_2_real_time")]
    Algorithm2RealTime,
    /// The input stays over a step.
    #[serde(rename = "zoh")]
    ZeroOrderHold,
    /// The input runs straight over a step.
    #[serde(rename = "foh")]
    FirstOrderHold,
    /// The classical one-step method of order 4, for comparison.
    #[serde(rename = "mtm4")]
    Mtm4,
    /// The classical multistep method of order 4, for comparison.
    #[serde(rename = "qam4")]
    Qam4,
}

impl MethodName {
    /// All of them with their names in files and on the command line.
    pub const NAMES: [(&'static str, Self); 9] = [
        ("exact", Self::Exact),
        ("algorithm_1", Self::Algorithm1),
        ("algorithm_2", Self::Algorithm2),
        ("algorithm_1_real_time", Self::Algorithm1RealTime),
        ("algorithm_2_real_time", Self::Algorithm2RealTime),
        ("zoh", Self::ZeroOrderHold),
        ("foh", Self::FirstOrderHold),
        ("mtm4", Self::Mtm4),
        ("qam4", Self::Qam4),
    ];

    /// Its name in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, method)| *method == self).map_or("", |(name, _)| name)
    }

    /// Whether its order can be chosen.
    #[must_use]
    pub fn has_order(self) -> bool {
        !matches!(self, Self::ZeroOrderHold | Self::FirstOrderHold | Self::Mtm4 | Self::Qam4)
    }

    /// The method of that name, upper and lower case alike.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, method)| *method)
    }
}
