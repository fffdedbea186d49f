//! What is wrong with a model in words, and contacts as data.

use super::tools::*;
use fourbar_contact::model::*;
use fourbar_multibody::model::{Joint, JointKind, MarkerRef, Model, Orientation, Place, vector, zero};

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
    let hinge = Joint {
        name: "hinge".into(),
        kind: JointKind::Revolute,
        i: "b".into(),
        j: "ground".into(),
        length: None,
        pitch: None,
        initial: Default::default(),
    };
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
