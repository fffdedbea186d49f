//! What can go wrong, by name.

use fourbar_linalg::text::Brief;
use fourbar_multibody::dae::EvalError;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The mechanism refused something.
    #[error(transparent)]
    Multibody(#[from] fourbar_multibody::Error),
    /// A gap cannot be evaluated.
    #[error("contact \"{pair}\" cannot be evaluated at t = {time}: {reason}", time = Brief(*.time))]
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
    #[error("{what} of {place} {index} is {value}: {remedy}", value = Brief(*.value))]
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
    /// An impact that no impulse ends.
    #[error(
        "contacts {contacts:?} of the impact cannot be stopped, {speed} m/s are left; free a body that is squeezed between \
         surfaces that do not give way, or let one of them give way",
        speed = Brief(*.speed)
    )]
    Unstopped {
        /// Its contacts that still close, as indices.
        contacts: Vec<usize>,
        /// Largest velocity that is left, or residual [m/s].
        speed: f64,
    },
    /// Bodies between surfaces that do not give way: no impulse stops the contacts, or no forces hold them.
    #[error(
        "at t = {time} s nothing stops the contacts {} from closing: a body is squeezed between surfaces that do not \
         give way; end the motion before, or let one of them give way",
        listed(names, contacts),
        time = Brief(*.time)
    )]
    Squeezed {
        /// The contacts.
        contacts: Vec<crate::contact_id::ContactId>,
        /// Their names, where they are known.
        names: Vec<String>,
        /// Time \[s\].
        time: f64,
        /// What is left of their closing: velocity of an impact [m/s], acceleration [m/s^2] or penetration \[m\] of closed contacts.
        left: f64,
    },
    /// A motion that starts inside a body.
    #[error(
        "contact \"{contact}\" starts {depth} m or rad inside, more than {allowed}: move its bodies until its gap is \
         positive (apart, but nearer where a rope or a stop is too short); if it is, turn round the plane or curve that faces the wrong way",
        depth = Brief(*.depth), allowed = Brief(*.allowed)
    )]
    Penetrating {
        /// Name of the contact.
        contact: String,
        /// Its overlap [m, rad].
        depth: f64,
        /// What passes as round-off of the start [m, rad].
        allowed: f64,
    },
    /// A step whose contact problem was not solved.
    #[error(
        "the contact problem of the step to t = {time} s is solved to {residual} of the speeds only, {allowed} at most; contacts ask for what \
         cannot be, as where a body is squeezed, or the step is too long",
        time = Brief(*.time), residual = Brief(*.residual), allowed = Brief(*.allowed)
    )]
    Unsolved {
        /// Time at the end of the step \[s\].
        time: f64,
        /// Its residual, as part of the velocities of the step or of the scene.
        residual: f64,
        /// The largest that passes.
        allowed: f64,
    },
    /// Too many events in a short time.
    #[error(
        "{events} events between t = {since} s and {time} s, the last of contacts {contacts:?}; raise the limit of events (`events_max`) if \
         that many are right, or follow the contacts in fixed steps (gap_lcp or moreau_jean), which pass them; impacts without loss \
         (`restitution` 1) have no end where a gap closes: a little loss gives them one",
        since = Brief(*.since), time = Brief(*.time)
    )]
    Accumulating {
        /// Number of events.
        events: usize,
        /// Time of the first of them \[s\].
        since: f64,
        /// Time of the last \[s\].
        time: f64,
        /// Names of the contacts of the last.
        contacts: Vec<String>,
    },
    /// A motion that makes no progress.
    #[error(
        "the last {steps} steps and events got from t = {since} s to {time} s only, with the contacts {contacts:?}; take a \
         time-stepping scheme for this motion, or lower the slowest pace (`pace_min`) if it is as fast as that",
        since = Brief(*.since), time = Brief(*.time)
    )]
    Stalled {
        /// Number of steps and events.
        steps: usize,
        /// Time at the first of them \[s\].
        since: f64,
        /// Time at the last \[s\].
        time: f64,
        /// Names of the contacts that are closed or took part in the last events.
        contacts: Vec<String>,
    },
    /// An option out of range.
    #[error("`{name}` is {value}: {remedy}", value = Brief(*.value))]
    Option {
        /// The option.
        name: &'static str,
        /// Its value.
        value: f64,
        /// What to choose.
        remedy: &'static str,
    },
    /// A closed contact that the collision detector does not find any more: a body has left the end of an open curve, a cylinder reaches over the edge of
    /// a box, or shapes touch with other features.
    #[error(
        "contact \"{contact}\" was closed and is not found at t = {time} s: {reason}, or follow the contacts in fixed steps (gap_lcp or \
         moreau_jean)",
        time = Brief(*.time)
    )]
    Lost {
        /// Name of the contact.
        contact: String,
        /// Time \[s\].
        time: f64,
        /// What has happened to it, and the remedy ([`Contacts::lost`](crate::unilateral::Contacts::lost)).
        reason: String,
    },
    /// A contact that event-driven motion cannot take out of the material: its closest point went to another place, which had entered.
    #[error(
        "contact \"{contact}\" is {depth} m or rad inside at t = {time} s, more than {allowed}, and events do not take it out: a pair of \
         curves reports its closest point alone and touches at several places; write a pair for each part of the curve that touches, or \
         follow the contacts in fixed steps (gap_lcp or moreau_jean)",
        depth = Brief(*.depth), time = Brief(*.time), allowed = Brief(*.allowed)
    )]
    Entered {
        /// Name of the contact.
        contact: String,
        /// Time \[s\].
        time: f64,
        /// Its overlap [m, rad].
        depth: f64,
        /// What passes [m, rad].
        allowed: f64,
    },
    /// Shapes whose contacts events cannot follow.
    #[error(
        "contact \"{pair}\", shapes \"{}\" and \"{}\": event-driven motion does not follow {what}, whose gaps jump where other features \
         touch; follow the contacts in fixed steps (`method = \"gap_lcp\"` or `\"moreau_jean\"`), or take boxes, spheres, capsules or hulls",
        shapes[0], shapes[1]
    )]
    Unfollowed {
        /// Name of the contact of the model.
        pair: String,
        /// Names of the shapes.
        shapes: [String; 2],
        /// What they are.
        what: &'static str,
    },
    /// Rows of closed contacts and joints became dependent between two events.
    #[error(
        "at t = {time} s joints and closed contacts are not independent any more; take a time-stepping scheme for this motion",
        time = Brief(*.time)
    )]
    Dependent {
        /// Time \[s\].
        time: f64,
    },
    /// Contacts between bodies whose masses differ by more than the digits of a number can tell apart.
    #[error(
        "bodies \"{}\" ({} kg) and \"{}\" ({} kg) are in contacts that touch at t = {time} s, and these masses differ by a factor of \
         {ratio}: round-off of what the heavy one presses with decides over the light one, and the contacts that hold are not found; keep the \
         factor below {allowed}, join the light body to what it touches, or follow the contacts in fixed steps (gap_lcp)",
        bodies[0], Brief(masses[0]), bodies[1], Brief(masses[1]),
        time = Brief(*.time), ratio = Brief(*.ratio), allowed = Brief(*.allowed)
    )]
    Masses {
        /// Names of the lightest and the heaviest of the bodies that touch.
        bodies: [String; 2],
        /// Their masses \[kg\].
        masses: [f64; 2],
        /// The heavier over the lighter.
        ratio: f64,
        /// The ratio up to which contacts are followed.
        allowed: f64,
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

/// The names, or the contacts themselves where these are not known.
fn listed(names: &[String], contacts: &[crate::contact_id::ContactId]) -> String {
    if names.is_empty() { format!("{contacts:?}") } else { format!("{names:?}") }
}

impl From<EvalError> for Error {
    fn from(error: EvalError) -> Self {
        Self::Multibody(error.into())
    }
}
