//! Steps of a run.

/// Steps T \[s\], and about how many of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Grid {
    pub(crate) step: f64,
    pub(crate) steps: u64,
}
