//! Co-simulation: simulators that know nothing of each other, stepped together and coupled at communication points.
//!
//! The middleware of patent CN101908089A (a mechanism and its hydraulics, coupled through rod positions, velocities and forces), with what
//! its plain loop lacks: inputs continued to third order, iterated strong coupling, a communication step that follows the error, units,
//! an energy account, and faults that are never passed over. [`Master`] shows a run.
//!
//! Three layers, each knowing those below it alone:
//!
//! - [`application`]: settings down, results and faults up;
//! - [`management`]: [`Connection`], [`Clock`], [`FaultPolicy`], and the loop, [`Master`], with its [`Algorithm`];
//! - [`function`]: the trait [`Simulator`], the communication interface of each simulator, the interaction module between them.
//!
//! Features, all on by default; a build without one refuses what it brings, by a typed error that names the feature:
//!
//! - `library`: partners in shared libraries, through the loader of the operating system. Functions of the host need none
//!   ([`partner::Library::of_table`]).
//! - `process`: such partners in processes of their own (Unix), `partner::Process`; it brings the two others.
//! - `clock`: threads and the wall clock: [`Partner::on_thread`], time limits, real time ([`management::Pacing`]), `application::Session`,
//!   `application::FileRecorder`.
//! - `helics`: federations of HELICS, `partner::helics`; it brings `library` and `clock`.
//! - `network`: simulators on other computers, `partner::remote`; it brings `clock`.
//!
//! Without them a run needs no thread, no loader and no clock, and the crate compiles for `wasm32-unknown-unknown`. The feature `parquet`, off by default,
//! writes runs as Apache Parquet.
//!
//! Reading order: [`function`], [`unit`](mod@fourbar_linalg::unit), [`management`], [`partner`] with ready-made simulators, [`application`], [`Error`].
#![deny(unsafe_code)]

pub mod application;
mod error;
pub mod function;
pub mod management;
pub mod partner;

pub use application::Recorder;
pub use error::Error;
pub use fourbar_linalg::unit;
pub use function::{
    Capabilities, Causality, Description, Failure, Fault, Packet, Parameter, ParameterRefusal, Signal, Simulator,
    Snapshot, SolverCounts, Text, Variability, Variable, is_partner_thread,
};
pub use management::{
    Acceleration, Adaptive, Algorithm, Checkpoint, Clock, Connection, FaultPolicy, Level, Master, Observer, Options,
    Order, Partner, Proceed, RunState,
};
