//! Inputs and outputs.

/// An input or output by name.
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    /// Name.
    pub name: String,
    /// Unit.
    pub unit: String,
    /// Value of an input until another one is set; 0 for an output.
    pub start: f64,
}
