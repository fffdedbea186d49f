//! Stability limits: the one-step map of the master itself, from unit states, and its spectral radius.

use fourbar_coupling::{Acceleration, Algorithm, Options, Order};
use nalgebra::DMatrix;
use serde_json::Value;

use crate::oscillator::system::{CASES, Oscillator, SCHEMES, reference, scheme, state};

/// Spectral radius of the map of (state now, state at -H, state at -2 H) over one communication step. The inputs that passed are
/// functions of these states, because each exchange brings the force up to date.
fn spectral_radius(oscillator: &Oscillator, name: &str, h: f64) -> f64 {
    let mut map = DMatrix::zeros(12, 12);
    for column in 0..12 {
        let mut z = [[0.0; 4]; 3];
        z[column / 4][column % 4] = 1.0;
        let mut master = oscillator.master(&z, &Options::new(h, h, scheme(name)));
        master.step(&mut ()).unwrap();
        for (row, value) in state(&master).into_iter().enumerate() {
            map[(row, column)] = value;
        }
        if column < 8 {
            map[(column + 4, column)] = 1.0;
        }
    }
    map.complex_eigenvalues().iter().map(|value| value.norm()).fold(0.0, f64::max)
}

#[test]
fn limits_are_those_of_the_reference_within_one_percent() {
    let reference = reference();
    for case in CASES {
        let oscillator = Oscillator::of(&reference[case]);
        for name in SCHEMES {
            let limit = reference[case]["stability_limit_H"][name].as_f64().unwrap();
            // Stable all the way up, not only just below the limit.
            for fraction in [0.05, 0.2, 0.4, 0.6, 0.8, 0.9, 0.99] {
                let radius = spectral_radius(&oscillator, name, fraction * limit);
                assert!(radius < 1.0 + 1e-10, "{case}, {name}: {radius} at {fraction} of {limit}");
            }
            let beyond = spectral_radius(&oscillator, name, 1.01 * limit);
            assert!(beyond > 1.0 + 1e-10, "{case}, {name}: {beyond} beyond {limit}");
        }
    }
}

#[test]
fn limits_over_stiffness_and_damping_of_the_coupling() {
    let reference = reference();
    let rows = reference["scan_m1=m2=1_k=10_d=0.1"].as_array().unwrap();
    assert_eq!(rows.len(), 25);
    for row in rows {
        let oscillator = Oscillator::of_scan(row["kc"].as_f64().unwrap(), row["zeta_c"].as_f64().unwrap());
        for name in SCHEMES {
            let Some(limit) = row[name].as_f64() else { continue };
            for (fraction, stable) in [(0.5, true), (0.99, true), (1.01, false)] {
                let radius = spectral_radius(&oscillator, name, fraction * limit);
                assert_eq!(radius < 1.0 + 1e-10, stable, "{row}, {name}: {radius} at {fraction} of {limit}");
            }
        }
    }
}

/// Whether plain repetition converges within one step from a unit state.
fn contracts(oscillator: &Oscillator, order: Order, h: f64) -> bool {
    let algorithm = Algorithm::Iterated {
        order,
        sequence: vec![],
        acceleration: Acceleration::FixedPoint,
        tolerance: 1e-11,
        max_sweeps: 20_000,
    };
    let mut master = oscillator.master(&[[1.0, 0.0, 0.0, 0.0], [0.0; 4], [0.0; 4]], &Options::new(h, h, algorithm));
    // A repetition that diverges may overflow: that ends the run.
    master.step(&mut ()).is_ok() && master.statistics().unconverged == 0
}

#[test]
fn plain_repetition_contracts_up_to_the_limit_of_the_reference() {
    let reference = reference();
    for case in CASES {
        let oscillator = Oscillator::of(&reference[case]);
        for (key, order) in [("fixed_point_contracts_1", Order::Linear), ("fixed_point_contracts_2", Order::Quadratic)]
        {
            match &reference[case]["stability_limit_H"][key] {
                Value::Null => assert!(contracts(&oscillator, order, 2.9), "{case}, {key}"),
                limit => {
                    let limit = limit.as_f64().unwrap();
                    assert!(contracts(&oscillator, order, 0.99 * limit), "{case}, {key}");
                    assert!(!contracts(&oscillator, order, 1.01 * limit), "{case}, {key}");
                }
            }
        }
    }
}
