//! Problems of the literature by the default solver, small and large: each solved to 1e-8, measured again here in twice the digits, or
//! refused with the status it deserves.

use crate::support::families;
use crate::support::literature;
use crate::support::twofold;
use families::{Numbers, bimatrix, stewart_trinkle};
use fourbar_contact::{
    problem::Lcp,
    solution::{Solution, Status},
    solver::Automatic,
};
use literature::*;
use nalgebra::{DMatrix, DVector};
use twofold::natural_error;

fn solved(name: &str, lcp: &Lcp) -> Solution {
    let solution = Automatic::default().solve(lcp);
    let said =
        || format!("{name}, n = {}: {} {:?} {:?}", lcp.len(), solution.status, solution.residual, solution.attempts);
    assert!(solution.solved(), "{}", said());
    let error = natural_error(lcp, &solution.z);
    assert!(error <= 1e-8, "{error:e}, {}", said());
    solution
}

fn status(lcp: &Lcp) -> Status {
    Automatic::default().solve(lcp).status
}

/// z within 1e-9 of what is known.
fn gives<const N: usize>(name: &str, lcp: &Lcp, known: [f64; N]) {
    let z = solved(name, lcp).z;
    assert!(z.iter().zip(known).all(|(z, known)| (z - known).abs() <= 1e-9), "{name}: {z:?} instead of {known:?}");
}

/// Cottle, Pang and Stone, The Linear Complementarity Problem, by the numbers of its examples and remarks; and small ones of the same kind.
#[test]
fn examples_of_the_book() {
    // 4.1.14: all of z1 + z2 = 1.
    let z = solved("4.1.14", &rows([[1.0, 1.0], [1.0, 1.0]], [-1.0, -1.0])).z;
    assert!((z[0] + z[1] - 1.0).abs() < 1e-12);
    // 4.4.7: Lemke's own path ends on a ray although there is a solution.
    solved("4.4.7", &rows([[0.0, 2.0, -1.0], [-1.0, 0.0, 1.0], [2.0, -2.0, 0.0]], [-3.0, 6.0, -1.0]));
    // 4.4.16: semidefinite, a half-line of solutions.
    gives("4.4.16", &rows([[1.0, -1.0], [-1.0, 1.0]], [1.0, -1.0]), [0.0, 1.0]);
    // 4.4.23: a game of two strategies each.
    let game = [[0.0, 0.0, 10.0, 30.0], [0.0, 0.0, 20.0, 15.0], [10.0, 30.0, 0.0, 0.0], [20.0, 15.0, 0.0, 0.0]];
    solved("4.4.23", &rows(game, [-1.0; 4]));
    // A quadratic program with one equality as an inequality, feasible and at its bound.
    let program = [[11.0, 0.0, 10.0, -1.0], [0.0, 11.0, 10.0, -1.0], [10.0, 10.0, 21.0, -1.0], [1.0, 1.0, 1.0, 0.0]];
    for q in [[50.0, 50.0, 10.0, -6.0], [50.0, 50.0, 23.0, -6.0]] {
        solved("program", &rows(program, q));
    }
    // The multiplier with its sign reversed leaves -sum z - 6 >= 0: nothing is feasible.
    let reversed = [[11.0, 0.0, 10.0, 1.0], [0.0, 11.0, 10.0, 1.0], [10.0, 10.0, 21.0, 1.0], [-1.0, -1.0, -1.0, 0.0]];
    assert_eq!(status(&rows(reversed, [50.0, 50.0, 10.0, -6.0])), Status::Infeasible);
    // Pang's isolated solution (1, 0, 0), which vanishes with any push against it.
    let pang = [[0.0, -1.0, -1.0], [1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]];
    gives("isolated", &rows(pang, [0.0, -1.0, 1.0]), [1.0, 0.0, 0.0]);
    assert_eq!(status(&rows(pang, [-1e-4, -1.0, 1.0])), Status::Infeasible);
    // Kostreva 1979: block pivots cycle.
    gives("cycle", &rows([[1.0, 2.0, 0.0], [0.0, 1.0, 2.0], [2.0, 0.0, 1.0]], [-1.0; 3]), [1.0 / 3.0; 3]);
    // P0 without a solution for some q: [0 1; 0 0].
    assert_eq!(status(&rows([[0.0, 1.0], [0.0, 0.0]], [0.0, -1.0])), Status::Infeasible);
    let z = solved("P0", &rows([[0.0, 1.0], [0.0, 1.0]], [-1.0, -1.0])).z;
    assert!((z[1] - 1.0).abs() < 1e-9, "{z:?}");
    // Newton's first step for Kojima and Shindo's problem at (1, 0, 1, 1): no class.
    let kojima = [[6.0, 2.0, 3.0, 3.0], [4.0, 3.0, 3.0, 2.0], [6.0, 1.0, 4.0, 9.0], [2.0, 0.0, 3.0, 3.0]];
    solved("Kojima", &rows(kojima, [-9.0, -5.0, -11.0, -6.0]));
}

#[test]
fn matrices_of_known_classes_at_any_size() {
    for n in [5, 30, 120, 400] {
        for lcp in [ahn(n), geiger_kanzow(n), graded_diagonal(n)] {
            let z = solved("P", &lcp).z;
            assert!(z.iter().all(|z| *z > 0.0), "all pairs are active");
        }
    }
    for n in [5, 20, 60, 150] {
        for seed in 0..3 {
            for hard in [false, true] {
                solved("Harker and Pang", &harker_pang(&mut Numbers(seed), n, hard));
            }
            solved("positive", &positive(&mut Numbers(seed), n));
            let (lcp, _) = scaled_monotone(&mut Numbers(seed), n, 4.0);
            assert!(Automatic::default().solve(&lcp).solved(), "rows over eight decades, n = {n}");
        }
    }
    for n in [4, 8, 12] {
        let hilbert = DMatrix::from_fn(n, n, |i, j| 1.0 / (i + j + 1) as f64);
        solved("Hilbert", &lcp(hilbert, DVector::from_element(n, -1.0)));
    }
}

/// Optimality conditions, degenerate and not; strong duality holds at what is found, and programs without an optimum are infeasible.
#[test]
fn programs() {
    for (rows, columns) in [(3, 5), (10, 15), (30, 45), (80, 100)] {
        for seed in 0..4 {
            for degenerate in [false, true] {
                let lcp = random_program(&mut Numbers(seed), rows, columns, degenerate);
                let z = solved("program", &lcp).z;
                let gap: f64 = lcp.q().iter().zip(&z).map(|(q, z)| q * z).sum();
                let size: f64 = lcp.q().iter().zip(&z).map(|(q, z)| (q * z).abs()).sum();
                assert!(gap.abs() <= 1e-9 * (1.0 + size), "duality gap {gap:e}");
            }
        }
    }
    for lcp in cycling_programs() {
        solved("cycling", &lcp);
    }
    for n in [3, 5, 7] {
        // The optimum is the last corner: x_n = 100^(n-1) alone.
        let z = solved("Klee and Minty", &klee_minty(n)).z;
        assert!((z[n - 1] / 100f64.powi(n as i32 - 1) - 1.0).abs() < 1e-9, "{z:?}");
    }
    let one = |a: f64, b: f64, c: f64| {
        linear_program(&DMatrix::from_element(1, 1, a), &DVector::from_element(1, b), &DVector::from_element(1, c))
    };
    assert_eq!(status(&one(-1.0, 1.0, 1.0)), Status::Infeasible, "no point");
    assert_eq!(status(&one(1.0, 1.0, -1.0)), Status::Infeasible, "no bound");
    for n in [3, 10, 30, 50] {
        for seed in 0..4 {
            solved("indefinite, in a box", &indefinite_box(&mut Numbers(seed), n));
        }
    }
    // 3 + 5 + 7 is 15, and no other sum of these is.
    let z = solved("subset", &subset_sum(&[3.0, 5.0, 7.0, 9.0], 15.0)).z;
    assert!(z.iter().zip([1.0, 1.0, 1.0, 0.0]).all(|(z, known)| (z - known).abs() < 1e-9), "{z:?}");
}

#[test]
fn games_and_equilibria() {
    for seed in 0..3 {
        for k in [3, 10, 40] {
            solved("game", &bimatrix(&mut Numbers(seed), k, k + 3));
        }
        for (players, strategies) in [(2, 3), (3, 3), (4, 4), (8, 4)] {
            solved("polymatrix", &polymatrix(&mut Numbers(seed), players, strategies));
        }
        for (firms, markets) in [(5, 4), (20, 6)] {
            solved("oligopoly", &cournot(&mut Numbers(seed), firms, markets));
        }
        for (supplies, demands) in [(5, 6), (12, 14)] {
            solved("prices", &spatial_prices(&mut Numbers(seed), supplies, demands));
        }
        for (contacts, bodies) in [(3, 1), (24, 8)] {
            solved("friction", &stewart_trinkle(&mut Numbers(seed), contacts, 4, bodies, 0.7));
        }
    }
    solved("game of 200", &bimatrix(&mut Numbers(0), 100, 103));
    for k in [3, 5, 9, 21] {
        // Every strategy as often as every other.
        let z = solved("cyclic", &cyclic_game(k)).z;
        assert!(z[..k].iter().all(|x| (x / z[..k].iter().sum::<f64>() - 1.0 / k as f64).abs() < 1e-9), "{z:?}");
    }
}

#[test]
fn free_boundaries() {
    for side in [6, 12, 32] {
        for eccentricity in [0.1, 0.8, 0.99] {
            solved("bearing", &journal_bearing(side, eccentricity));
        }
        solved("dam", &dam(side, 1.0, 0.3));
        for load in [5.0, 15.0] {
            solved("torsion", &torsion(side.min(18), load));
        }
        solved("convection", &five_point(side, |_, _| 1.0, (30.0, -50.0), |x, y| (7.0 * x).sin() - y));
    }
    for n in [10, 100, 1000] {
        for centred in [false, true] {
            solved("option", &american_put(n, 0.3, 0.05, 0.02, centred));
            solved("little volatility", &american_put(n, 0.05, 0.2, 0.1, centred));
            // One long step: exercised below some price, held above.
            let z = solved("long step", &american_put(n, 0.4, 0.05, 5.0, centred)).z;
            let first = z.iter().position(|z| *z > 1e-12).unwrap();
            assert!(z[first..].iter().all(|z| *z > 0.0), "one free boundary");
        }
    }
}
