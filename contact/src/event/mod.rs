//! Event-driven motion: smooth between events, which are located to round-off in time.
//!
//! Between two events the closed contacts are constraints ([`Closed`]): normal rows held, friction sticking or slipping, and `Rkf45`
//! integrates the accelerations with joints and contacts put back on their constraints at each step. Root functions are the gaps of
//! the open contacts (impact), the normal forces of the closed ones (they open at zero), the margin of friction where it sticks and
//! the speed where it slips. At an event:
//!
//! 1. closing contacts collide by the [`ImpactLaw`](crate::law::ImpactLaw), all touching contacts and the joints taking part ((12')-(14'));
//! 2. what then has no normal velocity is decided on accelerations: closed or open, sticking or slipping;
//! 3. a contact that bounces ever faster is passed in closed form: after a rebound with v+ under the acceleration -a the impacts
//!    accumulate at 2 v+/(a (1 - e)) from now, and it rests from there on;
//! 4. the integrator restarts, which costs one evaluation.
//!
//! Where contacts are redundant (a box on four corners) their forces are not unique, though the motion is: those of least norm are
//! reported ([`EventStepper::forces`]) if friction holds them, and in place of forces the root function is whether the decision 2. would still be the same.
//!
//! Slip turns with the rate mu N/(m |v|), without bound as it begins and ends. Where that would limit the step, the directions of slip
//! are unknowns of their own and the step is implicit in them ([`Ode::fast`](fourbar_multibody::ode::Ode::fast)); the integrator goes
//! back by itself.

mod accumulation;
mod active_constraints;
mod balance;
mod breaks;
mod commit;
mod contact_modes;
mod flow;
mod groups;
mod handle;
mod hyperstatic;
mod impulse_level;
mod log;
mod mode;
mod options;
mod painleve_shock;
mod pending;
mod refusal;
mod rows;
mod smooth;
mod steering;
mod stepper;
mod thresholds;
mod watching;
mod zeno_guard;

pub use log::{Event, EventKind, Reached};
pub use mode::{Closed, Friction};
pub use options::EventDriven;
pub use stepper::EventStepper;
