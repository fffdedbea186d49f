//! How simulators are stepped together: settings as people write them, and as numbers.

use fourbar_coupling::Acceleration;
use fourbar_multibody::expression::Expression;
use serde::{Deserialize, Serialize};

/// How simulators are stepped unless the caller says otherwise.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct CoupledSettings {
    /// Time at which the run begins \[s\], 0 if absent; federations begin there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_time: Option<Expression>,
    /// End time \[s\], a whole number of communication steps after the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<Expression>,
    /// Communication step H \[s\]; the longest one if it is adaptive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<Expression>,
    /// Time between outputs \[s\], a multiple of `step` unless that is adaptive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_step: Option<Expression>,
    /// Who steps when, with which inputs; `gauss_seidel` if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub algorithm: Option<AlgorithmName>,
    /// Degree of the polynomials that inputs follow over a step, 0 to 2; 2 if absent, 1 for `iterated`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<u8>,
    /// For `gauss_seidel` and `iterated`: simulators in the order of stepping; that with the fewest extrapolated inputs if absent.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sequence: Vec<String>,
    /// For `iterated`: how the fixed point is sought; `broyden` if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acceleration: Option<AccelerationName>,
    /// For `iterated`: largest change of an input over a sweep, relative to its largest value so far; 1e-8 if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<Expression>,
    /// For `iterated`: most sweeps of a step; 20 if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_sweeps: Option<u32>,
    /// Lets the communication step follow the error of the extrapolated inputs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adaptive: Option<AdaptiveSettings>,
    /// Whether communication steps end at the events of simulators that return early or know them beforehand; no if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events: Option<bool>,
    /// Whether parabolas become straight lines while H times the frequency of the exchanged signals exceeds 1; no if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order_reduction: Option<bool>,
    /// Whether outputs that depend on themselves without delay are solved for; yes if absent, else they are refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solve_loops: Option<bool>,
    /// Simulated seconds in a second of the wall clock: 1 is real time; as fast as possible if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub real_time_factor: Option<Expression>,
    /// Outputs to record, `simulator.output` or `simulator.*`, inputs as they arrive after gain and offset, `simulator.input`, or all of them,
    /// `inputs`; all outputs and no input if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<Vec<String>>,
}

/// Who steps when, with which inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AlgorithmName {
    /// All with held inputs, then values are exchanged as they stand: the loop of patent CN101908089A.
    JacobiDelayed,
    /// All at the same time with extrapolated inputs.
    Jacobi,
    /// One after the other; inputs from those that have stepped are interpolated.
    #[default]
    GaussSeidel,
    /// Repeated until the inputs at the end of the step reproduce themselves.
    Iterated,
}

impl AlgorithmName {
    /// All of them with their names in files and on the command line.
    pub const NAMES: [(&'static str, Self); 4] = [
        ("jacobi_delayed", Self::JacobiDelayed),
        ("jacobi", Self::Jacobi),
        ("gauss_seidel", Self::GaussSeidel),
        ("iterated", Self::Iterated),
    ];

    /// Its name in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, algorithm)| *algorithm == self).map_or("", |(name, _)| name)
    }

    /// The algorithm of that name, upper and lower case alike.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, algorithm)| *algorithm)
    }
}

/// How a fixed point is sought.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AccelerationName {
    /// By repetition.
    FixedPoint,
    /// By repetition with Aitken's relaxation.
    Aitken,
    /// By Broyden's method, its matrix kept from step to step.
    #[default]
    Broyden,
}

/// A communication step that follows the error of the extrapolated inputs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AdaptiveSettings {
    /// Largest difference between an extrapolated input and what its source then gave, relative to its largest value so far.
    pub tolerance: Expression,
    /// First communication step \[s\]; a hundredth of `step` if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<Expression>,
    /// Shortest communication step \[s\]; a thousandth of `step` if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shortest: Option<Expression>,
    /// Whether a step that misses the tolerance is undone; yes if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rollback: Option<bool>,
}

impl CoupledSettings {
    /// These settings with every entry that `other` gives taken from there. Another algorithm drops what it does not have.
    #[must_use]
    pub fn overridden_by(&self, other: &Self) -> Self {
        let (mut one, two) = (self.clone(), other.clone());
        if let Some(algorithm) = two.algorithm.filter(|algorithm| Some(*algorithm) != one.algorithm) {
            one.drop_strangers(algorithm);
        }
        let list = |one: Vec<String>, two: Vec<String>| if two.is_empty() { one } else { two };
        Self {
            start_time: two.start_time.or(one.start_time),
            end: two.end.or(one.end),
            step: two.step.or(one.step),
            output_step: two.output_step.or(one.output_step),
            algorithm: two.algorithm.or(one.algorithm),
            order: two.order.or(one.order),
            sequence: list(one.sequence, two.sequence),
            acceleration: two.acceleration.or(one.acceleration),
            tolerance: two.tolerance.or(one.tolerance),
            max_sweeps: two.max_sweeps.or(one.max_sweeps),
            adaptive: two.adaptive.or(one.adaptive),
            events: two.events.or(one.events),
            order_reduction: two.order_reduction.or(one.order_reduction),
            solve_loops: two.solve_loops.or(one.solve_loops),
            real_time_factor: two.real_time_factor.or(one.real_time_factor),
            record: two.record.or(one.record),
        }
    }
}

impl CoupledSettings {
    /// Takes out what an algorithm does not have.
    pub(super) fn drop_strangers(&mut self, algorithm: AlgorithmName) {
        if algorithm != AlgorithmName::Iterated {
            self.acceleration = None;
            self.tolerance = None;
            self.max_sweeps = None;
        }
        if matches!(algorithm, AlgorithmName::JacobiDelayed | AlgorithmName::Jacobi) {
            self.sequence.clear();
        }
        if algorithm == AlgorithmName::JacobiDelayed {
            self.order = self.order.filter(|order| *order == 0);
        }
    }
}

impl AccelerationName {
    pub(super) fn acceleration(self) -> Acceleration {
        match self {
            Self::FixedPoint => Acceleration::FixedPoint,
            Self::Aitken => Acceleration::Aitken,
            Self::Broyden => Acceleration::Broyden,
        }
    }
}
