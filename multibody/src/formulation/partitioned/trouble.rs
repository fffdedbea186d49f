//! Why a point cannot be evaluated, and how an integrator is told.

use super::accelerations::Failure;
use super::joined::Joined;
use crate::dae::EvalError;
use crate::formulation::supplement::Supplement;
use crate::mechanism::Mechanism;
use fourbar_linalg::Error as LinearError;

/// Why a point cannot be evaluated.
#[derive(Debug)]
pub(super) enum Trouble {
    Evaluation(EvalError),
    Linear(LinearError),
    Dependent(usize),
    NotClosed,
    Supplement,
}

impl From<EvalError> for Trouble {
    fn from(error: EvalError) -> Self {
        Self::Evaluation(error)
    }
}

impl From<LinearError> for Trouble {
    fn from(error: LinearError) -> Self {
        Self::Linear(error)
    }
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Linear(error) => Self::Linear(error),
            Failure::Evaluation(error) => Self::Evaluation(error),
            Failure::Supplement => Self::Supplement,
        }
    }
}

impl Trouble {
    /// The error for an integrator: a shorter step may avoid what is singular.
    pub(super) fn at<S: Supplement>(
        self,
        time: f64,
        mechanism: &Mechanism,
        joined: &Joined<S>,
        defects: &[f64],
    ) -> EvalError {
        let reason = match self {
            Self::Evaluation(error) => return error,
            Self::Linear(error @ (LinearError::NotFinite { .. } | LinearError::NotFiniteVector { .. })) => {
                error.to_string()
            }
            Self::Linear(error) => format!("the constraints are singular ({error})"),
            Self::Dependent(row) => {
                format!("{} depends on other constraints, a singular position", joined.row_name(mechanism, row))
            }
            Self::NotClosed => {
                let worst = (0..defects.len()).fold(0, |a, b| if defects[b].abs() > defects[a].abs() { b } else { a });
                format!("{} cannot be closed from nearby", joined.row_name(mechanism, worst))
            }
            Self::Supplement => "the forces of supplementary rows are not determined".to_owned(),
        };
        let element = match mechanism.name() {
            "" => "the mechanism".to_owned(),
            name => format!("mechanism \"{name}\""),
        };
        EvalError::Recoverable { element, time, reason }
    }
}
