//! Friction: blocks that stick, slide and tip, balls that skid and roll, the rod that jams.

use approx::assert_abs_diff_eq;
use fourbar_contact::stepping::TimeStepping;
use fourbar_multibody::space::V3;
use fourbar_multibody::{Mechanism, State};
use std::sync::Arc;

use super::scenes::*;
use super::tools::*;
use crate::support::{OnPlane, Planes};

const FLAT: [f64; 3] = [0.2, 0.04, 0.2];

fn x(state: &State) -> f64 {
    state.poses[0].x.x
}

#[test]
fn blocks_that_stick_do_not_creep() {
    for way in WAYS {
        let scene = standing([0.2, 0.1, 0.2], [0.0; 3], downhill(0.5), 0.6);
        let stepper = scene.run(way, 0.01, 10.0, |state, _| {
            assert!(state.poses[0].v.norm() <= 1e-10_f64.max(way.rest), "{}: {:e}", way.name, state.poses[0].v.norm());
        });
        assert!(x(stepper.state()).abs() <= 1e-10_f64.max(10.0 * way.rest), "{}", way.name);
    }
}

#[test]
fn blocks_slide_downhill() {
    let a = G * (0.5_f64.sin() - 0.3 * 0.5_f64.cos());
    for way in WAYS {
        let scene = standing(FLAT, [0.0; 3], downhill(0.5), 0.3);
        first_order("slide downhill", way, 2.0, |h| scene.mean_error(way, h, 1.0, x, |t| 0.5 * a * t * t));
    }
}

#[test]
fn blocks_thrown_uphill_stop_and_stick_or_come_back() {
    // tan 20 degrees = 0.364.
    let (angle, v) = (20.0_f64.to_radians(), 1.5);
    for mu in [0.5, 0.2] {
        let (up, down) = (G * (angle.sin() + mu * angle.cos()), G * (angle.sin() - mu * angle.cos()).max(0.0));
        let (stop, length) = (v / up, v * v / (2.0 * up));
        let expected = |t: f64| {
            if t < stop { -v * t + 0.5 * up * t * t } else { -length + 0.5 * down * (t - stop).powi(2) }
        };
        for way in WAYS {
            let scene = standing(FLAT, [-v, 0.0, 0.0], downhill(angle), mu);
            first_order(&format!("thrown uphill, mu = {mu}"), way, 1.5, |h| scene.mean_error(way, h, 1.0, x, expected));
            let stepper = scene.run(way, 1e-3, 1.0, |_, _| ());
            let speed = stepper.state().poses[0].v.norm();
            assert!(if down == 0.0 { speed <= 1e-10_f64.max(way.rest) } else { speed > 0.5 }, "{}: {speed}", way.name);
        }
    }
}

#[test]
fn friction_is_the_same_in_all_directions() {
    let stop = reference()["pyramid_stop_times"]["cone_stop_xy"].clone();
    let [ex, ez] = [0, 1].map(|k: usize| stop[k].as_f64().unwrap());
    for way in WAYS {
        let scene = standing([0.2, 0.02, 0.2], [2.0, 0.0, 1.0], DOWN, 0.3);
        first_order("thrown flat", way, 2.0, |h| {
            let stepper = scene.run(way, h, 1.0, |state, _| {
                let pose = &state.poses[0];
                assert!(
                    pose.v.y.abs() <= 1e-10_f64.max(way.rest) && (pose.x.y - 0.01).abs() <= 1e-9,
                    "{}: no lift",
                    way.name
                );
                assert!((pose.x.x - 2.0 * pose.x.z).abs() <= 1e-8, "{}: straight", way.name);
            });
            let pose = stepper.state().poses[0];
            assert!(pose.v.norm() <= 1e-10_f64.max(way.rest), "{}: {:e}", way.name, pose.v.norm());
            (pose.x.x - ex).hypot(pose.x.z - ez)
        });
    }
}

#[test]
fn pushes_that_grow_break_blocks_away() {
    let (rate, mu) = (10.0, 0.3);
    let breaks = mu * G / rate;
    for way in WAYS {
        let mut scene = standing([0.3, 0.1, 0.2], [0.0; 3], DOWN, mu);
        push(&mut scene, &format!("{rate}*time"));
        let expected = |t: f64| rate * (t - breaks).max(0.0).powi(3) / 6.0;
        first_order("break away, x", way, 0.3, |h| scene.mean_error(way, h, breaks + 0.5, x, expected));
        within("break away, time", way, 3.0, |h| {
            let mut slips = f64::INFINITY;
            scene.run(way, h, breaks + 0.1, |state, _| {
                if state.poses[0].v.norm() > 1e-6 {
                    slips = slips.min(state.time);
                }
            });
            (slips - breaks).abs()
        });
    }
}

#[test]
fn sliding_blocks_lean_on_their_leading_edge() {
    // N_f, N_r = (N/2)(1 +- mu b/a).
    let (a, b, mu) = (0.1, 0.05, 0.5);
    for way in WAYS {
        let scene = standing([2.0 * a, 2.0 * b, 0.2], [2.0, 0.0, 0.0], DOWN, mu);
        let stepper = scene.run(way, 1e-3, 0.1, |_, _| ());
        let mut forces: Vec<f64> = stepper.contacts().iter().map(|c| c.impulse[0] / 1e-3).collect();
        forces.sort_by(f64::total_cmp);
        assert_abs_diff_eq!(forces[0] + forces[1], 0.5 * G * (1.0 - mu * b / a), epsilon = 1e-7);
        assert_abs_diff_eq!(forces[2] + forces[3], 0.5 * G * (1.0 + mu * b / a), epsilon = 1e-7);
        // mu b/a = 1.6: it tips; 0.8 < 1: it stays flat.
        for (mu, tips) in [(0.8, true), (0.4, false)] {
            let scene = standing([0.1, 0.2, 0.2], [2.0, 0.0, 0.0], DOWN, mu);
            let stepper = scene.run(way, 1e-3, 0.05, |_, _| ());
            let (turns, active) = (stepper.state().poses[0].w.z, stepper.record().active);
            assert!(
                if tips { turns < -0.1 && active <= 2 } else { turns.abs() <= 1e-6 && active == 4 },
                "{}",
                way.name
            );
        }
    }
}

#[test]
fn slender_blocks_tip_on_an_incline() {
    // tan 0.5 = 0.546 > a/b = 0.5, and < 0.6.
    for (b, tips) in [(0.2, true), (0.1 / 0.6, false)] {
        for way in WAYS {
            let scene = standing([0.2, 2.0 * b, 0.2], [0.0; 3], downhill(0.5), 0.8);
            let stepper = scene.run(way, 1e-3, 0.2, |_, _| ());
            let turns = stepper.state().poses[0].w.z;
            assert!(if tips { turns < -1e-3 } else { turns.abs() <= 1e-6 }, "{}: {turns:e}", way.name);
        }
    }
}

#[test]
fn what_skids_ends_up_rolling() {
    let (v, mu, r) = (3.0_f64, 0.25, 0.1);
    // Without spin, forward, forward faster than it moves, and back so fast that it returns.
    for (k, w) in [(0.4, 0.0), (1.0, 0.0), (0.5, 0.0), (0.4, 20.0), (0.4, 60.0), (0.4, -100.0)] {
        let slip = v - r * w;
        let (rolls, after) = (slip.abs() / (mu * G * (1.0 + 1.0 / k)), (v + k * r * w) / (1.0 + k));
        let expected = |t: f64| {
            let skid = |t: f64| v * t - slip.signum() * 0.5 * mu * G * t * t;
            if t < rolls { skid(t) } else { skid(rolls) + after * (t - rolls) }
        };
        for way in WAYS {
            let scene = round(k, v, w, DOWN, mu);
            let what = format!("skid, k = {k}, w = {w}");
            first_order(&what, way, 4.0, |h| scene.mean_error(way, h, rolls + 0.3, x, expected));
            within(&format!("{what}, time"), way, 2.0, |h| {
                let mut last = 0.0;
                let stepper = scene.run(way, h, rolls + 0.3, |state, _| {
                    let pose = &state.poses[0];
                    if (pose.v.x + r * pose.w.z).abs() > 1e-7 {
                        last = state.time;
                    }
                });
                let pose = stepper.state().poses[0];
                assert_abs_diff_eq!(pose.v.x, after, epsilon = 1e-7);
                assert_abs_diff_eq!(-r * pose.w.z, after, epsilon = 1e-7);
                (last - rolls).abs()
            });
        }
    }
}

#[test]
fn balls_roll_or_skid_downhill() {
    // 30 degrees: a sphere rolls where mu >= tan 30/3.5 = 0.165.
    let (angle, k) = (30.0_f64.to_radians(), 0.4);
    for mu in [0.3, 0.1] {
        let (a, spin) = if mu > 0.165 {
            let a = G * angle.sin() / (1.0 + k);
            (a, a / 0.1)
        } else {
            (G * (angle.sin() - mu * angle.cos()), mu * G * angle.cos() / (k * 0.1))
        };
        for way in WAYS {
            let scene = round(k, 0.0, 0.0, downhill(angle), mu);
            first_order(&format!("downhill, mu = {mu}"), way, 3.0, |h| {
                scene.mean_error(way, h, 1.0, x, |t| 0.5 * a * t * t)
            });
            let stepper = scene.run(way, 1e-3, 1.0, |_, _| ());
            assert_abs_diff_eq!(-stepper.state().poses[0].w.z, spin, epsilon = 1e-6);
        }
    }
}

/// Normal impulse of the tip until `end` \[s\] while it slides with the sign s of v: N = -A/B, theta'' = 3 N (-cos theta - mu s sin theta).
fn tip_impulse(mu: f64, v: f64, w: f64, end: f64) -> f64 {
    let slope = |y: [f64; 3]| {
        let (s, c) = y[0].sin_cos();
        let a = -G + y[1] * y[1] * s;
        let b = 1.0 + 3.0 * c * c + 3.0 * mu * v.signum() * s * c;
        assert!(b > 0.0);
        let n = (-a / b).max(0.0);
        [y[1], 3.0 * n * (-c - mu * v.signum() * s), n]
    };
    rk4([60.0_f64.to_radians(), w, 0.0], end, slope)[2]
}

#[test]
fn painleves_rod_never_fails() {
    let (s, c) = 60.0_f64.to_radians().sin_cos();
    for way in WAYS {
        // Force enough: A < 0, B > 0, sliding both ways. None: A > 0, B > 0.
        for (mu, v, w) in [(0.5, -2.0, 0.0), (0.5, 2.0, 0.0), (0.5, -2.0, 2.0), (0.5, -2.0, 4.0)] {
            let scene = sliding_rod(mu, v, w);
            // Impulses: in Moreau and Jean's scheme the force of a tip on a curved path comes in blows.
            within(&format!("sliding rod, v = {v}, w = {w}, impulse"), way, 15.0, |h| {
                let mut impulse = 0.0;
                scene.run(way, h, 0.02, |_, record| impulse += record.impulse);
                (impulse - tip_impulse(mu, v, w, 0.02)).abs()
            });
        }
        // mu above 1.347 and A < 0, B < 0: an impulse stops the tip at once.
        let (mu, v) = (1.6, -2.0);
        let scene = sliding_rod(mu, v, 0.0);
        first_order("jam, normal impulse", way, 12.0, |h| {
            let mut stepper = scene.start(way, h);
            let record = *stepper.step().unwrap();
            assert!(record.residual <= 1e-8, "{}: {record:?}", way.name);
            (record.impulse + 0.75 * s * c * v).abs()
        });
        first_order("jam, friction impulse", way, 6.0, |h| {
            let mut stepper = scene.start(way, h);
            stepper.step().unwrap();
            let impulse = stepper.contacts()[0].impulse;
            (impulse[1].hypot(impulse[2]) + 0.25 * (1.0 + 3.0 * c * c) * v).abs()
        });
        // Whatever its speed, its angle and mu, to the end.
        for (mu, v, w) in [(1.6, -2.0, 0.0), (1.6, -0.1, 0.0), (2.0, -5.0, 3.0), (3.0, -2.0, 4.0), (1.6, 2.0, -1.0)] {
            sliding_rod(mu, v, w).run(way, 1e-3, 0.5, |state, record| {
                let pose = &state.poses[0];
                assert!(record.residual <= 1e-8 && pose.v.norm() < 20.0, "{}: {record:?}", way.name);
                let tip = pose.x + pose.a * V3::new(-1.0, 0.0, 0.0);
                assert!(tip.y > -0.02, "{}: {}", way.name, tip.y);
            });
        }
    }
}

#[test]
fn gaps_by_hand_and_compiled_ones_take_the_same_steps() {
    for way in WAYS {
        let scene = round(0.4, 3.0, -20.0, downhill(0.1), 0.25);
        let mut compiled = scene.start(way, 1e-3);
        let mechanism = Arc::new(Mechanism::compile(&scene.model).unwrap());
        let plane = OnPlane::sphere(0, 0.1, [0.0, 1.0, 0.0], 0.0, 0.0, 0.25);
        let options = TimeStepping { scheme: way.scheme, backend: way.backend, step: 1e-3, ..TimeStepping::default() };
        let mut by_hand = options.start(&mechanism, Planes(vec![plane]), mechanism.start()).unwrap();
        while compiled.time() < 0.5 {
            compiled.step().unwrap();
            by_hand.step().unwrap();
            let (a, b) = (compiled.state().poses[0], by_hand.state().poses[0]);
            assert!((a.x - b.x).norm() <= 1e-9 && (a.v - b.v).norm() <= way.rest, "{}: {a:?} {b:?}", way.name);
        }
    }
}
