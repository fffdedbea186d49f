//! Closed forms of dynamics with contacts, event-driven to 1e-8: those that the files of single topics leave out.

use crate::closed_forms::scenes;
use crate::closed_forms::tools;
use approx::assert_abs_diff_eq;
use fourbar_contact::event::{EventDriven, EventKind, EventStepper};
use fourbar_contact::law::{ImpactLaw, Restitution};
use fourbar_contact::pair::ContactSet;
use fourbar_multibody::Mechanism;
use fourbar_multibody::space::V3;
use scenes::*;
use std::sync::Arc;
use tools::*;

fn begin(scene: &Scene, law: ImpactLaw, end: f64) -> EventStepper<ContactSet> {
    let mechanism = Arc::new(Mechanism::compile(&scene.model).unwrap());
    let set = ContactSet::compile(&scene.model, &scene.contacts, &mechanism).unwrap();
    EventDriven { law, ..EventDriven::default() }.start(&mechanism, set, mechanism.start(), end).unwrap()
}

fn run(scene: &Scene, end: f64) -> EventStepper<ContactSet> {
    let mut run = begin(scene, ImpactLaw::default(), end);
    run.run().unwrap();
    run
}

#[test]
fn a_block_thrown_uphill_comes_back() {
    let (angle, v, mu) = (20.0_f64.to_radians(), 1.5, 0.2);
    let (up, down) = (G * (angle.sin() + mu * angle.cos()), G * (angle.sin() - mu * angle.cos()));
    let mut run = run(&standing([0.2, 0.04, 0.2], [-v, 0.0, 0.0], downhill(angle), mu), 1.0);
    let back = 1.0 - v / up;
    assert_abs_diff_eq!(run.state().poses[0].x.x, -v * v / (2.0 * up) + 0.5 * down * back * back, epsilon = 1e-8);
    assert_abs_diff_eq!(run.state().poses[0].v.x, down * back, epsilon = 1e-8);
}

#[test]
fn what_skids_ends_up_rolling() {
    let (v, mu, r) = (3.0_f64, 0.25, 0.1);
    for (k, w) in [(1.0, 0.0), (0.5, 0.0), (0.4, 20.0), (0.4, 60.0), (0.4, -100.0)] {
        let slip = v - r * w;
        let (rolls, after) = (slip.abs() / (mu * G * (1.0 + 1.0 / k)), (v + k * r * w) / (1.0 + k));
        let mut run = run(&round(k, v, w, DOWN, mu), rolls + 0.3);
        let stuck = run.log().iter().find(|e| e.kind == EventKind::Stuck(0)).expect("it rolls").time;
        assert_abs_diff_eq!(stuck, rolls, epsilon = 1e-8);
        let pose = run.state().poses[0];
        assert_abs_diff_eq!(pose.v.x, after, epsilon = 1e-8);
        assert_abs_diff_eq!(-r * pose.w.z, after, epsilon = 1e-8);
        let x = v * rolls - slip.signum() * 0.5 * mu * G * rolls * rolls + 0.3 * after;
        assert_abs_diff_eq!(pose.x.x, x, epsilon = 1e-8);
    }
}

#[test]
fn balls_roll_or_skid_downhill() {
    let (angle, k) = (30.0_f64.to_radians(), 0.4);
    let a = G * angle.sin() / (1.0 + k);
    let skid = [G * (angle.sin() - 0.1 * angle.cos()), 0.1 * G * angle.cos() / (k * 0.1)];
    for (mu, expected) in [(0.3, [a, a / 0.1]), (0.1, skid)] {
        let mut run = run(&round(k, 0.0, 0.0, downhill(angle), mu), 1.0);
        let pose = run.state().poses[0];
        assert_abs_diff_eq!([pose.v.x, -pose.w.z].as_slice(), expected.as_slice(), epsilon = 1e-8);
        assert_abs_diff_eq!(pose.x.x, 0.5 * expected[0], epsilon = 1e-8);
    }
}

#[test]
fn spheres_bounce_obliquely() {
    for case in reference()["sphere_oblique"].as_array().unwrap() {
        let [vn, e] = ["vn", "e"].map(|key| number(case, key));
        let mut run = begin(&oblique(case), ImpactLaw::default(), 0.1);
        while run.log().is_empty() {
            run.step().unwrap();
        }
        assert_abs_diff_eq!(run.time(), (-fallen(vn) - vn) / G, epsilon = 1e-10);
        let pose = run.state().poses[0];
        let expected = [number(case, "vt_plus"), -e * vn, -number(case, "omega_plus")];
        assert_abs_diff_eq!([pose.v.x, pose.v.y, pose.w.z].as_slice(), expected.as_slice(), epsilon = 1e-8);
    }
}

#[test]
fn cradles_of_three_tell_newton_from_poisson() {
    let third = 1.0 / 3.0;
    let cases = [
        (Restitution::Newton, [0.0, 1.0], [third; 3]),
        (Restitution::Poisson, [0.0, 1.0], [0.5 * third, 0.5 * third, 2.0 * third]),
        (Restitution::Newton, [1.0, 0.0], [-third, 2.0 * third, 2.0 * third]),
        (Restitution::Poisson, [1.0, 0.0], [-third, 2.0 * third, 2.0 * third]),
    ];
    for (restitution, e, expected) in cases {
        let mut run = begin(&cradle(0.0, &e), ImpactLaw { restitution, ..ImpactLaw::default() }, 0.1);
        run.run().unwrap();
        let found: Vec<f64> = run.state().poses.iter().map(|p| p.v.x / 2.0).collect();
        assert_abs_diff_eq!(found.as_slice(), expected.as_slice(), epsilon = 1e-8);
    }
}

#[test]
fn rods_rebound_by_the_law_they_are_given() {
    let laws =
        [(Restitution::Newton, "newton"), (Restitution::Poisson, "poisson"), (Restitution::Energetic, "stronge")];
    for case in reference()["rod_impacts"].as_array().unwrap() {
        let [theta, vn, vt, mu, e] = ["theta_deg", "vn", "vt", "mu", "e"].map(|key| number(case, key));
        for (restitution, name) in laws {
            let scene = rod(theta.to_radians(), [vt, vn], [0.0; 3], mu, e);
            let mut run = begin(&scene, ImpactLaw { restitution, ..ImpactLaw::default() }, 0.02);
            while run.log().is_empty() {
                run.step().unwrap();
            }
            let pose = run.state().poses[0];
            let tip = pose.v + pose.w.cross(&(pose.a * V3::new(-1.0, 0.0, 0.0)));
            let expected = [number(&case[name], "vt_plus"), number(&case[name], "vn_plus")];
            assert_abs_diff_eq!([tip.x, tip.y].as_slice(), expected.as_slice(), epsilon = 1e-8);
            assert_abs_diff_eq!(run.log()[0].energy, number(&case[name], "energy_change"), epsilon = 1e-8);
        }
    }
}

#[test]
fn sliding_rods_are_pushed_as_far_as_they_press() {
    let (s, c) = 60.0_f64.to_radians().sin_cos();
    for (mu, v, w) in [(0.5, -2.0_f64, 0.0), (0.5, 2.0, 0.0), (0.5, -2.0, 2.0)] {
        let mut run = begin(&sliding_rod(mu, v, w), ImpactLaw::default(), 0.1);
        let b = 1.0 + 3.0 * c * c + 3.0 * mu * v.signum() * s * c;
        assert_abs_diff_eq!(run.forces().unwrap()[0][0], (G - w * w * s) / b, epsilon = 1e-8);
    }
    // A > 0, B > 0: nothing holds it down.
    let run = begin(&sliding_rod(0.5, -2.0, 4.0), ImpactLaw::default(), 0.1);
    assert!(run.closed().is_empty());
}

#[test]
fn dumbbells_bounce_end_by_end() {
    // Two balls from 1 m and 1.00001 m; times and heights scale.
    let a = 0.5;
    let mut run = begin(&falling(a, a, [1.0, 1.00001], 0.5), ImpactLaw::default(), 1.2);
    run.run().unwrap();
    let impacts = |pair: u32| {
        let wanted = move |e: &&fourbar_contact::event::Event| {
            matches!(e.kind, EventKind::Impact(_)) && e.contact.pair == pair && e.impulse > 0.0
        };
        run.log().iter().filter(wanted).map(|e| e.time).collect::<Vec<_>>()
    };
    let first = (2.0 / G).sqrt();
    for (pair, scale) in [(0, 1.0_f64), (1, 1.00001)] {
        for (k, time) in (0..3).zip(impacts(pair)) {
            let expected = first * scale.sqrt() * (1.0 + 2.0 * (1..=k).map(|j| 0.5_f64.powi(j)).sum::<f64>());
            // The tilt changes the inertia seen by the ends by its square.
            assert_abs_diff_eq!(time, expected, epsilon = 1e-8);
        }
    }
}

#[test]
fn rods_that_fall_flat_do_not_turn() {
    let a = 0.5;
    for rho in [a / 3.0_f64.sqrt(), a] {
        for (e, expected) in [(0.5, height(1.2, 0.5)), (0.0, 0.0)] {
            let mut run = begin(&falling(rho, a, [1.0; 2], e), ImpactLaw::default(), 1.2);
            run.run().unwrap();
            let pose = run.state().poses[0];
            assert_abs_diff_eq!(pose.x.y, expected, epsilon = 1e-8);
            assert!(pose.w.norm() <= 1e-10, "{:e}", pose.w.norm());
        }
    }
}
