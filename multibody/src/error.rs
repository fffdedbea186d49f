//! What can go wrong with a model or an analysis, where, and what to do.

use crate::dae::EvalError;
use crate::integrator::Error as IntegratorError;
use fourbar_linalg::text::Brief;

pub use fourbar_expression::model::{Location, ModelError};

/// An error of this crate.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Something in the model is wrong.
    #[error(transparent)]
    Model(#[from] Box<ModelError>),
    /// No position of the bodies satisfies all constraints.
    #[error(
        "the model cannot be assembled: after {iterations} iterations {} remain open by up to {residual:.4} m or rad; check that \
         these joints do not contradict each other, that lengths let the loops close, and that the start positions are near an \
         assembled one", quoted(.joints),
        residual = Brief(*.residual)
    )]
    NotAssembled {
        /// Joints and motions that cannot be closed, the worst first.
        joints: Vec<String>,
        /// Largest violation [m, rad].
        residual: f64,
        /// Iterations done.
        iterations: usize,
    },
    /// Axes that a joint keeps parallel stand across each other, where its rows have no gradient.
    #[error(
        "the model cannot be assembled: joint \"{joint}\" ({kind}) keeps the z axes of its markers parallel, and those on {i} and {j} stand at \
         {degrees:.4} degrees to each other, from where no small turn brings them nearer; give both markers the same z axis, or draw the bodies so \
         that these axes are nearly parallel",
        degrees = Brief(.angle.to_degrees())
    )]
    AxesAcross {
        /// The joint.
        joint: String,
        /// Its `type`.
        kind: String,
        /// Body of marker I.
        i: String,
        /// Body of marker J.
        j: String,
        /// Angle between the axes \[rad\].
        angle: f64,
    },
    /// Motions prescribe what is already determined.
    #[error(
        "{} prescribes a coordinate that {} already determine; remove it or a joint",
        quoted(std::slice::from_ref(.motion)), quoted(.others)
    )]
    Overdriven {
        /// Motion or joint whose row depends on the others.
        motion: String,
        /// The others.
        others: Vec<String>,
    },
    /// An initial condition of a joint contradicts other joints, motions, or conditions.
    #[error(
        "the initial {quantity} of joint \"{joint}\" cannot be {value} {unit}: {} leave it at {reached} {unit}; change or remove one of these, \
         or draw the bodies nearer to it",
        owners(.others), value = Brief(*.value), reached = Brief(*.reached)
    )]
    InitialCondition {
        /// Joint.
        joint: String,
        /// What it states: `angle`, `displacement`, `angular velocity` or `velocity`.
        quantity: &'static str,
        /// The value stated, in `unit`.
        value: f64,
        /// The value that the others leave, in `unit`.
        reached: f64,
        /// Unit.
        unit: &'static str,
        /// Initial conditions that take part.
        others: Vec<String>,
    },
    /// The equations of a state have no unique solution.
    #[error("at t = {time} s the equations of {analysis} are singular at {place}: {remedy}", time = Brief(*.time))]
    Singular {
        /// Analysis.
        analysis: &'static str,
        /// Time \[s\].
        time: f64,
        /// Row and column by name.
        place: String,
        /// What to do.
        remedy: String,
    },
    /// Linear algebra failed in another way.
    #[error("{analysis} at t = {time} s: {source}", time = Brief(*.time))]
    Linear {
        /// Analysis.
        analysis: &'static str,
        /// Time \[s\].
        time: f64,
        /// Cause.
        source: fourbar_linalg::Error,
    },
    /// A motion prescribes a displacement that jumps: no force does that.
    #[error(
        "the displacement of motion \"{motion}\" jumps by {jump:.4} m or rad at t = {time} s, which no force can carry out; write a ramp or \
         `step5(time, ..)` over some time in its place, or prescribe the velocity",
        jump = Brief(*.jump), time = Brief(*.time)
    )]
    DisplacementJumps {
        /// The motion.
        motion: String,
        /// Time of the jump \[s\].
        time: f64,
        /// Its size [m, rad].
        jump: f64,
    },
    /// A displacement that a motion prescribes has no value.
    #[error("the displacement of motion \"{motion}\" is {value} at t = {time} s; write one that is finite there", time = Brief(*.time))]
    Motion {
        /// The motion.
        motion: String,
        /// Time \[s\].
        time: f64,
        /// Its value.
        value: f64,
    },
    /// A motion about an axis has come to where the second of three angles is a right one.
    #[error(
        "at t = {time} s the motion \"{motion}\" ({direction}) has come to {degrees:.4} degrees about y, the second of three angles, where first and third \
         are not unique; turn the axes of I and J, so that what turns far is `rotation_x` or `rotation_z`",
        time = Brief(*.time), degrees = Brief(.angle.to_degrees())
    )]
    RightAngle {
        /// The motion.
        motion: String,
        /// What it prescribes: `rotation_x`, `rotation_y` or `rotation_z`.
        direction: &'static str,
        /// The second angle there \[rad\].
        angle: f64,
        /// Time \[s\].
        time: f64,
        /// What follows from it.
        source: Box<Error>,
    },
    /// The joints let motions go no further.
    #[error(
        "at t = {time} s the mechanism locks: {} can go no further, for {} cannot be closed behind it; change lengths or motions, so that the bodies can \
         follow", quoted(.motions), quoted(.joints), time = Brief(*.time)
    )]
    Locked {
        /// The motions.
        motions: Vec<String>,
        /// What cannot be closed a little later, the worst first.
        joints: Vec<String>,
        /// Time \[s\].
        time: f64,
        /// What follows from it.
        source: Box<Error>,
    },
    /// An analysis that cannot have such an unknown of the user.
    #[error("state \"{state}\" cannot take part in {analysis}: {remedy}")]
    StateUnsupported {
        /// The unknown.
        state: String,
        /// The analysis or method.
        analysis: &'static str,
        /// What to do.
        remedy: &'static str,
    },
    /// A joint or motion that is open where it is to lock, or that a parameter opened.
    #[error("{element} is open by {gap:.4} m or rad at t = {time} s, where elements switch; {remedy}", gap = Brief(*.gap), time = Brief(*.time))]
    DoesNotMeet {
        /// Joint or motion.
        element: String,
        /// Time \[s\].
        time: f64,
        /// How far it is open [m, rad].
        gap: f64,
        /// What to do.
        remedy: &'static str,
    },
    /// Elements whose `active` at the start depends on whether they act.
    #[error(
        "{element} acts at the start as long as it does not, and the other way round; write `active` over what the start does not move, or \
         draw the bodies where they start"
    )]
    Undecided {
        /// The element.
        element: String,
    },
    /// Sensors that undo what caused them.
    #[error(
        "sensors chatter at t = {time} s: {culprit} acts again {interval} s after it acted, and would do so more than {bound:e} times in \
         the time that is left; give it another `value` for each direction (a hysteresis), `once`, or an action that does not undo its \
         condition", time = Brief(*.time), interval = Brief(*.interval)
    )]
    Chattering {
        /// Sensor or element.
        culprit: String,
        /// Time \[s\].
        time: f64,
        /// Mean time between the last switches; 0 where it acts twice at one time \[s\].
        interval: f64,
        /// Number of switches that the rest of the run may have at that pace.
        bound: f64,
    },
    /// A sensor or activity without a value.
    #[error("{what} is {value} at t = {time} s; write an expression that is finite there", time = Brief(*.time))]
    SensorNotFinite {
        /// Sensor or element, and which expression.
        what: String,
        /// Time \[s\].
        time: f64,
        /// Its value.
        value: f64,
    },
    /// A row of a joint or motion that the others were to keep closed has opened.
    #[error(
        "at t = {time} s {row} is open by {gap:.4} {unit}, where {allowed:.4} {unit} are allowed, and has been opening since t = {since} s: \
         constraints that were redundant at the start are not so there; draw the joints of the loop so that their axes allow its motion exactly, or \
         leave out what one of them keeps besides", time = Brief(*.time), gap = Brief(*.gap), allowed = Brief(*.allowed), since = Brief(*.since)
    )]
    Opened {
        /// Joint or motion, and what its row keeps.
        row: String,
        /// How far it is open, in `unit`.
        gap: f64,
        /// How far it may be, by the tolerances, in `unit`.
        allowed: f64,
        /// Unit: of a place or an angle, or of their rates.
        unit: &'static str,
        /// Time of the last step at which it was closed \[s\].
        since: f64,
        /// Time \[s\].
        time: f64,
    },
    /// A position where constraints depend on each other that are independent elsewhere, whichever rows are kept.
    #[error(
        "at t = {time} s the mechanism is at or beside a singular position: constraints of {} depend on each other there, so that motion and reactions \
         are not determined; keep it away from there, by other lengths or a smaller range of the motions, start a little beside it, or loosen the \
         tolerance of a run that is to pass it",
        quoted(.constraints), time = Brief(*.time)
    )]
    SingularPosition {
        /// Joints and motions whose rows depend on each other.
        constraints: Vec<String>,
        /// Time \[s\].
        time: f64,
        /// What follows from it.
        source: Box<Error>,
    },
    /// An analysis that takes rigid bodies alone.
    #[error("flexible body \"{body}\" cannot take part in {analysis}: {remedy}")]
    FlexibleUnsupported {
        /// The body.
        body: String,
        /// The analysis or method.
        analysis: &'static str,
        /// What to do.
        remedy: &'static str,
    },
    /// Motions leave a freedom, so that kinematics alone does not say where the mechanism goes.
    #[error(
        "the mechanism has {degrees} degree{} of freedom that no displacement prescribes; add motions given by displacement, or run its dynamics",
        if *.degrees == 1 { "" } else { "s" }
    )]
    Free {
        /// Degrees of freedom and coordinates of motions given by their rates.
        degrees: usize,
    },
    /// An analysis of positions was asked for where some velocities alone are held.
    #[error(
        "{analysis} cannot treat {element}: rolling holds velocities alone, so that where the mechanism can get to depends on its way; run dynamics \
         instead, which motions drive as well, or put joints in the place of the rolling element"
    )]
    Rolling {
        /// The analysis.
        analysis: &'static str,
        /// The first rolling element.
        element: String,
    },
    /// No static equilibrium was found.
    #[error(
        "at t = {time} s no equilibrium was found: after {iterations} iterations {place} still accelerates with {acceleration:.4} {unit}{}",
        rest_remedy(*.held), time = Brief(*.time), acceleration = Brief(*.acceleration)
    )]
    NoEquilibrium {
        /// Time \[s\].
        time: f64,
        /// Iterations done.
        iterations: usize,
        /// The body that accelerates most, and in which direction.
        place: String,
        /// Its acceleration, in `unit`.
        acceleration: f64,
        /// Unit.
        unit: &'static str,
        /// Whether a displacement in that direction changes any force.
        held: bool,
    },
    /// Contacts that an analysis holds closed cannot be evaluated, or do not stay closed.
    #[error("contacts at t = {time} s: {problem}", time = Brief(*.time))]
    Contacts {
        /// Time \[s\].
        time: f64,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// A force or motion could not be evaluated.
    #[error(transparent)]
    Evaluation(#[from] EvalError),
    /// The integrator stopped.
    #[error(transparent)]
    Integrator(#[from] IntegratorError),
}

/// What to do where no equilibrium is found.
fn rest_remedy(held: bool) -> &'static str {
    match held {
        true => "; start nearer to one, or check that springs or stops hold what forces push",
        false => {
            ", and nothing holds it there: add a joint, a motion given by displacement, a spring or a contact that does"
        }
    }
}

fn quoted(names: &[String]) -> String {
    names.join(", ")
}

fn owners(others: &[String]) -> String {
    std::iter::once("the joints and motions").chain(others.iter().map(String::as_str)).collect::<Vec<_>>().join(", ")
}
