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
    /// A matrix of a problem has the wrong shape.
    #[error("{what} is {} x {}, expected {} x {} (rows x columns)", found.0, found.1, expected.0, expected.1)]
    Shape {
        /// The matrix.
        what: &'static str,
        /// Its rows and columns.
        found: (usize, usize),
        /// What they must be.
        expected: (usize, usize),
    },
    /// A NaN or an infinity in a problem.
    #[error("entry ({row}, {column}) of {what} is {value}; it must be finite, so correct whatever evaluated it")]
    NotFinite {
        /// The matrix or vector.
        what: &'static str,
        /// Row of the entry.
        row: usize,
        /// Column of the entry, 0 in a vector.
        column: usize,
        /// Its value.
        value: f64,
    },
    /// A coefficient that no friction has.
    #[error("{what} of {place} {index} is {value}: {remedy}")]
    Coefficient {
        /// The coefficient.
        what: &'static str,
        /// What it belongs to.
        place: &'static str,
        /// Which of these.
        index: usize,
        /// Its value.
        value: f64,
        /// What to do.
        remedy: &'static str,
    },
    /// An impact given as plain data is not one.
    #[error("the impact cannot be solved: {reason}")]
    Impact {
        /// What was wrong, with the value, and the remedy.
        reason: String,
    },
    /// An option out of range.
    #[error("`{name}` is {value}: {remedy}")]
    Option {
        /// The option.
        name: &'static str,
        /// Its value.
        value: f64,
        /// What to choose.
        remedy: &'static str,
    },
    /// A closed contact that its finder does not find any more.
    #[error(
        "contact {contact:?} was closed and is not found at t = {time} s; its pair must go on reporting a closed contact"
    )]
    Lost {
        /// The contact.
        contact: crate::unilateral::ContactId,
        /// Time \[s\].
        time: f64,
    },
    /// Rows of closed contacts and joints became dependent between two events.
    #[error(
        "at t = {time} s joints and closed contacts are not independent any more; take a time-stepping scheme for this motion"
    )]
    Dependent {
        /// Time \[s\].
        time: f64,
    },
    /// No combination of open, sticking and slipping contacts was found.
    #[error(
        "no combination of open, sticking and slipping was found for {contacts} contacts; take a time-stepping scheme for this motion"
    )]
    Undecided {
        /// Number of touching contacts.
        contacts: usize,
    },
}
