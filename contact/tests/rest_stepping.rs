//! What fixed steps tell of elastic boxes that rest, and of such that do not.

use crate::pile_scenes as scenes;
use fourbar_contact::stepping::{Scheme, TimeStepping};
use scenes::EDGE;

const SCHEMES: [Scheme; 3] = [Scheme::GapLcp, Scheme::MoreauJean { theta: 0.5 }, Scheme::Ggl];

/// Boxes one on the other fall alike: round-off between them would rebound for ever, and which law it obeys is no news.
#[test]
fn a_tower_at_rest_obeys_the_law_asked_for() {
    let bricks = scenes::tower(5, |k| 8.0 / (k + 1) as f64);
    for scheme in SCHEMES {
        let (mechanism, contacts) = scenes::compile_elastic(&bricks, 0.5, 0.4);
        let options = TimeStepping { step: 1e-3, scheme, ..TimeStepping::default() };
        let mut stepper = options.start(&mechanism, contacts, mechanism.start()).unwrap();
        let replaced = (0..1000).filter(|_| stepper.step().unwrap().replaced).count();
        assert_eq!(replaced, 0, "{scheme:?}");
        let top = stepper.state().poses[4].x;
        assert!((top.z - 4.5 * EDGE).abs() < 1e-6 && top.xy().norm() < 1e-6, "{scheme:?}: the tower stands, {top}");
    }
}
