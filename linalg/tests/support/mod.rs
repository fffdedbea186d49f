//! Matrices like those of a simulated mechanism, and what tests and benches share.
#![allow(dead_code, reason = "each test and bench uses a part")]

pub mod machine;

/// A small deterministic generator (splitmix64; Steele, Lea, Flood, OOPSLA 2014).
#[derive(Clone)]
pub struct Random(pub u64);

impl Random {
    /// Uniform in [-1, 1).
    pub fn signed(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) as f64 / 2f64.powi(63) - 1.0
    }
}
