//! Mechanisms on partitioned coordinates: constraints kept to round-off, redundant rows, drives, singular positions, supplementary rows.

mod abam;
mod turned;

use fourbar_multibody::dae::EvalError;
use fourbar_multibody::expression::Expression;
use fourbar_multibody::formulation::{Level, NoSupplement, Partitioned, Situation, Supplement, SupplementRow};
use fourbar_multibody::integrator::{
    Abam, Error as IntegratorError, Integrator, Rkf45, Rkf45Stepper, Snapshot, Statistics, Stop,
};
use fourbar_multibody::mechanism::{Rows, System};
use fourbar_multibody::model::{
    Body, Force, Joint, JointKind, MarkerRef, Model, Motion, Place, VectorForce, vector, zero,
};
use fourbar_multibody::ode::Ode;
use fourbar_multibody::space::{Pose, V3};
use fourbar_multibody::{Dynamics, DynamicsOptions, Formulation, Mechanism, Method, State};
use std::sync::Arc;

const G: f64 = 9.81;

fn body(name: &str, mass: f64, inertia: [f64; 3], position: [f64; 2], velocity: [f64; 2], spin: f64) -> Body {
    Body {
        name: name.into(),
        mass: mass.into(),
        inertia: inertia.map(Expression::from).to_vec(),
        center_of_mass: zero(),
        position: vector([position[0], position[1], 0.0]),
        orientation: Default::default(),
        velocity: vector([velocity[0], velocity[1], 0.0]),
        angular_velocity: vector([0.0, 0.0, spin]),
        exact: vec![],
        solids: Vec::new(),
    }
}

fn hinge(i: &str, at_i: [f64; 2], j: &str, at_j: [f64; 2]) -> Joint {
    let marker = |body: &str, at: [f64; 2]| -> MarkerRef {
        Place {
            body: body.into(),
            position: vector([at[0], at[1], 0.0]),
            orientation: Default::default(),
            frame: Default::default(),
        }
        .into()
    };
    Joint {
        name: format!("{i}-{j}"),
        kind: JointKind::Revolute,
        i: marker(i, at_i),
        j: marker(j, at_j),
        length: None,
        pitch: None,
        initial: Default::default(),
    }
}

/// Uniform rods in a closed loop, in space: crank of 0.3 m upright at the origin, coupler, rocker pivoted at (1, 0). Hinges in parallel
/// make three rows redundant. The crank turns with `spin`.
fn crank_rocker(spin: f64) -> Model {
    let (a, b, c) = ([0.0, 0.3], [0.9, 0.75], [1.0, 0.0]);
    let rod = |name: &str, p: [f64; 2], q: [f64; 2]| {
        let length = (q[0] - p[0]).hypot(q[1] - p[1]);
        let transverse = length * length / 12.0;
        body(name, 1.0, [transverse; 3], [0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1])], [0.0; 2], 0.0)
    };
    let mut crank = rod("crank", [0.0; 2], a);
    crank.velocity = vector([-0.15 * spin, 0.0, 0.0]);
    crank.angular_velocity = vector([0.0, 0.0, spin]);
    let from = |p: [f64; 2], q: [f64; 2]| [0.5 * (q[0] - p[0]), 0.5 * (q[1] - p[1])];
    let back = |p: [f64; 2], q: [f64; 2]| from(q, p);
    Model {
        name: "crank-rocker".into(),
        gravity: vector([0.0, -G, 0.0]),
        bodies: vec![crank, rod("coupler", a, b), rod("rocker", c, b)],
        joints: vec![
            hinge("crank", back([0.0; 2], a), "ground", [0.0; 2]),
            hinge("coupler", back(a, b), "crank", from([0.0; 2], a)),
            hinge("coupler", from(a, b), "rocker", from(c, b)),
            hinge("rocker", back(c, b), "ground", c),
        ],
        ..Model::default()
    }
}

fn compile(model: &Model) -> Arc<Mechanism> {
    Arc::new(Mechanism::compile(model).expect("the model compiles"))
}

fn start<S: Supplement>(
    mechanism: &Arc<Mechanism>,
    supplement: S,
    tolerance: f64,
    end: f64,
) -> Rkf45Stepper<Partitioned<S>> {
    let state = mechanism.start();
    let mut equations = Partitioned::with_supplement(Arc::clone(mechanism), supplement, state).expect("equations");
    let mut y = vec![0.0; equations.dimension()];
    equations.write(state, &mut y).expect("a regular start");
    Rkf45::with_tolerance(tolerance).start(equations, state.time, &y, end).expect("start")
}

/// Largest violations of all rows, redundant ones included: of positions and of velocities.
fn violation(mechanism: &Mechanism, state: &State) -> (f64, f64) {
    let mut system = System::new(mechanism, Rows::All);
    let mut poses = state.poses.clone();
    poses.push(Pose::ground());
    system.evaluate_drives(mechanism, state.time, &state.drives);
    let largest = |rows: &[f64]| rows.iter().fold(0.0_f64, |max, r| max.max(r.abs()));
    let mut rows = vec![0.0; system.row_count()];
    system.defects(mechanism, &poses, &mut rows);
    let position = largest(&rows);
    system.defect_rates(mechanism, &poses, &mut rows);
    (position, largest(&rows))
}

fn energy(mechanism: &Mechanism, state: &State) -> f64 {
    let each = mechanism.bodies().iter().zip(&state.poses);
    each.map(|(body, pose)| body.kinetic_energy(pose) + body.mass * G * pose.x.y).sum()
}

/// Several turns of a crank, through positions in which every coordinate is a poor one at some time: constraints hold at the ends of
/// steps and in between, energy is kept, and a snapshot brings everything back bit for bit.
#[test]
fn closed_loop_keeps_constraints_and_energy_through_its_turns() {
    let mechanism = compile(&crank_rocker(12.0));
    assert_eq!((mechanism.degrees_of_freedom(), mechanism.redundancies().len()), (1, 3));
    let mut run = start(&mechanism, NoSupplement, 1e-10, 2.0);
    let mut state = mechanism.start().clone();
    let before = energy(&mechanism, &state);
    let n = run.ode().dimension();
    let (mut y, mut yp) = (vec![0.0; n], vec![0.0; n]);
    let mut snapshot = Snapshot::new();
    let (mut from, mut steps, mut turned) = (0.0, 0, 0.0);
    let mut ends = Vec::new();
    loop {
        let stop = run.step().expect("step");
        for part in [0.37, 1.0] {
            let t = from + part * (run.time() - from);
            run.interpolate(t, &mut y, &mut yp).expect("inside");
            run.ode_mut().read(t, &y, &mut state).expect("state");
            let (position, velocity) = violation(&mechanism, &state);
            assert!(position < 1e-12 && velocity < 1e-10, "t = {t}: {position:e} m, {velocity:e} m/s");
            let defect = energy(&mechanism, &state) - before;
            assert!(defect.abs() < 1e-7, "t = {t}: {defect:e} J");
        }
        turned += (run.time() - from) * state.poses[0].w.z;
        from = run.time();
        steps += 1;
        if steps == 50 {
            run.save(&mut snapshot);
        }
        if steps > 50 {
            ends.push((run.time(), run.state().to_vec()));
        }
        if stop == Stop::EndTime {
            break;
        }
    }
    assert!(turned > 2.0 * std::f64::consts::TAU, "{turned} rad");
    run.restore(&snapshot).expect("restore");
    for (t, y) in &ends {
        run.step().expect("step");
        assert_eq!((run.time(), run.state()), (*t, y.as_slice()));
    }
}

/// A rod turned by its motion: displacement, or velocity, or acceleration give the same turn.
#[test]
fn drives_of_every_law_are_followed() {
    let laws: [fn(&mut Motion); 3] = [
        |m| m.displacement = Expression::parse("2*time + sin(3*time)").ok(),
        |m| m.velocity = Expression::parse("2 + 3*cos(3*time)").ok(),
        |m| {
            m.acceleration = Expression::parse("-9*sin(3*time)").ok();
            m.initial_velocity = Some(5.0.into());
        },
    ];
    for law in laws {
        let mut motion = Motion {
            name: "turn".into(),
            joint: Some("rod-ground".into()),
            i: None,
            j: None,
            direction: None,
            displacement: None,
            velocity: None,
            acceleration: None,
            initial_displacement: None,
            initial_velocity: None,
        };
        law(&mut motion);
        let model = Model {
            gravity: vector([0.0, -G, 0.0]),
            bodies: vec![body("rod", 1.0, [0.001, 0.1, 0.1], [0.5, 0.0], [0.0; 2], 0.0)],
            joints: vec![hinge("rod", [-0.5, 0.0], "ground", [0.0; 2])],
            motions: vec![motion],
            ..Model::default()
        };
        let mechanism = compile(&model);
        assert_eq!(mechanism.degrees_of_freedom(), 0);
        let mut run = start(&mechanism, NoSupplement, 1e-9, 3.0);
        while run.step().expect("step") != Stop::EndTime {}
        let mut state = mechanism.start().clone();
        let y = run.state().to_vec();
        run.ode_mut().read(3.0, &y, &mut state).expect("state");
        let angle = 6.0 + 9.0_f64.sin();
        let x = state.poses[0].x;
        assert!((x - V3::new(0.5 * angle.cos(), 0.5 * angle.sin(), 0.0)).norm() < 1e-8, "{x:?}");
        assert!((state.poses[0].w.z - (2.0 + 3.0 * 9.0_f64.cos())).abs() < 1e-8);
    }
}

/// Driven flat, a parallelogram comes to a position where its rods could go two ways.
#[test]
fn singular_positions_end_the_run_by_name() {
    let rod = |name: &str, at: [f64; 2], spin: f64| body(name, 1.0, [0.1; 3], at, [-0.5 * spin, 0.0], spin);
    let model = Model {
        name: "parallelogram".into(),
        bodies: vec![
            rod("left", [0.0, 0.5], -1.0),
            body("top", 1.0, [0.1; 3], [1.0, 1.0], [1.0, 0.0], 0.0),
            rod("right", [2.0, 0.5], -1.0),
        ],
        joints: vec![
            hinge("left", [0.0, -0.5], "ground", [0.0; 2]),
            hinge("right", [0.0, -0.5], "ground", [2.0, 0.0]),
            hinge("left", [0.0, 0.5], "top", [-1.0, 0.0]),
            hinge("right", [0.0, 0.5], "top", [1.0, 0.0]),
        ],
        ..Model::default()
    };
    let mut run = start(&compile(&model), NoSupplement, 1e-8, 3.0);
    run.set_stop_times(&[std::f64::consts::FRAC_PI_2]).expect("stop");
    let error = loop {
        if let Err(error) = run.step() {
            break error;
        }
        assert!(run.time() < 1.6, "passed at {}", run.time());
    };
    assert!(matches!(&error, IntegratorError::Evaluation(_)), "{error}");
    let text = error.to_string();
    assert!(text.contains("mechanism \"parallelogram\"") && text.contains("joint \""), "{text}");
    assert!((run.time() - std::f64::consts::FRAC_PI_2).abs() < 1e-3, "{error}");
}

/// Point `at` of body 0 against the ground: held along `normal`, and along no other, or no direction besides.
struct Touch {
    /// In the body \[m\].
    at: V3,
    normal: V3,
    /// Distance of the ground from the origin along the normal \[m\].
    offset: f64,
    closed: bool,
    sticking: bool,
    friction: f64,
}

const TANGENTS: [V3; 2] = [V3::new(1.0, 0.0, 0.0), V3::new(0.0, 0.0, 1.0)];

impl Touch {
    fn row(&self, direction: V3, pose: &Pose) -> SupplementRow {
        let arm = pose.a * self.at;
        let mut row = SupplementRow::zero();
        row.bodies = [0, usize::MAX];
        (row.gradient.g, row.gradient.gi) = (direction, arm.cross(&direction));
        row.push = row.gradient;
        row.gamma = -direction.dot(&pose.w.cross(&pose.w.cross(&arm)));
        row
    }
}

impl Supplement for Touch {
    fn row_count(&self) -> usize {
        usize::from(self.closed) + if self.sticking { 2 } else { 0 }
    }
    fn level(&self, row: usize) -> Level {
        if row == 0 { Level::Position } else { Level::Velocity }
    }
    fn evaluate(&mut self, _: f64, poses: &[Pose], rows: &mut [SupplementRow]) -> Result<(), EvalError> {
        let ground = poses.len() - 1;
        for (k, row) in rows.iter_mut().enumerate() {
            *row = self.row(if k == 0 { self.normal } else { TANGENTS[k - 1] }, &poses[0]);
            row.bodies = [0, ground];
            if k == 0 {
                row.defect = self.normal.dot(&(poses[0].x + poses[0].a * self.at)) - self.offset;
                if !self.sticking && self.friction > 0.0 {
                    // Slides along x; the direction stays beyond the instant at which it stops.
                    let drag = self.row(-TANGENTS[0] * self.friction, &poses[0]).gradient;
                    row.push.g += drag.g;
                    row.push.gi += drag.gi;
                }
            }
        }
        Ok(())
    }
    fn root_count(&self) -> usize {
        1
    }
    fn roots_use_accelerations(&self) -> bool {
        self.closed
    }
    /// Sliding ends, a closed contact lets go, or an open one closes.
    fn roots(&mut self, situation: &Situation<'_>, roots: &mut [f64]) -> Result<(), EvalError> {
        let pose = &situation.poses[0];
        roots[0] = if self.closed && !self.sticking && self.friction > 0.0 {
            pose.v.x
        } else if self.closed {
            situation.multipliers[0]
        } else {
            self.normal.dot(&(pose.x + pose.a * self.at)) - self.offset
        };
        Ok(())
    }
}

fn floor(closed: bool, friction: f64) -> Touch {
    Touch { at: V3::zeros(), normal: V3::y(), offset: 0.0, closed, sticking: false, friction }
}

/// v0^2/(2 mu g) after v0/(mu g), then rest without creep (contact-tests, 2).
#[test]
fn sliding_block_stops_and_sticks() {
    let (v0, mu) = (2.0, 0.3);
    let model = Model {
        gravity: vector([0.0, -G, 0.0]),
        bodies: vec![body("block", 2.0, [0.1; 3], [0.0; 2], [v0, 0.0], 0.0)],
        ..Model::default()
    };
    let mechanism = compile(&model);
    let mut run = start(&mechanism, floor(true, mu), 1e-10, 10.0);
    while run.step().expect("step") != Stop::Event {}
    assert!((run.time() - v0 / (mu * G)).abs() < 1e-12, "{}", run.time());
    let stopped = run.state()[0];
    assert!((stopped - v0 * v0 / (2.0 * mu * G)).abs() < 1e-12);
    assert!((run.ode().multipliers()[0] - 2.0 * G).abs() < 1e-12);
    let (t, mut y) = (run.time(), run.state().to_vec());
    let mut state = mechanism.start().clone();
    run.ode_mut().read(t, &y, &mut state).expect("state");
    run.ode_mut().supplement_mut().sticking = true;
    run.ode_mut().write(&state, &mut y).expect("write");
    run.restart(t, &y, &[]).expect("restart");
    while run.step().expect("step") != Stop::EndTime {}
    assert!((run.state()[0] - stopped).abs() < 1e-12 && run.state()[6].abs() < 1e-15, "{:?}", &run.state()[..9]);
}

/// docs/contact.md: the parallelogram of 0.2 and 0.4 m with 10 N m on bar 1 rests against the wall with T/(l sin theta) = 52.4142418 N;
/// flying free it reaches the wall after sqrt(2 D I/T) with 4.56018350908720 m/s.
#[test]
fn four_bar_flies_to_the_wall_and_rests_on_it() {
    let slender = |m: f64, l: f64| [m * l * l / 12.0; 3];
    let torque = VectorForce {
        name: "drive".into(),
        i: "bar1".into(),
        reaction: None,
        frame: None,
        value: vector([0.0, 0.0, 10.0]),
    };
    let model = Model {
        bodies: vec![
            body("bar1", 0.1, slender(0.1, 0.2), [0.0, 0.1], [0.0; 2], 0.0),
            body("bar2", 0.2, slender(0.2, 0.4), [0.2, 0.2], [0.0; 2], 0.0),
            body("bar3", 0.1, slender(0.1, 0.2), [0.4, 0.1], [0.0; 2], 0.0),
        ],
        joints: vec![
            hinge("bar1", [0.0, -0.1], "ground", [0.0; 2]),
            hinge("bar1", [0.0, 0.1], "bar2", [-0.2, 0.0]),
            hinge("bar2", [0.2, 0.0], "bar3", [0.0, 0.1]),
            hinge("bar3", [0.0, -0.1], "ground", [0.4, 0.0]),
        ],
        forces: vec![Force::Torque(torque)],
        ..Model::default()
    };
    let mechanism = compile(&model);
    let wall = |closed| Touch {
        at: V3::new(0.0, 0.1, 0.0),
        normal: V3::x(),
        offset: -0.06,
        closed,
        sticking: false,
        friction: 0.0,
    };
    let mut run = start(&mechanism, wall(false), 1e-11, 0.1);
    while run.step().expect("step") != Stop::Event {}
    assert!((run.time() - 0.0254953132013091).abs() < 1e-9, "{}", run.time());
    let (t, mut y) = (run.time(), run.state().to_vec());
    let mut state = mechanism.start().clone();
    run.ode_mut().read(t, &y, &mut state).expect("state");
    let velocity = state.poses[0].v.x - 0.1 * state.poses[0].w.z * state.poses[0].a[(1, 1)];
    assert!((velocity + 4.560_183_509_087_20).abs() < 1e-8, "{velocity}");
    assert!((violation(&mechanism, &state).0) < 1e-12);
    for pose in &mut state.poses {
        (pose.v, pose.w) = (V3::zeros(), V3::zeros());
    }
    run.ode_mut().supplement_mut().closed = true;
    run.ode_mut().write(&state, &mut y).expect("write");
    run.restart(t, &y, &[]).expect("restart");
    assert!((run.ode().multipliers()[0] - 52.414_241_8).abs() < 1e-6, "{:?}", run.ode().multipliers());
    while run.step().expect("step") != Stop::EndTime {}
    let (t, y) = (run.time(), run.state().to_vec());
    run.ode_mut().read(t, &y, &mut state).expect("state");
    let gap = state.poses[0].x.x + state.poses[0].a[(0, 1)] * 0.1 + 0.06;
    assert!(gap.abs() < 1e-15, "{gap:e}");
    let (position, rate) = violation(&mechanism, &state);
    assert!(position < 1e-12 && rate < 1e-10, "{position:e} m, {rate:e} m/s");
}
