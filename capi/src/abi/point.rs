//! What errors of the bytes of saved points are called in C.

use fourbar::linalg::point::PointError;

use super::error::Failure;
use super::status::fourbar_status as Status;

impl From<PointError> for Failure {
    fn from(error: PointError) -> Self {
        Self::new(status_of(&error), error)
    }
}

pub(crate) fn status_of(error: &PointError) -> Status {
    match error {
        PointError::Version { .. } => Status::FOURBAR_UNSUPPORTED,
        PointError::Kind { .. } | PointError::Foreign { .. } => Status::FOURBAR_STATE,
        _ => Status::FOURBAR_INVALID,
    }
}
