//! What the columns of the results show: rows of the system, inputs, formulas.

use super::fault::{at, check_name, fault, unknown};
use crate::linear::{LinearModel, LinearSystem, Output};
use fourbar_lti::StateSpace;
use fourbar_multibody::expression::{Binding, Expression, Program, Stack, definition_order};
use fourbar_multibody::{Location, ModelError, Parameters, check_unit, unique};

/// What a column shows.
#[derive(Debug, Clone)]
pub(crate) enum Tap {
    /// Output i of the system.
    Row(usize),
    /// Input j.
    Input(usize),
    /// A formula of the time, slot 0, and of column i, slot i + 1.
    Formula(Program),
}

/// The columns at a time.
#[derive(Debug, Clone)]
pub(crate) struct Shown {
    /// The time, then the columns.
    slots: Vec<f64>,
    stack: Stack<f64>,
}

impl Shown {
    pub(crate) fn new(system: &LinearSystem) -> Self {
        let formulas = system.taps.iter().filter_map(|tap| match tap {
            Tap::Formula(program) => Some(program),
            _ => None,
        });
        Self { slots: vec![0.0; 1 + system.taps.len()], stack: Stack::for_programs(formulas) }
    }

    /// The columns at `time` \[s\], of the outputs `rows` of the equations and the inputs `u`.
    pub(crate) fn fill(&mut self, system: &LinearSystem, time: f64, rows: &[f64], u: &[f64]) {
        self.slots[0] = time;
        for &column in &system.order {
            self.slots[column + 1] = match &system.taps[column] {
                Tap::Row(row) => rows[*row],
                Tap::Input(input) => u[*input],
                Tap::Formula(program) => program.evaluate(&self.slots, &mut self.stack),
            };
        }
    }

    pub(crate) fn columns(&self) -> &[f64] {
        &self.slots[1..]
    }
}

/// The columns as they come to be known.
pub(super) struct Taps {
    taps: Vec<Option<Tap>>,
    rows: usize,
}

impl Taps {
    /// Those that are known without the system: inputs. Formulas come last.
    pub(super) fn new(model: &LinearModel) -> Result<Self, Box<ModelError>> {
        unique("output", model.outputs.iter().map(|output| output.name.as_str()))?;
        for (index, output) in model.outputs.iter().enumerate() {
            check_unit(&output.unit, || at("output", index, &output.name, "unit"))?;
            let given = [output.from.is_some(), output.at.is_some(), output.expression.is_some()];
            if given.iter().filter(|given| **given).count() > 1 {
                let remedy = "give one of `from`, `at` and `expression`";
                return Err(fault(at("output", index, &output.name, ""), "the output has two sources", remedy));
            }
        }
        let input = |output: &Output| {
            let from = output.from.as_deref()?;
            model.inputs.iter().position(|input| input.name() == from).map(Tap::Input)
        };
        Ok(Self { taps: model.outputs.iter().map(input).collect(), rows: 0 })
    }

    /// The outputs that nothing is known of yet, in their order; `place` makes locations of their fields.
    pub(super) fn open<'a>(&self, model: &'a LinearModel) -> Vec<(usize, &'a Output)> {
        let open = |(index, output): &(usize, &Output)| self.taps[*index].is_none() && output.expression.is_none();
        model.outputs.iter().enumerate().filter(open).collect()
    }

    /// Makes the column show the next row of the system.
    pub(super) fn next_row(&mut self, column: usize) {
        self.taps[column] = Some(Tap::Row(self.rows));
        self.rows += 1;
    }

    /// The rows of C, one for each output that names nothing else.
    pub(super) fn rows(&mut self, model: &LinearModel, system: &StateSpace) -> Result<(), Box<ModelError>> {
        for (index, output) in self.open(model) {
            let field = |field: &str| at("output", index, &output.name, field);
            if let Some(from) = &output.from {
                return Err(unknown("input", from, &input_names(model), field("from")));
            }
            if output.at.is_some() {
                return Err(no_rod(field("at")));
            }
            self.next_row(index);
        }
        if self.rows == system.outputs() {
            return Ok(());
        }
        let (rows, outputs) = (system.outputs(), self.rows);
        let problem = format!("C has {rows} rows, but {outputs} outputs show a row of it");
        let remedy = "write an [[output]] with a name for each row of C; without C the rows are the states";
        Err(fault(at("state_space", 0, "", "c"), problem, remedy))
    }

    /// The finished columns, formulas bound, and an order in which they can be computed.
    pub(super) fn finish(
        mut self,
        model: &LinearModel,
        parameters: &Parameters<'_>,
    ) -> Result<(Vec<Tap>, Vec<usize>), Box<ModelError>> {
        let mut formulas = Vec::new();
        for (index, output) in model.outputs.iter().enumerate() {
            check_name("output", &output.name, parameters, &at("output", index, &output.name, "name"))?;
            let Some(expression) = &output.expression else { continue };
            let location = at("output", index, &output.name, "expression");
            self.taps[index] = Some(Tap::Formula(bind(expression, model, parameters, &location)?));
            formulas.push((index, (output.name.as_str(), expression)));
        }
        let definitions: Vec<_> = formulas.iter().map(|(_, definition)| *definition).collect();
        let order = definition_order(&definitions).map_err(|cycle| {
            let name = cycle.cycle.first().map_or("", String::as_str);
            let index = model.outputs.iter().position(|output| output.name == name).unwrap_or(0);
            let problem = format!("cyclic expression: {}", cycle.cycle.join(" -> "));
            fault(at("output", index, name, "expression"), problem, "define one of these without the others")
        })?;
        let others = (0..self.taps.len()).filter(|index| model.outputs[*index].expression.is_none());
        let order = others.chain(order.into_iter().map(|formula| formulas[formula].0)).collect();
        Ok((self.taps.into_iter().flatten().collect(), order))
    }
}

fn bind(
    expression: &Expression,
    model: &LinearModel,
    parameters: &Parameters<'_>,
    location: &Location,
) -> Result<Program, Box<ModelError>> {
    let output = |name: &str| model.outputs.iter().position(|output| output.name == name);
    let resolve = &mut |name: &str| match name {
        "time" => Some(Binding::Slot(0)),
        name => output(name).map(|index| Binding::Slot(index + 1)).or_else(|| parameters.binding(name)),
    };
    expression.bind(resolve).map_err(|error| {
        let known = model.outputs.iter().map(|output| output.name.as_str()).chain(parameters.names()).chain(["time"]);
        let remedy = "expressions of outputs may use `time`, parameters and other outputs";
        fault(location.clone(), error.suggest(known).to_string(), remedy)
    })
}

pub(super) fn input_names(model: &LinearModel) -> Vec<&str> {
    model.inputs.iter().map(crate::linear::Input::name).collect()
}

/// An output at a place, where there is no rod.
pub(super) fn no_rod(location: Location) -> Box<ModelError> {
    fault(location, "only a system given by [diffusion] has places", "remove `at`")
}
