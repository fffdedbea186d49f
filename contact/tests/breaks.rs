//! Nothing is stepped over beside contacts: forces, torques and motions that begin, end and jump anywhere in a fixed step, by all schemes, and
//! event-driven, against closed forms.

use fourbar_contact::Error;
use fourbar_contact::event::EventDriven;
use fourbar_contact::model::{Contact, ContactKind, ContactModel, Rope, SpherePlane};
use fourbar_contact::pair::ContactSet;
use fourbar_contact::stepping::{Scheme, TimeStepping};
use fourbar_multibody::expression::Expression;
use fourbar_multibody::space::Pose;
use fourbar_multibody::{Mechanism, Model};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;

const STEPS: usize = 20;

fn schemes() -> [Scheme; 4] {
    [Scheme::GapLcp, Scheme::MoreauJean { theta: 0.5 }, Scheme::MoreauJean { theta: 1.0 }, Scheme::Ggl]
}

/// A ball that lies on the floor z = 0 and is pushed along it, a body in space that is turned, others in space so that there are `many`.
fn pushed(force: &str, torque: &str, many: bool) -> Value {
    let body = |name: &str, at: [f64; 3]| json!({"name": name, "mass": 1, "inertia": [1, 1, 1], "position": at});
    let mut bodies = vec![body("ball", [0.0, 0.0, 0.1]), body("turned", [0.0, 5.0, 0.0])];
    if many {
        bodies.extend((0..4).map(|k| body(&format!("b{k}"), [0.0, 10.0 + f64::from(k), 0.0])));
    }
    json!({
        "gravity": [0, 0, -10],
        "body": bodies,
        "force": [{"name": "push", "type": "force", "i": "ball", "value": [force, 0, 0]},
            {"name": "turn", "type": "torque", "i": "turned", "value": [0, torque, 0]}],
    })
}

/// A guided body that a motion pulls, with a rod of 1 kg and 1 m hinged to it across.
fn pulled(law: &str, value: &str) -> Value {
    let along = json!({"z_axis": [1, 0, 0], "x_axis": [0, 1, 0]});
    let mut model = json!({
        "gravity": [0, 0, 0],
        "body": [{"name": "ball", "mass": 1, "inertia": [1, 1, 1], "position": [0, 0, 0.2]},
            {"name": "rod", "mass": 1, "inertia": [1.0 / 12.0, 1e-3, 1.0 / 12.0], "position": [0, 0.5, 0.2]}],
        "joint": [{"name": "guide", "type": "prismatic",
            "i": {"body": "ball", "orientation": along}, "j": {"body": "ground", "position": [0, 0, 0.2], "orientation": along}},
            {"name": "hinge", "type": "revolute", "i": {"body": "rod", "position": [0, -0.5, 0]}, "j": "ball"}],
        "motion": [{"name": "drive", "joint": "guide"}],
    });
    model["motion"][0][law] = json!(value);
    model
}

fn compile(model: &Value) -> (Arc<Mechanism>, ContactSet) {
    let model: Model = serde_json::from_value(model.clone()).expect("a model");
    let mechanism = Arc::new(Mechanism::compile(&model).expect("a mechanism"));
    let ball = SpherePlane { i: "ball".into(), radius: 0.1.into(), j: "ground".into(), offset: 0.0.into() };
    let contact = Contact::new("floor", ContactKind::SpherePlane(ball));
    let contacts = ContactModel { contacts: vec![contact], ..ContactModel::default() };
    let set = ContactSet::compile(&model, &contacts, &mechanism).expect("contacts");
    (mechanism, set)
}

fn stepped(model: &Value, scheme: Scheme, end: f64) -> Result<Vec<Pose>, Error> {
    let (mechanism, set) = compile(model);
    let options = TimeStepping { scheme, step: end / STEPS as f64, ..TimeStepping::default() };
    let mut run = options.start(&mechanism, set, mechanism.start())?;
    for _ in 0..STEPS {
        run.step()?;
    }
    Ok(run.state().poses.clone())
}

fn by_events(model: &Value, end: f64) -> Result<Vec<Pose>, Error> {
    let (mechanism, set) = compile(model);
    let mut run = EventDriven::default().start(&mechanism, set, mechanism.start(), end)?;
    run.run()?;
    Ok(run.state().poses.clone())
}

/// All of them: what was used, and the motion.
fn all(model: &Value, end: f64) -> Vec<(String, Result<Vec<Pose>, Error>)> {
    let mut runs: Vec<_> =
        schemes().into_iter().map(|scheme| (format!("{scheme:?}"), stepped(model, scheme, end))).collect();
    runs.push(("event".to_owned(), by_events(model, end)));
    runs
}

/// Shapes of unit height from a time on, and their integrals.
fn shape(kind: usize, begin: f64, width: f64) -> (String, f64) {
    let end = begin + width;
    let (up, down) = (begin + 0.3 * width, begin + 0.7 * width);
    match kind {
        0 => (format!("if(time > {begin:?} and time < {end:?}, 1, 0)"), width),
        1 => (format!("step(time,{begin:?},0,{up:?},1) - step(time,{down:?},0,{end:?},1)"), 0.7 * width),
        2 => (format!("step5(time,{begin:?},0,{up:?},1) - step5(time,{down:?},0,{end:?},1)"), 0.7 * width),
        3 => (format!("havsin(time,{begin:?},0,{up:?},1) - havsin(time,{down:?},0,{end:?},1)"), 0.7 * width),
        4 => {
            let sine = format!("sin(pi*(time - {begin:?})/{width:?})");
            (format!("if(time > {begin:?} and time < {end:?}, {sine}, 0)"), 2.0 * width / std::f64::consts::PI)
        }
        // A hat.
        _ => {
            let middle = begin + 0.5 * width;
            (format!("max(0, 1 - abs(time - {middle:?})/{:?})", 0.5 * width), 0.5 * width)
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 240, failure_persistence: None, ..ProptestConfig::default() })]

    /// Of any width, down to a millionth of a step, anywhere in a run of 1 ms to 1000 s.
    #[test]
    fn pulses_count_in_full(
        kind in 0..6_usize, place in 0.0..0.89f64, thin in -7.0..-1.0f64, many in any::<bool>(), run_of in -3.0..3.0f64,
    ) {
        let end = 10.0_f64.powf(run_of);
        let width = 10.0_f64.powf(thin) * end;
        let (text, area) = shape(kind, place * end, width);
        // A speed that the run can tell from that of gravity.
        let speed = 0.3 / end;
        let value = format!("{:?}*({text})", speed / area);
        for (name, poses) in all(&pushed(&value, &value, many), end) {
            let poses = poses.unwrap_or_else(|error| panic!("{name}: {error}\n{value}"));
            // Ends of pulses are times, known to their round-off.
            let allowed = (1e-6 + 16.0 * f64::EPSILON * end / width) * speed;
            prop_assert!((poses[0].v.x - speed).abs() < allowed, "{name} {value} {end}: {} {speed}", poses[0].v.x);
            prop_assert!((poses[1].w.y - speed).abs() < allowed, "{name} {value} {end}: {} {speed}", poses[1].w.y);
        }
    }

    /// A force that jumps at the end of a step has done nothing there; nor has a motion whose rate jumps.
    #[test]
    fn nothing_is_used_before_its_time(step in 1..STEPS, run_of in -3.0..3.0f64) {
        let end = 10.0_f64.powf(run_of);
        let jump = end / STEPS as f64 * step as f64;
        for scheme in schemes() {
            for model in [
                pushed(&format!("if(time < {jump:?}, 0, 1)"), "0", false),
                pulled("displacement", &format!("max(0, time - {jump:?})/{end:?}")),
                pulled("velocity", &format!("if(time < {jump:?}, 0, 1)/{end:?}")),
            ] {
                let (mechanism, set) = compile(&model);
                let options = TimeStepping { scheme, step: end / STEPS as f64, ..TimeStepping::default() };
                let mut run = options.start(&mechanism, set, mechanism.start()).unwrap();
                for _ in 0..step {
                    run.step().unwrap();
                }
                // Times add up with their round-off.
                let early = 1e-12 * end.max(1.0 / end);
                prop_assert!(run.state().poses[0].v.x.abs() < early, "{scheme:?} {model}: {}", run.state().poses[0].v.x);
                run.step().unwrap();
                prop_assert!(run.state().poses[0].v.x > 0.0, "{scheme:?} {model}");
            }
        }
    }

    /// The rod is struck at its end: J (1/m + l^2/(4 I)) = v, J = m v/4, its centre goes on with v/4.
    #[test]
    fn a_rate_that_jumps_is_an_impulse(place in 0.001..0.95f64, displacement in any::<bool>(), run_of in -3.0..3.0f64) {
        let end = 10.0_f64.powf(run_of);
        // Turned by 1e-7 at most: the closed form is that of the first instant.
        let (jump, speed) = (place * end, 1e-7 / end);
        let model = if displacement {
            pulled("displacement", &format!("{speed:?}*max(0, time - {jump:?})"))
        } else {
            pulled("velocity", &format!("if(time < {jump:?}, 0, {speed:?})"))
        };
        for (name, poses) in all(&model, end) {
            let poses = poses.unwrap_or_else(|error| panic!("{name}: {error}\n{model}"));
            prop_assert!((poses[0].v.x - speed).abs() < 1e-6 * speed, "{name} {model}: {}", poses[0].v.x);
            prop_assert!((poses[1].v.x - 0.25 * speed).abs() < 1e-6 * speed, "{name} {model}: {}", poses[1].v.x);
            prop_assert!((poses[1].w.z - 1.5 * speed).abs() < 1e-6 * speed, "{name} {model}: {}", poses[1].w.z);
            let way = speed * (end - jump);
            prop_assert!((poses[0].x.x - way).abs() < 1e-6 * way + 1e-9, "{name} {model}: {}", poses[0].x.x);
        }
    }
}

/// Anywhere in a step, and at its end.
#[test]
fn a_displacement_that_jumps_is_refused_by_name() {
    for jump in ["0.3", "0.4712"] {
        for (name, poses) in all(&pulled("displacement", &format!("if(time < {jump}, 0, 0.1)")), 1.0) {
            let error = poses.unwrap_err().to_string();
            assert!(error.contains("\"drive\"") && error.contains(&format!("t = {jump} s")), "{name}: {error}");
        }
    }
}

/// A body of 1 kg at a height with one contact, event by event until `end`.
fn held(contact: ContactKind, height: f64, restitution: f64, end: f64) -> Result<Pose, Error> {
    let model = json!({
        "gravity": [0, 0, -10],
        "body": [{"name": "ball", "mass": 1, "inertia": [1, 1, 1], "position": [0, 0, height]}],
    });
    let model: Model = serde_json::from_value(model).expect("a model");
    let mechanism = Arc::new(Mechanism::compile(&model).expect("a mechanism"));
    let contact = Contact { restitution: restitution.into(), ..Contact::new("held", contact) };
    let contacts = ContactModel { contacts: vec![contact], ..ContactModel::default() };
    let set = ContactSet::compile(&model, &contacts, &mechanism).expect("contacts");
    let mut run = EventDriven::default().start(&mechanism, set, mechanism.start(), end)?;
    run.run()?;
    Ok(run.state().poses[0])
}

fn floor(offset: &str) -> ContactKind {
    let offset = Expression::parse(offset).expect("an expression");
    ContactKind::SpherePlane(SpherePlane { i: "ball".into(), radius: 0.1.into(), j: "ground".into(), offset })
}

fn rope(length: &str) -> ContactKind {
    let length = Expression::parse(length).expect("an expression");
    ContactKind::Rope(Rope { i: "ball".into(), j: "ground".into(), length })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// Floors that drop, ropes that are paid out, both faster than what they carry falls, let go; floors that kick strike; ropes that are wound in
    /// and stop leave the body its speed.
    #[test]
    fn rates_of_offsets_and_lengths_that_jump_are_no_bonds(begin in 0.01..2.0f64, speed in 0.5..3.0f64, e in 0.0..1.0f64) {
        let fallen = |h: f64, v: f64, t: f64| [h + v * t - 5.0 * t * t, v - 10.0 * t];
        // Before the floor or rope, which moves evenly, is met again.
        let t = 0.19 * speed;
        let cases = [
            (floor(&format!("-{speed}*max(0, time - {begin})")), 0.1, t, fallen(0.1, 0.0, t)),
            (rope(&format!("1 + {speed}*max(0, time - {begin})")), -1.0, t, fallen(-1.0, 0.0, t)),
            (floor(&format!("{speed}*max(0, time - {begin})")), 0.1, 0.19 * e * speed, {
                // (1 + e) times the speed of the floor.
                fallen(0.1, (1.0 + e) * speed, 0.19 * e * speed)
            }),
        ];
        for (contact, height, later, [z, v]) in cases {
            let text = format!("{contact:?}");
            let pose = held(contact, height, e, begin + later).map_err(|error| TestCaseError::fail(error.to_string()))?;
            prop_assert!((pose.x.z - z).abs() < 1e-8 && (pose.v.z - v).abs() < 1e-8, "{text}: {} {} for {z} {v}", pose.x.z, pose.v.z);
        }
    }

    /// A rope is wound in and stops: what hangs on it goes on upwards.
    #[test]
    fn a_rope_that_stops_does_not_push(begin in 0.01..1.0f64, speed in 0.5..3.0f64) {
        let law = format!("2 - {speed}*(max(0, time - {begin}) - max(0, time - {begin} - 0.1))");
        let t = 0.19 * speed;
        let pose = held(rope(&law), -2.0, 0.0, begin + 0.1 + t).map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert!((pose.x.z - (-2.0 + 0.1 * speed + speed * t - 5.0 * t * t)).abs() < 1e-8, "{}", pose.x.z);
    }
}
