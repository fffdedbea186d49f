//! Projection in the mass norm: joints closed, nothing pushed into a wall, the closest point when asked for.

use crate::support;
use fourbar_contact::configuration::Configuration;
use fourbar_contact::projection::{Projection, Projector};
use fourbar_multibody::State;
use fourbar_multibody::space::{V3, rotation};
use support::{four_bar, wall, x_a};

/// The four-bar at the wall with its coupler off by `d` \[m\].
fn torn(start: &State, d: f64) -> State {
    let (mut state, theta) = (start.clone(), (-0.3_f64).acos());
    let (c, s) = (theta.cos(), theta.sin());
    let turned = rotation(&V3::new(0.0, 0.0, theta));
    (state.poses[0].x, state.poses[0].a) = (V3::new(0.1 * c, 0.1 * s, 0.0), turned);
    state.poses[1].x = V3::new(0.2 * c + 0.2 + d, 0.2 * s, 0.0);
    (state.poses[2].x, state.poses[2].a) = (V3::new(0.4 + 0.1 * c, 0.1 * s, 0.0), turned);
    state
}

fn projected(exact: bool, margin: f64) -> State {
    let mechanism = four_bar(0.0);
    let mut state = torn(mechanism.start(), -1e-3);
    let mut configuration = Configuration::new(&mechanism, &state).unwrap();
    let options = Projection { exact, iterations: 50, ..Projection::default() };
    let done =
        Projector::default().positions(&options, &mut configuration, &mut wall(0.8), margin, &mut state).unwrap();
    assert!(done.before >= 9e-4 && done.after <= 1e-12, "{done:?}");
    state
}

#[test]
fn a_correction_never_pushes_into_the_wall() {
    for exact in [false, true] {
        // Out of reach of the projection the wall is passed by; within reach it holds.
        let ignored = projected(exact, -1.0);
        assert!(x_a(&ignored) < -0.06 - 1e-5, "{}", x_a(&ignored));
        let held = projected(exact, 0.01);
        assert!(x_a(&held) >= -0.06 - 1e-12, "{}", x_a(&held));
    }
}

#[test]
fn velocities_are_projected_in_one_solve() {
    let mechanism = four_bar(0.0);
    let mut state = torn(mechanism.start(), 0.0);
    (state.poses[1].v, state.poses[2].w) = (V3::new(-1.0, 0.3, 0.0), V3::new(0.0, 0.0, 2.0));
    let mut configuration = Configuration::new(&mechanism, &state).unwrap();
    let found = Projector::default().velocities(&mut configuration, &[], &mut state).unwrap();
    let mut rates = vec![0.0; configuration.row_count()];
    configuration.violation_rates(&mut rates);
    assert!(found > 0.1 && rates.iter().all(|r| r.abs() <= 1e-13), "{found} {rates:?}");
}
