//! Redundant joints are found, dropped and named; contradicting ones are refused by name.

use crate::mechanism::machines::{at, body, hinge, joint, ladder};
use fourbar::multibody::model::{JointKind, MarkerRef, Model};
use fourbar::multibody::{Error, Mechanism};

fn andrews() -> Model {
    let file = fourbar::file::ModelFile::load(concat!(env!("CARGO_MANIFEST_DIR"), "/models/andrews.toml"))
        .expect("the file loads");
    file.document().mechanism().expect("a mechanism").model.clone()
}

#[test]
fn andrews_has_nine_dependent_rows_and_one_degree_of_freedom() {
    let mechanism = Mechanism::compile(&andrews()).expect("it compiles");
    assert_eq!((mechanism.all_row_count(), mechanism.row_count()), (50, 41));
    assert_eq!(mechanism.degrees_of_freedom(), 1);
    let redundancies = mechanism.redundancies();
    assert_eq!(redundancies.len(), 9);
    for r in redundancies {
        assert!(mechanism.constraint_sets().iter().any(|s| s.name == r.joint), "{r:?}");
        assert!(!r.because_of.is_empty(), "{r:?}");
        // In a plane only what keeps the bodies in it can be redundant: z of the points, and the parallel axes.
        assert!(r.row.ends_with("global z") || r.row.contains("perpendicular"), "{r:?}");
    }
}

#[test]
fn ladders_have_three_dependent_rows_a_cell() {
    for n in [1, 2, 5, 20] {
        let mechanism = Mechanism::compile(&ladder(n)).expect("it compiles");
        assert_eq!(mechanism.row_count(), 12 * n + 5, "n = {n}");
        assert_eq!(mechanism.all_row_count(), 5 * (3 * n + 1));
        assert_eq!(mechanism.degrees_of_freedom(), 1);
    }
}

#[test]
fn contradicting_joints_are_named() {
    let mut model = Model::default();
    model.bodies.push(body("rod", 1.0, [0.1, 0.1, 0.1], [0.5, 0.0, 0.0]));
    for (name, x) in [("left", 0.0), ("right", 1.5)] {
        let end = if name == "left" { -0.5 } else { 0.5 };
        model.joints.push(joint(name, JointKind::Revolute, at("rod", [end, 0.0, 0.0]), at("ground", [x, 0.0, 0.0])));
    }
    let error = Mechanism::compile(&model).expect_err("the rod is too short");
    let Error::NotAssembled { joints, residual, .. } = &error else { panic!("{error}") };
    assert_eq!(joints.len(), 2, "{error}");
    assert!(joints.iter().any(|j| j.contains("left")) && joints.iter().any(|j| j.contains("right")));
    // Half a metre is missing; the least-squares compromise leaves half of it at either end.
    assert!((residual - 0.25).abs() < 1e-3, "{residual}");
}

#[test]
fn two_joints_that_agree_are_one() {
    let mut model = Model::default();
    model.bodies.push(body("door", 1.0, [0.1, 0.1, 0.1], [0.5, 0.0, 0.0]));
    for (name, z) in [("low", -1.0), ("high", 1.0)] {
        let kind = JointKind::Revolute;
        let (i, j) = (hinge("door", [-0.5, 0.0, z], [0.0, 0.0, 1.0]), hinge("ground", [0.0, 0.0, z], [0.0, 0.0, 1.0]));
        model.joints.push(joint(name, kind, i, j));
    }
    let mechanism = Mechanism::compile(&model).expect("it compiles");
    assert_eq!((mechanism.row_count(), mechanism.redundancies().len()), (5, 5));
    assert_eq!(mechanism.degrees_of_freedom(), 1);
}

/// A parallelogram lying flat: one row depends on the others there and nowhere else. It must not be dropped.
#[test]
fn a_singular_start_is_told_from_redundancy() {
    let mut model = Model::default();
    for (name, x) in [("left", 0.5), ("coupler", 2.0), ("right", 2.5)] {
        let length = if name == "coupler" { 2.0 } else { 1.0 };
        model.bodies.push(body(name, 1.0, [0.01, 0.1 * length, 0.1 * length], [x, 0.0, 0.0]));
    }
    // Spherical and universal joints leave no planar redundancy: points alone close the loop.
    let point = |body: &str, x: f64| at(body, [x, 0.0, 0.0]);
    model.joints.push(joint("A", JointKind::Revolute, point("left", -0.5), at("ground", [0.0; 3])));
    model.joints.push(joint("B", JointKind::Spherical, point("left", 0.5), point("coupler", -1.0)));
    model.joints.push(joint(
        "C",
        JointKind::Universal,
        hinge("coupler", [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]),
        hinge("right", [0.5, 0.0, 0.0], [0.0, 1.0, 0.0]),
    ));
    model.joints.push(joint("D", JointKind::Revolute, point("right", -0.5), at("ground", [2.0, 0.0, 0.0])));
    let mechanism = Mechanism::compile(&model).expect("it compiles");
    assert!(mechanism.assembly().singular_start);
    assert!(mechanism.redundancies().is_empty(), "{:?}", mechanism.redundancies());
    assert_eq!(mechanism.degrees_of_freedom(), 1);
}

#[test]
fn assembly_moves_little_and_says_what() {
    let mut model = Model::default();
    model.bodies.push(body("a", 1.0, [0.1, 0.1, 0.1], [0.51, 0.02, 0.0]));
    model.bodies.push(body("b", 1.0, [0.1, 0.1, 0.1], [1.5, 0.0, -0.03]));
    model.bodies.push(body("free", 1.0, [0.1, 0.1, 0.1], [9.0, 0.0, 0.0]));
    model.joints.push(joint("A", JointKind::Revolute, at("a", [-0.5, 0.0, 0.0]), MarkerRef::from("ground")));
    model.joints.push(joint("B", JointKind::Revolute, at("b", [-0.5, 0.0, 0.0]), at("a", [0.5, 0.0, 0.0])));
    let mechanism = Mechanism::compile(&model).expect("it assembles");
    let report = mechanism.assembly();
    let moved: Vec<&str> = report.moved.iter().map(|m| m.body.as_str()).collect();
    assert_eq!(moved, ["a", "b"]);
    assert!(report.moved.iter().all(|m| m.translation < 0.05 && m.rotation < 0.1), "{report:?}");
    assert!(report.closures.iter().all(|c| c.after < 1e-14 && c.before > 1e-3), "{report:?}");
}
