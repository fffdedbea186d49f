//! Steps of lasting contact by events allocate nothing once their workspaces have grown.

use crate::counting;
use crate::support;
use counting::obtained;
use fourbar_contact::event::{EventDriven, EventStepper, Reached};
use fourbar_multibody::Mechanism;
use fourbar_multibody::model::{Body, vector};
use std::sync::Arc;
use support::{OnPlane, Planes, body, free};

const G: f64 = 9.81;

/// Gravity on a plane y = 0 inclined by this angle, downhill along x.
fn inclined(angle: f64) -> [f64; 3] {
    [G * angle.sin(), -G * angle.cos(), 0.0]
}

fn on_feet(feet: &[[f64; 3]], mu: f64) -> (Body, Planes) {
    let block = body("block", 1.0, [0.004, 0.008, 0.004], [0.0, 0.01, 0.0], 0.0);
    (block, Planes(feet.iter().map(|r| OnPlane::point(0, *r, [0.0, 1.0, 0.0], 0.0, 0.0, mu)).collect()))
}

const TRIPOD: [[f64; 3]; 3] = [[0.1, -0.01, 0.0], [-0.05, -0.01, 0.08], [-0.05, -0.01, -0.08]];
const TABLE: [[f64; 3]; 4] = [[-0.1, -0.01, -0.1], [0.1, -0.01, -0.1], [-0.1, -0.01, 0.1], [0.1, -0.01, 0.1]];

fn start(mechanism: &Arc<Mechanism>, planes: Planes) -> EventStepper<Planes> {
    let options = EventDriven { max_step: 1e-3, ..EventDriven::default() };
    options.start(mechanism, planes, mechanism.start(), 10.0).unwrap()
}

/// What 200 steps obtain after 100.
fn obtained_later(run: &mut EventStepper<Planes>) -> u64 {
    let mut before = 0;
    for k in 0..300 {
        if k == 100 {
            before = obtained();
        }
        assert_eq!(run.step().unwrap(), Reached::Step, "nothing happens on the way");
    }
    obtained() - before
}

#[test]
fn steps_of_lasting_contact_allocate_nothing() {
    // A ball that rolls down, a tripod that slides and turns, one that holds: one, three and nine rows.
    let ball = body("ball", 1.0, [0.004; 3], [0.0, 0.1, 0.0], 0.0);
    let floor = Planes(vec![OnPlane::sphere(0, 0.1, [0.0, 1.0, 0.0], 0.0, 0.5, 0.9)]);
    let mut runs = vec![("ball", start(&free(vec![ball], inclined(0.2)), floor))];
    for (name, mu, spin) in [("slides", 0.1, 1.0), ("holds", 0.9, 0.0)] {
        let (mut block, feet) = on_feet(&TRIPOD, mu);
        block.angular_velocity = vector([0.0, spin, 0.0]);
        runs.push((name, start(&free(vec![block], inclined(0.3)), feet)));
    }
    let obtained: Vec<_> = runs.iter_mut().map(|(name, run)| (*name, obtained_later(run))).collect();
    assert!(obtained.iter().all(|(_, count)| *count == 0), "{obtained:?}");
}

#[test]
fn steps_of_redundant_contact_allocate_nothing() {
    // A table on four feet that slides straight on, and one that is held.
    for (name, mu, speed) in [("slides", 0.1, 1.0), ("holds", 0.9, 0.0)] {
        let (mut block, feet) = on_feet(&TABLE, mu);
        block.velocity = vector([speed, 0.0, 0.0]);
        let obtained = obtained_later(&mut start(&free(vec![block], inclined(0.3)), feet));
        assert_eq!(obtained, 0, "{name}");
    }
}
