//! The compiled model: indices and numbers, immutable, shared between threads.
//!
//! A [`Mechanism`] answers what analyses ask of it: inertia, forces and their derivatives, constraint rows, their Jacobian and
//! the right-hand side of the acceleration equation. It has no names in its inner loops and no scratch of its own.

mod advance;
mod body;
mod breaks;
mod chain;
mod compiled;
mod composed;
mod flexible;
mod from_model;
mod held_rows;
mod mass;
mod naming;
mod plane;
mod report;
mod rows;
mod stated;
mod system;
mod user_state;

pub use body::RigidBody;
pub(crate) use body::{EXACT, axis_of_symmetry};
pub(crate) use compiled::{BoundProgram, Value};
pub use compiled::{ConstraintSet, Mechanism};
pub use composed::{Composed, Pitch, Relation, Term};
pub(crate) use composed::{Counted, Part};
pub(crate) use held_rows::HeldRows;
pub(crate) use plane::Plane;
pub(crate) use report::NAMED;
pub use report::{AssemblyReport, Closure, Determined, Moved, NotKept};
pub use rows::{BoundConstraint, DROPPED, Redundancy};
pub(crate) use stated::{Level, Stated};
pub use system::{Rows, System};
pub use user_state::UserState;
