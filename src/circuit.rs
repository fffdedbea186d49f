//! Hydraulic circuits as a model file describes them: what [`hydraulics`](fourbar_hydraulics) compiles, and how it is run.

use fourbar_hydraulics::{Circuit, Model};
use fourbar_multibody::expression::Expression;
use fourbar_multibody::integrator::{Gstiff, ORDER_MAX, StepLimits, Tolerance};
use fourbar_multibody::{Location, ModelError, Parameters};
use serde::{Deserialize, Serialize};

/// A circuit and how it is run. Run alone, its inputs keep their start values.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CircuitModel {
    /// Fluid, nodes, components, inputs.
    pub model: Model,
    /// How it is run unless the caller says otherwise.
    pub simulation: CircuitSettings,
}

impl From<Model> for CircuitModel {
    fn from(model: Model) -> Self {
        Self { model, simulation: CircuitSettings::default() }
    }
}

/// How a circuit is run unless the caller says otherwise. The method is Gear's (`gstiff`).
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct CircuitSettings {
    /// End time \[s\]; runs start at t = 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<Expression>,
    /// Time between outputs \[s\].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_step: Option<Expression>,
    /// Times at which a step ends exactly and signals may jump \[s\], above 0 and increasing; those that `time` has in the conditions of
    /// signals are known without.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stop_times: Vec<Expression>,
    /// Where the circuit starts; `steady` if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<CircuitStart>,
    /// Relative tolerance of the local error, and absolute one in units of each unknown's typical size, 1e-14 to 0.1; 1e-6 if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<Expression>,
    /// First step \[s\].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_step: Option<Expression>,
    /// Largest step \[s\]. If absent, the time between outputs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_step: Option<Expression>,
    /// Largest order, 1 to 6.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_order: Option<u8>,
    /// Most steps a run may take.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_steps: Option<u64>,
}

/// Where a circuit starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CircuitStart {
    /// In the steady state for the inputs at t = 0.
    #[default]
    Steady,
    /// At the start values of the model.
    Values,
}

impl CircuitStart {
    /// The unknowns of `circuit` and their derivatives at a time \[s\] for the inputs that it has.
    pub(crate) fn point(
        self,
        circuit: &mut Circuit,
        time: f64,
    ) -> Result<fourbar_hydraulics::Point, fourbar_hydraulics::Error> {
        match self {
            Self::Steady => circuit.steady(time),
            Self::Values => circuit.start(time),
        }
    }
}

impl CircuitSettings {
    /// These settings with every entry that `other` gives taken from there.
    #[must_use]
    pub fn overridden_by(&self, other: &Self) -> Self {
        let (one, two) = (self.clone(), other.clone());
        Self {
            end: two.end.or(one.end),
            output_step: two.output_step.or(one.output_step),
            stop_times: if two.stop_times.is_empty() { one.stop_times } else { two.stop_times },
            start: two.start.or(one.start),
            tolerance: two.tolerance.or(one.tolerance),
            first_step: two.first_step.or(one.first_step),
            max_step: two.max_step.or(one.max_step),
            max_order: two.max_order.or(one.max_order),
            max_steps: two.max_steps.or(one.max_steps),
        }
    }
}

/// Relative tolerance of a circuit for which none is given.
pub(crate) const TOLERANCE: f64 = 1e-6;

/// A compiled circuit and its settings as numbers.
#[derive(Debug, Clone)]
pub(crate) struct CompiledCircuit {
    pub(crate) circuit: Circuit,
    pub(crate) end: Option<f64>,
    pub(crate) output_step: Option<f64>,
    pub(crate) method: Gstiff,
    /// As far as the settings give it.
    pub(crate) max_steps: Option<u64>,
    pub(crate) start: CircuitStart,
    /// Whether no step should pass over an output, since signals are looked at where steps end.
    pub(crate) by_outputs: bool,
}

impl CompiledCircuit {
    /// Compiles `model`; entries of `overrides` take precedence over its settings.
    pub(crate) fn new(model: &CircuitModel, overrides: &CircuitSettings) -> Result<Self, crate::Error> {
        let mut circuit = Circuit::compile(&model.model)?;
        let parameters = Parameters::with_splines(&model.model.parameters, &model.model.splines)
            .map_err(fourbar_hydraulics::Error::Model)?;
        let settings = model.simulation.overridden_by(overrides);
        let reader = Reader { parameters: &parameters };
        let method = reader.method(&settings).map_err(fourbar_hydraulics::Error::Model)?;
        circuit.set_stop_times(&reader.stop_times(&settings.stop_times).map_err(fourbar_hydraulics::Error::Model)?)?;
        let positive = |field, setting| reader.positive(field, setting).map_err(fourbar_hydraulics::Error::Model);
        // Waves cannot arrive before they have left.
        let mut method = method;
        method.step.largest =
            circuit.longest_step().map_or(method.step.largest, |longest| method.step.largest.min(longest));
        Ok(Self {
            by_outputs: settings.max_step.is_none(),
            circuit,
            end: positive("end", &settings.end)?,
            output_step: positive("output_step", &settings.output_step)?,
            method,
            max_steps: settings.max_steps,
            start: settings.start.unwrap_or_default(),
        })
    }

    /// The unknowns and their derivatives at t = 0 for the start values of the inputs.
    pub(crate) fn begin(&self) -> Result<(Circuit, fourbar_hydraulics::Point), crate::Error> {
        self.begin_at(0.0)
    }

    /// As [`CompiledCircuit::begin`] at another time \[s\].
    pub(crate) fn begin_at(&self, time: f64) -> Result<(Circuit, fourbar_hydraulics::Point), crate::Error> {
        let mut circuit = self.circuit.clone();
        let point = self.start.point(&mut circuit, time)?;
        Ok((circuit, point))
    }
}

struct Reader<'a> {
    parameters: &'a Parameters<'a>,
}

fn field(name: &str) -> Location {
    Location { section: "simulation", index: 0, name: String::new(), field: name.to_owned() }
}

impl Reader<'_> {
    fn number(
        &self,
        name: &str,
        setting: &Option<Expression>,
        allowed: &str,
        holds: impl Fn(f64) -> bool,
    ) -> Result<Option<f64>, Box<ModelError>> {
        let check = |expression| self.parameters.checked(expression, &field(name), allowed, &holds);
        setting.as_ref().map(check).transpose()
    }

    fn positive(&self, name: &str, setting: &Option<Expression>) -> Result<Option<f64>, Box<ModelError>> {
        self.number(name, setting, "a time above 0 s", |value| value > 0.0)
    }

    fn stop_times(&self, settings: &[Expression]) -> Result<Vec<f64>, Box<ModelError>> {
        let mut times: Vec<f64> = Vec::with_capacity(settings.len());
        for (index, expression) in settings.iter().enumerate() {
            let previous = times.last().copied().unwrap_or(0.0);
            let allowed = format!("larger than {previous}: stop times are above 0 s and increase");
            let place = field(&format!("stop_times.{index}"));
            times.push(self.parameters.checked(expression, &place, &allowed, |value| value > previous)?);
        }
        Ok(times)
    }

    fn method(&self, settings: &CircuitSettings) -> Result<Gstiff, Box<ModelError>> {
        let is_allowed = |value| Tolerance::RANGE.contains(&value);
        let tolerance = self.number("tolerance", &settings.tolerance, Tolerance::ALLOWED, is_allowed)?;
        let default = Gstiff::with_tolerance(tolerance.unwrap_or(TOLERANCE));
        let refuse = |name: &str, value: &dyn std::fmt::Display, allowed: &str| {
            Err(ModelError::new(field(name), format!("the value is {value}"), format!("it must be {allowed}")))
        };
        let order_max = match settings.max_order.map(usize::from) {
            None => default.order_max,
            Some(order) if (1..=ORDER_MAX).contains(&order) => order,
            Some(order) => return refuse("max_order", &order, "an order from 1 to 6"),
        };
        if settings.max_steps == Some(0) {
            return refuse("max_steps", &0, "at least 1");
        }
        let step = StepLimits {
            first: self.positive("first_step", &settings.first_step)?.unwrap_or(default.step.first),
            largest: self.positive("max_step", &settings.max_step)?.unwrap_or(default.step.largest),
            limit: settings.max_steps.unwrap_or(default.step.limit),
            ..default.step
        };
        Ok(Gstiff { order_max, step, ..default })
    }
}
