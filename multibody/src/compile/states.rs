//! Unknowns of the user: names, start values, and programs of their equations.

use super::check::{at, check_unit, unique};
use super::forces::Forces;
use super::measures::Measures;
use super::scope::Scope;
use crate::error::ModelError;
use crate::expression::is_free_name;
use crate::mechanism::UserState;
use crate::model::Model;

/// Checks the names, before measures are read.
pub(super) fn check(model: &Model) -> Result<(), Box<ModelError>> {
    unique("state", model.states.iter().map(|state| state.name.as_str()))?;
    for (index, state) in model.states.iter().enumerate() {
        let name = &state.name;
        let field = |field: &str| at("state", index, name, field);
        if !is_free_name(name) {
            return Err(ModelError::new(
                field("name"),
                format!("`{name}` cannot name a state, since expressions could not use it"),
                "use letters, digits, _ and ., beginning with a letter, and not the name of a function, `time` or `pi`",
            ));
        }
        let taken = [
            ("parameter", model.parameters.contains_key(name)),
            ("measure", model.measures.iter().any(|measure| measure.name == *name)),
            ("input", model.inputs.iter().any(|input| input.name == *name)),
        ];
        if let Some((what, _)) = taken.into_iter().find(|(_, taken)| *taken) {
            let problem = format!("{} {what} has this name", if what == "input" { "an" } else { "a" });
            return Err(ModelError::new(field("name"), problem, "choose another name for one of them"));
        }
        if state.rate.is_some() == state.zero.is_some() {
            let problem = if state.rate.is_some() { "it has two equations" } else { "it has no equation" };
            let remedy = "give either `rate`, its derivative by the time, or `zero`, which is zero at the right value";
            return Err(ModelError::new(field("rate"), problem, remedy));
        }
        check_unit(&state.unit, || field("unit"))?;
    }
    Ok(())
}

/// Reads the equations.
pub(super) fn read(
    model: &Model,
    scope: &Scope<'_>,
    measures: &mut Measures,
    forces: &mut Forces,
) -> Result<Vec<UserState>, Box<ModelError>> {
    let mut states = Vec::with_capacity(model.states.len());
    for (index, state) in model.states.iter().enumerate() {
        let field = |field: &str| at("state", index, &state.name, field);
        let start = scope.number(&state.start, &field("start"))?;
        let size = scope.checked(&state.size, &field("size"), "above 0", |size| size > 0.0)?;
        let implicit = state.zero.is_some();
        let name = if implicit { "zero" } else { "rate" };
        let Some(equation) = state.rate.as_ref().or(state.zero.as_ref()) else { continue };
        let program = measures.bind_force(scope, equation, &field(name))?;
        let program = forces.program(&state.name, program);
        states.push(UserState { name: state.name.clone(), program, implicit, start, size });
    }
    Ok(states)
}
