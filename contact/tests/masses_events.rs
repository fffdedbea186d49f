//! Light boxes under heavy ones, event-driven: what rests stays where it is, and its forces are the weights above.

use crate::pile_scenes as scenes;
use fourbar_contact::Error;
use fourbar_contact::event::{EventDriven, EventStepper, Reached};
use fourbar_contact::pair::ContactSet;
use scenes::{Brick, EDGE, MASS};

const G: f64 = 9.81;

/// Boxes of these masses one on the other at rest, from the ground up.
fn tower(masses: &[f64], friction: f64) -> Result<EventStepper<ContactSet>, Error> {
    let bricks = scenes::tower(masses.len(), |k| masses[k]);
    let (mechanism, contacts) = scenes::compile(&bricks, friction);
    EventDriven { tolerance: 1e-9, ..EventDriven::default() }.start(&mechanism, contacts, mechanism.start(), 1.0)
}

/// Rests for a second; forces at the end, of all contacts that touch body `k`, and how far bodies have moved.
fn rests(masses: &[f64]) {
    let mut run = tower(masses, 0.5).unwrap_or_else(|e| panic!("{masses:?}: {e}"));
    while run.step().unwrap_or_else(|e| panic!("{masses:?}: {e}")) != Reached::EndTime {}
    for (k, pose) in run.state().poses.iter().enumerate() {
        let home = Brick::new(0.0, 0.0, EDGE * (k as f64 + 0.5)).at;
        assert!((pose.x - home).norm() < 1e-12, "{masses:?}: body {k} moved by {:e} m", (pose.x - home).norm());
        assert!(pose.v.norm() + pose.w.norm() < 1e-12, "{masses:?}: body {k} moves");
    }
    let count = run.closed().len();
    assert_eq!(count, 4 * masses.len(), "{masses:?}: four corners each stay closed");
    // All contacts together carry each box as often as it has contacts below it.
    let carried: f64 = run.forces().unwrap().iter().map(|force| force[0]).sum();
    let weights: f64 = masses.iter().enumerate().map(|(k, m)| m * G * (k + 1) as f64).sum();
    assert!((carried / weights - 1.0).abs() < 1e-8, "{masses:?}: {carried} N instead of {weights} N");
}

/// Round-off of the forces of the heavy box accelerates the light one: the solver of cones fought it to the last digit at each look, for
/// 10 s of wall clock at 1e3 and without end at 1e6.
#[test]
fn a_light_box_under_a_heavy_one_rests() {
    for ratio in [1.0, 1e3, 1e4, 1e5, 1e6] {
        rests(&[MASS / ratio, MASS]);
    }
}

#[test]
fn a_tower_with_light_floors_rests() {
    rests(&[MASS, 1e-3 * MASS, MASS, 1e-2 * MASS, 10.0 * MASS]);
}

/// Beyond that the forces have too few digits: what is said names the masses, and nothing is thrown out.
#[test]
fn masses_that_differ_too_much_are_named() {
    for ratio in [1e7, 1e8, 1e9, 1e12, 1e15] {
        match tower(&[MASS / ratio, MASS], 0.5).and_then(|mut run| run.run()) {
            // Where a better method finds the forces, they are to be right.
            Ok(()) => rests(&[MASS / ratio, MASS]),
            Err(Error::Masses { bodies, ratio: found, allowed, .. }) => {
                assert_eq!(bodies, ["box 0", "box 1"]);
                assert!((found / ratio - 1.0).abs() < 1e-9 && allowed < ratio);
            }
            Err(other) => panic!("{ratio:e}: {other}"),
        }
    }
}
