//! Friction solved: Coulomb's law with its exact cone, sliding, spinning and rolling.
//!
//! In reading order: [`cone`] (the law), `local` and `block` (one contact, exactly), `scaled` (units in which contacts are alike),
//! `skyline` (factors that keep to which contacts act on each other), the methods `sweep` (Gauss-Seidel), `newton` (on the
//! function of `alart_curnier`), `interior` and `fixed_point` (interior point with the exact law, and the fixed point over second-order cone
//! problems), `continuation` (around turning points, where these fail), `anderson` (acceleration of fixed points), `infeasible` (the proof that
//! no impulses do), `sharing` (of redundant contacts), `methods` (all of them as data), and [`Coulomb`], which takes them in turn; [`Polyhedral`] makes a linear problem of it;
//! [`global`] solves in the velocities of bodies, for piles.

mod alart_curnier;
mod anderson;
mod block;
pub mod cone;
mod continuation;
mod fixed_point;
pub mod global;
mod infeasible;
mod interior;
mod jordan;
mod local;
mod methods;
mod newton;
mod polyhedral;
mod scaled;
mod sharing;
mod skyline;
mod solver;
mod sweep;

pub use cone::{Cone, Rows};
pub use global::{GlobalCoulomb, GlobalSolution, GlobalWorkspace};
pub use methods::{Method, Workspace};
pub use polyhedral::Polyhedral;
pub(crate) use sharing::{Redundant, Sharing};
pub use solver::{Coulomb, DEFAULT};
