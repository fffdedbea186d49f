//! `Calahan`: agreement with dense algebra, behaviour of frozen pivots on moved mechanisms, errors.

use crate::support;

use fourbar_linalg::{Calahan, CalahanOptions, CscMatrix, Error, Ordering, Refactored, RepivotCause, SparsityPattern};
use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering as AtomicOrdering};
use support::{Random, condition, machine::Machine, random_matrix, random_vector};

fn calahan(matrix: &CscMatrix<f64>) -> Result<Calahan, Error> {
    Calahan::new(matrix.pattern(), matrix.values(), &CalahanOptions::default())
}

fn dense(rows: &[&[f64]]) -> CscMatrix<f64> {
    CscMatrix::from(&DMatrix::from_fn(rows.len(), rows.len(), |i, j| rows[i][j]))
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: proptest::test_runner::RngSeed::Fixed(17), failure_persistence: None, ..Default::default() })]

    /// |x - x0| <= 10 n eps kappa |x0| for the values pivoted on.
    #[test]
    fn error_is_bounded_by_the_condition(n in 1..30usize, density in 0.0..1.0, seed in any::<u64>()) {
        let mut random = Random(seed);
        let matrix = random_matrix(n, density, &mut random);
        let x0 = random_vector(n, &mut random);
        let mut x = &matrix * &x0;
        calahan(&CscMatrix::from(&matrix))?.solve(x.as_mut_slice());
        let limit = 10.0 * n as f64 * f64::EPSILON * condition(&matrix) * x0.norm();
        prop_assert!((&x - &x0).norm() <= limit, "{:e} > {limit:e}", (&x - &x0).norm());
    }

    /// Other values on the same stream: the error is what the backward error omega says,
    /// |x - x0| <= omega | |A^-1| (|A| |x| + |b|) | <= 2 n omega kappa |x|.
    #[test]
    fn moved_values_are_solved_as_well_as_told(n in 1..30usize, density in 0.0..1.0, seed in any::<u64>()) {
        let mut random = Random(seed);
        let first = random_matrix(n, density, &mut random);
        let mut lu = calahan(&CscMatrix::from(&first))?;
        let matrix = first.map(|v| v * (1.0 + 0.3 * random.signed()));
        let sparse = CscMatrix::from(&matrix);
        let x0 = random_vector(n, &mut random);
        let (b, mut x) = (&matrix * &x0, DVector::zeros(n));
        let _ = lu.refactor(sparse.values())?;
        let solved = lu.solve_checked(sparse.values(), b.as_slice(), x.as_mut_slice())?;
        prop_assert!(solved.backward_error <= 1e-10, "{solved:?}");
        let omega = solved.backward_error + n as f64 * f64::EPSILON;
        let limit = 2.0 * n as f64 * omega * condition(&matrix) * x.norm().max(x0.norm());
        prop_assert!((&x - &x0).norm() <= limit, "{:e} > {limit:e}", (&x - &x0).norm());
    }

    /// Triangular matrices in disguise are solved by substitution: no multiply-add in the factorization.
    #[test]
    fn permuted_triangular_matrices_cost_nothing(n in 1..40usize, density in 0.0..1.0, seed in any::<u64>()) {
        let mut random = Random(seed);
        let hidden = random_matrix(n, density, &mut random).lower_triangle();
        let triangle = DMatrix::from_fn(n, n, |i, j| if i == j { 1.5 } else { hidden[(i, j)] });
        let mut rows: Vec<usize> = (0..n).collect();
        let mut columns = rows.clone();
        for i in (1..n).rev() {
            rows.swap(i, support::index(i + 1, &mut random));
            columns.swap(i, support::index(i + 1, &mut random));
        }
        let matrix = DMatrix::from_fn(n, n, |i, j| triangle[(rows[i], columns[j])]);
        let mut lu = calahan(&CscMatrix::from(&matrix))?;
        prop_assert_eq!(lu.multiply_adds(), 0);
        let x0 = random_vector(n, &mut random);
        let mut x = &matrix * &x0;
        lu.solve(x.as_mut_slice());
        let limit = 10.0 * n as f64 * f64::EPSILON * condition(&matrix) * x0.norm();
        prop_assert!((&x - &x0).norm() <= limit);
    }

    /// Units do not matter: rows and columns scaled by powers of two up to 2^+-20, then up to 2^+-498 (entries 1e-300 .. 1e300).
    #[test]
    fn units_do_not_matter(n in 1..25usize, density in 0.0..1.0, seed in any::<u64>(), extreme in any::<bool>()) {
        let mut random = Random(seed);
        let matrix = random_matrix(n, density, &mut random);
        let range = if extreme { 498.0 } else { 20.0 };
        let powers = |random: &mut Random| DVector::from_fn(n, |_, _| 2f64.powi((range * random.signed()) as i32));
        let (r, c) = (powers(&mut random), powers(&mut random));
        let b0 = &matrix * random_vector(n, &mut random);
        let scaled = CscMatrix::from(&DMatrix::from_fn(n, n, |i, j| matrix[(i, j)] * (r[i] * c[j])));
        let (b, mut x) = (b0.component_mul(&r), DVector::zeros(n));
        let solved = calahan(&scaled)?.solve_checked(scaled.values(), b.as_slice(), x.as_mut_slice())?;
        // the backward error in the units of the matrix that was scaled
        let x = x.component_mul(&c);
        let residual = (&b0 - &matrix * &x).abs();
        let error = residual.component_div(&(matrix.abs() * x.abs() + b0.abs())).max();
        prop_assert!(error <= 1e-10, "{error:e} {solved:?}");
        if !extreme {
            prop_assert!(error <= 2.0 * solved.backward_error + n as f64 * f64::EPSILON, "{error:e} {solved:?}");
        }
    }

    /// A matrix with a dependent row is refused whatever its pattern and units, and the error says where.
    #[test]
    fn singular_matrices_are_refused(n in 2..25usize, density in 0.0..1.0, seed in any::<u64>()) {
        let mut random = Random(seed);
        let mut matrix = random_matrix(n, density, &mut random);
        let [a, b] = [support::index(n, &mut random), support::index(n, &mut random)];
        let row = if a == b { matrix.row(a) * 0.0 } else { matrix.row(b) * 1024.0 };
        matrix.set_row(a, &row);
        match calahan(&CscMatrix::from(&matrix)) {
            Err(Error::Singular { row, column, pivot, dimension }) => {
                prop_assert!(row < n && column < n && pivot < 1e-13 && dimension == n);
            }
            other => prop_assert!(false, "{:?}", other.map(|lu| lu.multiply_adds())),
        }
    }
}

/// Bodies moved by up to 3 rad from the configuration whose pivots are frozen.
#[test]
fn frozen_pivots_serve_moved_mechanisms() {
    for machine in [Machine::chain(10, 1), Machine::ladder(5, 2), Machine::ladder(16, 3)] {
        let start = machine.matrix(0.0, 0);
        let mut streams = 0;
        for seed in 0..20 {
            let moved = machine.matrix(3.0, 1 + seed);
            let mut lu = calahan(&start).unwrap();
            let b = random_vector(machine.order(), &mut Random(seed));
            let mut x = vec![0.0; machine.order()];
            streams += usize::from(lu.refactor(moved.values()).unwrap() == Refactored::Stream);
            let solved = lu.solve_checked(moved.values(), b.as_slice(), &mut x).unwrap();
            assert!(solved.backward_error <= 1e-8, "{solved:?}");
        }
        assert!(streams >= 15, "fresh pivots in {} of 20 cases", 20 - streams);
    }
}

/// Every order of elimination gives the same solution, and the cheapest depends on the mechanism.
#[test]
fn the_cheapest_order_depends_on_the_mechanism() {
    let ordering = |machine: Machine| calahan(&machine.matrix(0.0, 0)).unwrap().statistics().ordering;
    assert_eq!(ordering(Machine::chain(10, 1)), Ordering::Markowitz);
    assert_ne!(ordering(Machine::ladder(60, 1)), Ordering::Markowitz);
}

/// A rotation by a quarter turn takes the pivot to zero: the pivot test sees it.
#[test]
fn the_transposed_system_is_solved_with_the_same_factors() {
    let rows: [&[f64]; 4] =
        [&[0.0, 2.0, 0.0, 1.0], &[3.0, 0.0, -1.0, 0.0], &[0.5, 4.0, 0.0, 0.0], &[0.0, 0.0, 2.0, 5.0]];
    let matrix = dense(&rows);
    let mut factors = calahan(&matrix).unwrap();
    let x = [1.0, -2.0, 0.5, 3.0];
    let mut b: Vec<f64> = (0..4).map(|j| (0..4).map(|i| rows[i][j] * x[i]).sum()).collect();
    factors.solve_transposed(&mut b);
    assert!(b.iter().zip(x).all(|(found, x)| (found - x).abs() < 1e-14), "{b:?}");
}

#[test]
fn a_vanishing_pivot_is_replaced() {
    let rotation = |angle: f64| {
        let (s, c) = angle.sin_cos();
        dense(&[&[c, -s], &[s, c]])
    };
    let start = rotation(0.05); // 0.05 < 0.1 cos 0.05: the diagonal is the only choice
    let mut lu = calahan(&start).unwrap();
    let quarter = rotation(std::f64::consts::FRAC_PI_2);
    assert_eq!(lu.refactor(quarter.values()).unwrap(), Refactored::FreshPivots(RepivotCause::SmallPivot));
    let mut x = [1.0, 2.0];
    lu.solve(&mut x);
    assert!((x[0] - 2.0).abs() < 1e-15 && (x[1] + 1.0).abs() < 1e-15);
    assert_eq!(lu.statistics().fresh_for_pivot, 1);
    assert_eq!(lu.refactor(quarter.values()).unwrap(), Refactored::Stream);
}

/// With the pivot test switched off the residual test still finds and repairs an aged pivot.
#[test]
fn a_bad_solution_is_repaired() {
    let options = CalahanOptions { pivot_floor: 0.0, ..Default::default() };
    let start = dense(&[&[1.0, 0.01, 0.01], &[0.01, 1.0, 0.01], &[0.01, 0.01, 1.0]]);
    let mut lu = Calahan::new(start.pattern(), start.values(), &options).unwrap();
    // Whichever diagonal entry is the first pivot, what it leaves is round-off.
    let regular = dense(&[&[1e-18, 1.0, 0.7], &[1.0, 1e-18, 0.2], &[0.3, 0.1, 1e-18]]);
    assert_eq!(lu.refactor(regular.values()).unwrap(), Refactored::Stream);
    let (b, mut x) = ([1.7, 1.2, 0.4], [0.0; 3]);
    let solved = lu.solve_checked(regular.values(), &b, &mut x).unwrap();
    assert!(solved.fresh_pivoting && solved.backward_error < 1e-15, "{solved:?}");
    assert!(x.iter().all(|x| (x - 1.0).abs() < 1e-14), "{x:?}");
    assert_eq!(lu.statistics().fresh_for_residual, 1);
    // the same values again: the fresh pivots are good for them
    let _ = lu.refactor(regular.values()).unwrap();
    assert!(!lu.solve_checked(regular.values(), &b, &mut x).unwrap().fresh_pivoting);
}

/// Refinement alone repairs a pivot that cost half the digits.
#[test]
fn one_refinement_restores_lost_digits() {
    let options = CalahanOptions { pivot_floor: 0.0, ..Default::default() };
    let start = dense(&[&[1.0, 0.01], &[0.01, 1.0]]);
    let mut lu = Calahan::new(start.pattern(), start.values(), &options).unwrap();
    let aged = dense(&[&[1e-8, 1.0], &[1.0, 1e-8]]);
    let _ = lu.refactor(aged.values()).unwrap();
    let mut x = [0.0; 2];
    let solved = lu.solve_checked(aged.values(), &[1.0 / 3.0, 1.0], &mut x).unwrap();
    assert!(solved.refined && !solved.fresh_pivoting && solved.backward_error < 1e-14, "{solved:?}");
}

#[test]
fn empty_and_tiny_matrices() {
    let empty = CscMatrix::<f64>::zeros(0, 0);
    let mut lu = calahan(&empty).unwrap();
    lu.solve(&mut []);
    assert_eq!(lu.solve_checked(&[], &[], &mut []).unwrap().backward_error, 0.0);
    let one = dense(&[&[4.0]]);
    let mut x = [2.0];
    calahan(&one).unwrap().solve(&mut x);
    assert_eq!(x, [0.5]);
    let zero = CscMatrix::<f64>::zeros(1, 1);
    assert!(matches!(calahan(&zero), Err(Error::Singular { row: 0, column: 0, .. })));
    let stored_zero = CscMatrix::try_from_csc_data(1, 1, vec![0, 1], vec![0], vec![0.0]).unwrap();
    assert!(matches!(calahan(&stored_zero), Err(Error::Singular { row: 0, column: 0, .. })));
}

/// The choice of pivots ends when it is interrupted, at the start and on the way.
#[test]
fn the_choice_of_pivots_can_be_interrupted() {
    let flag = Arc::new(AtomicBool::new(false));
    let options = CalahanOptions { interrupt: Arc::clone(&flag).into(), ..CalahanOptions::default() };
    let matrix = CscMatrix::identity(3);
    let mut factors = Calahan::new(matrix.pattern(), matrix.values(), &options).unwrap();
    flag.store(true, AtomicOrdering::Relaxed);
    let interrupted = Calahan::new(matrix.pattern(), matrix.values(), &options);
    assert!(matches!(interrupted, Err(Error::Interrupted)));
    // Along the frozen order nothing is searched; a pivot of zero asks for a search.
    assert!(factors.refactor(&[1.0, 2.0, 3.0]).is_ok());
    assert!(matches!(factors.refactor(&[1.0, 0.0, 3.0]), Err(Error::Interrupted | Error::Singular { .. })));
}

#[test]
fn bad_arguments_are_named() {
    let good = dense(&[&[2.0, 1.0], &[1.0, 3.0]]);
    let (pattern, options) = (good.pattern(), CalahanOptions::default());
    let nan = Calahan::new(pattern, &[2.0, f64::NAN, 1.0, 3.0], &options).unwrap_err();
    assert!(matches!(nan, Error::NotFinite { row: 1, column: 0, .. }), "{nan}");
    assert!(matches!(Calahan::new(pattern, &[2.0], &options), Err(Error::Length { found: 1, expected: 4, .. })));
    let wide = SparsityPattern::zeros(3, 2);
    assert!(matches!(Calahan::new(&wide, &[], &options), Err(Error::NotSquare { rows: 2, columns: 3 })));
    for pivot_tolerance in [0.0, 1.5, f64::NAN] {
        let bad = CalahanOptions { pivot_tolerance, ..options.clone() };
        let error = Calahan::new(pattern, good.values(), &bad).unwrap_err();
        assert!(matches!(error, Error::Option { name: "pivot_tolerance", .. }), "{error}");
    }

    let mut lu = calahan(&good).unwrap();
    let infinite = lu.refactor(&[2.0, 1.0, f64::INFINITY, 3.0]).unwrap_err();
    assert!(matches!(infinite, Error::NotFinite { row: 0, column: 1, .. }), "{infinite}");
    assert!(matches!(lu.refactor(&[1.0; 4]), Err(Error::Singular { .. })));
    assert!(lu.refactor(good.values()).is_ok(), "a regular matrix brings the object back");
    let mut x = [0.0; 2];
    let nan = lu.solve_checked(good.values(), &[1.0, f64::NAN], &mut x).unwrap_err();
    assert!(matches!(nan, Error::NotFiniteVector { index: 1, .. }), "{nan}");
    assert!(matches!(lu.solve_checked(good.values(), &[1.0], &mut x), Err(Error::Length { .. })));
}

/// Ordering 20,000 unknowns costs a fraction of a second, of a 1000-body chain as of a 1000-body ladder.
#[test]
fn large_mechanisms_are_ordered_quickly() {
    for machine in [Machine::chain(1000, 1), Machine::ladder(333, 1)] {
        let matrix = machine.matrix(0.0, 0);
        let mut lu = calahan(&matrix).unwrap();
        // a chain's cost is linear in its bodies; counted, not timed
        assert!(lu.multiply_adds() < 200 * machine.order(), "{}", lu.multiply_adds());
        let b = random_vector(machine.order(), &mut Random(1));
        let mut x = vec![0.0; machine.order()];
        assert!(lu.solve_checked(matrix.values(), b.as_slice(), &mut x).unwrap().backward_error <= 1e-10);
    }
}

/// A ring whose pivots, a seventh of their line, are admissible at 0.1: each multiplies the entries left by seven. Stricter pivots must be
/// found, not singularity reported.
#[test]
fn rings_do_not_grow() {
    for n in [24, 200, 10_000] {
        for g in [0.12, 0.15, 0.225, 0.5, 1.0, 5.0] {
            for neighbours in [1, 2] {
                let mut entries = nalgebra_sparse::CooMatrix::new(n, n);
                for i in 0..n {
                    entries.push(i, i, 1.0 + g * neighbours as f64);
                    entries.push(i, (i + 1) % n, -g);
                    if neighbours == 2 {
                        entries.push(i, (i + n - 1) % n, -g);
                    }
                }
                let ring = CscMatrix::from(&entries);
                let mut x: Vec<f64> = (0..n).map(|i| f64::from(u8::from(i == 0))).collect();
                calahan(&ring).unwrap().solve(&mut x);
                let residual =
                    (&ring * &DVector::from_vec(x)) - DVector::from_fn(n, |i, _| f64::from(u8::from(i == 0)));
                assert!(residual.amax() < 1e-10, "n = {n}, g = {g}, {neighbours}: {:e}", residual.amax());
            }
        }
    }
}
