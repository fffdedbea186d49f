//! A closed loop over a hundred thousand steps: constraints stay at round-off, the energy stays within the error that local errors add up to.

use crate::support;

use fourbar_multibody::integrator::Gstiff;
use fourbar_multibody::{Dynamics, DynamicsOptions, Formulation, Mechanism};
use std::sync::Arc;
use support::linkages::{Follower, Linkage};

/// Largest violations of positions \[m\] and velocities \[m/s\], and the energy error relative to the energy at the start.
fn run(formulation: Formulation, tolerance: f64, steps: u64) -> [f64; 3] {
    let follower = Follower::Rocker { length: 3.0, pivot: 3.5 };
    let linkage = Linkage { follower, turn: None, ..Linkage::slider_crank(1.0) };
    let mechanism = Arc::new(Mechanism::compile(&linkage.model()).expect("it compiles"));
    let method = Gstiff::with_tolerance(tolerance).into();
    let options = DynamicsOptions { formulation, method, end: f64::INFINITY, stop_times: vec![] };
    let mut dynamics = Dynamics::new(&mechanism, &options).expect("it starts");
    let [mut position, mut velocity]: [f64; 2] = [0.0; 2];
    while dynamics.statistics().steps < steps {
        let _ = dynamics.step().expect("a step");
        // Now and then: as often as a period of the crank is passed once more.
        if dynamics.statistics().steps.is_multiple_of(97) {
            let violation = dynamics.violation().expect("violations");
            position = position.max(violation.position);
            velocity = velocity.max(violation.velocity);
        }
    }
    let energy = dynamics.energy().expect("energy");
    let error = (energy.balance_error / energy.start).abs();
    println!(
        "{formulation:?} {tolerance:e}: {position:.1e} m, {velocity:.1e} m/s, energy {error:.1e} after {:.0} s",
        dynamics.time()
    );
    [position, velocity, error]
}

#[test]
fn a_four_bar_turns_for_a_hundred_thousand_steps() {
    for (formulation, tolerance) in [(Formulation::Si2, 1e-11), (Formulation::Si1, 1e-11), (Formulation::I3, 1e-12)] {
        let [position, velocity, energy] = run(formulation, tolerance, 100_000);
        // Of ways of 4 m Newton's iteration leaves 0.03 of a tolerance of 1e-11 times 0.4 of the way; index 3 does not test velocities.
        assert!(position < 5e-13 && velocity < 1e-9, "{formulation:?}: {position:e} m, {velocity:e} m/s");
        // As many local errors of the tolerance, were they of one sign.
        assert!(energy < 1e-6, "{formulation:?}: {energy:e}");
    }
}
