//! Inputs: names and start values.

use super::check::{at, check_unit, unique};
use super::scope::Scope;
use crate::error::ModelError;
use crate::expression::is_free_name;
use crate::input::InputInfo;
use crate::model::Model;

/// Reads the inputs.
pub(super) fn read(model: &Model, scope: &Scope<'_>) -> Result<Vec<InputInfo>, Box<ModelError>> {
    unique("input", model.inputs.iter().map(|input| input.name.as_str()))?;
    let mut inputs = Vec::with_capacity(model.inputs.len());
    for (index, input) in model.inputs.iter().enumerate() {
        let name = &input.name;
        if !is_free_name(name) {
            return Err(ModelError::new(
                at("input", index, name, "name"),
                format!("`{name}` cannot name an input, since expressions could not use it"),
                "use letters, digits, _ and ., beginning with a letter, and not the name of a function, `time` or `pi`",
            ));
        }
        if model.parameters.contains_key(name) {
            let problem = "a parameter has this name";
            return Err(ModelError::new(
                at("input", index, name, "name"),
                problem,
                "choose another name for one of them",
            ));
        }
        check_unit(&input.unit, || at("input", index, name, "unit"))?;
        let start = scope.number(&input.value, &at("input", index, name, "value"))?;
        inputs.push(InputInfo { name: name.clone(), unit: input.unit.clone(), start });
    }
    Ok(inputs)
}
