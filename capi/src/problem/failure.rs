//! What errors of integrators are called in C.

use fourbar::multibody::dae::EvalError;
use fourbar::multibody::integrator::{Cause, Error};

use crate::abi::error::Failure;
use crate::abi::status::fourbar_status as Status;

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let status = match &error {
            Error::Length { .. } => Status::FOURBAR_LENGTH,
            Error::NotFinite { what: "root function", .. } | Error::Evaluation(_) => Status::FOURBAR_CALLBACK,
            Error::NotFinite { .. } => Status::FOURBAR_NOT_FINITE,
            Error::ForeignSnapshot { .. } => Status::FOURBAR_STATE,
            Error::SmallestStep { cause, .. } | Error::Start { cause, .. } => match cause {
                Cause::Evaluation(_) | Cause::NotFinite { .. } => Status::FOURBAR_CALLBACK,
                _ => Status::FOURBAR_NUMERICAL,
            },
            Error::StepLimit { .. } => Status::FOURBAR_NUMERICAL,
            _ => Status::FOURBAR_INVALID,
        };
        Self::new(status, error)
    }
}

impl From<EvalError> for Failure {
    fn from(error: EvalError) -> Self {
        Self::new(Status::FOURBAR_CALLBACK, error)
    }
}
