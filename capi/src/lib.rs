//! The C ABI of fourbar: opaque handles and status codes over the whole family, for hosts in C and C++.
//!
//! The header `include/fourbar.h` is generated from this crate and documents every function. In reading order:
//!
//! - [`abi`]: what all functions share: statuses, the text of errors, handles that no misuse takes down, views of the caller's arrays,
//!   structs that grow.
//! - [`capabilities`], [`log`]: what is in the library, and what it has to say.
//! - [`lti`]: linear systems, their matrices and steppers.
//! - [`problem`]: equations of the host, given as functions, and their integration.
//! - [`contact`]: problems of complementarity and friction, solved directly.
//! - [`coupling`]: co-simulation with partners in C.
//! - [`accuracy`]: problems with known solutions, for integrators of the host.
//! - [`results`]: rows as CSV, whole runs of model files with their tables, summaries and reports.
//! - [`model`]: models of mechanisms from TOML or call by call, and mechanisms compiled from them.
//! - [`simulation`]: mechanisms stepped in the loop of the host.
//! - [`simulator`]: circuits and linear systems of model files, likewise.
//! - `fmi`: the functions of FMI 2.0 and 3.0, with which the library is the binary of every unit that `fourbar export-fmu` writes.
//! - [`equations`]: the equations of mechanisms, for integrators of the host.
//!
//! Rules that hold for every function:
//!
//! - It returns a [`fourbar_status`](abi::status::fourbar_status); results come through the last parameters, which are written on success alone.
//! - NULL is refused with a status wherever it is not said to be allowed; `free` of NULL does nothing.
//! - A panic inside becomes `FOURBAR_PANIC` and the handle is of no further use but to be freed. Nothing is printed:
//!   what it said goes into the text of the error and to the log. Panics elsewhere reach the panic hook that was there.
//! - A handle is used by one thread at a time; a second one gets `FOURBAR_BUSY`, and so does a callback that calls back into the handle
//!   that called it. Handles documented as shared may be read by any number of threads.
//! - Matrices are column after column, as in Fortran, LAPACK and Eigen.
#![deny(unsafe_code)]

#[allow(unsafe_code)]
pub mod abi;
#[allow(unsafe_code)]
pub mod accuracy;
#[allow(unsafe_code)]
pub mod capabilities;
#[allow(unsafe_code)]
pub mod contact;
#[allow(unsafe_code)]
pub mod coupling;
#[allow(unsafe_code)]
pub mod equations;
/// cbindgen:ignore
#[cfg(feature = "fmi")]
#[allow(unsafe_code)]
pub mod fmi;
#[allow(unsafe_code)]
pub mod log;
#[allow(unsafe_code)]
pub mod lti;
#[allow(unsafe_code)]
pub mod model;
#[allow(unsafe_code)]
pub mod problem;
#[allow(unsafe_code)]
pub mod results;
#[allow(unsafe_code)]
pub mod simulation;
#[allow(unsafe_code)]
pub mod simulator;
