//! What is remembered of jumps between steps.

/// What is remembered of jumps between steps.
#[derive(Debug, Clone, Copy)]
pub(super) struct Jumps {
    /// Whether one may be at the present time.
    pub(super) expected: bool,
    /// Where the last that nothing announced was passed \[s\].
    pub(super) found: f64,
}

fourbar_linalg::stored!(struct Jumps { expected, found });

impl Default for Jumps {
    fn default() -> Self {
        Self { expected: false, found: f64::NEG_INFINITY }
    }
}
