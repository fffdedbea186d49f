//! What errors of co-simulation are called in C.

use fourbar::Error as Whole;
use fourbar::coupling::partner::LibraryError;
use fourbar::coupling::{Error, Fault};

use crate::abi::error::Failure;
use crate::abi::status::fourbar_status as Status;

/// The error of a coupling as C knows it.
pub(super) fn of_coupling(error: &Error) -> Failure {
    let status = match error {
        Error::UnknownPartner { .. } | Error::UnknownVariable { .. } => Status::FOURBAR_NO_SUCH_NAME,
        // An error inside, on a thread of its own.
        Error::Stopped(fault) if matches!(**fault, Fault::Lost { .. }) => Status::FOURBAR_PANIC,
        Error::Stopped(_) | Error::Start { .. } => Status::FOURBAR_CALLBACK,
        Error::Value { value, .. } if !value.is_finite() => Status::FOURBAR_NOT_FINITE,
        Error::Capability { .. } | Error::NotSaved { .. } => Status::FOURBAR_UNSUPPORTED,
        Error::Library(library) => return of_library(library),
        _ => Status::FOURBAR_INVALID,
    };
    Failure::new(status, error)
}

pub(super) fn of_library(error: &LibraryError) -> Failure {
    let status = match error {
        LibraryError::File { .. } | LibraryError::Machine { .. } | LibraryError::Load { .. } => Status::FOURBAR_FILE,
        LibraryError::Create { .. } => Status::FOURBAR_CALLBACK,
        _ => Status::FOURBAR_INVALID,
    };
    Failure::new(status, error)
}

/// The error of a model or of its run as C knows it.
pub(crate) fn of_model(error: &Whole) -> Failure {
    match error {
        Whole::Coupling(error) => of_coupling(error),
        error => {
            let text = crate::problem::failure::without_command_line(&error.to_string());
            Failure::new(crate::model::failure::status_of(error).0, text)
        }
    }
}
