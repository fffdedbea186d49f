//! Vectors in groups of four numbers, so that one loop body is a few vector instructions and nothing is left over at the end.

use super::copying::clone_in_place;

/// Numbers per group.
const LANES: usize = 4;

/// A group.
pub(super) type Lane = [f64; LANES];

/// A vector of n numbers, padded with zeros to whole groups.
#[derive(Debug)]
pub(super) struct Vector {
    n: usize,
    pub(super) lanes: Vec<Lane>,
}

clone_in_place!(Vector { n, lanes });
fourbar_linalg::stored!(struct Vector { lanes });

impl Vector {
    pub(super) fn zeros(n: usize) -> Self {
        Self { n, lanes: vec![[0.0; LANES]; n.div_ceil(LANES)] }
    }

    /// Copy of `values`, padded with `padding`.
    pub(super) fn padded(values: &[f64], padding: f64) -> Self {
        let mut vector = Self { n: values.len(), lanes: vec![[padding; LANES]; values.len().div_ceil(LANES)] };
        vector.as_mut_slice().copy_from_slice(values);
        vector
    }

    pub(super) fn as_slice(&self) -> &[f64] {
        &self.lanes.as_flattened()[..self.n]
    }

    pub(super) fn as_mut_slice(&mut self) -> &mut [f64] {
        &mut self.lanes.as_flattened_mut()[..self.n]
    }
}

/// Groups needed for n numbers.
pub(super) fn lanes_for(n: usize) -> usize {
    n.div_ceil(LANES)
}

/// max_i |a_i w_i| of finite numbers.
pub(super) fn largest(a: &[Lane], w: &[Lane]) -> f64 {
    let mut max = Lane::default();
    for (a, w) in a.iter().zip(w) {
        for l in 0..LANES {
            max[l] = larger(max[l], (a[l] * w[l]).abs());
        }
    }
    fold(max)
}

/// max_i |(a_i - factor b_i) w_i| of finite numbers.
pub(super) fn largest_difference(a: &[Lane], factor: f64, b: &[Lane], w: &[Lane]) -> f64 {
    let mut max = Lane::default();
    for ((a, b), w) in a.iter().zip(b).zip(w) {
        for l in 0..LANES {
            max[l] = larger(max[l], ((a[l] - factor * b[l]) * w[l]).abs());
        }
    }
    fold(max)
}

/// The larger of two numbers in the form that is one machine instruction. (`f64::max` has to treat NaN.)
pub(super) fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// Largest entry of a group.
pub(super) fn fold(group: Lane) -> f64 {
    group.into_iter().fold(0.0, larger)
}

impl Vector {
    /// Index of the first entry that is a NaN or infinite. One cheap pass if there is none.
    pub(super) fn first_not_finite(&self) -> Option<usize> {
        let mut zero = Lane::default();
        for x in &self.lanes {
            for l in 0..LANES {
                zero[l] += x[l] * 0.0;
            }
        }
        let sum: f64 = zero.iter().sum();
        if sum == 0.0 { None } else { self.as_slice().iter().position(|x| !x.is_finite()) }
    }
}
