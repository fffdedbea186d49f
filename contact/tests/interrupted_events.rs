//! A force that fails once, at any of its calls: the step repeated goes on as if nothing had been.

use crate::support;
use fourbar_contact::event::{Event, EventDriven, EventKind, EventStepper, Friction, Reached};
use fourbar_contact::unilateral::ContactId;
use fourbar_linalg::checkpoint::Source;
use fourbar_multibody::Mechanism;
use fourbar_multibody::host::{ForceFunction, HostForce, HostFunctions, Refusal};
use fourbar_multibody::model::{Body, Force, Input, Model, VectorForce, vector, zero};
use fourbar_multibody::space::Pose;
use std::mem::{Discriminant, discriminant};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use support::{OnPlane, Planes, body};

const G: f64 = 9.81;

/// A force over time that fails at one of its calls, counted from 1.
#[derive(Debug)]
struct Failing {
    force: fn(f64) -> [f64; 3],
    calls: AtomicU64,
    at: AtomicU64,
}

impl Failing {
    fn arm(&self, at: u64) {
        self.calls.store(0, Relaxed);
        self.at.store(at, Relaxed);
    }
}

impl ForceFunction for Failing {
    fn value(&self, time: f64, arguments: &[f64], value: &mut [f64]) -> Result<(), Refusal> {
        if self.calls.fetch_add(1, Relaxed) + 1 == self.at.load(Relaxed) {
            return Err(Refusal::Fatal("once".into()));
        }
        value.copy_from_slice(&(self.force)(time));
        value[0] += arguments[0];
        Ok(())
    }
}

/// A body on planes under such a force and an input along x.
struct Scene {
    mechanism: Arc<Mechanism>,
    contacts: Planes,
    force: Arc<Failing>,
    options: EventDriven,
    end: f64,
}

/// Where a motion ended.
#[derive(Debug, Clone, PartialEq)]
struct Ended {
    poses: Vec<Pose>,
    events: Vec<Event>,
}

impl Scene {
    fn new(body: Body, contacts: Planes, force: fn(f64) -> [f64; 3], end: f64) -> Self {
        let value = VectorForce {
            name: "push".into(),
            i: body.name.as_str().into(),
            reaction: None,
            frame: None,
            value: zero(),
        };
        let model = Model {
            gravity: vector([0.0, -G, 0.0]),
            bodies: vec![body],
            forces: vec![Force::Force(value)],
            inputs: vec![Input { name: "pull".into(), unit: "N".into(), value: 0.0.into() }],
            ..Model::default()
        };
        let failing = Arc::new(Failing { force, calls: AtomicU64::new(0), at: AtomicU64::new(0) });
        let mut functions = HostFunctions::default();
        let host = HostForce { arguments: vec!["pull".into()], function: Arc::clone(&failing) as _ };
        functions.forces.insert("push".into(), host);
        let mechanism = Arc::new(Mechanism::compile_with(&model, &functions).unwrap());
        let options = EventDriven { tolerance: 1e-8, ..EventDriven::default() };
        Self { mechanism, contacts, force: failing, options, end }
    }

    fn start(&self) -> EventStepper<Planes> {
        let start = || self.options.start(&self.mechanism, self.contacts.clone(), self.mechanism.start(), self.end);
        // A start that fails is made again.
        start().or_else(|_| start()).unwrap()
    }

    /// The run whose force fails at call `at`, and how many failures were seen; `after` what a failure leaves goes on.
    fn run(&self, at: u64, mut after: impl FnMut(&mut EventStepper<Planes>)) -> (Ended, usize) {
        self.force.arm(at);
        let (mut run, mut failures) = (self.start(), 0);
        loop {
            let before = (run.time(), run.log().to_vec(), modes(&run));
            match run.step() {
                Ok(Reached::EndTime) => break,
                Ok(_) => {}
                Err(error) => {
                    assert!(error.to_string().contains("once"), "{error}");
                    assert!(run.time() >= before.0);
                    assert_eq!((run.log().to_vec(), modes(&run)), (before.1, before.2), "call {at}");
                    failures += 1;
                    after(&mut run);
                }
            }
        }
        let (events, poses) = (run.log().to_vec(), run.state().poses.clone());
        (Ended { poses, events }, failures)
    }

    /// Fails at every call; returns the undisturbed run.
    fn interrupt(&self, mut after: impl FnMut(&mut EventStepper<Planes>)) -> Ended {
        let (undisturbed, none) = self.run(0, |_| {});
        assert_eq!(none, 0);
        let calls = self.force.calls.load(Relaxed);
        let mut failed = 0;
        for at in 1..=calls {
            let (ended, failures) = self.run(at, &mut after);
            assert_eq!(ended, undisturbed, "call {at} of {calls}");
            failed += failures;
        }
        // All but those of the start, and those that were the force of a state asked for.
        assert!(failed as u64 > calls * 9 / 10, "{failed} of {calls}");
        undisturbed
    }
}

/// What is closed, and how it sticks and slips.
fn modes(run: &EventStepper<Planes>) -> Vec<(ContactId, [Discriminant<Friction>; 3])> {
    run.closed().iter().map(|closed| (closed.id, closed.friction.map(|friction| discriminant(&friction)))).collect()
}

fn count(ended: &Ended, is: impl Fn(&EventKind) -> bool) -> usize {
    ended.events.iter().filter(|event| is(&event.kind)).count()
}

fn ball(height: f64, e: f64, end: f64) -> Scene {
    let ball = body("ball", 1.0, [0.1; 3], [0.0, height, 0.0], 0.0);
    Scene::new(ball, Planes(vec![OnPlane::sphere(0, 0.1, [0.0, 1.0, 0.0], 0.0, e, 0.0)]), |_| [0.0; 3], end)
}

/// A block of 0.4 m x 0.2 m x 0.4 m, its lower side at `height`, on four points.
fn block(height: f64, speed: f64, mu: f64, force: fn(f64) -> [f64; 3], end: f64) -> Scene {
    let mut block = body("block", 1.0, [0.02; 3], [0.0, 0.1 + height, 0.0], 0.0);
    block.velocity = vector([speed, 0.0, 0.0]);
    let corner = |x: f64, z: f64| OnPlane::point(0, [x, -0.1, z], [0.0, 1.0, 0.0], 0.0, 0.0, mu);
    let corners = vec![corner(-0.2, -0.2), corner(-0.2, 0.2), corner(0.2, -0.2), corner(0.2, 0.2)];
    Scene::new(block, Planes(corners), force, end)
}

#[test]
fn bounces() {
    let ended = ball(1.1, 0.8, 1.1).interrupt(|_| {});
    assert_eq!(count(&ended, |kind| matches!(kind, EventKind::Impact(_))), 1);
    let fall = (2.0 / G).sqrt();
    let after = 1.1 - fall;
    approx::assert_abs_diff_eq!(
        ended.poses[0].x.y,
        0.1 + 0.8 * G * fall * after - 0.5 * G * after * after,
        epsilon = 1e-9
    );
}

#[test]
fn an_accumulation() {
    let ended = ball(0.1 + 1e-4, 0.3, 0.02).interrupt(|_| {});
    assert_eq!(count(&ended, |kind| matches!(kind, EventKind::Accumulation)), 1);
    approx::assert_abs_diff_eq!(ended.poses[0].x.y, 0.1, epsilon = 1e-12);
}

#[test]
fn a_landing_that_slides_and_stops() {
    let ended = block(1e-3, 0.1, 0.3, |_| [0.0; 3], 0.1).interrupt(|_| {});
    assert_eq!(count(&ended, |kind| matches!(kind, EventKind::Stuck(0))), 4);
    // The impact takes mu times its normal impulse from the speed, friction the rest.
    let fall = (2e-3 / G).sqrt();
    let speed = 0.1 - 0.3 * G * fall;
    approx::assert_abs_diff_eq!(ended.poses[0].x.x, 0.1 * fall + speed * speed / (2.0 * 0.3 * G), epsilon = 1e-9);
}

#[test]
fn a_slip_that_a_growing_force_begins() {
    let ended = block(0.0, 0.0, 0.3, |t| [40.0 * t, 0.0, 0.0], 0.15).interrupt(|_| {});
    assert_eq!(count(&ended, |kind| matches!(kind, EventKind::Slipped(0))), 4);
    let rest = 0.15 - 0.3 * G / 40.0;
    approx::assert_abs_diff_eq!(ended.poses[0].x.x, 40.0 * rest.powi(3) / 6.0, epsilon = 1e-9);
}

#[test]
fn a_contact_that_opens() {
    let ended = ball(0.1, 0.0, 0.05);
    let lifted = Scene::new(
        body("ball", 1.0, [0.1; 3], [0.0, 0.1, 0.0], 0.0),
        ended.contacts.clone(),
        |t| [0.0, 400.0 * t, 0.0],
        0.05,
    );
    let ended = lifted.interrupt(|_| {});
    assert_eq!(count(&ended, |kind| matches!(kind, EventKind::Opened)), 1);
    let flight = 0.05 - G / 400.0;
    approx::assert_abs_diff_eq!(ended.poses[0].x.y, 0.1 + 400.0 * flight.powi(3) / 6.0, epsilon = 1e-9);
}

#[test]
fn turning_bodies_change_their_coordinates_on_the_way() {
    let mut spinning = body("ball", 1.0, [0.1, 0.2, 0.25], [0.0, 0.4, 0.0], 0.0);
    spinning.angular_velocity = vector([20.0, 5.0, 1.0]);
    let floor = Planes(vec![OnPlane::sphere(0, 0.1, [0.0, 1.0, 0.0], 0.0, 0.5, 0.3)]);
    let ended = Scene::new(spinning, floor, |_| [0.0; 3], 0.3).interrupt(|_| {});
    assert_eq!(count(&ended, |kind| matches!(kind, EventKind::Impact(_))), 1);
}

#[test]
fn events_stay_pending_in_bytes_and_copies() {
    let scene = ball(1.1, 0.8, 1.1);
    let fresh = scene.start();
    scene.interrupt(|run| {
        let mut bytes = Vec::new();
        run.store(&mut bytes);
        let loaded = fresh.loaded(&mut Source::new(&bytes)).unwrap();
        assert_eq!(loaded.is_pending(), run.is_pending());
        *run = if bytes.len() % 2 == 0 { loaded } else { loaded.clone() };
    });
}

#[test]
fn inputs_set_at_a_pending_event_deal_with_it() {
    let scene = ball(1.1, 0.8, 1.1);
    let (undisturbed, _) = scene.run(0, |_| {});
    let calls = scene.force.calls.load(Relaxed);
    let mut pending = 0;
    for at in 1..=calls {
        let (ended, _) = scene.run(at, |run| {
            pending += usize::from(run.is_pending());
            run.set_inputs([[0.0; 3]].into_iter()).unwrap();
        });
        approx::assert_abs_diff_eq!(ended.poses[0].x.y, undisturbed.poses[0].x.y, epsilon = 1e-9);
        assert_eq!(ended.events.len(), undisturbed.events.len(), "call {at}");
    }
    assert!(pending > 3, "{pending}");
}

#[test]
fn inputs_that_fail_are_decided_by_the_next_step() {
    let scene = block(0.0, 0.0, 0.3, |_| [0.0; 3], 0.1);
    let push = [[5.0, 0.0, 0.0]];
    let run = |at: u64| {
        scene.force.arm(0);
        let mut run = scene.start();
        scene.force.arm(at);
        let set = run.set_inputs(push.into_iter()).is_ok();
        assert_eq!(run.is_pending(), !set);
        scene.force.arm(0);
        run.run().unwrap();
        (run.state().poses[0].x.x, run.log().len(), set)
    };
    let undisturbed = run(0);
    approx::assert_abs_diff_eq!(undisturbed.0, 0.5 * (5.0 - 0.3 * G) * 0.01, epsilon = 1e-9);
    let mut failures = 0;
    for at in 1..=20 {
        let (x, events, set) = run(at);
        assert_eq!((x, events), (undisturbed.0, undisturbed.1), "call {at}");
        failures += usize::from(!set);
    }
    assert!((1..20).contains(&failures), "{failures}");
}
