//! Hydraulic circuits as stiff differential-algebraic equations.
//!
//! A [`Model`] says which pumps, valves, lines and cylinders meet at which nodes; [`Circuit::compile`] checks it and gives the
//! equations, a [`Dae`](fourbar_dae::Dae) that any stiff integrator of `fourbar-dae` solves.
//!
//! ```
//! use fourbar_hydraulics::model::{Component, Model, Node, Orifice, Tank, Volume};
//! use fourbar_hydraulics::Circuit;
//! use fourbar_dae::integrator::{Gstiff, Integrator, Stop};
//!
//! // One litre of oil at 200 bar empties through an orifice of 1 mm^2.
//! let model = Model {
//!     nodes: vec![
//!         Node::Volume(Volume { name: "vessel".into(), volume: 1e-3.into(), start: Some(2e7.into()) }),
//!         Node::Tank(Tank { name: "tank".into(), pressure: 1e5.into() }),
//!     ],
//!     components: vec![Component::Orifice(Orifice {
//!         name: "leak".into(),
//!         from: "vessel".into(),
//!         to: "tank".into(),
//!         area: 1e-6.into(),
//!         opening: 1.0.into(),
//!         discharge: 0.62.into(),
//!         laminar_below: 1e3.into(),
//!     })],
//!     ..Model::default()
//! };
//! let mut circuit = Circuit::compile(&model)?;
//! let start = circuit.start(0.0)?;
//! let mut run = Gstiff::with_tolerance(1e-8).start(circuit, 0.0, &start.y, &start.yp, 0.05)?;
//! while run.step()? != Stop::EndTime {}
//! // sqrt(p - p0) falls linearly: d sqrt(dp)/dt = -E Cd A sqrt(2/rho) / (2 V).
//! let rate = 1.4e9 / 1e-3 * 0.62e-6 * (2.0_f64 / 860.0).sqrt() / 2.0;
//! let expected = 1e5 + (1.99e7_f64.sqrt() - rate * 0.05).powi(2);
//! assert!((run.state()[0] / expected - 1.0).abs() < 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! In reading order: [`model`], [`Circuit`], [`Error`].
#![forbid(unsafe_code)]

mod circuit;
mod compile;
mod element;
mod error;
mod fluid;
pub mod model;

pub use circuit::{Cavity, Circuit, ExplicitCircuit, Point, Variable};
pub use error::Error;
pub use model::Model;
