//! What moves in the closed forms: balls, cradles, rods, round bodies.
#![allow(dead_code, reason = "events and time stepping use their parts")]

use fourbar_contact::model::*;
use fourbar_multibody::model::MarkerRef;

use super::tools::*;
use crate::support::body;

/// Height above its rest of a ball dropped from 1 m, at time t.
pub(crate) fn height(t: f64, e: f64) -> f64 {
    let first = (2.0 / G).sqrt();
    if t < first {
        return 1.0 - 0.5 * G * t * t;
    }
    let (mut at, mut v) = (first, e * G * first);
    while v > 1e-9 && t > at + 2.0 * v / G {
        at += 2.0 * v / G;
        v *= e;
    }
    let since = t - at;
    (v * since - 0.5 * G * since * since).max(0.0)
}

pub(crate) fn ball(e: f64) -> Scene {
    let ball = body("ball", 1.0, [0.004; 3], [0.0, 1.1, 0.0], 0.0);
    Scene::new(DOWN, vec![ball], vec![ball_on("ball", 0.1, floor(0.0)).with_restitution(e)])
}

/// Balls of 1 kg in a row, `apart`, the first at 2 m/s, the others at rest.
pub(crate) fn cradle(apart: f64, e: &[f64]) -> Scene {
    let ball = |k: usize| {
        let (x, speed) = if k == 0 { (-0.1, 2.0) } else { ((0.2 + apart) * k as f64, 0.0) };
        moving(body(&format!("b{k}"), 1.0, [0.004; 3], [x, 0.0, 0.0], 0.0), [speed, 0.0, 0.0], [0.0; 3])
    };
    let touch = |(k, e): (usize, &f64)| {
        let [i, j] = [k, k + 1].map(|k| MarkerRef::from(format!("b{k}").as_str()));
        let kind = ContactKind::SphereSphere(SphereSphere { i, j, radius_i: 0.1.into(), radius_j: 0.1.into() });
        Contact::new(&format!("c{k}"), kind).with_restitution(*e)
    };
    Scene::new([0.0; 3], (0..=e.len()).map(ball).collect(), e.iter().enumerate().map(touch).collect())
}

/// A rod of 1 kg and half length 1 m at `theta` above the floor, its tip 1 cm above it with the velocity (v_t, v_n).
pub(crate) fn rod(theta: f64, [vt, vn]: [f64; 2], gravity: [f64; 3], mu: f64, e: f64) -> Scene {
    let rod = body("rod", 1.0, [1e-3, 1.0 / 3.0, 1.0 / 3.0], [theta.cos(), theta.sin() + 0.01, 0.0], theta);
    let tip = point_on("tip", "rod", [-1.0, 0.0, 0.0], floor(0.0)).with_friction(mu).with_restitution(e);
    Scene::new(gravity, vec![moving(rod, [vt, vn, 0.0], [0.0; 3])], vec![tip])
}

/// A rod of mass 1 and half length a, radius of gyration rho, falling with its ends at `heights`.
pub(crate) fn falling(rho: f64, a: f64, heights: [f64; 2], e: f64) -> Scene {
    let [left, right] = heights;
    let angle = ((right - left) / (2.0 * a)).asin();
    let rod = body("rod", 1.0, [1e-3, rho * rho, rho * rho], [0.0, 0.5 * (left + right), 0.0], angle);
    let ends = [("left", -a), ("right", a)];
    let contacts = ends.map(|(name, x)| point_on(name, "rod", [x, 0.0, 0.0], floor(0.0)).with_restitution(e));
    Scene::new(DOWN, vec![rod], contacts.to_vec())
}

/// Speed down 1 cm above the floor of what arrives there with vn.
pub(crate) fn fallen(vn: f64) -> f64 {
    (vn * vn - 2.0 * G * 0.01).sqrt()
}

/// A sphere of 1 kg and r = 1 m thrown at the floor from 1 cm above it.
pub(crate) fn oblique(case: &serde_json::Value) -> Scene {
    let [vn, vt, omega, e, mu] = ["vn", "vt", "omega", "e", "mu"].map(|key| number(case, key));
    // The slip is vt - r omega: omega turns about -z.
    let v = [vt, -fallen(vn), 0.0];
    let sphere = moving(body("ball", 1.0, [0.4; 3], [0.0, 1.01, 0.0], 0.0), v, [0.0, 0.0, -omega]);
    let contact = ball_on("ball", 1.0, floor(0.0)).with_restitution(e).with_friction(mu);
    Scene::new(DOWN, vec![sphere], vec![contact])
}

/// A round body of 1 kg and r = 0.1 m with I = k m r^2 at the speed v, turning forward with w; x grows downhill.
pub(crate) fn round(k: f64, v: f64, w: f64, gravity: [f64; 3], mu: f64) -> Scene {
    let ball = moving(body("ball", 1.0, [k * 0.01; 3], [0.0, 0.1, 0.0], 0.0), [v, 0.0, 0.0], [0.0, 0.0, -w]);
    Scene::new(gravity, vec![ball], vec![ball_on("ball", 0.1, floor(0.0)).with_friction(mu)])
}

/// A rod of 1 kg and half length 1 m at 60 degrees whose tip slides on the floor with v, turning with w.
pub(crate) fn sliding_rod(mu: f64, v: f64, w: f64) -> Scene {
    let (s, c) = 60.0_f64.to_radians().sin_cos();
    let rod = body("rod", 1.0, [1e-3, 1.0 / 3.0, 1.0 / 3.0], [c, s, 0.0], 60.0_f64.to_radians());
    let rod = moving(rod, [v - w * s, w * c, 0.0], [0.0, 0.0, w]);
    let tip = point_on("tip", "rod", [-1.0, 0.0, 0.0], floor(0.0)).with_friction(mu);
    Scene::new(DOWN, vec![rod], vec![tip])
}
