//! What rolls over the edge of a box, turns about it, slips and flies.
//!
//! A round body of radius r and inertia k m r^2 that rolls at the speed v comes to the edge without a jump of its velocity. About the edge, theta from the
//! vertical,
//!
//! ```text
//! (1 + k) r theta'' = g sin theta,   N = m (g cos theta - r theta'^2),   T = m g sin theta k/(1 + k)
//! ```
//!
//! until T = mu N, then r theta'' = g sin theta - mu N/m until N = 0; from there on it flies.

use fourbar_contact::event::EventDriven;
use fourbar_contact::model::ContactModel;
use fourbar_contact::pair::ContactSet;
use fourbar_contact::stepping::{Scheme, TimeStepping};
use fourbar_multibody::space::{V3, rotation};
use fourbar_multibody::{Mechanism, Model};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;

const G: f64 = 9.81;

/// Lengths in units of `size`, and times in those of sqrt(size); everything turned by `turn`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Roll {
    pub(crate) size: f64,
    pub(crate) turn: [f64; 3],
    pub(crate) speed: f64,
    pub(crate) friction: f64,
}

/// The file that was handed in.
pub(crate) const PLAIN: Roll = Roll { size: 1.0, turn: [0.0; 3], speed: 0.2, friction: 0.5 };

const RADIUS: f64 = 0.1;
const INERTIA: f64 = 0.4;
/// From the start to the edge.
const WAY: f64 = 0.1;

impl Roll {
    /// Place across the edge and below the upper face of the middle at a time after the start.
    pub(crate) fn place(&self, time: f64) -> [f64; 2] {
        let (r, k, mu) = (RADIUS, INERTIA, self.friction);
        let (mut t, mut y) = (WAY / self.speed, [0.0, self.speed / r]);
        let normal = |y: [f64; 2]| G * y[0].cos() - r * y[1] * y[1];
        let step = 1e-5;
        let mut slips = false;
        while t + step < time && normal(y) > 0.0 {
            slips |= G * y[0].sin() * k / (1.0 + k) > mu * normal(y);
            let rate = |y: [f64; 2]| {
                let pull = G * y[0].sin();
                [y[1], if slips { (pull - mu * normal(y)) / r } else { pull / (r * (1.0 + k)) }]
            };
            let on = |y: [f64; 2], k: [f64; 2], h: f64| [y[0] + h * k[0], y[1] + h * k[1]];
            let a = rate(y);
            let b = rate(on(y, a, 0.5 * step));
            let c = rate(on(y, b, 0.5 * step));
            let d = rate(on(y, c, step));
            y = std::array::from_fn(|i| y[i] + step / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]));
            t += step;
        }
        let (s, c) = y[0].sin_cos();
        let left = time - t;
        [r * s + r * y[1] * c * left, r * (1.0 - c) + r * y[1] * s * left + 0.5 * G * left * left]
    }

    /// The model of a round shape on a support, as its fields say.
    fn model(&self, round: &Value, support: &Value) -> (Model, ContactModel) {
        let (l, a) = (self.size, rotation(&V3::from(self.turn)));
        let place = |x: V3| Vec::from((a * x * l).as_slice());
        let (turn, angle) = (V3::from(self.turn), V3::from(self.turn).norm());
        let axis = if angle > 0.0 { turn / angle } else { V3::z() };
        let orientation = json!({"axis": axis.as_slice(), "angle": angle});
        let speed = l.sqrt() * self.speed;
        let velocity = a * V3::new(speed, 0.0, 0.0);
        let spin = a * V3::new(0.0, speed / (l * RADIUS), 0.0);
        let inertia = INERTIA * RADIUS * RADIUS * l * l;
        let body = json!({"name": "b", "mass": 1, "inertia": [inertia, inertia, inertia], "orientation": orientation,
            "position": place(V3::new(-WAY, 0.0, RADIUS)), "velocity": velocity.as_slice(), "angular_velocity": spin.as_slice()});
        let mut upper = round.clone();
        upper["name"] = json!("s");
        upper["on"] = json!({"body": "b", "orientation": {"z_axis": [0, 1, 0]}});
        let mut lower = support.clone();
        lower["name"] = json!("t");
        lower["on"] =
            json!({"body": "ground", "position": place(V3::new(-0.5, 0.0, -0.2)), "orientation": orientation});
        let gravity = a * V3::new(0.0, 0.0, -G);
        let model = json!({"gravity": gravity.as_slice(), "body": [body]});
        let contacts = json!({"shape": [upper, lower],
            "contact": [{"name": "c", "type": "shapes", "i": "s", "j": "t", "friction": self.friction}]});
        let read = |value: &Value| value.to_string();
        (
            serde_json::from_str(&read(&model)).expect("a model"),
            serde_json::from_str(&read(&contacts)).expect("contacts"),
        )
    }

    /// How far the middle is at the end from where it should be, as part of the size: in the plane of the motion, and out of it.
    fn error(&self, pose: V3, time: f64) -> [f64; 2] {
        let x = rotation(&V3::from(self.turn)).tr_mul(&pose) / self.size;
        let [across, below] = self.place(time);
        [(x - V3::new(across, 0.0, RADIUS - below)).xz().norm(), x.y.abs()]
    }

    fn compiled(&self, round: &Value, support: &Value) -> (Arc<Mechanism>, ContactSet) {
        let (model, contacts) = self.model(round, support);
        let mechanism = Arc::new(Mechanism::compile(&model).expect("a mechanism"));
        let set = ContactSet::compile(&model, &contacts, &mechanism).expect("contacts");
        (mechanism, set)
    }

    /// Errors of fixed steps of `h`.
    pub(crate) fn by_steps(&self, round: &Value, support: &Value, scheme: Scheme, h: f64, time: f64) -> [f64; 2] {
        let (mechanism, set) = self.compiled(round, support);
        let options = TimeStepping { scheme, step: h * self.size.sqrt(), ..TimeStepping::default() };
        let mut stepper = options.start(&mechanism, set, mechanism.start()).expect("a start");
        for _ in 0..(time / h).round() as usize {
            stepper.step().unwrap_or_else(|error| panic!("{self:?} {round} {support} {scheme:?}: {error}"));
        }
        self.error(stepper.state().poses[0].x, time)
    }

    /// Errors of events.
    pub(crate) fn by_events(&self, round: &Value, support: &Value, time: f64) -> Result<[f64; 2], String> {
        let (mechanism, set) = self.compiled(round, support);
        let options = EventDriven { tolerance: 1e-9, ..EventDriven::default() };
        let end = time * self.size.sqrt();
        let mut run = options.start(&mechanism, set, mechanism.start(), end).map_err(|e| e.to_string())?;
        run.run().map_err(|e| e.to_string())?;
        Ok(self.error(run.state().poses[0].x, time))
    }
}

/// Sphere, capsule, capsules much longer and shorter than the edge, cylinder.
pub(crate) fn round(kind: usize, size: f64) -> Value {
    let long = |kind: &str, length: f64| json!({"type": kind, "radius": RADIUS * size, "length": length * size});
    match kind {
        0 => json!({"type": "sphere", "radius": RADIUS * size}),
        1 => long("capsule", 0.3),
        2 => long("capsule", 2.5),
        _ => long("cylinder", 0.3),
    }
}

/// A box, and the same as hull and as mesh.
pub(crate) fn support(kind: usize, size: f64) -> Value {
    let half = [0.5 * size, 0.5 * size, 0.2 * size];
    let corner = |k: usize| -> Vec<f64> { (0..3).map(|a| if k >> a & 1 == 1 { half[a] } else { -half[a] }).collect() };
    let corners: Vec<Vec<f64>> = (0..8).map(corner).collect();
    match kind {
        0 => json!({"type": "box", "size": half.map(|h| 2.0 * h)}),
        1 => json!({"type": "hull", "points": corners}),
        _ => {
            let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
            let triangles: Vec<[usize; 3]> =
                quads.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
            json!({"type": "mesh", "vertices": corners, "triangles": triangles})
        }
    }
}

pub(crate) const SCHEMES: [Scheme; 3] = [Scheme::GapLcp, Scheme::MoreauJean { theta: 0.5 }, Scheme::Ggl];

#[test]
fn the_reference_is_that_of_the_file() {
    assert!((PLAIN.place(1.6)[0] - 0.493_680).abs() < 1e-5, "{:?}", PLAIN.place(1.6));
}

/// Every scheme comes to it with the step, to first order, over boxes, hulls and meshes.
#[test]
fn round_shapes_roll_off_with_the_step() {
    for (shape, under) in (0..12).map(|k| (k % 4, k / 4)) {
        for scheme in SCHEMES {
            let error = |h| PLAIN.by_steps(&round(shape, 1.0), &support(under, 1.0), scheme, h, 1.6);
            let ([coarse, aside], [fine, _]) = (error(1e-3), error(2.5e-4));
            println!("{shape} {under} {scheme:?}: {coarse:e} {fine:e} {aside:e}");
            assert!(coarse < 1e-2 && fine < 0.5 * coarse, "{shape} {under} {scheme:?}: {coarse} {fine}");
            assert!(aside < 1e-9, "{shape} {under} {scheme:?}: {aside}");
        }
    }
}

/// Half a second behind the edge.
fn end(roll: &Roll) -> f64 {
    ((WAY / roll.speed + 0.5) * 1e3).round() * 1e-3
}

fn any_roll() -> impl Strategy<Value = Roll> {
    (-3.0..3.0f64, prop::array::uniform3(-2.0..2.0f64), 0.15..0.5f64, 0.3..0.9f64)
        .prop_map(|(power, turn, speed, friction)| Roll { size: 10.0_f64.powf(power), turn, speed, friction })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// In any place, turn and unit.
    #[test]
    fn they_do_anywhere(roll in any_roll(), shape in 0..4_usize, under in 0..3_usize, scheme in 0..3_usize) {
        let (scheme, size) = (SCHEMES[scheme], roll.size);
        let [error, aside] = roll.by_steps(&round(shape, size), &support(under, size), scheme, 1e-3, end(&roll));
        prop_assert!(error < 1e-2 && aside < 1e-4, "{roll:?} {shape} {under} {scheme:?}: {error} {aside}");
    }

    #[test]
    fn spheres_do_by_events(roll in any_roll(), under in 0..2_usize) {
        let errors = roll.by_events(&round(0, roll.size), &support(under, roll.size), end(&roll));
        let [error, aside] = errors.map_err(TestCaseError::fail)?;
        prop_assert!(error < 1e-7 && aside < 1e-7, "{roll:?} {under}: {error} {aside}");
    }

    #[test]
    fn capsules_do_by_events(roll in any_roll(), shape in 1..3_usize, under in 0..2_usize) {
        let errors = roll.by_events(&round(shape, roll.size), &support(under, roll.size), end(&roll));
        let [error, aside] = errors.map_err(|e| TestCaseError::fail(format!("{roll:?} {shape} {under}: {e}")))?;
        prop_assert!(error < 1e-6 && aside < 1e-6, "{roll:?} {shape} {under}: {error} {aside}");
    }
}
