//! Checkpoints as bytes: another process, here another compilation of the same model, goes on as the one that saved, bit for bit;
//! what is damaged or of something else is refused.

use fourbar::Error;
use fourbar::file::ModelFile;
use fourbar::linalg::checkpoint::{CheckpointError, Fingerprint};
use fourbar::mechanism::ContactMethod;
use fourbar::run::Overrides;
use fourbar::simulation::{CompiledModel, Simulation};
use proptest::prelude::*;
use std::path::Path;
use std::sync::Arc;

fn simulation(name: &str, overrides: &Overrides) -> Simulation {
    let file = ModelFile::load(Path::new(env!("CARGO_MANIFEST_DIR")).join("models").join(name)).unwrap();
    let compiled = CompiledModel::new(file.document().mechanism().unwrap(), &Default::default()).unwrap();
    Simulation::new(&Arc::new(compiled), overrides).unwrap()
}

fn si1() -> Overrides {
    Overrides { formulation: Some("si1".into()), ..Overrides::default() }
}

fn bytes(simulation: &Simulation) -> Vec<u8> {
    simulation.checkpoint_to_bytes(&simulation.save()).unwrap()
}

/// What is seen of it, bit for bit.
fn seen(simulation: &mut Simulation) -> (Vec<u64>, usize, u64) {
    let mut values = vec![0.0; simulation.compiled().columns().len()];
    simulation.measures(&mut values).unwrap();
    let state = simulation.state().unwrap();
    for pose in &state.poses {
        values.extend_from_slice(pose.x.as_slice());
        values.extend_from_slice(pose.a.as_slice());
        values.extend_from_slice(pose.v.as_slice());
        values.extend_from_slice(pose.w.as_slice());
    }
    values.push(state.time);
    (values.iter().map(|value| value.to_bits()).collect(), simulation.events().len(), simulation.steps())
}

/// Saved a step behind `times[0]`, both go on to `times[1]`, the host's ends in between.
fn goes_on(name: &str, overrides: &Overrides, times: [f64; 2]) {
    let mut first = simulation(name, overrides);
    first.step_to(times[0]).unwrap();
    first.advance(times[1]).unwrap();
    let point = bytes(&first);
    let mut second = simulation(name, overrides);
    // It has been elsewhere before.
    second.step_to(0.3 * times[0]).unwrap();
    let saved = second.checkpoint_from_bytes(&point).unwrap();
    second.restore(&saved).unwrap();
    assert_eq!(bytes(&second), point, "{name}: the bytes of what was read are others");
    let from = first.time();
    for simulation in [&mut first, &mut second] {
        for k in 1..=7 {
            simulation.step_to(from + (times[1] - from) * f64::from(k) / 7.0).unwrap();
        }
    }
    assert_eq!(seen(&mut first), seen(&mut second), "{name}: the motion is another");
    assert_eq!(bytes(&first), bytes(&second), "{name}: the point is another");
}

#[test]
fn smooth_motions_go_on() {
    let gstiff = Overrides::default();
    let [rkf45, abam] =
        ["rkf45", "abam"].map(|name| Overrides { integrator: Some(name.into()), ..Overrides::default() });
    for (name, times) in [
        ("pendulum.toml", [0.7, 1.9]),
        ("double-pendulum.toml", [0.4, 1.1]),
        ("four-bar.toml", [0.31, 0.9]),
        ("slider-crank.toml", [0.2, 0.5]),
        ("andrews.toml", [0.011, 0.03]),
    ] {
        goes_on(name, &gstiff, times);
        goes_on(name, &si1(), times);
        // The others name a formulation.
        if name != "andrews.toml" && name != "slider-crank.toml" {
            goes_on(name, &rkf45, times);
            goes_on(name, &abam, times);
        }
    }
}

#[test]
fn contacts_followed_event_by_event_go_on() {
    let events = Overrides { contacts: Some(ContactMethod::Event), ..Overrides::default() };
    for (name, times) in [
        ("bouncing-ball.toml", [0.6, 2.0]),
        ("fourbar-impact.toml", [0.17, 0.3]),
        ("newtons-cradle.toml", [0.8, 2.1]),
        ("incline.toml", [0.1, 0.5]),
        ("rocking-block.toml", [0.3, 1.0]),
    ] {
        goes_on(name, &events, times);
    }
}

#[test]
fn contacts_in_fixed_steps_go_on() {
    for method in [ContactMethod::GapLcp, ContactMethod::MoreauJean, ContactMethod::Ggl] {
        let fixed = Overrides { contacts: Some(method), step: Some(2e-4), ..Overrides::default() };
        for (name, times) in [
            ("fourbar-impact.toml", [0.17, 0.2]),
            ("bouncing-ball.toml", [0.6, 0.9]),
            ("four-points.toml", [0.1, 0.15]),
        ] {
            goes_on(name, &fixed, times);
        }
    }
    // In global form, from the impulses of the step before.
    let piled = Overrides { contacts: Some(ContactMethod::GapLcp), step: Some(2e-3), ..Overrides::default() };
    goes_on("tower.toml", &piled, [0.1, 0.2]);
    goes_on("pile.toml", &piled, [0.3, 0.4]);
}

#[test]
fn inputs_go_on() {
    let text = r#"
        gravity = [0, 0, -9.81]
        [[input]]
        name = "push"
        unit = "N"
        [[body]]
        name = "sled"
        mass = 2
        inertia = [1, 1, 1]
        [[force]]
        name = "drive"
        type = "force"
        i = "sled"
        value = ["push", 0, "2*9.81"]
    "#;
    let make = || {
        let file = ModelFile::parse("sled.toml", text).unwrap();
        let compiled = CompiledModel::new(file.document().mechanism().unwrap(), &Default::default()).unwrap();
        Simulation::new(&Arc::new(compiled), &Overrides::default()).unwrap()
    };
    let (mut first, mut second) = (make(), make());
    first.step_to(0.5).unwrap();
    first.set_inputs(&[[3.0, 1.0, -0.5]]).unwrap();
    // The change is saved before a step has seen it.
    let saved = second.checkpoint_from_bytes(&bytes(&first)).unwrap();
    second.restore(&saved).unwrap();
    assert_eq!(second.inputs(), &[[3.0, 1.0, -0.5]]);
    for simulation in [&mut first, &mut second] {
        simulation.step_to(1.5).unwrap();
    }
    assert_eq!(seen(&mut first), seen(&mut second));
    // v = (3 s + s^2/2 - s^3/12)/m at s = 1.
    let v = first.state().unwrap().poses[0].v.x;
    assert!((v - (3.0 + 0.5 - 0.5 / 6.0) / 2.0).abs() < 1e-5, "{v}");
}

fn refused(simulation: &Simulation, bytes: &[u8]) -> CheckpointError {
    match simulation.checkpoint_from_bytes(bytes) {
        Err(Error::Checkpoint(error)) => error,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("accepted"),
    }
}

#[test]
fn points_of_something_else_are_refused() {
    let own = simulation("four-bar.toml", &Overrides::default());
    let point = bytes(&own);
    for (other, overrides) in [
        ("slider-crank.toml", Overrides::default()),
        ("four-bar.toml", Overrides { tolerance: Some(1e-9), ..Overrides::default() }),
        ("four-bar.toml", Overrides { integrator: Some("rkf45".into()), ..Overrides::default() }),
        // As many unknowns, which mean something else.
        ("four-bar.toml", si1()),
    ] {
        let error = refused(&simulation(other, &overrides), &point);
        assert_eq!(error, CheckpointError::Foreign { what: "a simulation" });
    }
    assert_eq!(refused(&own, b""), CheckpointError::NotACheckpoint);
    assert_eq!(refused(&own, b"[model]"), CheckpointError::NotACheckpoint);
    assert!(matches!(refused(&own, &point[..point.len() - 1]), CheckpointError::Length { .. }));
    let mut newer = point.clone();
    newer[8] += 1;
    assert!(matches!(refused(&own, &newer), CheckpointError::Version { .. }));
    // A point in memory is of its own compilation.
    let saved = simulation("four-bar.toml", &Overrides::default()).save();
    assert!(own.checkpoint_to_bytes(&saved).is_err());
}

#[test]
fn a_point_of_another_kind_is_named() {
    use fourbar::lti::{Method, StateSpace, Stepper};
    let matrix = |value| nalgebra::DMatrix::from_element(1, 1, value);
    let lag = StateSpace::with_state_outputs(matrix(-2.0), matrix(2.0)).unwrap();
    let mut stepper = Stepper::new(&lag, 0.25, Method::FIRST_ORDER_HOLD).unwrap();
    stepper.set_input(&[0.5]).unwrap();
    let point = stepper.state_to_bytes(&stepper.save()).unwrap();
    let error = refused(&simulation("pendulum.toml", &Overrides::default()), &point).to_string();
    assert_eq!(error, "the checkpoint is one of a stepper, not of a simulation");
    // Its own steppers take it; those of another system of the same dimensions do not.
    assert!(stepper.state_from_bytes(&point).is_ok());
    let other = StateSpace::with_state_outputs(matrix(-2.0), matrix(3.0)).unwrap();
    let other = Stepper::new(&other, 0.25, Method::FIRST_ORDER_HOLD).unwrap();
    assert!(other.state_from_bytes(&point).unwrap_err().to_string().contains("not of this one"));
}

/// A point of each way to go on, with its simulation.
fn each_way() -> Vec<(Simulation, Vec<u8>)> {
    let contacts = |method| Overrides { contacts: Some(method), ..Overrides::default() };
    let [rkf45, abam] =
        ["rkf45", "abam"].map(|name| Overrides { integrator: Some(name.into()), ..Overrides::default() });
    let global = Overrides { contacts: Some(ContactMethod::GapLcp), step: Some(2e-3), ..Overrides::default() };
    let ways = [
        ("four-bar.toml", Overrides::default(), 0.2),
        ("four-bar.toml", si1(), 0.2),
        ("double-pendulum.toml", rkf45, 0.2),
        ("double-pendulum.toml", abam, 0.2),
        ("fourbar-impact.toml", contacts(ContactMethod::Event), 0.17),
        ("incline.toml", contacts(ContactMethod::Event), 0.2),
        ("fourbar-impact.toml", contacts(ContactMethod::Ggl), 0.17),
        ("tower.toml", global, 0.1),
    ];
    let made = ways.into_iter().map(|(name, overrides, time)| {
        let mut simulation = simulation(name, &overrides);
        simulation.step_to(time).unwrap();
        let point = bytes(&simulation);
        (simulation, point)
    });
    made.collect()
}

thread_local! {
    static WAYS: std::cell::RefCell<Vec<(Simulation, Vec<u8>)>> = std::cell::RefCell::new(each_way());
}

/// The head: magic, format, version, kind, fingerprint and length.
const HEAD: usize = 52;

/// The checksum of the bytes before it, as somebody would write it who means it.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len() - 8;
    let sum = Fingerprint::default().bytes(&bytes[..end]).value();
    bytes[end..].copy_from_slice(&sum.to_le_bytes());
    bytes
}

proptest! {
    #[test]
    fn damage_is_refused(way in 0_usize..7, places in prop::collection::vec((any::<prop::sample::Index>(), 1_u8..), 1..5)) {
        WAYS.with_borrow(|ways| {
            let (simulation, point) = &ways[way];
            let mut damaged = point.clone();
            for (place, change) in places {
                damaged[place.index(point.len())] ^= change;
            }
            prop_assume!(damaged != *point);
            prop_assert!(simulation.checkpoint_from_bytes(&damaged).is_err());
            Ok(())
        })?;
    }

    #[test]
    fn parts_and_more_are_refused(way in 0_usize..7, length in any::<prop::sample::Index>(), more in 1_usize..40) {
        WAYS.with_borrow(|ways| {
            let (simulation, point) = &ways[way];
            prop_assert!(simulation.checkpoint_from_bytes(&point[..length.index(point.len())]).is_err());
            let longer = [&point[..], &vec![7; more][..]].concat();
            prop_assert!(simulation.checkpoint_from_bytes(&longer).is_err());
            Ok(())
        })?;
    }

    /// Where damage has a right checksum it may be numbers of another motion, but no call panics.
    #[test]
    fn sealed_damage_panics_nowhere(way in 0_usize..6, place in any::<prop::sample::Index>(), change in 1_u8.., wide in any::<bool>()) {
        WAYS.with_borrow_mut(|ways| {
            let (simulation, point) = &mut ways[way];
            let mut damaged = point.clone();
            let at = HEAD + place.index(point.len() - HEAD - 8);
            damaged[at] ^= change;
            if wide {
                let end = (at + 8).min(point.len() - 8);
                damaged[at..end].fill(change);
            }
            if let Ok(saved) = simulation.checkpoint_from_bytes(&sealed(damaged)) {
                simulation.restore(&saved).unwrap_or(());
                let end = simulation.time() + 1e-3;
                for _ in 0..3 {
                    let _ = simulation.advance(end);
                }
                let _ = simulation.state();
            }
            let own = simulation.checkpoint_from_bytes(point).unwrap();
            simulation.restore(&own).unwrap();
            prop_assert_eq!(&bytes(simulation), &*point);
            Ok(())
        })?;
    }
}
