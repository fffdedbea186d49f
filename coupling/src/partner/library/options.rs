//! Options of a simulator in a library.

/// What an instance is created with.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LibraryOptions {
    /// Name of the instance, for its own messages.
    pub name: String,
    /// Time at which it starts \[s\].
    pub start: f64,
    /// Parameters by name, in the units that the library states.
    pub parameters: Vec<(String, f64)>,
}
