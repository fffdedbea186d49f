//! Complementarity problems and friction solved directly: the problem, the solver, the solution.

mod dispatch;
pub(crate) mod failure;
pub mod global;
pub mod options;
pub mod polyhedral;
pub mod problem;
pub mod result;
pub mod solver;
