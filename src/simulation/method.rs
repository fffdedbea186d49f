//! How a model is followed in time, and what a step came to.

use crate::Error;
use crate::mechanism::Following;
use fourbar_multibody::DynamicsOptions;
use fourbar_multibody::integrator::{Error as IntegratorError, Stop};

/// What a step towards an end time came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// A step of the method.
    Step,
    /// Contacts closed, opened, stuck or slipped, as [`Simulation::events`](super::Simulation::events) tells; or a sensor or `active` switches
    /// something with the next step, as [`Simulation::switch_events`](super::Simulation::switch_events) tells then.
    Event,
    /// The end time.
    End,
}

impl Progress {
    pub(super) fn of(stop: Stop) -> Self {
        match stop {
            Stop::EndTime => Self::End,
            Stop::Event => Self::Event,
            _ => Self::Step,
        }
    }
}

/// How a model is followed in time, settled.
#[derive(Debug, Clone)]
pub(super) enum Method {
    Smooth(Box<DynamicsOptions>),
    Contacts(Following),
}

/// An error of the integrator's contract.
pub(super) fn integrator(error: IntegratorError) -> Error {
    fourbar_multibody::Error::from(error).into()
}
