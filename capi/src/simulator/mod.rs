//! Circuits and linear systems of model files, stepped by the host: inputs and outputs by name.

#[allow(clippy::module_inception)]
pub mod simulator;
pub mod values;
