//! Linear systems dx/dt = A x + B u(t), y = C x + D u as a person describes them, and what they mean in numbers.
//!
//! A [`LinearModel`] is plain data with serde, as [`multibody::model`](fourbar_multibody::model) is: matrices, a block diagram or a generated
//! sparse system, input signals and outputs by name. [`LinearSystem::compile`] checks it and makes matrices of it, which
//! [`lti`](fourbar_lti) steps.

mod analysis;
mod block;
mod compile;
mod firmware;
mod model;
mod signal;
mod system;

pub use analysis::{LinearAnalysis, NamedDelays, Table};
pub use block::{Block, Constant, First, Lag, Matrices, Polynomials, Root, Sum, ZerosPoles};
pub use compile::{Equations, LinearSystem, SparseSystem};
pub(crate) use compile::{Shown, Side, Signal, Stepping, Tap, numerical};
pub use firmware::{Language, firmware};
pub use model::{LinearModel, LinearSettings, MethodName};
pub use signal::{ExternalInput, Input, SampledInput, SineInput, StepInput, TimeInput};
pub use system::{Boundary, Diffusion, Output, StateSpaceModel};
