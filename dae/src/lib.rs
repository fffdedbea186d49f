//! Differential-algebraic equations $F(t, y, \dot y) = 0$ and ordinary ones $\dot y = f(t, y)$, and the integrators that solve them.
//!
//! Equations implement [`Dae`] or [`ode::Ode`]: residual or right-hand side, the pattern and values of the matrix, kinds of unknowns, root functions,
//! discontinuities. An integrator asks nothing else: [`integrator::Gstiff`] and its kin for stiff equations of index up to 3, [`integrator::Rkf45`] and
//! [`integrator::Abam`] for those that are not stiff; [`integrator::Method`] chooses among them when a program runs. An example stands at
//! [`Gstiff`](integrator::Gstiff).
//!
//! In reading order: [`Dae`] with [`Unknown`] and [`Kind`], [`ode`]; [`samples`], [`interrupt`] for those who write equations; [`integrator`].
#![forbid(unsafe_code)]

mod dae;
pub mod integrator;
pub mod interrupt;
pub mod ode;
pub mod samples;

pub use dae::{
    Dae, Differences, Direction, ErrorWeights, EvalError, History, Kind, Role, RootEvent, StepErrors, Unknown,
};
