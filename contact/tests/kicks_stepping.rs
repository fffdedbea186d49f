//! Tables and floors whose speed jumps under a body at rest: by Newton's law it leaves with (1 + e) times the jump where they come towards it, with the
//! speed that it had where they stop or go away. By all schemes, in any unit of mass, at any speed, in any direction.

use fourbar_contact::model::{Contact, ContactKind, ContactModel, SpherePlane};
use fourbar_contact::pair::ContactSet;
use fourbar_contact::stepping::{Backend, Scheme, TimeStepping};
use fourbar_multibody::expression::Expression;
use fourbar_multibody::space::{Pose, V3};
use fourbar_multibody::{Mechanism, Model};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;

/// Radius of the ball, and gravity against the normal.
const RADIUS: f64 = 0.1;
const GRAVITY: f64 = 10.0;
/// Steps before the jump and behind it.
const BEFORE: usize = 3;
const BEHIND: usize = 2;
/// Error of the speed and of the place behind the jump: of first order, in what gravity and the speed do in a step.
const FIRST_ORDER: f64 = 3.0;

fn ways() -> [(Scheme, Backend); 5] {
    [
        (Scheme::GapLcp, Backend::Reduced),
        (Scheme::GapLcp, Backend::Global),
        (Scheme::MoreauJean { theta: 0.5 }, Backend::Automatic),
        (Scheme::MoreauJean { theta: 1.0 }, Backend::Automatic),
        (Scheme::Ggl, Backend::Automatic),
    ]
}

/// A ball that rests on a table or floor.
#[derive(Debug, Clone)]
struct Scene {
    /// Normal of the surface, and the direction in which a table goes.
    normal: V3,
    along: V3,
    /// Masses of ball and table \[kg\].
    masses: [f64; 2],
    restitution: f64,
    /// Speed of the table or floor before and behind the jump [m/s], along its direction.
    speeds: [f64; 2],
    /// When it jumps \[s\].
    jump: f64,
    /// What jumps: a motion given by its velocity, one given by its displacement, a floor given by its offset.
    law: usize,
}

impl Scene {
    /// Displacement of what jumps as a function of time.
    fn displacement(&self) -> String {
        let ([a, b], t) = (self.speeds, self.jump);
        format!("{a:?}*min(time, {t:?}) + {b:?}*max(0, time - {t:?})")
    }

    fn model(&self) -> Value {
        let vector = |v: V3| json!([v.x, v.y, v.z]);
        let towards = if self.law == 2 { self.normal } else { self.along };
        let begin = vector(towards * self.speeds[0]);
        let body = |name: &str, mass: f64, at: V3| {
            let inertia = 0.4 * mass * RADIUS * RADIUS;
            json!({"name": name, "mass": mass, "inertia": [inertia, inertia, inertia], "position": vector(at), "velocity": begin})
        };
        let mut model = json!({
            "gravity": vector(self.normal * -GRAVITY),
            "body": [body("ball", self.masses[0], self.normal * RADIUS)],
        });
        if self.law < 2 {
            let marker = |body: &str| json!({"body": body, "orientation": {"z_axis": vector(self.along)}});
            model["body"].as_array_mut().unwrap().push(body("table", self.masses[1], V3::zeros()));
            model["joint"] =
                json!([{"name": "guide", "type": "prismatic", "i": marker("table"), "j": marker("ground")}]);
            let [a, b] = self.speeds;
            let law = match self.law {
                0 => {
                    json!({"name": "drive", "joint": "guide", "velocity": format!("if(time < {:?}, {a:?}, {b:?})", self.jump)})
                }
                _ => json!({"name": "drive", "joint": "guide", "displacement": self.displacement()}),
            };
            model["motion"] = json!([law]);
        }
        model
    }

    fn contact(&self) -> ContactKind {
        let (table, offset) = match self.law {
            2 => ("ground", self.displacement()),
            _ => ("table", "0".to_owned()),
        };
        let n = self.normal;
        let marker = json!({"body": table, "orientation": {"z_axis": [n.x, n.y, n.z]}});
        ContactKind::SpherePlane(SpherePlane {
            i: "ball".into(),
            radius: RADIUS.into(),
            j: serde_json::from_value(marker).expect("a marker"),
            offset: Expression::parse(&offset).expect("an expression"),
        })
    }

    /// The ball `BEHIND` steps of length `h` behind the step with the jump.
    fn run(&self, (scheme, backend): (Scheme, Backend), h: f64) -> Pose {
        let model: Model = serde_json::from_value(self.model()).expect("a model");
        let mechanism = Arc::new(Mechanism::compile(&model).expect("a mechanism"));
        let contact = Contact { restitution: self.restitution.into(), ..Contact::new("rests", self.contact()) };
        let contacts = ContactModel { contacts: vec![contact], ..ContactModel::default() };
        let set = ContactSet::compile(&model, &contacts, &mechanism).expect("contacts");
        let options = TimeStepping { scheme, backend, step: h, ..TimeStepping::default() };
        let mut run = options.start(&mechanism, set, mechanism.start()).expect("a start");
        for _ in 0..BEFORE + 1 + BEHIND {
            run.step().unwrap_or_else(|error| panic!("{scheme:?} {self:?}: {error}"));
        }
        run.state().poses[0]
    }

    /// Place and speed of the ball along the normal a while behind the jump [m, m/s]: it stays on what comes towards it without restitution, else it flies
    /// with what Newton's law gives it.
    fn expected(&self, flight: f64) -> [f64; 2] {
        let part = if self.law == 2 { 1.0 } else { self.along.dot(&self.normal) };
        let [before, behind] = self.speeds.map(|speed| speed * part);
        let (begin, closing) = (RADIUS + before * self.jump, behind - before);
        if closing > 0.0 && self.restitution == 0.0 {
            return [begin + behind * flight, behind];
        }
        let u = before + (1.0 + self.restitution) * closing.max(0.0);
        [begin + u * flight - 0.5 * GRAVITY * flight * flight, u - GRAVITY * flight]
    }

    fn check(&self, h: f64) -> Result<(), TestCaseError> {
        let flight = h * (BEFORE + 1 + BEHIND) as f64 - self.jump;
        let [height, speed] = self.expected(flight);
        let fastest = 2.0 * self.speeds[0].abs().max(self.speeds[1].abs());
        for way in ways() {
            let pose = self.run(way, h);
            let (z, v) = (pose.x.dot(&self.normal), pose.v.dot(&self.normal));
            prop_assert!((v - speed).abs() <= FIRST_ORDER * GRAVITY * h, "{way:?} {self:?} {h}: {v} for {speed}");
            prop_assert!((z - height).abs() <= FIRST_ORDER * fastest * h, "{way:?} {self:?} {h}: {z} for {height}");
        }
        Ok(())
    }
}

fn direction(angles: [f64; 2]) -> V3 {
    let [a, b] = angles;
    V3::new(a.sin() * b.cos(), a.sin() * b.sin(), a.cos())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_rests_is_kicked_carried_and_let_go(
        restitution in prop_oneof![Just(0.0), Just(1.0), 0.02..1.0f64], size in -2.0..2.0f64, mass in -9.0..9.0f64, ratio in -2.0..2.0f64,
        tilt in prop::array::uniform2(0.0..3.1f64), aslant in 0.0..1.0f64, about in 0.0..6.2f64,
        place in prop_oneof![Just(0.0), 0.001..0.999f64], law in 0..3_usize, kind in 0..4_usize,
    ) {
        let speed = 10.0_f64.powf(size);
        // Gravity does a five-hundredth of the speed in a step.
        let h = 2e-3 * speed / GRAVITY;
        let normal = direction(tilt);
        let across = normal.cross(&if normal.x.abs() < 0.5 { V3::x() } else { V3::y() }).normalize();
        let turned = across * about.cos() + normal.cross(&across) * about.sin();
        let along = normal * aslant.cos() + turned * aslant.sin();
        // Kicked from rest, thrown by a table that falls and stops, let go by one that rises and stops, and by one that drops.
        let speeds = [[0.0, speed], [-speed, 0.0], [speed, 0.0], [0.0, -speed]][kind];
        let masses = [10.0_f64.powf(mass), 10.0_f64.powf(mass + ratio)];
        let jump = (BEFORE as f64 + place) * h;
        Scene { normal, along, masses, restitution, speeds, jump, law }.check(h)?;
    }
}
