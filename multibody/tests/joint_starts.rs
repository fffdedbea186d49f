//! Initial conditions that joints state: where assembly puts the bodies and how fast they move, in closed form, in any plane and of any size;
//! what loops determine is told or refused.

#[allow(dead_code, reason = "the other tests of linkages use the rest")]
use crate::support::linkages;

use fourbar_multibody::expression::Expression;
use fourbar_multibody::model::{
    Body, Exact, InitialConditions, Joint, JointKind, MarkerRef, Measure, MeasureKind, Model, Motion, MotionDirection,
    Orientation, PairMeasure, Place, vector, zero,
};
use fourbar_multibody::{Error, Mechanism};
use linkages::{Follower, Linkage};
use nalgebra::{Rotation3, Unit, Vector3 as V};
use proptest::prelude::*;

type V3 = V<f64>;

const SIZES: [f64; 5] = [1e-6, 1e-3, 1.0, 1e3, 1e6];

fn given(value: f64) -> Option<Expression> {
    Some(value.into())
}

fn turning(angle: Option<f64>, angular_velocity: Option<f64>) -> InitialConditions {
    InitialConditions {
        angle: angle.map(Into::into),
        angular_velocity: angular_velocity.map(Into::into),
        ..InitialConditions::default()
    }
}

fn sliding(displacement: Option<f64>, velocity: Option<f64>) -> InitialConditions {
    InitialConditions {
        displacement: displacement.map(Into::into),
        velocity: velocity.map(Into::into),
        ..InitialConditions::default()
    }
}

/// A body with its centre at (0.6, 0, 0.2) in the axes of a joint that stands at `PIVOT`, z along `normal`.
fn one_body(kind: JointKind, normal: V3, size: f64, initial: InitialConditions) -> Model {
    let axes = frame(normal);
    let place = |body: &str, position: V3, orientation: Orientation| -> MarkerRef {
        let (body, position) = (body.into(), vector((position * size).into()));
        Place { body, position, orientation, frame: Default::default() }.into()
    };
    let turned = Orientation {
        z_axis: Some(vector(axes.matrix().column(2).into_owned().into())),
        x_axis: Some(vector(axes.matrix().column(0).into_owned().into())),
        ..Orientation::default()
    };
    let body = Body {
        name: "body".into(),
        mass: 3.0.into(),
        inertia: [0.2, 0.3, 0.4].map(|i| (i * size * size).into()).to_vec(),
        center_of_mass: zero(),
        position: vector(((PIVOT + axes * ARM) * size).into()),
        orientation: turned.clone(),
        velocity: vector([0.0; 3]),
        angular_velocity: zero(),
        exact: vec![],
        solids: Vec::new(),
    };
    let joint = Joint {
        name: "joint".into(),
        kind,
        i: place("body", -ARM, Orientation::default()),
        j: place("ground", PIVOT, turned),
        length: None,
        pitch: None,
        initial,
    };
    let angle = Measure {
        name: "angle".into(),
        kind: MeasureKind::Angle(PairMeasure { i: joint.i.clone(), j: Some(joint.j.clone()) }),
    };
    Model { bodies: vec![body], joints: vec![joint], measures: vec![angle], ..Model::default() }
}

const PIVOT: V3 = V3::new(0.3, -0.2, 0.5);
const ARM: V3 = V3::new(0.6, 0.0, 0.2);

/// Any axes whose z is along `normal`.
fn frame(normal: V3) -> Rotation3<f64> {
    let z = normal.normalize();
    Rotation3::rotation_between(&V3::z(), &z)
        .unwrap_or_else(|| Rotation3::from_axis_angle(&V3::x_axis(), std::f64::consts::PI))
}

fn normals() -> [V3; 4] {
    [V3::z(), V3::new(1.0, 2.0, 2.0), V3::new(-0.3, 1e-3, -1.0), V3::new(1.0, -1.0, 1e-4)]
}

/// Checks the start of [`one_body`] against that of a body turned by `angle` about the joint's axis and moved by `way` along it.
fn check(model: &Model, normal: V3, size: f64, [angle, rate, way, speed]: [f64; 4]) {
    let mechanism = Mechanism::compile(model).unwrap();
    let pose = &mechanism.start().poses[0];
    let axes = frame(normal);
    let axis = Unit::new_normalize(normal);
    let turn = Rotation3::from_axis_angle(&axis, angle);
    let arm = turn * (axes * ARM);
    let x = (PIVOT + arm + axis.into_inner() * way) * size;
    let w = axis.into_inner() * rate;
    let v = (w.cross(&arm) + axis.into_inner() * speed) * size;
    assert!((pose.x - x).norm() < 1e-12 * size, "{} is not {x}", pose.x);
    assert!((pose.a - (turn * axes).into_inner()).norm() < 1e-12);
    assert!((pose.v - v).norm() <= 1e-12 * (rate.abs() + speed.abs()) * size, "{} is not {v}", pose.v);
    assert!((pose.w - w).norm() <= 1e-12 * (rate.abs() + speed.abs()), "{} is not {w}", pose.w);
    assert!(mechanism.assembly().determined.is_empty());
    assert!(mechanism.assembly().moved.iter().all(|moved| !moved.displaced), "the joints close as drawn");
}

#[test]
fn a_revolute_joint_starts_with_its_angle_and_rate() {
    for size in SIZES {
        for normal in normals() {
            for angle in [0.0, 0.4, -1.5, 2.9, std::f64::consts::PI, -3.1, 7.0, -40.0] {
                let model = one_body(JointKind::Revolute, normal, size, turning(Some(angle), Some(-3.0)));
                check(&model, normal, size, [angle, -3.0, 0.0, 0.0]);
                let counted = Mechanism::compile(&model).unwrap().start().angles[0].angle;
                assert!((counted - angle).abs() < 1e-12 * angle.abs().max(1.0), "{counted} is counted, not {angle}");
            }
        }
    }
}

#[test]
fn what_is_not_stated_stays_as_drawn() {
    let normal = V3::new(1.0, 2.0, 2.0);
    check(&one_body(JointKind::Revolute, normal, 1.0, turning(None, Some(2.0))), normal, 1.0, [0.0, 2.0, 0.0, 0.0]);
    check(&one_body(JointKind::Revolute, normal, 1.0, turning(Some(2.0), None)), normal, 1.0, [2.0, 0.0, 0.0, 0.0]);
    check(&one_body(JointKind::Cylindrical, normal, 1.0, sliding(Some(2.0), None)), normal, 1.0, [0.0, 0.0, 2.0, 0.0]);
}

#[test]
fn joints_that_slide_start_with_displacement_and_velocity() {
    for size in SIZES {
        for normal in normals() {
            for kind in [JointKind::Prismatic, JointKind::Cylindrical] {
                for way in [1e-3, 0.7, -12.0] {
                    let model = one_body(kind, normal, size, sliding(Some(way * size), Some(1.5 * size)));
                    check(&model, normal, size, [0.0, 0.0, way, 1.5]);
                }
            }
            let both = InitialConditions {
                displacement: given(0.25 * size),
                velocity: given(-2.0 * size),
                ..turning(Some(2.5), Some(4.0))
            };
            check(&one_body(JointKind::Cylindrical, normal, size, both), normal, size, [2.5, 4.0, 0.25, -2.0]);
        }
    }
}

#[test]
fn joints_whose_axes_stay_parallel_start_with_their_angle() {
    for kind in [JointKind::Planar, JointKind::ParallelAxes] {
        let normal = V3::new(1.0, 2.0, 2.0);
        let mechanism = Mechanism::compile(&one_body(kind, normal, 1.0, turning(Some(1.2), Some(0.5)))).unwrap();
        let pose = &mechanism.start().poses[0];
        let turn = Rotation3::from_axis_angle(&Unit::new_normalize(normal), 1.2);
        assert!((pose.a - (turn * frame(normal)).into_inner()).norm() < 1e-12);
        assert!((pose.w - normal.normalize() * 0.5).norm() < 1e-12);
    }
}

#[test]
fn a_point_on_a_line_starts_with_its_displacement() {
    let normal = V3::new(1.0, 2.0, 2.0);
    let mechanism =
        Mechanism::compile(&one_body(JointKind::Inline, normal, 1.0, sliding(Some(0.4), Some(-2.0)))).unwrap();
    let pose = &mechanism.start().poses[0];
    let arm = pose.a * -ARM;
    let point = pose.x + arm - PIVOT;
    assert!((point - normal.normalize() * 0.4).norm() < 1e-12, "{point}");
    assert!((pose.v + pose.w.cross(&arm) + normal.normalize() * 2.0).norm() < 1e-12);
}

/// The linkage as drawn, its crank told to start elsewhere and to turn.
fn cranked(linkage: &Linkage, angle: f64, rate: f64) -> Model {
    let free = Linkage { turn: None, spin: 0.0, ..linkage.clone() };
    let mut model = free.model();
    state(&mut model, "O", turning(Some(angle), Some(rate)));
    model
}

fn state(model: &mut Model, joint: &str, initial: InitialConditions) {
    let joint = model.joints.iter_mut().find(|j| j.name == joint).expect("the joint");
    joint.initial = initial;
}

fn four_bar() -> Linkage {
    Linkage { follower: Follower::Rocker { length: 2.5, pivot: 2.8 }, ..Linkage::slider_crank(0.4) }
}

/// Checks the far end of the coupler against the closed form.
fn check_end(linkage: &Linkage, mechanism: &Mechanism, angle: f64, rate: f64) -> Result<(), TestCaseError> {
    let at = linkage.start + angle;
    // Centres of the bodies lie in the plane of the drawing.
    let end = linkage.in_space(linkage.end(at));
    let [velocity, _] = linkage.motion_of_end(at, rate, 0.0);
    let follower = &mechanism.start().poses[2];
    prop_assert!((follower.x - end).norm() < 1e-9 * linkage.unit, "{} is not {end}", follower.x);
    prop_assert!(
        (follower.v - velocity).norm() <= 1e-8 * rate.abs() * linkage.unit,
        "{} is not {velocity}",
        follower.v
    );
    Ok(())
}

#[test]
fn a_four_bar_starts_by_its_crank() {
    for (angle, rate) in [(0.8, 6.0), (2.5, -3.0), (-2.9, 0.0), (3.12, 1.0), (6.5, 2.0)] {
        let mechanism = Mechanism::compile(&cranked(&four_bar(), angle, rate)).unwrap();
        check_end(&four_bar(), &mechanism, angle, rate).unwrap();
        assert!(mechanism.assembly().determined.is_empty());
        assert!(mechanism.assembly().moved.iter().all(|moved| !moved.displaced), "the joints close as drawn");
        assert_eq!(mechanism.redundancies().len(), 3, "initial conditions are no constraints of the motion");
        assert_eq!(mechanism.degrees_of_freedom(), 1);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, rng_seed: prop::test_runner::RngSeed::Fixed(21), failure_persistence: None, ..ProptestConfig::default() })]

    /// From a fixed seed: of some 9,000 random ones two ended on the other branch or with an error (docs/limits.md).
    #[test]
    fn any_linkage_starts_by_its_crank(linkage in Linkage::any(), angle in -3.1..3.1_f64, rate in -10.0..10.0_f64) {
        // Beside a dead centre positions lose half of their digits.
        let at = (linkage.start + angle).rem_euclid(std::f64::consts::TAU);
        let near = |dead: f64| (dead - at).sin().abs() < 0.02;
        prop_assume!(!linkage.dead_centres().into_iter().any(near));
        // A crank whose end passes the rocker's pivot closely swings the rocker by half a turn within one stage of the way: the branch can change.
        prop_assume!(!matches!(linkage.follower, Follower::Rocker { pivot, .. } if pivot < 1.1));
        let mechanism = Mechanism::compile(&cranked(&linkage, angle, rate))
            .map_err(|e| TestCaseError::fail(format!("{e}: {linkage:?}")))?;
        check_end(&linkage, &mechanism, angle, rate)?;
    }
}

#[test]
fn a_second_condition_of_a_loop_is_told_where_it_agrees() {
    let assembled = Mechanism::compile(&cranked(&four_bar(), 0.8, 6.0)).unwrap();
    // Angle of the rocker from where it is drawn, and its rate, from the closed form.
    let pivot = [2.8, 0.0];
    let direction = |at: f64| {
        let [x, y] = four_bar().end(at);
        (y - pivot[1]).atan2(x - pivot[0])
    };
    let angle = direction(four_bar().start + 0.8) - direction(four_bar().start);
    let rate = assembled.start().poses[2].w.dot(&four_bar().normal);
    let mut model = cranked(&four_bar(), 0.8, 6.0);
    state(&mut model, "C", turning(Some(angle), Some(rate)));
    let mechanism = Mechanism::compile(&model).unwrap();
    check_end(&four_bar(), &mechanism, 0.8, 6.0).unwrap();
    let told: Vec<_> = mechanism.assembly().determined.iter().map(|d| (d.joint.as_str(), d.quantity)).collect();
    assert_eq!(told, [("C", "angle"), ("C", "angular velocity")]);

    state(&mut model, "C", turning(Some(angle + 0.1), None));
    let error = Mechanism::compile(&model).unwrap_err();
    let Error::InitialCondition { joint, quantity, value, reached, others, .. } = &error else { panic!("{error}") };
    assert_eq!((joint.as_str(), *quantity), ("C", "angle"));
    assert!((value - angle - 0.1).abs() < 1e-12 && (reached - angle).abs() < 1e-9, "{error}");
    assert_eq!(others, &["the initial angle of joint \"O\""]);

    state(&mut model, "C", turning(None, Some(rate + 1.0)));
    let error = Mechanism::compile(&model).unwrap_err();
    let Error::InitialCondition { joint, quantity, reached, .. } = &error else { panic!("{error}") };
    assert_eq!((joint.as_str(), *quantity), ("C", "angular velocity"));
    assert!((reached - rate).abs() < 1e-9, "{error}");
    assert!(error.to_string().contains("joint \"C\""), "{error}");
}

#[test]
fn a_place_that_a_loop_does_not_reach_is_refused() {
    // The rocker swings by less than half a turn.
    let mut model = cranked(&four_bar(), 0.0, 0.0);
    state(&mut model, "O", InitialConditions::default());
    state(&mut model, "C", turning(Some(2.5), None));
    let error = Mechanism::compile(&model).unwrap_err();
    assert!(
        matches!(&error, Error::InitialCondition { joint, others, .. } if joint == "C" && others.is_empty()),
        "{error}"
    );
}

#[test]
fn what_joints_state_precedes_what_bodies_keep() {
    let mut model = one_body(JointKind::Revolute, V3::z(), 1.0, turning(Some(0.7), Some(2.0)));
    model.bodies[0].exact = vec![Exact::X, Exact::Y, Exact::Orientation, Exact::Vx, Exact::Vy, Exact::AngularVelocity];
    check(&model, V3::z(), 1.0, [0.7, 2.0, 0.0, 0.0]);
    let mechanism = Mechanism::compile(&model).unwrap();
    let moved = &mechanism.assembly().moved[0];
    assert!((moved.rotation - 0.7).abs() < 1e-9, "{moved:?}");
}

#[test]
fn a_free_chain_moves_as_little_as_the_stated_joint_lets_it() {
    // A second body on the first: only its joint to the first is stated, and the first keeps its place where it is exact.
    let mut model = one_body(JointKind::Revolute, V3::z(), 1.0, turning(None, None));
    let mut second = model.bodies[0].clone();
    (second.name, second.position) = ("second".into(), vector([1.5, -0.2, 0.7]));
    let place = |body: &str, x: f64| -> MarkerRef {
        Place {
            body: body.into(),
            position: vector([x, 0.0, 0.0]),
            orientation: Orientation::default(),
            frame: Default::default(),
        }
        .into()
    };
    model.bodies[0].exact = vec![Exact::Orientation, Exact::AngularVelocity];
    model.bodies.push(second);
    model.joints.push(Joint {
        name: "elbow".into(),
        kind: JointKind::Revolute,
        i: place("second", -0.3),
        j: place("body", 0.3),
        length: None,
        pitch: None,
        initial: turning(Some(1.0), Some(5.0)),
    });
    let mechanism = Mechanism::compile(&model).unwrap();
    let [first, second] = [0, 1].map(|k| &mechanism.start().poses[k]);
    let turn = first.a.transpose() * second.a;
    assert!((turn[(1, 0)] - 1.0_f64.sin()).abs() < 1e-12);
    assert!((second.w.z - first.w.z - 5.0).abs() < 1e-12);
    assert!((first.a - nalgebra::Matrix3::identity()).norm() < 1e-6, "{}", first.a);
    assert!(first.w.norm() < 1e-6, "{}", first.w);
}

fn motion() -> Motion {
    Motion {
        name: "drive".into(),
        joint: Some("joint".into()),
        i: None,
        j: None,
        direction: None,
        displacement: None,
        velocity: given(4.0),
        acceleration: None,
        initial_displacement: None,
        initial_velocity: None,
    }
}

#[test]
fn a_motion_by_its_rate_starts_where_its_joint_states() {
    let mut model = one_body(JointKind::Revolute, V3::z(), 1.0, turning(Some(2.0), None));
    model.motions.push(motion());
    check(&model, V3::z(), 1.0, [2.0, 4.0, 0.0, 0.0]);
}

#[test]
fn what_a_motion_prescribes_is_not_stated_as_well() {
    let refused = |initial: InitialConditions, motion: Motion| {
        let mut model = one_body(JointKind::Revolute, V3::z(), 1.0, initial);
        model.motions.push(motion);
        let error = Mechanism::compile(&model).unwrap_err().to_string();
        assert!(error.contains("joint \"joint\", `initial.") && error.contains("motion \"drive\""), "{error}");
    };
    refused(turning(None, Some(1.0)), motion());
    refused(turning(Some(1.0), None), Motion { initial_displacement: given(0.5), ..motion() });
    refused(turning(Some(1.0), None), Motion { velocity: None, displacement: given(0.5), ..motion() });
    let mut model = one_body(JointKind::Cylindrical, V3::z(), 1.0, turning(Some(1.0), None));
    let translation = Some(MotionDirection::Translation);
    model.motions.push(Motion { direction: translation, velocity: None, displacement: given(0.5), ..motion() });
    assert!(Mechanism::compile(&model).is_ok(), "the other coordinate is free");
}

#[test]
fn a_coordinate_that_a_joint_does_not_have_is_refused() {
    use JointKind as K;
    let turns = [K::Revolute, K::Cylindrical, K::Screw, K::Planar, K::ParallelAxes];
    let slides = [K::Prismatic, K::Cylindrical, K::Screw, K::Inline];
    let other = [
        K::Spherical,
        K::Universal,
        K::Fixed,
        K::Inplane,
        K::Perpendicular,
        K::Orientation,
        K::Distance,
        K::ConstantVelocity,
        K::Hooke,
    ];
    for kind in turns.iter().chain(&slides).chain(&other) {
        let all = [
            ("angle", turning(Some(0.1), None), turns.contains(kind)),
            ("angular_velocity", turning(None, Some(0.1)), turns.contains(kind)),
            ("displacement", sliding(Some(0.1), None), slides.contains(kind)),
            ("velocity", sliding(None, Some(0.1)), slides.contains(kind)),
        ];
        for (field, initial, allowed) in all {
            let mut model = one_body(*kind, V3::z(), 1.0, initial);
            if *kind == K::Distance {
                model.joints[0].length = given(0.1);
            }
            model.joints[0].pitch = given(0.5).filter(|_| *kind == K::Screw);
            match Mechanism::compile(&model) {
                Ok(_) => assert!(allowed, "{kind:?} has no {field}"),
                Err(error) => {
                    let told = error.to_string();
                    assert!(!allowed && told.contains(&format!("joint \"joint\", `initial.{field}`")), "{told}");
                }
            }
        }
    }
}
