//! Exact stepping of linear systems $\dot x = A x + B u(t)$, $y = C x + D u$, by transition matrices that are accurate to working precision
//! for any $A$: stiff, oscillatory, singular, defective or badly scaled.
//!
//! Between two times the solution is
//!
//! $$x_{k+1} = e^{A T} x_k + \int_0^T e^{A (T - s)} B u(t_k + s) ds$$
//!
//! If the input is interpolated by a polynomial in $s$, and the input alone, the integral is a sum of matrices known in advance: a step is
//! one matrix-vector product, stable for any step where the system is, and its error is that of the interpolated input. Method: Jiang and Chai (1995), with the corrections
//! noted in the book.
//!
//! ```
//! use fourbar_lti::{Diagram, Method, Stepper, ZerosPolesGain, integrator, simulate};
//!
//! // A stiff servo loop as a block diagram: an amplifier with poles at -50 and -1e5 1/s drives an integrating axis.
//! let pole = |re| nalgebra::Complex::new(re, 0.0);
//! let amplifier = ZerosPolesGain { zeros: vec![], poles: vec![pole(-50.0), pole(-1e5)], gain: 5e6 }.to_state_space()?;
//! let mut servo = Diagram::new();
//! let (drive, axis) = (servo.add("drive", amplifier), servo.add("axis", integrator()));
//! let reference = servo.add_input();
//! servo.feed(reference, (drive, 0), 10.0)?;
//! servo.connect((axis, 0), (drive, 0), -10.0)?;
//! servo.connect((drive, 0), (axis, 0), 1.0)?;
//! servo.add_output((axis, 0))?;
//!
//! // Steps of 5 ms, five hundred times the fastest time constant, with four-sample interpolation of the input.
//! let mut stepper = Stepper::new(&servo.to_state_space()?, 5e-3, Method::Algorithm2 { order: 3 })?;
//! let mut y = [0.0; 1000];
//! simulate(&mut stepper, |t, u| u[0] = 1.0 - (-t).exp(), &mut y)?;
//! assert!((y[999] - 1.0).abs() < 0.01);
//! # Ok::<(), fourbar_lti::Error>(())
//! ```
//!
//! Reading order: [`StateSpace`], with [`TransferFunction`], [`ZerosPolesGain`] and [`Diagram`] to make one and [`ModalForm`] to look
//! into it; [`GMatrices`], the integrals; [`Method`], the ways to continue an input between its samples; [`Discretization`], the matrices of
//! one step, with [`suggest_step`], [`DyadicSteps`] and [`DiscretizationCache`]; [`Stepper`] and [`simulate`], with [`Ensemble`] for many
//! trajectories and [`FixedStepper`] for firmware; [`SampledSystem`] for other programs; [`Response`] and [`TransferMatrix`], answers over time and
//! frequency; [`Generator`], inputs that solve an equation of their own and need no samples; [`NonlinearStepper`] for dx/dt = A x + F(t, x); [`Propagator`], with [`PolynomialKrylov`],
//! [`RationalKrylov`], [`Krylov`] (the cheaper one) and [`SparseStepper`], for large sparse A; [`Error`].
//!
//! Without the feature `std` (on by default) the crate is `no_std`, without an allocator, and holds [`FixedStepper`] alone.
#![forbid(unsafe_code)]
#![cfg_attr(not(feature = "std"), no_std)]

#[cfg(feature = "std")]
mod classical;
#[cfg(feature = "std")]
mod diagram;
#[cfg(feature = "std")]
mod discretization;
#[cfg(feature = "std")]
mod dyadic;
#[cfg(feature = "std")]
mod eigen;
#[cfg(feature = "std")]
mod ensemble;
#[cfg(feature = "std")]
mod error;
mod fixed;
#[cfg(feature = "std")]
mod frequency;
#[cfg(feature = "std")]
mod g_matrices;
#[cfg(feature = "std")]
mod generated;
#[cfg(feature = "std")]
mod interpolation;
#[cfg(feature = "std")]
mod krylov;
#[cfg(feature = "std")]
mod method;
#[cfg(feature = "std")]
mod modal;
mod mode;
#[cfg(feature = "std")]
mod nonlinear;
#[cfg(feature = "std")]
mod poles;
#[cfg(feature = "std")]
mod response;
#[cfg(feature = "std")]
mod sampled;
#[cfg(feature = "std")]
mod simulation;
#[cfg(feature = "std")]
mod state_space;
#[cfg(feature = "std")]
mod stepper;
#[cfg(feature = "std")]
mod transfer;
#[cfg(feature = "std")]
mod zeros_poles;

#[cfg(feature = "std")]
pub use diagram::{BlockId, Diagram, InputId};
#[cfg(feature = "std")]
pub use discretization::{Discretization, suggest_step};
#[cfg(feature = "std")]
pub use dyadic::{DiscretizationCache, DyadicSteps};
#[cfg(feature = "std")]
pub use ensemble::Ensemble;
#[cfg(feature = "std")]
pub use error::Error;
pub use fixed::{FixedCoefficients, FixedError, FixedStepper};
#[cfg(feature = "std")]
pub use frequency::TransferMatrix;
#[cfg(feature = "std")]
pub use g_matrices::{GMatrices, Precision, exponential_from_g0, g_by_series, g_of_double_step, lower_from_upper};
#[cfg(feature = "std")]
pub use generated::{Generator, Shape};
#[cfg(feature = "std")]
pub use krylov::{
    Krylov, KrylovEffort, KrylovOptions, KrylovSpace, LinearOperator, PolynomialKrylov, Propagator, RationalKrylov,
    SparseState, SparseStepper, particular_solution,
};
#[cfg(feature = "std")]
pub use method::Method;
#[cfg(feature = "std")]
pub use modal::ModalForm;
pub use mode::Mode;
#[cfg(feature = "std")]
pub use nonlinear::{ExponentialMethod, NonlinearState, NonlinearStepper};
#[cfg(feature = "std")]
pub use response::Response;
#[cfg(feature = "std")]
pub use sampled::{Delays, Hold, SampledSystem};
#[cfg(feature = "std")]
pub use simulation::simulate;
#[cfg(feature = "std")]
pub use state_space::StateSpace;
#[cfg(feature = "std")]
pub use stepper::{Stepper, StepperState};
#[cfg(feature = "std")]
pub use transfer::{TransferFunction, integrator, lag, summing_junction};
#[cfg(feature = "std")]
pub use zeros_poles::ZerosPolesGain;
