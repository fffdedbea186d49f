//! A round body that spins in a groove so steep that friction may hold it: it rolls up one face, back, and up the other, ever lower, and
//! comes to rest.
//!
//! On a face inclined by beta it rolls with the acceleration a = g sin(beta)/(1 + k), k = I/(m R^2), and is back with the speed v that it left
//! with. It strikes the other face with v sin(2 beta), sticks there and lifts off the first, with the angular momentum about the place that
//! strikes: m R v cos(2 beta) + I v/R. So speeds fall by
//!
//! ```text
//! r = (cos(2 beta) + k)/(1 + k)
//! ```
//!
//! from one impact to the next, and after one of speed v infinitely many follow within 2 r v/(a (1 - r)). It rests at once where r <= 0.

use crate::support;
use approx::{assert_abs_diff_eq, assert_relative_eq};
use fourbar_contact::event::{Event, EventDriven, EventKind, EventStepper, Friction, Reached};
use fourbar_contact::model::*;
use fourbar_contact::pair::ContactSet;
use fourbar_contact::unilateral::Contacts;
use fourbar_multibody::model::{Model, Orientation, Place, vector};
use fourbar_multibody::space::V3;
use fourbar_multibody::{Mechanism, State};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};
use std::sync::Arc;
use support::{OnPlane, Planes, body, free};

const G: f64 = 9.81;
const RADIUS: f64 = 0.1;
/// I/(m R^2) of a ball.
const FULL: f64 = 0.4;

/// A groove with faces inclined by `slope` \[rad\] each, and what lies in it: unit mass, I = k R^2.
#[derive(Debug, Clone, Copy)]
struct Groove {
    slope: f64,
    friction: f64,
    k: f64,
}

impl Groove {
    fn faces(&self) -> Planes {
        let (s, c) = self.slope.sin_cos();
        Planes([-s, s].map(|s| OnPlane::sphere(0, RADIUS, [s, c, 0.0], 0.0, 0.0, self.friction)).to_vec())
    }

    /// Starts on both faces, at rest but for the spin `w` about the groove.
    fn start(&self, w: f64) -> EventStepper<Planes> {
        let inertia = self.k * RADIUS * RADIUS;
        let mut ball = body("ball", 1.0, [inertia; 3], [0.0, RADIUS / self.slope.cos(), 0.0], 0.0);
        ball.angular_velocity = vector([0.0, 0.0, w]);
        let mechanism = free(vec![ball], [0.0, -G, 0.0]);
        EventDriven::default().start(&mechanism, self.faces(), mechanism.start(), 1.0).unwrap()
    }

    fn energy(&self, state: &State) -> f64 {
        let pose = &state.poses[0];
        0.5 * (pose.v.norm_squared() + self.k * RADIUS * RADIUS * pose.w.norm_squared()) + G * pose.x.y
    }

    /// To the end; energy never grows.
    fn run(&self, w: f64) -> EventStepper<Planes> {
        let mut run = self.start(w);
        let mut before = self.energy(run.state());
        loop {
            let reached = run.step().unwrap_or_else(|e| panic!("{self:?}, t = {}: {e}", run.time()));
            let now = self.energy(run.state());
            assert!(now <= before + 1e-13, "{self:?}, t = {}: {:e} J gained", run.time(), now - before);
            before = now;
            if reached == Reached::EndTime {
                return run;
            }
        }
    }

    /// Rests on both faces, whose forces hold it against gravity, each within its cone.
    fn check_rest(&self, run: &mut EventStepper<Planes>) {
        let state = run.state().clone();
        let pose = &state.poses[0];
        assert!(pose.v.norm() < 1e-14 && pose.w.norm() < 1e-13, "{self:?}: {pose:?}");
        assert_abs_diff_eq!(pose.x, V3::new(0.0, RADIUS / self.slope.cos(), 0.0), epsilon = 1e-12);
        let mut found = Vec::new();
        self.faces().find(state.time, &state.poses, 1e-9, &mut found).unwrap();
        assert_eq!(run.closed().iter().map(|c| c.friction[0]).collect::<Vec<_>>(), [Friction::Stick; 2], "{self:?}");
        let (mut force, mut torque) = (V3::new(0.0, -G, 0.0), V3::zeros());
        for (contact, multipliers) in found.iter().zip(run.forces().unwrap()) {
            let [n, t1, t2] = [0, 1, 2].map(|row| multipliers[row]);
            assert!(t1.hypot(t2) <= self.friction * n * (1.0 + 1e-9), "{self:?}: {multipliers:?}");
            for (row, value) in contact.rows.iter().zip(&multipliers[..3]) {
                force += row.g * *value;
                torque += row.gi * *value;
            }
        }
        assert_abs_diff_eq!(force, V3::zeros(), epsilon = 1e-8);
        assert_abs_diff_eq!(torque, V3::zeros(), epsilon = 1e-9);
    }
}

fn impacts(log: &[Event]) -> Vec<&Event> {
    log.iter().filter(|e| matches!(e.kind, EventKind::Impact(_))).collect()
}

#[test]
fn a_ball_that_rocks_comes_to_rest_when_its_impacts_accumulate() {
    let degrees: [(f64, &[f64]); 4] =
        [(30.0, &[1.8, 3.0, 1e6]), (40.0, &[1.3, 2.0]), (45.0, &[1.01, 1.1, 1.2, 3.0, 1e9]), (52.0, &[1.5, 5.0])];
    for (slope, frictions) in degrees {
        for (&friction, k) in frictions.iter().zip([FULL, 0.5, FULL, FULL, 0.3]) {
            let slope = slope.to_radians();
            let groove = Groove { slope, friction, k };
            let mut run = groove.run(5.0);
            let ratio = ((2.0 * slope).cos() + k) / (1.0 + k);
            let remaining = |impact: &Event| {
                let speed = ratio * impact.closing_speed / (2.0 * slope).sin();
                2.0 * speed * (1.0 + k) / (G * slope.sin() * (1.0 - ratio))
            };
            let impacts = impacts(run.log());
            assert!(impacts.len() > 3, "{groove:?}");
            let end = impacts[0].time + remaining(impacts[0]);
            for pair in impacts.windows(2) {
                assert_ne!(pair[0].contact, pair[1].contact, "{groove:?}");
                if pair[1].closing_speed > 1e-3 {
                    assert_relative_eq!(pair[1].closing_speed / pair[0].closing_speed, ratio, max_relative = 1e-8);
                    assert_abs_diff_eq!(pair[1].time + remaining(pair[1]), end, epsilon = 1e-11);
                }
            }
            // What is left is lower than round-off of the gaps.
            assert_abs_diff_eq!(impacts[impacts.len() - 1].time, end, epsilon = 2e-7);
            groove.check_rest(&mut run);
        }
    }
}

#[test]
fn a_ball_rests_at_once_where_it_would_not_roll_on() {
    for (slope, friction) in [(60.0_f64, 0.6), (60.0, 1.2), (75.0, 0.3), (75.0, 2.0)] {
        let groove = Groove { slope: slope.to_radians(), friction, k: FULL };
        let mut run = groove.run(5.0);
        assert!(impacts(run.log()).len() <= 1, "{groove:?}: {:?}", run.log());
        groove.check_rest(&mut run);
    }
}

/// A cylinder with I = m R^2/2 that spins on both faces, inclined by 45 degrees; each touches it at both rims.
fn log(friction: f64) -> EventStepper<ContactSet> {
    let place = |turn: f64| Place {
        body: "ground".into(),
        position: vector([0.0; 3]),
        orientation: Orientation::turn([0.0, 1.0, 0.0], turn),
        frame: Default::default(),
    };
    let shape =
        |name: &str, on, group: &str, geometry| Shape { name: name.into(), on, group: Some(group.into()), geometry };
    let face =
        |name: &str, turn: f64| shape(name, place(turn).into(), "groove", Geometry::HalfSpace(HalfSpaceShape {}));
    let round = Geometry::Cylinder(RoundShape { radius: RADIUS.into(), length: 0.3.into() });
    let shapes = vec![shape("log", "log".into(), "logs", round), face("left", FRAC_PI_4), face("right", -FRAC_PI_4)];
    let inertia = [0.01, 0.01, 0.5 * RADIUS * RADIUS];
    let mut log = body("log", 1.0, inertia, [0.0, 0.0, RADIUS * 2.0_f64.sqrt()], 0.0);
    log.orientation = Orientation::turn([1.0, 0.0, 0.0], FRAC_PI_2);
    log.angular_velocity = vector([0.0, 5.0, 0.0]);
    let model = Model { gravity: vector([0.0, 0.0, -G]), bodies: vec![log], ..Model::default() };
    let kind = ContactKind::Shapes(Shapes { i: "logs".into(), j: Some("groove".into()), joined: false });
    let contacts = vec![Contact::new("touch", kind).with_friction(friction)];
    let mechanism = Arc::new(Mechanism::compile(&model).unwrap());
    let set = ContactSet::compile(&model, &ContactModel { shapes, contacts }, &mechanism).unwrap();
    EventDriven::default().start(&mechanism, set, mechanism.start(), 0.5).unwrap()
}

#[test]
fn a_cylinder_on_redundant_contacts_comes_to_rest() {
    for friction in [1.5, 10.0, 1e6, 1e12] {
        let mut run = log(friction);
        run.run().unwrap_or_else(|e| panic!("{friction}, t = {}: {e}", run.time()));
        let first = impacts(run.log())[0].contact;
        let closing_speed: Vec<f64> =
            impacts(run.log()).iter().filter(|e| e.contact == first).map(|e| e.closing_speed).collect();
        assert!(closing_speed.len() > 3, "{friction}: {closing_speed:?}");
        for pair in closing_speed.windows(2).filter(|pair| pair[1] > 1e-3) {
            // r = 1/3 from face to face, at both rims alike.
            assert_relative_eq!(pair[1] / pair[0], 1.0 / 9.0, max_relative = 1e-7);
        }
        let pose = run.state().poses[0];
        assert!(pose.v.norm() < 1e-12 && pose.w.norm() < 1e-11, "{friction}: {pose:?}");
        assert_eq!(run.closed().len(), 4);
    }
}
