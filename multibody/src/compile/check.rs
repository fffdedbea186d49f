//! What every element of a model is checked for: where it stands, its name, its unit.

use crate::error::Location;

pub(super) use fourbar_expression::model::{check_unit, unique};

/// Location of a field of an element.
pub(super) fn at(section: &'static str, index: usize, name: &str, field: &str) -> Location {
    Location::new(section, index, name, field)
}
