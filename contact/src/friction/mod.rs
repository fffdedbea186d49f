//! Friction solved: Coulomb's law with its exact cone, sliding, spinning and rolling.
//!
//! In reading order: [`cone`] (the law), `local` and `block` (one contact, exactly), `scaled` (units in which contacts are alike),
//! `coupling` and `envelope` (which contacts act on each other, and factors that keep to that), the methods `sweep` (Gauss-Seidel),
//! `newton` (on the function of `alart_curnier`), `interior` and `convex` (interior point with the exact law, and the fixed point over
//! convex problems, accelerated by `anderson`), `homotopy` (around turning points, where these fail), `admm`, `infeasible` (the proof that
//! no impulses do), `stages` (what each is in the default), and [`Coulomb`], which picks; [`Polyhedral`] makes a linear problem of it;
//! [`global`] solves in the velocities of bodies, for piles.

mod admm;
mod alart_curnier;
mod anderson;
mod block;
pub mod cone;
mod convex;
mod coupling;
mod envelope;
pub mod global;
mod homotopy;
mod infeasible;
mod interior;
mod jordan;
mod local;
mod newton;
mod polyhedral;
mod scaled;
mod solver;
mod stages;
mod sweep;
mod trail;

pub use cone::{Cone, Rows};
pub use global::{GlobalCoulomb, GlobalSolution, GlobalWorkspace};
pub use polyhedral::Polyhedral;
pub use solver::{Coulomb, Method};
pub use stages::Workspace;
