//! The host's own equations, F(t, y, y') = 0 or y' = f(t, y), given as functions, and the integrators that solve them.

mod adapter;
pub mod equations;
pub(crate) mod failure;
pub mod integration;
pub mod options;
mod pattern;
pub mod sampling;
pub mod saving;
pub mod statistics;
mod stepper;
pub mod stop;
pub mod system;
mod table;
