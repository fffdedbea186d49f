//! Gaps, rows and drifts of every kind against each other: along a motion with constant velocities, the derivative of the gap
//! is its row, and the derivative of each row its drift.

use fourbar_contact::model::*;
use fourbar_contact::pair::ContactSet;
use fourbar_contact::unilateral::{Contacts, Unilateral};
use fourbar_multibody::expression::Expression;
use fourbar_multibody::model::{Body, Direction, Joint, JointKind, Model, Orientation, Place, vector, zero};
use fourbar_multibody::space::{Pose, V3, rotation};
use fourbar_multibody::{Mechanism, model};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Two free bodies `a` and `b`, far from each other, whose centres are not at their origins.
fn bodies() -> Model {
    let body = |name: &str, x: f64| Body {
        name: name.into(),
        mass: 1.0.into(),
        inertia: vec![0.1.into(), 0.1.into(), 0.1.into()],
        center_of_mass: vector([0.1, -0.2, 0.05]),
        position: vector([x, 0.0, 0.0]),
        orientation: Orientation::default(),
        velocity: zero(),
        angular_velocity: zero(),
        exact: vec![],
        solids: Vec::new(),
    };
    Model { bodies: vec![body("a", 0.0), body("b", 5.0)], ..Model::default() }
}

/// Compiles `contacts` and returns the set.
fn compile(model: &Model, contacts: ContactModel) -> ContactSet {
    let mechanism = Mechanism::compile(model).expect("a mechanism");
    ContactSet::compile(model, &contacts, &mechanism).expect("contacts")
}

fn one(kind: ContactKind) -> ContactModel {
    let contact =
        Contact { rolling: 0.01.into(), spinning: 0.02.into(), ..Contact::new("pair", kind).with_friction(0.5) };
    ContactModel { contacts: vec![contact], ..ContactModel::default() }
}

fn without_friction(kind: ContactKind) -> ContactModel {
    ContactModel { contacts: vec![Contact::new("pair", kind)], ..ContactModel::default() }
}

fn shapes(on_a: Geometry, on_b: Geometry) -> ContactModel {
    let shape = |name: &str, geometry| Shape { name: name.into(), on: name.into(), group: None, geometry };
    let kind = ContactKind::Shapes(Shapes { i: "a".into(), j: Some("b".into()), joined: false });
    ContactModel { shapes: vec![shape("a", on_a), shape("b", on_b)], ..one(kind) }
}

fn place(body: &str, position: [f64; 3], turn: [f64; 3]) -> model::MarkerRef {
    let angle = V3::from(turn).norm();
    let orientation = if angle > 0.0 { Orientation::turn(turn, angle) } else { Orientation::default() };
    Place { body: body.into(), position: vector(position), orientation, frame: model::Frame::Body }.into()
}

/// The bodies after `t` at constant velocities.
fn moved(poses: &[Pose], t: f64) -> Vec<Pose> {
    let flow = |p: &Pose| Pose { x: p.x + p.v * t, a: rotation(&(p.w * t)) * p.a, ..*p };
    poses.iter().map(flow).collect()
}

fn found(set: &mut ContactSet, time: f64, poses: &[Pose]) -> Vec<Unilateral> {
    let mut contacts = Vec::new();
    set.find(time, poses, f64::MAX, &mut contacts).expect("gaps");
    assert!(contacts.windows(2).all(|w| w[0].id < w[1].id), "sorted by id, each once");
    contacts
}

fn check(set: &mut ContactSet, time: f64, poses: &[Pose], of: fn(&[Unilateral]) -> Vec<Unilateral>) {
    check_to(1e-7, set, time, poses, of);
}

/// Gap, its rate, and the rates of the rows.
type Sample = (f64, f64, [f64; 6]);

/// Checks rows and drifts of the contacts that `of` chooses, by central differences of fourth order.
fn check_to(tolerance: f64, set: &mut ContactSet, time: f64, poses: &[Pose], of: fn(&[Unilateral]) -> Vec<Unilateral>) {
    const H: f64 = 1e-4;
    let chosen = of(&found(set, time, poses));
    assert!(!chosen.is_empty(), "no contact");
    for contact in chosen {
        let mut at = |k: f64| {
            let later = moved(poses, k * H);
            let all = found(set, time + k * H, &later);
            let same = all.into_iter().find(|c| c.id == contact.id)?;
            let rates = same.rows.map(|row| row.rate(&later[same.bodies[0]], &later[same.bodies[1]]));
            Some((same.gap, same.rate(&later), rates))
        };
        // The nearest features may change within the step of the differences.
        let [Some(a), Some(b), Some(c), Some(d)] = [-2.0, -1.0, 1.0, 2.0].map(&mut at) else { continue };
        let slope = |f: &dyn Fn(&Sample) -> f64| (8.0 * (f(&c) - f(&b)) - (f(&d) - f(&a))) / (12.0 * H);
        let close = |what: &str, exact: f64, difference: f64| {
            assert!((exact - difference).abs() < tolerance * (1.0 + exact.abs()), "{what}: {exact} {difference}");
        };
        close("gap", contact.rate(poses), slope(&|s| s.0));
        close("rate of the gap", contact.rows[0].drift + contact.gap_rate_drift, slope(&|s| s.1));
        for k in 0..=contact.surface.friction_rows() {
            close(&format!("row {k}"), contact.rows[k].drift, slope(&|s| s.2[k]));
        }
        directions(&contact);
    }
}

/// The tangents are orthonormal and normal to n, and turning follows the same axes.
fn directions(contact: &Unilateral) {
    if contact.surface.friction_rows() < 5 {
        return;
    }
    let g = |k: usize| contact.rows[k].g;
    let axes = nalgebra::Matrix3::from_columns(&[g(0), g(1), g(2)]);
    assert!((axes.transpose() * axes - nalgebra::Matrix3::identity()).norm() < 1e-13);
    for (turn, slide) in [(3, 0), (4, 1), (5, 2)] {
        assert!((contact.rows[turn].gi - g(slide)).norm() < 1e-14 && contact.rows[turn].gj == -contact.rows[turn].gi);
    }
}

fn all(contacts: &[Unilateral]) -> Vec<Unilateral> {
    contacts.to_vec()
}

fn deepest(contacts: &[Unilateral]) -> Vec<Unilateral> {
    contacts.iter().min_by(|a, b| a.gap.total_cmp(&b.gap)).copied().into_iter().collect()
}

prop_compose! {
    fn vectors(size: f64)(v in prop::array::uniform3(-1.0..1.0f64)) -> V3 { V3::from(v) * size }
}

prop_compose! {
    /// Bodies a and b anywhere near (2, 0, 0) and the origin, and the ground.
    fn placed()(x in vectors(0.5), y in vectors(0.5), p in vectors(2.0), q in vectors(2.0), va in vectors(1.0), vb in vectors(1.0), wa in vectors(1.0), wb in vectors(1.0)) -> Vec<Pose> {
        vec![
            Pose { x: V3::new(2.0, 0.0, 0.0) + x, a: rotation(&p), v: va, w: wa },
            Pose { x: y, a: rotation(&q), v: vb, w: wb },
            Pose::ground(),
        ]
    }
}

prop_compose! {
    /// The same, turned about z alone but for a little.
    fn planar()(x in -1.0..1.0f64, y in -1.0..1.0f64, turn in -3.0..3.0f64, base in -3.0..3.0f64, tilt in vectors(0.02), rest in placed()) -> Vec<Pose> {
        let mut poses = rest;
        poses[0].x = V3::new(2.0 + 0.3 * x, y, 0.02 * x);
        poses[0].a = rotation(&V3::new(tilt.x, tilt.y, turn));
        poses[1].a = rotation(&V3::new(0.0, tilt.z, base));
        poses
    }
}

fn expression(text: &str) -> Expression {
    Expression::parse(text).expect("an expression")
}

fn stop() -> (Model, ContactModel) {
    let joint = Joint {
        name: "bearing".into(),
        kind: JointKind::Cylindrical,
        i: place("a", [0.1, 0.2, 0.0], [0.2, 0.0, 0.1]),
        j: place("ground", [0.1, 0.2, 0.0], [0.2, 0.0, 0.1]),
        length: None,
        pitch: None,
        initial: Default::default(),
    };
    let limits = |direction| {
        ContactKind::JointStop(JointStop {
            joint: "bearing".into(),
            direction: Some(direction),
            lower: Some(expression("-0.3 + 0.1*sin(time)")),
            upper: Some(1.2.into()),
        })
    };
    let contacts =
        vec![Contact::new("turn", limits(Direction::Rotation)), Contact::new("slide", limits(Direction::Translation))];
    (Model { joints: vec![joint], ..bodies() }, ContactModel { contacts, ..ContactModel::default() })
}

proptest! {
    // The same cases each time: rarely a difference straddles a place where the direction of a tangent turns fast.
    #![proptest_config(ProptestConfig { cases: 48, rng_seed: RngSeed::Fixed(20), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn planes(poses in placed()) {
        let (i, j) = (place("a", [0.3, 0.1, -0.2], [0.0; 3]), place("b", [0.0, 0.2, 0.1], [0.4, -0.3, 0.2]));
        let offset = expression("0.2*sin(3*time)");
        let point = PointPlane { i: i.clone(), j: j.clone(), offset: offset.clone() };
        check(&mut compile(&bodies(), one(ContactKind::PointPlane(point))), 0.7, &poses, all);
        let sphere = SpherePlane { i: i.clone(), radius: 0.15.into(), j: j.clone(), offset: offset.clone() };
        check(&mut compile(&bodies(), one(ContactKind::SpherePlane(sphere))), 0.7, &poses, all);
        let corners = BoxPlane { i, size: vector([0.2, 0.3, 0.4]), j, offset };
        check(&mut compile(&bodies(), one(ContactKind::BoxPlane(corners))), 0.7, &poses, all);
    }

    #[test]
    fn spheres_and_ropes(poses in placed()) {
        let (i, j) = (place("a", [0.3, 0.1, -0.2], [0.0; 3]), place("b", [0.0, 0.2, 0.1], [0.0; 3]));
        let spheres = SphereSphere { i: i.clone(), j: j.clone(), radius_i: 0.3.into(), radius_j: 0.4.into() };
        check(&mut compile(&bodies(), one(ContactKind::SphereSphere(spheres))), 0.0, &poses, all);
        let rope = ContactKind::Rope(Rope { i, j, length: expression("2 + 0.3*cos(2*time)") });
        check(&mut compile(&bodies(), without_friction(rope)), 0.4, &poses, all);
    }

    #[test]
    fn stops(poses in placed()) {
        let (model, contacts) = stop();
        let mut set = compile(&model, contacts);
        let near = vec![Pose { a: rotation(&(V3::new(0.2, 0.1, 0.3) * poses[0].x.y)), ..poses[0] }, poses[1], poses[2]];
        check(&mut set, 0.3, &near, all);
    }

    #[test]
    fn round_curves(poses in planar()) {
        let frames = || (place("a", [0.1, 0.0, 0.0], [0.0; 3]), place("b", [0.0, 0.1, 0.0], [0.0; 3]));
        let circle = |radius: f64, hollow| Curve::Circle { radius: radius.into(), hollow };
        let pairs = [(circle(0.3, false), circle(0.5, false)), (circle(0.3, false), circle(3.0, true)), (circle(4.0, true), circle(0.2, false))];
        for (curve_i, curve_j) in pairs {
            let (i, j) = frames();
            check(&mut compile(&bodies(), one(ContactKind::CurveCurve(CurveCurve { i, j, curve_i, curve_j }))), 0.0, &poses, all);
        }
    }

    #[test]
    fn free_curves(poses in planar()) {
        let ellipse = |a: f64, b: f64| Curve::Formula {
            x: expression(&format!("{a}*cos(s)")),
            y: expression(&format!("{b}*sin(s)")),
            from: 0.0.into(),
            to: expression("2*pi"),
            closed: true,
        };
        let egg = |k: usize| {
            let angle = std::f64::consts::TAU * k as f64 / 10.0;
            let radius = 0.5 + 0.1 * angle.cos();
            [(radius * angle.cos()).into(), (radius * angle.sin()).into()]
        };
        let cam = Curve::Spline { points: (0..10).map(egg).collect(), closed: true };
        let pair = |curve_i, curve_j| {
            let (i, j) = (place("a", [0.1, 0.0, 0.0], [0.0; 3]), place("b", [0.0, 0.1, 0.0], [0.0; 3]));
            compile(&bodies(), one(ContactKind::CurveCurve(CurveCurve { i, j, curve_i, curve_j })))
        };
        check(&mut pair(ellipse(0.4, 0.2), ellipse(0.7, 0.5)), 0.0, &poses, all);
        // The third derivative of a spline jumps, and differences across a knot are the worse for it.
        let round = Curve::Circle { radius: 0.2.into(), hollow: false };
        check_to(2e-5, &mut pair(round, cam), 0.0, &poses, all);
    }

    #[test]
    fn shapes_with_spheres(poses in placed()) {
        let sphere = || Geometry::Sphere(SphereShape { radius: 0.6.into() });
        let cube = || Geometry::Box(BoxShape { size: vector([1.1, 0.8, 1.3]) });
        check(&mut compile(&bodies(), shapes(sphere(), sphere())), 0.0, &poses, all);
        // A centre inside of the box is another matter.
        let mut set = compile(&bodies(), shapes(sphere(), cube()));
        prop_assume!(found(&mut set, 0.0, &poses)[0].gap > -0.5);
        check(&mut set, 0.0, &poses, all);
        let mut set = compile(&bodies(), shapes(cube(), sphere()));
        prop_assume!(found(&mut set, 0.0, &poses)[0].gap > -0.5);
        check(&mut set, 0.0, &poses, all);
    }

    #[test]
    fn shapes_on_half_spaces(poses in placed()) {
        let below = || Geometry::HalfSpace(HalfSpaceShape {});
        let cube = || Geometry::Box(BoxShape { size: vector([1.1, 0.8, 1.3]) });
        let sphere = || Geometry::Sphere(SphereShape { radius: 0.6.into() });
        let capsule = || Geometry::Capsule(RoundShape { radius: 0.2.into(), length: 0.8.into() });
        let cylinder = || Geometry::Cylinder(RoundShape { radius: 0.2.into(), length: 0.8.into() });
        for shape in [cube(), sphere(), capsule(), cylinder()] {
            check(&mut compile(&bodies(), shapes(shape.clone(), below())), 0.0, &poses, deepest);
            check(&mut compile(&bodies(), shapes(below(), shape)), 0.0, &poses, deepest);
        }
    }

    /// The lowest points of both rims move along them.
    #[test]
    fn cylinders_over_the_face_of_a_box(poses in placed()) {
        let cylinder = || Geometry::Cylinder(RoundShape { radius: 0.2.into(), length: 0.8.into() });
        let plate = || Geometry::Box(BoxShape { size: vector([30.0, 40.0, 0.1]) });
        check(&mut compile(&bodies(), shapes(cylinder(), plate())), 0.0, &poses, all);
        check(&mut compile(&bodies(), shapes(plate(), cylinder())), 0.0, &poses, all);
    }

    /// Boxes that stand apart, corner to corner, corner to edge or edge to edge; then the gap is their distance.
    #[test]
    fn boxes_apart(poses in placed()) {
        let cube = || Geometry::Box(BoxShape { size: vector([1.1, 0.8, 1.3]) });
        let mut set = compile(&bodies(), shapes(cube(), cube()));
        let contacts = found(&mut set, 0.0, &poses);
        prop_assume!(contacts.len() == 1 && contacts[0].id.feature >> 22 & 3 == 3);
        prop_assert!(set.overlap(&poses) == 0.0 && contacts[0].gap > 0.0);
        check(&mut set, 0.0, &poses, all);
    }

    /// The deepest point of two boxes is a corner over a face, or a crossing of edges.
    #[test]
    fn boxes(poses in placed()) {
        let cube = || Geometry::Box(BoxShape { size: vector([1.1, 0.8, 1.3]) });
        let mut set = compile(&bodies(), shapes(cube(), cube()));
        let mut near = poses;
        // Brought together until they just overlap.
        for _ in 0..60 {
            let gap = deepest(&found(&mut set, 0.0, &near)).first().map_or(1.0, |c| c.gap);
            if gap < 0.01 {
                break;
            }
            let apart = near[0].x - near[1].x;
            near[0].x -= apart * (0.5 * gap / apart.norm());
        }
        // Elsewhere the nearest point of an edge slides over the rim of a face, which its row as a point does not know.
        let contact = deepest(&found(&mut set, 0.0, &near))[0];
        let (p, n) = (contact.point.expect("a place"), contact.rows[0].g * (0.5 * contact.gap));
        let is_corner = |b: usize, q: V3| {
            let local = near[b].a.tr_mul(&(q - near[b].x)) + V3::new(0.1, -0.2, 0.05);
            (local.abs() - V3::new(0.55, 0.4, 0.65)).norm() < 1e-9
        };
        let crossing = contact.id.feature >> 22 & 1 == 1;
        prop_assume!(crossing || is_corner(0, p + n) || is_corner(1, p - n));
        check(&mut set, 0.0, &near, deepest);
    }
}

/// Shapes of one body alone never meet, whether they are asked to meet each other or others of it.
#[test]
fn shapes_that_cannot_meet_are_refused() {
    let model = bodies();
    let mechanism = Mechanism::compile(&model).expect("a mechanism");
    let sphere = || Geometry::Sphere(SphereShape { radius: 0.1.into() });
    for (j, field) in [(None, "i"), (Some("a".to_owned()), "j")] {
        let kind = ContactKind::Shapes(Shapes { i: "a".into(), j, joined: false });
        let contacts = ContactModel { contacts: one(kind).contacts, ..shapes(sphere(), sphere()) };
        let Err(error) = ContactSet::compile(&model, &contacts, &mechanism) else { panic!("nothing can touch") };
        let error = error.to_string();
        assert!(error.contains("one body") && error.contains(field), "{error}");
    }
}

/// Lengths whose squares are no numbers are refused with their value, before any distance is sought.
#[test]
fn lengths_beyond_numbers_are_refused() {
    let model = bodies();
    let mechanism = Mechanism::compile(&model).expect("a mechanism");
    let cube = || Geometry::Box(BoxShape { size: vector([1.1, 0.8, 1.3]) });
    let hull = |far: f64| {
        let points = [[0.0; 3], [far, 0.0, 0.0], [0.0, far, 0.0], [0.0, 0.0, far]];
        Geometry::Hull(HullShape { points: points.map(vector).to_vec() })
    };
    let refused = [
        (Geometry::Box(BoxShape { size: vector([1.0, 1e300, 1.0]) }), "size", "1e300"),
        (Geometry::Sphere(SphereShape { radius: 1e300.into() }), "radius", "10000000000"),
        (Geometry::Capsule(RoundShape { radius: 1e-300.into(), length: 1.0.into() }), "radius", "0.0000000000"),
        (Geometry::Cylinder(RoundShape { radius: 1.0.into(), length: 1e300.into() }), "length", "10000000000"),
        (hull(1e200), "points", "1e100 m"),
        (hull(1e-200), "points", "1e-100 m"),
    ];
    for (geometry, field, value) in refused {
        let Err(error) = ContactSet::compile(&model, &shapes(geometry, cube()), &mechanism) else {
            panic!("{field} of no machine")
        };
        let error = error.to_string();
        assert!(error.contains(field) && error.contains(value), "{error}");
    }
    for geometry in [hull(1e99), hull(1e-99), Geometry::Sphere(SphereShape { radius: 1e99.into() })] {
        assert!(ContactSet::compile(&model, &shapes(geometry, cube()), &mechanism).is_ok());
    }
}
