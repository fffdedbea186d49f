//! The same problem in other units of mass and velocity is the same problem: what is solved stays solved, what has no answer stays without,
//! and a claim holds beside the data, however small these are.

use crate::piles;
use fourbar_contact::{
    Budget,
    friction::{Cone, Coulomb, DEFAULT, GlobalCoulomb, GlobalSolution, GlobalWorkspace, Method, Workspace},
    problem::{FrictionProblem, Lcp, MixedLcp},
    solution::{Solution, Status},
    solver::{Automatic, AutomaticWorkspace, GaussSeidel, InteriorPoint, Lemke, Workspace as LcpWorkspace},
};
use nalgebra::{DMatrix, DVector};
use piles::collection::{Kind, of_two_dozen};
use proptest::prelude::*;
use std::sync::{Arc, atomic::AtomicBool};
use std::time::Duration;

/// Masses and velocities times numbers from 1e-9 to 1e9.
fn units() -> impl Strategy<Value = [f64; 2]> {
    [-9.0..=9.0_f64, -9.0..=9.0_f64].prop_map(|powers| powers.map(|power| 10f64.powf(power)))
}

fn in_units(problem: &FrictionProblem, [mass, speed]: [f64; 2]) -> FrictionProblem {
    FrictionProblem::new(problem.w() / mass, problem.q() * speed, problem.cones().to_vec()).unwrap()
}

/// What S misses Coulomb's law by as it reads: gaps that close, impulses that pull or leave the cone, slip that friction does not oppose with
/// all it has; each as a velocity over the largest of q. All contacts have friction against sliding and masses alike.
fn misses(problem: &FrictionProblem, s: &[f64]) -> f64 {
    let u = problem.w() * DVector::from_column_slice(s) + problem.q();
    let mut worst = 0.0_f64;
    for (c, cone) in problem.cones().iter().enumerate() {
        let at = problem.offsets()[c];
        let w = problem.w()[(at, at)];
        let (push, slip) = ([s[at + 1], s[at + 2]], [u[at + 1], u[at + 2]]);
        let (force, speed) = (push[0].hypot(push[1]), slip[0].hypot(slip[1]));
        let limit = cone.friction * s[at];
        worst = worst.max(-u[at]).max(-w * s[at]).max((w * s[at]).min(u[at])).max(w * (force - limit));
        // Where it slips, the impulse is the limit, against it.
        let against = (push[0] * slip[0] + push[1] * slip[1]) / speed.max(f64::MIN_POSITIVE);
        worst = worst.max(speed.min(w * (limit + against)));
    }
    worst / problem.q().amax()
}

fn squeezed(mass: f64, speed: f64, mu: f64) -> FrictionProblem {
    let arms = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let w = DMatrix::from_fn(6, 6, |i, j| (0..3).map(|k| arms[i][k] * arms[j][k]).sum::<f64>() / mass);
    let q = DVector::from_vec(vec![-speed, 0.0, 0.0, -speed, 0.0, 0.0]);
    FrictionProblem::new(w, q, vec![Cone::coulomb(mu); 2]).unwrap()
}

fn methods() -> [Vec<Method>; 5] {
    [
        DEFAULT.to_vec(),
        vec![Method::GaussSeidel { sweeps: 300 }],
        vec![Method::Newton { iterations: 50, sweeps: 5 }],
        vec![Method::InteriorPoint, Method::FixedPoint { rounds: 20 }],
        vec![Method::Continuation { curves: 1, factorizations: 300 }],
    ]
}

/// Two closing faces and a body between them, of any mass at any speed.
#[test]
fn squeezed_bodies_are_so_at_any_size() {
    for power in -12..=12 {
        let speed = 10f64.powi(power);
        for mass in [1e-9, 1.0, 1e9] {
            for methods in methods() {
                let problem = squeezed(mass, speed, 0.5);
                let solver = Coulomb { methods: methods.clone().into(), ..Coulomb::default() };
                let solution = solver.solve(&problem).unwrap();
                assert_eq!(solution.status, Status::Infeasible, "{mass} kg, {speed} m/s by {methods:?}: {solution:?}");
                assert!(solution.residual.natural > 0.1);
            }
        }
    }
}

/// A squeezed speck beside a boulder that is well: the one is not lost beside the other, whichever is how small.
#[test]
fn islands_are_measured_each_by_itself() {
    for (mass, speed) in [(1e-9, 1e-4), (1e-9, 1e-9), (1e9, 1e9), (1.0, 1.0)] {
        let speck = squeezed(mass, speed, 0.5);
        let n = 9;
        let mut w = DMatrix::identity(n, n);
        w.view_mut((3, 3), (6, 6)).copy_from(speck.w());
        let q = DVector::from_iterator(n, [-4.0, 3.0, -4.0].into_iter().chain(speck.q().iter().copied()));
        let cones = vec![Cone::coulomb(0.2), Cone::coulomb(0.5), Cone::coulomb(0.5)];
        let solution = Coulomb::default().solve(&FrictionProblem::new(w.clone(), q.clone(), cones).unwrap()).unwrap();
        assert_eq!(solution.status, Status::Infeasible, "{mass} kg, {speed} m/s: {solution:?}");
        // The normals alone, as a linear problem.
        let normal = [0, 3, 6];
        let m = DMatrix::from_fn(3, 3, |i, j| w[(normal[i], normal[j])]);
        let lcp = Lcp::new(m, DVector::from_fn(3, |i, _| q[normal[i]])).unwrap();
        assert_eq!(Automatic::default().solve(&lcp).status, Status::Infeasible, "{mass} kg, {speed} m/s");
    }
}

/// Without q nothing pushes, wherever the search begins; with q all data is as small as it is.
#[test]
fn nothing_is_the_answer_to_nothing() {
    let w = DMatrix::from_fn(6, 6, |i, j| if i == j { 2.0 } else { 0.1 });
    let still = FrictionProblem::new(w, DVector::zeros(6), vec![Cone::coulomb(0.5); 2]).unwrap();
    for methods in methods() {
        let (mut workspace, mut solution) = (Workspace::default(), Solution::default());
        let solver = Coulomb { methods: methods.into(), ..Coulomb::default() };
        solver.solve_in(&still, Some(&[1.0; 6]), &mut workspace, &mut solution).unwrap();
        assert!(solution.solved() && solution.z.iter().all(|s| *s == 0.0) && solution.residual.natural == 0.0);
    }
    let lcp = Lcp::new(DMatrix::identity(2, 2), DVector::zeros(2)).unwrap();
    assert_eq!(lcp.residual(&[0.0, 0.0]).natural, 0.0);
    assert!(lcp.residual(&[1e-30, 0.0]).natural > 0.1);
}

/// Equations 0 = c have no solution, however small c; c = 0 is none.
#[test]
fn contradictions_are_so_at_any_size() {
    for c in [1e-15, 1e-9, 1.0, 1e9] {
        let two = DMatrix::from_row_slice(2, 1, &[1.0, 1.0]);
        let a = DMatrix::from_fn(2, 2, |i, j| if j == 0 { two[i] } else { 0.0 });
        let mixed = |second: f64| {
            MixedLcp::new(
                a.clone(),
                DMatrix::zeros(2, 1),
                DMatrix::zeros(1, 2),
                DMatrix::identity(1, 1),
                DVector::from_vec(vec![c, second]),
                DVector::from_vec(vec![-c]),
            )
            .unwrap()
        };
        assert_eq!(Automatic::default().solve_mixed(&mixed(2.0 * c)).status, Status::Inconsistent, "{c}");
        assert!(Automatic::default().solve_mixed(&mixed(c)).solved(), "{c}");
    }
}

/// The collections in small and in large units: all solved.
#[test]
fn collections_are_solved_in_any_unit() {
    let (mut workspace, mut solution) = (Workspace::default(), Solution::default());
    for unit in [[1e-9, 1e-9], [1e-9, 1e9], [1.0, 1e-9], [1e9, 1e-9], [1e9, 1e9]] {
        for (seed, mu) in [0.1, 0.3, 0.5, 0.8].into_iter().enumerate() {
            for (name, problem) in of_two_dozen(Kind { mu, decades: 0.0, push: 0.2, seed: seed as u64 }) {
                let problem = in_units(&problem.reduced_form().unwrap(), unit);
                Coulomb::default().solve_in(&problem, None, &mut workspace, &mut solution).unwrap();
                let missed = misses(&problem, &solution.z);
                assert!(solution.solved(), "{name}, {mu}, {unit:?}: {:?}", solution.residual);
                assert!(missed <= 1e-6, "{name}, {mu}, {unit:?}: {missed:e}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Of each of the collections, one drawn at random, in any units: what is told as solved is so as the law reads, and what is not
    /// says so.
    #[test]
    fn what_is_told_as_solved_is_so_in_any_unit(
        unit in units(), seed in 0..1000_u64, mu in prop::sample::select(vec![0.1, 0.3, 0.5, 0.8]), push in 0.0..0.3_f64,
    ) {
        let (mut workspace, mut solution) = (Workspace::default(), Solution::default());
        for (name, problem) in of_two_dozen(Kind { mu, decades: 0.0, push, seed: 2 * seed }) {
            let problem = problem.reduced_form().unwrap();
            let other = in_units(&problem, unit);
            Coulomb::default().solve_in(&other, None, &mut workspace, &mut solution).unwrap();
            let (missed, residual) = (misses(&other, &solution.z), solution.residual.natural);
            prop_assert_eq!(solution.solved(), residual <= 1e-8, "{}: {:?}", name, solution.status);
            // Bodies of other forms turn more easily than others at some contacts.
            prop_assert!(!solution.solved() || missed <= 1e-6, "{name}, {unit:?}: {missed:e} for {residual:e}");
        }
    }

    /// The same in global form, and its status with it.
    #[test]
    fn heaps_of_bodies_are_solved_in_any_unit(unit in units(), seed in 0..1000_u64) {
        let [mass, speed] = unit;
        let mut problem = piles::heap(6, 12, |_| Cone::coulomb(0.3), 0.0, seed);
        for body in &mut problem.bodies {
            body.inverse_mass /= mass;
            body.inverse_inertia /= mass;
            body.velocity *= speed;
            body.spin *= speed;
        }
        let mut solution = GlobalSolution::default();
        GlobalCoulomb::default().solve(&problem, &mut GlobalWorkspace::default(), &mut solution).unwrap();
        prop_assert_eq!(solution.status(1e-8), Status::Solved, "{:?}: {:e}", unit, solution.residual);
        let cone = problem.reduced_form().unwrap();
        let s: Vec<f64> = solution.impulses.iter().flat_map(|s| s[..3].iter().copied()).collect();
        prop_assert!(misses(&cone, &s) <= 1e-6, "{:?}: {:e}", unit, misses(&cone, &s));
    }
}

/// Every solver stops at its budget with an honest status and the best point until then, and by work alone at the same point each time.
#[test]
fn budgets_end_solves() {
    let hard: FrictionProblem =
        serde_json::from_str(include_str!("reference/friction_hard/zigzag-1-2-0_1-15.json")).unwrap();
    let solver = Coulomb { tolerance: 1e-300, goal: 1e-300, ..Coulomb::default() };
    let solve = |budget: Budget| {
        let (mut workspace, mut solution) = (Workspace::default(), Solution::default());
        workspace.budget = budget;
        solver.solve_in(&hard, None, &mut workspace, &mut solution).unwrap();
        solution
    };
    let mut before = f64::INFINITY;
    for work in [0, 1_000_000, 30_000_000] {
        let budget = Budget { work: Some(work), ..Budget::default() };
        let solution = solve(budget.clone());
        assert_eq!(solution.status, Status::OutOfBudget, "{work}: {:?}", solution.attempts);
        assert!(solution.residual.natural <= 1.01 * before, "{work}: {:e}", solution.residual.natural);
        assert_eq!(solution, solve(budget));
        before = solution.residual.natural;
    }
    let called_off = Budget { cancel: Some(Arc::new(AtomicBool::new(true))), ..Budget::default() };
    for budget in [called_off.clone(), Budget { time: Some(Duration::ZERO), ..Budget::default() }] {
        assert_eq!(solve(budget).status, Status::OutOfBudget);
    }
    let mut global = GlobalWorkspace::within(called_off.clone());
    let (heap, mut solution) = (piles::heap(6, 12, |_| Cone::coulomb(0.3), 0.0, 3), GlobalSolution::default());
    GlobalCoulomb::default().solve(&heap, &mut global, &mut solution).unwrap();
    assert_eq!(solution.status(1e-8), Status::OutOfBudget);
    let n = 80;
    // A few of the many pairs that close are active in the end.
    let m = DMatrix::from_fn(n, n, |i, j| if i == j { 1.0 } else { 0.9 });
    let lcp = Lcp::new(m, DVector::from_fn(n, |i, _| -1.0 - i as f64 / n as f64)).unwrap();
    let mut workspace = AutomaticWorkspace::default();
    workspace.budget = called_off.clone();
    let mut solution = Solution::default();
    Automatic::default().solve_into(&lcp, None, &mut workspace, &mut solution);
    assert_eq!(solution.status, Status::OutOfBudget);
    fn one<M: fourbar_contact::solver::Method>(method: M, lcp: &Lcp, budget: &Budget) -> Status {
        let (mut workspace, mut solution) = (LcpWorkspace::<M>::default(), Solution::default());
        workspace.budget = budget.clone();
        method.solve_into(lcp, None, &mut workspace, &mut solution);
        solution.status
    }
    assert_eq!(one(Lemke::default(), &lcp, &called_off), Status::OutOfBudget);
    assert_eq!(one(InteriorPoint::default(), &lcp, &called_off), Status::OutOfBudget);
    assert_eq!(
        one(GaussSeidel { tolerance: 1e-300, ..GaussSeidel::default() }, &lcp, &called_off),
        Status::OutOfBudget
    );
}
