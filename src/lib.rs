//! fourbar simulates machines: mechanisms of bodies and joints, the linear systems and hydraulics that drive them, and all of these
//! coupled, built in code or read from a model file.
//!
//! The solvers are crates of their own, each usable alone: [`linalg`] (sparse LU, rank of constraint Jacobians, Newton
//! iteration), [`lti`] (linear systems discretized exactly), [`expression`] (formulas of model files), [`dae`] (stiff and
//! explicit integrators), [`multibody`] (models, mechanisms, analyses), [`contact`] (impacts,
//! friction, complementarity), [`hydraulics`] (circuits) and [`coupling`] (co-simulation). This package adds what spans them: model files
//! ([`mod@file`]) with a [`Document`] of any kind in them, mechanisms with contacts ([`mechanism`]), linear systems ([`linear`]), hydraulic
//! circuits ([`circuit`]) and coupled simulators ([`coupled`]) as data, runs ([`run`]) and their [`results`], and mechanisms stepped in the
//! loop of another program ([`simulation`]).
//!
//! # Example
//!
//! A pendulum whose period is 2 s, over three periods and a quarter:
//!
//! ```
//! use fourbar::file::ModelFile;
//! use fourbar::results::Table;
//! use fourbar::run::{Overrides, Run};
//! use std::sync::atomic::AtomicBool;
//!
//! let file = ModelFile::parse("pendulum.toml", r#"
//!     name = "pendulum"
//!     gravity = [0, -13.750371636040745655, 0]
//!     simulation = { end = 6.5, output_step = 0.1, tolerance = 1e-8 }
//!
//!     [[body]]
//!     name = "rod"
//!     mass = 1.0
//!     inertia = [1e-3, "1.5^2/12", "1.5^2/12"]
//!     center_of_mass = [0.75, 0, 0]
//!
//!     [[joint]]
//!     name = "pivot"
//!     type = "revolute"
//!     i = "rod"
//!     j = "ground"
//!
//!     [[measure]]
//!     name = "angle"
//!     type = "angle"
//!     i = "rod"
//! "#)?;
//! let run = Run::new(file.document(), &Overrides::default()).map_err(|error| file.explain(error))?;
//! let mut table = Table::default();
//! let outcome = run.execute(&mut [&mut table], &AtomicBool::new(false))?;
//!
//! let (column, angle) = &outcome.summary.last[0];
//! assert_eq!((column.name.as_str(), column.unit.as_str()), ("angle", "rad"));
//! assert_eq!(table.times().len(), 66);
//! // A quarter of a period after the horizontal the rod hangs straight down.
//! assert!((angle + std::f64::consts::FRAC_PI_2).abs() < 1e-6);
//! assert!(outcome.summary.mechanism().unwrap().violation.position < 1e-9);
//! # Ok::<(), fourbar::Error>(())
//! ```
//!
//! # Features
//!
//! | feature | brings | on by default |
//! |---|---|---|
//! | `file` | model files in TOML | yes |
//! | `library` | simulators in shared libraries, by the loader of the operating system | yes |
//! | `process` | such simulators in processes of their own (Unix); brings `library` and `clock` | yes |
//! | `fmi-import` | functional mock-up units as simulators (FMI 2.0 and 3.0) | yes |
//! | `clock` | threads of simulators, time limits, real time, the time a run took; `coupling::application::Session` | yes |
//! | `accuracy` | work and precision on problems with known solutions ([`accuracy`]); brings `file`, `results` and `clock` | no |
//! | `fmi` | models as functional mock-up units: [`fmi::Instance`] and its description; brings `file` | no |
//! | `fmi-export` | the archives of such units | no |
//! | `results` | results as CSV and JSON | no |
//! | `report` | the HTML report | no |
//! | `sweep` | many runs of a model with other parameters ([`sweep`]); brings `file`, `results` and `clock` | no |
//! | `ssp` | system structures (SSP) as coupled models ([`ssp`]), and with `fmi-export` their archives | yes |
//! | `scene` | pictures of mechanisms: SVG, glTF, meshes of `[[display]]` | no |
//!
//! Without `library`, `process` and `clock` a run needs no loader, no thread and no clock: what a model then asks of them is refused by an
//! error that names the feature. Such a build compiles for `wasm32-unknown-unknown`.
#![forbid(unsafe_code)]

pub use fourbar_contact as contact;
pub use fourbar_coupling as coupling;
pub use fourbar_dae as dae;
pub use fourbar_expression as expression;
pub use fourbar_hydraulics as hydraulics;
pub use fourbar_linalg as linalg;
pub use fourbar_lti as lti;
pub use fourbar_multibody as multibody;

#[cfg(feature = "accuracy")]
pub mod accuracy;
pub mod analysis;
pub mod circuit;
pub mod coupled;
mod document;
mod error;
#[cfg(feature = "file")]
pub mod file;
#[cfg(feature = "fmi")]
pub mod fmi;
pub mod linear;
pub mod mechanism;
mod observer;
mod result_units;
pub mod results;
pub mod run;
#[cfg(feature = "scene")]
pub mod scene;
pub mod simulation;
#[cfg(feature = "ssp")]
pub mod ssp;
#[cfg(feature = "sweep")]
pub mod sweep;
mod tuning;
#[cfg(any(feature = "accuracy", feature = "fmi", feature = "report", feature = "scene"))]
mod xml;

pub use document::Document;
pub use error::Error;

/// The examples of README.md.
#[cfg(all(doctest, feature = "file"))]
#[doc = include_str!("../README.md")]
pub struct Readme;
