//! Exact stepping of linear systems dx/dt = A x + B u(t).
#![forbid(unsafe_code)]
#![cfg_attr(not(feature = "std"), no_std)]

#[cfg(feature = "std")]
mod classical;
#[cfg(feature = "std")]
mod diagram;
#[cfg(feature = "std")]
mod discretization;
#[cfg(feature = "std")]
mod ensemble;
#[cfg(feature = "std")]
mod error;
mod fixed;
#[cfg(feature = "std")]
mod g_matrices;
#[cfg(feature = "std")]
mod interpolation;
#[cfg(feature = "std")]
mod ladder;
#[cfg(feature = "std")]
mod method;
#[cfg(feature = "std")]
mod modal;
#[cfg(feature = "std")]
mod simulation;
#[cfg(feature = "std")]
mod state_space;
#[cfg(feature = "std")]
mod stepper;
#[cfg(feature = "std")]
mod transfer;

#[cfg(feature = "std")]
pub use diagram::{BlockId, Diagram, InputId};
#[cfg(feature = "std")]
pub use discretization::{Discretization, suggest_step};
#[cfg(feature = "std")]
pub use ensemble::Ensemble;
#[cfg(feature = "std")]
pub use error::Error;
pub use fixed::{FixedCoefficients, FixedError, FixedStepper};
#[cfg(feature = "std")]
pub use g_matrices::{GMatrices, Precision, exponential_from_g0, g_by_series, g_of_double_step, lower_from_upper};
#[cfg(feature = "std")]
pub use ladder::{DiscretizationCache, StepLadder};
#[cfg(feature = "std")]
pub use method::Method;
#[cfg(feature = "std")]
pub use modal::{ModalForm, Mode};
#[cfg(feature = "std")]
pub use simulation::simulate;
#[cfg(feature = "std")]
pub use state_space::StateSpace;
#[cfg(feature = "std")]
pub use stepper::{Stepper, StepperState};
#[cfg(feature = "std")]
pub use transfer::{TransferFunction, ZerosPolesGain, integrator, lag, summing_junction};
