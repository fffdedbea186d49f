//! How simulators are stepped together: settings as people write them, and as numbers.

use super::CoupledModel;
use crate::Error;
use crate::results::number;
use fourbar_coupling::management::Pacing;
use fourbar_coupling::{Acceleration, Adaptive, Algorithm, Options, Order};
use fourbar_multibody::expression::Expression;
use fourbar_multibody::{Location, ModelError, Parameters};
use serde::{Deserialize, Serialize};

/// How simulators are stepped unless the caller says otherwise.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct CoupledSettings {
    /// End time \[s\], a whole number of communication steps; runs start at t = 0.
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
            order_reduction: two.order_reduction.or(one.order_reduction),
            solve_loops: two.solve_loops.or(one.solve_loops),
            real_time_factor: two.real_time_factor.or(one.real_time_factor),
            record: two.record.or(one.record),
        }
    }
}

impl CoupledSettings {
    /// Takes out what an algorithm does not have.
    fn drop_strangers(&mut self, algorithm: AlgorithmName) {
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

/// Settings as numbers.
#[derive(Debug, Clone)]
pub(crate) struct Settled {
    pub(crate) end: Option<f64>,
    pub(crate) output_step: Option<f64>,
    /// With an end of infinity where none is given.
    pub(crate) options: Options,
    pub(crate) record: Option<Vec<String>>,
}

pub(super) fn field(name: &str) -> Location {
    Location { section: "simulation", index: 0, name: String::new(), field: name.to_owned() }
}

/// Part of a communication step by which an output may miss a communication point.
pub(crate) const SAME: f64 = 1e-6;

impl Settled {
    /// Refuses outputs between communication points, unless the communication step is adaptive.
    pub(crate) fn check_output_step(&self) -> Result<(), Error> {
        let (Some(output_step), None) = (self.output_step, &self.options.adaptive) else { return Ok(()) };
        let step = self.options.step;
        let every = (output_step / step).round();
        if every < 1.0 || (output_step - every * step).abs() > SAME * step {
            return Err(Error::OutputsBetweenSteps { output_step, step });
        }
        Ok(())
    }

    /// Takes the multiple of the communication step next to the model's output step, where that does not fit; what was done, in words.
    pub(crate) fn fit_output_step(&mut self) -> Option<String> {
        let Err(Error::OutputsBetweenSteps { output_step, step }) = self.check_output_step() else { return None };
        let fitting = (output_step / step).round().max(1.0) * step;
        self.output_step = Some(fitting);
        Some(format!(
            "outputs are {} s apart instead of {} s, so that they fall on communication points; give `output_step` with `step` to choose",
            number(fitting, 6),
            number(output_step, 6)
        ))
    }

    /// Indices among `names`, the first `outputs` of which are outputs, the others inputs, of what `record` asks for: all outputs if it asks
    /// for nothing.
    pub(crate) fn recorded(&self, names: &[String], outputs: usize) -> Result<Vec<usize>, Error> {
        let Some(record) = &self.record else { return Ok((0..outputs).collect()) };
        if record.is_empty() {
            let remedy = format!("remove it to record all outputs, or name some of them: {}", names.join(", "));
            return Err(Error::CoupledModel(ModelError::new(field("record"), "it names nothing", remedy)));
        }
        let mut found = Vec::new();
        for (index, wanted) in record.iter().enumerate() {
            let matches = |k: &usize| match wanted.strip_suffix(".*") {
                Some(simulator) => *k < outputs && names[*k].split_once('.').is_some_and(|(own, _)| own == simulator),
                None if wanted == "inputs" => *k >= outputs,
                None => names[*k] == *wanted,
            };
            let before = found.len();
            found.extend((0..names.len()).filter(matches));
            if found.len() == before {
                let (place, known) = (field(&format!("record.{index}")), names.iter().map(String::as_str));
                return Err(Error::CoupledModel(ModelError::unknown("output", wanted, known, &place)));
            }
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }
}

impl Settled {
    /// Evaluates the settings of `model`; entries of `overrides` take precedence.
    pub(crate) fn new(model: &CoupledModel, overrides: &CoupledSettings) -> Result<Self, Box<ModelError>> {
        let parameters = Parameters::new(&model.parameters)?;
        let settings = model.simulation.overridden_by(overrides);
        let reader = Reader { parameters: &parameters };
        let end = reader.positive("end", settings.end.as_ref(), "a time above 0 s")?;
        let Some(step) = reader.positive("step", settings.step.as_ref(), "a time above 0 s")? else {
            let remedy = "write `step = 1e-3  # s` in the section [simulation], or give the run one (--step)";
            return Err(ModelError::new(field(""), "the run has no communication step", remedy));
        };
        let algorithm = reader.algorithm(&settings)?;
        let pace = reader.positive("real_time_factor", settings.real_time_factor.as_ref(), "above 0")?;
        let options = Options {
            adaptive: settings.adaptive.as_ref().map(|adaptive| reader.adaptive(adaptive, step)).transpose()?,
            order_reduction: settings.order_reduction.unwrap_or(false),
            solve_loops: settings.solve_loops.unwrap_or(true),
            faults: model.faults.policy()?,
            ports: model.ports.iter().map(super::PortModel::port).collect(),
            pacing: pace.map(|real_time_factor| Pacing { real_time_factor }),
            ..Options::new(end.unwrap_or(f64::INFINITY), step, algorithm)
        };
        let output_step = reader.positive("output_step", settings.output_step.as_ref(), "a time above 0 s")?;
        Ok(Self { end, output_step, options, record: settings.record })
    }
}

struct Reader<'a> {
    parameters: &'a Parameters<'a>,
}

impl Reader<'_> {
    fn positive(
        &self,
        name: &str,
        setting: Option<&Expression>,
        allowed: &str,
    ) -> Result<Option<f64>, Box<ModelError>> {
        let check = |expression| self.parameters.checked(expression, &field(name), allowed, |value| value > 0.0);
        setting.map(check).transpose()
    }

    fn algorithm(&self, settings: &CoupledSettings) -> Result<Algorithm, Box<ModelError>> {
        let name = settings.algorithm.unwrap_or_default();
        // Parabolas are more accurate and bear longer steps, but an iteration that has converged through them is unstable from H omega of about 1
        // (docs/coupling.md, "Default").
        let order = match settings.order {
            Some(0) => Order::Hold,
            Some(1) => Order::Linear,
            None if name == AlgorithmName::Iterated => Order::Linear,
            None | Some(2) => Order::Quadratic,
            Some(order) => {
                let problem = format!("the value is {order}");
                return Err(ModelError::new(field("order"), problem, "it must be an order from 0 to 2"));
            }
        };
        self.refuse_strangers(name, settings)?;
        let sequence = settings.sequence.clone();
        Ok(match name {
            AlgorithmName::JacobiDelayed => Algorithm::JacobiDelayed,
            AlgorithmName::Jacobi => Algorithm::Jacobi { order },
            AlgorithmName::GaussSeidel => Algorithm::GaussSeidel { order, sequence },
            AlgorithmName::Iterated => {
                let tolerance = self.positive("tolerance", settings.tolerance.as_ref(), "above 0")?;
                Algorithm::Iterated {
                    order,
                    sequence,
                    acceleration: settings.acceleration.unwrap_or_default().acceleration(),
                    tolerance: tolerance.unwrap_or(1e-8),
                    max_sweeps: settings.max_sweeps.unwrap_or(20) as usize,
                }
            }
        })
    }

    /// Refuses settings that the algorithm does not have.
    fn refuse_strangers(&self, name: AlgorithmName, settings: &CoupledSettings) -> Result<(), Box<ModelError>> {
        let mut without = settings.clone();
        without.drop_strangers(name);
        let strangers = [
            ("order", settings.order != without.order),
            ("sequence", settings.sequence != without.sequence),
            ("acceleration", settings.acceleration != without.acceleration),
            ("tolerance", settings.tolerance != without.tolerance),
            ("max_sweeps", settings.max_sweeps != without.max_sweeps),
        ];
        match strangers.into_iter().find(|(_, stranger)| *stranger) {
            Some((setting, _)) => {
                let problem = format!("the algorithm `{}` has no `{setting}`", name.name());
                Err(ModelError::new(field(setting), problem, "remove it, or choose another algorithm"))
            }
            None => Ok(()),
        }
    }

    fn adaptive(&self, settings: &AdaptiveSettings, step: f64) -> Result<Adaptive, Box<ModelError>> {
        let time = "a time above 0 s";
        let tolerance = self.positive("adaptive.tolerance", Some(&settings.tolerance), "above 0")?;
        Ok(Adaptive {
            tolerance: tolerance.unwrap_or_default(),
            first: self.positive("adaptive.first", settings.first.as_ref(), time)?.unwrap_or(0.01 * step),
            shortest: self.positive("adaptive.shortest", settings.shortest.as_ref(), time)?.unwrap_or(1e-3 * step),
            rollback: settings.rollback.unwrap_or(true),
        })
    }
}

impl AccelerationName {
    fn acceleration(self) -> Acceleration {
        match self {
            Self::FixedPoint => Acceleration::FixedPoint,
            Self::Aitken => Acceleration::Aitken,
            Self::Broyden => Acceleration::Broyden,
        }
    }
}
