//! The orders of the formulas of Gear.

/// Highest order at which the formulas are zero-stable.
pub const ORDER_MAX: usize = 6;
