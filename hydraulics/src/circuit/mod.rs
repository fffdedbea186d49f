//! The circuit: F(t, y, y') = 0 of a compiled model, driven by its inputs.
//!
//! | equation of | reads |
//! |---|---|
//! | a volume | p' - E(p)/V sum of the flows into it = 0, V its own volume and chambers |
//! | a junction | sum of the flows into it = 0 |
//! | a state of a component | s' - rate = 0 |

mod balance;
mod break_state;
mod cavities;
mod cavity;
mod commands;
mod conditions;
mod dae;
mod evaluate;
mod excess;
mod explicit;
mod holding;
mod jump;
mod overruled;
pub(crate) mod plan;
mod reach;
mod steady;
mod time_defect;
mod timed;
mod variable;
pub(crate) mod watched;
mod waves;
mod weigh;

use crate::compile::compile;
use crate::error::Error;
use crate::model::Model;
use evaluate::Workspace;
use fourbar_dae::{EvalError, Kind};
use fourbar_expression::Changes;
use plan::{Plan, Source};
use std::sync::Arc;

pub use cavity::Cavity;
pub use explicit::ExplicitCircuit;
pub use variable::Variable;

/// y and y' at one time, n entries each.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// The unknowns.
    pub y: Vec<f64>,
    /// Their derivatives; those of junction pressures, which no equation contains, follow from the others, the signals being held.
    pub yp: Vec<f64>,
}

/// The equations of a hydraulic circuit, a [`Dae`](fourbar_dae::Dae) with analytic Jacobian. Clones share the compiled model.
#[derive(Debug, Clone)]
pub struct Circuit {
    plan: Arc<Plan>,
    work: Workspace,
    /// Stated starts of component states, by unknown, that a steady start overruled, and what it found.
    overruled: Vec<(usize, f64)>,
}

impl Circuit {
    /// Checks and compiles a model.
    ///
    /// # Errors
    /// [`Error::Model`] says where the model is wrong and what to write instead.
    pub fn compile(model: &Model) -> Result<Self, Error> {
        let plan = Arc::new(compile(model)?);
        let work = Workspace::new(&plan);
        Ok(Self { plan, work, overruled: Vec::new() })
    }

    /// The inputs: those of the model in its order, then position and velocity of each rod and speed of each shaft moved from outside.
    #[must_use]
    pub fn inputs(&self) -> &[Variable] {
        &self.plan.inputs
    }

    /// The outputs: every unknown (`NODE.pressure`, `VALVE.spool`, ..), the held pressures, and what the components show
    /// (`CYLINDER.force`, `ORIFICE.flow`, ..).
    #[must_use]
    pub fn outputs(&self) -> Vec<Variable> {
        let outputs = self.plan.outputs.iter();
        outputs.map(|o| Variable { name: o.name.clone(), unit: o.unit.to_owned(), start: 0.0 }).collect()
    }

    /// Index of an output by name; unknown i is output i.
    #[must_use]
    pub fn output(&self, name: &str) -> Option<usize> {
        self.plan.outputs.iter().position(|output| output.name == name)
    }

    /// Indices of the inputs on which output `output` depends directly, the unknowns being what they are: its feedthrough. Empty for an
    /// index that is no output.
    #[must_use]
    pub fn feedthrough(&self, output: usize) -> Vec<usize> {
        let inputs = 0..self.plan.inputs.len();
        let Some(output) = self.plan.outputs.get(output) else { return vec![] };
        // Slots are the time, the inputs, the unknowns.
        let of_signal = |signal: usize, input: usize| self.plan.signals[signal].slots().contains(&(1 + input));
        let depends = |input: usize| match output.source {
            Source::Unknown(_) => false,
            Source::Signal(signal) => of_signal(signal, input),
            Source::Observed(part, _) => {
                let part = &self.plan.parts[part];
                let shown = part.variables.iter().enumerate().filter(|(k, _)| part.element.shows(*k));
                shown.into_iter().any(|(_, variable)| match *variable {
                    plan::Variable::Unknown(_) | plan::Variable::Wave(_) | plan::Variable::Steady => false,
                    plan::Variable::Input(i) => i == input,
                    plan::Variable::Signal(signal) => of_signal(signal, input),
                })
            }
        };
        inputs.filter(|&input| depends(input)).collect()
    }

    /// How output `output` changes where inputs change as `inputs` says; continuously for an index that is no output.
    #[must_use]
    pub fn changes(&self, output: usize, inputs: Changes) -> Changes {
        match self.plan.outputs.get(output).map(|output| output.source) {
            // Slots are the time, the inputs, the unknowns.
            Some(Source::Signal(signal)) => self.plan.signals[signal].changes(|slot| {
                if (1..=self.plan.inputs.len()).contains(&slot) { inputs } else { Changes::Continuously }
            }),
            _ => Changes::Continuously,
        }
    }

    /// Indices of the inputs on which output `output` depends without delay, pressures of junctions balancing: its feedthrough, and all inputs where it
    /// depends on an unknown that no rate leads on. Empty for an index that is no output.
    #[must_use]
    pub fn instant_inputs(&self, output: usize) -> Vec<usize> {
        let Some(shown) = self.plan.outputs.get(output) else { return vec![] };
        let balanced = |unknown: usize| self.plan.unknowns[unknown].kind == Kind::ALGEBRAIC;
        let first = 1 + self.plan.inputs.len();
        let of_signal = |signal: usize| {
            self.plan.signals[signal].slots().iter().filter_map(|slot| slot.checked_sub(first)).any(balanced)
        };
        let follows = match shown.source {
            Source::Unknown(unknown) => balanced(unknown),
            Source::Signal(signal) => of_signal(signal),
            Source::Observed(part, _) => self.plan.parts[part].variables.iter().any(|variable| match *variable {
                plan::Variable::Unknown(unknown) => balanced(unknown),
                plan::Variable::Signal(signal) => of_signal(signal),
                plan::Variable::Input(_) | plan::Variable::Wave(_) | plan::Variable::Steady => false,
            }),
        };
        if follows { (0..self.plan.inputs.len()).collect() } else { self.feedthrough(output) }
    }

    /// From now on input i is c_i0 + c_i1 s + c_i2 s^2/2, s = time - `t`, with its entry c_i of `inputs` (value and derivatives by time).
    ///
    /// # Errors
    /// [`Error::Inputs`] unless there is one entry per input, [`Error::NotFinite`]; the inputs then stay as they were.
    pub fn set_inputs(&mut self, t: f64, inputs: impl ExactSizeIterator<Item = [f64; 3]> + Clone) -> Result<(), Error> {
        self.check_inputs(inputs.len(), inputs.clone().map(|c| c[0] + c[1] + c[2]))?;
        if !t.is_finite() {
            return Err(Error::NotFinite { what: "the time of the inputs".to_owned(), value: t });
        }
        self.work.drive(t, inputs);
        Ok(())
    }

    /// From now on the inputs have these values, one each.
    ///
    /// # Errors
    /// As [`Circuit::set_inputs`].
    pub fn hold_inputs(&mut self, values: &[f64]) -> Result<(), Error> {
        self.set_inputs(0.0, values.iter().map(|&value| [value, 0.0, 0.0]))
    }

    fn check_inputs(&self, found: usize, values: impl Iterator<Item = f64>) -> Result<(), Error> {
        let inputs = &self.plan.inputs;
        if found != inputs.len() {
            let names: Vec<&str> = inputs.iter().map(|input| input.name.as_str()).collect();
            return Err(Error::Inputs { found, expected: inputs.len(), names: names.join(", ") });
        }
        match inputs.iter().zip(values).find(|(_, value)| !value.is_finite()) {
            Some((input, value)) => Err(Error::NotFinite { what: input.name.clone(), value }),
            None => Ok(()),
        }
    }

    /// The longest step for which it is known what arrives at the ends of transmission lines \[s\], half of the shortest travel: longer steps of
    /// an integrator are refused and repeated. None without such lines.
    #[must_use]
    pub fn longest_step(&self) -> Option<f64> {
        self.shortest_travel().map(|travel| 0.5 * travel)
    }

    /// The shortest time that a wave takes through a transmission line \[s\]. None without such lines.
    #[must_use]
    pub fn shortest_travel(&self) -> Option<f64> {
        self.shortest_line().map(|(_, travel)| travel)
    }

    /// Name of the transmission line through which waves travel in the shortest time, and that time \[s\].
    #[must_use]
    pub fn shortest_line(&self) -> Option<(&str, f64)> {
        let lines = self.plan.lines.iter().map(|line| (self.plan.parts[line.part].name.as_str(), line.travel));
        lines.min_by(|one, two| one.1.total_cmp(&two.1))
    }

    /// Writes the outputs at (t, y), in the order of [`Circuit::outputs`]. `values` that are longer or shorter than these are filled as far as
    /// they go.
    ///
    /// # Errors
    /// [`EvalError`] when the point cannot be evaluated.
    pub fn observe(&mut self, t: f64, y: &[f64], values: &mut [f64]) -> Result<(), EvalError> {
        // What is seen has no side: it may lie between two steps.
        let held = std::mem::replace(&mut self.work.holding.on, false);
        let evaluated = self.work.values(&self.plan, t, y);
        self.work.holding.on = held;
        evaluated?;
        for (value, output) in values.iter_mut().zip(&self.plan.outputs) {
            *value = match output.source {
                Source::Unknown(i) => y[i],
                Source::Signal(signal) => self.work.signals[signal],
                Source::Observed(part, k) => self.work.responses[part].observed[k],
            };
        }
        Ok(())
    }
}
