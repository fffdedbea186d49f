//! Options of a mechanism as a partner.

/// What of a mechanism is coupled, and how.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MechanismOptions {
    /// Measured scalars that are outputs, by name and in this order; all of the model if absent.
    pub outputs: Option<Vec<String>>,
    /// Whether derivatives of the outputs are offered, which takes one more solve a communication step. They are if each output is a
    /// position, velocity, angle, distance or an expression of these, and nothing touches.
    pub output_derivatives: bool,
}
