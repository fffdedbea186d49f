//! Numbers for machines: sparse LU with a static order, rank detection, saddle-point solves, Newton iteration.
//!
//! The matrices of a simulated mechanism have one pattern for a whole run and new values at each new step: [`Calahan`]
//! chooses the order of elimination once and then replays it as a flat stream. [`Harwell`] searches pivots afresh, which
//! also finds out which constraint rows depend on others. [`Kkt`] solves for motions under constraints, and [`newton`]
//! holds the iteration that all of it serves. [`checkpoint`] writes checkpoints as bytes, [`text`] numbers in messages, and [`unit`](mod@unit) reads units,
//! for all crates above.
//!
//! ```
//! use fourbar_linalg::{Calahan, CalahanOptions, CscMatrix};
//! use nalgebra_sparse::CooMatrix;
//!
//! let mut entries = CooMatrix::new(2, 2);
//! for (row, column, value) in [(0, 0, 4.0), (0, 1, 1.0), (1, 0, 2.0), (1, 1, 3.0)] {
//!     entries.push(row, column, value);
//! }
//! let matrix = CscMatrix::from(&entries);
//! let mut lu = Calahan::new(matrix.pattern(), matrix.values(), &CalahanOptions::default())?;
//! let mut x = [6.0, 8.0];
//! lu.solve(&mut x);
//! assert!((x[0] - 1.0).abs() < 1e-15 && (x[1] - 2.0).abs() < 1e-15);
//!
//! lu.refactor(&[2.0, 0.0, 0.0, 2.0])?; // new values, same order
//! lu.solve(&mut x);
//! assert_eq!(x, [0.5, 1.0]);
//! # Ok::<(), fourbar_linalg::Error>(())
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | A, L, U | square matrix and its factors, A = L U after permutation of rows and columns |
//! | u | threshold of pivoting: smallest admissible pivot relative to its line |
//! | M, Phi | mass matrix (n x n) and constraint Jacobian (m x n), M x + Phi^T y = top, Phi x = bottom |
//!
//! Matrices are nalgebra-sparse's: indices sorted, no entry twice. Structure is fixed at construction, values come as slices in
//! the order of the pattern. No call panics on data. [`Calahan`] and [`Kkt`] allocate nothing when they refactor along the stream and
//! solve, nor does a Newton iteration; constructors, fresh pivoting and [`Harwell`] do.
//!
//! Reading order: [`Error`], [`Interrupt`]; `scaling`, `markowitz`, `column_lu`, `fill` and `ordering` (how an order is found and what it
//! costs); `stream` (how it is replayed); [`Calahan`], [`Harwell`], [`Kkt`]; [`newton`]; [`phi`] (functions of a dense matrix);
//! [`SingularValues`], [`symmetric_eigen`], [`Schur`] of dense matrices; [`strong_components`] and [`balancing_units`], [`invariant_units`] of a square matrix; [`checkpoint`]; [`text`]; [`unit`](mod@unit).

#![forbid(unsafe_code)]

mod balance;
mod calahan;
pub mod checkpoint;
mod column_lu;
mod components;
mod error;
mod fill;
mod harwell;
mod interrupt;
mod kkt;
mod markowitz;
pub mod newton;
mod ordering;
pub mod phi;
mod scaling;
mod schur;
mod singular;
mod stream;
mod symmetric;
pub mod text;
pub mod unit;

pub use balance::{balancing_units, invariant_units, times_two_to};
pub use calahan::{Calahan, CalahanOptions, CalahanStatistics, Refactored, RepivotCause, Solved};
pub use components::{StrongComponents, strong_components};
pub use error::Error;
pub use harwell::{Conflict, DependentRow, Harwell, HarwellFactors, Partition, RankOptions, RankReport};
pub use interrupt::Interrupt;
pub use kkt::Kkt;
pub use nalgebra_sparse::{CscMatrix, CsrMatrix, pattern::SparsityPattern};
pub use ordering::{Ordering, SymmetricFill};
pub use scaling::equilibrating_powers;
pub use schur::{Schur, eigenvalues};
pub use singular::SingularValues;
pub use symmetric::{large_symmetric_eigen, symmetric_eigen};
