//! Every complementarity problem of the open case file by every solver that applies to it.
//!
//! `reference/lcp_cases_open.json`: small problems whose solutions were enumerated in exact rational arithmetic, games, exponential families,
//! contact problems with closed forms, mixed problems. `expect` says what is known of the solutions.

use fourbar_contact::{
    problem::{Lcp, MixedLcp},
    solution::{Solution, Status},
    solver::{ActiveSet, Automatic, Enumeration, GaussSeidel, InteriorPoint, Lemke, Method, solve_mixed},
};
use nalgebra::{DMatrix, DVector};
use serde_json::Value;

/// Each case with its id.
fn cases(kind: &str) -> Vec<(String, Value)> {
    let file: Value = serde_json::from_str(include_str!("reference/lcp_cases_open.json")).unwrap();
    let cases = file["cases"].as_array().unwrap().clone();
    let of_kind = cases.into_iter().filter(|case| case["kind"] == kind);
    of_kind.map(|case| (case["id"].as_str().unwrap().to_string(), case)).collect()
}

fn problem<P: serde::de::DeserializeOwned>(case: &Value, keys: &[&str]) -> P {
    let picked: serde_json::Map<_, _> = keys.iter().map(|&key| (key.to_string(), case[key].clone())).collect();
    serde_json::from_value(Value::Object(picked)).unwrap()
}

fn lcp(case: &Value) -> Lcp {
    problem(case, &["M", "q"])
}

fn vector(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

fn distance(x: &[f64], y: &[f64]) -> f64 {
    let size = y.iter().fold(1.0, |size: f64, yi| size.max(yi.abs()));
    x.iter().zip(y).fold(0.0, |worst: f64, (xi, yi)| worst.max((xi - yi).abs())) / size
}

/// What the case says of its solutions, beyond their residual. `loose` widens the distances for methods that stop at a residual of
/// 1e-10 without solving for the active set: what that leaves open of the solution is a matter of conditioning.
fn check(id: &str, case: &Value, solution: &Solution, loose: f64) {
    let expect = &case["expect"];
    assert!(solution.residual.value() <= 1e-10, "{id}: {:?}", solution.residual);
    let near = |key: &str, found: &[f64], tolerance: f64| {
        if !expect[key].is_null() {
            let known = vector(&expect[key]);
            assert!(distance(found, &known) <= tolerance, "{id}: {key} {found:?} instead of {known:?}");
        }
    };
    match expect["type"].as_str().unwrap() {
        "unique" => {
            let tolerance = expect["z_tol"].as_f64().or(expect["tol"].as_f64()).unwrap_or(1e-8);
            near("z", &solution.z, loose * tolerance);
            near("w", &solution.w, loose * 1e-8);
        }
        "finite" => {
            let known: Vec<_> = expect["solutions"].as_array().unwrap().iter().map(vector).collect();
            assert!(known.iter().any(|z| distance(&solution.z, z) <= 1e-8), "{id}: {:?}", solution.z);
        }
        "set" => {
            near("w_unique", &solution.w, loose * 1e-8);
            if let Some(sum) = expect["sum"].as_f64() {
                assert!((solution.z.iter().sum::<f64>() - sum).abs() <= 1e-8 * sum, "{id}");
            }
            if let Some(sums) = expect["interface_sums"].as_array() {
                let points = expect["per_interface"].as_u64().unwrap() as usize;
                for (z, sum) in solution.z.chunks(points).zip(sums) {
                    assert!((z.iter().sum::<f64>() - sum.as_f64().unwrap()).abs() <= 1e-8 * 50.0, "{id}");
                }
            }
        }
        "unique_net" => {
            let net = solution.z[1] - solution.z[2];
            assert!((net - expect["net_tangential"].as_f64().unwrap()).abs() <= 1e-9, "{id}: {net}");
            assert!((solution.z[0] - expect["z"][0].as_f64().unwrap()).abs() <= 1e-9, "{id}");
        }
        other => panic!("{id}: unknown kind of expectation {other}"),
    }
}

#[test]
fn the_default_solves_every_solvable_case() {
    for (id, case) in cases("lcp") {
        let solution = Automatic::default().solve(&lcp(&case));
        if case["expect"]["type"] == "none" {
            assert!(matches!(solution.status, Status::Ray | Status::Infeasible), "{id}: {}", solution.status);
        } else {
            assert!(solution.solved(), "{id}: {solution:?}");
            check(&id, &case, &solution, 1.0);
        }
    }
}

#[test]
fn infeasible_is_said_with_proof_and_only_then() {
    let status = |wanted: &str| {
        let (_, case) = cases("lcp").into_iter().find(|(id, _)| id == wanted).unwrap();
        (Automatic::default().solve(&lcp(&case)), Lemke::default().solve(&lcp(&case)), lcp(&case))
    };
    for id in ["o_scalar_zero_unsolvable", "o_copositive_plus_infeasible"] {
        let (automatic, lemke, lcp) = status(id);
        for solution in [automatic, lemke] {
            assert_eq!(solution.status, Status::Infeasible, "{id}");
            let y = &solution.certificate;
            assert!(y.iter().all(|&yi| yi >= 0.0));
            assert!((0..lcp.len()).all(|j| lcp.column(j).iter().zip(y).map(|(m, y)| m * y).sum::<f64>() <= 1e-12));
            assert!(lcp.q().iter().zip(y).map(|(q, y)| q * y).sum::<f64>() < 0.0);
        }
    }
    // Feasible, but without a complementary solution: a ray is all one may say.
    let (automatic, lemke, _) = status("o_copositive_not_plus_unsolvable");
    assert_eq!((automatic.status, lemke.status), (Status::Ray, Status::Ray));
}

/// Solves the cases for which `applies`; a method that gives up on another must not call it solved, nor infeasible.
fn every<M: Method>(method: &M, loose: f64, applies: impl Fn(&str, &Value) -> bool) {
    for (id, case) in cases("lcp") {
        let solution = method.solve(&lcp(&case));
        let solvable = case["expect"]["type"] != "none";
        if solution.solved() {
            assert!(solvable, "{id} has no solution");
            check(&id, &case, &solution, loose);
        } else {
            assert!(!(solvable && applies(&id, &case)), "{id}: {} {:?}", solution.status, solution.residual);
            assert!(!solvable || solution.status != Status::Infeasible, "{id} called infeasible");
            assert!(!solution.residual.within(1e-10), "{id}: the residual says solved, the status does not");
        }
    }
}

fn class(case: &Value, names: &[&str]) -> bool {
    let classes = case["classes"].as_array().unwrap();
    classes.iter().any(|class| names.iter().any(|name| class.as_str().unwrap().starts_with(name)))
}

fn monotone(_: &str, case: &Value) -> bool {
    class(case, &["SPD", "PD", "PSD"])
}

#[test]
fn lemke_solves_all() {
    every(&Lemke::default(), 1.0, |_, _| true);
}

#[test]
fn active_set_solves_p_and_semidefinite_cases() {
    let method = ActiveSet { max_iterations: 4000, max_single: 4000, ..ActiveSet::default() };
    every(&method, 1.0, |_, case| class(case, &["P", "SPD"]));
}

#[test]
fn interior_point_solves_monotone_cases() {
    every(&InteriorPoint::default(), 1.0, monotone);
}

#[test]
fn enumeration_solves_small_cases_with_a_basic_solution() {
    every(&Enumeration::default(), 1.0, |_, case| case["n"].as_u64().unwrap() <= 10);
}

/// Sweeps converge for symmetric semidefinite and for triangular matrices; for others they must only be honest. Heavy on light,
/// Hilbert's matrix and degenerate pairs of a singular matrix need more sweeps than anyone would wait for.
#[test]
fn gauss_seidel_solves_well_conditioned_symmetric_cases() {
    let slow = ["o_hilbert_8", "o_stack_heavy_on_light", "o_psd_rank_deficient_30"];
    every(&GaussSeidel { max_iterations: 100_000, ..GaussSeidel::default() }, 1e3, |id, case| {
        class(case, &["SPD", "symmetric", "PSD, rank", "lower", "upper"]) && !slow.contains(&id)
    });
}

#[test]
fn mixed_cases() {
    for (id, case) in cases("mlcp") {
        let mixed: MixedLcp = problem(&case, &["A", "B", "C", "D", "a", "b"]);
        let monotone = id.contains("fourbar") || id.contains("simplex");
        let mut solutions = vec![Automatic::default().solve_mixed(&mixed), solve_mixed(&Lemke::default(), &mixed)];
        if monotone {
            solutions.push(solve_mixed(&ActiveSet::default(), &mixed));
            solutions.push(solve_mixed(&InteriorPoint::default(), &mixed));
            solutions.push(solve_mixed(&GaussSeidel::default(), &mixed));
        }
        for solution in solutions {
            let expect = &case["expect"];
            if expect["type"] == "none" {
                assert_eq!(solution.status, Status::Inconsistent, "{id}");
                continue;
            }
            assert!(solution.solved(), "{id}: {solution:?}");
            assert!(distance(&solution.z, &vector(&expect["z"])) <= 1e-8, "{id}: {:?}", solution.z);
            if !expect["u"].is_null() {
                assert!(distance(&solution.u, &vector(&expect["u"])) <= 1e-8, "{id}: {:?}", solution.u);
            }
            if !expect["dv"].is_null() {
                assert!(distance(&solution.u[..9], &vector(&expect["dv"])) <= 1e-9, "{id}: {:?}", solution.u);
            }
            assert_eq!(solution.undetermined, if id == "o_fourbar_impact_redundant" { 2 } else { 0 }, "{id}");
        }
    }
}

/// Inequalities written in units sixteen decades apart have the same solution as in one unit.
#[test]
fn mixed_rows_in_other_units_are_solved() {
    // min 1/2 |x|^2 + c.x with rows G x >= g: u = x, z multipliers. Numbers of a fixed pattern; the answer is planted.
    let (f, n) = (12, 16);
    for seed in 0..6 {
        let entry = |k: usize| (1.0 + k as f64 * 0.737 + f64::from(seed)).sin();
        let g = DMatrix::from_fn(n, f, |i, j| entry(i * f + j + i * i));
        let units = DMatrix::from_diagonal(&DVector::from_fn(n, |i, _| 10.0_f64.powf(8.0 * entry(7 * i + 3))));
        let x = DVector::from_fn(f, |i, _| entry(5 * i + 1));
        let z = DVector::from_fn(n, |i, _| if i % 2 == 0 { 0.5 + entry(i).abs() } else { 0.0 });
        let w = DVector::from_fn(n, |i, _| if i % 2 == 1 { 0.5 + entry(i).abs() } else { 0.0 });
        let (a, b) = (g.transpose() * &z - &x, &w - &g * &x);
        let rows = &units * &g;
        let mixed =
            MixedLcp::new(DMatrix::identity(f, f), -rows.transpose(), rows, DMatrix::zeros(n, n), a, &units * b)
                .unwrap();
        let solution = Automatic::default().solve_mixed(&mixed);
        assert!(solution.solved(), "{:?} {:?}", solution.residual, solution.attempts);
        assert!(distance(&solution.u, x.as_slice()) < 1e-9, "{:?} instead of {x:?}", solution.u);
    }
}
