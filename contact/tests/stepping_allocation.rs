//! A time step allocates nothing once its workspaces have grown.

use crate::counting;
use crate::support;
use counting::obtained;
use fourbar_contact::stepping::{Backend, Scheme, TimeStepping};
use fourbar_multibody::model::vector;
use support::{OnPlane, Planes, body, four_bar, free, wall};

#[test]
fn a_step_allocates_nothing_after_warming_up() {
    for scheme in [Scheme::GapLcp, Scheme::MoreauJean { theta: 0.5 }, Scheme::Ggl] {
        // A linkage that bounces on a wall without end: contacts come and go.
        let options = TimeStepping { scheme, step: 1e-3, backend: Backend::Reduced, ..TimeStepping::default() };
        let mechanism = four_bar(9.81);
        let mut linkage = options.start(&mechanism, wall(1.0), mechanism.start()).unwrap();
        // A block that bounces on its four corners and slides.
        let mut block = body("block", 1.0, [0.01; 3], [0.0, 0.15, 0.0], 0.0);
        block.velocity = vector([2.0, 0.0, 1.0]);
        let feet = [[-0.1, -0.05, -0.1], [0.1, -0.05, -0.1], [-0.1, -0.05, 0.1], [0.1, -0.05, 0.1]];
        let feet = Planes(feet.map(|r| OnPlane::point(0, r, [0.0, 1.0, 0.0], 0.0, 0.9, 0.1)).to_vec());
        let mechanism = free(vec![block], [0.0, -9.81, 0.0]);
        let mut sliding = options.start(&mechanism, feet, mechanism.start()).unwrap();
        for (warm, steps) in [(true, 400), (false, 200)] {
            let before = obtained();
            for _ in 0..steps {
                linkage.step().unwrap();
                sliding.step().unwrap();
            }
            let obtained = obtained() - before;
            assert!(warm || obtained == 0, "{scheme:?}: {obtained}");
        }
    }
}
