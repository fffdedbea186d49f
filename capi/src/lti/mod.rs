//! Linear systems dx/dt = A x + B u, y = C x + D u.

pub mod discretization;
mod failure;
pub mod g_matrices;
pub mod matrices;
pub mod method;
pub mod responses;
pub mod simulation;
pub mod stepper;
pub mod stepper_state;
pub mod system;
