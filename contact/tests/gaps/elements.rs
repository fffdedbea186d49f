//! Pairs of markers: gaps against closed forms.

use super::tools::*;
use fourbar_contact::model::*;
use fourbar_contact::unilateral::Contacts;
use fourbar_multibody::model::{Joint, JointKind, Model};
use fourbar_multibody::space::{Pose, V3};

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
    let hinge = Joint {
        name: "hinge".into(),
        kind: JointKind::Revolute,
        i: "a".into(),
        j: "ground".into(),
        length: None,
        pitch: None,
        initial: Default::default(),
    };
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
