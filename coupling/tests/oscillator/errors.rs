//! Errors over 0..10 s from the exact past, against the reference's own errors.

use fourbar_coupling::Options;

use crate::oscillator::system::{CASES, Oscillator, SCHEMES, reference, scheme, state};

/// max |x1 - exact| at the communication points.
fn error(oscillator: &Oscillator, name: &str, h: f64) -> f64 {
    let mut master = oscillator.master(&oscillator.start(h), &Options::new(10.0, h, scheme(name)));
    let step = fourbar_lti::GMatrices::new(&oscillator.together(), h, 0).unwrap();
    let mut exact = nalgebra::DVector::from_vec(vec![1.0, 0.0, 0.0, 0.0]);
    let mut largest = 0.0f64;
    for _ in 0..(10.0 / h).round() as usize {
        if master.step(&mut ()).is_err() {
            return f64::INFINITY;
        }
        exact = step.exp() * exact;
        largest = largest.max((state(&master)[0] - exact[0]).abs());
    }
    largest
}

#[test]
fn errors_are_those_of_the_reference() {
    let reference = reference();
    let steps: Vec<f64> =
        reference[CASES[0]]["err_H"].as_array().unwrap().iter().map(|h| h.as_f64().unwrap()).collect();
    for case in CASES {
        let oscillator = Oscillator::of(&reference[case]);
        for name in SCHEMES {
            for (k, &h) in steps.iter().enumerate() {
                let Some(expected) = reference[case]["max_err_x1_0_10"][name][k].as_f64() else { continue };
                if expected > 1e3 {
                    continue;
                }
                let error = error(&oscillator, name, h);
                assert!(
                    (error / expected - 1.0).abs() < 1e-3,
                    "{case}, {name}, H = {h}: {error:e}, expected {expected:e}"
                );
            }
        }
    }
}
