//! What errors of integrators are called in C.

use fourbar::multibody::dae::EvalError;
use fourbar::multibody::integrator::{Cause, Error};

use crate::abi::error::Failure;
use crate::abi::status::fourbar_status as Status;

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        // All that is evaluated here are functions of the host.
        let (status, evaluation) = status_of(&error);
        let status = if evaluation { Status::FOURBAR_CALLBACK } else { status };
        Self::new(status, without_command_line(&error.to_string()))
    }
}

/// The text without the option of the command line, which a host does not have.
pub(crate) fn without_command_line(text: &str) -> String {
    text.replace(", --max-steps)", ")")
}

/// The status, and whether it failed because something could not be evaluated.
pub(crate) fn status_of(error: &Error) -> (Status, bool) {
    match error {
        Error::Length { .. } => (Status::FOURBAR_LENGTH, false),
        Error::NotFinite { what, .. } => (Status::FOURBAR_NOT_FINITE, *what == "root function"),
        Error::ForeignSnapshot { .. } => (Status::FOURBAR_STATE, false),
        Error::Evaluation(_) => (Status::FOURBAR_NUMERICAL, true),
        Error::SmallestStep { cause, .. } | Error::Start { cause, .. } => {
            (Status::FOURBAR_NUMERICAL, matches!(cause, Cause::Evaluation(_) | Cause::NotFinite { .. }))
        }
        Error::StepLimit { .. } => (Status::FOURBAR_NUMERICAL, false),
        _ => (Status::FOURBAR_INVALID, false),
    }
}

impl From<EvalError> for Failure {
    fn from(error: EvalError) -> Self {
        Self::new(Status::FOURBAR_CALLBACK, error)
    }
}
