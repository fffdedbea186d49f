//! Models that use every kind of element at once.

use crate::mechanism::machines::{at, body, hinge, joint};
use fourbar::multibody::expression::Expression;
use fourbar::multibody::model::{
    AxialTorque, Beam, Bushing, Component, ElasticAngles, Force, GeneralForce, GyroscopicCouple, Joint, JointKind,
    LineForce, MarkerRef, Measure, MeasureKind, Model, Motion, MotionDirection, PairMeasure, SpringDamper,
    TorsionSpringDamper, VectorForce, VectorMeasure, vector,
};

pub(crate) fn expression(text: &str) -> Expression {
    Expression::parse(text).expect("a valid expression")
}

fn measure(name: &str, kind: MeasureKind) -> Measure {
    Measure { name: name.to_owned(), kind }
}

fn vector_measure(i: MarkerRef, j: Option<MarkerRef>, frame: Option<MarkerRef>, component: Component) -> VectorMeasure {
    VectorMeasure { i, j, frame, component: Some(component), seen_from: None }
}

/// Two bodies in general position, moving.
pub(crate) fn two_bodies() -> Model {
    let mut a = body("a", 1.3, [0.4, 0.5, 0.7], [0.2, -0.1, 0.3]);
    let mut b = body("b", 2.1, [0.3, 0.25, 0.5], [1.1, 0.4, -0.2]);
    a.inertia.extend([0.02, -0.03, 0.01].map(Expression::constant));
    a.orientation = fourbar::multibody::model::Orientation::turn([1.0, 2.0, -0.5], 0.7);
    b.orientation = fourbar::multibody::model::Orientation::turn([-0.3, 1.0, 0.8], -1.1);
    (a.velocity, a.angular_velocity) = (vector([0.3, -0.2, 0.5]), vector([1.1, 0.7, -0.4]));
    (b.velocity, b.angular_velocity) = (vector([-0.6, 0.1, 0.2]), vector([-0.5, 0.9, 1.3]));
    Model { gravity: vector([0.1, -9.81, 0.3]), bodies: vec![a, b], ..Model::default() }
}

/// A joint of `kind` between the two bodies, at markers far enough from singular.
pub(crate) fn joint_between(kind: JointKind) -> Joint {
    let i = hinge("a", [0.3, 0.2, -0.1], [0.2, 0.5, 1.0]);
    let j = hinge("b", [-0.2, 0.1, 0.4], [-0.4, 0.3, 1.0]);
    joint("j", kind, i, j)
}

pub(crate) const KINDS: [JointKind; 16] = [
    JointKind::Revolute,
    JointKind::Prismatic,
    JointKind::Cylindrical,
    JointKind::Spherical,
    JointKind::Universal,
    JointKind::Planar,
    JointKind::Fixed,
    JointKind::Inline,
    JointKind::Inplane,
    JointKind::ParallelAxes,
    JointKind::Perpendicular,
    JointKind::Orientation,
    JointKind::Distance,
    JointKind::Screw,
    JointKind::ConstantVelocity,
    JointKind::Hooke,
];

/// A bushing with all its coefficients.
fn bushing(i: MarkerRef, j: MarkerRef) -> Bushing {
    let c = Expression::constant;
    let six = |first: f64| std::array::from_fn(|k| c(first + 0.3 * k as f64));
    let matrix = |size: f64| std::array::from_fn(|r| std::array::from_fn(|k| c(size * ((3 * r + 5 * k) as f64).sin())));
    Bushing {
        name: "bushing".into(),
        i,
        j,
        stiffness: six(20.0),
        damping: six(0.5),
        stiffness_matrix: Some(matrix(6.0)),
        damping_matrix: Some(matrix(0.4)),
        preload: six(-1.0),
        angles: ElasticAngles::RotationVector,
    }
}

/// A soft beam.
fn beam(i: MarkerRef, j: MarkerRef) -> Beam {
    let c = Expression::constant;
    Beam {
        name: "beam".into(),
        i,
        j,
        length: c(1.2),
        area: c(2e-3),
        iyy: c(3e-4),
        izz: c(4e-4),
        ixx: c(5e-4),
        asy: c(1.1),
        asz: c(1.2),
        youngs_modulus: c(1e4),
        shear_modulus: c(4e3),
        damping_ratio: c(0.02),
        damping_matrix: Some(std::array::from_fn(|r| std::array::from_fn(|k| c(0.1 * ((2 * r + 3 * k) as f64).cos())))),
        angles: ElasticAngles::Projected,
    }
}

/// Every kind of force, with expressions of every kind of measure that may drive one.
pub(crate) fn forces() -> Model {
    let mut model = two_bodies();
    let pair = |i: MarkerRef, j: MarkerRef| PairMeasure { i, j: Some(j) };
    let (p, q) = (at("a", [0.3, 0.1, 0.2]), at("b", [0.1, -0.3, 0.4]));
    let along = hinge("b", [0.0; 3], [1.0, 0.3, 0.2]);
    model.measures = vec![
        measure(
            "px",
            MeasureKind::Position(vector_measure(p.clone(), Some(q.clone()), Some(along.clone()), Component::X)),
        ),
        measure("speed", MeasureKind::Velocity(vector_measure(p.clone(), Some(q.clone()), None, Component::Magnitude))),
        measure(
            "wz",
            MeasureKind::AngularVelocity(vector_measure(p.clone(), Some(q.clone()), Some(p.clone()), Component::Z)),
        ),
        measure("turn", MeasureKind::Angle(pair(p.clone(), q.clone()))),
        measure("length", MeasureKind::Distance(pair(p.clone(), q.clone()))),
        measure("rate", MeasureKind::DistanceRate(pair(p.clone(), q.clone()))),
        measure(
            "mix",
            MeasureKind::Expression(fourbar::multibody::model::ExpressionMeasure {
                expression: expression("px*speed + sin(turn)"),
                unit: String::new(),
            }),
        ),
    ];
    let c = Expression::constant;
    let q_again = q.clone();
    model.forces = vec![
        Force::SpringDamper(SpringDamper {
            name: "spring".into(),
            i: p.clone(),
            j: q.clone(),
            stiffness: c(30.0),
            damping: c(2.0),
            free_length: Some(c(0.4)),
            preload: c(1.5),
        }),
        Force::TorsionSpringDamper(TorsionSpringDamper {
            name: "torsion".into(),
            i: p.clone(),
            j: along.clone(),
            stiffness: c(4.0),
            damping: c(0.3),
            free_angle: Some(c(0.2)),
            preload: c(-0.4),
        }),
        Force::LineForce(LineForce {
            name: "line".into(),
            i: p.clone(),
            j: at("ground", [1.0, 2.0, 3.0]),
            value: expression("3*mix - length*rate + time"),
        }),
        Force::AxialTorque(AxialTorque {
            name: "axial".into(),
            i: p.clone(),
            j: along.clone(),
            value: expression("wz*length - 2*turn"),
        }),
        Force::Force(VectorForce {
            name: "force".into(),
            i: p.clone(),
            reaction: Some("b".into()),
            frame: Some(q.clone()),
            value: [expression("px"), expression("max(speed, 0.1)"), expression("2*mix")],
        }),
        Force::Torque(VectorForce {
            name: "torque".into(),
            i: q,
            reaction: Some("a".into()),
            frame: Some(p.clone()),
            value: [expression("rate"), expression("1 - wz"), expression("cos(turn)")],
        }),
        Force::Gforce(Box::new(GeneralForce {
            name: "gforce".into(),
            i: q_again.clone(),
            reaction: Some("a".into()),
            frame: Some(p.clone()),
            force: [expression("2 - rate"), expression("wz"), expression("sin(turn)")],
            torque: [expression("rate"), expression("1 - wz"), expression("cos(turn)")],
        })),
        Force::GyroscopicCouple(GyroscopicCouple { name: "rotor".into(), i: q_again.clone(), momentum: c(2.0) }),
        Force::Bushing(Box::new(bushing(p.clone(), q_again))),
        Force::Beam(Box::new(beam(p, along))),
    ];
    model
}

/// Two cylindrical joints in a row, one turned and slid by motions of each kind.
pub(crate) fn driven(kind: &str) -> Model {
    let mut model = two_bodies();
    model.joints = vec![
        joint(
            "c",
            JointKind::Cylindrical,
            hinge("a", [0.0; 3], [0.0, 0.0, 1.0]),
            hinge("ground", [0.1, 0.2, 0.0], [0.2, 0.1, 1.0]),
        ),
        joint(
            "p",
            JointKind::Prismatic,
            hinge("b", [0.0; 3], [1.0, 0.0, 0.2]),
            hinge("a", [0.1, 0.2, 0.0], [1.0, 0.0, 0.0]),
        ),
    ];
    let motion = |name: &str, joint: &str, direction, text: &str| {
        let mut motion = Motion {
            name: name.to_owned(),
            joint: Some(joint.to_owned()),
            i: None,
            j: None,
            direction,
            displacement: None,
            velocity: None,
            acceleration: None,
            initial_displacement: None,
            initial_velocity: None,
        };
        match kind {
            "displacement" => motion.displacement = Some(expression(text)),
            "velocity" => motion.velocity = Some(expression(text)),
            _ => motion.acceleration = Some(expression(text)),
        }
        motion
    };
    model.motions = vec![
        motion("turn", "c", Some(MotionDirection::Rotation), "0.3*sin(2*time)"),
        motion("slide", "c", Some(MotionDirection::Translation), "0.1*time^2"),
        motion("push", "p", None, "0.2*cos(time)"),
    ];
    model
}
