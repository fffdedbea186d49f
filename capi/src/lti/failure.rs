//! What errors of linear systems are called in C.

use fourbar::linalg::phi::PhiError;
use fourbar::lti::Error;

use crate::abi::checkpoint;
use crate::abi::error::Failure;
use crate::abi::status::fourbar_status as Status;

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let status = match &error {
            Error::Transition(phi) => status_of(phi),
            Error::Checkpoint(error) => checkpoint::status_of(error),
            Error::MatrixShape { .. } | Error::Length { .. } => Status::FOURBAR_LENGTH,
            Error::NotFinite { .. } | Error::Evaluation { .. } => Status::FOURBAR_NOT_FINITE,
            Error::Overflow { .. } => Status::FOURBAR_OVERFLOW,
            Error::EmptyHistory { .. } | Error::ForeignState { .. } => Status::FOURBAR_STATE,
            Error::Factorization(_)
            | Error::KrylovNotConverged { .. }
            | Error::IllConditionedModes { .. }
            | Error::Eigenvalues { .. }
            | Error::AlgebraicLoop { .. } => Status::FOURBAR_NUMERICAL,
            Error::Classical | Error::NoEstimate => Status::FOURBAR_UNSUPPORTED,
            _ => Status::FOURBAR_INVALID,
        };
        Self::new(status, error)
    }
}

impl From<PhiError> for Failure {
    fn from(error: PhiError) -> Self {
        Self::new(status_of(&error), error)
    }
}

fn status_of(error: &PhiError) -> Status {
    match error {
        PhiError::NotSquare { .. } => Status::FOURBAR_LENGTH,
        PhiError::EntryNotFinite { .. } | PhiError::FactorNotFinite { .. } => Status::FOURBAR_NOT_FINITE,
        PhiError::Overflow { .. } => Status::FOURBAR_OVERFLOW,
        _ => Status::FOURBAR_INVALID,
    }
}
