//! Every scheme at several communication steps: the errors of the sheet, its orders, its largest usable steps.

use fourbar_coupling::{Acceleration, Algorithm, Options, Order};

use crate::press::machine::{Machine, file};
use crate::press::measure::{Errors, measure};

/// Name in the reference, algorithm, order of convergence.
fn schemes() -> Vec<(&'static str, Algorithm, f64)> {
    let jacobi = |order| Algorithm::Jacobi { order };
    let sequential = |first: &str, second: &str, order| Algorithm::GaussSeidel {
        order,
        sequence: vec![first.into(), second.into()],
    };
    let (hydraulics, mechanics) = (|order| sequential("hyd", "mech", order), |order| sequential("mech", "hyd", order));
    let iterated = |order| Algorithm::Iterated {
        order,
        sequence: vec![],
        acceleration: Acceleration::FixedPoint,
        tolerance: 1e-10,
        max_sweeps: 40,
    };
    vec![
        ("patent (Jacobi ZOH, F sampled with old v)", Algorithm::JacobiDelayed, 1.0),
        ("Jacobi ZOH", jacobi(Order::Hold), 1.0),
        ("Jacobi FOH", jacobi(Order::Linear), 2.0),
        ("Jacobi SOH", jacobi(Order::Quadratic), 3.0),
        ("GS hyd-first ZOH", hydraulics(Order::Hold), 1.0),
        ("GS hyd-first FOH", hydraulics(Order::Linear), 2.0),
        ("GS hyd-first SOH", hydraulics(Order::Quadratic), 3.0),
        ("GS mech-first ZOH", mechanics(Order::Hold), 1.0),
        ("GS mech-first FOH", mechanics(Order::Linear), 2.0),
        ("GS mech-first SOH", mechanics(Order::Quadratic), 3.0),
        ("iterated linear", iterated(Order::Linear), 2.0),
        ("iterated quadratic", iterated(Order::Quadratic), 3.0),
    ]
}

/// The algorithm of a scheme by its name in the reference.
pub(crate) fn scheme(name: &str) -> Algorithm {
    let mut schemes = schemes().into_iter();
    schemes.find(|(known, ..)| *known == name).unwrap_or_else(|| panic!("no scheme {name}")).1
}

/// Holds errors against those of the sheet at this step, to 2 %.
pub(crate) fn compare(machine: Machine, name: &str, h: &str, errors: &Errors) {
    let expected = &file("results")[machine.name()][name]["errors"][h];
    for (what, error) in [("ev", errors.velocity), ("eF", errors.force)] {
        let expected = expected[what].as_f64().unwrap();
        println!("{} {name}, H = {h}, {what}: {error:.4e}, sheet {expected:.4e}", machine.name());
        assert!((error / expected - 1.0).abs() < 0.02, "{name}, H = {h}, {what}: {error:e}, sheet {expected:e}");
    }
}

/// With the whole number of steps nearest to H.
fn run(machine: Machine, algorithm: &Algorithm, h: f64) -> Errors {
    let steps = (machine.end() / h).round();
    measure(machine, &Options::new(machine.end(), machine.end() / steps, algorithm.clone()))
}

fn errors_of(machine: Machine, steps: [&str; 2]) {
    let results = &file("results")[machine.name()];
    for (name, algorithm, order) in schemes() {
        let errors = steps.map(|h| run(machine, &algorithm, h.parse().unwrap()));
        for (h, errors) in steps.iter().zip(&errors) {
            let expected = &results[name]["errors"][h];
            for (what, error) in [("ev", errors.velocity), ("eF", errors.force)] {
                // The sheet stops at 0.1 ms for the iterated schemes.
                let Some(expected) = expected[what].as_f64() else { continue };
                println!("{} {name}, H = {h}, {what}: {error:.4e}, sheet {expected:.4e}", machine.name());
                assert!(
                    (error / expected - 1.0).abs() < 0.02,
                    "{name}, H = {h}, {what}: {error:e}, sheet {expected:e}"
                );
            }
        }
        let ratio: f64 = steps[0].parse::<f64>().unwrap() / steps[1].parse::<f64>().unwrap();
        let observed = (errors[0].velocity / errors[1].velocity).ln() / ratio.ln();
        assert!((observed - order).abs() < 0.15, "{name}: order {observed}");
    }
}

#[test]
fn errors_and_orders_on_the_press() {
    errors_of(Machine::Press, ["0.0001", "5e-05"]);
}

#[test]
fn errors_and_orders_on_the_arm() {
    errors_of(Machine::Arm, ["0.0005", "0.0002"]);
}

#[test]
fn largest_usable_steps_on_the_press() {
    let results = &file("results")["press"];
    for (name, algorithm, _) in schemes() {
        let largest = results[name]["largest_usable_H"].as_f64().unwrap();
        let usable = |h: f64| {
            let errors = run(Machine::Press, &algorithm, h);
            println!("{name}: H = {:.3} ms, error {:.3}", 1e3 * h, errors.velocity);
            errors.velocity < 0.15 && errors.statistics.unconverged == 0
        };
        assert!(usable(0.9 * largest), "{name} at 90 % of {largest} s");
        assert!(!usable(1.1 * largest), "{name} at 110 % of {largest} s");
    }
}
