//! Spatial loops that counting forbids to move, and a frame of three parallel pins, with contacts, on a base that swings by exactly 90 degrees: which
//! rows are kept must suit wherever they get to. References are closed forms of the chains, and runs of `Dynamics`.

#[allow(dead_code)] // shared with the tests of mechanisms
#[path = "../../multibody/tests/support/closed_chains.rs"]
mod closed_chains;

use closed_chains::ClosedChain;
use fourbar_contact::Error;
use fourbar_contact::event::{EventDriven, EventStepper, Reached};
use fourbar_contact::model::ContactModel;
use fourbar_contact::pair::ContactSet;
use fourbar_contact::stepping::{Backend, Scheme, TimeStepper, TimeStepping};
use fourbar_linalg::checkpoint::Source;
use fourbar_multibody::analysis::Kinematics;
use fourbar_multibody::integrator::{Rkf45, Stop};
use fourbar_multibody::mechanism::{Rows, System};
use fourbar_multibody::space::Pose;
use fourbar_multibody::{Dynamics, DynamicsOptions, Formulation, Mechanism, Model, State};
use nalgebra::{DMatrix, Rotation3, Vector3};
use serde_json::json;
use std::f64::consts::{FRAC_PI_2, PI};
use std::sync::Arc;

type V3 = Vector3<f64>;

const GRAVITY: V3 = V3::new(1.0, -9.81, 2.0);
/// Torque that presses the first hinge onto its stop \[N m\], above what gravity and the swing do.
const PRESS: f64 = 300.0;
const END: f64 = 1.25;

/// What happens at the first hinge.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Crank {
    Free,
    Driven,
    Pressed,
}

/// Chains, and ways of their cranks on which the kept rows of a start become dependent.
fn chains() -> Vec<(ClosedChain, f64)> {
    vec![
        (ClosedChain::triangle([0.6, 0.7, 0.5]), 0.0),
        (ClosedChain::bennett(0.5, [0.61, 1.4], 1.0), 2.0 * PI),
        (ClosedChain::bennett(0.3, [0.9, 1.2], 2.0), -2.0 * PI),
        (ClosedChain::bricard(0.3, 1.5), -2.6),
        (ClosedChain::sarrus(0.4, 0.3), 1.1),
    ]
}

/// A chain whose base a motion turns by 90 degrees about `axis` within a second, with a stop or a plane far away.
fn on_swinging_base((chain, way): &(ClosedChain, f64), axis: &V3, crank: Crank) -> (Arc<Mechanism>, ContactSet) {
    let list = |v: &V3| json!([v.x, v.y, v.z]);
    let (mut bodies, mut joints) = chain.on("base", &Rotation3::identity(), &V3::zeros());
    bodies.insert(0, json!({"name": "base", "mass": 3, "inertia": [0.05, 0.05, 0.08]}));
    let [i, j] = ["i", "j"].map(|side| joints[0][side].clone());
    let marker = |body: &str| json!({"body": body, "orientation": {"z_axis": list(axis)}, "frame": "global"});
    joints.push(json!({"name": "spin", "type": "revolute", "i": marker("base"), "j": marker("ground")}));
    let swing = format!("step5(time, 0, 0, 1, {FRAC_PI_2})");
    let mut motions = vec![json!({"name": "swing", "joint": "spin", "displacement": swing})];
    let mut forces = Vec::new();
    match crank {
        Crank::Driven if chain.moves => {
            let displacement = format!("step5(time, 0, 0, 1, {way})");
            motions.push(json!({"name": "crank", "joint": "h0", "displacement": displacement}));
        }
        Crank::Pressed => {
            forces.push(json!({"name": "press", "type": "axial_torque", "i": i, "j": j, "value": PRESS}));
        }
        _ => {}
    }
    let model = json!({"gravity": list(&GRAVITY), "body": bodies, "joint": joints, "motion": motions, "force": forces});
    let model: Model = serde_json::from_value(model).expect("a model");
    let mechanism = Arc::new(Mechanism::compile(&model).expect("a mechanism"));
    let contact = match crank {
        Crank::Pressed => json!({"name": "stop", "type": "joint_stop", "joint": "h0", "upper": 0.0}),
        _ => json!({"name": "far", "type": "sphere_plane", "i": "l1", "radius": 0.1,
            "j": {"body": "ground", "position": [0, 0, -100]}}),
    };
    let contacts: ContactModel = serde_json::from_value(json!({"contact": [contact]})).expect("contacts");
    let set = ContactSet::compile(&model, &contacts, &mechanism).expect("a set");
    (mechanism, set)
}

/// A run in either way.
enum Run {
    Steps(Box<TimeStepper<ContactSet>>),
    Events(Box<EventStepper<ContactSet>>),
}

impl Run {
    /// One step; false at the end.
    fn step(&mut self) -> Result<bool, Error> {
        match self {
            Self::Steps(run) => run.step().map(|record| record.time < END - 1e-9),
            Self::Events(run) => run.step().map(|reached| reached != Reached::EndTime),
        }
    }

    fn time(&mut self) -> f64 {
        self.state().time
    }

    fn state(&mut self) -> &State {
        match self {
            Self::Steps(run) => run.state(),
            Self::Events(run) => run.state(),
        }
    }

    /// Impulse of the one contact in the last step, or what its force gives in `h`.
    fn impulse(&mut self, h: f64) -> f64 {
        match self {
            Self::Steps(run) => run.record().impulse,
            Self::Events(run) => h * run.forces().expect("forces").first().map_or(0.0, |force| force[0]),
        }
    }
}

/// All ways to run, with steps of `h`.
fn runs(mechanism: &Arc<Mechanism>, set: &ContactSet, h: f64) -> Vec<(String, Result<Run, Error>)> {
    let steps = |scheme: Scheme, backend: Backend| {
        let options = TimeStepping { scheme, step: h, backend, ..TimeStepping::default() };
        let run = options.start(mechanism, set.clone(), mechanism.start());
        (format!("{scheme:?} {backend:?}"), run.map(|run| Run::Steps(Box::new(run))))
    };
    let events = EventDriven::default().start(mechanism, set.clone(), mechanism.start(), END);
    vec![
        steps(Scheme::GapLcp, Backend::Automatic),
        steps(Scheme::GapLcp, Backend::Global),
        steps(Scheme::Ggl, Backend::Automatic),
        steps(Scheme::MoreauJean { theta: 0.5 }, Backend::Automatic),
        ("event".to_owned(), events.map(|run| Run::Events(Box::new(run)))),
    ]
}

fn step5(time: f64) -> f64 {
    let x = time.clamp(0.0, 1.0);
    x * x * x * (10.0 - 15.0 * x + 6.0 * x * x)
}

/// How far the links are from where they belong, in metres.
fn off(chain: &ClosedChain, axis: &V3, state: &State, way: f64) -> f64 {
    let turn = Rotation3::from_scaled_axis(axis * (FRAC_PI_2 * step5(state.time)));
    let centers = chain.centers(chain.drawn + way);
    centers.iter().zip(&state.poses[1..]).map(|(center, pose)| (turn * center - pose.x).norm()).fold(0.0, f64::max)
}

/// What the first hinge has turned by since it was drawn, within half a turn.
fn turned(chain: &ClosedChain, state: &State) -> f64 {
    let relative =
        state.poses[0].a.transpose() * state.poses[1].a * Rotation3::from_scaled_axis(-V3::z() * chain.drawn);
    relative[(1, 0)].atan2(relative[(0, 0)])
}

/// Runs to the end; the loop must be closed at every step, and the crank where it belongs. What was wrong, else the force of the contact at the end.
fn follow((chain, way): &(ClosedChain, f64), axis: &V3, crank: Crank, run: &mut Run, h: f64) -> Result<f64, String> {
    // The mean of two: the trapezoidal rule of theta = 1/2 lets impulses alternate.
    let mut last = 0.0;
    loop {
        last = if run.time() > 0.0 { run.impulse(h) } else { last };
        let more = run.step().map_err(|e| e.to_string())?;
        let state = run.state();
        let right = if crank == Crank::Driven && chain.moves { way * step5(state.time) } else { 0.0 };
        let now = if chain.moves { turned(chain, state) } else { 0.0 };
        let far = off(chain, axis, state, now);
        if !(far < 1e-9) {
            return Err(format!("{far:e} m open at {}", state.time));
        }
        // At a stop gaps are as far off as a step accelerates bodies, by some 10 rad/s^2.
        let allowed = if crank == Crank::Pressed { 10.0 * h * h } else { 1e-9 };
        let ahead = (now - right).rem_euclid(2.0 * PI);
        if crank != Crank::Free && !(ahead.min(2.0 * PI - ahead) < allowed) {
            return Err(format!("{ahead:e} rad ahead at {}", state.time));
        }
        if !more {
            return Ok((last + run.impulse(h)) / (2.0 * h));
        }
    }
}

fn each(crank: Crank, h: f64, check: impl Fn(&ClosedChain, &V3, f64, &str) -> Result<(), String>) {
    let mut wrong = Vec::new();
    for driven in chains().iter().filter(|(chain, _)| chain.moves || crank == Crank::Driven) {
        let chain = &driven.0;
        for axis in [V3::x(), V3::y(), V3::z()] {
            let (mechanism, set) = on_swinging_base(driven, &axis, crank);
            for (name, run) in runs(&mechanism, &set, h) {
                let force =
                    run.map_err(|e| e.to_string()).and_then(|mut run| follow(driven, &axis, crank, &mut run, h));
                if let Err(problem) = force.and_then(|force| check(chain, &axis, force, &name)) {
                    wrong.push(format!("{} about {:?} by {name}: {problem}", chain.name, axis.as_slice()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn driven_loops_with_a_far_contact_stay_closed() {
    each(Crank::Driven, 5e-3, |_, _, _, _| Ok(()));
}

#[test]
fn loops_that_rest_on_a_stop_stay_closed() {
    each(Crank::Pressed, 5e-3, |chain, axis, force, name| {
        // Its impulses alternate, around a mean that approaches the force.
        let allowed = if name.contains("Moreau") { 1e-3 } else { 1e-6 };
        let turn = Rotation3::from_scaled_axis(axis * FRAC_PI_2);
        let right = PRESS - chain.torque(chain.drawn, 0.0, &(turn.inverse() * GRAVITY));
        if (force - right).abs() < allowed * PRESS {
            Ok(())
        } else {
            Err(format!("{force} N m on the stop, not {right}"))
        }
    });
}

/// Determinant of the gradients of the rows kept at the start, as many as velocities, where a driven crank is at `time`.
fn determinant(mechanism: &Arc<Mechanism>, kinematics: &mut Kinematics, time: f64) -> f64 {
    kinematics.go_to(time).expect("a position");
    let mut poses = kinematics.state().poses.clone();
    poses.push(Pose::ground());
    let mut system = System::new(mechanism, Rows::Independent);
    system.evaluate_phi(mechanism, &poses);
    let mut dense = DMatrix::zeros(system.phi.nrows(), system.phi.ncols());
    system.phi.triplet_iter().for_each(|(i, j, value)| dense[(i, j)] = *value);
    let size = dense.amax();
    (dense / size).lu().determinant()
}

/// Bennett's linkage that comes to rest exactly where the rows kept at the start depend on each other.
#[test]
fn loops_rest_where_rows_of_the_start_depend() {
    let (mut wrong, mut found) = (Vec::new(), 0);
    for axis in [V3::x(), V3::y(), V3::z()] {
        let whole = (ClosedChain::bennett(0.5, [0.61, 1.4], 1.0), 2.0 * PI);
        let (mechanism, _) = on_swinging_base(&whole, &axis, Crank::Driven);
        let mut kinematics = Kinematics::new(&mechanism).expect("a start");
        let mut sign = |time: f64| determinant(&mechanism, &mut kinematics, time).signum();
        let before = sign(0.1);
        let Some(mut high) = (1..80).map(|k| 0.1 + 0.01 * f64::from(k)).find(|&time| sign(time) != before) else {
            continue;
        };
        let mut low = high - 0.01;
        found += 1;
        for _ in 0..45 {
            let middle = 0.5 * (low + high);
            *(if sign(middle) == before { &mut low } else { &mut high }) = middle;
        }
        let there = (whole.0, 2.0 * PI * step5(low));
        let (mechanism, set) = on_swinging_base(&there, &axis, Crank::Driven);
        for (name, run) in runs(&mechanism, &set, 5e-3) {
            let done = run.map_err(|e| e.to_string());
            if let Err(problem) = done.and_then(|mut run| follow(&there, &axis, Crank::Driven, &mut run, 5e-3)) {
                wrong.push(format!("about {:?} by {name}: {problem}", axis.as_slice()));
            }
        }
    }
    assert!(found > 0 && wrong.is_empty(), "{found} found:\n{}", wrong.join("\n"));
}

/// Positions at the end of the smooth run.
fn smooth(mechanism: &Arc<Mechanism>) -> Vec<V3> {
    let method = Rkf45::with_tolerance(1e-10).into();
    let options = DynamicsOptions { formulation: Formulation::Si2, method, end: END, stop_times: vec![] };
    let mut dynamics = Dynamics::new(mechanism, &options).expect("a start");
    while dynamics.step().expect("a step") != Stop::EndTime {}
    dynamics.motion_at(END).expect("the end").poses.iter().map(|pose| pose.x).collect()
}

/// Loops that move by themselves: as without the contact, within the error of the method, which falls with the step.
#[test]
fn free_loops_with_a_far_contact_move_as_without() {
    let mut wrong = Vec::new();
    for (chain, axis) in [
        (ClosedChain::bennett(0.5, [0.61, 1.4], 1.0), V3::x()),
        (ClosedChain::bennett(0.4, [0.61, 1.1], 1.0), V3::y()),
        (ClosedChain::bennett(0.3, [0.9, 1.2], 2.0), V3::z()),
    ] {
        let free = (chain, 0.0);
        let (mechanism, set) = on_swinging_base(&free, &axis, Crank::Free);
        let chain = &free.0;
        let right = smooth(&mechanism);
        let errors = [2e-3, 1e-3].map(|h| {
            runs(&mechanism, &set, h)
                .into_iter()
                .map(|(name, run)| {
                    let ended = run.map_err(|e| e.to_string()).and_then(|mut run| {
                        follow(&free, &axis, Crank::Free, &mut run, h)?;
                        let ends = run.state().poses.iter().zip(&right);
                        Ok(ends.map(|(pose, x)| (pose.x - x).norm()).fold(0.0, f64::max))
                    });
                    (name, ended)
                })
                .collect::<Vec<_>>()
        });
        let [coarse, fine] = errors;
        for ((name, coarse), (_, fine)) in coarse.into_iter().zip(fine) {
            let name = format!("{} about {:?} by {name}", chain.name, axis.as_slice());
            match (coarse, fine) {
                (Ok(coarse), Ok(fine)) => {
                    println!("{name}: {coarse:e} {fine:e}");
                    let falls = if name.contains("event") { fine < 1e-5 } else { fine < 0.6 * coarse && fine < 0.02 };
                    if !falls {
                        wrong.push(format!("{name}: off by {coarse:e}, {fine:e}"));
                    }
                }
                (Err(problem), _) | (_, Err(problem)) => wrong.push(format!("{name}: {problem}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A stored run goes on as it would, with the rows that it kept then.
#[test]
fn a_stored_run_goes_on_with_the_rows_it_kept() {
    let (mechanism, set) =
        on_swinging_base(&(ClosedChain::bennett(0.5, [0.61, 1.4], 1.0), 2.0 * PI), &V3::x(), Crank::Driven);
    for ((name, begun), (_, other)) in runs(&mechanism, &set, 5e-3).into_iter().zip(runs(&mechanism, &set, 5e-3)) {
        let (mut run, other) = (begun.expect("a start"), other.expect("a start"));
        // Between two choices.
        while run.time() < 0.5 {
            run.step().expect("a step");
        }
        let mut bytes = Vec::new();
        let mut loaded = match (&run, other) {
            (Run::Steps(run), Run::Steps(other)) => {
                run.store(&mut bytes);
                Run::Steps(Box::new(other.loaded(&mut Source::new(&bytes)).expect("a run")))
            }
            (Run::Events(run), Run::Events(other)) => {
                run.store(&mut bytes);
                Run::Events(Box::new(other.loaded(&mut Source::new(&bytes)).expect("a run")))
            }
            _ => unreachable!("both run alike"),
        };
        loop {
            let more = run.step().expect("a step");
            assert_eq!(loaded.step().expect("a step"), more, "{name}");
            let (now, again) = (run.state().clone(), loaded.state());
            assert!(now.poses == again.poses, "{name} at {}", now.time);
            if !more {
                break;
            }
        }
    }
}
