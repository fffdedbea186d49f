//! Problems with friction in reduced form: cases with known answers, closed forms, and families generated to be hard.

use crate::piles;
use fourbar_contact::{
    friction::{Cone, Coulomb, DEFAULT, Method, Polyhedral, Workspace},
    problem::FrictionProblem,
    solution::{Solution, Status},
    solver::{Lemke, Method as _},
};
use fourbar_multibody::space::V3;
use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;

fn case_file() -> serde_json::Value {
    serde_json::from_str(include_str!("reference/lcp_cases_open.json")).expect("the file is JSON")
}

fn numbers(value: &serde_json::Value) -> Vec<f64> {
    value.as_array().expect("an array").iter().map(|x| x.as_f64().expect("a number")).collect()
}

fn methods() -> [Vec<Method>; 5] {
    [
        DEFAULT.to_vec(),
        vec![Method::GaussSeidel { sweeps: 1000 }],
        vec![Method::Newton { iterations: 50, sweeps: 5 }],
        vec![Method::InteriorPoint, Method::FixedPoint { rounds: 20 }],
        vec![Method::Continuation { curves: 1, factorizations: 300 }],
    ]
}

fn solved(methods: &[Method], problem: &FrictionProblem) -> Solution {
    let solver = Coulomb { methods: methods.to_vec().into(), ..Coulomb::default() };
    let solution = solver.solve(problem).expect("a valid problem");
    assert!(solution.solved(), "{methods:?}: {:?} {:?}", solution.residual, solution.attempts);
    solution
}

/// Cases with one answer, by every method.
#[test]
fn cases_with_known_answers() {
    let file = case_file();
    let cases: Vec<_> = file["cases"].as_array().expect("cases").iter().filter(|case| case["kind"] == "fc3d").collect();
    assert_eq!(cases.len(), 5);
    for case in cases {
        let problem = serde_json::json!({"W": case["W"], "q": case["q"], "mu": case["mu"]});
        let problem: FrictionProblem = serde_json::from_value(problem).expect("a problem");
        for methods in methods() {
            let solution = solved(&methods, &problem);
            for (found, expected) in [(&solution.z, &case["expect"]["r"]), (&solution.w, &case["expect"]["u"])] {
                for (found, expected) in found.iter().zip(numbers(expected)) {
                    assert!((found - expected).abs() < 1e-9, "{} by {methods:?}: {found} for {expected}", case["id"]);
                }
            }
        }
    }
}

/// The linear problem of the polygon has the answers of the cone wherever slip goes along a direction.
#[test]
fn polygons_agree_along_their_directions() {
    for (directions, q) in [(4, [-4.0, 3.0, 0.0]), (8, [-4.0, 3.0, -3.0]), (4, [-4.0, 0.3, 0.2]), (6, [1.0, 3.0, 0.0])]
    {
        let problem =
            FrictionProblem::new(DMatrix::identity(3, 3), q.to_vec().into(), vec![Cone::coulomb(0.2)]).unwrap();
        let polygon = Polyhedral { directions, turn: 0.0 };
        let lcp = polygon.lcp(&problem).unwrap();
        let solution = Lemke::default().solve(&lcp);
        assert!(solution.solved());
        let expected = solved(&DEFAULT, &problem);
        for (found, expected) in polygon.impulses(&problem, &solution.z).unwrap().iter().zip(&expected.z) {
            assert!((found - expected).abs() < 1e-12, "{directions}: {found} for {expected}");
        }
    }
}

/// Halfway between two directions the polygon of d sides lacks 1 - cos(pi/d) of the strength, exactly.
#[test]
fn polygons_lack_strength_between_their_directions() {
    let half = |d: usize| std::f64::consts::PI / d as f64;
    for directions in [4, 6, 8, 16, 64] {
        let (sin, cos) = half(directions).sin_cos();
        let q = DVector::from_vec(vec![-1.0, 5.0 * cos, 5.0 * sin]);
        let problem = FrictionProblem::new(DMatrix::identity(3, 3), q, vec![Cone::coulomb(0.5)]).unwrap();
        let polygon = Polyhedral { directions, turn: 0.0 };
        let solution = Lemke::default().solve(&polygon.lcp(&problem).unwrap());
        assert!(solution.solved());
        let s = polygon.impulses(&problem, &solution.z).unwrap();
        // Friction against the velocity: any point of the side does, all have this component.
        let against = -(s[1] * cos + s[2] * sin);
        assert!((against - 0.5 * s[0] * cos).abs() < 1e-12, "{directions}");
    }
}

/// Friction has no preferred direction: turning the tangential axes turns the answer.
#[test]
fn friction_is_isotropic() {
    let problem = piles::heap(6, 15, |_| Cone::coulomb(0.4), 0.5, 3).reduced_form().unwrap();
    let expected = solved(&DEFAULT, &problem);
    let n = problem.rows();
    let mut turn = DMatrix::identity(n, n);
    for c in 0..n / 3 {
        let (sin, cos) = (0.3 + c as f64).sin_cos();
        turn.view_mut((3 * c + 1, 3 * c + 1), (2, 2)).copy_from_slice(&[cos, sin, -sin, cos]);
    }
    let (w, q) = (&turn * problem.w() * turn.transpose(), &turn * problem.q());
    let turned = FrictionProblem::new(w, q, problem.cones().to_vec()).unwrap();
    let found = solved(&DEFAULT, &turned);
    let back = turn.transpose() * DVector::from_vec(found.w);
    assert!((back - DVector::from_vec(expected.w)).amax() < 1e-9);
}

/// A box on four points with its centre of mass in the middle: the answer from zero is the symmetric one, and the box rests.
#[test]
fn four_points_share_a_box() {
    let problem = piles::columns(1, 1, 0.5, |_| 8.0, |_| V3::zeros());
    let cone = problem.reduced_form().unwrap();
    let solution = solved(&[Method::InteriorPoint], &cone);
    let sum: f64 = solution.z.iter().step_by(3).sum();
    assert!((sum - 8.0 * piles::PULL).abs() < 1e-10);
    for (row, (s, u)) in solution.z.iter().zip(&solution.w).enumerate() {
        assert!(u.abs() < 1e-12);
        let expected = if row % 3 == 0 { 2.0 * piles::PULL } else { 0.0 };
        assert!((s - expected).abs() < 1e-6, "row {row}: {s}");
    }
}

/// Where no answer exists, none is claimed.
#[test]
fn no_answer_is_told() {
    // Nothing moves, yet the gap closes.
    let problem =
        FrictionProblem::new(DMatrix::zeros(3, 3), vec![-1.0, 0.0, 0.0].into(), vec![Cone::coulomb(0.5)]).unwrap();
    let solution = Coulomb::default().solve(&problem).unwrap();
    assert!(solution.status == Status::Infeasible && solution.residual.natural > 0.1);
}

/// A body between two faces that close on it: impulses may grow until round-off swallows the velocities, yet none is an answer. The
/// weights of the proof are those of the two normals.
#[test]
fn squeezed_bodies_are_proved_so() {
    // One body of a kilogram at the origin, normals +x and -x, tangents y and z of both.
    let squeezed = |q: [f64; 6], mu: f64| {
        let arms =
            [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let w = DMatrix::from_fn(6, 6, |i, j| (0..3).map(|k| arms[i][k] * arms[j][k]).sum());
        FrictionProblem::new(w, q.to_vec().into(), vec![Cone::coulomb(mu); 2]).unwrap()
    };
    for mu in [0.0, 0.3, 0.5, 0.8, 1.0, 2.0, 10.0, 1e3] {
        for q in
            [[-1.0, 0.0, 0.0, -1.0, 0.0, 0.0], [-1.0, 0.0, -9.81, -1.0, 0.0, -9.81], [-3.0, 1.0, 0.0, 2.0, 1.0, 0.0]]
        {
            let problem = squeezed(q, mu);
            for methods in methods() {
                let solver = Coulomb { methods: methods.clone().into(), ..Coulomb::default() };
                let solution = solver.solve(&problem).unwrap();
                assert_eq!(solution.status, Status::Infeasible, "mu {mu} by {methods:?}: {:?}", solution.residual);
                let y = DVector::from_vec(solution.certificate);
                assert!((problem.w() * &y).amax() <= 1e-14 && problem.q().dot(&y) < 0.0 && y.min() >= 0.0);
            }
        }
        let free = Coulomb::default().solve(&squeezed([-1.0, 0.0, 0.0, 1.0, 0.0, 0.0], mu)).unwrap();
        assert!(free.solved());
    }
}

/// Between grams and tonnes round-off keeps some answers above the goal: acceptable, they are solved all the same, and soon.
#[test]
fn what_round_off_leaves_is_accepted() {
    for mu in [0.3, 0.8, 2.0] {
        let ratio = |body: usize| if body == 5 { 1e6 } else { 1.0 };
        let problem = piles::columns(1, 6, mu, ratio, |body| V3::new(0.1 * f64::from(body == 5), 0.0, 0.0));
        let solution = Coulomb::default().solve(&problem.reduced_form().unwrap()).unwrap();
        assert!(solution.solved() && solution.residual.natural <= 1e-8, "mu {mu}: {:?}", solution.residual);
    }
}

/// Friction far beyond that of Painleve's paradox, a top up to a million times as heavy, pushed aside: boxes stick, jam or part, and one of
/// the answers is found.
#[test]
fn steep_cones_under_heavy_tops() {
    for mu in [3.0, 10.0] {
        for ratio in [1.0, 1e2, 1e3, 1e4, 1e6] {
            for push in [0.1, 1.0] {
                let mass = |body: usize| if body == 5 { ratio } else { 1.0 };
                let problem = piles::columns(1, 6, mu, mass, |_| V3::new(push, 0.0, 0.0));
                let solution = Coulomb::default().solve(&problem.reduced_form().unwrap()).unwrap();
                let residual = solution.residual.natural;
                assert!(solution.solved() && residual <= 1e-8, "mu {mu}, {ratio}, {push}: {residual:e}");
            }
        }
    }
}

/// Heaps of redundant contacts, friction from none to 1.5, masses over four decades: the default solves every one.
#[test]
fn heaps_by_the_default() {
    for (seed, (bodies, contacts)) in [(4, 10), (10, 24), (8, 30)].into_iter().enumerate() {
        for mu in [0.0, 0.1, 0.3, 0.7, 1.0, 1.5] {
            for decades in [0.0, 4.0] {
                let problem = piles::heap(bodies, contacts, |_| Cone::coulomb(mu), decades, seed as u64 + 7);
                let problem = problem.reduced_form().unwrap();
                let solution = Coulomb::default().solve(&problem).unwrap();
                let attempts: Vec<_> = solution.attempts.iter().collect();
                assert!(
                    solution.residual.natural < 1e-8,
                    "{bodies} bodies, {contacts} contacts, mu {mu}, {decades} decades: {:e} {attempts:?}",
                    solution.residual.natural
                );
            }
        }
    }
}

/// Mixed heaps: contacts without friction, with sliding, with spinning and rolling.
#[test]
fn heaps_with_rolling_friction() {
    let kinds = [Cone::smooth(), Cone::coulomb(0.5), Cone::rolling(0.3, 0.01, 0.02), Cone::rolling(0.8, 0.0, 0.05)];
    for seed in 0..6 {
        let problem = piles::heap(8, 20, |c| kinds[c % 4], 1.0, seed).reduced_form().unwrap();
        let solution = solved(&DEFAULT, &problem);
        for (cone, &first) in problem.cones().iter().zip(problem.offsets()) {
            assert!(cone.violation(&solution.z[first..first + cone.size()]) < 1e-10);
        }
    }
}

/// From the answer itself nothing is left to do.
#[test]
fn a_warm_start_ends_at_once() {
    let problem = piles::heap(10, 30, |_| Cone::coulomb(0.5), 1.0, 5).reduced_form().unwrap();
    let (solver, mut workspace, mut solution) = (Coulomb::default(), Workspace::default(), Solution::default());
    solver.solve_in(&problem, None, &mut workspace, &mut solution).unwrap();
    assert!(solution.solved());
    let guess = solution.z.clone();
    solver.solve_in(&problem, Some(&guess), &mut workspace, &mut solution).unwrap();
    assert!(solution.solved() && solution.iterations <= 4, "{:?}", solution.attempts);
}

/// Newton was cut short at a residual of 5e-9, and nothing after it came below.
#[test]
fn the_last_digits_are_fetched() {
    let problem = piles::heap(5, 6, |_| Cone::coulomb(0.907_934_056_230_423_6), 1.0, 1070).reduced_form().unwrap();
    let solution = Coulomb::default().solve(&problem).unwrap();
    assert!(solution.residual.natural < 1e-12, "{:?}", solution.attempts);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// The law holds, and contacts that start from rest take energy: S . (u + q) <= 0 for the plastic law.
    #[test]
    fn friction_dissipates(seed in 0..10_000_u64, mu in 0.0..1.2_f64, contacts in 3..20_usize) {
        let problem = piles::heap(5, contacts, |_| Cone::coulomb(mu), 1.0, seed).reduced_form().unwrap();
        let solution = Coulomb::default().solve(&problem).unwrap();
        prop_assert!(solution.solved(), "{:?}", solution.attempts);
        let work: f64 = solution.z.iter().zip(&solution.w).zip(problem.q().iter()).map(|((s, u), q)| 0.5 * s * (u + q)).sum();
        prop_assert!(work < 1e-9);
        for c in 0..contacts {
            let (s, u) = (&solution.z[3 * c..3 * c + 3], &solution.w[3 * c..3 * c + 3]);
            let (slip, bound) = (u[1].hypot(u[2]), mu * s[0]);
            prop_assert!(s[1].hypot(s[2]) <= bound + 1e-10);
            // Sliding contacts push against the slip with all they have.
            if slip > 1e-6 && s[0] > 1e-6 {
                prop_assert!((s[1] * u[1] + s[2] * u[2] + bound * slip).abs() < 1e-8 * (1.0 + bound * slip));
            }
        }
    }
}
