//! Closed chains on a base that turns, and overconstrained ones that turn themselves: which rows are kept must suit wherever they get to.
//!
//! References are closed forms of the chains and the rates of their energy. `FOURBAR_CHAINS` multiplies the number of random ones.

use crate::support::closed_chains::ClosedChain;
use crate::support::runs::compile;
use fourbar_linalg::checkpoint::Source;
use fourbar_multibody::analysis::{DynamicsSnapshot, Equilibrium, Kinematics};
use fourbar_multibody::integrator::{
    Abam, ConstantBdf, Dstiff, Gstiff, Hht, Rkf45, StepLimits, Stop, Tolerance, Wstiff,
};
use fourbar_multibody::{Dynamics, DynamicsOptions, Formulation, Inputs, Mechanism, Method};
use nalgebra::{Rotation3, Vector3};
use serde_json::json;
use std::f64::consts::{FRAC_PI_2, PI};
use std::sync::Arc;

type V3 = Vector3<f64>;

const GRAVITY: V3 = V3::new(1.0, -9.81, 2.0);

/// Mass of the base and its centre, which no axis goes through.
const BASE: f64 = 3.0;
const CENTER: V3 = V3::new(0.1, -0.15, 0.12);

/// Numbers that favour nothing, from 0 to 1.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    fn direction(&mut self) -> V3 {
        let v = V3::new(self.between(-1.0, 1.0), self.between(-1.0, 1.0), self.between(-1.0, 1.0));
        v.normalize()
    }

    fn chain(&mut self, kind: usize) -> ClosedChain {
        match kind % 5 {
            0 => ClosedChain::triangle([self.between(0.5, 0.8), self.between(0.5, 0.8), self.between(0.5, 0.8)]),
            1 => ClosedChain::four_bar(
                [self.between(0.1, 0.2), self.between(0.5, 0.7), self.between(0.4, 0.6), self.between(0.5, 0.6)],
                self.between(-PI, PI),
            ),
            2 => {
                let twist = self.between(0.4, 0.9);
                ClosedChain::bennett(
                    self.between(0.2, 0.5),
                    [twist, twist + self.between(0.3, 0.6)],
                    self.between(0.3, 2.8),
                )
            }
            3 => ClosedChain::bricard(self.between(0.2, 0.4), self.between(0.4, 1.4)),
            // Its arms are not straight on the way: that is a singular position.
            _ => ClosedChain::sarrus(self.between(0.2, 0.5), self.between(0.4, 1.0)),
        }
    }
}

fn more() -> usize {
    std::env::var("FOURBAR_CHAINS").ok().and_then(|count| count.parse().ok()).unwrap_or(1)
}

fn list(v: &V3) -> serde_json::Value {
    json!([v.x, v.y, v.z])
}

/// All integrators, at a tolerance.
fn methods(tolerance: f64) -> Vec<(Method, Formulation)> {
    let gstiff = |formulation| (Gstiff::with_tolerance(tolerance).into(), formulation);
    let step = StepLimits { largest: 5e-3, ..StepLimits::default() };
    vec![
        gstiff(Formulation::Si2),
        gstiff(Formulation::I3),
        gstiff(Formulation::Si1),
        (Wstiff::with_tolerance(tolerance).into(), Formulation::Si2),
        (Dstiff::with_tolerance(tolerance).into(), Formulation::Si2),
        (
            ConstantBdf { tolerance: Tolerance::uniform(tolerance), ..ConstantBdf::new(1e-3, 3) }.into(),
            Formulation::Si2,
        ),
        (Method::Hht(Hht { step, ..Hht::with_tolerance(tolerance) }), Formulation::I3),
        (Rkf45::with_tolerance(tolerance).into(), Formulation::Si2),
        (Abam::with_tolerance(tolerance).into(), Formulation::Si2),
    ]
}

/// A chain on a base that a motion turns about `axis` by `angle` within a second, its own first hinge by `way` in the same time; both rest then.
fn on_swinging_base(chain: &ClosedChain, axis: &V3, angle: f64, way: f64) -> Arc<Mechanism> {
    let (mut bodies, mut joints) = chain.on("base", &Rotation3::identity(), &V3::zeros());
    bodies.insert(
        0,
        json!({"name": "base", "mass": BASE, "center_of_mass": list(&CENTER), "inertia": [0.05, 0.05, 0.08]}),
    );
    let marker = |body: &str| json!({"body": body, "orientation": {"z_axis": list(axis)}, "frame": "global"});
    joints.push(json!({"name": "spin", "type": "revolute", "i": marker("base"), "j": marker("ground")}));
    let mut motions =
        vec![json!({"name": "swing", "joint": "spin", "displacement": format!("step5(time, 0, 0, 1, {angle})")})];
    let mut measures = vec![json!({"name": "M", "type": "reaction", "motion": "swing", "quantity": "torque"})];
    if chain.moves {
        let displacement = format!("step5(time, 0, 0, 1, {way})");
        motions.push(json!({"name": "crank", "joint": "h0", "displacement": displacement}));
        measures.push(json!({"name": "C", "type": "reaction", "motion": "crank", "quantity": "torque"}));
    }
    compile(
        &json!({"gravity": list(&GRAVITY), "body": bodies, "joint": joints, "motion": motions, "measure": measures}),
    )
}

/// Torques of base and crank where both rest, and their size.
fn at_rest(chain: &ClosedChain, axis: &V3, angle: f64, way: f64) -> ([f64; 2], f64) {
    let turn = Rotation3::from_scaled_axis(axis * angle);
    let (mass, center) = chain.whole(chain.drawn + way);
    let swing = -axis.dot(&(turn * (center * mass + CENTER * BASE)).cross(&GRAVITY));
    let crank = if chain.moves { chain.torque(chain.drawn + way, 0.0, &(turn.inverse() * GRAVITY)) } else { 0.0 };
    ([swing, crank], mass * GRAVITY.norm() * center.norm())
}

/// The torque of the base about `axis` and that of the crank about its hinge, of their three measures each, where the base has turned by `turn`.
fn torques(values: &[f64], axis: &V3, turn: &Rotation3<f64>) -> Vec<f64> {
    let about = [*axis, turn * V3::z()];
    values.chunks_exact(3).zip(about).map(|(value, about)| V3::from_column_slice(value).dot(&about)).collect()
}

/// Largest error of where the links are, given the angle of the base and that of the crank beyond the drawn one.
fn off(
    chain: &ClosedChain,
    mechanism: &Mechanism,
    poses: &[fourbar_multibody::space::Pose],
    turn: &Rotation3<f64>,
    way: f64,
) -> f64 {
    let centers = chain.centers(chain.drawn + way);
    let pairs = centers.iter().zip(&poses[1..]);
    pairs.map(|(center, pose)| (turn * center - pose.x).norm()).fold(0.0, f64::max) / mechanism.length()
}

fn run_rests(
    chain: &ClosedChain,
    axis: &V3,
    (method, formulation): (Method, Formulation),
    angle: f64,
    way: f64,
) -> Result<u64, String> {
    let mechanism = on_swinging_base(chain, axis, angle, way);
    let options = DynamicsOptions { formulation, method, end: 1.5, stop_times: vec![0.5, 1.0] };
    let told =
        |what: String| format!("{} about {axis:?} by {} {formulation:?}: {what}", chain.name, options.method.name());
    let mut dynamics = Dynamics::new(&mechanism, &options).map_err(|e| told(e.to_string()))?;
    loop {
        let stop = dynamics.step();
        let stop = stop.map_err(|e| told(format!("{e} ({} choices)", dynamics.statistics().row_choices)))?;
        if dynamics.statistics().steps > 20_000 {
            return Err(told(format!("20,000 steps to {}", dynamics.time())));
        }
        if stop == Stop::EndTime {
            break;
        }
    }
    let mut values = vec![0.0; mechanism.measures().len()];
    dynamics.measures_at(1.5, &mut values).map_err(|e| told(e.to_string()))?;
    let turn = Rotation3::from_scaled_axis(axis * angle);
    let far = off(chain, &mechanism, &dynamics.motion_at(1.5).map_err(|e| e.to_string())?.poses, &turn, way);
    if !(far < 1e-5) {
        return Err(told(format!("{far:e} lengths off")));
    }
    let (right, size) = at_rest(chain, axis, angle, way);
    for (value, torque) in torques(&values, axis, &turn).iter().zip(right) {
        if !((value - torque).abs() < 1e-3 * size) {
            return Err(told(format!("{value} N m where {torque} are right, of {size}")));
        }
    }
    if let Some(uncertain) = dynamics.uncertain() {
        return Err(told(uncertain.to_string()));
    }
    Ok(dynamics.statistics().row_choices)
}

/// Random chains of each kind on a base that swings to exactly 90 degrees and rests there, by every integrator in turn.
#[test]
fn chains_on_a_base_that_swings_by_a_right_angle_rest_there() {
    let mut numbers = Numbers(7);
    let (mut wrong, mut choices) = (Vec::new(), 0);
    let all = methods(1e-6);
    let count = 18 * more();
    for k in 0..count {
        let chain = numbers.chain(k);
        let axis = match k % 7 {
            0 | 5 => V3::x(),
            1 | 4 => V3::y(),
            2 => V3::z(),
            3 => -V3::y(),
            _ => numbers.direction(),
        };
        let way = if chain.name == "four-bar" { numbers.between(1.0, 4.0) } else { numbers.between(-0.3, 0.5) };
        match run_rests(&chain, &axis, all[(k / 2) % all.len()].clone(), FRAC_PI_2, way) {
            Ok(chosen) => choices += chosen,
            Err(problem) => wrong.push(problem),
        }
    }
    println!("{choices} choices in {count} runs");
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}

/// The same positions and torques from kinematics, at 90 degrees and on the way.
#[test]
fn kinematics_of_chains_on_a_base_are_right_at_right_angles() {
    let mut numbers = Numbers(11);
    for k in 0..10 * more() {
        let chain = numbers.chain(k);
        let (axis, way) = ([V3::x(), V3::y(), V3::z()][k % 3], 0.4);
        let mechanism = on_swinging_base(&chain, &axis, FRAC_PI_2, way);
        let mut kinematics = Kinematics::new(&mechanism).expect("a start");
        kinematics.go_to(1.25).unwrap_or_else(|e| panic!("{}: {e}", chain.name));
        let turn = Rotation3::from_scaled_axis(axis * FRAC_PI_2);
        let far = off(&chain, &mechanism, &kinematics.state().poses, &turn, way);
        assert!(far < 1e-8, "{}: {far:e}", chain.name);
        let mut values = vec![0.0; mechanism.measures().len()];
        kinematics.measures(&mut values).expect("measures");
        let (right, size) = at_rest(&chain, &axis, FRAC_PI_2, way);
        for (value, torque) in torques(&values, &axis, &turn).iter().zip(right) {
            assert!((value - torque).abs() < 1e-6 * size, "{}: {value} {torque}", chain.name);
        }
        assert_eq!(kinematics.uncertain(), None, "{}", chain.name);
    }
}

/// Chains that turn by themselves, far enough for the kept rows of a start to become dependent: positions, and the torque that turns them evenly.
#[test]
fn overconstrained_chains_turn_with_the_torque_that_their_energy_needs() {
    let chains = [
        (ClosedChain::bennett(0.5, [0.61, 1.4], 1.0), 2.0 * PI),
        (ClosedChain::bennett(0.3, [0.9, 1.2], 2.0), -2.0 * PI),
        (ClosedChain::bricard(0.3, 0.5), 0.9),
        (ClosedChain::bricard(0.3, 1.5), -2.6),
        (ClosedChain::sarrus(0.4, 0.3), 1.1),
        (ClosedChain::four_bar([0.15, 0.6, 0.5, 0.55], 0.3), 2.0 * PI),
    ];
    let mut wrong = Vec::new();
    for (chain, rate) in &chains {
        let drawn = Rotation3::from_scaled_axis(V3::new(0.3, -0.2, 0.5));
        let (bodies, joints) = chain.on("ground", &drawn, &V3::zeros());
        let gravity = drawn * GRAVITY;
        let measure = json!({"name": "C", "type": "reaction", "motion": "crank", "quantity": "torque"});
        let motion = json!({"name": "crank", "joint": "h0", "displacement": format!("{rate}*time")});
        let mechanism = compile(
            &json!({"gravity": list(&gravity), "body": bodies, "joint": joints, "motion": [motion], "measure": [measure]}),
        );
        for (method, formulation) in methods(1e-7) {
            let fixed = matches!(method, Method::ConstantBdf(_) | Method::Hht(_));
            let allowed = if fixed || formulation == Formulation::I3 { 1e-2 } else { 1e-3 };
            let options = DynamicsOptions { formulation, method, end: 1.0, stop_times: vec![] };
            let name = format!("{} {} {formulation:?}", chain.name, options.method.name());
            let outcome = (|| -> Result<(f64, u64), String> {
                let mut dynamics = Dynamics::new(&mechanism, &options).map_err(|e| e.to_string())?;
                let (mut next, mut worst) = (0.0, 0.0_f64);
                loop {
                    let stop = dynamics.step().map_err(|e| e.to_string())?;
                    while next <= dynamics.time() {
                        let mut values = [0.0; 3];
                        dynamics.measures_at(next, &mut values).map_err(|e| format!("at {next}: {e}"))?;
                        let torque = chain.torque(chain.drawn + rate * next, *rate, &GRAVITY);
                        worst =
                            worst.max((V3::from(values).dot(&(drawn * V3::z())) - torque).abs() / (1.0 + torque.abs()));
                        next += 0.0625;
                    }
                    if stop == Stop::EndTime {
                        break;
                    }
                }
                match dynamics.uncertain() {
                    Some(uncertain) => Err(uncertain.to_string()),
                    None => Ok((worst, dynamics.statistics().row_choices)),
                }
            })();
            match outcome {
                Ok((worst, choices)) if worst < allowed => println!("{name}: {worst:e}, {choices} choices"),
                Ok((worst, _)) => wrong.push(format!("{name}: torque off by {worst:e}")),
                Err(problem) => wrong.push(format!("{name}: {problem}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Frames of three parallel pins, or chains that move, on a base that hangs: it comes to rest below its axis, by statics, and stays there in a run.
#[test]
fn hanging_frames_are_found_where_they_hang() {
    let mut numbers = Numbers(3);
    let mut wrong = Vec::new();
    let count = 20 * more();
    for k in 0..count {
        let chain =
            ClosedChain::triangle([numbers.between(0.3, 0.6), numbers.between(0.3, 0.6), numbers.between(0.35, 0.5)]);
        // The axis is in the plane of the frame, through a corner; the frame hangs 90 degrees away from where it is drawn.
        let axis = V3::new(1.0, 0.0, 0.0);
        let (mut bodies, mut joints) =
            chain.on("base", &Rotation3::from_scaled_axis(V3::x() * (k % 4) as f64 * FRAC_PI_2), &V3::zeros());
        bodies.insert(0, json!({"name": "base", "mass": 3, "inertia": [0.05, 0.05, 0.08]}));
        let marker = |body: &str| json!({"body": body, "orientation": {"z_axis": list(&axis)}, "frame": "global"});
        joints.push(json!({"name": "spin", "type": "revolute", "i": marker("base"), "j": marker("ground")}));
        let force =
            json!({"name": "damper", "type": "axial_torque", "i": "base", "j": marker("ground"), "value": "-4*w"});
        let measure = json!({"name": "w", "type": "angular_velocity", "i": "base", "component": "x"});
        for down in [V3::new(0.0, -9.81, 0.0), V3::new(0.0, 0.0, 9.81)] {
            let model = json!({"gravity": list(&down), "body": bodies, "joint": joints, "force": [force], "measure": [measure]});
            let mechanism = compile(&model);
            let drawn = Rotation3::from_scaled_axis(V3::x() * (k % 4) as f64 * FRAC_PI_2);
            let (_, center) = chain.whole(chain.drawn);
            let across = drawn * center - V3::x() * (drawn * center).x;
            let hangs = Rotation3::rotation_between(&across, &down);
            let Some(hangs) = hangs else { continue };
            let angle = (across.normalize().dot(&down.normalize())).clamp(-1.0, 1.0).acos();
            if angle > 3.1 {
                // It stands upright.
                continue;
            }
            match Equilibrium::find(&mechanism, mechanism.start(), &Inputs::start(&mechanism)) {
                Ok(found) => {
                    let far = off(&chain, &mechanism, &found.state.poses, &(hangs * drawn), 0.0);
                    if !(far < 1e-7) {
                        wrong.push(format!("statics {k} {down:?}: {far:e}"));
                    }
                }
                Err(error) => wrong.push(format!("statics {k} {down:?}: {error}")),
            }
            let all = methods(1e-6);
            let (method, formulation) = all[k % all.len()].clone();
            let options = DynamicsOptions { formulation, method, end: 20.0, stop_times: vec![] };
            let ran = (|| -> Result<f64, fourbar_multibody::Error> {
                let mut dynamics = Dynamics::new(&mechanism, &options)?;
                while dynamics.step()? != Stop::EndTime {}
                Ok(off(&chain, &mechanism, &dynamics.motion_at(20.0)?.poses, &(hangs * drawn), 0.0))
            })();
            match ran {
                Ok(far) if far < 1e-3 => {}
                Ok(far) => wrong.push(format!("run {k} {} {down:?}: {far:e}", options.method.name())),
                Err(error) => wrong.push(format!("run {k} {} {down:?}: {error}", options.method.name())),
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}

/// A run goes on from a saved point with the rows that were kept there, bit for bit, in the same analysis and in another one.
#[test]
fn saved_points_keep_the_choice_of_rows() {
    let chain = ClosedChain::bennett(0.3, [0.9, 1.2], 2.0);
    let (bodies, joints) = chain.on("ground", &Rotation3::identity(), &V3::zeros());
    let motion = json!({"name": "crank", "joint": "h0", "displacement": "-2*pi*time"});
    let measure = json!({"name": "C", "type": "reaction", "motion": "crank", "quantity": "torque"});
    let model =
        json!({"gravity": list(&GRAVITY), "body": bodies, "joint": joints, "motion": [motion], "measure": [measure]});
    let mechanism = compile(&model);
    for (method, formulation) in methods(1e-6) {
        let name = format!("{} {formulation:?}", method.name());
        let options = DynamicsOptions { formulation, method, end: 2.0, stop_times: vec![] };
        let begin = || Dynamics::new(&mechanism, &options).expect("a start");
        let finish = |dynamics: &mut Dynamics| {
            while dynamics.step().expect("a step") != Stop::EndTime {}
            (dynamics.motion_at(2.0).expect("a state").poses.clone(), *dynamics.statistics())
        };
        let mut dynamics = begin();
        while dynamics.time() < 0.5 || dynamics.statistics().row_choices == 0 {
            dynamics.step().expect("a step");
            assert!(dynamics.time() < 1.5, "{name}: no choice");
        }
        let mut saved = DynamicsSnapshot::default();
        dynamics.save(&mut saved);
        let mut bytes = Vec::new();
        saved.store(&mut bytes);
        let straight = finish(&mut dynamics);
        dynamics.restore(&saved).expect("the saved point");
        assert_eq!(finish(&mut dynamics), straight, "{name}");
        let mut other = begin();
        let loaded = other.load(&mut Source::new(&bytes)).unwrap_or_else(|e| panic!("{name}: {e}"));
        other.restore(&loaded).expect("the stored point");
        assert_eq!(finish(&mut other), straight, "{name}");
    }
}
