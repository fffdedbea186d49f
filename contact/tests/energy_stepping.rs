//! Energy in fixed steps: contacts never create any, elastic ones keep it, spins and joints neither feed nor damp.

use crate::closed_forms::tools;
use crate::support;
use fourbar_contact::model::*;
use fourbar_contact::stepping::Scheme;
use fourbar_multibody::model::{Joint, JointKind, MarkerRef, Orientation, Place, vector};
use fourbar_multibody::space::V3;
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
            let kind = SpherePlane {
                i: name.as_str().into(),
                radius: 0.1.into(),
                j: plane(place(at), place(n)),
                offset: 0.0.into(),
            };
            contacts
                .push(Contact::new(&format!("w{k}{axis}{n}"), ContactKind::SpherePlane(kind)).with_restitution(1.0));
        }
    }
    Scene::new([0.0, 0.0, -G], bodies, contacts)
}

/// Energy at the start and the end, the largest and the least on the way \[J\], and in how many steps impacts were replaced.
#[derive(Debug)]
struct Course {
    start: f64,
    end: f64,
    most: f64,
    least: f64,
    replaced: usize,
}

fn course(scene: &Scene, way: Way, h: f64, end: f64) -> Course {
    let mut stepper = scene.start(way, h);
    let (mut energies, start) = Energy::begin(way, stepper.record());
    let mut seen = Course { start, end: start, most: start, least: start, replaced: 0 };
    run(&mut stepper, end, |_, r| {
        let energy = energies.after(r);
        (seen.end, seen.most, seen.least) = (energy, seen.most.max(energy), seen.least.min(energy));
        seen.replaced += usize::from(r.replaced);
    });
    seen
}

#[test]
fn an_elastic_gas_keeps_its_energy() {
    // Some hundred impacts, most of them oblique, in 10 s. Velocities of the gap scheme are those of half a step before its positions: at
    // v the energy is seen h g v off, which comes and goes; what would grow with time is the difference at the end.
    for way in WAYS {
        for h in [2e-3, 1e-3] {
            let seen = course(&gas(), way, h, 10.0);
            println!("gas, {}, h = {h}: {seen:?}", way.name);
            let [off, drift] = [seen.most - seen.start, seen.end - seen.start].map(|d| d / seen.start);
            assert!(off <= 2.5 * h && drift.abs() <= 0.6 * h, "{}: {off:e} {drift:e}", way.name);
        }
    }
}

#[test]
fn grooves_end_no_run() {
    // With friction a steep groove has no answer to Newton's law.
    for way in WAYS {
        for (angle, mu, e) in
            [(75.0_f64, 0.3, 0.5), (75.0, 0.3, 1.0), (45.0, 0.3, 0.5), (75.0, 0.0, 1.0), (60.0, 1.0, 0.9)]
        {
            let (s, c) = angle.to_radians().sin_cos();
            let ball = body("b", 1.0, [0.004; 3], [0.0, 0.0, 0.1 / c + 0.5], 0.0);
            let side = |name: &str, x: f64| {
                let j = plane([0.0; 3], [x * s, 0.0, c]);
                let kind = SpherePlane { i: "b".into(), radius: 0.1.into(), j, offset: 0.0.into() };
                Contact::new(name, ContactKind::SpherePlane(kind)).with_friction(mu).with_restitution(e)
            };
            let scene = Scene::new([0.0, 0.0, -G], vec![ball], vec![side("l", 1.0), side("r", -1.0)]);
            let seen = course(&scene, way, 1e-3, 1.0);
            println!("groove {angle} mu = {mu} e = {e}, {}: {seen:?}", way.name);
            // h g v of the gap scheme.
            assert!(seen.most - seen.start <= 1e-3 * G * 3.2, "{}: {seen:?}", way.name);
            if mu * angle.to_radians().tan() > 1.0 {
                // It jams, without a rebound or after a first one.
                assert!(seen.replaced > 0 && seen.end < 0.6 * seen.start, "{}: {seen:?}", way.name);
            } else if mu == 0.0 {
                assert!(
                    seen.replaced == 0 && (seen.end - seen.start).abs() <= 2e-3 * seen.start,
                    "{}: {seen:?}",
                    way.name
                );
            }
        }
    }
}

/// A top at 20 degrees, 3 cm from its foot to its centre of mass, with the angular velocity `w` in its own axes; free, or its foot on a ball.
fn top(w: [f64; 3], pinned: bool) -> Scene {
    let (angle, length) = (20.0_f64.to_radians(), 0.03);
    let (s, c) = angle.sin_cos();
    let arm = V3::new(length * s, 0.0, length * c);
    let mut top = body("b", 0.1, [3e-5, 3e-5, 5e-5], arm.into(), 0.0);
    top.orientation = Orientation::turn([0.0, 1.0, 0.0], angle);
    let w = V3::new(w[0] * c + w[2] * s, w[1], w[2] * c - w[0] * s);
    let v = if pinned { w.cross(&arm) } else { V3::zeros() };
    let top = moving(top, v.into(), w.into());
    let far = plane([0.0, 0.0, -50.0], [0.0, 0.0, 1.0]);
    let kind = PointPlane { i: place("b", [0.0; 3]), j: far, offset: 0.0.into() };
    let mut scene = Scene::new([0.0, 0.0, -G], vec![top], vec![Contact::new("far", ContactKind::PointPlane(kind))]);
    if pinned {
        let (i, j) = (place("b", [0.0, 0.0, -length]), place("ground", [0.0; 3]));
        scene.model.joints.push(Joint {
            name: "pin".into(),
            kind: JointKind::Spherical,
            i,
            j,
            length: None,
            pitch: None,
            initial: Default::default(),
        });
    }
    scene
}

#[test]
fn tops_on_a_joint_precess_on() {
    // In 3 s, 95 turns, each step up to 0.4 rad of one. What joints ask of a top that turns is of third order.
    for way in WAYS {
        let drift = [2e-3, 1e-3, 5e-4].map(|h| {
            let seen = course(&top([0.0, 0.0, 200.0], true), way, h, 3.0);
            (seen.most - seen.start).max(seen.start - seen.least) / seen.start
        });
        println!("top on a joint, {}: {drift:?}", way.name);
        assert!(
            drift[0] <= 1e-3 && drift[1] <= 0.2 * drift[0] && drift[2] <= 0.2 * drift[1],
            "{}: {drift:?}",
            way.name
        );
    }
}

/// Two rods of 1 m in a row, let go level; the end of the second strikes a floor at `floor` with the restitution `e`.
fn pendulum(floor: f64, e: f64) -> Scene {
    let rod = |name: &str, x: f64| body(name, 1.0, [1e-3, 1.0 / 12.0, 1.0 / 12.0], [x, 0.0, 0.0], 0.0);
    let revolute = |name: &str, i, j| Joint {
        name: name.into(),
        kind: JointKind::Revolute,
        i,
        j,
        length: None,
        pitch: None,
        initial: Default::default(),
    };
    let floor = plane([0.0, floor, 0.0], [0.0, 1.0, 0.0]);
    let tip = point_on("tip", "r1", [0.5, 0.0, 0.0], floor).with_restitution(e);
    let mut scene = Scene::new(DOWN, vec![rod("r0", 0.5), rod("r1", 1.5)], vec![tip]);
    scene.model.joints = vec![
        revolute("a", place("r0", [-0.5, 0.0, 0.0]), place("ground", [0.0; 3])),
        revolute("b", place("r1", [-0.5, 0.0, 0.0]), place("r0", [0.5, 0.0, 0.0])),
    ];
    scene
}

#[test]
fn joints_take_no_energy() {
    // 5 s of a double pendulum that swings with up to 9.81 J of its parts, whose energy is 0.
    for way in WAYS {
        let h = 1e-3;
        let seen = course(&pendulum(-50.0, 0.0), way, h, 5.0);
        println!("pendulum, {}: {seen:?}", way.name);
        let bound = 400.0 * h * h;
        assert!(seen.most.max(-seen.least) <= bound, "{}: {seen:?}", way.name);
        for e in [1.0, 0.5] {
            let seen = course(&pendulum(-1.2, e), way, h, 5.0);
            println!("pendulum on a floor, e = {e}, {}: {seen:?}", way.name);
            assert!(seen.most <= 40.0 * h, "{}: {seen:?}", way.name);
            if e == 1.0 {
                assert!(seen.least >= -60.0 * h, "{}: {seen:?}", way.name);
            }
        }
    }
}

/// A rod of 1 m on a joint, let go level, strikes a floor with its end and swings back, again and again.
fn arm() -> Scene {
    let mut scene = pendulum(-0.3, 1.0);
    scene.model.bodies.truncate(1);
    scene.model.joints.truncate(1);
    let tip = point_on("tip", "r0", [0.5, 0.0, 0.0], plane([0.0, -0.3, 0.0], [0.0, 1.0, 0.0]));
    scene.contacts.contacts = vec![tip.with_restitution(1.0)];
    scene
}

#[test]
fn an_elastic_arm_swings_on() {
    // 49 impacts in 20 s, at 3 m/s; 1.5 J of its energy are in motion then. The impact of a step is at its end, at a place of the arm that
    // is not that of the floor: first order, and more so where the velocities are not those of the positions.
    for way in WAYS {
        for h in [2e-3, 1e-3, 5e-4] {
            let seen = course(&arm(), way, h, 20.0);
            println!("arm, {}, h = {h}: {seen:?}", way.name);
            let [lost, gained] = [seen.start - seen.end, seen.most - seen.start];
            let bound = if way.scheme == Scheme::GapLcp { 15.0 * h } else { 0.01 };
            assert!(lost <= bound && gained <= 15.0 * h, "{}: {seen:?}", way.name);
        }
    }
}
