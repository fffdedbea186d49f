//! Shapes: manifolds of boxes, ids that persist, overlaps measured apart.

use super::tools::*;
use fourbar_contact::model::*;
use fourbar_contact::unilateral::Contacts;
use fourbar_multibody::model::{Joint, JointKind, Model, vector};
use fourbar_multibody::space::{Pose, V3, rotation};

/// Corner k of a cube of side 1 turned by `turn` about a middle `height` above the plane.
fn corner_heights(height: f64, turn: [f64; 3]) -> Vec<f64> {
    let a = rotation(&V3::from(turn));
    let sign = |k: usize, axis: usize| if k >> axis & 1 == 1 { 0.5 } else { -0.5 };
    let mut heights: Vec<f64> = (0..8).map(|k| height + (a * V3::new(sign(k, 0), sign(k, 1), sign(k, 2))).z).collect();
    heights.sort_by(f64::total_cmp);
    heights
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
    let lock = Joint {
        name: "lock".into(),
        kind: JointKind::Spherical,
        i: "a".into(),
        j: "b".into(),
        length: None,
        pitch: None,
        initial: Default::default(),
    };
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
    // On eight feet; the rim about them is chamfered by 1e-7 of the radius.
    let heights = sorted_gaps(&upright);
    assert!(heights.len() == 9 && heights[..8].iter().all(|gap| gap.abs() < 1e-15), "{heights:?}");
    assert!((heights[8] - 1e-8).abs() < 1e-15, "{heights:?}");
    let lying = find(&mut set, at([0.0, 0.0, 0.1], [std::f64::consts::FRAC_PI_2, 0.0, 0.0]), at(HERE, HERE), 0.01);
    assert!(lying.len() >= 2 && lying.iter().all(|c| c.gap.abs() < 1e-9), "{:?}", sorted_gaps(&lying));
}
