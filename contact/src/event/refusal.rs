//! Evaluations that a contact refused: the integrator knows errors as text alone, and whoever runs it is to have them whole.

use crate::contact_id::ContactId;
use crate::error::Error;
use fourbar_multibody::dae::EvalError;
use fourbar_multibody::integrator::{Cause, Error as IntegratorError};

/// What the last evaluation that failed said, where it names a contact.
#[derive(Debug, Clone, Default)]
pub(super) struct Refusal {
    refused: Option<Refused>,
}

/// An evaluation that a contact refused: [`Error::Gap`], [`Error::Lost`], [`Error::Dependent`], [`Error::Squeezed`].
#[derive(Debug, Clone)]
enum Refused {
    Squeezed { contacts: Vec<ContactId>, time: f64, left: f64 },
    Dependent { time: f64 },
    Gap { pair: String, time: f64, reason: String },
    Lost { contact: String, time: f64, reason: String },
}

impl Refusal {
    /// Notes the error of an evaluation at `time` \[s\], and names it for the integrator.
    pub(super) fn note(&mut self, error: &Error, time: f64) -> EvalError {
        self.refused = match error {
            Error::Gap { pair, time, reason } => {
                Some(Refused::Gap { pair: pair.clone(), time: *time, reason: reason.clone() })
            }
            Error::Lost { contact, time, reason } => {
                Some(Refused::Lost { contact: contact.clone(), time: *time, reason: reason.clone() })
            }
            Error::Dependent { time } => Some(Refused::Dependent { time: *time }),
            Error::Squeezed { contacts, time, left, .. } => {
                Some(Refused::Squeezed { contacts: contacts.clone(), time: *time, left: *left })
            }
            _ => None,
        };
        if let Error::Multibody(fourbar_multibody::Error::Evaluation(own)) = error {
            // It has its name, and says itself whether a shorter step may help.
            return own.clone();
        }
        let (element, reason) = ("contact".to_owned(), error.to_string());
        EvalError::Recoverable { element, time, reason }
    }

    /// Forgets evaluations that were refused: those of a step before say nothing of the next.
    pub(super) fn clear(&mut self) {
        self.refused = None;
    }

    /// Whether the last evaluation was refused because rows that were independent at the last decision no longer are.
    pub(super) fn is_worn(&self) -> bool {
        matches!(self.refused, Some(Refused::Dependent { .. }))
    }

    /// The error of a step that no shortening saves: that of the contact which refused it.
    pub(super) fn stopped(&mut self, error: IntegratorError) -> Error {
        let evaluation = matches!(
            &error,
            IntegratorError::SmallestStep { cause: Cause::Evaluation(_), .. } | IntegratorError::Evaluation(_)
        );
        match self.refused.take() {
            Some(Refused::Gap { pair, time, reason }) if evaluation => Error::Gap { pair, time, reason },
            Some(Refused::Dependent { time }) if evaluation => Error::Dependent { time },
            Some(Refused::Lost { contact, time, reason }) if evaluation => Error::Lost { contact, time, reason },
            Some(Refused::Squeezed { contacts, time, left }) if evaluation => {
                Error::Squeezed { contacts, names: Vec::new(), time, left }
            }
            _ => fourbar_multibody::Error::from(error).into(),
        }
    }
}
