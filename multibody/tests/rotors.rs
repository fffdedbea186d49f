//! Bodies that spin about their axis of symmetry: steps follow the precession, and the orientation is kept over many turns.

use fourbar_multibody::integrator::{Gstiff, Stop};
use fourbar_multibody::model::{Body, Frame, Joint, JointKind, MarkerRef, Model, Orientation, Place, vector};
use fourbar_multibody::space::{M3, V3, rotation};
use fourbar_multibody::{Dynamics, DynamicsOptions, Formulation, Mechanism};
use proptest::prelude::*;
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

const FORMULATIONS: [Formulation; 3] = [Formulation::I3, Formulation::Si2, Formulation::Si1];

fn turned(p: &V3) -> Orientation {
    let angle = p.norm();
    if angle == 0.0 { Orientation::default() } else { Orientation::turn((p / angle).into(), angle) }
}

fn at(body: &str, position: V3, orientation: Orientation) -> MarkerRef {
    let place = Place { body: body.into(), position: vector(position.into()), orientation, frame: Frame::default() };
    MarkerRef::Inline(Box::new(place))
}

fn body(name: &str, inertia: &M3, p: &V3, position: V3) -> Body {
    let entries = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
    Body {
        name: name.into(),
        mass: 1.0.into(),
        inertia: entries.map(|place| inertia[place].into()).into(),
        center_of_mass: vector([0.0; 3]),
        position: vector(position.into()),
        orientation: turned(p),
        velocity: vector([0.0; 3]),
        angular_velocity: vector([0.0; 3]),
        exact: vec![],
        solids: Vec::new(),
    }
}

fn joint(name: &str, kind: JointKind, i: MarkerRef, j: MarkerRef) -> Joint {
    Joint { name: name.into(), kind, i, j, length: None, pitch: None, initial: Default::default() }
}

/// A rotor in two bearings on a base that turns by `turn` about a pivot: the rotor's axis stands across the pivot's, which is z turned
/// by `whole`. The axes of the rotor's body frame are turned by `own` from (axis, across, pivot).
#[derive(Debug, Clone, Copy)]
struct Rotor {
    whole: V3,
    own: V3,
    spin: f64,
    turn: f64,
    /// Moment about the axis over that across it.
    ratio: f64,
    /// Unit of time.
    time: f64,
}

impl Rotor {
    fn model(&self) -> Model {
        let (q, p) = (rotation(&self.whole), rotation(&self.own));
        let center = V3::new(0.3, 0.0, 0.1);
        let inertia = p.transpose() * M3::from_diagonal(&(V3::new(self.ratio, 1.0, 1.0) * 1e-3)) * p;
        let base = body("base", &(M3::identity() * 0.1), &self.whole, V3::zeros());
        let mut rotor = body("rotor", &inertia, &V3::zeros(), q * center);
        rotor.orientation = matrix(&(q * p));
        let base = Body { angular_velocity: vector((q * V3::z() * (self.turn / self.time)).into()), ..base };
        let omega = q * V3::new(self.spin, 0.0, self.turn) / self.time;
        rotor.angular_velocity = vector(omega.into());
        rotor.velocity = vector((q * V3::z().cross(&center) * (self.turn / self.time)).into());
        let bearing = |x: f64| at("rotor", p.tr_mul(&V3::new(x, 0.0, 0.0)), Orientation::default());
        let seat = |x: f64, o: Orientation| at("base", center + V3::new(x, 0.0, 0.0), o);
        let axis = Orientation::turn([0.0, 1.0, 0.0], FRAC_PI_2);
        let pivot = at("ground", V3::zeros(), turned(&self.whole));
        Model {
            gravity: vector([0.0; 3]),
            bodies: vec![base, rotor],
            joints: vec![
                joint("pivot", JointKind::Revolute, at("base", V3::zeros(), Orientation::default()), pivot),
                joint("fixed", JointKind::Spherical, bearing(-0.1), seat(-0.1, Orientation::default())),
                joint("loose", JointKind::Inline, bearing(0.1), seat(0.1, axis)),
            ],
            ..Model::default()
        }
    }

    /// Of the rotor after a time of 1: the base turns on steadily, the rotor in it.
    fn orientation(&self) -> M3 {
        let base = rotation(&(V3::z() * self.turn));
        rotation(&self.whole) * base * rotation(&(V3::x() * self.spin)) * rotation(&self.own)
    }
}

fn matrix(a: &M3) -> Orientation {
    let q = nalgebra::UnitQuaternion::from_matrix(a);
    q.axis_angle().map_or_else(Orientation::default, |(axis, angle)| turned(&(axis.into_inner() * angle)))
}

/// Orientation of the last body at `end`, and steps.
fn run(model: &Model, formulation: Formulation, tolerance: f64, end: f64) -> (M3, u64) {
    let mechanism = Arc::new(Mechanism::compile(model).expect("the model is sound"));
    let method = Gstiff::with_tolerance(tolerance).into();
    let options = DynamicsOptions { formulation, method, end, stop_times: vec![] };
    let mut dynamics = Dynamics::new(&mechanism, &options).expect("the start is sound");
    while dynamics.step().expect("no step fails") != Stop::EndTime {
        assert!(dynamics.statistics().steps < 20_000, "t = {}", dynamics.time());
    }
    let steps = dynamics.statistics().steps;
    (dynamics.state_at(end).expect("the end").poses.last().expect("a body").a, steps)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn a_rotor_keeps_its_orientation_in_any_axes_and_units(
        whole in prop::array::uniform3(-2.0..2.0_f64),
        own in prop::array::uniform3(-2.0..2.0_f64),
        power in 1.0..5.0_f64,
        backward in any::<bool>(),
        turn in -5.0..5.0_f64,
        ratio in prop_oneof![0.05..0.9_f64, 1.1..1.9_f64],
        time in -3.0..3.0_f64,
        way in 0..3_usize,
    ) {
        let spin = 10.0_f64.powf(power) * if backward { -1.0 } else { 1.0 };
        let rotor = Rotor { whole: whole.into(), own: own.into(), spin, turn, ratio, time: 10.0_f64.powf(time) };
        let (a, steps) = run(&rotor.model(), FORMULATIONS[way], 1e-8, rotor.time);
        // The base turns less than once: 400 steps at these tolerances, where a step for each radian of the spin would be up to 1e5.
        prop_assert!(steps < 1200, "{steps} steps");
        // Of the angle that the rotor has turned by, ten tolerances; of the rest a thousand, as i3 does (docs/theory/integrators.md).
        let error = (a - rotor.orientation()).norm();
        prop_assert!(error < 1e-8 * spin.abs() * 10.0 + 1e-5, "{error} after {spin} rad, {steps} steps");
    }
}

/// A top with its centre 0.5 above the fixed point, tilted about x, let go with `spin` about its axis.
fn top(tilt: f64, spin: f64) -> Model {
    let axis = V3::new(0.0, -tilt.sin(), tilt.cos());
    let moments = M3::from_diagonal(&V3::new(0.03, 0.03, 0.04));
    let mut top = body("top", &moments, &(V3::x() * tilt), axis * 0.5);
    top.angular_velocity = vector((axis * spin).into());
    let tip = at("top", V3::z() * -0.5, Orientation::default());
    let foot = at("ground", V3::zeros(), Orientation::default());
    let joints = vec![joint("tip", JointKind::Spherical, tip, foot)];
    Model { gravity: vector([0.0, 0.0, -9.81]), bodies: vec![top], joints, ..Model::default() }
}

/// The top nods 29 times a second: 0.28 kg m^2 across, 0.04 along. One step for each radian of the spin would be 1,294.
#[test]
fn steps_of_a_fast_top_follow_its_nodding() {
    for formulation in FORMULATIONS {
        let (_, steps) = run(&top(0.5, 1294.0), formulation, 1e-6, 0.2);
        assert!(steps < 29 / 5 * 150, "{formulation:?}: {steps} steps");
    }
}

/// Upright it sleeps: only round-off moves its axis.
#[test]
fn an_upright_top_takes_few_steps_whatever_its_spin() {
    for (formulation, spin) in FORMULATIONS.into_iter().flat_map(|f| [(f, 60.0), (f, -1294.0), (f, 1e5)]) {
        let (a, steps) = run(&top(0.0, spin), formulation, 1e-8, 1.0);
        assert!(steps < 100, "{formulation:?} at {spin} rad/s: {steps} steps");
        let error = (a - rotation(&(V3::z() * spin))).norm();
        assert!(error < 1e-8 * spin.abs(), "{formulation:?} at {spin} rad/s: {error}");
    }
}

/// Orientation of a free body at `end`, from the identity, by 20,000 steps of the method of Runge and Kutta: R' = (A J^-1 A^T H) x R with H constant.
fn tumbled(inertia: &M3, omega: &V3, end: f64) -> M3 {
    let (momentum, inverse) = (inertia * omega, inertia.try_inverse().expect("moments of inertia are positive"));
    let (n, mut a) = (20_000, M3::identity());
    let h = end / f64::from(n);
    let slope = |a: &M3| (a * (inverse * a.tr_mul(&momentum))).cross_matrix() * a;
    for _ in 0..n {
        let first = slope(&a);
        let second = slope(&(a + first * (0.5 * h)));
        let third = slope(&(a + second * (0.5 * h)));
        let fourth = slope(&(a + third * h));
        a += (first + (second + third) * 2.0 + fourth) * (h / 6.0);
    }
    a
}

fn free(inertia: &M3, omega: &V3) -> Model {
    let mut body = body("free", inertia, &V3::zeros(), V3::zeros());
    body.angular_velocity = vector((*omega).into());
    Model { gravity: vector([0.0; 3]), bodies: vec![body], ..Model::default() }
}

/// Almost about the axis of the middle moment: an error of the energy shifts the next flip by ten thousand times as much.
#[test]
fn a_body_that_flips_keeps_its_state() {
    let (inertia, omega) = (M3::from_diagonal(&V3::new(0.1, 0.2, 0.25)), V3::new(0.02, 3.0, 0.01));
    for formulation in FORMULATIONS {
        let (a, steps) = run(&free(&inertia, &omega), formulation, 1e-8, 20.0);
        let error = (a - tumbled(&inertia, &omega, 20.0)).norm();
        assert!(error < 1e-4 && steps < 2500, "{formulation:?}: {error} after {steps} steps");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn a_tumbling_body_keeps_its_state_in_any_axes_and_units(
        own in prop::array::uniform3(-2.0..2.0_f64),
        sides in prop::array::uniform3(0.3..1.0_f64),
        way in prop::array::uniform3(-1.0..1.0_f64),
        time in -3.0..3.0_f64,
        mass in -3.0..3.0_f64,
        formulation in 0..3_usize,
    ) {
        let (p, way, time) = (rotation(&own.into()), V3::from(way), 10.0_f64.powf(time));
        prop_assume!(way.norm() > 0.1);
        let squares = V3::from(sides).map(|side| side * side);
        let moments = V3::new(squares.y + squares.z, squares.z + squares.x, squares.x + squares.y) * 10.0_f64.powf(mass);
        let inertia = p * M3::from_diagonal(&moments) * p.transpose();
        let omega = way.normalize() * (20.0 / time);
        let (a, steps) = run(&free(&inertia, &omega), FORMULATIONS[formulation], 1e-8, time);
        let error = (a - tumbled(&inertia, &omega, time)).norm();
        prop_assert!(error < 1e-5 && steps < 1200, "{error} after {steps} steps");
    }
}
