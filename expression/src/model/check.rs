//! What every element of a model is checked for: its name, its unit.

use super::error::ModelError;
use super::location::Location;
use fourbar_linalg::unit::{Unit, UnknownUnit};
use std::collections::HashMap;

/// Refuses a unit that is not known, at the field of its element that holds it; an empty one is that of a plain number.
///
/// # Errors
/// Which part of it, and the nearest one that is known.
pub fn check_unit(unit: &str, place: impl FnOnce() -> Location) -> Result<(), Box<ModelError>> {
    let Err(UnknownUnit { name, nearest }) = Unit::parse(unit) else { return Ok(()) };
    let whole = if name == unit.trim() { String::new() } else { format!(" (in \"{}\")", unit.trim()) };
    let nearest = nearest.map(|nearest| format!("did you mean \"{nearest}\"? Else ")).unwrap_or_default();
    let remedy = format!("{nearest}write a product of units like \"kN\", \"mm/s\" or \"kg*m^2\"");
    Err(ModelError::new(place(), format!("\"{name}\" is not a known unit{whole}"), remedy))
}

/// Refuses a name that stands twice, or is empty, among the elements of a section.
///
/// # Errors
/// Which one, and what has the name already.
pub fn unique<'a>(section: &'static str, names: impl Iterator<Item = &'a str>) -> Result<(), Box<ModelError>> {
    let mut seen = HashMap::new();
    for (index, name) in names.enumerate() {
        if name.trim().is_empty() {
            return Err(ModelError::new(
                Location::new(section, index, name, "name"),
                format!("{section} number {} has no name", index + 1),
                "give every element a name that says what it is",
            ));
        }
        if let Some(first) = seen.insert(name, index) {
            return Err(ModelError::new(
                Location::new(section, index, name, "name"),
                format!("the name is taken by {section} number {}", first + 1),
                "give each its own name",
            ));
        }
    }
    Ok(())
}
