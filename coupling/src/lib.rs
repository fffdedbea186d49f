//! Co-simulation: simulators that know nothing of each other, stepped together and coupled at communication points.
#![forbid(unsafe_code)]

mod error;
pub mod function;
pub mod unit;

pub use error::Error;
