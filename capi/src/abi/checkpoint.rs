//! What errors of the bytes of checkpoints are called in C.

use fourbar::linalg::checkpoint::CheckpointError;

use super::error::Failure;
use super::status::fourbar_status as Status;

impl From<CheckpointError> for Failure {
    fn from(error: CheckpointError) -> Self {
        Self::new(status_of(&error), error)
    }
}

pub(crate) fn status_of(error: &CheckpointError) -> Status {
    match error {
        CheckpointError::Version { .. } | CheckpointError::InProcess { .. } => Status::FOURBAR_UNSUPPORTED,
        CheckpointError::Kind { .. } | CheckpointError::Foreign { .. } => Status::FOURBAR_STATE,
        _ => Status::FOURBAR_INVALID,
    }
}
