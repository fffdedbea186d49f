//! Impacts: bouncing balls, oblique bounces, cradles, rods that fall.

use approx::assert_abs_diff_eq;
use fourbar_contact::law::{Restitution, routh};
use fourbar_contact::stepping::Backend;
use fourbar_multibody::State;
use fourbar_multibody::space::V3;
use nalgebra::{Matrix3, Vector3};

use super::scenes::*;
use super::tools::*;

#[test]
fn balls_bounce_to_rest() {
    for (e, rest, end) in [(0.5, "ball_h1_e0.5", 2.0), (0.8, "ball_h1_e0.8", 5.0)] {
        let rest = number(&reference()[rest], "t_zeno");
        for way in WAYS {
            let scene = ball(e);
            let seen = |state: &State| state.poses[0].x.y - 0.1;
            first_order_on_average(&format!("ball, e = {e}, height"), way, 4.0, |h| {
                scene.mean_error(way, h, end, seen, |t| height(t, e))
            });
            // At rest but for hops of a few steps, which Moreau and Jean's scheme keeps up to g h/(2 (1 - e)).
            within(&format!("ball, e = {e}, time of rest"), way, 60.0, |h| {
                let mut last = 0.0;
                let mut carried = 0.0;
                scene.run(way, h, end, |state, record| {
                    if state.poses[0].v.norm() > 4.0 * G * h {
                        last = state.time;
                    }
                    carried += record.impulse;
                });
                // All that the floor gave is what gravity took.
                assert_abs_diff_eq!(carried, G * end, epsilon = 2.0 * G * h);
                (last - rest).abs()
            });
        }
    }
}

#[test]
fn balls_that_lose_nothing_do_not_drift() {
    // Where a ball turns: 100 apexes, the last ones as high as the first.
    for way in WAYS {
        let scene = ball(1.0);
        first_order("ball, e = 1, apex", way, 4.0, |h| {
            let (mut apexes, mut before) = (Vec::new(), [1.1, 1.1]);
            scene.run(way, h, 90.0, |state, _| {
                let y = state.poses[0].x.y;
                if before[1] > before[0] && before[1] > y {
                    apexes.push(before[1] - 1.1);
                }
                before = [before[1], y];
            });
            let worst = |part: &[f64]| part.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
            worst(&apexes)
        });
    }
}

#[test]
fn spheres_bounce_obliquely() {
    // Thrown from 1 cm above the floor so that they arrive with vn; what gravity adds in the flight is known.
    for case in reference()["sphere_oblique"].as_array().unwrap() {
        let [vn, e, mu] = ["vn", "e", "mu"].map(|key| number(case, key));
        let scene = oblique(case);
        let start = fallen(vn);
        let (arrives, end) = ((-start - vn) / G, (-start - vn) / G + 0.1);
        for way in WAYS {
            within(&format!("sphere, vn = {vn}, mu = {mu}"), way, 40.0, |h| {
                let stepper = scene.run(way, h, end, |_, _| ());
                let (pose, t) = (stepper.state().poses[0], stepper.time());
                let up = -e * vn - G * (t - arrives);
                let wrong =
                    V3::new(pose.v.x - number(case, "vt_plus"), pose.v.y - up, pose.w.z + number(case, "omega_plus"));
                wrong.amax()
            });
        }
    }
}

/// Speeds of the balls of a cradle in the end over that of the first.
fn cradle_ends(way: Way, h: f64, apart: f64, e: &[f64]) -> Vec<f64> {
    let stepper = cradle(apart, e).run(way, h, 0.2, |_, _| ());
    stepper.state().poses.iter().map(|p| p.v.x / 2.0).collect()
}

#[test]
fn cradles_collide_at_once_or_one_after_the_other() {
    for way in WAYS {
        for e in [1.0, 0.6, 0.0] {
            let other = (1.0 + e) / 5.0;
            let expected = [(1.0 - 4.0 * e) / 5.0, other, other, other, other];
            assert_abs_diff_eq!(cradle_ends(way, 1e-3, 0.0, &[e; 4]).as_slice(), expected.as_slice(), epsilon = 1e-8);
        }
        // Newton's law, contact by contact.
        let third = 1.0 / 3.0;
        assert_abs_diff_eq!(cradle_ends(way, 1e-3, 0.0, &[0.0, 1.0]).as_slice(), [third; 3].as_slice(), epsilon = 1e-8);
        let expected = [-third, 2.0 * third, 2.0 * third];
        assert_abs_diff_eq!(cradle_ends(way, 1e-3, 0.0, &[1.0, 0.0]).as_slice(), expected.as_slice(), epsilon = 1e-8);
        // Gaps that take more than a step to close make a toy of it.
        let expected = [0.0, 0.0, 0.0, 0.0, 1.0];
        assert_abs_diff_eq!(cradle_ends(way, 1e-4, 1e-3, &[1.0; 4]).as_slice(), expected.as_slice(), epsilon = 1e-8);
    }
}

fn tip(state: &State) -> V3 {
    let pose = &state.poses[0];
    pose.v + pose.w.cross(&(pose.a * V3::new(-1.0, 0.0, 0.0)))
}

#[test]
fn rods_rebound_by_newtons_law() {
    // Without gravity, so that all velocities are those of the impact.
    for case in reference()["rod_impacts"].as_array().unwrap() {
        let [theta, vn, vt, mu, e] = ["theta_deg", "vn", "vt", "mu", "e"].map(|key| number(case, key));
        let scene = rod(theta.to_radians(), [vt, vn], [0.0; 3], mu, e);
        let expected = [number(&case["newton"], "vt_plus"), number(&case["newton"], "vn_plus")];
        for way in WAYS {
            let what = format!("rod, theta = {theta}, mu = {mu}, velocity of the tip");
            within(&what, way, 1.5, |h| {
                let mut after = V3::zeros();
                scene.run(way, h, 0.02, |state, record| {
                    if record.active > 0 {
                        after = tip(state);
                    }
                });
                (after.x - expected[0]).hypot(after.y - expected[1])
            });
        }
    }
}

#[test]
fn newtons_law_of_a_rod_does_not_gain_energy() {
    // Kane's rod: Newton's law would create 0.125 J. Alone the contact follows the energetic law instead; in global form the rebound is
    // lowered until nothing is created.
    let extreme = &reference()["rod_energy_extremes"]["newton"];
    assert!(number(extreme, "energy_change") > 0.12);
    let scene = rod(55.0_f64.to_radians(), [0.7, -1.0], [0.0; 3], 0.8, 1.0);
    let w = {
        let (s, c) = 55.0_f64.to_radians().sin_cos();
        Matrix3::new(1.0 + 3.0 * c * c, -3.0 * s * c, 0.0, -3.0 * s * c, 1.0 + 3.0 * s * s, 0.0, 0.0, 0.0, 1.0)
    };
    let single = routh::impact(&w, &Vector3::new(-1.0, 0.7, 0.0), 0.8, 1.0, Restitution::Energetic).unwrap();
    let loss = 0.5 * single.impulse.dot(&(single.rates + Vector3::new(-1.0, 0.7, 0.0)));
    for way in WAYS {
        let expected = if way.backend == Backend::Global { 0.0 } else { loss };
        let before = scene.start(way, 1e-3).record().kinetic;
        within("rod, energy", way, 2.0, |h| {
            let mut replaced = 0;
            let stepper = scene.run(way, h, 0.02, |_, record| replaced += usize::from(record.replaced));
            assert_eq!(replaced, 1);
            assert!(stepper.record().kinetic <= before * (1.0 + 1e-9));
            (stepper.record().kinetic - before - expected).abs()
        });
    }
}

#[test]
fn rods_that_fall_flat_do_not_turn() {
    // Simultaneous: both ends rebound with e v, whatever the inertia.
    let a = 0.5;
    for rho in [a / 3.0_f64.sqrt(), a] {
        for way in WAYS {
            let scene = falling(rho, a, [1.0; 2], 0.5);
            first_order_on_average(&format!("flat rod, rho = {rho:.2}"), way, 0.8, |h| {
                scene.mean_error(way, h, 2.0, |s| s.poses[0].x.y, |t| height(t, 0.5))
            });
            let stepper =
                scene.run(way, 1e-3, 2.0, |state, _| assert!(state.poses[0].w.norm() <= 1e-7, "{}", way.name));
            assert!(stepper.state().poses[0].v.norm() <= 1e-8, "{}", way.name);
        }
    }
}

#[test]
fn dumbbells_bounce_end_by_end() {
    // Point masses at both ends, W12 = 0: two balls. Tilted by 1 mm in 1 m, in which sin and its argument agree to 1e-10.
    let a = 0.5;
    for way in WAYS {
        let scene = falling(a, a, [1.0, 1.001], 0.5);
        for (sign, name, delay) in [(-1.0, "left", 0.0), (1.0, "right", 1e-3)] {
            let seen = move |s: &State| (s.poses[0].x + s.poses[0].a * V3::new(sign * a, 0.0, 0.0)).y;
            // From 1 m + delay: times and heights scale.
            let scale: f64 = 1.0 + delay;
            let expected = move |t: f64| scale * height(t / scale.sqrt(), 0.5);
            first_order_on_average(&format!("dumbbell, {name}"), way, 0.8, |h| {
                scene.mean_error(way, h, 2.0, seen, expected)
            });
        }
    }
}

#[test]
fn rods_without_rebound_stay_down() {
    // e = 0, ends down one after the other: infinitely many impacts at once one by one; here rest with the impulse m v.
    for way in WAYS {
        let scene = falling(0.5 / 3.0_f64.sqrt(), 0.5, [0.1, 0.1], 0.0);
        let mut impulse = 0.0;
        let stepper = scene.run(way, 1e-3, 0.3, |_, record| impulse += record.impulse);
        let pose = &stepper.state().poses[0];
        assert!(
            pose.v.norm() <= way.rest && pose.w.norm() <= 1e2 * way.rest,
            "{}: {:e} {:e}",
            way.name,
            pose.v.norm(),
            pose.w.norm()
        );
        assert_abs_diff_eq!(impulse, G * 0.3, epsilon = 1e-7);
    }
}
