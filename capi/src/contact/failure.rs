//! What errors of contact problems are called in C.

use fourbar::contact::Error;

use crate::abi::error::Failure;
use crate::abi::status::fourbar_status as Status;

/// The error as C knows it.
pub(crate) fn of_contact(error: &Error) -> Failure {
    Failure::new(status_of(error), error)
}

pub(crate) fn status_of(error: &Error) -> Status {
    match error {
        Error::Shape { .. } => Status::FOURBAR_LENGTH,
        Error::NotFinite { .. } => Status::FOURBAR_NOT_FINITE,
        Error::Coefficient { value, .. } if !value.is_finite() => Status::FOURBAR_NOT_FINITE,
        Error::Coefficient { .. } | Error::Option { .. } | Error::Penetrating { .. } => Status::FOURBAR_INVALID,
        _ => Status::FOURBAR_NUMERICAL,
    }
}
