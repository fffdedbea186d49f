//! Skew-dominant matrices, by the default solver and by interior points.

use crate::support::checked;
use crate::support::families;
use checked::{distance, solved};
use families::{Numbers, definite_skew, planted};
use fourbar_contact::{
    problem::Lcp,
    solution::MethodName,
    solver::{InteriorPoint, Method},
};
use nalgebra::{DMatrix, DVector};

/// A skew-dominant matrix is left to interior points, not to principal pivots.
#[test]
fn skew_dominant_matrices_are_left_to_interior_points() {
    let mut numbers = Numbers(41);
    let m = definite_skew(&mut numbers, 400, 10.0);
    let (lcp, z) = planted(&mut numbers, m, false);
    let solution = solved("skew", &lcp);
    assert!(distance(&solution.z, &z) <= 1e-8);
    assert_eq!((solution.attempts.count, solution.attempts.last().unwrap().method), (1, MethodName::InteriorPoint));
}

/// Where the skew part is a hundred times as large as the diagonal, or there is no diagonal, interior points are all that is asked.
#[test]
fn nearly_skew_matrices_are_left_to_interior_points() {
    let mut numbers = Numbers(43);
    for n in [24, 90, 300] {
        let whirling = definite_skew(&mut numbers, n, 100.0 * (n as f64).sqrt());
        let k = numbers.matrix(n, n);
        let skew = |diagonal: &dyn Fn(usize) -> f64| {
            &k - k.transpose() + DMatrix::from_diagonal(&DVector::from_fn(n, |i, _| diagonal(i)))
        };
        let some = |i: usize| if i.is_multiple_of(3) { 0.05 } else { 0.0 };
        let mut program = DMatrix::zeros(n, n);
        let rows = numbers.matrix(n - n / 3, n / 3);
        program.view_mut((n / 3, 0), (n - n / 3, n / 3)).copy_from(&rows);
        program.view_mut((0, n / 3), (n / 3, n - n / 3)).copy_from(&-rows.transpose());
        let families = [
            ("whirling", whirling, 25),
            ("pure", skew(&|_| 0.0), 15),
            ("tiny diagonal", skew(&|_| 5e-10), 15),
            ("some diagonal", skew(&some), 15),
            ("linear program", program, 15),
        ];
        for (name, m, steps) in families {
            let (lcp, z) = planted(&mut numbers, m, false);
            let solution = solved(name, &lcp);
            let methods: Vec<_> = solution.attempts.iter().map(|attempt| attempt.method).collect();
            assert_eq!(methods, [MethodName::InteriorPoint], "{name}, n = {n}");
            assert!(solution.iterations <= steps, "{name}, n = {n}: {} steps", solution.iterations);
            if name == "whirling" {
                assert!(distance(&solution.z, &z) <= 1e-8, "n = {n}: {:e}", distance(&solution.z, &z));
            }
        }
    }
}

/// With constants at random and hardly a diagonal, z is a million times what the size of the matrix lets expect.
#[test]
fn interior_points_reach_solutions_far_from_their_start() {
    let mut numbers = Numbers(45);
    for n in [24, 200, 400] {
        let m = definite_skew(&mut numbers, n, 1e6);
        let q = DVector::from_fn(n, |_, _| numbers.normal());
        let lcp = Lcp::new(m, q).unwrap();
        let solution = InteriorPoint::default().solve(&lcp);
        assert!(solution.solved(), "n = {n}: {} after {}", solution.status, solution.iterations);
    }
}
