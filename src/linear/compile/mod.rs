//! From [`LinearModel`] to [`LinearSystem`]: names and expressions resolved, every value checked.

mod diagram;
mod diffusion;
mod equations;
mod fault;
mod matrices;
mod outputs;
mod pieces;
mod signals;
mod stepping;

pub use equations::{Equations, SparseSystem};
pub(crate) use fault::numerical;
pub(crate) use outputs::{Shown, Tap};
pub(crate) use signals::{Side, Signal};
pub(crate) use stepping::Stepping;

use super::{LinearModel, Output};
use crate::observer::Column;
use fault::{at, check_name, fault};
use fourbar_multibody::{ModelError, Parameters};

/// A linear model in numbers.
#[derive(Debug, Clone)]
pub struct LinearSystem {
    pub(crate) name: String,
    pub(crate) equations: Equations,
    /// x(0).
    pub(crate) initial: Vec<f64>,
    pub(crate) signals: Vec<Signal>,
    /// What each column shows.
    pub(crate) taps: Vec<Tap>,
    /// An order in which the columns can be computed.
    pub(crate) order: Vec<usize>,
    pub(crate) columns: Vec<Column>,
}

impl LinearSystem {
    /// Name of the column that shows a row of the system.
    pub(crate) fn column_of(&self, row: usize) -> &str {
        let column = self.taps.iter().position(|tap| matches!(tap, Tap::Row(own) if *own == row));
        column.map_or("", |column| &self.columns[column].name)
    }

    /// Checks `model` and makes matrices of it.
    ///
    /// # Errors
    /// The first fault, with its place in the model.
    pub fn compile(model: &LinearModel) -> Result<Self, Box<ModelError>> {
        let parameters = Parameters::with_splines(&model.parameters, &model.splines)?;
        check_names(model, &parameters)?;
        let signals = signals::read(model, &parameters)?;
        let mut taps = outputs::Taps::new(model)?;
        let (equations, initial) = match (&model.state_space, model.blocks.as_slice(), &model.diffusion) {
            (Some(system), [], None) => {
                let (system, initial) = matrices::state_space(system, model.inputs.len(), &parameters)?;
                taps.rows(model, &system)?;
                (Equations::Dense(system), initial)
            }
            (None, [_, ..], None) => {
                let (system, initial) = diagram::read(model, &parameters, &mut taps)?;
                (Equations::Dense(system), initial)
            }
            (None, [], Some(rod)) => {
                let (system, initial) = diffusion::read(rod, model, &parameters, &mut taps)?;
                (Equations::Sparse(system), initial)
            }
            (None, [], None) => {
                let remedy = "write [state_space] with the matrices, [[block]] entries, or [diffusion]";
                return Err(fault(at("", 0, "", ""), "the model has no system", remedy));
            }
            (_, _, rod) => {
                let section = if rod.is_some() { "diffusion" } else { "state_space" };
                let remedy = "a file holds one of [state_space], [[block]] and [diffusion]";
                return Err(fault(at(section, 0, "", ""), "the model has two systems", remedy));
            }
        };
        let (taps, order) = taps.finish(model, &parameters)?;
        let column = |output: &Output| Column { name: output.name.clone(), unit: output.unit.clone() };
        let columns = model.outputs.iter().map(column).collect();
        Ok(Self { name: model.name.clone(), equations, initial, signals, taps, order, columns })
    }

    /// Title of the model.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The equations.
    #[must_use]
    pub fn equations(&self) -> &Equations {
        &self.equations
    }

    /// Number n of states.
    #[must_use]
    pub fn states(&self) -> usize {
        self.initial.len()
    }

    /// The state at t = 0.
    #[must_use]
    pub fn initial_state(&self) -> &[f64] {
        &self.initial
    }

    /// Names and units of the outputs.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }
}

/// Names of inputs and blocks: fit for expressions, none twice, none that of a parameter.
fn check_names(model: &LinearModel, parameters: &Parameters<'_>) -> Result<(), Box<ModelError>> {
    let inputs = model.inputs.iter().enumerate().map(|(index, input)| ("input", index, input.name()));
    let blocks = model.blocks.iter().enumerate().map(|(index, block)| ("block", index, block.name()));
    let mut seen: Vec<(&str, &str)> = Vec::new();
    for (section, index, name) in inputs.chain(blocks) {
        let location = at(section, index, name, "name");
        check_name(section, name, parameters, &location)?;
        if let Some((first, _)) = seen.iter().find(|(_, other)| *other == name) {
            let problem = format!("the name is taken by the {first} \"{name}\"");
            return Err(fault(location, problem, "give inputs and blocks names of their own"));
        }
        seen.push((section, name));
    }
    Ok(())
}
