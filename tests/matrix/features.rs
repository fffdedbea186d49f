//! The rows: one small model for each feature, all with gravity down along z, springs that hold them, and a force that moves them.

use super::feature::{Feature, Following};
use super::texts::*;
use super::{joints, kinds};

const PUSH: [f64; 3] = [3.0, 0.0, 0.0];

/// A cart on a rail, with a feature that changes its way.
fn cart(name: &str, own: &str) -> Feature {
    Feature::new(name, &(cart_at(0.0) + RESULT_X), own).pushed("\"cart\"", PUSH).driven(RAIL_DRIVEN)
}

/// A cart and a wheel beside it, with what relates them.
fn cart_and_wheel(name: &str, own: &str, reaction: &'static str) -> Feature {
    let base = cart_at(0.0) + &wheel("wheel", "bearing", 0.5) + RESULT_X;
    Feature::new(name, &base, own).pushed("\"cart\"", PUSH).driven(RAIL_DRIVEN).reacting(reaction)
}

fn gear() -> Feature {
    let base = wheel("wheel", "bearing", 0.0) + &wheel("other", "other_bearing", 0.3) + &result_of_angle("other");
    let marker = "{ body = \"wheel\", position = [0, 0.1, 0] }";
    Feature::new("gear", &base, GEAR).pushed(marker, [3.0, 0.0, 0.0]).driven(BEARING_DRIVEN).reacting("gear = \"mesh\"")
}

/// A bead in the horizontal plane, and what keeps it on a parabola.
fn bead(name: &str, own: &str, reaction: &'static str) -> Feature {
    Feature::new(name, BEAD, own).pushed("\"bead\"", [2.0, 0.0, 0.0]).driven(BEAD_DRIVEN).reacting(reaction)
}

fn cam() -> Feature {
    let own = circle("disc", "wheel", 0.02, 0.1) + &circle("roller", "cart", 0.0, 0.05) + TOUCHING;
    let base = wheel("wheel", "bearing", 0.0) + &cart_at(0.17) + RESULT_OF_CAM;
    let marker = "{ body = \"wheel\", position = [0.1, 0, 0] }";
    let cam = Feature::new("curve_on_curve", &base, &own).pushed(marker, [0.0, 4.0, 0.0]);
    cam.driven(BEARING_DRIVEN).reacting("curve_on_curve = \"touching\"")
}

fn relations() -> Vec<Feature> {
    vec![
        cart("friction at a joint", FRICTION).reacting("force = \"rub\""),
        cart_and_wheel("coupler", COUPLER, "coupler = \"belt\""),
        gear(),
        cart_and_wheel("rack_and_pinion", RACK, "rack_and_pinion = \"rack\""),
        bead("point_on_curve", &(parabola() + ON_PARABOLA), "point_on_curve = \"wire\""),
        cam(),
        Feature::new("rolling", BALL_HELD_BY_SPRINGS, ROLLING)
            .pushed("\"ball\"", [2.0, 1.0, 0.0])
            .reacting("joint = \"rolls\""),
        bead("constraint by an expression", CONSTRAINT, "constraint = \"wire\""),
        Feature::new("flexible body", "", FLEXIBLE)
            .pushed("\"arm/end\"", [0.0, 2.0, 0.0])
            .reacting("joint = \"clamp\""),
    ]
}

fn forces() -> Vec<Feature> {
    let free = |name: &str, own: &str| {
        let marker = "{ body = \"block\", position = [0, 0.1, 0] }";
        Feature::new(name, BLOCK, own).pushed(marker, [3.0, 2.0, 4.0]).reacting("force = \"elastic\"")
    };
    vec![
        free("bushing", BUSHING),
        free("beam", BEAM),
        free("field", FIELD),
        cart("force by a spline", SPLINE),
        cart("input of the mechanism", INPUT).set("u", 2.0),
        cart("actuator, force", ACTUATOR).set("jack.force", 2.0).reacting("force = \"jack\""),
        Feature::new(
            "actuator, torque",
            &(wheel("wheel", "bearing", 0.0) + &result_of_angle("wheel")),
            TORQUE_ACTUATOR,
        )
        .pushed("{ body = \"wheel\", position = [0, 0.1, 0] }", PUSH)
        .driven(BEARING_DRIVEN)
        .set("motor.torque", 0.3)
        .reacting("force = \"motor\""),
    ]
}

fn switches_and_states() -> Vec<Feature> {
    vec![
        cart("sensor", SENSOR),
        cart("active of a force by an expression", ACTIVE_FORCE),
        cart_and_wheel("active of a joint by an expression", ACTIVE_JOINT, "joint = \"latch\""),
        cart("state by its rate", STATE),
        cart("state by zero", ZERO),
        cart("transfer_function", TRANSFER_FUNCTION),
        cart("state_space", STATE_SPACE),
        cart("pid", PID),
    ]
}

fn motions() -> Vec<Feature> {
    let driven = |name: &str, own: &str| {
        let marker = "{ body = \"bob\", position = [0.1, 0, 0] }";
        let base = cart_at(0.0) + BOB;
        let motion = Feature::new(name, &base, own).pushed(marker, [0.0, 1.0, 0.0]).driven(HINGE_DRIVEN);
        motion.reacting("motion = \"drive\"")
    };
    vec![
        driven("motion by displacement", MOTION_DISPLACEMENT),
        driven("motion by velocity", MOTION_VELOCITY),
        driven("motion by acceleration", MOTION_ACCELERATION),
    ]
}

fn contacts() -> Vec<Feature> {
    let push = [1.0, 0.0, 0.0];
    let ball = |name: &str, own: &str| Feature::new(name, BALL, own).pushed("\"ball\"", push);
    let elements = [
        ball("contact sphere_plane", SPHERE_PLANE),
        ball("contact box_plane", BOX_PLANE),
        ball("contact sphere_sphere", SPHERE_SPHERE),
        ball("contact rope", ROPE),
        Feature { drive: None, ..cart("contact joint_stop", JOINT_STOP) },
        Feature::new("contact curve_curve", BALL_IN_PLANE, CURVE_CURVE).pushed("\"ball\"", push),
        ball("contact of shapes", SHAPES),
    ];
    let ways = [
        ("by event", Following::Event),
        ("gap_lcp", Following::Steps("gap_lcp")),
        ("moreau_jean", Following::Steps("moreau_jean")),
        ("ggl", Following::Steps("ggl")),
    ];
    let all = |own: &Feature| ways.map(|(name, way)| own.clone().followed(name, way));
    // Each kind by event and by one method of fixed steps; one kind, and shapes, by all methods.
    let of_all_methods = |own: &Feature| own.name.contains("sphere_plane") || own.name.contains("shapes");
    elements.iter().flat_map(|own| all(own).into_iter().take(if of_all_methods(own) { 4 } else { 2 })).collect()
}

/// Which of the features are tried beside contacts as well.
const BESIDE: &[&str] = &[
    "friction at a joint",
    "coupler",
    "gear",
    "point_on_curve",
    "curve_on_curve",
    "rolling",
    "constraint by an expression",
    "flexible body",
    "bushing",
    "input of the mechanism",
    "actuator, force",
    "sensor",
    "active of a force by an expression",
    "active of a joint by an expression",
    "state by its rate",
    "state by zero",
    "transfer_function",
    "pid",
    "motion by displacement",
    "motion by velocity",
];

/// All rows, in groups with a heading.
pub(crate) fn all() -> Vec<(&'static str, Vec<Feature>)> {
    let smooth = [relations(), forces(), switches_and_states(), motions()].concat();
    let beside = |name: &'static str, way: Following| -> Vec<Feature> {
        let chosen = BESIDE.iter().map(|own| smooth.iter().find(|feature| feature.name == *own).expect(own));
        chosen.map(|feature| feature.beside(name, way)).collect()
    };
    vec![
        ("Joints", joints::all()),
        ("Elements of mechanisms", smooth.clone()),
        ("Copies and includes", kinds::repeated()),
        ("Contacts", contacts()),
        ("Elements beside contacts by event", beside("beside event", Following::Event)),
        ("Elements beside contacts in fixed steps", beside("beside gap_lcp", Following::Steps("gap_lcp"))),
        ("Other kinds of models", kinds::others()),
    ]
}
