//! Friction by time stepping: sticking, sliding, rolling, jamming, resting on redundant contacts.

use crate::support;
use approx::assert_abs_diff_eq;
use fourbar_contact::stepping::{Backend, Scheme, StepRecord, TimeStepper, TimeStepping};
use fourbar_contact::unilateral::Contacts;
use fourbar_multibody::model::{Body, vector};
use fourbar_multibody::{Mechanism, State};
use std::sync::Arc;
use support::{OnPlane, Planes, body, free};

const G: f64 = 9.81;
const SCHEMES: [Scheme; 3] = [Scheme::GapLcp, Scheme::MoreauJean { theta: 0.5 }, Scheme::Ggl];

fn start<C: Contacts>(scheme: Scheme, h: f64, mechanism: &Arc<Mechanism>, contacts: C) -> TimeStepper<C> {
    let options = TimeStepping { scheme, step: h, ..TimeStepping::default() };
    options.start(mechanism, contacts, mechanism.start()).unwrap()
}

fn run<C: Contacts>(stepper: &mut TimeStepper<C>, end: f64, mut each: impl FnMut(&State, &StepRecord)) {
    while stepper.time() < end - 1e-9 {
        let record = *stepper.step().unwrap();
        each(stepper.state(), &record);
    }
}

fn moving(mut body: Body, v: [f64; 3], w: [f64; 3]) -> Body {
    (body.velocity, body.angular_velocity) = (vector(v), vector(w));
    body
}

/// A box of 1 kg with half sides (a, b, a) on its four lower corners at y = 0.
fn on_corners(a: f64, b: f64, mu: f64, e: f64) -> (Body, Planes) {
    let (x, y) = (4.0 * a * a / 12.0, 4.0 * b * b / 12.0);
    let block = body("block", 1.0, [x + y, 2.0 * x, x + y], [0.0, b, 0.0], 0.0);
    let corners = [[-a, -b, -a], [a, -b, -a], [-a, -b, a], [a, -b, a]];
    (block, Planes(corners.map(|r| OnPlane::point(0, r, [0.0, 1.0, 0.0], 0.0, e, mu)).to_vec()))
}

fn tilted(angle: f64) -> [f64; 3] {
    [G * angle.sin(), -G * angle.cos(), 0.0]
}

#[test]
fn sticking_blocks_do_not_creep() {
    for scheme in SCHEMES {
        let (block, planes) = on_corners(0.1, 0.05, 0.6, 0.0);
        let mechanism = free(vec![block], tilted(0.5));
        let mut stepper = start(scheme, 0.01, &mechanism, planes);
        run(&mut stepper, 10.0, |state, _| {
            assert!(state.poses[0].v.norm() <= 1e-10, "{scheme:?} {:?}", state.poses[0].v)
        });
        assert!(stepper.state().poses[0].x.x.abs() <= 1e-10, "{scheme:?} {:?}", stepper.state().poses[0].x);
    }
}

#[test]
fn sliding_blocks_accelerate_as_coulomb_says() {
    for scheme in SCHEMES {
        let (block, planes) = on_corners(0.1, 0.02, 0.3, 0.0);
        let mechanism = free(vec![block], tilted(0.5));
        let mut stepper = start(scheme, 0.01, &mechanism, planes);
        run(&mut stepper, 1.0, |_, _| ());
        let a = G * (0.5_f64.sin() - 0.3 * 0.5_f64.cos());
        assert_abs_diff_eq!(stepper.state().poses[0].v.x, a, epsilon = 1e-9);
        assert_abs_diff_eq!(stepper.state().poses[0].x.x, 0.5 * a, epsilon = 0.5 * a * 0.011);
    }
}

#[test]
fn friction_is_the_same_in_all_directions() {
    // Thrown flat with (2, 1) m/s, mu = 0.3: straight to (0.759792, 0.379896).
    for scheme in SCHEMES {
        let stop = |h: f64| {
            let (block, planes) = on_corners(0.1, 0.01, 0.3, 0.0);
            let mechanism = free(vec![moving(block, [2.0, 0.0, 1.0], [0.0; 3])], [0.0, -G, 0.0]);
            let mut stepper = start(scheme, h, &mechanism, planes);
            run(&mut stepper, 1.0, |state, _| assert!(state.poses[0].v.y.abs() <= 1e-10, "no lift"));
            assert!(stepper.state().poses[0].v.norm() <= 1e-10);
            let x = stepper.state().poses[0].x;
            assert_abs_diff_eq!(x.x, 2.0 * x.z, epsilon = 1e-9);
            (x.x - 0.759_792_041_284_332_2).hypot(x.z - 0.379_896_020_642_166_1)
        };
        let (coarse, fine) = (stop(4e-3), stop(1e-3));
        assert!(fine <= 3e-3 && fine <= 0.3 * coarse + 1e-6, "{scheme:?} {coarse} {fine}");
    }
}

#[test]
fn skidding_sphere_rolls_on() {
    let reference: serde_json::Value = serde_json::from_str(include_str!("reference/closed_form_values.json")).unwrap();
    let expected = reference["skid_sphere"]["v_roll"].as_f64().unwrap();
    for scheme in SCHEMES {
        let sphere = moving(body("ball", 1.0, [0.4 * 0.01; 3], [0.0, 0.1, 0.0], 0.0), [3.0, 0.0, 0.0], [0.0; 3]);
        let mechanism = free(vec![sphere], [0.0, -G, 0.0]);
        let plane = OnPlane::sphere(0, 0.1, [0.0, 1.0, 0.0], 0.0, 0.0, 0.25);
        let mut stepper = start(scheme, 1e-3, &mechanism, Planes(vec![plane]));
        run(&mut stepper, 0.6, |_, _| ());
        let pose = stepper.state().poses[0];
        assert_abs_diff_eq!(pose.v.x, expected, epsilon = 1e-8);
        assert_abs_diff_eq!(pose.w.z * -0.1, expected, epsilon = 1e-8);
    }
}

#[test]
fn rolling_friction_stops_a_ball() {
    // Rolling torque at most 0.002 m times N: deceleration d = c g/(r (1 + 2/5)) once it rolls.
    let mut plane = OnPlane::sphere(0, 0.1, [0.0, 1.0, 0.0], 0.0, 0.0, 0.5);
    (plane.surface.rolling, plane.surface.spinning) = (0.002, 0.001);
    let sphere = moving(body("ball", 1.0, [0.4 * 0.01; 3], [0.0, 0.1, 0.0], 0.0), [0.2, 0.0, 0.0], [0.0, 0.0, -2.0]);
    let mechanism = free(vec![sphere], [0.0, -G, 0.0]);
    let mut stepper = start(Scheme::GapLcp, 1e-3, &mechanism, Planes(vec![plane]));
    let d = 0.002 * G / (0.1 * 1.4);
    run(&mut stepper, 1.0, |_, _| ());
    assert_abs_diff_eq!(stepper.state().poses[0].v.x, 0.2 - d, epsilon = 1e-8);
    run(&mut stepper, 2.0, |_, _| ());
    assert!(stepper.state().poses[0].v.norm() <= 1e-10);
}

#[test]
fn painleves_rod_jams_and_never_fails() {
    // A rod of half length 1 m sliding on its tip at 60 degrees, mu above 1.347: no finite force holds it, an impulse does.
    let theta = 60.0_f64.to_radians();
    let planes = Planes(vec![OnPlane::point(0, [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], 0.0, 0.0, 1.6)]);
    let rod = body("rod", 1.0, [1e-3, 1.0 / 3.0, 1.0 / 3.0], [theta.cos(), theta.sin(), 0.0], theta);
    let speed = -2.0;
    let mechanism = free(vec![moving(rod, [speed, 0.0, 0.0], [0.0; 3])], [0.0, -G, 0.0]);
    let (h, mut stepper) = (1e-4, start(Scheme::GapLcp, 1e-4, &mechanism, planes));
    let record = *stepper.step().unwrap();
    // p_n = -(3m/4) sin cos v_t, the tip at rest after.
    let expected = -0.75 * theta.sin() * theta.cos() * speed;
    assert_abs_diff_eq!(record.impulse, expected, epsilon = 20.0 * h * G);
    assert!(record.residual <= 1e-10);
    run(&mut stepper, 0.5, |state, record| {
        assert!(record.residual <= 1e-8, "{record:?}");
        assert!(state.poses[0].v.norm().is_finite());
    });
}

#[test]
fn redundant_contacts_carry_the_weight() {
    for scheme in SCHEMES {
        let (block, planes) = on_corners(0.1, 0.05, 0.5, 0.0);
        let mechanism = free(vec![block], [0.0, -G, 0.0]);
        let mut stepper = start(scheme, 1e-3, &mechanism, planes);
        run(&mut stepper, 0.1, |state, _| assert!(state.poses[0].v.norm() < 1e-12 && state.poses[0].w.norm() < 1e-12));
        let forces: Vec<f64> = stepper.contacts().iter().map(|c| c.impulse[0] / 1e-3).collect();
        assert_abs_diff_eq!(forces.iter().sum::<f64>(), G, epsilon = 1e-9);
        assert_abs_diff_eq!(forces[0] + forces[2], G / 2.0, epsilon = 1e-9);
        assert_abs_diff_eq!(forces[0] + forces[1], G / 2.0, epsilon = 1e-9);
    }
}

#[test]
fn balls_that_lose_nothing_keep_their_energy() {
    for scheme in [Scheme::GapLcp, Scheme::Ggl] {
        let mechanism = free(vec![body("ball", 1.0, [0.004; 3], [0.0, 1.1, 0.0], 0.0)], [0.0, -G, 0.0]);
        let plane = OnPlane::sphere(0, 0.1, [0.0, 1.0, 0.0], 0.0, 1.0, 0.0);
        let mut stepper = start(scheme, 1e-3, &mechanism, Planes(vec![plane]));
        let energy = stepper.record().kinetic + stepper.record().potential;
        let mut worst = 0.0_f64;
        run(&mut stepper, 20.0, |_, r| worst = worst.max((r.kinetic + r.potential - energy).abs()));
        assert!(worst <= 2e-2 * energy, "{scheme:?} {worst}");
        let end = stepper.record().kinetic + stepper.record().potential;
        assert!((end - energy).abs() <= 2e-2 * energy, "{scheme:?} {end} {energy}");
    }
}

#[test]
fn a_bouncing_ball_comes_to_rest_in_time() {
    for scheme in SCHEMES {
        let mechanism = free(vec![body("ball", 1.0, [0.004; 3], [0.0, 1.1, 0.0], 0.0)], [0.0, -G, 0.0]);
        let plane = OnPlane::sphere(0, 0.1, [0.0, 1.0, 0.0], 0.0, 0.5, 0.0);
        let mut stepper = start(scheme, 1e-3, &mechanism, Planes(vec![plane]));
        let mut rest = 0.0;
        run(&mut stepper, 1.6, |state, record| {
            assert!(record.gap >= -1e-12);
            if state.poses[0].v.norm() > 1e-9 {
                rest = record.time;
            }
        });
        // Accumulation at 1.354570922957193 s.
        assert!((rest - 1.354_570_922_957_192_7).abs() <= 0.06, "{scheme:?} {rest}");
    }
}

#[test]
fn both_back_ends_agree() {
    // On three feet, so that the forces are the only ones possible; on four, friction of a spinning block is not unique.
    let poses = |backend| {
        let (block, _) = on_corners(0.1, 0.02, 0.3, 0.2);
        let feet = [[0.1, -0.02, 0.0], [-0.05, -0.02, 0.08], [-0.05, -0.02, -0.08]];
        let planes = Planes(feet.map(|r| OnPlane::point(0, r, [0.0, 1.0, 0.0], 0.0, 0.2, 0.3)).to_vec());
        let block = moving(block, [2.0, 0.0, 1.0], [0.0, 5.0, 0.0]);
        let mechanism = free(vec![block], [0.0, -G, 0.0]);
        let options = TimeStepping { step: 1e-3, backend, ..TimeStepping::default() };
        let mut stepper = options.start(&mechanism, planes, mechanism.start()).unwrap();
        run(&mut stepper, 0.3, |_, _| ());
        stepper.state().poses[0]
    };
    let (reduced, global) = (poses(Backend::Reduced), poses(Backend::Global));
    assert_abs_diff_eq!((reduced.x - global.x).norm(), 0.0, epsilon = 1e-8);
    assert_abs_diff_eq!((reduced.v - global.v).norm(), 0.0, epsilon = 1e-7);
}

#[test]
fn runs_are_identical_to_the_bit() {
    let end = || {
        let (block, planes) = on_corners(0.1, 0.02, 0.3, 0.5);
        let block = Body { position: vector([0.0, 0.3, 0.0]), ..moving(block, [2.0, 0.0, 1.0], [0.3, 2.0, -0.4]) };
        let mechanism = free(vec![block], [0.0, -G, 0.0]);
        let mut stepper = start(Scheme::GapLcp, 1e-3, &mechanism, planes);
        run(&mut stepper, 0.5, |_, _| ());
        stepper.state().clone()
    };
    assert_eq!(end(), end());
}
