//! Nodes, interpolation coefficients and error constants of the four families against exact rational tables.
//!
//! Source of `coefficients.json`: derived in exact arithmetic for this project from equations (16), (24), (34), (36) of Jiang and
//! Chai 1995.

use approx::assert_relative_eq;
use fourbar_lti::{Discretization, Method, StateSpace};
use nalgebra::DMatrix;
use serde_json::Value;

fn rational(value: &Value) -> f64 {
    let text = value.as_str().unwrap();
    let (top, bottom) = text.split_once('/').unwrap_or((text, "1"));
    top.parse::<f64>().unwrap() / bottom.parse::<f64>().unwrap()
}

fn rationals(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(rational).collect()
}

fn method(family: &str, order: usize) -> Method {
    match family {
        "alg1" => Method::Algorithm1 { order },
        "alg2" => Method::Algorithm2 { order },
        "alg1_realtime" => Method::Algorithm1RealTime { order },
        "alg2_realtime" => Method::Algorithm2RealTime { order },
        other => panic!("unknown family {other}"),
    }
}

fn close(ours: f64, exact: f64, size: f64, what: &str) {
    assert!((ours - exact).abs() <= 2e-16 * size, "{what}: {ours:e} for {exact:e}");
}

#[test]
fn families_match_the_rational_tables() {
    let text =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/reference/lti/coefficients.json"))
            .unwrap();
    let tables: Value = serde_json::from_str(&text).unwrap();
    let mut checked = 0;
    for (family, entry) in tables["families"].as_object().unwrap() {
        for (order, table) in entry["l"].as_object().unwrap() {
            let order = order.parse().unwrap();
            // The table repeats l = 1 as l = 0 of real-time Algorithm 1, which has no such member.
            if (family.as_str(), order) != ("alg1_realtime", 0) {
                check(&method(family, order), table);
                checked += 1;
            }
        }
    }
    assert_eq!(checked, 27);
}

/// One family at one order: the table may list its nodes in either direction of time.
fn check(method: &Method, table: &Value) {
    let theta = rationals(&table["nodes_theta"]);
    let nodes = method.nodes().unwrap();
    let ours = method.coefficients().unwrap().unwrap();
    assert_eq!(nodes.len(), theta.len());
    for (theta, row) in theta.iter().zip(table["coeff"].as_array().unwrap()) {
        let i = nodes.iter().position(|node| (node - theta).abs() < 1e-12).unwrap();
        close(nodes[i], *theta, 1.0, "node");
        for (j, exact) in rationals(row).iter().enumerate() {
            close(ours[i][j], *exact, exact.abs(), "coefficient");
        }
    }
    // With A = 0 the leading error is C T^(N+1) u^(N): the error constant alone remains.
    let integrator = StateSpace::with_state_outputs(DMatrix::zeros(1, 1), DMatrix::identity(1, 1)).unwrap();
    let unit_step = Discretization::new(&integrator, 1.0, method.clone()).unwrap();
    let constant = unit_step.leading_error(&[1.0]).unwrap().unwrap()[0];
    close(constant, rational(&table["error"]["C_const"]), 1.0, "error constant");
    // ... and the weights are those of Newton-Cotes, Adams-Moulton and Adams-Bashforth, which sum to T.
    let weights = (0..nodes.len()).map(|i| unit_step.input_matrix(i)[0]).sum::<f64>();
    assert_relative_eq!(weights, 1.0, epsilon = 1e-14);
}

#[test]
fn the_classical_weights_of_a_pure_integrator() {
    let integrator = StateSpace::with_state_outputs(DMatrix::zeros(1, 1), DMatrix::identity(1, 1)).unwrap();
    let weights = |method: Method, scale: f64| {
        let d = Discretization::new(&integrator, 0.5, method).unwrap();
        (0..d.nodes().len()).map(|i| d.input_matrix(i)[0] / 0.5 * scale).collect::<Vec<f64>>()
    };
    let expect = |ours: Vec<f64>, exact: &[f64]| {
        assert_eq!(ours.len(), exact.len());
        ours.iter().zip(exact).for_each(|(a, b)| close(*a, *b, 20.0, "weight"));
    };
    expect(weights(Method::Algorithm1 { order: 2 }, 6.0), &[1.0, 4.0, 1.0]); // Simpson
    expect(weights(Method::Algorithm2 { order: 3 }, 24.0), &[1.0, -5.0, 19.0, 9.0]); // Adams-Moulton
    expect(weights(Method::Algorithm2RealTime { order: 3 }, 24.0), &[-9.0, 37.0, -59.0, 55.0]); // Adams-Bashforth
    // Over a pure integrator the classical methods are the same rules.
    expect(weights(Method::Mtm4, 6.0), &[1.0, 4.0, 1.0]);
    expect(weights(Method::Qam4, 24.0), &[1.0, -5.0, 19.0, 9.0]);
}

#[test]
fn orders_and_nodes_out_of_range_are_refused() {
    use fourbar_lti::Error;
    let refused = |method: Method| method.nodes().unwrap_err();
    assert!(matches!(refused(Method::Algorithm1RealTime { order: 0 }), Error::Nodes { .. }));
    assert!(matches!(refused(Method::Nodes(vec![])), Error::Nodes { .. }));
    assert!(matches!(refused(Method::Nodes(vec![0.0, 0.0])), Error::Nodes { .. }));
    assert!(matches!(refused(Method::Nodes(vec![0.0, f64::NAN])), Error::Nodes { .. }));
    for order in [21, usize::MAX] {
        assert!(matches!(refused(Method::Algorithm1 { order }), Error::OrderTooHigh { limit: 20, .. }));
        assert!(matches!(refused(Method::Algorithm2 { order }), Error::OrderTooHigh { limit: 20, .. }));
    }
    assert!(Method::Algorithm2RealTime { order: 20 }.startup().unwrap().nodes().is_ok());
}
