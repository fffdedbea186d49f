//! Integrators: the methods of the Gear family for F(t, y, y') = 0, the trait [`Dae`](crate::dae::Dae), and those of Runge and Kutta and of Adams for
//! y' = f(t, y), the trait [`Ode`](crate::ode::Ode).
//!
//! A method is plain data ([`Gstiff`], [`Rkf45`], [`Abam`]); started on a system it becomes a stepper that implements [`Integrator`]. A stepper keeps the
//! history its method needs and nothing else: whoever wants a trajectory calls [`Integrator::step`] and records.
//!
//! Reading order: `targets` (where steps must land); `roots` and `dense` (events within a step), `switching` (conditions of the system); `coefficients`, `nordsieck` (the formulas
//! of Gear); [`consistent_start`]; `weights` (the norms); `corrector` and `forecast` (Newton's iteration); `controller` (order and step); `stepper` (the loop);
//! [`Gstiff`] (the method as people choose it); `explicit` (the loop of methods for y' = f(t, y)), [`Rkf45`], [`Abam`].

mod abam;
mod bdf;
mod coefficients;
mod consistent;
mod constant_bdf;
mod contract;
mod controller;
mod copying;
mod corrector;
mod damping;
mod dense;
mod dstiff;
mod error;
mod explicit;
mod forecast;
mod gstiff;
mod hht;
mod knots;
mod lanes;
mod method;
mod nordsieck;
mod options;
mod order;
mod rkf45;
mod roots;
mod start;
mod statistics;
mod stepper;
mod switching;
mod targets;
mod variable_steps;
mod weights;
mod wstiff;

pub use crate::dae::{Direction, RootEvent};
pub use abam::{ABAM_ORDER_MAX, Abam, AbamStepper};
pub use bdf::Bdf;
pub use consistent::consistent_start;
pub use constant_bdf::ConstantBdf;
pub use contract::{Integrator, Snapshot, Stop};
pub use damping::Damping;
pub use dstiff::Dstiff;
pub use error::{Cause, Error, Share};
pub use explicit::ExplicitStepper;
pub use gstiff::Gstiff;
pub use hht::Hht;
pub use method::{Family, Method};
pub use options::{Absolute, KindTable, NewtonOptions, StepLimits, Tolerance};
pub use order::ORDER_MAX;
pub use rkf45::{Rkf45, Rkf45Stepper};
pub use roots::NEAR_ZERO;
pub use statistics::{Factorizations, Statistics};
pub use stepper::BdfStepper;
pub use wstiff::Wstiff;
