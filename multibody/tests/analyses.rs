//! Kinematics, statics and linearization against closed forms; states put onto the constraints; forces and motions of the host.

use fourbar_multibody::analysis::{Equilibrium, Kinematics, Linearization};
use fourbar_multibody::expression::Expression;
use fourbar_multibody::host::{ForceFunction, HostForce, HostFunctions, MotionFunction, Refusal};
use fourbar_multibody::model::{
    AxialTorque, Body, Force, Input, Joint, JointKind, Marker, Measure, MeasureKind, Model, Motion, Orientation,
    PairMeasure, SpringDamper, VectorForce, vector, zero,
};
use fourbar_multibody::{Dynamics, DynamicsOptions, Error, Inputs, Mechanism};
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

const G: f64 = 9.81;
const LENGTH: f64 = 1.5;

fn body(name: &str) -> Body {
    Body {
        name: name.into(),
        mass: 2.0.into(),
        inertia: vec![0.3.into(); 3],
        center_of_mass: zero(),
        position: zero(),
        orientation: Orientation::default(),
        velocity: zero(),
        angular_velocity: zero(),
        exact: vec![],
        solids: Vec::new(),
    }
}

fn joint(name: &str, kind: JointKind, i: &str, j: &str) -> Joint {
    Joint { name: name.into(), kind, i: i.into(), j: j.into(), length: None, pitch: None, initial: Default::default() }
}

/// A uniform rod, hinged at its end, at `angle` from the horizontal.
fn rod(angle: f64) -> Model {
    let moment = 2.0 * LENGTH * LENGTH / 12.0;
    let rod = Body {
        inertia: vec![1e-3.into(), moment.into(), moment.into()],
        center_of_mass: vector([LENGTH / 2.0, 0.0, 0.0]),
        orientation: Orientation::turn([0.0, 0.0, 1.0], angle),
        ..body("rod")
    };
    Model {
        gravity: vector([0.0, -G, 0.0]),
        bodies: vec![rod],
        joints: vec![joint("hinge", JointKind::Revolute, "rod", "ground")],
        measures: vec![Measure {
            name: "angle".into(),
            kind: MeasureKind::Angle(PairMeasure { i: "rod".into(), j: None }),
        }],
        ..Model::default()
    }
}

/// A cart on a rail along x, pulled back by spring and damper, pushed by an input.
fn cart() -> Model {
    let along = |name: &str, body: &str| Marker {
        name: name.into(),
        body: body.into(),
        position: zero(),
        orientation: Orientation::z_along([1.0, 0.0, 0.0]),
        frame: Default::default(),
    };
    let spring = SpringDamper {
        name: "spring".into(),
        i: "cart".into(),
        j: "wall".into(),
        stiffness: 50.0.into(),
        damping: 3.0.into(),
        free_length: Some(1.0.into()),
        preload: 0.0.into(),
    };
    let push = VectorForce {
        name: "push".into(),
        i: "cart".into(),
        reaction: None,
        frame: None,
        value: [Expression::parse("pull").unwrap(), 0.0.into(), 0.0.into()],
    };
    let wall =
        Marker { position: vector([-1.0, 0.0, 0.0]), orientation: Default::default(), ..along("wall", "ground") };
    Model {
        bodies: vec![body("cart")],
        markers: vec![along("rail", "ground"), along("shoe", "cart"), wall],
        joints: vec![joint("slide", JointKind::Prismatic, "shoe", "rail")],
        forces: vec![Force::SpringDamper(spring), Force::Force(push)],
        inputs: vec![Input { name: "pull".into(), unit: "N".into(), value: 0.0.into() }],
        measures: vec![Measure {
            name: "distance".into(),
            kind: MeasureKind::Distance(PairMeasure { i: "cart".into(), j: Some("wall".into()) }),
        }],
        ..Model::default()
    }
}

#[test]
fn the_matrices_of_an_oscillator_are_its_coefficients() {
    let mechanism = Mechanism::compile(&cart()).unwrap();
    let linear = Linearization::new(&mechanism, mechanism.start(), &Inputs::start(&mechanism)).unwrap();
    assert_eq!(linear.coordinates, [0]);
    let expected = nalgebra::DMatrix::from_row_slice(2, 2, &[0.0, 1.0, -25.0, -1.5]);
    approx::assert_abs_diff_eq!(linear.a, expected, epsilon = 1e-9);
    approx::assert_abs_diff_eq!(linear.b[(1, 0)], 0.5, epsilon = 1e-11);
    approx::assert_abs_diff_eq!(linear.c[(0, 0)], 1.0, epsilon = 1e-11);
    for zero in [linear.b[(0, 0)], linear.c[(0, 1)], linear.d[(0, 0)]] {
        approx::assert_abs_diff_eq!(zero, 0.0, epsilon = 1e-11);
    }
}

/// The eigenvalues do not depend on the coordinate that is chosen: +- sqrt(3 g sin(angle)/(2 l)) about the vertical.
#[test]
fn a_rod_has_the_eigenvalues_of_a_pendulum() {
    for (angle, square) in [(-FRAC_PI_2, -1.5 * G / LENGTH), (FRAC_PI_2, 1.5 * G / LENGTH)] {
        let mechanism = Mechanism::compile(&rod(angle)).unwrap();
        let linear = Linearization::new(&mechanism, mechanism.start(), &Inputs::start(&mechanism)).unwrap();
        let eigenvalue = linear.a.complex_eigenvalues()[0];
        approx::assert_abs_diff_eq!((eigenvalue * eigenvalue).re, square, epsilon = 1e-8);
    }
}

/// Euler's equations of a free body spinning about z: w_x' = (1 - Izz/I) w_y Omega, and turns follow the spinning frame.
#[test]
fn a_spinning_body_precesses() {
    let spin = 7.0;
    let top = Body {
        inertia: vec![0.3.into(), 0.3.into(), 0.5.into()],
        angular_velocity: vector([0.0, 0.0, spin]),
        ..body("top")
    };
    let model = Model { bodies: vec![top], ..Model::default() };
    let mechanism = Mechanism::compile(&model).unwrap();
    let linear = Linearization::new(&mechanism, mechanism.start(), &Inputs::start(&mechanism)).unwrap();
    // Global angular velocities: the momentum H = J w stays, J = I + (Izz - I) a a^T with the axis a turning with w.
    let largest = linear.a.complex_eigenvalues().iter().fold(0.0_f64, |a, b| a.max(b.im));
    approx::assert_abs_diff_eq!(largest, 0.5 / 0.3 * spin, epsilon = 1e-6);
}

#[test]
fn a_rod_comes_to_hang_and_a_cart_to_stand_where_the_spring_holds_it() {
    for angle in [0.0, 0.7, FRAC_PI_2 - 1e-3, -3.0] {
        let mechanism = Mechanism::compile(&rod(angle)).unwrap();
        let found = Equilibrium::find(&mechanism, mechanism.start(), &Inputs::start(&mechanism)).unwrap();
        assert!(found.stable, "from {angle}");
        approx::assert_abs_diff_eq!(found.state.poses[0].x.y, -LENGTH / 2.0, epsilon = 1e-10);
    }
    let mechanism = Mechanism::compile(&rod(FRAC_PI_2)).unwrap();
    let upright = Equilibrium::find(&mechanism, mechanism.start(), &Inputs::start(&mechanism)).unwrap();
    assert!(!upright.stable && upright.state.poses[0].x.y > 0.7);
    let mechanism = Mechanism::compile(&cart()).unwrap();
    let mut inputs = Inputs::start(&mechanism);
    inputs.set(&mechanism, 0.0, [[20.0, 0.0, 0.0]].into_iter()).unwrap();
    let found = Equilibrium::find(&mechanism, mechanism.start(), &inputs).unwrap();
    approx::assert_abs_diff_eq!(found.state.poses[0].x.x, 0.4, epsilon = 1e-10);
}

#[test]
fn what_nothing_holds_has_no_equilibrium() {
    let mechanism = Mechanism::compile(&Model { bodies: vec![body("stone")], ..rod(0.0) }.without_joints()).unwrap();
    let error = Equilibrium::find(&mechanism, mechanism.start(), &Inputs::start(&mechanism)).unwrap_err();
    assert!(matches!(error, Error::NoEquilibrium { held: false, .. }), "{error}");
    let text = error.to_string();
    for part in ["body \"stone\" along", "9.8", "m/s^2, and nothing holds it", "add a joint"] {
        assert!(text.contains(part), "{text}");
    }
    assert!(!text.contains("1/s^2"), "{text}");
}

#[test]
fn axes_across_each_other_are_named_in_degrees() {
    let mut model = rod(0.0);
    let joint = serde_json::json!({
        "name": "hinge", "type": "revolute", "i": { "body": "rod", "orientation": { "z_axis": [1, 0, 0] } }, "j": "ground"
    });
    let name = model.bodies[0].name.clone();
    let text = joint.to_string().replace("\"rod\"", &format!("\"{name}\""));
    model.joints = vec![serde_json::from_str(&text).unwrap()];
    model.measures.clear();
    let text = Mechanism::compile(&model).unwrap_err().to_string();
    for part in ["joint \"hinge\" (revolute)", "90 degrees", "the ground", "same z axis"] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn one_freedom_is_told_in_the_singular() {
    for (degrees, part) in [(1, "has 1 degree of freedom"), (2, "has 2 degrees of freedom")] {
        assert!(Error::Free { degrees }.to_string().contains(part));
    }
}

trait WithoutJoints {
    fn without_joints(self) -> Self;
}

impl WithoutJoints for Model {
    fn without_joints(self) -> Self {
        Self { joints: vec![], measures: vec![], ..self }
    }
}

fn driven(displacement: &str) -> Model {
    let motion = Motion {
        name: "turn".into(),
        joint: Some("hinge".into()),
        i: None,
        j: None,
        direction: None,
        displacement: Some(Expression::parse(displacement).unwrap()),
        velocity: None,
        acceleration: None,
        initial_displacement: None,
        initial_velocity: None,
    };
    Model { motions: vec![motion], ..rod(0.0) }
}

#[test]
fn kinematics_follow_the_motion_forward_and_back_by_any_way() {
    let mechanism = Arc::new(Mechanism::compile(&driven("0.4*time^2")).unwrap());
    let mut kinematics = Kinematics::new(&mechanism).unwrap();
    for time in [0.1, 1.0, 7.0, 0.3] {
        kinematics.go_to(time).unwrap();
        let mut angle = [0.0];
        kinematics.measures(&mut angle).unwrap();
        approx::assert_abs_diff_eq!(kinematics.state().poses[0].w.z, 0.8 * time, epsilon = 1e-10);
        approx::assert_abs_diff_eq!(kinematics.state().accelerations[0][1].z, 0.8, epsilon = 1e-9);
        approx::assert_abs_diff_eq!(angle[0], 0.4 * time * time, epsilon = 1e-9);
    }
    let free = Arc::new(Mechanism::compile(&rod(0.0)).unwrap());
    assert!(matches!(Kinematics::new(&free), Err(Error::Free { degrees: 1 })));
}

#[test]
fn states_are_put_onto_the_constraints_or_refused() {
    let mechanism = Mechanism::compile(&rod(0.0)).unwrap();
    let inputs = Inputs::start(&mechanism);
    let mut state = mechanism.start().clone();
    state.poses[0].x.y += 0.01;
    state.poses[0].v.y = 1.0;
    let put = mechanism.consistent(&state, &inputs).unwrap();
    approx::assert_abs_diff_eq!(put.poses[0].x.norm(), LENGTH / 2.0, epsilon = 1e-12);
    approx::assert_abs_diff_eq!(put.poses[0].w.z * LENGTH / 2.0, put.poses[0].v.norm(), epsilon = 1e-12);
    // Turning weighs as moving at the end of the arm: half of the speed is kept.
    approx::assert_abs_diff_eq!(put.poses[0].v.norm(), 0.5, epsilon = 0.01);
    state.poses[0].x.y = f64::NAN;
    assert!(mechanism.consistent(&state, &inputs).unwrap_err().to_string().contains("rod"));
    state.poses.clear();
    assert!(mechanism.consistent(&state, &inputs).unwrap_err().to_string().contains("poses"));
}

#[derive(Debug)]
struct Spring {
    exact: bool,
}

impl ForceFunction for Spring {
    fn value(&self, _time: f64, arguments: &[f64], value: &mut [f64]) -> Result<(), Refusal> {
        value[0] = -30.0 * arguments[0] - arguments[0].powi(3);
        Ok(())
    }

    fn partials(&self, _time: f64, arguments: &[f64], partials: &mut [f64]) -> Result<bool, Refusal> {
        partials[0] = -30.0 - 3.0 * arguments[0].powi(2);
        Ok(self.exact)
    }
}

#[derive(Debug)]
struct Turn;

impl MotionFunction for Turn {
    fn value(&self, time: f64) -> Result<[f64; 3], Refusal> {
        Ok([time.sin(), time.cos(), -time.sin()])
    }
}

fn angle_at(model: &Model, functions: &HostFunctions, time: f64) -> f64 {
    let mechanism = Arc::new(Mechanism::compile_with(model, functions).unwrap());
    let options = DynamicsOptions { end: time, ..DynamicsOptions::default() };
    let mut dynamics = Dynamics::new(&mechanism, &options).unwrap();
    while dynamics.step().unwrap() != fourbar_multibody::integrator::Stop::EndTime {}
    let mut angle = [0.0];
    dynamics.measures_at(time, &mut angle).unwrap();
    angle[0]
}

#[test]
fn functions_of_the_host_are_as_good_as_expressions() {
    let torque = AxialTorque {
        name: "spring".into(),
        i: "rod".into(),
        j: "ground".into(),
        value: Expression::parse("-30*angle - angle^3").unwrap(),
    };
    let model = Model { forces: vec![Force::AxialTorque(torque)], ..rod(0.0) };
    let mut functions = HostFunctions::default();
    let expected = angle_at(&model, &functions, 1.0);
    for exact in [true, false] {
        let force = HostForce { arguments: vec!["angle".into()], function: Arc::new(Spring { exact }) };
        functions.forces.insert("spring".into(), force);
        approx::assert_abs_diff_eq!(angle_at(&model, &functions, 1.0), expected, epsilon = 1e-9);
    }
    let model = driven("0");
    let mut functions = HostFunctions::default();
    functions.motions.insert("turn".into(), Arc::new(Turn));
    approx::assert_abs_diff_eq!(angle_at(&model, &functions, 1.0), 1.0_f64.sin(), epsilon = 1e-6);
}
