//! Nothing is stepped over: forces and motions that begin, end and jump anywhere in a run, by all methods, against closed forms.

use fourbar_multibody::integrator::{Error as IntegratorError, Gstiff, Rkf45, Stop};
use fourbar_multibody::{Dynamics, DynamicsOptions, Error, Formulation, Mechanism, Method, Model};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;

const TOLERANCE: f64 = 1e-6;

/// The methods and formulations that test velocities for their error. In index 3 they are not tested: what a short pulse gives is as inaccurate as
/// the position tolerance over its width.
const TESTED: [&str; 2] = ["si2", "rkf45"];
/// All of them.
const ALL: [&str; 3] = ["si2", "rkf45", "i3"];

fn method(name: &str) -> (Method, Formulation) {
    match name {
        "i3" => (Gstiff::with_tolerance(TOLERANCE).into(), Formulation::I3),
        "si2" => (Gstiff::with_tolerance(TOLERANCE).into(), Formulation::Si2),
        _ => (Rkf45::with_tolerance(TOLERANCE).into(), Formulation::Si2),
    }
}

/// Measures at the end of a run whose steps are at most a thousandth of it, as those of runs with outputs.
fn run(model: &Value, name: &str, end: f64) -> Result<(Vec<f64>, u64), Error> {
    let model: Model = serde_json::from_value(model.clone()).expect("a model");
    let mechanism = Arc::new(Mechanism::compile(&model)?);
    let (mut method, formulation) = method(name);
    method.limit_step(1e-3 * end);
    let mut dynamics =
        Dynamics::new(&mechanism, &DynamicsOptions { formulation, method, end, stop_times: Vec::new() })?;
    while dynamics.step()? != Stop::EndTime {
        assert!(dynamics.statistics().steps < 200_000, "{name} does not get on");
    }
    let mut values = vec![0.0; mechanism.measures().len()];
    dynamics.measures_at(end, &mut values)?;
    Ok((values, dynamics.statistics().steps))
}

/// A body of 1 kg on a guide along x, pushed; measures x and v.
fn pushed(force: &str, velocity: f64) -> Value {
    let axes = json!({"z_axis": [1, 0, 0], "x_axis": [0, 1, 0]});
    json!({
        "body": [{"name": "b", "mass": 1, "inertia": [1, 1, 1], "velocity": [velocity, 0, 0]}],
        "joint": [{"name": "g", "type": "prismatic",
            "i": {"body": "b", "orientation": axes}, "j": {"body": "ground", "orientation": axes}}],
        "measure": [{"name": "x", "type": "position", "i": "b", "component": "x"},
            {"name": "v", "type": "velocity", "i": "b", "component": "x"}],
        "force": [{"name": "push", "type": "force", "i": "b", "value": [force, 0, 0]}],
    })
}

/// A body on a hinge that a motion drives; measures its angle and rate.
fn driven(law: &str, value: &str) -> Value {
    json!({
        "body": [{"name": "b", "mass": 1, "inertia": [1, 1, 1]}],
        "joint": [{"name": "j", "type": "revolute", "i": "b", "j": "ground"}],
        "motion": [{"name": "drive", "joint": "j", law: value}],
        "measure": [{"name": "a", "type": "angle", "i": "b"},
            {"name": "w", "type": "angular_velocity", "i": "b", "component": "z"}],
    })
}

#[test]
fn a_pulse_late_in_a_run_counts_in_full() {
    for name in ALL {
        let (values, steps) = run(&pushed("if(time > 50 and time < 51, 10, 0)", 0.0), name, 100.0).unwrap();
        assert!((values[1] - 10.0).abs() < 1e-9, "{name}: {values:?}");
        assert!(steps < 1200, "{name}: {steps} steps");
    }
}

#[test]
fn a_motion_late_in_a_run_is_carried_out() {
    let law = "step(time,50,0,50.2,3)-step(time,50.8,0,51,3)";
    for name in ALL {
        let (values, _) = run(&driven("velocity", law), name, 100.0).unwrap();
        assert!((values[0] - 2.4).abs() < 1e-5, "{name}: {values:?}");
    }
}

#[test]
fn a_rate_that_jumps_is_an_impulse() {
    for name in ALL {
        let (values, _) = run(&driven("velocity", "if(time < 3, 0, 2)"), name, 10.0).unwrap();
        assert!((values[0] - 14.0).abs() < 1e-6 && (values[1] - 2.0).abs() < 1e-6, "{name}: {values:?}");
        let (values, _) = run(&driven("displacement", "max(0, 2*(time - 3))"), name, 10.0).unwrap();
        assert!((values[0] - 14.0).abs() < 1e-6 && (values[1] - 2.0).abs() < 1e-6, "{name}: {values:?}");
    }
}

#[test]
fn a_displacement_that_jumps_is_refused_by_name() {
    for name in ALL {
        let error = run(&driven("displacement", "if(time < 3, 0, 0.1)"), name, 10.0).unwrap_err().to_string();
        assert!(error.contains("\"drive\"") && error.contains("t = 3 s") && error.contains("step5"), "{name}: {error}");
    }
}

/// 400 N over 5 cm of a way of 1 km, passed in 5 ms: v^2/2 grows by 20 m^2/s^2. The ends are met to the position tolerance, 0.4e-6 of a way of 500 m:
/// 400 N times that is 6.8e-3 m/s of 11.8 m/s.
#[test]
fn a_thin_bump_on_the_way_counts_in_full() {
    for name in ALL {
        let (values, steps) = run(&pushed("if(x<500,0,if(x<500.05,400,0))", 10.0), name, 100.0).unwrap();
        let allowed = if name == "i3" { 2e-2 } else { 6.8e-3 };
        assert!((values[1] - 140.0_f64.sqrt()).abs() < allowed, "{name}: {values:?}");
        assert!(steps < 1200, "{name}: {steps} steps");
    }
}

#[test]
fn dry_friction_at_rest_ends_with_a_word() {
    for name in ALL {
        let error = run(&pushed("-2*sign(v)", 5.0), name, 10.0).unwrap_err();
        let Error::Integrator(IntegratorError::Chattering { condition, time }) = &error else {
            panic!("{name}: {error}");
        };
        assert!(condition.contains("sign") && condition.contains("push"), "{condition}");
        assert!((time - 2.5).abs() < 1e-5, "{name}: {time}");
    }
}

/// Two thousand periods of a fast force: local errors of one sign would drift, and in index 3, which tests no velocities, low orders would be
/// rejected for ever. x = t F/(m omega), v = 0 at the ends of periods.
#[test]
fn a_force_that_alternates_fast_leaves_no_drift() {
    let mean = 1.0 / (2.0 * std::f64::consts::PI);
    for name in ALL {
        let (values, steps) = run(&pushed("1000*sin(2*pi*1000*time)", 0.0), name, 2.0).unwrap();
        assert!((values[0] - 2.0 * mean).abs() < 1e-3 * 2.0 * mean, "{name}: {values:?}");
        assert!(values[1].abs() < 1e-3 * 2.0 * mean, "{name}: {values:?}");
        assert!(steps < 2000 * 75, "{name}: {steps} steps");
    }
}

/// A relay about x = 0: an oscillation of parabolas, T = 4 sqrt(2 x0/a).
#[test]
fn a_relay_that_oscillates_goes_on() {
    let model = |force: &str| {
        let mut model = pushed(force, 0.0);
        model["body"][0]["position"] = json!([0.5, 0, 0]);
        model
    };
    for name in ALL {
        for force in ["-sign(x)", "if(x > 0, -1, 1)", "-2*floor(x/1e3) - 1"] {
            let (values, steps) = run(&model(force), name, 40.0).unwrap();
            assert!((values[0] - 0.5).abs() < 1e-3, "{name} {force}: {values:?}");
            assert!(steps < 4000, "{name} {force}: {steps} steps");
        }
    }
}

/// Shapes of unit height from a time on, and their integrals over their width.
fn shape(kind: usize, begin: f64, width: f64, t: &str) -> (String, f64) {
    let end = begin + width;
    let (up, down) = (begin + 0.3 * width, begin + 0.7 * width);
    match kind {
        0 => (format!("if({t} > {begin:?} and {t} < {end:?}, 1, 0)"), width),
        1 => (format!("step({t},{begin:?},0,{up:?},1) - step({t},{down:?},0,{end:?},1)"), 0.7 * width),
        2 => (format!("step5({t},{begin:?},0,{up:?},1) - step5({t},{down:?},0,{end:?},1)"), 0.7 * width),
        3 => (format!("havsin({t},{begin:?},0,{up:?},1) - havsin({t},{down:?},0,{end:?},1)"), 0.7 * width),
        // A hat.
        _ => {
            let middle = begin + 0.5 * width;
            (format!("max(0, 1 - abs({t} - {middle:?})/{:?})", 0.5 * width), 0.5 * width)
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() })]

    /// Of any size, width down to a millionth of the run, anywhere in it.
    #[test]
    fn pulses_count_in_full(
        kind in 0..5_usize, place in 0.01..0.98f64, thin in -6.0..-2.0f64, size in -2.0..2.0f64, run_of in -3.0..3.0f64,
    ) {
        let end = 10.0_f64.powf(run_of);
        let width = 10.0_f64.powf(thin) * end;
        let (text, area) = shape(kind, place * end, width, "time");
        // The speed it gives.
        let speed = 10.0_f64.powf(size);
        // A velocity is no better known than coordinates of the mechanism's length, 1 m, over a step: some twenty steps of a twentieth of the width.
        let round_off = 32.0 * f64::EPSILON;
        for name in TESTED {
            let force = format!("{:?}*({text})", speed / area);
            let (values, _) = run(&pushed(&force, 0.0), name, end).unwrap();
            prop_assert!((values[1] - speed).abs() < 1e-4 * speed + 400.0 * round_off / width, "{name} {force} {end}: {values:?}");
        }
    }

    /// Bumps on the way, narrower than a step. Their ends are met to the position tolerance, a part of the way so far: some such errors times the
    /// force are missing in the work.
    #[test]
    fn bumps_on_the_way_count_in_full(
        place in 0.01..0.9f64, thin in -5.0..-2.0f64, work in 0.01..2.0f64, velocity in 0.1..50.0f64,
    ) {
        let end = 10.0;
        let (way, width) = (place * velocity * end, 10.0_f64.powf(thin) * velocity * end);
        let gained = work * velocity * velocity;
        let force = format!("if(x > {way:?} and x < {:?}, {:?}, 0)", way + width, gained / width);
        let expected = (velocity * velocity + 2.0 * gained).sqrt();
        for name in TESTED {
            let (values, _) = run(&pushed(&force, velocity), name, end).unwrap();
            let met = 10.0 * TOLERANCE * way / width * gained / expected;
            prop_assert!((values[1] - expected).abs() < 1e-3 * expected + met, "{name} {force}: {values:?} {expected}");
        }
    }
}
