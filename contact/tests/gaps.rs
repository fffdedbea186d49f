//! Gaps against closed forms, manifolds of boxes, ids that persist, and what is wrong with a model in words.

use fourbar_contact::model::*;
use fourbar_contact::pair::ContactSet;
use fourbar_contact::unilateral::{ContactId, Contacts, Unilateral};
use fourbar_multibody::Mechanism;
use fourbar_multibody::expression::Expression;
use fourbar_multibody::model::{Body, Joint, JointKind, MarkerRef, Model, Orientation, Place, vector, zero};
use fourbar_multibody::space::{Pose, V3, rotation};

fn bodies() -> Model {
    let body = |name: &str| Body {
        name: name.into(),
        mass: 1.0.into(),
        inertia: vec![0.1.into(), 0.1.into(), 0.1.into()],
        center_of_mass: zero(),
        position: zero(),
        orientation: Orientation::default(),
        velocity: zero(),
        angular_velocity: zero(),
        exact: vec![],
    };
    Model { bodies: vec![body("a"), body("b")], ..Model::default() }
}

fn compile(model: &Model, contacts: &ContactModel) -> Result<ContactSet, fourbar_contact::Error> {
    ContactSet::compile(model, contacts, &Mechanism::compile(model).expect("a mechanism"))
}

fn set(contacts: ContactModel) -> ContactSet {
    compile(&bodies(), &contacts).expect("contacts")
}

fn one(kind: ContactKind) -> ContactModel {
    ContactModel { contacts: vec![Contact::new("pair", kind)], ..ContactModel::default() }
}

fn pair_of_shapes(on_a: Geometry, on_b: Geometry) -> ContactSet {
    let shape = |name: &str, geometry| Shape { name: name.into(), on: name.into(), group: None, geometry };
    let kind = ContactKind::Shapes(Shapes { i: "a".into(), j: Some("b".into()), joined: false });
    set(ContactModel { shapes: vec![shape("a", on_a), shape("b", on_b)], ..one(kind) })
}

fn cube(size: f64) -> Geometry {
    Geometry::Box(BoxShape { size: vector([size; 3]) })
}

fn text(source: &str) -> Expression {
    Expression::parse(source).expect("an expression")
}

fn at(x: [f64; 3], turn: [f64; 3]) -> Pose {
    Pose { x: V3::from(x), a: rotation(&V3::from(turn)), v: V3::zeros(), w: V3::zeros() }
}

fn find(set: &mut ContactSet, a: Pose, b: Pose, margin: f64) -> Vec<Unilateral> {
    let mut found = Vec::new();
    set.find(0.0, &[a, b, Pose::ground()], margin, &mut found).expect("gaps");
    found
}

fn gap(set: &mut ContactSet, a: Pose, b: Pose) -> f64 {
    let found = find(set, a, b, f64::MAX);
    assert_eq!(found.len(), 1);
    found[0].gap
}

fn close(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-14 * (1.0 + b.abs()), "{a} {b}");
}

const HERE: [f64; 3] = [0.0; 3];

#[test]
fn planes_spheres_and_ropes() {
    let offset = text("0.1 + 0.5*time");
    let plane = PointPlane { i: "a".into(), j: "ground".into(), offset };
    let mut point = set(one(ContactKind::PointPlane(plane)));
    let found = find(&mut point, at([5.0, 2.0, 0.7], HERE), at(HERE, HERE), 1.0);
    close(found[0].gap, 0.6);
    close(found[0].gap_rate, -0.5);
    assert_eq!((found[0].rows[0].g, found[0].bodies), (V3::z(), [0, 2]));

    let spheres = SphereSphere { i: "a".into(), j: "b".into(), radius_i: 0.3.into(), radius_j: 0.5.into() };
    let mut spheres = set(one(ContactKind::SphereSphere(spheres)));
    let found = find(&mut spheres, at([3.0, 4.0, 0.0], HERE), at(HERE, HERE), 10.0);
    close(found[0].gap, 4.2);
    // Halfway between the surfaces, 0.5 and 4.7 along the line.
    assert!((found[0].point.expect("a place") - V3::new(0.6, 0.8, 0.0) * 2.6).norm() < 1e-14);
    let coincident = spheres.find(0.5, &[Pose::ground(); 3], 1.0, &mut Vec::new()).expect_err("no direction");
    let words = coincident.to_string();
    assert!(words.contains("\"pair\"") && words.contains("0.5") && words.contains("centres coincide"), "{words}");

    let rope = Rope { i: "a".into(), j: "b".into(), length: 2.0.into() };
    let mut rope = set(one(ContactKind::Rope(rope)));
    close(gap(&mut rope, at([0.0, 0.6, 0.8], HERE), at(HERE, HERE)), 1.0);
    // Taut: the impulse pulls I towards J.
    assert!(find(&mut rope, at([0.0, 0.0, 2.0], HERE), at(HERE, HERE), 0.1)[0].rows[0].g == -V3::z());
    close(gap(&mut rope, at(HERE, HERE), at(HERE, HERE)), 2.0);
}

#[test]
fn stops_of_an_angle_know_on_which_side_they_are() {
    let hinge =
        Joint { name: "hinge".into(), kind: JointKind::Revolute, i: "a".into(), j: "ground".into(), length: None };
    let model = Model { joints: vec![hinge], ..bodies() };
    let stop = |lower: Option<&str>, upper: Option<&str>| {
        let limit = |e: Option<&str>| e.map(text);
        let kind = JointStop { joint: "hinge".into(), direction: None, lower: limit(lower), upper: limit(upper) };
        compile(&model, &one(ContactKind::JointStop(kind))).expect("a stop")
    };
    let turned = |angle: f64| at(HERE, [0.0, 0.0, angle]);
    // Limits beyond half a turn: the angle 3.5 rad is known as -2.78 rad.
    let mut both = stop(Some("2.0"), Some("4.5"));
    for angle in [1.9_f64, 2.5, 3.1, 3.5, 4.4, 4.6] {
        let found = find(&mut both, turned(angle), at(HERE, HERE), f64::MAX);
        assert!((found[0].gap - (angle - 2.0)).abs() < 1e-14 && (found[1].gap - (4.5 - angle)).abs() < 1e-14);
        assert_eq!((found[0].id.feature, found[1].id.feature), (0, 1));
    }
    let mut upper = stop(None, Some("-60 deg"));
    close(gap(&mut upper, turned(-2.0), at(HERE, HERE)), 2.0 - 60.0_f64.to_radians());
    close(gap(&mut upper, turned(-0.9), at(HERE, HERE)), 0.9 - 60.0_f64.to_radians());
    let found = find(&mut upper, turned(-0.9), at(HERE, HERE), 0.0);
    assert_eq!((found[0].rows[0].gi, found[0].point), (-V3::z(), None));
    assert_eq!(upper.describe(found[0].id), "pair: upper limit");
}

/// Height of an ellipse over a line: h = d - sqrt(a^2 cos^2 + b^2 sin^2) of the angle between line normal and axis.
#[test]
fn an_ellipse_over_a_flat_follower() {
    let (a, b) = (0.5, 0.2);
    let ellipse = Curve::Formula {
        x: text("0.5*cos(s)"),
        y: text("0.2*sin(s)"),
        from: 0.0.into(),
        to: text("2*pi"),
        closed: true,
    };
    // The line runs towards -x: what lies to its left is below.
    let line = Curve::Spline { points: vec![[2.0.into(), 0.0.into()], [(-2.0).into(), 0.0.into()]], closed: false };
    let kind = CurveCurve { i: "a".into(), j: "b".into(), curve_i: ellipse, curve_j: line };
    let mut cam = set(one(ContactKind::CurveCurve(kind)));
    for k in 0..40 {
        let turn = 0.17 * f64::from(k);
        for height in [0.6, 0.45, 0.1] {
            let support = (a * turn.sin()).hypot(b * turn.cos());
            let value = gap(&mut cam, at([0.3, height, 0.0], [0.0, 0.0, turn]), at(HERE, HERE));
            assert!((value - (height - support)).abs() < 1e-13, "turn {turn}: {value}");
        }
    }
    // Beyond the end of the line there is nothing to touch.
    assert!(find(&mut cam, at([3.0, 0.1, 0.0], HERE), at(HERE, HERE), 1.0).is_empty());
}

#[test]
fn a_pin_in_a_hole() {
    let circle = |radius: f64, hollow| Curve::Circle { radius: radius.into(), hollow };
    let kind = |i, j| ContactKind::CurveCurve(CurveCurve { i: "a".into(), j: "b".into(), curve_i: i, curve_j: j });
    let mut pin = set(one(kind(circle(0.1, false), circle(0.12, true))));
    close(gap(&mut pin, at([0.006, 0.008, 0.0], HERE), at(HERE, HERE)), 0.01);
    close(gap(&mut pin, at(HERE, HERE), at(HERE, HERE)), 0.02);
    let found = find(&mut pin, at([0.03, 0.0, 0.0], HERE), at(HERE, HERE), 1.0);
    close(found[0].gap, -0.01);
    // The wall pushes the pin back to the middle.
    assert!((found[0].rows[0].g + V3::x()).norm() < 1e-15);
    let mut ring = set(one(kind(circle(0.12, true), circle(0.1, false))));
    close(gap(&mut ring, at([0.03, 0.0, 0.0], HERE), at(HERE, HERE)), -0.01);
    close(find(&mut ring, at([0.03, 0.0, 0.0], HERE), at(HERE, HERE), 1.0)[0].rows[0].g.x, -1.0);
}

/// Corner k of a cube of side 1 turned by `turn` about a middle `height` above the plane.
fn corner_heights(height: f64, turn: [f64; 3]) -> Vec<f64> {
    let a = rotation(&V3::from(turn));
    let sign = |k: usize, axis: usize| if k >> axis & 1 == 1 { 0.5 } else { -0.5 };
    let mut heights: Vec<f64> = (0..8).map(|k| height + (a * V3::new(sign(k, 0), sign(k, 1), sign(k, 2))).z).collect();
    heights.sort_by(f64::total_cmp);
    heights
}

fn sorted_gaps(found: &[Unilateral]) -> Vec<f64> {
    let mut gaps: Vec<f64> = found.iter().map(|c| c.gap).collect();
    gaps.sort_by(f64::total_cmp);
    gaps
}

/// As pair of corners with a plane, as shape over a half space, and as shape over another box: the gaps are those of the corners.
#[test]
fn a_box_rests_on_four_corners() {
    let turn = [0.01, -0.02, 0.3];
    let pose = at([0.1, 0.2, 0.49], turn);
    let expected = &corner_heights(0.49, turn)[..4];
    let plane = BoxPlane { i: "a".into(), size: vector([1.0; 3]), j: "ground".into(), offset: 0.0.into() };
    let mut sets = [
        set(one(ContactKind::BoxPlane(plane))),
        pair_of_shapes(cube(1.0), Geometry::HalfSpace(HalfSpaceShape {})),
        pair_of_shapes(cube(1.0), Geometry::Box(BoxShape { size: vector([4.0, 4.0, 2.0]) })),
    ];
    for (k, set) in sets.iter_mut().enumerate() {
        let below = if k == 2 { at([0.0, 0.0, -1.0], HERE) } else { at(HERE, HERE) };
        let found = find(set, pose, below, 0.1);
        assert_eq!(found.len(), 4, "{k}");
        for (gap, height) in sorted_gaps(&found).iter().zip(expected) {
            assert!((gap - height).abs() < 1e-14, "{k}: {gap} {height}");
        }
        assert!(found.iter().all(|c| (c.rows[0].g - V3::z()).norm() < 1e-15));
    }
}

/// The edge of a cube standing on edge across the upper edge of another.
#[test]
fn crossing_edges_touch_in_one_point() {
    let mut set = pair_of_shapes(cube(1.0), cube(1.0));
    let eighth = std::f64::consts::FRAC_PI_4;
    for overlap in [-0.02, 0.0, 0.01, 0.1] {
        let height = 2.0_f64.sqrt() - overlap;
        let upper = at([0.1, -0.2, height], [eighth, 0.0, 0.0]);
        let found = find(&mut set, upper, at(HERE, [0.0, eighth, 0.0]), 0.05);
        assert_eq!(found.len(), 1);
        assert!((found[0].gap + overlap).abs() < 1e-14 && (found[0].rows[0].g - V3::z()).norm() < 1e-14);
        let place = V3::new(0.0, -0.2, height / 2.0);
        assert!((found[0].point.expect("a place") - place).norm() < 1e-14, "{:?}", found[0].point);
    }
}

fn ids(found: &[Unilateral]) -> Vec<ContactId> {
    found.iter().map(|c| c.id).collect()
}

/// A box slides over another of its size, with round-off in its orientation: four contacts, the same all the way, though their
/// corners lie now on one face and now on the other.
#[test]
fn contacts_keep_their_ids_over_a_slide() {
    let mut set = pair_of_shapes(cube(0.2), cube(0.2));
    let mut first = None;
    for k in -70..=70 {
        let way = 1e-3 * f64::from(k);
        let noise = 1e-10 * (f64::from(k) * 12.9898).sin();
        let upper = at([way, 0.3 * way, 0.2 + 1e-5], [noise, -noise, 2.0 * noise]);
        let found = find(&mut set, upper, at(HERE, HERE), 1e-3);
        assert_eq!(found.len(), 4, "at {way}");
        let first = first.get_or_insert_with(|| ids(&found));
        assert_eq!(*first, ids(&found), "at {way}");
        // The area between them is the overlap of the faces.
        let x: Vec<f64> = found.iter().map(|c| c.point.expect("a place").x).collect();
        let width = x.iter().copied().fold(f64::MIN, f64::max) - x.iter().copied().fold(f64::MAX, f64::min);
        assert!((width - (0.2 - way.abs())).abs() < 1e-8);
    }
}

/// Faces of one size, turned against each other by round-off, lie over each other in a square: four contacts.
#[test]
fn aligned_boxes_touch_in_four_corners() {
    let mut set = pair_of_shapes(cube(0.2), cube(0.2));
    let mut first = None;
    for k in -50..=50 {
        let angle = f64::from(k).powi(3) * 1e-12;
        let found = find(&mut set, at([1e-9 * f64::from(k), 0.0, 0.2], [0.0, angle, angle]), at(HERE, HERE), 1e-3);
        let first = first.get_or_insert_with(|| ids(&found));
        assert_eq!((&*first, first.len()), (&ids(&found), 4), "turned by {angle}");
    }
    // Edges that cross a little way from a corner.
    let turn = [3e-10, 1e-9, -1.5e-9];
    for k in 0..1000 {
        let shift = 1e-12 * f64::from(k);
        assert_eq!(
            find(&mut set, at([shift, 1.5e-10, 0.2], turn), at(HERE, HERE), 1e-3).len(),
            4,
            "shifted by {shift}"
        );
    }
}

/// The same configuration gives the same bits, whatever was asked before and in which set.
#[test]
fn contacts_depend_on_the_configuration_alone() {
    let shapes = || {
        [
            cube(0.2),
            Geometry::Sphere(SphereShape { radius: 0.1.into() }),
            Geometry::Capsule(RoundShape { radius: 0.1.into(), length: 0.1.into() }),
        ]
    };
    for on_a in shapes() {
        for on_b in shapes() {
            let (mut one, mut other) = (pair_of_shapes(on_a.clone(), on_b.clone()), pair_of_shapes(on_a.clone(), on_b));
            let here = || (at([0.05, 0.02, 0.19], [0.1, 0.2, 0.3]), at(HERE, [0.3, -0.2, 0.4]));
            let first = find(&mut one, here().0, here().1, 0.1);
            find(&mut one, at([0.01, 0.0, 0.18], [0.5, 0.0, 0.0]), here().1, 0.1);
            assert!(!first.is_empty() && first == find(&mut one, here().0, here().1, 0.1));
            assert_eq!(first, find(&mut other, here().0, here().1, 0.1));
        }
    }
}

/// The least gap of two boxes is the depth that parry's own query for penetration finds.
#[test]
fn overlap_is_measured_apart_from_the_gaps() {
    let mut set = pair_of_shapes(cube(0.2), cube(0.2));
    let mut deep = 0;
    for k in 0..500 {
        let noise = |seed: f64| ((f64::from(k) * 12.9898 + seed * 78.233).sin() * 43758.5453).fract();
        let turn = |seed: f64| [noise(seed) * 3.0, noise(seed + 1.0) * 3.0, noise(seed + 2.0) * 3.0];
        let upper = at([0.1 * noise(0.5), 0.1 * noise(1.5), 0.24 + 0.03 * noise(2.5)], turn(3.0));
        let lower = at(HERE, turn(7.0));
        let least = find(&mut set, upper, lower, 0.0).iter().map(|c| c.gap).fold(0.0, f64::min);
        let overlap = set.overlap(&[upper, lower, Pose::ground()]);
        // Two axes of nearly one depth count as one, 1e-4 of the half length apart.
        assert!((overlap + least).abs() < 1.1e-5, "{k}: {overlap} {least}");
        deep += usize::from(overlap > 1e-3);
    }
    assert!(deep > 100, "{deep}");
}

/// Many bodies in a group: every pair once, none of joined bodies unless asked for.
#[test]
fn groups_meet_each_other_and_joined_bodies_do_not() {
    let lock = Joint { name: "lock".into(), kind: JointKind::Spherical, i: "a".into(), j: "b".into(), length: None };
    let model = Model { joints: vec![lock], ..bodies() };
    let shape = |name: &str, on: &str| Shape {
        name: name.into(),
        on: on.into(),
        group: Some("all".into()),
        geometry: cube(0.2),
    };
    let contacts = |joined| {
        let kind = ContactKind::Shapes(Shapes { i: "all".into(), j: None, joined });
        ContactModel { shapes: vec![shape("one", "a"), shape("two", "b"), shape("floor", "ground")], ..one(kind) }
    };
    let poses = [at([0.0, 0.0, 0.2], HERE), at([0.0, 0.2, 0.1], HERE), Pose::ground()];
    for (joined, expected) in
        [(false, vec!["one on floor", "two on floor"]), (true, vec!["one on two", "one on floor", "two on floor"])]
    {
        let mut set = compile(&model, &contacts(joined)).expect("contacts");
        let mut found = Vec::new();
        set.find(0.0, &poses, 1e-3, &mut found).expect("gaps");
        let mut pairs: Vec<String> = found.iter().map(|c| set.describe(c.id)).collect();
        pairs.dedup();
        let expected: Vec<String> = expected.iter().map(|p| format!("pair: {p}")).collect();
        assert_eq!(pairs, expected);
    }
}

#[test]
fn a_mesh_carries_a_ball() {
    let vertices =
        vec![vector([-1.0, -1.0, 0.0]), vector([1.0, -1.0, 0.0]), vector([1.0, 1.0, 0.0]), vector([-1.0, 1.0, 0.0])];
    let mesh = MeshShape { vertices, triangles: vec![[0, 1, 2], [0, 2, 3]] };
    let mut set = pair_of_shapes(Geometry::Sphere(SphereShape { radius: 0.1.into() }), Geometry::Mesh(mesh));
    let found = find(&mut set, at([0.3, -0.2, 0.099], HERE), at(HERE, HERE), 0.01);
    assert!((found[0].gap + 0.001).abs() < 1e-12 && (found[0].rows[0].g - V3::z()).norm() < 1e-12);
}

#[test]
fn a_hull_and_a_cylinder_stand_on_a_floor() {
    let tetrahedron = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let hull = Geometry::Hull(HullShape { points: tetrahedron.map(vector).to_vec() });
    let mut set = pair_of_shapes(hull, Geometry::HalfSpace(HalfSpaceShape {}));
    let found = find(&mut set, at([0.0, 0.0, 1e-3], HERE), at(HERE, HERE), 0.01);
    assert_eq!(found.len(), 3);
    assert!(found.iter().all(|c| (c.gap - 1e-3).abs() < 1e-12));

    let cylinder = Geometry::Cylinder(RoundShape { radius: 0.1.into(), length: 0.4.into() });
    let mut set = pair_of_shapes(cylinder, Geometry::HalfSpace(HalfSpaceShape {}));
    let upright = find(&mut set, at([0.0, 0.0, 0.2], HERE), at(HERE, HERE), 0.01);
    assert!(upright.len() >= 3 && upright.iter().all(|c| c.gap.abs() < 1e-12), "{}", upright.len());
    let lying = find(&mut set, at([0.0, 0.0, 0.1], [std::f64::consts::FRAC_PI_2, 0.0, 0.0]), at(HERE, HERE), 0.01);
    assert!(lying.len() >= 2 && lying.iter().all(|c| c.gap.abs() < 1e-9), "{:?}", sorted_gaps(&lying));
}

/// Each mistake with its place and remedy.
#[test]
fn mistakes_are_named() {
    let marker = |name: &str| MarkerRef::from(name);
    let sphere = |radius: &str| {
        ContactKind::SpherePlane(SpherePlane {
            i: "a".into(),
            radius: text(radius),
            j: "ground".into(),
            offset: 0.0.into(),
        })
    };
    let plane =
        |i: &str, j: &str| ContactKind::PointPlane(PointPlane { i: marker(i), j: marker(j), offset: 0.0.into() });
    let stop = |joint: &str, lower: &str, upper: &str| {
        let (lower, upper) = (Some(text(lower)), Some(text(upper)));
        ContactKind::JointStop(JointStop { joint: joint.into(), direction: None, lower, upper })
    };
    let shapes = |i: &str| ContactKind::Shapes(Shapes { i: i.into(), j: None, joined: false });
    let spline = |points: Vec<[f64; 2]>| {
        let points = points.into_iter().map(|[x, y]| [x.into(), y.into()]).collect();
        let circle = Curve::Circle { radius: 1.0.into(), hollow: false };
        ContactKind::CurveCurve(CurveCurve {
            i: "a".into(),
            j: "b".into(),
            curve_i: circle,
            curve_j: Curve::Spline { points, closed: true },
        })
    };
    let hinge =
        Joint { name: "hinge".into(), kind: JointKind::Revolute, i: "b".into(), j: "ground".into(), length: None };
    let model = Model { joints: vec![hinge], ..bodies() };
    let cases = [
        (plane("c", "ground"), "`i`", "there is no marker or body \"c\""),
        (plane("a", "groud"), "`j`", "did you mean \"ground\"?"),
        (plane("a", "a"), "`j`", "both on \"a\""),
        (sphere("-0.1"), "`radius`", "the value is -0.1; it must be positive"),
        (sphere("raduis"), "`radius`", "raduis"),
        (stop("hinged", "0", "1"), "`joint`", "did you mean \"hinge\"?"),
        (stop("hinge", "1", "0.5"), "`upper`", "the lower limit 1 is not below the upper one 0.5"),
        (stop("hinge", "-4", "4"), "`upper`", "less than 2 pi apart"),
        (shapes("crates"), "`i`", "did you mean \"crate\"?"),
        (spline(vec![[0.0, 0.0], [1.0, 0.0]]), "`curve_j.points`", "give at least 3"),
        (spline(vec![[0.0, 0.0], [1.0, 0.0], [1.0, 0.0]]), "`curve_j.points`", "number 2 and 3 coincide"),
    ];
    for (kind, place, words) in cases {
        let crate_ = Shape { name: "crate".into(), on: "a".into(), group: None, geometry: cube(1.0) };
        let contacts = ContactModel { shapes: vec![crate_], ..one(kind) };
        let error = compile(&model, &contacts).err().expect("a mistake").to_string();
        assert!(error.contains("contact \"pair\"") && error.contains(place) && error.contains(words), "{error}");
    }
    let springy = Contact::new("pair", plane("a", "ground")).with_restitution(1.5);
    let error =
        compile(&model, &ContactModel { contacts: vec![springy], ..ContactModel::default() }).err().expect("a mistake");
    assert!(error.to_string().contains("`restitution`: the value is 1.5; it must be a number from 0 to 1"), "{error}");
    let rope = ContactKind::Rope(Rope { i: "a".into(), j: "ground".into(), length: 1.0.into() });
    let rough =
        ContactModel { contacts: vec![Contact::new("pair", rope).with_friction(0.2)], ..ContactModel::default() };
    assert!(compile(&model, &rough).err().expect("a mistake").to_string().contains("a rope has no surface"));
    let flat =
        Geometry::Hull(HullShape { points: (0..5).map(|k| vector([f64::from(k), f64::from(k * k), 0.0])).collect() });
    let shape = Shape {
        name: "sheet".into(),
        on: Place {
            body: "a".into(),
            position: zero(),
            orientation: Orientation::default(),
            frame: Default::default(),
        }
        .into(),
        group: None,
        geometry: flat,
    };
    let error =
        compile(&model, &ContactModel { shapes: vec![shape], ..ContactModel::default() }).err().expect("a mistake");
    assert!(error.to_string().contains("shape \"sheet\", `points`: the points lie in one plane"), "{error}");
}

/// As a model file writes it; what is not known is refused.
#[test]
fn contacts_as_data() {
    let json = r#"{
        "shape": [{ "name": "box", "on": "a", "type": "box", "size": [0.2, "0.1 + 0.1", 0.2], "group": "pile" },
                  { "name": "floor", "on": "ground", "type": "half_space" }],
        "contact": [{ "name": "pile", "type": "shapes", "i": "pile", "j": "floor", "friction": 0.5 },
                    { "name": "stop", "type": "joint_stop", "joint": "hinge", "upper": "30 deg", "restitution": 0.2 },
                    { "name": "cam", "type": "curve_curve", "i": "a", "j": "b", "curve_i": { "type": "circle", "radius": 0.1 },
                      "curve_j": { "type": "spline", "points": [[0, 0], [1, 0], [0, 1]], "closed": true } }]
    }"#;
    let model: ContactModel = serde_json::from_str(json).expect("contacts");
    assert_eq!(model.contacts[0].friction.value(), Some(0.5));
    let back: ContactModel = serde_json::from_str(&serde_json::to_string(&model).expect("text")).expect("contacts");
    assert_eq!(model, back);
    for wrong in [
        r#"{ "contact": [{ "name": "c", "type": "rope", "i": "a", "j": "b", "length": 1, "stiffness": 3 }] }"#,
        r#"{ "contact": [{ "name": "c", "type": "roap", "i": "a", "j": "b", "length": 1 }] }"#,
        r#"{ "shape": [{ "name": "c", "on": "a", "type": "sphere", "radius": 1, "radios": 2 }] }"#,
    ] {
        assert!(serde_json::from_str::<ContactModel>(wrong).is_err(), "{wrong}");
    }
}
