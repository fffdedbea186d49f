//! Texts of a simulator: read where it stands, set before a run at most. They do not pass between simulators.

/// A text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// Name.
    pub name: String,
    /// The text as it stands.
    pub value: String,
    /// Whether the simulator may change it, as opposed to one that it was started with.
    pub is_output: bool,
}
