//! Exact stepping of linear systems dx/dt = A x + B u(t).
#![forbid(unsafe_code)]
#![cfg_attr(not(feature = "std"), no_std)]

#[cfg(feature = "std")]
mod error;
#[cfg(feature = "std")]
mod g_matrices;

#[cfg(feature = "std")]
pub use error::Error;
#[cfg(feature = "std")]
pub use g_matrices::{GMatrices, Precision, exponential_from_g0, g_by_series, g_of_double_step, lower_from_upper};
