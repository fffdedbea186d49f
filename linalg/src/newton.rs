//! Newton iteration.

mod rate;

pub use rate::{Rate, RateMonitor};
