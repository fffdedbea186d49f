//! Cylinders on flat faces, event-driven: rolling, standing, tipping, thrown.

use crate::support;
use fourbar_contact::Error;
use fourbar_contact::event::{EventDriven, EventKind, EventStepper};
use fourbar_contact::model::*;
use fourbar_contact::pair::ContactSet;
use fourbar_multibody::model::{Body, MarkerRef, Model, Orientation, Place, vector};
use fourbar_multibody::space::V3;
use fourbar_multibody::{Mechanism, State};
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;
use support::{body, follow};

const G: f64 = 9.81;

/// A cylinder of 1 kg.
#[derive(Debug, Clone, Copy)]
struct Scene {
    radius: f64,
    length: f64,
    friction: f64,
    restitution: f64,
    /// Whether it falls on a box or on a half space.
    on_box: bool,
}

impl Scene {
    /// Moments of inertia about its axes, the last along it [kg m^2].
    fn inertia(&self) -> [f64; 3] {
        let (r, l) = (self.radius * self.radius, self.length * self.length);
        [(3.0 * r + l) / 12.0, (3.0 * r + l) / 12.0, 0.5 * r]
    }

    /// At rest at this height, its axis vertical.
    fn body(&self, height: f64) -> Body {
        body("can", 1.0, self.inertia(), [0.0, 0.0, height], 0.0)
    }

    fn start(&self, can: Body, end: f64) -> Result<(EventStepper<ContactSet>, ContactSet), String> {
        let model = Model { gravity: vector([0.0, 0.0, -G]), bodies: vec![can], ..Model::default() };
        let shape =
            |name: &str, on: MarkerRef, geometry| Shape { name: name.into(), on, group: Some("all".into()), geometry };
        let round = RoundShape { radius: self.radius.into(), length: self.length.into() };
        let below = if self.on_box { -0.5 } else { 0.0 };
        let place = Place {
            body: "ground".into(),
            position: vector([0.0, 0.0, below]),
            orientation: Orientation::default(),
            frame: Default::default(),
        };
        let floor = if self.on_box {
            Geometry::Box(BoxShape { size: vector([20.0, 20.0, 1.0]) })
        } else {
            Geometry::HalfSpace(HalfSpaceShape {})
        };
        let shapes = vec![shape("can", "can".into(), Geometry::Cylinder(round)), shape("floor", place.into(), floor)];
        let touch = Contact::new("touch", ContactKind::Shapes(Shapes { i: "all".into(), j: None, joined: false }));
        let contacts = vec![touch.with_friction(self.friction).with_restitution(self.restitution)];
        let mechanism = Arc::new(Mechanism::compile(&model).unwrap());
        let set = ContactSet::compile(&model, &ContactModel { shapes, contacts }, &mechanism).unwrap();
        let options = EventDriven { tolerance: 1e-9, ..EventDriven::default() };
        let run = options.start(&mechanism, set.clone(), mechanism.start(), end).map_err(|e| e.to_string())?;
        Ok((run, set))
    }

    /// Kinetic and potential energy \[J\].
    fn energy(&self, state: &State) -> f64 {
        let pose = &state.poses[0];
        let w = pose.a.tr_mul(&pose.w);
        let turning: f64 = self.inertia().iter().zip(w.iter()).map(|(i, w)| i * w * w).sum();
        0.5 * (pose.v.norm_squared() + turning) + G * pose.x.z
    }

    /// Runs to the end; energy must never rise, and the cylinder never enter the floor.
    fn run(&self, can: Body, end: f64) -> Result<EventStepper<ContactSet>, String> {
        let (mut run, mut set) = self.start(can, end)?;
        follow(&mut run, &mut set, |state| self.energy(state))?;
        Ok(run)
    }
}

fn normal_force(run: &mut EventStepper<ContactSet>) -> f64 {
    run.forces().unwrap().iter().map(|force| force[0]).sum()
}

/// The places where a rim touches have no acceleration of their own: without that v^2/R would be missing from the force.
#[test]
fn a_rolling_cylinder_weighs_what_it_weighs() {
    for on_box in [true, false] {
        let scene = Scene { radius: 0.1, length: 0.3, friction: 0.4, restitution: 0.3, on_box };
        let mut can = scene.body(0.1);
        can.orientation = Orientation::turn([1.0, 0.0, 0.0], FRAC_PI_2);
        (can.velocity, can.angular_velocity) = (vector([0.8, 0.0, 0.0]), vector([0.0, 8.0, 0.0]));
        let (mut run, _) = scene.start(can, 1.0).unwrap();
        run.run().unwrap();
        approx::assert_abs_diff_eq!(normal_force(&mut run), G, epsilon = 1e-9);
        let pose = run.state().poses[0];
        approx::assert_abs_diff_eq!(pose.x, V3::new(0.8, 0.0, 0.1), epsilon = 1e-10);
        approx::assert_abs_diff_eq!(pose.w, V3::new(0.0, 8.0, 0.0), epsilon = 1e-9);
    }
}

/// A coin that rolls in a circle about its centre of mass, which rests: with r from there to the place that touches, omega = k r and
/// k^2 = m g r_x sin(alpha)/(R (I_t r_x - (I_a - I_t) h sin(alpha))), alpha the lean of the axis, r_x = R cos(alpha) - h sin(alpha).
#[test]
fn a_coin_rolls_in_a_circle() {
    let (r, h, lean) = (0.1, 0.02, 0.3_f64);
    let scene = Scene { radius: r, length: 2.0 * h, friction: 1.0, restitution: 0.0, on_box: true };
    let [across, _, along] = scene.inertia();
    let (s, c) = lean.sin_cos();
    let arm = V3::new(r * c - h * s, 0.0, -h * c - r * s);
    let k = (G * arm.x * s / (r * (across * arm.x - (along - across) * h * s))).sqrt();
    let mut coin = scene.body(-arm.z);
    coin.orientation = Orientation::turn([0.0, 1.0, 0.0], lean);
    coin.position = vector([0.0, 0.0, -arm.z - 1e-7]);
    coin.angular_velocity = vector([k * arm.x, 0.0, k * arm.z]);
    let mut run = scene.run(coin, 0.5).unwrap();
    approx::assert_abs_diff_eq!(normal_force(&mut run), G, epsilon = 1e-4);
    let pose = run.state().poses[0];
    approx::assert_abs_diff_eq!(pose.x, V3::new(0.0, 0.0, -arm.z), epsilon = 1e-6);
    approx::assert_abs_diff_eq!(pose.a[(2, 2)], c, epsilon = 1e-5);
    // About the vertical it has turned by -k R/sin(alpha) t.
    let turned = (-k * r / s * 0.5).sin_cos();
    approx::assert_abs_diff_eq!(pose.a[(1, 2)], s * turned.0, epsilon = 1e-4);
    approx::assert_abs_diff_eq!(pose.a[(0, 2)], s * turned.1, epsilon = 1e-4);
}

#[test]
fn a_can_that_is_set_down_stands() {
    let scene = Scene { radius: 0.1, length: 0.3, friction: 0.4, restitution: 0.2, on_box: true };
    let mut run = scene.run(scene.body(0.15 + 1e-3), 1.0).unwrap();
    approx::assert_abs_diff_eq!(run.state().poses[0].x.z, 0.15, epsilon = 1e-12);
    approx::assert_abs_diff_eq!(normal_force(&mut run), G, epsilon = 1e-9);
    // Spun about its axis it turns to a stop, and stays where it is.
    let mut can = scene.body(0.15);
    can.angular_velocity = vector([0.0, 0.0, 2.0]);
    let mut run = scene.run(can, 1.0).unwrap();
    assert!(run.log().iter().any(|event| event.kind == EventKind::Stuck(0)));
    approx::assert_abs_diff_eq!(run.state().poses[0].w.norm(), 0.0, epsilon = 1e-12);
    // Under an even pressure friction turns it back by 2/3 mu g R/(I/m) rad/s^2.
    let arm = 0.4 * G * (0.2 / 3.0) / 0.005;
    let angle = run.state().poses[0].a[(1, 0)].asin();
    approx::assert_abs_diff_eq!(angle, 2.0 * 2.0 / (2.0 * arm), epsilon = 1e-6);
}

/// Pushed at its top a can slides or tips over a foot, and falls on its side, where it comes to rest or rolls on.
#[test]
fn a_can_tips_over() {
    let scene = Scene { radius: 0.1, length: 0.3, friction: 0.4, restitution: 0.0, on_box: true };
    for spin in [0.0, 0.5] {
        let mut can = scene.body(0.15);
        can.angular_velocity = vector([0.3, 5.0, spin]);
        can.velocity = vector([0.75, -0.045, 0.0]);
        let mut run = scene.run(can, 2.0).unwrap();
        let pose = run.state().poses[0];
        approx::assert_abs_diff_eq!(pose.x.z, 0.1, epsilon = 1e-9);
        approx::assert_abs_diff_eq!(pose.a[(2, 2)], 0.0, epsilon = 1e-9);
    }
}

#[test]
fn thrown_cylinders_run_to_the_end() {
    let mut failures = Vec::new();
    for (k, friction) in [0.4, 0.0, 0.8, 0.2].into_iter().enumerate() {
        for (l, (radius, length)) in [(0.15, 0.05), (0.1, 0.1), (0.1, 0.3), (0.05, 0.02)].into_iter().enumerate() {
            let restitution = [0.3, 0.5, 0.0, 0.2][l];
            let scene = Scene { radius, length, friction, restitution, on_box: (k + l) % 2 == 0 };
            let (mut can, throw) = (scene.body(0.6), (4 * k + l) as f64);
            can.angular_velocity =
                vector([6.0 * (1.7 * throw).sin(), 6.0 * (2.3 * throw).cos(), 6.0 * (0.9 * throw).sin()]);
            can.velocity = vector([throw.sin(), throw.cos(), 0.0]);
            if let Err(error) = scene.run(can, 1.5) {
                failures.push(format!("throw {throw}: {error}"));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// What holds a cylinder changes where it reaches over an edge of a box: events do not follow that, and say so at once.
#[test]
fn a_cylinder_that_rolls_off_a_box_is_an_error() {
    let scene = Scene { radius: 0.1, length: 0.3, friction: 0.4, restitution: 0.3, on_box: true };
    let mut can = scene.body(0.1);
    can.orientation = Orientation::turn([1.0, 0.0, 0.0], FRAC_PI_2);
    can.position = vector([9.5, 0.0, 0.1]);
    (can.velocity, can.angular_velocity) = (vector([0.8, 0.0, 0.0]), vector([0.0, 8.0, 0.0]));
    let (mut run, _) = scene.start(can, 2.0).unwrap();
    let error = run.run().unwrap_err();
    assert!(matches!(&error, Error::Lost { contact, .. } if contact == "touch: can on floor"), "{error}");
    let text = error.to_string();
    assert!(text.contains("\"can\" passes an edge of the box \"floor\""), "{text}");
    assert!(text.contains("gap_lcp") && !text.contains("curve"), "{text}");
    // It reaches over the edge by 1e-6 of its radius, its middle at 9.9 m and a little more.
    approx::assert_abs_diff_eq!(run.time(), 0.5 + 1e-7 / 0.8, epsilon = 1e-9);
}

#[test]
fn shapes_whose_gaps_jump_are_refused_at_the_start() {
    let refused = |on_a: Geometry, on_b: Geometry| {
        let ball = body("a", 1.0, [0.1; 3], [0.0, 0.0, 2.0], 0.0);
        let model = Model { bodies: vec![ball], ..Model::default() };
        let shape = |name: &str, on: &str, geometry| Shape { name: name.into(), on: on.into(), group: None, geometry };
        let kind = ContactKind::Shapes(Shapes { i: "s".into(), j: Some("t".into()), joined: false });
        let contacts = ContactModel {
            shapes: vec![shape("s", "a", on_a), shape("t", "ground", on_b)],
            contacts: vec![Contact::new("touch", kind)],
        };
        let mechanism = Arc::new(Mechanism::compile(&model).unwrap());
        let set = ContactSet::compile(&model, &contacts, &mechanism).unwrap();
        let started = EventDriven::default().start(&mechanism, set, mechanism.start(), 1.0);
        match started {
            Ok(_) => None,
            Err(error @ Error::Unfollowed { .. }) => Some(error.to_string()),
            Err(other) => panic!("{other}"),
        }
    };
    let round = || Geometry::Cylinder(RoundShape { radius: 0.1.into(), length: 0.2.into() });
    let ball = || Geometry::Sphere(SphereShape { radius: 0.1.into() });
    let space = || Geometry::HalfSpace(HalfSpaceShape {});
    let mesh = || {
        let vertices = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(vector).to_vec();
        Geometry::Mesh(MeshShape { vertices, triangles: vec![[0, 1, 2]] })
    };
    for (a, b) in [(round(), round()), (ball(), round()), (ball(), mesh()), (mesh(), round())] {
        let error = refused(a, b).unwrap();
        assert!(error.contains("\"touch\"") && error.contains("\"s\"") && error.contains("gap_lcp"), "{error}");
    }
    for (a, b) in [(round(), space()), (mesh(), space()), (ball(), ball())] {
        assert_eq!(refused(a, b), None);
    }
}
