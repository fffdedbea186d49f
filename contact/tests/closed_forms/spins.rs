//! Free rotation in fixed steps: what spins fast keeps its energy, however long.

use fourbar_contact::stepping::Scheme;
use fourbar_multibody::model::vector;
use fourbar_multibody::space::{Pose, V3};

use super::tools::*;
use crate::support::body;

/// A top of 0.1 kg that wobbles freely at 200 rad/s, far above the floor; a fifth of a radian a step.
#[test]
fn a_wobbling_top_keeps_its_energy() {
    let inertia = V3::new(3e-5, 3e-5, 5e-5);
    let mut top = body("top", 0.1, inertia.into(), [0.0, 50.0, 0.0], 0.0);
    top.angular_velocity = vector([5.0, 0.0, 200.0]);
    let scene = Scene::new([0.0; 3], vec![top], vec![point_on("tip", "top", [0.0; 3], floor(0.0))]);
    let energy = |pose: &Pose| {
        let w = pose.a.tr_mul(&pose.w);
        0.5 * w.dot(&inertia.component_mul(&w))
    };
    for way in WAYS.into_iter().filter(|way| way.scheme != Scheme::Ggl) {
        let mut worst: f64 = 0.0;
        scene.run(way, 1e-3, 3.0, |state, _| worst = worst.max((energy(&state.poses[0]) / 1.000375 - 1.0).abs()));
        assert!(worst < 1e-10, "{}: {worst:e}", way.name);
    }
}
