//! What is known of an input before it runs.

/// An input of a compiled mechanism.
#[derive(Debug, Clone, PartialEq)]
pub struct InputInfo {
    /// Name, as forces and expressions use it.
    pub name: String,
    /// Unit, SI; empty for a bare number.
    pub unit: String,
    /// Value until another is set \[unit\].
    pub start: f64,
}
