//! Mechanisms as differential-algebraic equations, and the stiff integrators that solve them.
pub mod dae;
pub mod expression;
pub mod integrator;
