//! Two bodies, their contacts and what is found of them.

use fourbar_contact::model::*;
use fourbar_contact::pair::ContactSet;
use fourbar_contact::unilateral::{ContactId, Contacts, Unilateral};
use fourbar_multibody::Mechanism;
use fourbar_multibody::expression::Expression;
use fourbar_multibody::model::{Body, Model, Orientation, vector, zero};
use fourbar_multibody::space::{Pose, V3, rotation};

pub(crate) const HERE: [f64; 3] = [0.0; 3];

pub(crate) fn bodies() -> Model {
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
        solids: Vec::new(),
    };
    Model { bodies: vec![body("a"), body("b")], ..Model::default() }
}

pub(crate) fn compile(model: &Model, contacts: &ContactModel) -> Result<ContactSet, fourbar_contact::Error> {
    ContactSet::compile(model, contacts, &Mechanism::compile(model).expect("a mechanism"))
}

pub(crate) fn set(contacts: ContactModel) -> ContactSet {
    compile(&bodies(), &contacts).expect("contacts")
}

pub(crate) fn one(kind: ContactKind) -> ContactModel {
    ContactModel { contacts: vec![Contact::new("pair", kind)], ..ContactModel::default() }
}

pub(crate) fn pair_of_shapes(on_a: Geometry, on_b: Geometry) -> ContactSet {
    let shape = |name: &str, geometry| Shape { name: name.into(), on: name.into(), group: None, geometry };
    let kind = ContactKind::Shapes(Shapes { i: "a".into(), j: Some("b".into()), joined: false });
    set(ContactModel { shapes: vec![shape("a", on_a), shape("b", on_b)], ..one(kind) })
}

pub(crate) fn cube(size: f64) -> Geometry {
    Geometry::Box(BoxShape { size: vector([size; 3]) })
}

pub(crate) fn text(source: &str) -> Expression {
    Expression::parse(source).expect("an expression")
}

pub(crate) fn at(x: [f64; 3], turn: [f64; 3]) -> Pose {
    Pose { x: V3::from(x), a: rotation(&V3::from(turn)), v: V3::zeros(), w: V3::zeros() }
}

pub(crate) fn find(set: &mut ContactSet, a: Pose, b: Pose, margin: f64) -> Vec<Unilateral> {
    let mut found = Vec::new();
    set.find(0.0, &[a, b, Pose::ground()], margin, &mut found).expect("gaps");
    found
}

pub(crate) fn gap(set: &mut ContactSet, a: Pose, b: Pose) -> f64 {
    let found = find(set, a, b, f64::MAX);
    assert_eq!(found.len(), 1);
    found[0].gap
}

pub(crate) fn close(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-14 * (1.0 + b.abs()), "{a} {b}");
}

pub(crate) fn sorted_gaps(found: &[Unilateral]) -> Vec<f64> {
    let mut gaps: Vec<f64> = found.iter().map(|c| c.gap).collect();
    gaps.sort_by(f64::total_cmp);
    gaps
}

pub(crate) fn ids(found: &[Unilateral]) -> Vec<ContactId> {
    found.iter().map(|c| c.id).collect()
}
