//! What errors of mechanisms are called in C.

use std::cell::RefCell;

use fourbar::Error;
use fourbar::contact::Error as ContactError;
use fourbar::dae::EvalError;
use fourbar::linalg::text::Brief;
use fourbar::multibody::Error as MechanismError;

use crate::abi::checkpoint;
use crate::abi::error::Failure;
use crate::abi::status::fourbar_status;
use crate::{contact, problem};

thread_local! {
    /// What a function of the host said last in the present call.
    static REFUSED: RefCell<Option<Refused>> = const { RefCell::new(None) };
}

/// A function of the host that gave no value: whose, when, and why.
struct Refused {
    element: String,
    time: f64,
    reason: String,
}

/// Notes that the function of `element` gave no value at `time`.
pub(crate) fn note_refusal(element: &str, time: f64, reason: &str) {
    let noted = Refused { element: element.to_owned(), time, reason: reason.to_owned() };
    // A thread that is ending has no place for it.
    let _ = REFUSED.try_with(|refused| *refused.borrow_mut() = Some(noted));
}

/// Runs a call that may evaluate functions of the host: where one of them keeps it from going on, the error says so.
pub(crate) fn run<T>(call: impl FnOnce() -> Result<T, Error>) -> Result<T, Failure> {
    let take = || REFUSED.try_with(RefCell::take).unwrap_or_default();
    let _ = take();
    call().map_err(|error| {
        let (status, evaluation) = status_of(&error);
        let mut text = words(&error);
        match take().filter(|_| evaluation) {
            Some(Refused { element, time, reason }) => {
                // The cause first: what it led to may be told as another trouble, and a text is cut at its end.
                if !text.contains(&reason) {
                    text = format!("{element} cannot be evaluated at t = {}: {reason}; {text}", Brief(time));
                }
                Failure::new(fourbar_status::FOURBAR_CALLBACK, text)
            }
            None => Failure::new(status, text),
        }
    })
}

/// The same for one evaluation of the equations of a mechanism.
pub(crate) fn evaluate<T>(call: impl FnOnce() -> Result<T, EvalError>) -> Result<T, Failure> {
    run(|| call().map_err(|error| MechanismError::from(error).into()))
}

/// What the error says, without what only readers of model files and of the command line know.
fn words(error: &Error) -> String {
    match error {
        Error::NotForKind { setting, kind } => format!("a {kind} offers no {setting}"),
        error => problem::failure::without_command_line(&error.to_string()),
    }
}

/// The status, and whether something could not be evaluated.
pub(crate) fn status_of(error: &Error) -> (fourbar_status, bool) {
    match error {
        Error::Read { .. } | Error::Write { .. } => (fourbar_status::FOURBAR_FILE, false),
        Error::Checkpoint(error) => (checkpoint::status_of(error), false),
        Error::NotForKind { .. } | Error::NotOffered { .. } => (fourbar_status::FOURBAR_UNSUPPORTED, false),
        Error::Multibody(error) => of_mechanism(error),
        Error::Contact(ContactError::Multibody(error)) => of_mechanism(error),
        Error::Contact(error) => (contact::failure::status_of(error), false),
        Error::Linear { .. } | Error::Stepped { .. } => (fourbar_status::FOURBAR_NUMERICAL, false),
        Error::Input { .. } => (fourbar_status::FOURBAR_NOT_FINITE, false),
        _ => (fourbar_status::FOURBAR_INVALID, false),
    }
}

fn of_mechanism(error: &MechanismError) -> (fourbar_status, bool) {
    match error {
        // The function of a motion may have failed at the start.
        MechanismError::Model(_) => (fourbar_status::FOURBAR_INVALID, true),
        MechanismError::Free { .. }
        | MechanismError::Rolling { .. }
        | MechanismError::StateUnsupported { .. }
        | MechanismError::FlexibleUnsupported { .. } => (fourbar_status::FOURBAR_UNSUPPORTED, false),
        MechanismError::Evaluation(_) => (fourbar_status::FOURBAR_NUMERICAL, true),
        MechanismError::Integrator(error) => {
            // Motions that are not finite make residuals that are not.
            let evaluation = problem::failure::is_of_evaluation(error) || problem::failure::is_not_finite(error);
            (problem::failure::status_of(error), evaluation)
        }
        // Motions that are not finite make equations that are not.
        _ => (fourbar_status::FOURBAR_NUMERICAL, true),
    }
}
