//! Bells of the time far narrower than the steps beside them, on partitioned coordinates: forces and motions have their integrals.

use fourbar_multibody::expression::Expression;
use fourbar_multibody::integrator::{Abam, Rkf45, Stop};
use fourbar_multibody::model::{
    Body, Force, Joint, JointKind, MarkerRef, Model, Motion, Place, VectorForce, vector, zero,
};
use fourbar_multibody::{Dynamics, DynamicsOptions, Formulation, Mechanism, Method};
use std::sync::Arc;

/// Distance of outputs \[s\]: steps end there.
const OUTPUT: f64 = 0.1;
const OUTPUTS: usize = 12;

/// A wheel on the ground that turns with 1 rad/s, and if asked for a rod that is fixed to it off its axis.
fn wheel(inertia: f64, rod: bool) -> Model {
    let body = |name: &str, x: f64, inertia: f64, v: f64| Body {
        name: name.into(),
        mass: 1e-3.into(),
        inertia: [inertia; 3].map(Expression::from).to_vec(),
        center_of_mass: zero(),
        position: vector([x, 0.0, 0.0]),
        orientation: Default::default(),
        velocity: vector([0.0, v, 0.0]),
        angular_velocity: vector([0.0, 0.0, 1.0]),
        exact: vec![],
        solids: Vec::new(),
    };
    let marker = |body: &str, x: f64| -> MarkerRef {
        Place {
            body: body.into(),
            position: vector([x, 0.0, 0.0]),
            orientation: Default::default(),
            frame: Default::default(),
        }
        .into()
    };
    let joint = |name: &str, kind, i: MarkerRef, j: MarkerRef| Joint {
        name: name.into(),
        kind,
        i,
        j,
        length: None,
        pitch: None,
        initial: Default::default(),
    };
    let mut model = Model {
        bodies: vec![body("wheel", 0.0, inertia, 0.0)],
        joints: vec![joint("axle", JointKind::Revolute, marker("wheel", 0.0), marker("ground", 0.0))],
        ..Model::default()
    };
    if rod {
        model.bodies.push(body("rod", 0.2, inertia, 0.2));
        model.joints.push(joint("weld", JointKind::Fixed, marker("rod", -0.1), marker("wheel", 0.1)));
    }
    model
}

fn spin_at_the_end(model: &Model, method: Method) -> f64 {
    let mechanism = Arc::new(Mechanism::compile(model).unwrap());
    let end = OUTPUT * OUTPUTS as f64;
    let stop_times = (1..OUTPUTS).map(|k| OUTPUT * k as f64).collect();
    let options = DynamicsOptions { formulation: Formulation::Si2, method, end, stop_times };
    let mut dynamics = Dynamics::new(&mechanism, &options).unwrap();
    while dynamics.step().unwrap() != Stop::EndTime {}
    dynamics.state_at(end).unwrap().poses[0].w.z
}

/// Widths of 1/10 to 1/40 of an output step and places that follow no period: multiples of two irrational numbers.
fn bells() -> impl Iterator<Item = (f64, f64)> {
    (0..60).map(|k| {
        let [a, b] = [0.754_877_666, 0.569_840_291].map(|ratio| (f64::from(k) * ratio).fract());
        (OUTPUT / (10.0 * 4.0_f64.powf(a)), OUTPUT * (3.0 + 6.0 * b))
    })
}

fn bell(amplitude: f64, centre: f64, width: f64) -> Expression {
    Expression::parse(&format!("{amplitude:e}*exp(-((time - {centre})/{width})^2)")).unwrap()
}

fn methods() -> [Method; 2] {
    [Rkf45::with_tolerance(1e-8).into(), Abam::with_tolerance(1e-8).into()]
}

#[test]
fn torques_narrower_than_steps_have_their_impulse() {
    for method in methods() {
        for (k, (width, centre)) in bells().enumerate() {
            let (inertia, rod) = (10.0_f64.powi(k as i32 % 5 - 2), k % 2 == 1);
            let mut model = wheel(inertia, rod);
            // Of both bodies about the axis: the rod's centre lies 0.2 m off it.
            let whole = if rod { 2.0 * inertia + 1e-3 * 0.04 } else { inertia };
            let amplitude = whole / (width * std::f64::consts::PI.sqrt());
            model.forces = vec![Force::Torque(VectorForce {
                name: "bell".into(),
                i: "wheel".into(),
                reaction: None,
                frame: None,
                value: [0.0.into(), 0.0.into(), bell(amplitude, centre, width)],
            })];
            let found = spin_at_the_end(&model, method.clone());
            assert!((found - 2.0).abs() < 1e-5, "{method:?}: bell of {width} s at {centre} s: {found} rad/s");
        }
    }
}

#[test]
fn motions_narrower_than_steps_have_their_integral() {
    for method in methods() {
        for (width, centre) in bells() {
            let amplitude = 1.0 / (width * std::f64::consts::PI.sqrt());
            let mut model = wheel(1.0, false);
            model.motions = vec![Motion {
                name: "turn".into(),
                joint: Some("axle".into()),
                i: None,
                j: None,
                direction: None,
                displacement: None,
                velocity: None,
                acceleration: Some(bell(amplitude, centre, width)),
                initial_displacement: None,
                initial_velocity: Some(1.0.into()),
            }];
            let found = spin_at_the_end(&model, method.clone());
            assert!((found - 2.0).abs() < 1e-5, "{method:?}: bell of {width} s at {centre} s: {found} rad/s");
        }
    }
}
