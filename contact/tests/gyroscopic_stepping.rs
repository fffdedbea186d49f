//! Fixed steps of bodies that turn fast while contacts push on them: what no force changes stays.

use crate::closed_forms::tools;
use crate::support;
use fourbar_contact::model::*;
use fourbar_contact::stepping::Scheme;
use fourbar_multibody::State;
use fourbar_multibody::model::{Body, MarkerRef, Orientation, Place, vector};
use fourbar_multibody::space::V3;
use support::body;
use tools::*;

/// The floor, its normal along z.
fn ground() -> MarkerRef {
    let orientation = Orientation { z_axis: Some(vector([0.0, 0.0, 1.0])), ..Default::default() };
    Place { body: "ground".into(), position: vector([0.0; 3]), orientation, frame: Default::default() }.into()
}

/// A body whose centre of mass lies `below` the centre of the ball it stands on, turning with `w` in its own axes.
fn weeble(inertia: [f64; 3], below: f64, w: [f64; 3], mu: f64) -> Scene {
    let (radius, tilt) = (0.1, 0.4_f64);
    let mut top = body("b", 1.0, inertia, [0.0, 0.0, radius - below * tilt.cos()], 0.0);
    top.orientation = Orientation::turn([1.0, 0.0, 0.0], tilt);
    let (s, c) = tilt.sin_cos();
    let w = V3::new(w[0], c * w[1] - s * w[2], s * w[1] + c * w[2]);
    // The contact holds from the first step.
    let arm = V3::new(0.0, -s * below, c * below) - V3::new(0.0, 0.0, radius);
    let v = w.cross(&arm);
    let top = moving(top, [0.0, 0.0, -v.z], w.into());
    let kind = SpherePlane { i: place("b", [0.0, 0.0, below]), radius: radius.into(), j: ground(), offset: 0.0.into() };
    let contact = Contact::new("foot", ContactKind::SpherePlane(kind)).with_friction(mu);
    Scene::new([0.0, 0.0, -G], vec![top], vec![contact])
}

/// A box of 0.2 x 0.3 x 0.4 m let go from 1 m, turning in one of many ways, onto a floor that its corners leave as fast as they came.
fn tumbling(k: f64) -> Scene {
    let half = [0.1, 0.15, 0.2];
    let moment = |i: usize, j: usize| (half[i] * half[i] + half[j] * half[j]) / 3.0;
    let inertia = [moment(1, 2), moment(2, 0), moment(0, 1)];
    let w = [3.0 + (7.0 * k).sin(), 7.0 + 3.0 * k.sin(), 5.0 * (3.0 * k).cos()];
    let thrown = moving(body("b", 1.0, inertia, [0.0, 0.0, 1.0], 0.0), [0.0; 3], w);
    let contacts = (0..8).map(|k| {
        let corner = std::array::from_fn(|i| if k >> i & 1 == 0 { half[i] } else { -half[i] });
        let kind = PointPlane { i: place("b", corner), j: ground(), offset: 0.0.into() };
        Contact::new(&format!("c{k}"), ContactKind::PointPlane(kind)).with_restitution(1.0)
    });
    Scene::new([0.0, 0.0, -G], vec![thrown], contacts.collect())
}

/// Angular momentum about the vertical through the centre of mass.
fn about_vertical(scene: &Scene, state: &State) -> f64 {
    let moments = inertia(&scene.model.bodies[0]);
    let pose = &state.poses[0];
    (pose.a * pose.a.tr_mul(&pose.w).component_mul(&moments)).z
}

fn inertia(body: &Body) -> V3 {
    V3::from_fn(|i, _| body.inertia[i].value().unwrap())
}

/// Relative changes of the energy, at the end and the largest rise on the way, and of the angular momentum about the vertical.
#[derive(Debug, Clone, Copy)]
struct Drift {
    energy: f64,
    rise: f64,
    momentum: f64,
}

fn drift(scene: &Scene, way: Way, h: f64, end: f64) -> Drift {
    let mut stepper = scene.start(way, h);
    let (mut energies, start) = Energy::begin(way, stepper.record());
    let momentum = about_vertical(scene, stepper.state());
    let mut seen = Drift { energy: 0.0, rise: 0.0, momentum: 0.0 };
    run(&mut stepper, end, |state, r| {
        seen.energy = energies.after(r) / start - 1.0;
        seen.rise = seen.rise.max(seen.energy);
        seen.momentum = about_vertical(scene, state) / momentum - 1.0;
    });
    seen
}

#[test]
fn a_body_that_wobbles_gains_nothing() {
    // 10 s, 64 turns. Without friction the floor turns nothing about the vertical and takes no work; where it holds the body at each step
    // anew it takes some of the wobbling, to first order.
    for inertia in [[0.002, 0.002, 0.003], [0.002, 0.0025, 0.003]] {
        for way in WAYS {
            let scene = weeble(inertia, 0.02, [10.0, 0.0, 40.0], 0.0);
            let seen = [2e-3, 1e-3, 5e-4].map(|h| drift(&scene, way, h, 10.0));
            println!("wobbling body, {}: {seen:?}", way.name);
            for (seen, h) in seen.iter().zip([2e-3, 1e-3, 5e-4]) {
                assert!(seen.rise <= 0.1 * h && seen.energy >= -25.0 * h, "{}, {h}: {seen:?}", way.name);
                // To second order, or that of positions half a step after velocities.
                let bound = if way.scheme == Scheme::GapLcp { 1.5 * h } else { 50.0 * h * h };
                assert!(seen.momentum.abs() <= bound, "{}, {h}: {seen:?}", way.name);
            }
        }
    }
}

#[test]
fn a_body_that_wobbles_with_friction_loses_what_sliding_takes() {
    // The exact loss is that of fine steps; sticking and rolling must not feed it.
    for way in WAYS {
        let scene = weeble([0.002, 0.002, 0.003], 0.02, [10.0, 0.0, 40.0], 0.5);
        let seen = [5e-4, 2.5e-4].map(|h| drift(&scene, way, h, 10.0));
        println!("wobbling body with friction, {}: {seen:?}", way.name);
        assert!(seen.iter().all(|seen| seen.rise <= 1e-9), "{}: {seen:?}", way.name);
        assert!(
            (seen[0].energy + 0.1255).abs() <= 0.011 && (seen[1].energy + 0.1255).abs() <= 6e-3,
            "{}: {seen:?}",
            way.name
        );
    }
}

#[test]
fn elastic_boxes_bounce_on() {
    // Forty boxes that tumble, 3 s each with some eight impacts of a corner: on average nothing is gained, and little lost.
    for way in WAYS {
        let seen: Vec<_> = (0..40).map(|k| drift(&tumbling(f64::from(k)), way, 1e-3, 3.0)).collect();
        let mean = seen.iter().map(|d| d.energy).sum::<f64>() / 40.0;
        let largest = seen.iter().fold(0.0_f64, |a, d| a.max(d.energy.abs()));
        println!("forty boxes, {}: mean {mean:e}, largest {largest:e}", way.name);
        assert!((-1.5e-3..=1e-4).contains(&mean) && largest <= 6e-3, "{}: {mean:e} {largest:e}", way.name);
    }
}
