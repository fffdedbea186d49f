//! The slider crank with an elastic rod of the IVP test set (`crank.f`; Simeon 1996) as a mechanism with a flexible body.
//!
//! Its rod bends in sin(pi x) and sin(2 pi x) and stretches by a quadratic element. The mass that the set gives to the two stretches is
//! fifteen times that of the element, 8 and 2 for 8/15 and 2/15; pairs of light points that move to and fro have the rest.

use crate::support::runs::{named_measures, try_compile};
use fourbar_multibody::Formulation;
use fourbar_multibody::integrator::Gstiff;
use serde_json::{Value, json};

const ROD: f64 = 0.3;
const MASS: f64 = 7870.0 * 0.008 * 0.008 * ROD;
const INERTIA: f64 = 0.004_533_925_9;

/// Gauss' rule on the unit interval with twelve points: the roots of Legendre's polynomial by Newton's iteration.
fn gauss() -> Vec<[f64; 2]> {
    const N: usize = 12;
    let root = |k: usize| {
        let mut x = (std::f64::consts::PI * (k as f64 + 0.75) / (N as f64 + 0.5)).cos();
        let mut slope = 1.0;
        for _ in 0..50 {
            let (mut p, mut before) = (x, 1.0);
            for n in 2..=N {
                let n = n as f64;
                (p, before) = (((2.0 * n - 1.0) * x * p - (n - 1.0) * before) / n, p);
            }
            slope = N as f64 * (x * p - before) / (x * x - 1.0);
            x -= p / slope;
        }
        [0.5 * (1.0 - x), 1.0 / ((1.0 - x * x) * slope * slope)]
    };
    (0..N).map(root).collect()
}

fn rod() -> Value {
    let pi = std::f64::consts::PI;
    let modes = |x: f64| -> Vec<[f64; 6]> {
        let along = |u: f64| [u, 0.0, 0.0, 0.0, 0.0, 0.0];
        let across = |v: f64| [0.0, v, 0.0, 0.0, 0.0, 0.0];
        vec![
            across((pi * x).sin()),
            across((2.0 * pi * x).sin()),
            along(4.0 * x * (1.0 - x)),
            along(x * (2.0 * x - 1.0)),
        ]
    };
    let mut nodes: Vec<Value> = gauss()
        .into_iter()
        .map(|[x, weight]| json!({ "position": [ROD * x, 0, 0], "mass": MASS * weight, "modes": modes(x) }))
        .collect();
    nodes.push(json!({ "name": "end", "position": [ROD, 0, 0], "modes": modes(1.0) }));
    nodes.push(
        json!({ "position": [0, 0, 0], "inertia": [0, 0, INERTIA - MASS * ROD * ROD / 3.0], "modes": modes(0.0) }),
    );
    // [[8, 1], [1, 2]] = L L^T.
    let l = 8f64.sqrt();
    for [u, v] in [[l, 1.0 / l], [0.0, (2.0 - 1.0 / 8.0f64).sqrt()]] {
        let light = 1e-12_f64;
        let size = (0.5 * 14.0 / 15.0 / light).sqrt();
        for sign in [size, -size] {
            let mut own = vec![[0.0; 6]; 4];
            (own[2][0], own[3][0]) = (sign * u, sign * v);
            nodes.push(json!({ "position": [ROD / 2.0, 0, 0], "mass": MASS * light, "modes": own }));
        }
    }
    let k = 2e11 * 0.008 * 0.008 / ROD;
    let slender = (0.008 / ROD) * (0.008 / ROD) * pi.powi(4);
    let stiffness = [
        [k * slender / 24.0, 0.0, 0.0, 0.0],
        [0.0, k * slender * 2.0 / 3.0, 0.0, 0.0],
        [0.0, 0.0, k * 16.0 / 3.0, -k * 8.0 / 3.0],
        [0.0, 0.0, -k * 8.0 / 3.0, k * 7.0 / 3.0],
    ];
    json!({ "node": nodes, "stiffness_matrix": stiffness })
}

fn machine() -> Value {
    let turning = -74.995_767_029_006_26;
    json!({
        "body": [
            { "name": "crank", "mass": 0.36, "inertia": [0.001, 0.002, 0.002727], "angular_velocity": [0, 0, 150] },
            { "name": "slider", "mass": 0.075552, "inertia": [1e-5, 1e-5, 1e-5], "position": [0.4500169328396579, 0, 0], "velocity": [-2.68938672e-6, 0, 0] },
        ],
        "flexible": [{ "name": "rod", "data": rod(), "damping_ratio": 0, "position": [0.15, 0, 0], "velocity": [0, 22.5 + turning * ROD / 2.0, 0],
            "angular_velocity": [0, 0, turning],
            "start": [0, 0, 1.0333980955263158e-5, 1.693283965789473e-5],
            "start_rate": [0.4448961105401555, 0.0046343403399502206, -1.78591076e-6, -2.68938672e-6] }],
        "marker": [{ "name": "pin", "body": "crank", "position": [0.15, 0, 0] }, { "name": "way", "body": "ground", "orientation": { "z_axis": [1, 0, 0] } },
            { "name": "own", "body": "slider", "orientation": { "z_axis": [1, 0, 0] } }],
        "joint": [
            { "name": "axle", "type": "revolute", "i": "crank", "j": "ground" },
            { "name": "big", "type": "revolute", "i": "rod", "j": "pin" },
            { "name": "small", "type": "spherical", "i": "rod/end", "j": "slider" },
            { "name": "guide", "type": "prismatic", "i": "own", "j": "way" },
        ],
        "motion": [{ "name": "drive", "joint": "axle", "displacement": "150*time" }],
        "measure": [
            { "name": "a", "type": "position", "i": "rod/modes 1-3" }, { "name": "b", "type": "position", "i": "rod/modes 4-4" },
            { "name": "va", "type": "velocity", "i": "rod/modes 1-3" }, { "name": "vb", "type": "velocity", "i": "rod/modes 4-4" },
            { "name": "phi", "type": "angle", "i": "rod", "j": "ground" }, { "name": "x", "type": "position", "i": "slider" },
        ],
    })
}

/// phi2, x3, the four elastic coordinates, and rates of the two bending ones at 0.02, .., 0.1 s, from the reference.
#[test]
fn the_elastic_slider_crank_is_that_of_the_test_set() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/reference/multibody/crank.json");
    let reference: Value = serde_json::from_str(&std::fs::read_to_string(file).expect("a file")).expect("JSON");
    let names: Vec<&str> = reference["columns"].as_array().expect("names").iter().filter_map(Value::as_str).collect();
    let rows = reference["samples"].as_array().expect("samples").iter().skip(1);
    let samples: Vec<Vec<f64>> =
        rows.map(|row| row.as_array().expect("a row").iter().filter_map(Value::as_f64).collect()).collect();
    let times: Vec<f64> = samples.iter().map(|row| row[0]).collect();
    let mechanism = try_compile(&machine()).expect("compiled");
    let found = named_measures(&mechanism, (Gstiff::with_tolerance(1e-10).into(), Formulation::Si2), &times);
    // Bending to 1e-6 of its largest, 1.5e-3. The digits of pi in the test set are 1.5e-8 off.
    let columns = [
        ("phi", "phi2", 1e-9),
        ("x.x", "x3", 1e-9),
        ("a.x", "q1", 5e-10),
        ("a.y", "q2", 1e-10),
        ("va.x", "v_q1", 1e-6),
        ("a.z", "q3", 3e-10),
        ("b.x", "q4", 5e-10),
    ];
    for (found, sample) in found.iter().zip(&samples) {
        for (name, column, most) in columns {
            let at = names.iter().position(|own| *own == column).expect("a column");
            let (value, expected) = (found[name], sample[at + 1]);
            println!("{} {name}: {value:e} {expected:e} {:e}", sample[0], value - expected);
            assert!((value - expected).abs() < most, "{} {name}: {value:e} {expected:e}", sample[0]);
        }
    }
}
