//! Schemes, models and the fit of an order that the closed forms share.
#![allow(dead_code, reason = "events and time stepping use their parts")]

use fourbar_contact::model::*;
use fourbar_contact::pair::ContactSet;
use fourbar_contact::stepping::{Backend, Scheme, StepRecord, TimeStepper, TimeStepping};
use fourbar_multibody::expression::Expression;
use fourbar_multibody::model::{Body, Force, MarkerRef, Model, Orientation, Place, VectorForce, vector};
use fourbar_multibody::{Mechanism, State};
use std::sync::Arc;

use crate::support::body;

pub(crate) const G: f64 = 9.81;

/// Steps at which errors are measured \[s\].
pub(crate) const STEPS: [f64; 4] = [4e-3, 2e-3, 1e-3, 5e-4];

/// A scheme and how its contact problems are solved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Way {
    pub name: &'static str,
    pub scheme: Scheme,
    pub backend: Backend,
    /// Speed that counts as rest [m/s, rad/s]: what the solver of the contact problem leaves.
    pub rest: f64,
}

pub(crate) const WAYS: [Way; 4] = [
    Way { name: "gap_lcp", scheme: Scheme::GapLcp, backend: Backend::Reduced, rest: 1e-12 },
    Way { name: "gap_lcp, global", scheme: Scheme::GapLcp, backend: Backend::Global, rest: 2e-8 },
    Way { name: "moreau_jean", scheme: Scheme::MoreauJean { theta: 0.5 }, backend: Backend::Automatic, rest: 1e-12 },
    Way { name: "ggl", scheme: Scheme::Ggl, backend: Backend::Automatic, rest: 1e-12 },
];

/// A model with contacts.
#[derive(Debug, Clone)]
pub(crate) struct Scene {
    pub model: Model,
    pub contacts: ContactModel,
}

impl Scene {
    pub(crate) fn new(gravity: [f64; 3], bodies: Vec<Body>, contacts: Vec<Contact>) -> Self {
        let model = Model { gravity: vector(gravity), bodies, ..Model::default() };
        Self { model, contacts: ContactModel { contacts, ..ContactModel::default() } }
    }

    pub(crate) fn start(&self, way: Way, step: f64) -> TimeStepper<ContactSet> {
        let mechanism = Arc::new(Mechanism::compile(&self.model).unwrap());
        let set = ContactSet::compile(&self.model, &self.contacts, &mechanism).unwrap();
        let options = TimeStepping { scheme: way.scheme, backend: way.backend, step, ..TimeStepping::default() };
        options.start(&mechanism, set, mechanism.start()).unwrap()
    }

    /// Runs to `end` \[s\]; `each` sees every step.
    pub(crate) fn run(
        &self,
        way: Way,
        h: f64,
        end: f64,
        each: impl FnMut(&State, &StepRecord),
    ) -> TimeStepper<ContactSet> {
        let mut stepper = self.start(way, h);
        run(&mut stepper, end, each);
        stepper
    }

    /// Mean of |what a state shows - what it should| over the steps to `end`.
    pub(crate) fn mean_error(
        &self,
        way: Way,
        h: f64,
        end: f64,
        seen: impl Fn(&State) -> f64,
        expected: impl Fn(f64) -> f64,
    ) -> f64 {
        let (mut sum, mut steps) = (0.0, 0.0);
        self.run(way, h, end, |state, _| {
            sum += (seen(state) - expected(state.time)).abs();
            steps += 1.0;
        });
        sum / steps
    }
}

pub(crate) fn run(stepper: &mut TimeStepper<ContactSet>, end: f64, mut each: impl FnMut(&State, &StepRecord)) {
    while stepper.time() < end - 1e-9 {
        let record = *stepper.step().unwrap();
        each(stepper.state(), &record);
    }
}

/// Slope of the line through (log h, log error), least squares.
fn slope(errors: &[f64]) -> f64 {
    let n = errors.len() as f64;
    let points: Vec<_> = STEPS.iter().zip(errors).map(|(h, e)| (h.ln(), e.max(1e-300).ln())).collect();
    let (x, y) = points.iter().fold((0.0, 0.0), |(a, b), (x, y)| (a + x / n, b + y / n));
    let (xy, xx) = points.iter().fold((0.0, 0.0), |(a, b), (p, q)| (a + (p - x) * (q - y), b + (p - x) * (p - x)));
    xy / xx
}

fn listed(errors: &[f64]) -> String {
    errors.iter().map(|e| format!("{e:.1e} ")).collect()
}

fn measure(what: &str, way: Way, constant: f64, error: impl Fn(f64) -> f64) -> [f64; 4] {
    let errors = STEPS.map(error);
    let worst = errors.iter().zip(STEPS).map(|(e, h)| e / h).fold(0.0, f64::max);
    println!("{what} | {} | {} | {worst:.2} h | order {:.2}", way.name, listed(&errors), slope(&errors));
    for (error, h) in errors.iter().zip(STEPS) {
        assert!(*error <= constant * h, "{what}, {}, h = {h}: {error:e} above {constant} h", way.name);
    }
    errors
}

/// Errors are at most `constant` h at every step. For what is only seen to the nearest step, where a slope would be chance.
pub(crate) fn within(what: &str, way: Way, constant: f64, error: impl Fn(f64) -> f64) {
    measure(what, way, constant, error);
}

/// The same, and the line through their logarithms rises with 0.85 at least; or they are below h^2, where the slope is the chance of
/// where in the last step the motion ends; or there are none but round-off.
pub(crate) fn first_order(what: &str, way: Way, constant: f64, error: impl Fn(f64) -> f64) {
    let errors = measure(what, way, constant, error);
    let order = slope(&errors);
    assert!(
        order >= 0.85 || errors.iter().all(|e| *e <= 1e-8) || errors.iter().zip(STEPS).all(|(e, h)| *e <= h * h),
        "{what}, {}: {}, order {order}",
        way.name,
        listed(&errors)
    );
}

/// First order of what depends on where in a step an impact falls: the mean over eight steps from h down to h/2.
pub(crate) fn first_order_on_average(what: &str, way: Way, constant: f64, error: impl Fn(f64) -> f64) {
    first_order(what, way, constant, |h| (0..8).map(|k| error(h * 2.0_f64.powf(-f64::from(k) / 8.0)) / 8.0).sum());
}

/// y(end) of y' = slope(y), Runge and Kutta's method in 1000 steps.
pub(crate) fn rk4<const N: usize>(mut y: [f64; N], end: f64, slope: impl Fn([f64; N]) -> [f64; N]) -> [f64; N] {
    let h = end / 1000.0;
    let add = |y: [f64; N], k: [f64; N], f: f64| std::array::from_fn(|i| y[i] + f * k[i]);
    for _ in 0..1000 {
        let k1 = slope(y);
        let k2 = slope(add(y, k1, 0.5 * h));
        let k3 = slope(add(y, k2, 0.5 * h));
        let k4 = slope(add(y, k3, h));
        for (k, f) in [(k1, h / 6.0), (k2, h / 3.0), (k3, h / 3.0), (k4, h / 6.0)] {
            y = add(y, k, f);
        }
    }
    y
}

pub(crate) fn moving(mut body: Body, v: [f64; 3], w: [f64; 3]) -> Body {
    (body.velocity, body.angular_velocity) = (vector(v), vector(w));
    body
}

/// A marker on the ground whose z axis is the y axis turned by `angle` about z: a floor for bodies that move in x and y.
pub(crate) fn floor(angle: f64) -> MarkerRef {
    let (s, c) = angle.sin_cos();
    let orientation =
        Orientation { z_axis: Some(vector([-s, c, 0.0])), x_axis: Some(vector([c, s, 0.0])), ..Default::default() };
    Place { body: "ground".into(), position: vector([0.0; 3]), orientation, frame: Default::default() }.into()
}

pub(crate) fn place(body: &str, at: [f64; 3]) -> MarkerRef {
    let orientation = Orientation::default();
    Place { body: body.into(), position: vector(at), orientation, frame: Default::default() }.into()
}

/// Gravity in the frame of an incline that falls along x.
pub(crate) fn downhill(angle: f64) -> [f64; 3] {
    [G * angle.sin(), -G * angle.cos(), 0.0]
}

pub(crate) const DOWN: [f64; 3] = [0.0, -G, 0.0];

pub(crate) fn ball_on(name: &str, radius: f64, plane: MarkerRef) -> Contact {
    let kind = SpherePlane { i: name.into(), radius: radius.into(), j: plane, offset: 0.0.into() };
    Contact::new(name, ContactKind::SpherePlane(kind))
}

pub(crate) fn point_on(name: &str, body: &str, at: [f64; 3], plane: MarkerRef) -> Contact {
    Contact::new(name, ContactKind::PointPlane(PointPlane { i: place(body, at), j: plane, offset: 0.0.into() }))
}

/// The floor y = 0 below the block.
pub(crate) fn block_on(size: [f64; 3], mu: f64) -> Contact {
    let kind = BoxPlane { i: "block".into(), size: vector(size), j: floor(0.0), offset: 0.0.into() };
    Contact::new("block", ContactKind::BoxPlane(kind)).with_friction(mu)
}

/// A homogeneous block of 1 kg with these sides, its middle at `x`, turned by `angle` about z.
pub(crate) fn block(size: [f64; 3], x: [f64; 3], angle: f64) -> Body {
    let s = size.map(|l| l * l / 12.0);
    body("block", 1.0, [s[1] + s[2], s[2] + s[0], s[0] + s[1]], x, angle)
}

/// A block that stands on the floor, its friction mu.
pub(crate) fn standing(size: [f64; 3], v: [f64; 3], gravity: [f64; 3], mu: f64) -> Scene {
    let block = moving(block(size, [0.0, 0.5 * size[1], 0.0], 0.0), v, [0.0; 3]);
    Scene::new(gravity, vec![block], vec![block_on(size, mu)])
}

/// A force along x, over time, on the middle of the block.
pub(crate) fn push(scene: &mut Scene, x: &str) {
    let value = [x, "0", "0"].map(|source| Expression::parse(source).unwrap());
    let (i, name) = ("block".into(), "push".into());
    scene.model.forces.push(Force::Force(VectorForce { name, i, reaction: None, frame: None, value }));
}

pub(crate) fn reference() -> serde_json::Value {
    serde_json::from_str(include_str!("../reference/closed_form_values.json")).unwrap()
}

pub(crate) fn number(value: &serde_json::Value, key: &str) -> f64 {
    value[key].as_f64().unwrap()
}

/// The energy after each step at the time of its velocities: those of the gap scheme are half a step before its positions.
#[derive(Debug)]
pub(crate) struct Energy {
    late: f64,
    potential: f64,
}

impl Energy {
    /// From the record of the start; that energy, too \[J\].
    pub(crate) fn begin(way: Way, start: &StepRecord) -> (Self, f64) {
        let late = if way.scheme == Scheme::GapLcp { 0.5 } else { 0.0 };
        (Self { late, potential: start.potential }, start.kinetic + start.potential)
    }

    pub(crate) fn after(&mut self, step: &StepRecord) -> f64 {
        let before = std::mem::replace(&mut self.potential, step.potential);
        step.kinetic + step.potential + self.late * (before - step.potential)
    }
}
