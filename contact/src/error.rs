//! What can go wrong, by name.

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The mechanism refused something.
    #[error(transparent)]
    Multibody(#[from] fourbar_multibody::Error),
    /// A gap cannot be evaluated.
    #[error("contact \"{pair}\" cannot be evaluated at t = {time}: {reason}")]
    Gap {
        /// Name of the pair.
        pair: String,
        /// Time \[s\].
        time: f64,
        /// What was wrong, and the remedy.
        reason: String,
    },
}
