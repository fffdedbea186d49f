//! Ready-made partners: explicit differential equations, as closures and under error control; linear systems stepped exactly, implicit equations by a stiff
//! integrator, hydraulic circuits among them; mechanisms; shared libraries in C, in this process or in one of their own.

mod circuit;
mod explicit;
mod library;
mod linear;
mod mechanism;
mod ode;
mod passing;
#[cfg(unix)]
pub mod process;
mod stiff;
mod table;

pub use explicit::{DrivenOde, Explicit};
pub use library::{Library, LibraryError, LibraryOptions};
pub use linear::Linear;
pub use mechanism::{ControlPlant, Following, Mechanism, MechanismOptions, PlantVariable};
pub use ode::Ode;
pub use passing::Passing;
#[cfg(unix)]
pub use process::{HostProgram, Process, ProcessOptions};
pub use stiff::{DrivenDae, Stiff};
pub use table::{CreateFunction, DestroyFunction, ExchangeFunction, FunctionTable, StateFunction};
