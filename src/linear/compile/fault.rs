//! Faults of a linear system, with their places.

use fourbar_multibody::expression::nearest_name;
use fourbar_multibody::{Location, ModelError, Parameters};

/// Refuses a name that no expression could use.
pub(super) fn check_name(
    section: &str,
    name: &str,
    parameters: &Parameters<'_>,
    location: &Location,
) -> Result<(), Box<ModelError>> {
    if !fourbar_multibody::expression::is_free_name(name) {
        return Err(fault(
            location.clone(),
            format!("`{name}` cannot be the name of this {section}, since expressions could not use it"),
            "use letters, digits, _ and ., beginning with a letter, and not the name of a function, `time` or `pi`",
        ));
    }
    if parameters.get(name).is_some() {
        let remedy = "choose another name for one of them";
        return Err(fault(location.clone(), "a parameter has this name", remedy));
    }
    Ok(())
}

/// Location of a field of an element.
pub(super) fn at(section: &'static str, index: usize, name: &str, field: &str) -> Location {
    Location { section, index, name: name.to_owned(), field: field.to_owned() }
}

pub(super) fn fault(location: Location, problem: impl Into<String>, remedy: impl Into<String>) -> Box<ModelError> {
    ModelError::new(location, problem, remedy)
}

/// An error of the numerical crate about what stands at `location`.
pub(crate) fn numerical(location: Location, error: &fourbar_lti::Error) -> Box<ModelError> {
    let text = error.to_string();
    let (problem, remedy) = text.split_once("; ").unwrap_or((&text, "correct the values"));
    fault(location, problem, remedy)
}

/// Error for a name that nothing has.
pub(super) fn unknown(what: &str, name: &str, known: &[&str], location: Location) -> Box<ModelError> {
    let remedy = match nearest_name(name, known.iter().copied()) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None if known.is_empty() => format!("the model has no {what} yet; add one of that name"),
        None if known.len() <= 12 => format!("there are {}", known.join(", ")),
        None => "add one of that name".to_owned(),
    };
    fault(location, format!("there is no {what} \"{name}\""), remedy)
}
