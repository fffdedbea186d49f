//! Joints among many contacts: the global form beside the reduced one, and a loader in a heap.

use crate::support;
use fourbar_contact::model::*;
use fourbar_contact::pair::ContactSet;
use fourbar_contact::stepping::{Backend, TimeStepper, TimeStepping};
use fourbar_multibody::Mechanism;
use fourbar_multibody::expression::Expression;
use fourbar_multibody::model::{Joint, JointKind, MarkerRef, Model, Motion, Orientation, Place, vector};
use fourbar_multibody::space::{Pose, V3};
use std::sync::Arc;
use support::body;

fn at(body: &str, position: [f64; 3]) -> MarkerRef {
    let orientation = Orientation::default();
    Place { body: body.into(), position: vector(position), orientation, frame: Default::default() }.into()
}

fn shape(on: &str, group: &str, geometry: Geometry) -> Shape {
    Shape { name: format!("{on} {group}"), on: on.into(), group: Some(group.into()), geometry }
}

fn sphere(radius: f64) -> Geometry {
    Geometry::Sphere(SphereShape { radius: radius.into() })
}

fn cuboid(size: [f64; 3]) -> Geometry {
    Geometry::Box(BoxShape { size: vector(size) })
}

fn family(name: &str, j: Option<&str>, mu: f64, e: f64) -> Contact {
    let (i, j) = (name.split(' ').next().unwrap().to_owned(), j.map(str::to_owned));
    Contact::new(name, ContactKind::Shapes(Shapes { i, j, joined: false })).with_friction(mu).with_restitution(e)
}

fn start(model: &Model, contacts: &ContactModel, backend: Backend, step: f64) -> TimeStepper<ContactSet> {
    let mechanism = Arc::new(Mechanism::compile(model).unwrap());
    let set = ContactSet::compile(model, contacts, &mechanism).unwrap();
    let options = TimeStepping { step, backend, ..TimeStepping::default() };
    options.start(&mechanism, set, mechanism.start()).unwrap()
}

/// A chain of `links`, spheres of 4 cm on rods of 10 cm, above a row of boxes that stand on a smooth floor.
fn chain(links: usize, boxes: usize, e: f64) -> (Model, ContactModel) {
    let name = |k: usize| format!("link {k}");
    let link = |k: usize| {
        // Not quite level, so that they do not all land at once.
        let at = [0.1 * k as f64, 0.003 * (k as f64 * 1.7).sin(), 0.35 + 0.004 * k as f64];
        body(&name(k), 0.2, [3e-4; 3], at, 0.0)
    };
    let spherical = |k: usize| Joint {
        name: format!("joint {k}"),
        kind: JointKind::Spherical,
        i: at(&name(k), [0.05, 0.0, 0.0]),
        j: at(&name(k + 1), [-0.05, 0.0, 0.0]),
        length: None,
        pitch: None,
        initial: Default::default(),
    };
    let cube = |k: usize| body(&format!("box {k}"), 1.0, [0.04 / 6.0; 3], [0.3 + 0.5 * k as f64, 0.0, 0.1], 0.0);
    let model = Model {
        gravity: vector([0.0, 0.0, -9.81]),
        bodies: (0..links).map(link).chain((0..boxes).map(cube)).collect(),
        joints: (0..links - 1).map(spherical).collect(),
        ..Model::default()
    };
    let mut shapes: Vec<Shape> = (0..links).map(|k| shape(&name(k), "chain", sphere(0.04))).collect();
    shapes.extend((0..boxes).map(|k| shape(&format!("box {k}"), "boxes", cuboid([0.2; 3]))));
    shapes.push(shape("ground", "floor", Geometry::HalfSpace(HalfSpaceShape {})));
    let contacts = vec![
        family("chain on boxes", Some("boxes"), 0.3, e),
        family("chain on floor", Some("floor"), 0.3, e),
        family("boxes on floor", Some("floor"), 0.0, 0.0),
    ];
    (model, ContactModel { shapes, contacts })
}

/// Step by step from the same state: what sticks or slips next hangs on the last digit, so that whole motions part.
#[test]
fn a_chain_falls_on_boxes_as_in_the_reduced_form() {
    for e in [0.0, 0.3, 0.7] {
        let (model, contacts) = chain(30, 6, e);
        let mechanism = Arc::new(Mechanism::compile(&model).unwrap());
        let set = ContactSet::compile(&model, &contacts, &mechanism).unwrap();
        let [reduced, global] = [Backend::Reduced, Backend::Global].map(|backend| TimeStepping {
            step: 2e-3,
            backend,
            ..TimeStepping::default()
        });
        let mut run = reduced.start(&mechanism, set.clone(), mechanism.start()).unwrap();
        let [mut most, mut apart, mut faster] = [0.0_f64; 3];
        while run.time() < 0.25 {
            let mut other = global.start(&mechanism, set.clone(), run.state()).unwrap();
            run.step().unwrap();
            let record = *other.step().unwrap();
            assert!(record.violation[1] <= 1e-12 && record.rate_violation[1] <= 1e-10, "{record:?}");
            assert!(record.residual <= 1e-6, "{record:?}");
            most = most.max(record.active as f64);
            for (a, b) in run.state().poses.iter().zip(&other.state().poses) {
                apart = apart.max((a.x - b.x).norm());
                faster = faster.max((a.v - b.v).norm());
            }
        }
        println!("e = {e}: {most} contacts, {apart:e} m, {faster:e} m/s apart");
        assert!(
            most > 20.0 && apart <= 1e-8 && faster <= 1e-6,
            "e = {e}: {most} contacts, {apart:e} m, {faster:e} m/s apart"
        );
    }
}

/// Side of the boxes \[m\].
const EDGE: f64 = 0.2;

/// A carriage that drives along x, a boom on it that nods, and a blade on this, held upright: all by motions. In front of it stacks of boxes.
fn loader_of(boxes: usize) -> (Model, ContactModel) {
    let along = |z: [f64; 3]| Orientation {
        z_axis: Some(vector(z)),
        x_axis: Some(vector([0.0, 0.0, 1.0])),
        ..Default::default()
    };
    let marker = |body: &str, position: [f64; 3], z: [f64; 3]| -> MarkerRef {
        Place { body: body.into(), position: vector(position), orientation: along(z), frame: Default::default() }.into()
    };
    let joint = |name: &str, kind, i, j| Joint {
        name: name.into(),
        kind,
        i,
        j,
        length: None,
        pitch: None,
        initial: Default::default(),
    };
    let motion = |joint: &str, value: &str| Motion {
        name: format!("{joint} motion"),
        joint: Some(joint.into()),
        i: None,
        j: None,
        direction: None,
        displacement: Some(Expression::parse(value).unwrap()),
        velocity: None,
        acceleration: None,
        initial_displacement: None,
        initial_velocity: None,
    };
    let (x, y) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    let mut bodies = vec![
        body("carriage", 50.0, [5.0; 3], [-1.0, 0.0, 0.5], 0.0),
        body("boom", 10.0, [1.0; 3], [-0.7, 0.0, 0.5], 0.0),
        body("blade", 5.0, [0.5; 3], [-0.4, 0.0, 0.4], 0.0),
    ];
    let joints = vec![
        joint("drive", JointKind::Prismatic, marker("carriage", [0.0; 3], x), marker("ground", [-1.0, 0.0, 0.5], x)),
        joint("lift", JointKind::Revolute, marker("boom", [-0.3, 0.0, 0.0], y), marker("carriage", [0.0; 3], y)),
        joint("tilt", JointKind::Revolute, marker("blade", [0.0, 0.0, 0.1], y), marker("boom", [0.3, 0.0, 0.0], y)),
    ];
    let motions =
        vec![motion("drive", "0.6*time"), motion("lift", "0.1*sin(3*time)"), motion("tilt", "-0.1*sin(3*time)")];
    let mut shapes = vec![
        shape("blade", "heap", cuboid([0.05, 0.9, 0.5])),
        shape("ground", "heap", Geometry::HalfSpace(HalfSpaceShape {})),
    ];
    for k in 0..boxes {
        let (name, place) = (format!("box {k}"), [k % 2, k / 2 % 2, k / 4].map(|i| i as f64));
        let at = [0.21 * place[0], 0.21 * (place[1] - 0.5), EDGE * (place[2] + 0.5)];
        bodies.push(body(&name, 8.0, [8.0 * EDGE * EDGE / 6.0; 3], at, 0.0));
        shapes.push(shape(&name, "heap", cuboid([EDGE; 3])));
    }
    let model = Model { gravity: vector([0.0, 0.0, -9.81]), bodies, joints, motions, ..Model::default() };
    let kind = ContactKind::Shapes(Shapes { i: "heap".into(), j: None, joined: false });
    let contacts = vec![Contact::new("heap", kind).with_friction(0.5)];
    (model, ContactModel { shapes, contacts })
}

/// Drives for a second; most contacts with an impulse, worst residual [m/s] and overlap \[m\].
fn drive(stepper: &mut TimeStepper<ContactSet>) -> [f64; 3] {
    let [mut most, mut residual, mut overlap] = [0.0_f64; 3];
    while stepper.time() < 1.0 - 1e-9 {
        let record = *stepper.step().unwrap();
        assert!(record.violation[1] <= 1e-12 && record.rate_violation[1] <= 1e-10, "{record:?}");
        let poses = &stepper.state().poses;
        assert!((poses[0].x.x + 1.0 - 0.6 * stepper.time()).abs() <= 1e-10);
        (most, residual) = (most.max(record.active as f64), residual.max(record.residual));
        let poses: Vec<Pose> = poses.iter().copied().chain([Pose::ground()]).collect();
        overlap = overlap.max(stepper.detector().overlap(&poses));
    }
    println!("most {most} residual {residual:e} overlap {overlap:e}");
    [most, residual, overlap]
}

#[test]
fn a_loader_drives_into_boxes() {
    let (model, contacts) = loader_of(4);
    let mut stepper = start(&model, &contacts, Backend::Global, 5e-3);
    let [most, residual, overlap] = drive(&mut stepper);
    let poses = &stepper.state().poses;
    // The blade ends at x = 0.2 m: the nearest boxes are in front of it, upright or not, the farthest have moved.
    let blade = poses[2].x + V3::new(0.025, 0.0, 0.0);
    assert!(poses[3..].iter().all(|pose| pose.x.x > blade.x + 0.5 * EDGE - 1e-3));
    assert!(most > 8.0 && residual <= 1e-5 && overlap <= 1e-4, "{most} {residual:e} {overlap:e}");
}

#[test]
fn a_loader_drives_into_stacks_of_three() {
    let (model, contacts) = loader_of(12);
    for backend in [Backend::Automatic, Backend::Global] {
        let [most, residual, overlap] = drive(&mut start(&model, &contacts, backend, 5e-3));
        assert!(most > 60.0 && residual <= 1e-3 && overlap <= 1e-4, "{backend:?} {most} {residual:e} {overlap:e}");
    }
}
