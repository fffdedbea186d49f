//! Leaning, standing and rocking: the ladder, the box on four points, stacks, a groove, the rocking block.

use approx::assert_abs_diff_eq;
use fourbar_contact::model::*;
use fourbar_contact::unilateral::Contacts as _;
use fourbar_multibody::State;
use fourbar_multibody::model::{Body, vector};
use fourbar_multibody::space::{Pose, V3};
use std::f64::consts::{FRAC_PI_2, PI};

use super::tools::*;
use crate::support::body;

/// A ladder of 1 m and 1 kg, smooth, let go at 60 degrees against the wall x = 0.
fn ladder() -> Scene {
    let angle = 60.0_f64.to_radians();
    let at = [0.5 * angle.cos(), 0.5 * angle.sin(), 0.0];
    let rod = body("ladder", 1.0, [1e-3, 1.0 / 12.0, 1.0 / 12.0], at, PI - angle);
    let foot = point_on("foot", "ladder", [-0.5, 0.0, 0.0], floor(0.0));
    let head = point_on("head", "ladder", [0.5, 0.0, 0.0], floor(-FRAC_PI_2));
    Scene::new(DOWN, vec![rod], vec![foot, head])
}

/// Angle and rate at `t`, theta'' = -(3 g/2 L) cos theta.
fn leaning(t: f64) -> [f64; 2] {
    rk4([60.0_f64.to_radians(), 0.0], t, |y| [y[1], -1.5 * G * y[0].cos()])
}

#[test]
fn ladders_leave_the_wall() {
    let expected = &reference()["ladder_L1_60deg"];
    let [leaves, angle, rate, speed] =
        ["t_leave", "theta_leave", "theta_dot", "x_c_dot"].map(|key| number(expected, key));
    assert_abs_diff_eq!(leaning(leaves).as_slice(), [angle, rate].as_slice(), epsilon = 1e-10);
    // What the floor gave until 0.3 s is what falls short of free fall.
    let [at, falls] = leaning(0.3);
    let given = G * 0.3 + 0.5 * falls * at.cos();
    for way in WAYS {
        // Time of the last touch of the wall, impulse of the floor until 0.3 s, speed at the end.
        let seen = |h: f64| {
            let mut stepper = ladder().start(way, h);
            let (mut last, mut floor) = (0.0, 0.0);
            while stepper.time() < 0.4 - 1e-9 {
                stepper.step().unwrap();
                for contact in stepper.contacts().iter().filter(|c| c.impulse[0] > 1e-9) {
                    match contact.id.pair {
                        0 if stepper.time() < 0.3 + 0.5 * h => floor += contact.impulse[0],
                        1 => last = stepper.time(),
                        _ => {}
                    }
                }
            }
            [last, floor, stepper.state().poses[0].v.x]
        };
        let angle = |state: &State| state.poses[0].x.y.atan2(state.poses[0].x.x);
        first_order("ladder, angle", way, 1.0, |h| ladder().mean_error(way, h, 0.3, angle, |t| leaning(t)[0]));
        first_order("ladder, speed in the end", way, 0.6, |h| (seen(h)[2] - speed).abs());
        within("ladder, impulse of the floor", way, 10.0, |h| (seen(h)[1] - given).abs());
        within("ladder, time at the wall", way, 5.0, |h| (seen(h)[0] - leaves).abs());
    }
}

#[test]
fn boxes_rest_on_four_points() {
    let (a, b) = (0.15, 0.1);
    for (x, z, mu) in [(0.0, 0.0, 0.0), (0.03, -0.02, 0.0), (0.0, 0.0, 0.7), (0.06, 0.03, 0.4)] {
        let size = [2.0 * a, 0.1, 2.0 * b];
        // The box is centred on its frame, the centre of mass is off by (x, z).
        let block = Body { center_of_mass: vector([x, 0.0, z]), ..block(size, [0.0, 0.05, 0.0], 0.0) };
        let scene = Scene::new(DOWN, vec![block], vec![block_on(size, mu)]);
        for way in WAYS {
            let h = 1e-3;
            let stepper = scene.run(way, h, 0.1, |state, _| {
                let pose = &state.poses[0];
                assert!(
                    pose.v.norm() <= way.rest && pose.w.norm() <= 10.0 * way.rest,
                    "{} {:e} {:e}",
                    way.name,
                    pose.v.norm(),
                    pose.w.norm()
                );
            });
            let (mut set, mut found) = (stepper.detector().clone(), Vec::new());
            let poses = [stepper.state().poses[0], Pose::ground()];
            set.find(stepper.time(), &poses, 1e-9, &mut found).unwrap();
            // Sum N = m g, sum N r = 0 about the centre of mass.
            let mut sums = V3::zeros();
            for (contact, done) in found.iter().zip(stepper.contacts()) {
                assert_eq!(contact.id, done.id);
                let (force, arm) = (done.impulse[0] / h, contact.point.unwrap() - poses[0].x);
                sums += V3::new(arm.x, 1.0, arm.z) * force;
            }
            assert_abs_diff_eq!(sums.as_slice(), [0.0, G, 0.0].as_slice(), epsilon = 1e-10_f64.max(1e3 * way.rest));
        }
    }
    // The centre of mass beyond the edge: it topples.
    let size = [2.0 * a, 0.1, 2.0 * b];
    let block = Body { center_of_mass: vector([0.16, 0.0, 0.0]), ..block(size, [0.0, 0.05, 0.0], 0.0) };
    let scene = Scene::new(DOWN, vec![block], vec![block_on(size, 0.5)]);
    for way in WAYS {
        let stepper = scene.run(way, 1e-3, 0.2, |_, _| ());
        assert!(stepper.state().poses[0].w.z < -1e-2 && stepper.record().active == 2, "{}", way.name);
    }
}

/// Half width 0.1 m, half height 0.3 m, as deep as wide; on the corners at x = +-0.1 of its lower face, let go at alpha/2.
fn rocking() -> Scene {
    let (b, h) = (0.1_f64, 0.3_f64);
    let tilt = 0.5 * (b / h).atan();
    let (s, c) = tilt.sin_cos();
    let size = [2.0 * b, 2.0 * h, 2.0 * b];
    // Turned to the right about its lower right corner, which stands in the origin.
    let block = block(size, [-b * c + h * s, b * s + h * c, 0.0], -tilt);
    Scene::new(DOWN, vec![block], vec![block_on(size, 2.0)])
}

#[test]
fn blocks_rock() {
    let expected = &reference()["rocking_b0.1_h0.3"];
    let [quarter, ratio] = ["quarter_period_exact", "omega_ratio"].map(|key| number(expected, key));
    for way in WAYS {
        // Angle and rate before and after it crosses the middle.
        let seen = |h: f64| {
            let angle = |state: &State| state.poses[0].a[(1, 0)].asin();
            let mut states = Vec::new();
            rocking().run(way, h, 0.3, |state, _| states.push((state.time, angle(state), state.poses[0].w.z)));
            let k = states.iter().position(|s| s.1 > 0.0).expect("it falls back");
            (states, k)
        };
        within("rocking, time of the impact", way, 4.0, |h| {
            let (states, k) = seen(h);
            let [(t0, a0, _), (t1, a1, _)] = [states[k - 1], states[k]];
            (t0 - a0 * (t1 - t0) / (a1 - a0) - quarter).abs()
        });
        within("rocking, ratio of the rates", way, 20.0, |h| {
            let (states, k) = seen(h);
            // The impact fills a step or two.
            (states[k + 1].2 / states[k - 2].2 - ratio).abs()
        });
    }
}

#[test]
fn stacks_carry_the_weight_above() {
    let size = [0.2; 3];
    let name = |k: usize| format!("box {k}");
    let bodies = (0..5).map(|k| body(&name(k), 1.0, [0.04 / 6.0; 3], [0.0, 0.1 + 0.2 * k as f64, 0.0], 0.0));
    let shape = |k: usize| Shape {
        name: name(k),
        on: name(k).as_str().into(),
        group: Some("stack".into()),
        geometry: Geometry::Box(BoxShape { size: vector(size) }),
    };
    let ground = Shape {
        name: "floor".into(),
        on: floor(0.0),
        group: Some("stack".into()),
        geometry: Geometry::HalfSpace(HalfSpaceShape {}),
    };
    let kind = ContactKind::Shapes(Shapes { i: "stack".into(), j: None, joined: false });
    let mut scene = Scene::new(DOWN, bodies.collect(), vec![Contact::new("stack", kind).with_friction(0.5)]);
    scene.contacts.shapes = (0..5).map(shape).chain([ground]).collect();
    for way in WAYS {
        let stepper = scene.run(way, 5e-3, 0.5, |_, _| ());
        let mut carried = std::collections::BTreeMap::new();
        for contact in stepper.contacts() {
            *carried.entry(stepper.detector().describe(contact.id)).or_insert(0.0) += contact.impulse[0] / 5e-3;
        }
        let carried: Vec<(String, f64)> = carried.into_iter().collect();
        let mut sums: Vec<f64> = carried.iter().map(|c| c.1).filter(|f| *f > 1e-6).collect();
        sums.sort_by(f64::total_cmp);
        let expected: Vec<f64> = (1..=5).map(|k| k as f64 * G).collect();
        assert_abs_diff_eq!(sums.as_slice(), expected.as_slice(), epsilon = 1e-6);
    }
}

#[test]
fn spheres_lean_on_both_faces_of_a_groove() {
    let beta = 0.7_f64;
    let ball = body("ball", 1.0, [0.004; 3], [0.0, 0.1 / beta.cos(), 0.0], 0.0);
    let other = Contact { name: "other".into(), ..ball_on("ball", 0.1, floor(-beta)) };
    let scene = Scene::new(DOWN, vec![ball], vec![ball_on("ball", 0.1, floor(beta)), other]);
    for way in WAYS {
        let stepper = scene.run(way, 1e-3, 0.1, |state, _| {
            assert!(state.poses[0].v.norm() <= way.rest, "{} {:e}", way.name, state.poses[0].v.norm())
        });
        for contact in stepper.contacts() {
            assert_abs_diff_eq!(
                contact.impulse[0] / 1e-3,
                G / (2.0 * beta.cos()),
                epsilon = 1e-9_f64.max(1e3 * way.rest)
            );
        }
        assert_eq!(stepper.contacts().len(), 2);
    }
}
