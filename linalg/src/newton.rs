//! Modified Newton iteration: corrections with a kept Jacobian, a monitored rate, damping, and an outcome with its statistics.
//!
//! | symbol | meaning |
//! |---|---|
//! | F(x) = 0 | the equations, [`Equations::residual`] |
//! | J | Jacobian dF/dx at some earlier iterate, [`Equations::refresh`] |
//! | d = J^-1 F(x) | correction; the next iterate is x - lambda d |
//! | rho | convergence rate, ratio of successive corrections with the same J |
//!
//! [`Newton`] runs the whole iteration. An integrator with its own idea of when a Jacobian is worth its price drives the
//! [`RateMonitor`] alone.

mod iteration;
mod problem;
mod rate;

pub use iteration::Newton;
pub use problem::{Equations, IterationStatistics, NewtonOptions, Outcome};
pub use rate::{Rate, RateMonitor};
