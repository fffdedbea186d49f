//! Problems with friction in cone form: cases with known answers, closed forms, and families generated to be hard.

use fourbar_contact::{
    friction::{Coulomb, Method},
    problem::FrictionProblem,
    solution::Solution,
};

fn case_file() -> serde_json::Value {
    serde_json::from_str(include_str!("reference/lcp_cases_open.json")).expect("the file is JSON")
}

fn numbers(value: &serde_json::Value) -> Vec<f64> {
    value.as_array().expect("an array").iter().map(|x| x.as_f64().expect("a number")).collect()
}

fn methods() -> [Method; 5] {
    [
        Method::Automatic,
        Method::GaussSeidel { sweeps: 1000 },
        Method::Newton { iterations: 50, sweeps: 5 },
        Method::FixedPoint,
        Method::AugmentedLagrangian { iterations: 2000, penalty: 0.3 },
    ]
}

fn solved(method: Method, problem: &FrictionProblem) -> Solution {
    let solution = Coulomb { method, ..Coulomb::default() }.solve(problem).expect("a valid problem");
    assert!(solution.solved(), "{method:?}: {:?} {:?}", solution.residual, solution.attempts);
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
        for method in methods() {
            let solution = solved(method, &problem);
            for (found, expected) in [(&solution.z, &case["expect"]["r"]), (&solution.w, &case["expect"]["u"])] {
                for (found, expected) in found.iter().zip(numbers(expected)) {
                    assert!((found - expected).abs() < 1e-9, "{} by {method:?}: {found} for {expected}", case["id"]);
                }
            }
        }
    }
}
