//! Mechanisms as differential-algebraic equations, which the integrators of `fourbar-dae` solve.
//!
//! A [`Model`] is what a person describes; [`Mechanism::compile`] checks and assembles it, finds redundant constraints, and gives
//! the equations $M(q) \dot u + \Phi_q^T \lambda = Q$, $\Phi(q, t) = 0$; a [`Formulation`] writes them as
//! $F(t, y, \dot y) = 0$, the trait [`dae::Dae`]; an integrator such as [`integrator::Gstiff`] solves any such system, mechanism or not. [`Dynamics`] binds them together:
//!
//! ```
//! use fourbar_multibody::integrator::{Gstiff, Stop};
//! use fourbar_multibody::model::{Body, Joint, JointKind, Measure, MeasureKind, Model, PairMeasure, vector, zero};
//! use fourbar_multibody::{Dynamics, DynamicsOptions, Formulation, Mechanism};
//! use std::sync::Arc;
//!
//! // A uniform rod of 1 m, hinged at one end, let go from the horizontal.
//! let rod = Body {
//!     name: "rod".into(),
//!     mass: 1.0.into(),
//!     inertia: vec![0.001.into(), (1.0 / 12.0).into(), (1.0 / 12.0).into()],
//!     center_of_mass: vector([0.5, 0.0, 0.0]),
//!     position: zero(),
//!     orientation: Default::default(),
//!     velocity: zero(),
//!     angular_velocity: zero(),
//!     exact: vec![],
//!     solids: vec![],
//! };
//! let model = Model {
//!     gravity: vector([0.0, -9.81, 0.0]),
//!     bodies: vec![rod],
//!     joints: vec![Joint {
//!         name: "hinge".into(),
//!         kind: JointKind::Revolute,
//!         i: "rod".into(),
//!         j: "ground".into(),
//!         length: None,
//!         pitch: None,
//!         initial: Default::default(),
//!     }],
//!     measures: vec![Measure {
//!         name: "angle".into(),
//!         kind: MeasureKind::Angle(PairMeasure { i: "rod".into(), j: None }),
//!     }],
//!     ..Model::default()
//! };
//! let mechanism = Arc::new(Mechanism::compile(&model)?);
//! assert_eq!(mechanism.degrees_of_freedom(), 1);
//!
//! let method = Gstiff::with_tolerance(1e-8).into();
//! let options = DynamicsOptions { formulation: Formulation::Si2, method, end: 0.5, stop_times: vec![] };
//! let mut dynamics = Dynamics::new(&mechanism, &options)?;
//! while dynamics.step()? != Stop::EndTime {}
//! let mut angle = [0.0];
//! dynamics.measures_at(0.5, &mut angle)?;
//! // Energy: I w^2/2 = m g (l/2) sin(-angle) with I = 1/3 kg m^2.
//! let w = dynamics.state_at(0.5)?.poses[0].w.z;
//! assert!((w * w / 6.0 + 9.81 * 0.5 * angle[0].sin()).abs() < 1e-6);
//! assert!(dynamics.violation()?.position < 1e-9);
//! # Ok::<(), fourbar_multibody::Error>(())
//! ```
//!
//! In reading order: [`model`], [`expression`]; [`mechanism`] with [`space`], [`orientation`], [`constraint`], [`drive`], [`force`], [`host`], [`input`],
//! [`measure`], [`break_state`], [`samples`], [`state`]; [`dae`], [`ode`], [`formulation`]; [`integrator`]; [`analysis`], [`interrupt`]; [`error`](mod@error).
#![forbid(unsafe_code)]

pub mod analysis;
mod compile;
pub mod constraint;
pub mod curve;
pub mod drive;
pub mod error;
pub mod flexible;
pub mod force;
pub mod formulation;
pub mod host;
pub mod input;
pub mod measure;
pub mod mechanism;
pub mod model;
pub mod orientation;
pub mod space;
pub mod state;

pub use analysis::{
    Dynamics, DynamicsOptions, DynamicsSnapshot, EnergyBalance, RowGuard, SwitchEvent, SwitchKind, Violation,
};
pub use compile::{BodySolid, Factors, IntoSi, Names, Simulation, SolidForm, body_solids};
pub use error::{Error, Location, ModelError};
pub use formulation::{Equations, Formulation};
pub use fourbar_dae as dae;
pub use fourbar_dae::integrator::{Family, Method};
pub use fourbar_dae::{integrator, interrupt, ode, samples};
pub use fourbar_expression as expression;
pub use fourbar_expression::break_state;
pub use fourbar_expression::model::{Parameters, check_unit, unique};
pub use input::{InputInfo, Inputs};
pub use interrupt::Interrupt;
pub use mechanism::Mechanism;
pub use model::{INTEGRATORS, Model};
pub use state::State;
