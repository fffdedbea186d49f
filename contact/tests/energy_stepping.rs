//! Energy in fixed steps: contacts never create any, elastic ones keep it, spins and joints neither feed nor damp.

mod support;

#[path = "closed_forms/scenes.rs"]
mod scenes;
#[path = "closed_forms/tools.rs"]
mod tools;

use fourbar_contact::model::*;
use fourbar_multibody::expression::Expression;
use fourbar_multibody::model::{Joint, JointKind, MarkerRef, Orientation, Place, vector};
use support::body;
use tools::*;

/// A plane of the ground through `at` with this normal.
fn plane(at: [f64; 3], normal: [f64; 3]) -> MarkerRef {
    let orientation = Orientation { z_axis: Some(vector(normal)), ..Default::default() };
    Place { body: "ground".into(), position: vector(at), orientation, frame: Default::default() }.into()
}

/// Six balls of 1 kg in a box of 1.2 m, perfectly elastic, under gravity.
fn gas() -> Scene {
    let mut bodies = vec![];
    let mut contacts: Vec<Contact> = vec![];
    for k in 0..6 {
        let (name, x) = (format!("b{k}"), k as f64);
        let at = [0.3 * (x % 3.0), 0.3 * (x / 3.0).floor(), 0.1 * x];
        let v = [(7.0 * x + 1.0).sin(), (3.0 * x).cos(), (5.0 * x).sin()];
        bodies.push(moving(body(&name, 1.0, [0.004; 3], at, 0.0), v, [0.0; 3]));
        for j in 0..k {
            let [i, j] = [format!("b{j}"), name.clone()].map(|b| MarkerRef::from(b.as_str()));
            let kind = ContactKind::SphereSphere(SphereSphere { i, j, radius_i: 0.1.into(), radius_j: 0.1.into() });
            contacts.push(Contact::new(&format!("s{k}{}", contacts.len()), kind).with_restitution(1.0));
        }
        for (axis, at, n) in (0..3).flat_map(|axis| [(axis, -0.2, 1.0), (axis, 1.0, -1.0)]) {
            let place = |v: f64| std::array::from_fn(|i| if i == axis { v } else { 0.0 });
            let kind = SpherePlane { i: name.as_str().into(), radius: 0.1.into(), j: plane(place(at), place(n)), offset: 0.0.into() };
            contacts.push(Contact::new(&format!("w{k}{axis}{n}"), ContactKind::SpherePlane(kind)).with_restitution(1.0));
        }
    }
    Scene::new([0.0, 0.0, -G], bodies, contacts)
}

/// Energy at the start, at the end, and the largest and least on the way, and whether an impact was replaced.
fn energies(scene: &Scene, way: Way, h: f64, end: f64) -> ([f64; 4], usize) {
    let mut stepper = scene.start(way, h);
    let start = stepper.record().kinetic + stepper.record().potential;
    let mut seen = [start, start, start, start];
    let mut replaced = 0;
    run(&mut stepper, end, |_, r| {
        let energy = r.kinetic + r.potential;
        seen = [start, energy, seen[2].max(energy), seen[3].min(energy)];
        replaced += usize::from(r.replaced);
    });
    (seen, replaced)
}

#[test]
fn elastic_gas() {
    for way in WAYS {
        for h in [2e-3, 1e-3, 5e-4] {
            println!("{} {h}: {:?}", way.name, energies(&gas(), way, h, 10.0));
        }
    }
}

#[test]
fn rods() {
    for way in WAYS {
        let scene = scenes::rod(55.0_f64.to_radians(), [0.7, -1.0], [0.0; 3], 0.8, 1.0);
        println!("kane {}: {:?}", way.name, energies(&scene, way, 1e-4, 0.02));
    }
}

#[test]
fn grooves() {
    for way in WAYS {
        for (angle, mu, e) in [(75.0_f64, 0.3, 0.5), (75.0, 0.3, 1.0), (45.0, 0.3, 0.5), (75.0, 0.0, 1.0), (60.0, 1.0, 0.9)] {
            let (s, c) = angle.to_radians().sin_cos();
            let ball = body("b", 1.0, [0.004; 3], [0.0, 0.0, 0.1 / c + 0.5], 0.0);
            let side = |name: &str, x: f64| {
                let kind = SpherePlane { i: "b".into(), radius: 0.1.into(), j: plane([0.0; 3], [x * s, 0.0, c]), offset: 0.0.into() };
                Contact::new(name, ContactKind::SpherePlane(kind)).with_friction(mu).with_restitution(e)
            };
            let scene = Scene::new([0.0, 0.0, -G], vec![ball], vec![side("l", 1.0), side("r", -1.0)]);
            println!("groove {angle} {mu} {e} {}: {:?}", way.name, energies(&scene, way, 1e-3, 2.0));
        }
    }
}

fn top(w: [f64; 3], pinned: bool) -> Scene {
    let (angle, length) = (20.0_f64.to_radians(), 0.03);
    let orientation = Orientation::turn([0.0, 1.0, 0.0], angle);
    let mut top = body("b", 0.1, [3e-5, 3e-5, 5e-5], [length * angle.sin(), 0.0, length * angle.cos()], 0.0);
    top.orientation = orientation;
    let axis = [w[0] * angle.cos() + w[2] * angle.sin(), w[1], -w[0] * angle.sin() + w[2] * angle.cos()];
    let (vx, vy) = (axis[1] * length * angle.cos() , axis[2] * length * angle.sin() - axis[0] * length * angle.cos());
    let vz = -axis[1] * length * angle.sin();
    let v = if pinned { [vx, vy, vz] } else { [0.0; 3] };
    let top = moving(top, v, axis);
    let kind = PointPlane { i: place("b", [0.0; 3]), j: plane([0.0, 0.0, -50.0], [0.0, 0.0, 1.0]), offset: 0.0.into() };
    let mut scene = Scene::new([0.0, 0.0, -G], vec![top], vec![Contact::new("far", ContactKind::PointPlane(kind))]);
    if pinned {
        let joint = Joint { name: "pin".into(), kind: JointKind::Spherical, i: place("b", [0.0, 0.0, -length]), j: place("ground", [0.0; 3]), length: None };
        scene.model.joints.push(joint);
    }
    scene
}

#[test]
fn tops() {
    for way in WAYS {
        for (w, pinned) in [([5.0, 0.0, 200.0], false), ([0.0, 0.0, 200.0], true), ([0.0, 0.0, 50.0], true), ([3.0, 2.0, 0.0], true)] {
            for h in [1e-3, 5e-4] {
                let scene = top(w, pinned);
                println!("top {w:?} {pinned} {h} {}: {:?}", way.name, energies(&scene, way, h, 3.0));
            }
        }
    }
}

/// A pendulum of two rods.
fn pendulum(contact: Option<f64>) -> Scene {
    let rod = |name: &str, x: f64| body(name, 1.0, [1e-3, 1.0 / 12.0, 1.0 / 12.0], [x, 0.0, 0.0], 0.0);
    let z: [f64; 3] = [0.0, 0.0, 1.0];
    let mark = |body: &str, at: [f64; 3]| -> MarkerRef {
        let orientation = Orientation { z_axis: Some(vector(z)), ..Default::default() };
        Place { body: body.into(), position: vector(at), orientation, frame: Default::default() }.into()
    };
    let revolute = |name: &str, i, j| Joint { name: name.into(), kind: JointKind::Revolute, i, j, length: None };
    let tip = point_on("tip", "r1", [0.5, 0.0, 0.0], mark_floor(if contact.is_some() { -1.2 } else { -50.0 }));
    let mut scene = Scene::new(DOWN, vec![rod("r0", 0.5), rod("r1", 1.5)], vec![tip.with_restitution(contact.unwrap_or(0.0))]);
    scene.model.joints = vec![
        revolute("a", mark("r0", [-0.5, 0.0, 0.0]), mark("ground", [0.0; 3])),
        revolute("b", mark("r1", [-0.5, 0.0, 0.0]), mark("r0", [0.5, 0.0, 0.0])),
    ];
    let _ = Expression::parse("0");
    scene
}

fn mark_floor(y: f64) -> MarkerRef {
    let orientation =
        Orientation { z_axis: Some(vector([0.0, 1.0, 0.0])), x_axis: Some(vector([1.0, 0.0, 0.0])), ..Default::default() };
    Place { body: "ground".into(), position: vector([0.0, y, 0.0]), orientation, frame: Default::default() }.into()
}

#[test]
fn pendulums() {
    for way in WAYS {
        for contact in [None, Some(1.0), Some(0.5)] {
            for h in [1e-3, 5e-4] {
                println!("pendulum {contact:?} {h} {}: {:?}", way.name, energies(&pendulum(contact), way, h, 5.0));
            }
        }
    }
}
