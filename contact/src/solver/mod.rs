//! Solvers of linear complementarity problems: each a [`Method`], plain data with a `Default`, over a [`Workspace`] that is made once.
//!
//! | method | for |
//! |---|---|
//! | [`Automatic`] | everything: picks, falls back, says what it did |
//! | [`ActiveSet`] | P and semidefinite matrices; a good guess costs one factorization |
//! | [`Lemke`] | copositive-plus and strictly copositive matrices (friction), games; proves infeasibility where the class allows |
//! | [`InteriorPoint`] | monotone problems (semidefinite, symmetric or not), whatever the mass ratios |
//! | [`GaussSeidel`] | symmetric or diagonally dominant matrices to a few digits |
//! | [`Enumeration`] | a handful of pairs: all complementary bases |
//!
//! A method works on scaled variables (a diagonal of ones, or rows and columns of size one, and |q| = 1) and what it finds is checked on the problem as it was given.

mod active_set;
mod automatic;
mod basis;
mod block_triangular;
mod dictionary;
mod enumeration;
mod exchange;
mod factors;
mod feasibility;
mod gauss_seidel;
mod interior_point;
mod lemke;
mod method;
mod mixed;
mod pattern;
mod polish;
mod scaled;
mod singular;
mod skew;

pub use active_set::ActiveSet;
pub use automatic::{Automatic, AutomaticWorkspace};
pub use enumeration::Enumeration;
pub use gauss_seidel::GaussSeidel;
pub use interior_point::InteriorPoint;
pub use lemke::Lemke;
pub(crate) use method::{Core, Run};
pub use method::{Method, Outcome, Point, Workspace};
pub use mixed::{solve_mixed, solve_mixed_within};
