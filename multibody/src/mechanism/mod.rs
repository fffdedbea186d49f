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
mod function;
mod held_rows;
mod mass;
mod naming;
mod plane;
mod report;
mod rows;
mod scratch;
mod stated;
mod switches;
mod system;
mod turn_counter;
mod user_state;

pub use body::RigidBody;
pub(crate) use body::{EXACT, axis_of_symmetry};
pub(crate) use compiled::{BoundProgram, Value};
pub use compiled::{ConstraintSet, Mechanism};
pub use composed::{Composed, Pitch, Relation, Term};
pub(crate) use composed::{Counted, Part};
pub use flexible::FlexibleParts;
pub(crate) use function::Bend;
pub use function::Function;
pub(crate) use held_rows::HeldRows;
pub(crate) use plane::Plane;
pub(crate) use report::NAMED;
pub use report::{AssemblyReport, Begun, ChangedVelocity, Closure, Determined, Moved, NearlyDependent, NotKept};
pub use rows::{BoundConstraint, DROPPED, Redundancy};
pub(crate) use rows::{Choice, Roles};
pub(crate) use stated::{Level, Stated};
pub(crate) use switches::{BoundActivity, BoundSensor, Element, Origin, Switches, Target, Variant};
pub use system::{Rows, System};
pub(crate) use turn_counter::{CountedAngle, TurnCounter};
pub use user_state::UserState;
