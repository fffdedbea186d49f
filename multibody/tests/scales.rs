//! Tolerances follow from the size and the motion of a mechanism: no unit of length, mass or time, and no place of the origin, changes what a run does;
//! small motions come out as accurately as large ones; and a start that assembly had to find is a start like any other.

use fourbar_multibody::expression::Expression;
use fourbar_multibody::integrator::{Abam, Gstiff, Rkf45, Statistics, Stop};
use fourbar_multibody::model::{
    Body, Component, Exact, Force, Frame, Joint, JointKind, MarkerRef, Measure, MeasureKind, Model, Orientation,
    PairMeasure, Place, VectorForce, VectorMeasure, vector, zero,
};
use fourbar_multibody::{Dynamics, DynamicsOptions, Formulation, Mechanism, Method};
use proptest::prelude::*;
use std::sync::Arc;

/// Units in which a model is written.
#[derive(Debug, Clone, Copy)]
struct Units {
    length: f64,
    mass: f64,
    time: f64,
}

const SI: Units = Units { length: 1.0, mass: 1.0, time: 1.0 };

impl Units {
    fn inertia(&self) -> f64 {
        self.mass * self.length * self.length
    }
    fn speed(&self) -> f64 {
        self.length / self.time
    }
    fn acceleration(&self) -> f64 {
        self.speed() / self.time
    }
}

fn scaled(v: [f64; 3], unit: f64) -> [Expression; 3] {
    vector(v.map(|x| x * unit))
}

/// A body of mass 1 and moments (0.2, 0.3, 0.4) with its centre at `position`.
fn body(name: &str, position: [f64; 3], units: Units) -> Body {
    Body {
        name: name.into(),
        mass: units.mass.into(),
        inertia: [0.2, 0.3, 0.4].iter().map(|i| (i * units.inertia()).into()).collect(),
        center_of_mass: zero(),
        position: scaled(position, units.length),
        orientation: Orientation::default(),
        velocity: zero(),
        angular_velocity: zero(),
        exact: vec![],
        solids: Vec::new(),
    }
}

fn at(body: &str, position: [f64; 3], units: Units) -> MarkerRef {
    let place = Place {
        body: body.into(),
        position: scaled(position, units.length),
        orientation: Orientation::default(),
        frame: Frame::default(),
    };
    MarkerRef::Inline(Box::new(place))
}

fn hinge(name: &str, i: (&str, [f64; 3]), j: (&str, [f64; 3]), units: Units) -> Joint {
    let kind = JointKind::Revolute;
    Joint {
        name: name.into(),
        kind,
        i: at(i.0, i.1, units),
        j: at(j.0, j.1, units),
        length: None,
        pitch: None,
        initial: Default::default(),
    }
}

fn where_is(body: &str, component: Component) -> Measure {
    let kind = MeasureKind::Position(VectorMeasure {
        i: body.into(),
        j: None,
        frame: None,
        component: Some(component),
        seen_from: None,
    });
    Measure { name: format!("{component:?}"), kind }
}

fn model(bodies: Vec<Body>, joints: Vec<Joint>, units: Units) -> Model {
    let watched = bodies[bodies.len() - 1].name.clone();
    Model {
        gravity: scaled([0.0, -9.81, 0.0], units.acceleration()),
        bodies,
        joints,
        measures: vec![where_is(&watched, Component::X), where_is(&watched, Component::Y)],
        ..Model::default()
    }
}

/// Released from the horizontal, its hinge at (`x`, 0).
fn pendulum(x: f64, units: Units) -> Model {
    let rod = body("rod", [x + 1.0, 0.0, 0.0], units);
    model(vec![rod], vec![hinge("pivot", ("rod", [-1.0, 0.0, 0.0]), ("ground", [x, 0.0, 0.0]), units)], units)
}

/// Crank 1, coupler 4, rocker 3, ground 4.
fn four_bar(units: Units) -> Model {
    let a = [0.0, 1.0];
    // The top of the rocker lies on the circles about (0, 1) and (4, 0).
    let (d, along) = ([4.0, -1.0], (16.0 - 9.0 + 17.0) / 34.0);
    let off = f64::sqrt(16.0 / 17.0 - along * along);
    let top = [a[0] + along * d[0] + off, a[1] + along * d[1] + 4.0 * off];
    let middle = |p: [f64; 2], q: [f64; 2]| [(p[0] + q[0]) / 2.0, (p[1] + q[1]) / 2.0, 0.0];
    let half = |p: [f64; 2], q: [f64; 2], sign: f64| [sign * (q[0] - p[0]) / 2.0, sign * (q[1] - p[1]) / 2.0, 0.0];
    let (o, c) = ([0.0, 0.0], [4.0, 0.0]);
    let bodies = [("crank", o, a), ("coupler", a, top), ("rocker", top, c)];
    let joints = vec![
        hinge("O", ("crank", half(o, a, -1.0)), ("ground", [0.0; 3]), units),
        hinge("A", ("coupler", half(a, top, -1.0)), ("crank", half(o, a, 1.0)), units),
        hinge("B", ("rocker", half(top, c, -1.0)), ("coupler", half(a, top, 1.0)), units),
        hinge("C", ("rocker", half(top, c, 1.0)), ("ground", [4.0, 0.0, 0.0]), units),
    ];
    model(bodies.into_iter().map(|(name, p, q)| body(name, middle(p, q), units)).collect(), joints, units)
}

/// On a spring along x, released at `amplitude` from (`x`, 0, 0), where the spring has no force; angular frequency 1.
fn oscillator(x: f64, amplitude: f64, units: Units) -> Model {
    let mut mass = body("mass", [x + amplitude, 0.0, 0.0], units);
    mass.exact = vec![Exact::X];
    let mut model = model(vec![mass], vec![], units);
    model.gravity = zero();
    let stiffness = units.mass / (units.time * units.time);
    let pull = format!("-{stiffness:e}*(X - {:e})", x * units.length);
    let value = [Expression::parse(&pull).expect("a formula"), 0.0.into(), 0.0.into()];
    let spring = VectorForce { name: "spring".into(), i: "mass".into(), reaction: None, frame: None, value };
    model.forces.push(Force::Force(spring));
    model
}

/// Thrown and spinning.
fn thrown(units: Units) -> Model {
    let mut ball = body("ball", [0.3, 0.1, 0.0], units);
    ball.velocity = scaled([3.0, 4.0, 1.0], units.speed());
    ball.angular_velocity = scaled([2.0, 0.5, 1.0], 1.0 / units.time);
    model(vec![ball], vec![], units)
}

/// Ways to integrate.
fn methods(tolerance: f64) -> [(Method, Formulation); 5] {
    let gstiff: Method = Gstiff::with_tolerance(tolerance).into();
    let rkf45 = Rkf45::with_tolerance(tolerance).into();
    let abam = (Abam::with_tolerance(tolerance).into(), Formulation::Si2);
    let gear = |formulation| (gstiff.clone(), formulation);
    [gear(Formulation::Si2), gear(Formulation::I3), (rkf45, Formulation::Si2), gear(Formulation::Si1), abam]
}

/// Runs to `end`; gives the measures there.
fn run(model: &Model, (method, formulation): (Method, Formulation), end: f64) -> (Vec<f64>, Statistics) {
    let mechanism = Arc::new(Mechanism::compile(model).expect("the model is sound"));
    let options = DynamicsOptions { formulation, method, end, stop_times: vec![] };
    let mut dynamics = Dynamics::new(&mechanism, &options).expect("the start is sound");
    while dynamics.step().expect("no step fails") != Stop::EndTime {
        assert!(dynamics.statistics().steps < 50_000, "t = {}", dynamics.time());
    }
    let mut values = vec![0.0; mechanism.measures().len()];
    dynamics.measures_at(end, &mut values).expect("measures");
    (values, *dynamics.statistics())
}

/// The same number of steps, as far as round-off that tips a decision may change it.
fn alike(one: u64, other: u64) -> bool {
    one.abs_diff(other) <= 5 + one.max(other) / 20
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn units_change_nothing(
        kind in 0..4_usize,
        way in 0..4_usize,
        powers in prop::array::uniform3(-9.0..9.0_f64),
    ) {
        let [length, mass, time] = powers.map(|power| 10.0_f64.powf(power));
        let units = Units { length, mass, time };
        let build = |units| match kind {
            0 => pendulum(0.0, units),
            1 => four_bar(units),
            2 => oscillator(0.0, 1.0, units),
            _ => thrown(units),
        };
        let (expected, steps) = run(&build(SI), methods(1e-6)[way].clone(), 2.0);
        let (values, scaled) = run(&build(units), methods(1e-6)[way].clone(), 2.0 * time);
        prop_assert!(alike(steps.steps, scaled.steps), "{} steps, not {}", scaled.steps, steps.steps);
        // Both are right to what a run is: its path may differ within that.
        let error = values.iter().zip(&expected).map(|(value, expected)| (value / length - expected).abs());
        let allowed = if way == 1 { 3e-3 } else { 3e-5 };
        let worst = error.fold(0.0, f64::max);
        prop_assert!(worst < allowed, "{worst:e}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// Where the origin is matters no more than the round-off of the coordinates.
    #[test]
    fn the_origin_changes_nothing(far in prop::sample::select(vec![1.0, 1e3, 1e6]), way in 0..4_usize, rod in any::<bool>()) {
        let build = |x: f64| if rod { pendulum(x, SI) } else { oscillator(x, 1.0, SI) };
        let (expected, _) = run(&build(0.0), methods(1e-6)[way].clone(), 6.0);
        let (values, _) = run(&build(far), methods(1e-6)[way].clone(), 6.0);
        let worst = (values[0] - far - expected[0]).abs().max((values[1] - expected[1]).abs());
        prop_assert!(worst < if way == 1 { 1e-2 } else { 1e-4 }, "{worst:e}");
    }

    /// Small vibrations keep their amplitude as large ones do, also far from the origin.
    #[test]
    fn small_motions_are_as_accurate_as_large_ones(power in -8.0..3.0_f64, far in 0.0..10.0_f64, way in prop::sample::select(vec![0_usize, 2, 3])) {
        let amplitude = 10.0_f64.powf(power);
        let x = far.min(amplitude * 1e6);
        let periods = 20.0 * std::f64::consts::TAU;
        let (values, _) = run(&oscillator(x, amplitude, SI), methods(1e-6)[way].clone(), periods);
        let error = ((values[0] - x) / amplitude - 1.0).abs();
        prop_assert!(error < 1e-3, "{error:e}");
    }
}

/// Two rods; the elbow's marker on the upper one lies `offset` away from its end, so that assembly moves the lower one.
fn double_pendulum(offset: [f64; 3]) -> Model {
    let rod = |name: &str, x: f64| Body {
        inertia: [1e-3, 1.0 / 12.0, 1.0 / 12.0].iter().map(|&i: &f64| i.into()).collect(),
        center_of_mass: vector([0.5, 0.0, 0.0]),
        ..body(name, [x, 0.0, 0.0], SI)
    };
    let joints = vec![
        hinge("pivot", ("upper", [0.0; 3]), ("ground", [0.0; 3]), SI),
        hinge("elbow", ("lower", [0.0; 3]), ("upper", [1.0 + offset[0], offset[1], offset[2]]), SI),
    ];
    let angle = MeasureKind::Angle(PairMeasure { i: "lower".into(), j: None });
    let measures = vec![Measure { name: "lower_angle".into(), kind: angle }];
    Model { measures, ..model(vec![rod("upper", 0.0), rod("lower", 1.0)], joints, SI) }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    /// Offsets out of the plane leave the motion of a planar mechanism as it is.
    #[test]
    fn assembly_out_of_the_plane_is_a_start_like_any_other(z in -5.0..5.0_f64, power in 5..10_i32) {
        let gstiff = Gstiff::with_tolerance(10.0_f64.powi(-power)).into();
        let (values, statistics) = run(&double_pendulum([0.0, 0.0, z]), (gstiff, Formulation::Si2), 5.0);
        let error = (values[0] + 0.326_41).abs();
        prop_assert!(error < 3e-5 + 300.0 * 10.0_f64.powi(-power), "{error:e}");
        let steps = [720, 1030, 1600, 2300, 3400][power as usize - 5];
        prop_assert!(statistics.steps < 2 * steps && statistics.orders[0] < 20, "{statistics:?}");
    }

    /// Any offset: as Fehlberg's method in other coordinates finds it.
    #[test]
    fn assembled_starts_run_as_in_other_coordinates(offset in prop::array::uniform3(-5.0..5.0_f64), power in 5..10_i32) {
        prop_assume!((1.0 + offset[0]).hypot(offset[1]) > 0.2);
        let gstiff = Gstiff::with_tolerance(10.0_f64.powi(-power)).into();
        let (values, statistics) = run(&double_pendulum(offset), (gstiff, Formulation::Si2), 2.0);
        let (expected, _) = run(&double_pendulum(offset), (Rkf45::with_tolerance(1e-11).into(), Formulation::Si2), 2.0);
        let error = (values[0] - expected[0]).abs();
        prop_assert!(error < 1e3 * 10.0_f64.powi(-power), "{error:e}");
        prop_assert!(statistics.steps < 5000 && statistics.orders[0] < 20, "{statistics:?}");
    }
}

/// Tolerances near round-off: the run begins, goes on, and is as accurate as that of another method.
#[test]
fn tight_tolerances_are_held() {
    for model in [pendulum(0.0, SI), four_bar(SI), double_pendulum([0.0, 0.0, 3.0])] {
        let (expected, _) = run(&model, (Rkf45::with_tolerance(1e-12).into(), Formulation::Si2), 2.0);
        for (power, formulation) in
            [10, 11, 12].into_iter().flat_map(|power| [(power, Formulation::Si2), (power, Formulation::Si1)])
        {
            let gstiff = Gstiff::with_tolerance(10.0_f64.powi(-power)).into();
            let (values, statistics) = run(&model, (gstiff, formulation), 2.0);
            let error = values.iter().zip(&expected).fold(0.0_f64, |max, (a, b)| max.max((a - b).abs()));
            assert!(error < 3e-8 && statistics.orders[0] < 20, "{formulation:?} 1e-{power}: {error:e}, {statistics:?}");
            let abam = Abam::with_tolerance(10.0_f64.powi(-power)).into();
            let (values, statistics) = run(&model, (abam, Formulation::Si2), 2.0);
            let error = values.iter().zip(&expected).fold(0.0_f64, |max, (a, b)| max.max((a - b).abs()));
            assert!(error < 3e-8 && statistics.orders[0] < 20, "abam, 1e-{power}: {error:e}, {statistics:?}");
        }
    }
}
