//! Coupled simulators as a model file describes them: who takes part, what passes between them, and how they are stepped.
//!
//! A [`CoupledModel`] is plain data. [`CoupledModel::master`] checks it and makes a [`Master`](fourbar_coupling::Master) of it, which
//! [`coupling`](fourbar_coupling) steps; [`CoupledModel::partners`], [`CoupledModel::connections`] and [`CoupledModel::options`] give
//! its parts to whoever wants to change them first.

mod aliases;
mod build;
mod equations;
mod faults;
mod federation;
mod fmu;
mod library;
mod linear;
mod model;
mod remote;
mod settings;
mod settled;
mod single;
mod touching;
mod tuned;

use build::Span;
pub(crate) use build::alone;
use equations::System;
pub use equations::{EquationsModel, EquationsOutput, State, VariabilityName};
pub use faults::{FaultSettings, LevelName};
#[cfg(feature = "helics")]
pub use federation::Federate;
pub use federation::{FederationModel, FederationVariable};
pub use fmu::{FmuMethod, FmuModel, FmuUse, Kept};
pub use library::LibraryModel;
#[cfg(feature = "fmi")]
pub(crate) use linear::{LinearPartner, LinearPoint, linear_variables};
pub use model::{ConnectionModel, CoupledModel, Place, PortModel, SimulatorKind, SimulatorModel};
#[cfg(feature = "network")]
pub use remote::{TOKEN, token};
pub use settings::{AccelerationName, AdaptiveSettings, AlgorithmName, CoupledSettings};
pub(crate) use settled::{SAME, Settled};
