//! `Harwell`: LU with Markowitz threshold pivoting on the values at hand, and the rank of constraint Jacobians.
//!
//! Named after the Harwell subroutines (MA28) that Adams offers beside Calahan.

mod factors;
mod partition;
mod rank;

pub use factors::{Harwell, HarwellFactors};
pub use partition::Partition;
pub use rank::{Conflict, DependentRow, RankOptions, RankReport};
