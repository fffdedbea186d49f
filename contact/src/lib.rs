//! Unilateral constraints on mechanisms: complementarity problems and their solvers, impacts, friction, projection.
//!
//! Contacts are data ([`model`]) compiled to gap functions ([`pair`]); what happens at them is decided by complementarity problems
//! whose solvers say [`Solved`](solution::Status::Solved) only of a point that solves the problem as it was given.
//!
//! ```
//! use fourbar_contact::event::{EventDriven, EventKind};
//! use fourbar_contact::model::{Contact, ContactKind, ContactModel, SpherePlane};
//! use fourbar_contact::pair::ContactSet;
//! use fourbar_multibody::model::{Body, Model, vector, zero};
//! use fourbar_multibody::Mechanism;
//! use std::sync::Arc;
//!
//! // A ball of 0.1 m falls by 1 m onto the ground, the plane z = 0, and keeps 80 % of its speed at each impact.
//! let ball = Body {
//!     name: "ball".into(),
//!     mass: 1.0.into(),
//!     inertia: vec![0.004.into(); 3],
//!     center_of_mass: zero(),
//!     position: vector([0.0, 0.0, 1.1]),
//!     orientation: Default::default(),
//!     velocity: zero(),
//!     angular_velocity: zero(),
//!     exact: vec![],
//!     solids: vec![],
//! };
//! let model = Model { gravity: vector([0.0, 0.0, -9.81]), bodies: vec![ball], ..Model::default() };
//! let plane = SpherePlane { i: "ball".into(), radius: 0.1.into(), j: "ground".into(), offset: 0.0.into() };
//! let floor = Contact::new("floor", ContactKind::SpherePlane(plane)).with_restitution(0.8);
//! let contacts = ContactModel { contacts: vec![floor], ..ContactModel::default() };
//!
//! let mechanism = Arc::new(Mechanism::compile(&model)?);
//! let contacts = ContactSet::compile(&model, &contacts, &mechanism)?;
//! let mut run = EventDriven::default().start(&mechanism, contacts, mechanism.start(), 5.0)?;
//! run.run()?;
//!
//! // It bounces ever faster, rests from t1 (1 + e)/(1 - e) on, and the floor carries its weight.
//! let rest = run.log().iter().find(|event| event.kind == EventKind::Accumulation).unwrap();
//! assert!((rest.time - 9.0 * (2.0 / 9.81_f64).sqrt()).abs() < 1e-8);
//! assert!((run.forces()?[0][0] - 9.81).abs() < 1e-9);
//! # Ok::<(), fourbar_contact::Error>(())
//! ```
//!
//! In reading order: [`unilateral`] (what a contact is, as rows over the velocities of two bodies); [`model`] and [`pair`] (contacts
//! as data, and the gap functions compiled from it), [`scene_scales`] (what counts as nothing in a scene); [`problem`] and [`solution`]
//! (complementarity problems as data, and what a solver answers), [`solver`] (of linear complementarity problems), [`friction`] (of
//! Coulomb's law); [`law`] (impact laws on plain data), [`configuration`] (a mechanism factored, its contacts reduced), [`impact`],
//! [`projection`], [`stepping`] (fixed steps), [`event`] (event-driven), [`report`] (what a reader of the results should know).
#![forbid(unsafe_code)]

pub mod budget;
pub mod configuration;
mod contact_id;
mod dense;
pub mod error;
pub mod event;
pub mod friction;
pub mod impact;
pub mod law;
pub mod model;
mod ordering;
pub mod pair;
pub mod problem;
pub mod projection;
pub mod report;
mod residual;
mod scaling;
pub mod scene_scales;
mod shape;
pub mod solution;
pub mod solver;
pub mod stepping;
mod surface;
pub mod unilateral;

pub use budget::Budget;
pub use error::Error;
