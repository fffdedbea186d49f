//! Problems with known solutions, on which integrators of the host are measured.

pub mod problem;

/// What is known of them: all, or without the feature `accuracy` nothing.
#[cfg_attr(feature = "accuracy", path = "shipped.rs")]
#[cfg_attr(not(feature = "accuracy"), path = "absent.rs")]
mod shipped;
