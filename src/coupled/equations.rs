//! Differential equations written out as a simulator: x' = f(t, x, u), y = g(t, x, u) by expressions.

use crate::linear::ExternalInput;
use fourbar_coupling::partner::Explicit;
use fourbar_coupling::{Simulator, Variability, Variable};
use fourbar_dae::integrator::Rkf45;
use fourbar_expression::model::Spline;
use fourbar_expression::model::{Location, ModelError, Parameters, check_unit, unique};
use fourbar_expression::{Binding, Changes, Expression, Program, is_free_name};
use fourbar_linalg::text::printable;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use system::Law;
pub(super) use system::System;

mod passed_over;
mod system;

/// Tolerance of the local error, relative to how far a state has moved so far: a coupling at a millionth is not disturbed by it.
const TOLERANCE: f64 = 1e-9;

/// Differential equations by expressions, solved by Fehlberg's Runge-Kutta method with error control. Without states: a function of time and inputs.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct EquationsModel {
    /// Named constants that every expression may use; they may refer to each other.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, Expression>,
    /// Curves through points, for expressions.
    #[serde(rename = "spline", skip_serializing_if = "Vec::is_empty")]
    pub splines: Vec<Spline>,
    /// Longest step of the solver \[s\], which is shorter where its error, a break or a condition asks for it; without one nothing else limits it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solver_step: Option<Expression>,
    /// Numbers from outside.
    #[serde(rename = "input", skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<ExternalInput>,
    /// What changes by the equations.
    #[serde(rename = "state", skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<State>,
    /// Results by name.
    #[serde(rename = "output", skip_serializing_if = "Vec::is_empty")]
    pub outputs: Vec<EquationsOutput>,
}

/// A state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct State {
    /// Name, by which expressions use it.
    pub name: String,
    /// Value at the start; 0 if absent.
    #[serde(default = "zero")]
    pub start: Expression,
    /// Its rate: an expression of `time`, inputs, states and parameters.
    pub rate: Expression,
}

/// An output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct EquationsOutput {
    /// Name, unique among outputs.
    pub name: String,
    /// Unit; a plain number if absent.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// An expression of `time`, inputs, states and parameters.
    pub value: Expression,
    /// Whether it is held between communication points or continued by polynomials; if absent, held where its value is constant between jumps, as that
    /// of `floor(time)` or `if(x < 1, 0, 5)`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variability: Option<VariabilityName>,
}

/// How an output changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum VariabilityName {
    /// Partners continue it by polynomials.
    Continuous,
    /// It jumps, and is held between communication points.
    Discrete,
}

fn zero() -> Expression {
    Expression::constant(0.0)
}

fn at(section: &'static str, index: usize, name: &str, field: &str) -> Location {
    Location { section, index, name: name.to_owned(), field: field.to_owned() }
}

impl EquationsModel {
    /// The simulator of these equations.
    ///
    /// # Errors
    /// The first fault, with its place.
    pub fn simulator(&self) -> Result<impl Simulator + 'static, Box<ModelError>> {
        self.explicit_at(0.0)
    }

    /// That which begins at `begin` \[s\].
    pub(super) fn explicit_at(&self, begin: f64) -> Result<Explicit<System>, Box<ModelError>> {
        let parameters = Parameters::with_splines(&self.parameters, &self.splines)?;
        self.check_names(&parameters)?;
        let start = |(index, state): (usize, &State)| {
            parameters.number(&state.start, &at("state", index, &state.name, "start"))
        };
        let initial = self.states.iter().enumerate().map(start).collect::<Result<Vec<_>, _>>()?;
        let laws = self.states.iter().enumerate();
        let laws = laws.map(|(index, state)| {
            let program = self.bind(&state.rate, &parameters, &at("state", index, &state.name, "rate"))?;
            Ok(Law { name: state.name.clone(), source: printable(state.rate.source()).into_owned(), program })
        });
        let laws = laws.collect::<Result<Vec<_>, Box<ModelError>>>()?;
        let mut variables = Vec::with_capacity(self.inputs.len() + self.outputs.len());
        for (index, input) in self.inputs.iter().enumerate() {
            check_unit(&input.unit, || at("input", index, &input.name, "unit"))?;
            let value = parameters.number(&input.start(), &at("input", index, &input.name, "value"))?;
            variables.push(Variable::input(&input.name, &input.unit).start(value));
        }
        let mut outputs = Vec::with_capacity(self.outputs.len());
        for (index, output) in self.outputs.iter().enumerate() {
            check_unit(&output.unit, || at("output", index, &output.name, "unit"))?;
            let program = self.bind(&output.value, &parameters, &at("output", index, &output.name, "value"))?;
            let used = |i: &usize| program.slots().contains(&(i + 1));
            let feedthrough: Vec<&str> =
                (0..self.inputs.len()).filter(used).map(|i| self.inputs[i].name.as_str()).collect();
            let described = Variable::output(&output.name, &output.unit).depends_on(&feedthrough);
            variables.push(described.changing(self.variability(output, &program)));
            outputs.push(program);
        }
        let mut method = Rkf45::with_tolerance(TOLERANCE);
        let place = at("", 0, "", "solver_step");
        if let Some(step) = &self.solver_step {
            method.step.largest = parameters.checked(step, &place, "a time above 0 s", |step| step > 0.0)?;
        }
        let system = System::new(variables, initial.clone(), laws, outputs);
        Explicit::new(&method, system, begin, &initial).map_err(|error| {
            let remedy = "give states start values, and `solver_step` a value, that the solver can begin with";
            ModelError::new(place, error.to_string(), remedy)
        })
    }

    /// How an output changes: as it says, else as its operations tell.
    fn variability(&self, output: &EquationsOutput, program: &Program) -> Variability {
        if let Some(stated) = output.variability {
            return match stated {
                VariabilityName::Continuous => Variability::Continuous,
                VariabilityName::Discrete => Variability::Discrete,
            };
        }
        let is_input = |slot: usize| (1..=self.inputs.len()).contains(&slot);
        let of = |inputs: Changes| program.changes(|slot| if is_input(slot) { inputs } else { Changes::Continuously });
        Variability::where_inputs(of)
    }

    fn check_names(&self, parameters: &Parameters<'_>) -> Result<(), Box<ModelError>> {
        unique("output", self.outputs.iter().map(|output| output.name.as_str()))?;
        let inputs = self.inputs.iter().enumerate().map(|(i, input)| ("input", i, input.name.as_str()));
        let states = self.states.iter().enumerate().map(|(i, state)| ("state", i, state.name.as_str()));
        let mut seen: Vec<&str> = Vec::new();
        for (section, index, name) in inputs.chain(states) {
            let place = at(section, index, name, "name");
            if !is_free_name(name) {
                let remedy = "use letters, digits and _, beginning with a letter, and not the name of a function";
                return Err(ModelError::new(place, format!("`{name}` cannot be used as a name"), remedy));
            }
            if seen.contains(&name) || parameters.get(name).is_some() {
                let remedy = "give inputs, states and parameters names of their own";
                return Err(ModelError::new(place, "the name is taken", remedy));
            }
            seen.push(name);
        }
        Ok(())
    }

    fn bind(
        &self,
        expression: &Expression,
        parameters: &Parameters<'_>,
        place: &Location,
    ) -> Result<Program, Box<ModelError>> {
        let names = || {
            let inputs = self.inputs.iter().map(|input| input.name.as_str());
            std::iter::once("time").chain(inputs).chain(self.states.iter().map(|state| state.name.as_str()))
        };
        let resolve = &mut |name: &str| {
            let slot = names().position(|known| known == name).map(Binding::Slot);
            slot.or_else(|| parameters.binding(name))
        };
        expression.bind(resolve).map_err(|error| {
            let remedy = "parameters, `time`, inputs and states may stand here";
            ModelError::new(place.clone(), error.suggest(names().chain(parameters.names())).to_string(), remedy)
        })
    }
}
