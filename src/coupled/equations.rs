//! Differential equations written out as a simulator: x' = f(t, x, u), y = g(t, x, u) by expressions.

use crate::linear::ExternalInput;
use fourbar_coupling::partner::Ode;
use fourbar_coupling::{Simulator, Variable};
use fourbar_multibody::expression::{Binding, Expression, Program, Stack, is_free_name};
use fourbar_multibody::{Location, ModelError, Parameters, check_unit, unique};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Differential equations by expressions, solved by the classical Runge-Kutta method. Without states: a function of time and inputs.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct EquationsModel {
    /// Named constants that every expression may use; they may refer to each other.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, Expression>,
    /// Longest step of the solver \[s\]; the communication step if absent.
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
}

fn zero() -> Expression {
    Expression::constant(0.0)
}

fn at(section: &'static str, index: usize, name: &str, field: &str) -> Location {
    Location { section, index, name: name.to_owned(), field: field.to_owned() }
}

/// Programs over the slots time, inputs, states.
struct Bound {
    programs: Vec<Program>,
    slots: Vec<f64>,
    stack: Stack<f64>,
}

impl Bound {
    fn new(programs: Vec<Program>, slots: usize) -> Self {
        Self { stack: Stack::for_programs(&programs), slots: vec![0.0; slots], programs }
    }

    fn fill(&mut self, t: f64, x: &[f64], u: &[f64]) {
        self.slots[0] = t;
        self.slots[1..=u.len()].copy_from_slice(u);
        self.slots[1 + u.len()..].copy_from_slice(x);
    }

    fn value(&mut self, k: usize) -> f64 {
        self.programs[k].evaluate(&self.slots, &mut self.stack)
    }
}

impl EquationsModel {
    /// The simulator of these equations.
    ///
    /// # Errors
    /// The first fault, with its place.
    pub fn simulator(&self) -> Result<impl Simulator + 'static, Box<ModelError>> {
        let parameters = Parameters::new(&self.parameters)?;
        self.check_names(&parameters)?;
        let start = |(index, state): (usize, &State)| {
            parameters.number(&state.start, &at("state", index, &state.name, "start"))
        };
        let initial = self.states.iter().enumerate().map(start).collect::<Result<Vec<_>, _>>()?;
        let slots = 1 + self.inputs.len() + self.states.len();
        let rates = self.states.iter().enumerate();
        let rates = rates.map(|(i, state)| self.bind(&state.rate, &parameters, &at("state", i, &state.name, "rate")));
        let mut rates = Bound::new(rates.collect::<Result<_, _>>()?, slots);
        let mut ode = Ode::new(initial, move |t, x: &[f64], u: &[f64], dx: &mut [f64]| {
            rates.fill(t, x, u);
            for (k, dx) in dx.iter_mut().enumerate() {
                *dx = rates.value(k);
            }
        });
        for (index, input) in self.inputs.iter().enumerate() {
            check_unit(&input.unit, || at("input", index, &input.name, "unit"))?;
            let value = parameters.number(&input.value, &at("input", index, &input.name, "value"))?;
            ode = ode.input(Variable::input(&input.name, &input.unit).start(value));
        }
        for (index, output) in self.outputs.iter().enumerate() {
            check_unit(&output.unit, || at("output", index, &output.name, "unit"))?;
            let program = self.bind(&output.value, &parameters, &at("output", index, &output.name, "value"))?;
            let used = |i: &usize| program.slots().contains(&(i + 1));
            let feedthrough: Vec<&str> =
                (0..self.inputs.len()).filter(used).map(|i| self.inputs[i].name.as_str()).collect();
            let variable = Variable::output(&output.name, &output.unit).depends_on(&feedthrough);
            let mut shown = Bound::new(vec![program], slots);
            ode = ode.output(variable, move |t, x, u| {
                shown.fill(t, x, u);
                shown.value(0)
            });
        }
        if let Some(step) = &self.solver_step {
            let place = at("", 0, "", "solver_step");
            ode = ode.solver_step(parameters.checked(step, &place, "a time above 0 s", |step| step > 0.0)?);
        }
        Ok(ode)
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
            slot.or_else(|| parameters.get(name).map(Binding::Constant))
        };
        expression.bind(resolve).map_err(|error| {
            let remedy = "parameters, `time`, inputs and states may stand here";
            ModelError::new(place.clone(), error.suggest(names().chain(parameters.names())).to_string(), remedy)
        })
    }
}
