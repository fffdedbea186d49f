//! Rods that slide on their ends with any friction, Painleve's paradox among them, free or held in their plane by a joint: event-driven
//! motion never fails, never gains energy and never enters the floor.

use crate::support;
use fourbar_contact::event::{EventDriven, Reached};
use fourbar_contact::unilateral::Contacts;
use fourbar_multibody::model::{Joint, JointKind, MarkerRef, Model, Place, vector, zero};
use fourbar_multibody::{Mechanism, State};
use std::sync::Arc;
use support::{OnPlane, Planes, body};

const G: f64 = 9.81;
/// Half its length \[m\], and its moment of inertia for 1 kg [kg m^2].
const HALF: f64 = 0.5;
const INERTIA: f64 = HALF * HALF / 3.0;

/// A rod that leans by `angle` on its lower end, which slides with the velocity `slip` while the rod turns with `turn`.
#[derive(Debug, Clone, Copy)]
struct Rod {
    angle: f64,
    slip: f64,
    turn: f64,
    friction: f64,
    restitution: f64,
    /// Whether a joint holds it in its plane.
    joint: bool,
}

impl Rod {
    fn mechanism(&self) -> Arc<Mechanism> {
        let (s, c) = self.angle.sin_cos();
        let mut rod = body("rod", 1.0, [1e-2, INERTIA, INERTIA], [HALF * c, HALF * s, 0.0], self.angle);
        // The velocity of the end is V + omega x (-HALF (c, s)).
        rod.velocity = vector([self.slip - self.turn * HALF * s, self.turn * HALF * c, 0.0]);
        rod.angular_velocity = vector([0.0, 0.0, self.turn]);
        let at = |body: &str| -> MarkerRef {
            Place { body: body.into(), position: zero(), orientation: Default::default(), frame: Default::default() }
                .into()
        };
        let plane = Joint {
            name: "plane".into(),
            kind: JointKind::Planar,
            i: at("rod"),
            j: at("ground"),
            length: None,
            pitch: None,
            initial: Default::default(),
        };
        let joints = if self.joint { vec![plane] } else { vec![] };
        let gravity = vector([0.0, -G, 0.0]);
        let model = Model { gravity, bodies: vec![rod], joints, ..Model::default() };
        Arc::new(Mechanism::compile(&model).unwrap())
    }

    fn ends(&self) -> Planes {
        let end = |x| OnPlane::point(0, [x, 0.0, 0.0], [0.0, 1.0, 0.0], 0.0, self.restitution, self.friction);
        Planes(vec![end(-HALF), end(HALF)])
    }

    fn energy(state: &State) -> f64 {
        let pose = &state.poses[0];
        let w = pose.a.tr_mul(&pose.w);
        0.5 * (pose.v.norm_squared() + 1e-2 * w.x * w.x + INERTIA * (w.y * w.y + w.z * w.z)) + G * pose.x.y
    }

    /// Follows it for `end` seconds; says what was wrong.
    fn run(&self, end: f64) -> Result<(), String> {
        let mechanism = self.mechanism();
        let options = EventDriven { tolerance: 1e-9, events_max: 2000, ..EventDriven::default() };
        let start = options.start(&mechanism, self.ends(), mechanism.start(), end);
        let first = Self::energy(mechanism.start());
        let mut run = start.map_err(|e| format!("start: {e}"))?;
        let (mut before, mut found) = (first, Vec::new());
        loop {
            let reached = run.step().map_err(|e| format!("t = {}: {e}", run.time()))?;
            let state = run.state().clone();
            let now = Self::energy(&state);
            if !(now - before <= 1e-8 * first) {
                return Err(format!("t = {}: {:e} J gained", state.time, now - before));
            }
            before = now;
            self.ends().find(state.time, &state.poses, f64::INFINITY, &mut found).map_err(|e| e.to_string())?;
            let depth = found.iter().fold(0.0_f64, |a, c| a.max(-c.gap));
            if depth > 1e-9 {
                return Err(format!("t = {}: {depth:e} m inside the floor", state.time));
            }
            if reached == Reached::EndTime {
                return Ok(());
            }
        }
    }
}

#[test]
fn rods_never_fail() {
    let mut count = 0;
    let mut failures = Vec::new();
    for joint in [false, true] {
        for friction in [0.0, 0.5, 1.0, 1.4, 1.8, 2.4, 3.0] {
            for angle in [5.0_f64, 20.0, 45.0, 63.4, 80.0, 90.0, 120.0, 150.0] {
                for slip in [-3.0, -0.1, 0.0, 1.0, 5.0] {
                    for turn in [-6.0, -1.0, 0.0, 2.0, 7.0] {
                        let rod = Rod { angle: angle.to_radians(), slip, turn, friction, restitution: 0.0, joint };
                        count += 1;
                        if let Err(reason) = rod.run(1.0) {
                            failures.push(format!("{rod:?}: {reason}"));
                        }
                    }
                }
            }
        }
    }
    let shown: Vec<_> = failures.iter().take(30).collect();
    assert!(failures.is_empty(), "{} of {count}: {shown:#?}", failures.len());
}
