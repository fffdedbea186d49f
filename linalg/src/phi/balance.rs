//! Units in which a matrix is as small as its cycles allow: D^-1 Z D with powers of two in D.
//!
//! Products of matrices are the same in any units, bit for bit, and so are all functions of them. What depends on units is what looks
//! at sizes: how far to scale down, when e^Z has decayed, and the range of f64. Entries on no cycle (states that drive others and do not
//! hear from them) may become as small as one likes; they are brought down to the largest entry of the diagonal, or to 1. Balancing begins
//! at the units of least squares, so that no entry is lost below the range.

use nalgebra::DMatrix;

use crate::balance::{Entries, log2_of, rounded};
use crate::components::strong_components;

/// Logarithms of a diagonal D.
#[derive(Debug, Clone, Default)]
pub(super) struct Balance {
    /// log2 of D; empty for D = I.
    pub(super) units: Vec<i32>,
    /// How often to halve beyond what the norm asks for, so that paths through several components are resolved however large their
    /// couplings were: the terms of a short series hold few couplings in a row.
    pub(super) halvings: i32,
}

/// Units for Z = `factor` `a`; D = I where no entry outside the diagonal is larger than those on it, and than 1.
pub(super) fn balance(a: &DMatrix<f64>, factor: f64) -> Balance {
    let n = a.nrows();
    if factor == 0.0 {
        return Balance::default();
    }
    let shift = factor.abs().log2();
    let log = |i: usize, j: usize| log2_of(a[(i, j)]) + shift;
    // Smaller entries need no smaller units: at norm 1 the series is at its shortest.
    let floor = (0..n).map(|i| log(i, i)).fold(0.0, f64::max);
    if (0..n * n).all(|at| at % (n + 1) == 0 || log(at % n, at / n) <= floor) {
        return Balance::default();
    }
    let entries = Entries::new(a, shift);
    let mut units = entries.least_squares();
    entries.settle(&mut units, floor, entries.sweeps());
    let units = rounded(&units);
    if units.iter().all(|unit| *unit == units[0]) {
        return Balance::default();
    }
    Balance { halvings: halvings(&entries, floor), units }
}

/// log2 of the number of strong components where couplings between them are above the floor.
fn halvings(entries: &Entries, floor: f64) -> i32 {
    let successors: Vec<Vec<usize>> = entries.rows.iter().map(|row| row.iter().map(|(j, _)| *j).collect()).collect();
    let components = strong_components(&successors);
    let mut component_of = vec![0; successors.len()];
    for (k, component) in components.iter().enumerate() {
        component.iter().for_each(|i| component_of[*i] = k);
    }
    let couples = |(i, row): (usize, &Vec<(usize, f64)>)| {
        row.iter().any(|(j, size)| *size > floor && component_of[i] != component_of[*j])
    };
    if entries.rows.iter().enumerate().any(couples) { (components.len() as f64).log2().ceil() as i32 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::dmatrix;

    #[test]
    fn couplings_in_one_direction_come_down_to_the_diagonal() {
        let coupled = dmatrix![-50.0, 1e300, 0.0; 0.0, -7.0, 1e200; 0.0, 0.0, 1.0];
        let Balance { units, halvings } = balance(&coupled, 1.0);
        let balanced = DMatrix::from_fn(3, 3, |i, j| coupled[(i, j)] * 2f64.powi(units[j] - units[i]));
        assert!(balanced.amax() <= 100.0, "{balanced}");
        assert_eq!(halvings, 2);
    }

    #[test]
    fn ordinary_matrices_keep_their_units() {
        for a in [dmatrix![-1.0, 1e-300; 1e-5, -2.0], dmatrix![-1e9, 3.0; 4e8, 0.0], DMatrix::zeros(3, 3)] {
            assert!(balance(&a, 1.0).units.is_empty(), "{a}");
        }
        assert!(balance(&dmatrix![0.0, 1e9; -1e9, 0.0], 1.0).units.is_empty());
        assert!(balance(&dmatrix![0.0, 1e9; 1.0, 0.0], 1e-9).units.is_empty());
    }
}
