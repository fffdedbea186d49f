//! Matrices like those of a simulated mechanism, and what tests and benches share.
#![allow(dead_code, unreachable_pub, reason = "each test and bench uses a part")]

pub mod machine;

use nalgebra::{DMatrix, DVector};

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

/// A sparse n x n matrix: random entries of the given density, and larger ones that make it regular for almost every seed.
pub fn random_matrix(n: usize, density: f64, random: &mut Random) -> DMatrix<f64> {
    let mut place: Vec<usize> = (0..n).collect();
    (1..n).rev().for_each(|i| place.swap(i, index(i + 1, random)));
    DMatrix::from_fn(n, n, |i, j| {
        let value = random.signed();
        let chosen = (random.signed() + 1.0) / 2.0 < density;
        if place[i] == j { value.signum() + value } else { f64::from(chosen) * value }
    })
}

/// A random index below n.
pub fn index(n: usize, random: &mut Random) -> usize {
    (((random.signed() + 1.0) / 2.0 * n as f64) as usize).min(n - 1)
}

/// Random vector.
pub fn random_vector(n: usize, random: &mut Random) -> DVector<f64> {
    DVector::from_fn(n, |_, _| random.signed())
}

/// Ratio of the largest to the smallest singular value.
pub fn condition(matrix: &DMatrix<f64>) -> f64 {
    let values = matrix.singular_values();
    values.max() / values.min()
}
