//! Families of problems, large and small, by the default solver: contact stacks, random matrices of the usual classes, games, exponential
//! families, obstacles, friction. Everything it calls solved is measured again here, unscaled.

use crate::support::checked;
use crate::support::families;
use checked::{distance, solved};
use families::{
    Numbers, badly_scaled, bimatrix, definite_skew, dominant, fathi, hidden_triangular, kostreva_blocks, murty_lcp,
    obstacle, planted, semidefinite, semidefinite_skew, stack, stewart_trinkle, symmetric_definite,
};
use fourbar_contact::{
    problem::Lcp,
    solution::{MethodName, Solution, Status},
    solver::{ActiveSet, Automatic, AutomaticWorkspace, GaussSeidel, InteriorPoint, Lemke, Method, Workspace},
};
use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;

#[test]
fn p_matrices_of_all_sizes_give_the_planted_solution() {
    let mut numbers = Numbers(1);
    for n in [1, 2, 5, 13, 40, 120, 300] {
        for degenerate in [false, true] {
            let matrices = [
                symmetric_definite(&mut numbers, n),
                definite_skew(&mut numbers, n, 1.0),
                definite_skew(&mut numbers, n, 10.0),
                dominant(&mut numbers, n),
                kostreva_blocks(&mut numbers, n),
            ];
            for (k, m) in matrices.into_iter().enumerate() {
                let (lcp, z) = planted(&mut numbers, m, degenerate);
                let solution = solved("P", &lcp);
                assert!(distance(&solution.z, &z) <= 1e-8, "matrix {k}, n = {n}: {:e}", distance(&solution.z, &z));
            }
        }
    }
}

#[test]
fn triangular_p_matrices_are_solved() {
    let mut numbers = Numbers(2);
    for n in [3, 10, 30, 60, 300] {
        let m = hidden_triangular(&mut numbers, n);
        let (lcp, _) = planted(&mut numbers, m, true);
        let solution = solved("triangular", &lcp);
        if lcp.q().iter().any(|q| *q < 0.0) {
            assert!(
                solution.attempts.iter().map(|attempt| attempt.method).eq([MethodName::BlockTriangular]),
                "n = {n}"
            );
        }
    }
}

#[test]
fn problems_that_fall_apart_are_solved_block_by_block() {
    let mut numbers = Numbers(31);
    // Block triangular: each block of six hangs on one entry of the block before it. In the middle one that nobody else solves at once.
    for blocks in [2, 5, 30] {
        let n = 6 * blocks;
        let mut m = DMatrix::zeros(n, n);
        for first in (0..n).step_by(6) {
            m.view_mut((first, first), (6, 6)).copy_from(&definite_skew(&mut numbers, 6, 3.0));
            if first > 0 {
                m[(first, first - 1)] = numbers.signed();
            }
        }
        let (lcp, z) = planted(&mut numbers, m, false);
        let solution = solved("blocks", &lcp);
        assert!(solution.attempts.iter().map(|attempt| attempt.method).eq([MethodName::BlockTriangular]));
        assert!(distance(&solution.z, &z) <= 1e-8);
    }
}

#[test]
fn a_block_without_solution_proves_the_whole_infeasible_if_no_other_has_a_say_in_it() {
    let apart = Lcp::new(
        DMatrix::from_row_slice(3, 3, &[1.0, 0.0, 0.0, 0.0, 1.0, -1.0, 0.0, -1.0, 1.0]),
        DVector::from_row_slice(&[-1.0, -1.0, 0.5]),
    );
    let solution = Automatic::default().solve(&apart.unwrap());
    assert_eq!(solution.status, Status::Infeasible);
    assert_eq!(solution.certificate, [0.0, 1.0, 1.0]);
    // The first pair may be z = 0 or z = 2, but only the latter lets the second one be solved: the block that comes first takes 0.
    let fitting =
        Lcp::new(DMatrix::from_row_slice(2, 2, &[-1.0, 0.0, 1.0, 0.0]), DVector::from_row_slice(&[2.0, -1.0]));
    let solution = solved("fitting", &fitting.unwrap());
    assert_eq!(solution.z[0], 2.0);
}

#[test]
fn numbers_beyond_all_range_are_told_and_take_no_time() {
    // Each z is 200 times the sum of those before it, and one more: beyond the digits, and then past the largest number.
    for n in [20, 200, 400] {
        let m = DMatrix::from_fn(n, n, |i, j| match i.cmp(&j) {
            std::cmp::Ordering::Less => 0.0,
            std::cmp::Ordering::Equal => 1.0,
            std::cmp::Ordering::Greater => -200.0,
        });
        let q = DVector::from_element(n, -1.0);
        let solution = Automatic::default().solve(&Lcp::new(m.clone(), q.clone()).unwrap());
        assert!(!solution.solved() && !solution.residual.natural.is_nan(), "{}", solution.status);
        assert!(solution.attempts.count == 1 && solution.z.iter().all(|z| z.is_finite()), "n = {n}");
        // Nor does any method by itself come to harm.
        let lcp = Lcp::new(m, q).unwrap();
        Lemke { max_iterations: 2 * n, ..Lemke::default() }.solve(&lcp);
        InteriorPoint::default().solve(&lcp);
        ActiveSet { max_iterations: 20, ..ActiveSet::default() }.solve(&lcp);
    }
}

#[test]
fn skew_parts_of_any_size_are_solved() {
    let mut numbers = Numbers(33);
    for skew in [1.0, 30.0, 1e3, 1e5] {
        for n in [24, 100, 300] {
            let m = definite_skew(&mut numbers, n, skew);
            let q = DVector::from_fn(n, |_, _| numbers.normal());
            solved("skew", &Lcp::new(m, q).unwrap());
        }
    }
}

#[test]
fn singular_monotone_problems_are_solved() {
    let mut numbers = Numbers(3);
    for n in [3_usize, 12, 40, 150, 300] {
        for rank in [n.div_ceil(3), n * 2 / 3] {
            let matrices = [semidefinite(&mut numbers, n, rank), semidefinite_skew(&mut numbers, n, rank)];
            for m in matrices {
                solved("semidefinite", &planted(&mut numbers, m, true).0);
            }
        }
        let k = numbers.matrix(n, n);
        solved("skew", &planted(&mut numbers, &k - k.transpose(), false).0);
    }
}

#[test]
fn stacks_of_rank_two_thirds_carry_their_weight() {
    for boxes in [1, 3, 10, 100] {
        let heavy = |k: usize| if k + 1 == boxes { 1000.0 } else { 1.0 };
        for (mass, name) in [(&(|_| 1.0) as &dyn Fn(usize) -> f64, "even"), (&heavy, "heavy on light")] {
            let solution = solved(name, &stack(boxes, mass, &[-0.5, 0.0, 0.5]));
            for (k, forces) in solution.z.chunks(3).enumerate() {
                let weight = 9.81 * (k..boxes).map(mass).sum::<f64>();
                assert!(
                    (forces.iter().sum::<f64>() - weight).abs() <= 1e-8 * weight,
                    "{name}, interface {k} of {boxes}"
                );
            }
        }
    }
}

#[test]
fn exponential_families_do_not_take_exponential_time() {
    for n in [4, 10, 20, 50, 100] {
        let solution = solved("Murty", &murty_lcp(n, false));
        assert!((solution.z[0] - 1.0).abs() <= 1e-10 && solution.z[1..].iter().all(|z| z.abs() <= 1e-10));
        let solution = solved("Fathi", &fathi(n));
        assert!((solution.z[0] - 1.0).abs() <= 1e-8);
        if n <= 20 {
            solved("Murty, upper", &murty_lcp(n, true));
        }
    }
}

#[test]
fn games_obstacles_and_friction_are_solved() {
    let mut numbers = Numbers(4);
    for k in [2, 5, 15, 40] {
        for _ in 0..5 {
            solved("game", &bimatrix(&mut numbers, k, k + 1));
        }
    }
    for side in [5, 12, 17] {
        solved("obstacle", &obstacle(side));
    }
    for (contacts, bodies) in [(1, 1), (4, 1), (8, 3), (16, 16)] {
        solved("friction", &stewart_trinkle(&mut numbers, contacts, 4, bodies, 0.5));
        solved("friction", &stewart_trinkle(&mut numbers, contacts, 8, bodies, 0.9));
    }
}

#[test]
fn infeasible_problems_are_proved_so() {
    // Contacts whose normal forces cannot hold: q lies outside the range of M along y >= 0, M y = 0.
    for n in [2, 6, 30, 120] {
        let m = DMatrix::from_fn(n, n, |i, j| {
            if i == j {
                1.0
            } else if i / 2 == j / 2 {
                -1.0
            } else {
                0.0
            }
        });
        let q = DVector::from_fn(n, |i, _| if i % 2 == 0 { -1.0 } else { 0.5 });
        let lcp = Lcp::new(m, q).unwrap();
        let solution = Automatic::default().solve(&lcp);
        assert_eq!(solution.status, Status::Infeasible, "n = {n}");
        let y = DVector::from_column_slice(&solution.certificate);
        assert!(y.min() >= 0.0 && (lcp.m().transpose() * &y).max() <= 1e-9);
        assert!(y.dot(&DVector::from_column_slice(lcp.q())) < -1e-3);
    }
    // Of no class: one row of negative entries and a negative constant.
    let mut numbers = Numbers(5);
    let m = DMatrix::from_fn(20, 20, |i, _| if i == 3 { -0.1 - numbers.unit() } else { numbers.signed() });
    let q = DVector::from_fn(20, |i, _| if i == 3 { -1.0 } else { numbers.signed() });
    assert_eq!(Automatic::default().solve(&Lcp::new(m, q).unwrap()).status, Status::Infeasible);
}

#[test]
fn sweeps_claim_nothing_they_do_not_have() {
    let mut numbers = Numbers(6);
    let mut gave_up = 0;
    for n in [10, 30] {
        for skew in [0.0, 1.0, 10.0] {
            for _ in 0..10 {
                let m = definite_skew(&mut numbers, n, skew);
                let (lcp, _) = planted(&mut numbers, m, false);
                let solution = GaussSeidel { max_iterations: 300, ..GaussSeidel::default() }.solve(&lcp);
                let residual = lcp.residual(&solution.z).natural;
                assert_eq!(solution.solved(), residual <= 1e-10, "{residual:e}");
                assert_eq!(residual, solution.residual.natural);
                gave_up += usize::from(!solution.solved());
            }
        }
    }
    assert!(gave_up > 20, "sweeps diverge on strongly skew matrices, {gave_up} of 60");
}

#[test]
fn a_start_at_the_solution_costs_one_factorization() {
    let mut numbers = Numbers(7);
    let m = symmetric_definite(&mut numbers, 60);
    let (lcp, z) = planted(&mut numbers, m, false);
    let (mut workspace, mut solution) = (Workspace::default(), Solution::default());
    ActiveSet::default().solve_into(&lcp, Some(z.as_slice()), &mut workspace, &mut solution);
    assert!(solution.solved());
    assert_eq!(solution.iterations, 1);
}

#[test]
fn a_start_that_solves_is_not_lost() {
    // z = (2, 1, 2) solves it, as does (2, 0, 0); -1 and 0 on the diagonal lead paths astray.
    let m = DMatrix::from_row_slice(3, 3, &[-1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0]);
    let lcp = Lcp::new(m, DVector::from_row_slice(&[2.0, 0.0, -1.0])).unwrap();
    for start in [[2.0, 1.0, 2.0], [2.0, 0.0, 0.0]] {
        for tolerance in [1e-10, 1e-30] {
            let mut solution = Solution::default();
            let solver = Automatic { tolerance };
            solver.solve_into(&lcp, Some(&start), &mut AutomaticWorkspace::default(), &mut solution);
            assert!(solution.residual.natural <= 1e-15, "{start:?}: {} {:?}", solution.status, solution.residual);
        }
    }
    let mut numbers = Numbers(35);
    for n in [4, 17, 40] {
        let mut m = hidden_triangular(&mut numbers, n);
        for i in 0..n {
            m[(i, i)] = f64::from(i as i32 % 3 - 1);
        }
        let (lcp, z) = planted(&mut numbers, m, true);
        let mut solution = Solution::default();
        Automatic::default().solve_into(&lcp, Some(z.as_slice()), &mut AutomaticWorkspace::default(), &mut solution);
        assert!(solution.solved(), "n = {n}: {} {:?}", solution.status, solution.residual);
    }
}

#[test]
fn the_record_says_who_tried() {
    // Lemke's path of ones ends on a ray at once in a game; the active set rarely knows a way.
    let solution = Automatic::default().solve(&bimatrix(&mut Numbers(8), 15, 15));
    let methods: Vec<_> = solution.attempts.iter().map(|attempt| attempt.method).collect();
    assert_eq!(methods.first(), Some(&MethodName::ActiveSet));
    let last = solution.attempts.last().unwrap();
    assert_eq!((last.status, solution.status), (Status::Solved, Status::Solved));
    assert_eq!(solution.iterations, solution.attempts.iter().map(|attempt| attempt.iterations).sum::<usize>());
}

#[test]
fn constants_far_below_one_are_still_solved_for() {
    let lcp = Lcp::new(DMatrix::from_row_slice(2, 2, &[2.0, 1.0, 1.0, 2.0]), DVector::from_vec(vec![-5e-11, -6e-11]));
    let solution = Automatic::default().solve(&lcp.unwrap());
    assert!((solution.z[0] - 4e-11 / 3.0).abs() < 1e-24 && (solution.z[1] - 7e-11 / 3.0).abs() < 1e-24);
}

/// A small problem of one of the classes every solver for monotone problems takes.
fn monotone() -> impl Strategy<Value = (Lcp, DVector<f64>)> {
    (any::<u64>(), 1..14_usize, 0..3_usize, any::<bool>()).prop_map(|(seed, n, kind, degenerate)| {
        let mut numbers = Numbers(seed);
        let m = match kind {
            0 => symmetric_definite(&mut numbers, n),
            1 => definite_skew(&mut numbers, n, 2.0),
            _ => semidefinite(&mut numbers, n, n.div_ceil(2)),
        };
        planted(&mut numbers, m, degenerate)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// w is unique for symmetric semidefinite matrices, z for P matrices; monotone problems of no symmetry have both if they are P.
    #[test]
    fn monotone_problems_have_the_planted_w((lcp, z) in monotone()) {
        let solution = solved("monotone", &lcp);
        let w = lcp.m() * &z + DVector::from_column_slice(lcp.q());
        prop_assert!(distance(&solution.w, &w) <= 1e-8);
    }

    /// Scaling rows and columns, and the constants, scales the solution.
    #[test]
    fn scales_change_nothing((lcp, _) in monotone(), seed in any::<u64>(), decade in -6..6_i32) {
        let scaled = badly_scaled(&mut Numbers(seed), &lcp, 6.0);
        let solution = Automatic::default().solve(&scaled);
        prop_assert!(solution.solved(), "{:?}", solution.residual);
        let factor = 10f64.powi(decade);
        let q = DVector::from_column_slice(lcp.q()) * factor;
        let larger = Automatic::default().solve(&Lcp::new(lcp.m().into_owned(), q).unwrap());
        prop_assert!(larger.solved());
        let original = Automatic::default().solve(&lcp);
        let worst = original.w.iter().zip(&larger.w).fold(0.0, |worst: f64, (a, b)| worst.max((a - b / factor).abs()));
        prop_assert!(worst <= 1e-8, "{worst:e}");
    }

    /// Interior points and active set agree in w.
    #[test]
    fn two_methods_agree((lcp, _) in monotone()) {
        let (one, other) = (InteriorPoint::default().solve(&lcp), Automatic::default().solve(&lcp));
        prop_assert!(one.solved() && other.solved(), "{} {:?} {}", one.status, one.residual, one.iterations);
        prop_assert!(distance(&one.w, &DVector::from_column_slice(&other.w)) <= 1e-7);
    }
}

/// Rows in other units are other problems only on paper: each pair counts in its own row, and Solved means that each is.
#[test]
fn rows_in_other_units_keep_their_solution() {
    let m = [6.749723789202362e-9, 9.843804342521467e-9, 98438043.42521468, 222762844.4868103];
    let q = vec![-6.749723789202362e-9, 1561956.5747853282];
    let lcp = Lcp::new(DMatrix::from_row_slice(2, 2, &m), DVector::from_vec(q)).unwrap();
    let solution = Automatic::default().solve(&lcp);
    assert!(solution.solved() && (solution.z[0] - 1.0).abs() < 1e-9 && solution.z[1].abs() < 1e-9, "{:?}", solution.z);
    assert!(lcp.residual(&[0.0, 0.0]).natural > 0.1);
    let mut numbers = Numbers(31);
    for n in [2, 5, 12, 30] {
        let m = symmetric_definite(&mut numbers, n);
        let (lcp, z) = planted(&mut numbers, m, false);
        let rows = DVector::from_fn(n, |_, _| 10.0_f64.powf(16.0 * numbers.unit() - 8.0));
        let m = DMatrix::from_fn(n, n, |i, j| rows[i] * lcp.m()[(i, j)]);
        let scaled = Lcp::new(m, DVector::from_fn(n, |i, _| rows[i] * lcp.q()[i])).unwrap();
        let solution = Automatic::default().solve(&scaled);
        assert!(solution.solved(), "{n}: {:?} {:?}", solution.residual, solution.attempts);
        assert!(distance(&solution.z, &z) < 1e-6, "{n}: {:e}", distance(&solution.z, &z));
    }
}

/// A problem is as infeasible in small numbers as in large ones; z large enough to swallow the constants answers nothing.
#[test]
fn small_constants_and_large_answers_hide_nothing() {
    for m in [0.0, -1.0] {
        for q in [-1e-7, -1e-11] {
            let lcp = Lcp::new(DMatrix::from_element(1, 1, m), DVector::from_element(1, q)).unwrap();
            assert_eq!(Automatic::default().solve(&lcp).status, Status::Infeasible, "M = {m}, q = {q}");
        }
    }
    let squeezed = DMatrix::from_row_slice(2, 2, &[1.0, -1.0, -1.0, 1.0]);
    let lcp = Lcp::new(squeezed, DVector::from_element(2, -1.0)).unwrap();
    assert!(lcp.residual(&[6e20, 6e20]).natural >= 1.0);
    assert_eq!(Automatic::default().solve(&lcp).status, Status::Infeasible);
}

/// Round-off below zero is not handed on.
#[test]
fn solutions_have_no_negative_entries() {
    let mut numbers = Numbers(32);
    for _ in 0..20 {
        let m = semidefinite(&mut numbers, 20, 12);
        let (lcp, _) = planted(&mut numbers, m, true);
        let solution = solved("degenerate", &lcp);
        assert!(solution.z.iter().all(|&z| z >= 0.0), "{:?}", solution.z);
    }
}

/// Free boundaries move row by row and factorizations keep to the band: flips alone find them.
#[test]
fn obstacles_are_left_to_the_active_set() {
    for n in [400, 1000] {
        let m = DMatrix::from_fn(n, n, |i, j| match i.abs_diff(j) {
            0 => 2.0,
            1 => -1.0,
            _ => 0.0,
        });
        let q = DVector::from_fn(n, |i, _| ((i as f64 + 0.5) / n as f64 * 9.0).sin() - 0.3);
        let solution = solved("obstacle", &Lcp::new(m, q).unwrap());
        assert_eq!(solution.attempts.count, 1, "{:?}", solution.attempts);
    }
    let solution = solved("membrane", &obstacle(32));
    assert!(solution.attempts.count == 1 && solution.iterations <= 30, "{:?}", solution.attempts);
}

/// Entries of -1, 0 and 1 have many singular supports, and solutions that stand on nothing else: all supports are looked into.
#[test]
fn whatever_few_pairs_have_a_solution_is_solved() {
    let mut numbers = Numbers(47);
    for n in [1, 2, 3, 4, 5, 8] {
        for kind in 0..4 {
            for _ in 0..150 {
                let mut entries = |rows, columns| DMatrix::from_fn(rows, columns, |_, _| numbers.below(3) as f64 - 1.0);
                let mut m = entries(n, n);
                match kind {
                    1 => m.fill_diagonal(0.0),
                    2 => m = entries(n, 1) * entries(1, n),
                    3 => m = entries(n, n.div_ceil(2)) * entries(n.div_ceil(2), n),
                    _ => {}
                }
                let z = DVector::from_fn(n, |_, _| numbers.below(3) as f64);
                let w = z.map(|z| if z > 0.0 { 0.0 } else { numbers.below(3) as f64 });
                let q = w - &m * &z;
                solved("few pairs", &Lcp::new(m, q).unwrap());
            }
        }
    }
}
