//! Where in a model.

use std::fmt;

/// Where in a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// Section: `body`, `marker`, `joint`, `motion`, `force`, `measure`, `parameters`, `simulation`, or empty for the top.
    pub section: &'static str,
    /// Index in its section.
    pub index: usize,
    /// Name of the element or parameter.
    pub name: String,
    /// Field, with dots into nested tables; empty for the element as a whole.
    pub field: String,
}

impl Location {
    /// Of a field of an element.
    #[must_use]
    pub fn new(section: &'static str, index: usize, name: &str, field: &str) -> Self {
        Self { section, index, name: name.to_owned(), field: field.to_owned() }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        if !self.section.is_empty() {
            write!(f, "{}", self.section)?;
            separator = " ";
        }
        if !self.name.is_empty() {
            write!(f, "{separator}\"{}\"", self.name)?;
            separator = ", ";
        }
        if !self.field.is_empty() {
            write!(f, "{separator}`{}`", self.field)?;
        }
        Ok(())
    }
}
