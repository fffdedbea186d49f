//! Parallelograms at their change points, where all links lie in line and the constraints lose rank: accelerations and reactions are right there,
//! or the run says that they are not.

#[allow(dead_code, reason = "other tests use the rest")]
use crate::support;

use fourbar_multibody::analysis::{Kinematics, Uncertain};
use fourbar_multibody::integrator::{Abam, Gstiff, Rkf45, Stop};
use fourbar_multibody::model::{Component, Measure, MeasureKind, Quantity, ReactionMeasure};
use fourbar_multibody::{Dynamics, DynamicsOptions, Error, Formulation, Mechanism, Method};
use proptest::prelude::*;
use std::f64::consts::PI;
use std::sync::Arc;
use support::chains::{self, DRAWINGS, Kind};
use support::linkages::{Follower, Linkage};

/// Errors of acceleration and force below this need no word.
const ALLOWED: f64 = 1e-2;

fn force_in(joint: &str, component: Component) -> Measure {
    let of = ReactionMeasure {
        joint: Some(joint.into()),
        motion: None,
        quantity: Quantity::Force,
        frame: None,
        component: Some(component),
        force: None,
        coupler: None,
        gear: None,
        rack_and_pinion: None,
        point_on_curve: None,
        curve_on_curve: None,
        constraint: None,
    };
    Measure { name: format!("force_{component:?}"), kind: MeasureKind::Reaction(of) }
}

/// A parallelogram with a crank of length 1 whose angle is start + 2 pi t + swing sin(3 t).
#[derive(Debug, Clone)]
struct Parallelogram {
    linkage: Linkage,
    swing: f64,
}

impl Parallelogram {
    fn any() -> impl Strategy<Value = Self> {
        let start = 0.3..PI - 0.3;
        (Linkage::any(), 0.3..4.0, start, [-20.0..20.0, -20.0..20.0_f64], -0.5..0.5, any::<[bool; 2]>()).prop_map(
            |(linkage, coupler, start, gravity, swing, [falls, swings])| {
                let swing = if swings { swing } else { 0.0 };
                let linkage = Linkage {
                    coupler,
                    follower: Follower::Rocker { length: 1.0, pivot: coupler },
                    start,
                    turn: Some(format!("2*pi*time + {swing}*sin(3*time)")),
                    spin: 2.0 * PI + 3.0 * swing,
                    gravity: if falls { gravity } else { [0.0; 2] },
                    ..linkage
                };
                Self { linkage, swing }
            },
        )
    }

    fn compile(&self) -> Arc<Mechanism> {
        let mut model = self.linkage.model();
        model.measures.extend([Component::X, Component::Y, Component::Z].map(|component| force_in("B", component)));
        Arc::new(Mechanism::compile(&model).unwrap())
    }

    /// Angle, rate and its change.
    fn turn(&self, t: f64) -> [f64; 3] {
        let (sin, cos) = (3.0 * t).sin_cos();
        [
            self.linkage.start + 2.0 * PI * t + self.swing * sin,
            2.0 * PI + 3.0 * self.swing * cos,
            -9.0 * self.swing * sin,
        ]
    }

    /// When it first comes to a change point, by bisection: the rate is positive.
    fn change_point(&self) -> f64 {
        let (mut from, mut to) = (0.0, 1.0);
        while from < 0.5 * (from + to) && 0.5 * (from + to) < to {
            let t = 0.5 * (from + to);
            if self.turn(t)[0] < PI { from = t } else { to = t }
        }
        to
    }

    /// Acceleration of joint B and the force in it on the follower, in the plane, in `unit`: from the balances of the coupler, which does not
    /// turn, and of the follower about its pivot. Bodies have mass 2, the follower at B, with the moment of inertia 0.35.
    fn acceleration_and_force(&self, t: f64) -> [[f64; 2]; 2] {
        let [angle, rate, change] = self.turn(t);
        let (sin, cos) = angle.sin_cos();
        let [gx, gy] = self.linkage.gravity;
        let a = [-change * sin - rate * rate * cos, change * cos - rate * rate * sin];
        let across = 2.35 * change - 2.0 * (gy * cos - gx * sin);
        let y = gy - a[1];
        [a, [(y * cos - across) / sin, y]]
    }

    /// Errors of the measures in the plane, relative to acceleration and force.
    fn errors(&self, t: f64, values: &[f64]) -> [f64; 2] {
        let truth = self.acceleration_and_force(t).map(|of| self.linkage.in_space(of));
        let least = self.linkage.unit * 4.0 * PI * PI;
        let error = |k: usize| {
            let off = nalgebra::Vector3::from_column_slice(&values[3 * k..3 * k + 3]) - truth[k];
            let off = off - self.linkage.normal * self.linkage.normal.dot(&off);
            off.norm() / (truth[k].norm() + least)
        };
        [error(0), error(1)]
    }

    /// Errors are small or told.
    fn check(&self, t: f64, values: &[f64], told: Option<&Uncertain>, name: &str) -> Result<(), TestCaseError> {
        let errors = self.errors(t, values);
        let right = errors.iter().all(|error| *error < ALLOWED);
        let from = t - self.change_point();
        prop_assert!(right || told.is_some(), "{name} {from:e} s from the change point: {errors:?} without a word");
        if let Some(told) = told {
            prop_assert!(from.abs() < 0.03, "{name} {from:e} s from the change point: {errors:?} but {told:?}");
            prop_assert_eq!((told.samples, told.time), (1, t));
            prop_assert!(told.constraints.iter().any(|name| name == "joint \"B\""), "{told:?}");
        }
        Ok(())
    }
}

/// Indices 2, 3 and 1, and independent coordinates, at this tolerance.
fn methods(tolerance: f64) -> [(Method, Formulation); 5] {
    let gear = Method::from(Gstiff::with_tolerance(tolerance));
    let [two, three, one] = [Formulation::Si2, Formulation::I3, Formulation::Si1].map(|form| (gear.clone(), form));
    let explicit = [Method::from(Rkf45::with_tolerance(tolerance)), Abam::with_tolerance(tolerance).into()];
    let [fehlberg, adams] = explicit.map(|method| (method, Formulation::Si2));
    [two, three, one, fehlberg, adams]
}

/// Measures at the end of a run that ends there.
fn run_to(mechanism: &Arc<Mechanism>, options: &DynamicsOptions) -> Result<(Dynamics, [f64; 6]), Error> {
    let mut dynamics = Dynamics::new(mechanism, options)?;
    while dynamics.step()? != Stop::EndTime {}
    let mut values = [0.0; 6];
    dynamics.measures_at(options.end, &mut values)?;
    Ok((dynamics, values))
}

fn aside() -> impl Strategy<Value = f64> {
    let power = prop_oneof![Just(f64::NEG_INFINITY), -16.0..-1.0];
    (power, any::<bool>()).prop_map(|(power, behind)| 10_f64.powf(power) * if behind { 1.0 } else { -1.0 })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn runs_that_end_at_a_change_point_are_right_or_say_so(
        parallelogram in Parallelogram::any(),
        aside in aside(),
        tolerance in -8.0..-4.0,
    ) {
        let mechanism = parallelogram.compile();
        let end = (parallelogram.change_point() + aside).max(1e-3);
        for (method, formulation) in methods(10_f64.powf(tolerance)) {
            let name = format!("{} {formulation:?}", method.name());
            let options = DynamicsOptions { formulation, method, end, stop_times: vec![] };
            match run_to(&mechanism, &options) {
                Ok((dynamics, values)) => parallelogram.check(end, &values, dynamics.uncertain(), &name)?,
                Err(error) => prop_assert!(aside > -1e-3, "{name} {aside:e}: {error}"),
            }
        }
    }

    #[test]
    fn kinematics_at_a_change_point_are_right_or_say_so(parallelogram in Parallelogram::any(), aside in aside()) {
        let mechanism = parallelogram.compile();
        let mut kinematics = Kinematics::new(&mechanism).unwrap();
        let end = (parallelogram.change_point() + aside).max(1e-3);
        let mut values = [0.0; 6];
        match kinematics.go_to(end).and_then(|()| kinematics.measures(&mut values)) {
            Ok(()) => parallelogram.check(end, &values, kinematics.uncertain(), "kinematics")?,
            Err(error) => prop_assert!(aside > -1e-3, "{aside:e}: {error}"),
        }
    }
}

/// A parallelogram that its crank turns 250 times passes 500 change points, and is a parallelogram at the end: crank and follower have turned alike. Beside
/// such a point steps fail by round-off: no shorter one is any better.
#[test]
fn five_hundred_half_turns_stay_on_their_branch() {
    let linkage = Linkage {
        coupler: 2.0,
        follower: Follower::Rocker { length: 1.0, pivot: 2.0 },
        turn: Some("0.5 + 2*pi*time".into()),
        ..Linkage::slider_crank(0.5)
    };
    let mechanism = Arc::new(Mechanism::compile(&linkage.model()).unwrap());
    for power in 4..=10 {
        let method = Method::from(Gstiff::with_tolerance(10_f64.powi(-power)));
        let options = DynamicsOptions { formulation: Formulation::Si2, method, end: 250.0, stop_times: vec![] };
        let mut dynamics = Dynamics::new(&mechanism, &options).unwrap();
        while dynamics.step().unwrap_or_else(|error| panic!("1e-{power}: {error}")) != Stop::EndTime {}
        let steps = dynamics.statistics().steps;
        let state = dynamics.state_at(250.0).unwrap();
        let turned = |b: usize| state.poses[b].a * mechanism.start().poses[b].a.transpose();
        let apart = (turned(0) - turned(2)).norm();
        assert!(apart < 1e-3, "1e-{power}: {apart:e} after {steps} steps");
    }
}

/// Where positions lose more digits than a tolerance leaves, the run goes through or the message says where it is.
#[test]
fn a_run_that_ends_beside_a_change_point_names_it() {
    let linkage = Linkage {
        coupler: 2.0,
        follower: Follower::Rocker { length: 1.0, pivot: 2.0 },
        turn: Some("0.5 + 2*pi*time".into()),
        ..Linkage::slider_crank(0.5)
    };
    let mechanism = Arc::new(Mechanism::compile(&linkage.model()).unwrap());
    for (tolerance, formulation) in [(1e-10, Formulation::Si2), (1e-10, Formulation::Si1), (1e-12, Formulation::Si2)] {
        let method = Method::from(Gstiff::with_tolerance(tolerance));
        let options = DynamicsOptions { formulation, method, end: 20.0, stop_times: vec![] };
        let mut dynamics = Dynamics::new(&mechanism, &options).unwrap();
        let error = loop {
            match dynamics.step() {
                Ok(Stop::EndTime) => break None,
                Ok(_) => {}
                Err(error) => break Some(error),
            }
        };
        if let Some(error) = error {
            let Error::SingularPosition { constraints, time, .. } = &error else { panic!("{tolerance:e}: {error}") };
            // Half turns end (pi - 0.5)/(2 pi) s behind each half second.
            let away = (2.0 * (time - (PI - 0.5) / (2.0 * PI))).fract();
            assert!(away.min(1.0 - away).abs() < 0.02, "{error}");
            assert!(constraints.iter().any(|name| name == "joint \"B\""), "{error}");
        }
    }
}

/// The rows of a chain are independent at every position, however many magnify what the last body misses.
#[test]
fn chains_are_never_at_singular_positions() {
    for (drawing, bodies) in DRAWINGS.into_iter().flat_map(|drawing| [10, 100].map(|bodies| (drawing, bodies))) {
        let mut model = chains::model(Kind::Chain, drawing, bodies);
        model.measures = vec![force_in("hinge0", Component::X)];
        let mechanism = Arc::new(Mechanism::compile(&model).unwrap());
        for tolerance in [1e-3, 1e-6] {
            for (method, formulation) in &methods(tolerance)[..3] {
                let options =
                    DynamicsOptions { formulation: *formulation, method: method.clone(), end: 0.5, stop_times: vec![] };
                let mut dynamics = Dynamics::new(&mechanism, &options).unwrap();
                while dynamics.step().unwrap() != Stop::EndTime {
                    dynamics.measures_at(dynamics.time(), &mut [0.0]).unwrap();
                }
                assert_eq!(dynamics.uncertain(), None, "{drawing:?} {bodies} {formulation:?} {tolerance:e}");
            }
        }
    }
}
