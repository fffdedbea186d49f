//! Flexible bodies: against rigid bodies tied to the same modes, closed forms, differences.

use crate::support::runs::{named_measures, try_compile};
use fourbar_multibody::dae::Dae;
use fourbar_multibody::formulation::kinds;
use fourbar_multibody::integrator::{Gstiff, Rkf45};
use fourbar_multibody::{Equations, Formulation, Method};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Modes of five points with numbers from `values`; those that `named` says are nodes.
fn points(values: &[f64], modes: usize, named: [bool; 5]) -> Value {
    let places = [[0.0, 0.0, 0.0], [0.5, 0.1, 0.0], [1.0, 0.0, 0.2], [0.3, -0.4, 0.1], [0.6, 0.2, -0.5]];
    let nodes: Vec<Value> = (0..5)
        .map(|n| {
            let mode = |k: usize| -> Vec<f64> {
                (0..6).map(|c| values[(37 * n + 11 * k + c) % values.len()] * if c < 3 { 1.0 } else { 0.3 }).collect()
            };
            let all: Vec<Vec<f64>> = (0..modes).map(mode).collect();
            let name = named[n].then(|| format!("n{n}"));
            json!({ "name": name, "position": places[n], "mass": 0.5 + 0.2 * n as f64, "modes": all })
        })
        .collect();
    let stiffness: Vec<f64> = (0..modes).map(|k| 40.0 + 25.0 * k as f64).collect();
    json!({ "node": nodes, "stiffness": stiffness })
}

/// Such a body, on the ground by a ball joint, with a second body on another node, under gravity.
fn machine(values: &[f64], modes: usize, named: [bool; 5]) -> Value {
    json!({
        "gravity": [1.0, -9.81, 0.5],
        "flexible": [{ "name": "arm", "data": points(values, modes, named), "position": [0.1, 0.2, 0.3], "damping_ratio": 0.02,
            "orientation": { "axis": [1, 2, 3], "angle": 0.7 }, }],
        "body": [{ "name": "bob", "mass": 1, "inertia": [0.02, 0.03, 0.01], "position": [1.0, 0.3, 0.2] }],
        "marker": [{ "name": "hang", "body": "ground", "position": [0.1, 0.2, 0.3] }],
        "joint": [
            { "name": "ball", "type": "spherical", "i": "arm/n0", "j": "hang" },
            { "name": "tip", "type": "spherical", "i": { "body": "bob", "frame": "global", "position": [1.1, 0.4, 0.3] }, "j": { "body": "arm/n2", "frame": "global", "position": [1.1, 0.4, 0.3] } },
        ],
        "measure": [
            { "name": "p", "type": "position", "i": "bob" }, { "name": "n", "type": "position", "i": "arm/n2" },
            { "name": "e", "type": "total_energy" },
            { "name": "r", "type": "reaction", "joint": "ball", "quantity": "force" },
        ],
    })
}

const ONE: [bool; 5] = [true, false, true, false, false];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]
    #[test]
    fn the_matrix_is_that_of_differences(values in prop::collection::vec(-1.0..1.0f64, 61), modes in 1..5usize, shift in prop::collection::vec(-1.0..1.0f64, 97), c in 0.5..50.0f64) {
        let mechanism = try_compile(&machine(&values, modes, ONE)).expect("compiled");
        for formulation in [Formulation::I3, Formulation::Si2, Formulation::Si1] {
            let mut equations = Equations::new(mechanism.clone(), formulation, mechanism.start());
            let n = equations.dimension();
            let (mut y, mut yp) = (vec![0.0; n], vec![0.0; n]);
            equations.write(mechanism.start(), &mut y, &mut yp);
            for k in 0..n {
                y[k] += 0.05 * shift[k % 97];
                yp[k] += 3.0 * shift[(7 * k + 3) % 97];
                // What mu does to places is taken at mu = 0, its solution.
                match equations.unknowns()[k].kind {
                    kinds::STABILIZER => y[k] = 0.0,
                    kinds::STABILIZER_INTEGRAL => yp[k] = 0.0,
                    _ => {}
                }
            }
            let pattern = equations.pattern().clone();
            let mut exact = vec![0.0; pattern.nnz()];
            equations.jacobian(0.0, &y, &yp, c, &mut exact).expect("a matrix");
            let mut dense = nalgebra::DMatrix::zeros(n, n);
            pattern.entries().zip(&exact).for_each(|((column, row), value)| dense[(row, column)] = *value);
            let mut at = |column: usize, step: f64| {
                let (mut y, mut yp, mut r) = (y.clone(), yp.clone(), vec![0.0; n]);
                y[column] += step;
                yp[column] += c * step;
                equations.residual(0.0, &y, &yp, &mut r).expect("a residual");
                nalgebra::DVector::from_vec(r)
            };
            for column in 0..n {
                let h = 1e-6;
                let difference = (at(column, h) - at(column, -h)) / (2.0 * h);
                let off = (&difference - dense.column(column)).amax();
                prop_assert!(off < 1e-6 * (1.0 + difference.amax()), "{formulation:?} {} of {}: {off:e}", equations_name(column), difference.amax());
            }
        }
    }
}

fn equations_name(column: usize) -> String {
    format!("column {column}")
}

/// Masses of the nodes move as bodies of their own; which points are nodes must not matter.
#[test]
fn the_motion_is_that_of_point_masses_tied_to_the_modes() {
    let values: Vec<f64> = (0..61).map(|k| ((k * k * 7 + 3 * k) % 61) as f64 / 30.5 - 1.0).collect();
    let times = [0.1, 0.35, 0.8];
    let methods: [(Method, Formulation); 4] = [
        (Gstiff::with_tolerance(1e-10).into(), Formulation::Si2),
        (Gstiff::with_tolerance(1e-10).into(), Formulation::Si1),
        (Gstiff::with_tolerance(1e-11).into(), Formulation::I3),
        (Rkf45::with_tolerance(1e-11).into(), Formulation::Si2),
    ];
    for modes in [1, 4] {
        let of = |named: [bool; 5], k: usize| {
            let mechanism = try_compile(&machine(&values, modes, named)).expect("compiled");
            assert_eq!(mechanism.degrees_of_freedom(), 6 + modes);
            named_measures(&mechanism, methods[k].clone(), &times)
        };
        let reference = of([true; 5], 0);
        for k in 0..4 {
            let mut worst = 0.0_f64;
            let found = of(ONE, k);
            for ((found, reference), t) in found.iter().zip(&reference).zip(times) {
                for (name, value) in reference {
                    let off = (found[name] - value).abs() / (1.0 + value.abs());
                    worst = worst.max(off);
                    assert!(off < 1e-8, "{modes} modes, method {k}, {name}({t}) = {value}: {off:e}");
                }
            }
            println!("{modes} modes, method {k}: {worst:.1e}");
        }
    }
}
