//! Contacts of boxes and of single pairs are found without allocating, once the workspace has grown.

use crate::counting;
use counting::obtained;
use fourbar_contact::model::*;
use fourbar_contact::pair::ContactSet;
use fourbar_contact::unilateral::Contacts;
use fourbar_multibody::Mechanism;
use fourbar_multibody::expression::Expression;
use fourbar_multibody::model::{Body, Model, Orientation, vector, zero};
use fourbar_multibody::space::{Pose, V3, rotation};

const BODIES: usize = 27;

fn model() -> (Model, ContactModel) {
    let body = |k: usize| Body {
        name: format!("b{k}"),
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
    let shape = |k: usize| Shape {
        name: format!("s{k}"),
        on: format!("b{k}").as_str().into(),
        group: Some("pile".into()),
        geometry: Geometry::Box(BoxShape { size: vector([0.2; 3]) }),
    };
    let floor = Geometry::HalfSpace(HalfSpaceShape {});
    let floor = Shape { name: "floor".into(), on: "ground".into(), group: Some("pile".into()), geometry: floor };
    let ellipse = Curve::Formula {
        x: Expression::parse("0.2*cos(s)").expect("x"),
        y: Expression::parse("0.1*sin(s)").expect("y"),
        from: 0.0.into(),
        to: std::f64::consts::TAU.into(),
        closed: true,
    };
    let wave = Expression::parse("0.01*sin(time)").expect("a wave");
    let kinds = [
        ContactKind::Shapes(Shapes { i: "pile".into(), j: None, joined: false }),
        ContactKind::PointPlane(PointPlane { i: "b0".into(), j: "ground".into(), offset: wave }),
        ContactKind::Rope(Rope { i: "b1".into(), j: "b2".into(), length: 1.0.into() }),
        ContactKind::CurveCurve(CurveCurve {
            i: "b3".into(),
            j: "b5".into(),
            curve_i: ellipse.clone(),
            curve_j: ellipse,
        }),
    ];
    let contact = |(k, kind)| Contact::new(&format!("c{k}"), kind);
    let contacts = kinds.into_iter().enumerate().map(contact).collect();
    let shapes = (0..BODIES).map(shape).chain([floor]).collect();
    (Model { bodies: (0..BODIES).map(body).collect(), ..Model::default() }, ContactModel { shapes, contacts })
}

fn poses(shake: f64) -> Vec<Pose> {
    let at = |k: usize| {
        let place = V3::new((k % 3) as f64 * 0.21, (k / 3 % 3) as f64 * 0.21, 0.1 + (k / 9) as f64 * 0.199);
        let turn = V3::new((k as f64).sin(), (k as f64).cos(), 0.5) * shake;
        Pose { x: place + turn * 0.1, a: rotation(&turn), v: V3::zeros(), w: V3::zeros() }
    };
    (0..BODIES).map(at).chain([Pose::ground()]).collect()
}

#[test]
fn finding_allocates_nothing_after_the_first_time() {
    let (model, contacts) = model();
    let mechanism = Mechanism::compile(&model).expect("a mechanism");
    let mut set = ContactSet::compile(&model, &contacts, &mechanism).expect("contacts");
    let configurations: Vec<Vec<Pose>> = (0..10).map(|k| poses(0.002 * f64::from(k))).collect();
    let mut found = Vec::new();
    for poses in &configurations {
        set.find(0.1, poses, 2.0, &mut found).expect("gaps");
    }
    let before = obtained();
    for poses in &configurations {
        set.find(0.2, poses, 0.02, &mut found).expect("gaps");
        assert!(found.len() > 100, "{}", found.len());
    }
    assert_eq!(obtained() - before, 0);
}
