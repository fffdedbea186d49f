//! What happens while a mechanism runs: sensors, and elements that act for a part of the time.

use crate::expression::Expression;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An expression that is watched: where it crosses a value, the actions of the sensor are carried out.
///
/// Actions at one time are carried out in the order of the sensors. At least one is given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Sensor {
    /// Name, unique among sensors.
    pub name: String,
    /// What is watched, over `time`, parameters, inputs and measures of any kind.
    pub expression: Expression,
    /// The value that it crosses; an expression of the same names, 0 if absent.
    #[serde(default = "zero")]
    pub value: Expression,
    /// Which way it crosses the value.
    #[serde(default)]
    pub direction: CrossingDirection,
    /// The crossing counts where this is above 0; always if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<Expression>,
    /// Whether the first crossing is the only one that counts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub once: bool,
    /// The run ends there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stop: bool,
    /// Expressions whose values there are written to the list of events.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub print: Vec<Expression>,
    /// Parameters and inputs that have another value from there on, each with an expression that is evaluated there.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub set: BTreeMap<String, Expression>,
    /// Joints and motions that hold from there on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lock: Vec<String>,
    /// Joints and motions that let go there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub release: Vec<String>,
    /// Forces that act from there on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub activate: Vec<String>,
    /// Forces that cease there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deactivate: Vec<String>,
    /// The integrator begins anew there, with this step \[s\].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<Expression>,
    /// The integrator begins anew there, and takes no longer steps than this \[s\].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_step: Option<Expression>,
}

impl Sensor {
    /// A sensor without an action.
    #[must_use]
    pub fn new(name: &str, expression: Expression) -> Self {
        Self {
            name: name.to_owned(),
            expression,
            value: zero(),
            direction: CrossingDirection::default(),
            when: None,
            once: false,
            stop: false,
            print: Vec::new(),
            set: BTreeMap::new(),
            lock: Vec::new(),
            release: Vec::new(),
            activate: Vec::new(),
            deactivate: Vec::new(),
            step: None,
            max_step: None,
        }
    }

    /// Whether it does anything.
    #[must_use]
    pub fn acts(&self) -> bool {
        let names = [&self.lock, &self.release, &self.activate, &self.deactivate];
        self.stop
            || !self.print.is_empty()
            || !self.set.is_empty()
            || names.iter().any(|names| !names.is_empty())
            || self.step.is_some()
            || self.max_step.is_some()
    }
}

fn zero() -> Expression {
    Expression::constant(0.0)
}

/// Which way a sensor's expression crosses its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CrossingDirection {
    /// From below to above.
    Rising,
    /// From above to below.
    Falling,
    /// Either way.
    #[default]
    Either,
}

/// When a joint, motion or force acts: where the expression is above 0. In model files it is the entry `active` of the element itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Activity {
    /// Kind of the element.
    pub kind: ElementKind,
    /// Name of the element.
    pub name: String,
    /// Over `time`, parameters, inputs, and measures of positions, angles, distances and their rates.
    pub active: Expression,
}

/// Elements that can be switched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ElementKind {
    /// A joint.
    Joint,
    /// A motion.
    Motion,
    /// A force.
    Force,
}

impl ElementKind {
    /// Its section in model files.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Joint => "joint",
            Self::Motion => "motion",
            Self::Force => "force",
        }
    }
}
