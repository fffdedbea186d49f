//! Large sparse A: e^{AT} x and G_i(T) f without any n x n matrix but A itself, by projection onto Krylov spaces.
//!
//! [`PolynomialKrylov`] needs products A x only; the dimension it takes grows with ||A|| T (with its root for symmetric A), so it is for
//! systems that are not stiff. [`RationalKrylov`] solves with I - gamma A instead, factored once for a step; the dimension it
//! takes does not depend on ||A|| where A is dissipative and its spectrum near the negative real axis: diffusion of any
//! fineness. [`Krylov`] takes the cheaper one. Both carry out x <- e^{AT} x + sum_j G_j(T) f_j ([`Propagator::advance`]), estimate their error, and take
//! substeps when the largest dimension does not reach the tolerance. Vectors of length n are made in the constructors (a
//! [`RationalKrylov`] also when T changes).

mod arnoldi;
mod automatic;
mod cost;
mod forcing;
mod operator;
mod particular;
mod polynomial;
mod propagator;
mod rational;
mod small;
mod stepper;

pub use automatic::{Krylov, KrylovSpace};
pub use operator::LinearOperator;
pub use particular::particular_solution;
pub use polynomial::PolynomialKrylov;
pub use propagator::{KrylovEffort, KrylovOptions, Propagator};
pub use rational::RationalKrylov;
pub use stepper::{SparseState, SparseStepper};
