//! However a machine lies: energy, results and steps of the methods on partitioned coordinates do not depend on it. And however far a motion has turned it.

use crate::support::runs::compile as read;
use fourbar_multibody::integrator::{Abam, ConstantBdf, Dstiff, Gstiff, Hht, Rkf45, Stop, Wstiff};
use fourbar_multibody::space::{M3, V3, rotation};
use fourbar_multibody::{Dynamics, DynamicsOptions, Formulation, Mechanism, Method};
use serde_json::{Value, json};
use std::sync::Arc;

/// Rotations of the whole machine in space besides the four by whole quarters; a longer sweep is `TURNS=40`.
fn turns() -> usize {
    std::env::var("TURNS").ok().and_then(|turns| turns.parse().ok()).unwrap_or(4)
}

/// Numbers without a pattern in (-1, 1).
fn golden(k: usize) -> f64 {
    2.0 * (k as f64 * 0.618_033_988_749_894_9).fract() - 1.0
}

fn orientations() -> Vec<M3> {
    let quarter = std::f64::consts::FRAC_PI_2;
    let exact = |axis: V3| rotation(&(axis * quarter)).map(f64::round);
    let mut all = vec![M3::identity(), exact(V3::x()), exact(V3::y()), exact(V3::z())];
    all.extend((0..turns()).map(|k| rotation(&(V3::from_fn(|i, _| golden(3 * k + i + 1)) * 3.0))));
    all
}

fn numbers(v: V3) -> Value {
    json!([v.x, v.y, v.z])
}

fn vector(value: &Value) -> V3 {
    V3::from_fn(|k, _| value[k].as_f64().expect("a number"))
}

/// A frame as it is written.
fn frame(a: &M3) -> Value {
    json!({"z_axis": numbers(a.column(2).into()), "x_axis": numbers(a.column(0).into())})
}

/// Kind, bodies, places and axes of a joint.
type Link = (&'static str, [Option<usize>; 2], [V3; 2], M3);

/// A machine drawn in space: bodies, and joints at places with axes, all global.
struct Drawing {
    bodies: Vec<(f64, V3, V3, M3)>,
    /// Kind, bodies, the places of both markers, their orientation.
    joints: Vec<Link>,
}

impl Drawing {
    /// A chain of bodies from the ground, its end hung to the ground and its bodies to each other by links: no two alike.
    fn loops(seed: usize) -> Self {
        let mut next = 1000 * seed;
        let mut draw = |scale: f64| {
            next += 3;
            V3::from_fn(|i, _| golden(next + i)) * scale
        };
        let count = 2 + seed % 3;
        let bodies: Vec<_> = (0..count)
            .map(|_| {
                let (mass, sizes) = (1.5 + draw(1.0).x, draw(0.05).map(|s| (0.1 + s).powi(2)));
                (
                    mass,
                    V3::new(sizes.y + sizes.z, sizes.x + sizes.z, sizes.x + sizes.y) * mass,
                    draw(0.25),
                    rotation(&draw(3.0)),
                )
            })
            .collect();
        let mut joints = Vec::new();
        for k in 0..count {
            let kind = if (seed + k).is_multiple_of(2) { "spherical" } else { "revolute" };
            let at = draw(0.3);
            joints.push((kind, [Some(k), k.checked_sub(1)], [at, at], rotation(&draw(3.0))));
        }
        let links: usize = 1 + seed % 2;
        for k in 0..links {
            joints.push(("distance", [Some(count - 1 - k), None], [draw(0.4), draw(0.4)], M3::identity()));
        }
        Self { bodies, joints }
    }

    /// A rope of bodies on spherical joints, its end and its middle hung to the ground: more degrees of freedom than are few.
    fn rope(seed: usize) -> Self {
        let mut drawing = Self::loops(3 * seed + 2);
        let count = drawing.bodies.len();
        drawing.joints.iter_mut().take(count).for_each(|joint| joint.0 = "spherical");
        drawing
    }

    /// The same machine in other units of length and mass.
    fn scaled(&self, length: f64, mass: f64) -> Self {
        let mut own = Self { bodies: self.bodies.clone(), joints: self.joints.clone() };
        for (m, inertia, x, _) in &mut own.bodies {
            (*m, *inertia, *x) = (*m * mass, *inertia * mass * length * length, *x * length);
        }
        own.joints.iter_mut().for_each(|joint| joint.2 = joint.2.map(|at| at * length));
        own
    }

    fn model(&self, turn: &M3) -> Value {
        let name = |k: Option<usize>| k.map_or("ground".to_owned(), |k| format!("b{k}"));
        let bodies = self.bodies.iter().enumerate().map(|(k, (mass, inertia, x, a))| {
            json!({"name": name(Some(k)), "mass": mass, "inertia": numbers(*inertia), "position": numbers(turn * x), "orientation": frame(&(turn * a))})
        });
        let marker = |body: Option<usize>, at: V3, axes: &M3| {
            let (x, a) =
                body.map_or((V3::zeros(), M3::identity()), |k| (turn * self.bodies[k].2, turn * self.bodies[k].3));
            let (at, axes) = (a.transpose() * (turn * at - x), a.transpose() * turn * axes);
            json!({"body": name(body), "position": numbers(at), "orientation": frame(&axes)})
        };
        let joints = self.joints.iter().enumerate().map(|(k, (kind, bodies, at, axes))| {
            json!({"name": format!("j{k}"), "type": kind, "i": marker(bodies[0], at[0], axes), "j": marker(bodies[1], at[1], axes)})
        });
        json!({"gravity": numbers(turn * V3::new(0.0, 0.0, -9.81)), "body": bodies.collect::<Vec<_>>(), "joint": joints.collect::<Vec<_>>()})
    }
}

/// Three bodies in two loops: rods that are drawn badly by any single coordinates of the ground's axes at some time.
fn three_bodies(turn: &M3) -> Value {
    let mut model = json!({
        "body": [
            {"name": "b1", "mass": 1.358, "inertia": [0.003237, 0.005538, 0.006815], "center_of_mass": [1.61e-05, 0.007842, 0.01219],
                "position": [0.1124, -0.196, 0.1094], "q": [0.5727, 0.4642, -0.4831, 0.4724]},
            {"name": "b2", "mass": 2.831, "inertia": [0.0216, 0.01089, 0.01318], "center_of_mass": [0.002253, 0.005948, 0.007905],
                "position": [0.1229, 0.07316, 0.00387], "q": [0.8002, -0.4787, 0.182, -0.3121]},
            {"name": "b3", "mass": 2.096, "inertia": [0.01507, 0.009643, 0.01315], "center_of_mass": [-0.001573, -0.01165, 0.002916],
                "position": [0.1332, 0.06436, -0.09397], "q": [0.4862, -0.1666, -0.215, -0.8304]},
        ],
        "joint": [
            {"name": "t1", "type": "spherical", "i": {"body": "b1", "position": [0.01098, 0.07465, -0.1116]}, "j": {"body": "ground", "position": [0.05222, -0.07581, 0.1145]}},
            {"name": "t2", "type": "revolute",
                "i": {"body": "b2", "position": [0.1864, 0.04906, -0.1241], "orientation": {"z_axis": [0.6202, -0.6354, 0.46], "x_axis": [-0.4939, 0.1394, 0.8583]}},
                "j": {"body": "b1", "position": [-0.1894, -0.09595, -0.1101], "orientation": {"z_axis": [0.7909, -0.4981, 0.3554], "x_axis": [0.3828, -0.05047, -0.9225]}}},
            {"name": "t3", "type": "revolute",
                "i": {"body": "b3", "position": [0.07405, -0.03409, -0.009753], "orientation": {"z_axis": [-0.5535, -0.1598, 0.8174], "x_axis": [-0.3801, 0.9217, -0.07723]}},
                "j": {"body": "ground", "position": [0.06767, 0.01962, -0.07277], "orientation": {"z_axis": [0.1763, 0.9011, 0.3961], "x_axis": [0.9843, -0.1614, -0.07095]}}},
            {"name": "l0", "type": "distance", "i": {"body": "b2", "position": [0.01254, -0.007682, 0.00333]}, "j": {"body": "b3", "position": [0.1369, 0.1379, 0.1909]}},
        ],
    });
    model["gravity"] = numbers(turn * V3::new(0.0, 0.0, -9.81));
    for body in model["body"].as_array_mut().expect("bodies") {
        let q = body.as_object_mut().expect("a body").remove("q").expect("an orientation");
        let [w, x, y, z] = [0, 1, 2, 3].map(|k| q[k].as_f64().expect("a number"));
        let a = nalgebra::UnitQuaternion::new_normalize(nalgebra::Quaternion::new(w, x, y, z)).to_rotation_matrix();
        body["orientation"] = frame(&(turn * a.matrix()));
        body["position"] = numbers(turn * vector(&body["position"]));
    }
    for joint in model["joint"].as_array_mut().expect("joints") {
        let marker = &mut joint["j"];
        if marker["body"] == "ground" {
            marker["position"] = numbers(turn * vector(&marker["position"]));
            if let Some(orientation) = marker["orientation"].as_object().cloned() {
                for axis in ["z_axis", "x_axis"] {
                    marker["orientation"][axis] = numbers(turn * vector(&orientation[axis]));
                }
            }
        }
    }
    model
}

/// What a run came to.
struct Run {
    /// Largest energy error over the largest kinetic energy.
    energy: f64,
    /// Centres of mass and axes of the bodies at the end, turned back.
    end: Vec<f64>,
    steps: f64,
}

fn run(mechanism: &Arc<Mechanism>, method: Method, end: f64, turn: &M3) -> Run {
    let options = DynamicsOptions { formulation: Formulation::Si2, method, end, stop_times: vec![] };
    let mut run = Dynamics::new(mechanism, &options).expect("a start");
    let (mut energy, mut kinetic) = (0.0_f64, 0.0_f64);
    loop {
        let stop = run.step().expect("a step");
        let now = run.energy().expect("energies");
        energy = energy.max(now.balance_error.abs());
        kinetic = kinetic.max(now.kinetic);
        if stop == Stop::EndTime {
            break;
        }
    }
    let statistics = run.statistics();
    let steps = statistics.steps as f64;
    if std::env::var("TURNS").is_ok() {
        println!(
            "  {} steps, {} rejected, {} by evaluation, {} evaluations",
            steps, statistics.rejected_by_error, statistics.rejected_by_evaluation, statistics.residual_evaluations
        );
    }
    let poses = &run.state_at(end).expect("the end").poses;
    let back = turn.transpose();
    let end =
        poses.iter().flat_map(|pose| (back * pose.x).iter().chain((back * pose.a).iter()).copied().collect::<Vec<_>>());
    Run { energy: energy / kinetic, end: end.collect(), steps }
}

/// Runs the machine in all orientations; energy within `kept` tolerances, ends within ten, steps within `spread`.
fn check(name: &str, model: impl Fn(&M3) -> Value, end: f64, kept: f64, spread: f64) {
    const TOLERANCE: f64 = 1e-8;
    for method in [Method::from(Rkf45::with_tolerance(TOLERANCE)), Abam::with_tolerance(TOLERANCE).into()] {
        let by = method.name();
        let orientations = orientations();
        let runs: Vec<Run> =
            orientations.iter().map(|turn| run(&read(&model(turn)), method.clone(), end, turn)).collect();
        let [mut energy, mut apart, mut most] = [0.0_f64; 3];
        let mut least = f64::INFINITY;
        for own in &runs {
            energy = energy.max(own.energy / TOLERANCE);
            apart = own.end.iter().zip(&runs[0].end).fold(apart, |apart, (a, b)| apart.max((a - b).abs() / TOLERANCE));
            (least, most) = (least.min(own.steps), most.max(own.steps));
        }
        println!("{name} {by}: energy {energy:.2} tolerances, ends {apart:.2} apart, steps {least} to {most}");
        assert!(energy < kept, "{name} {by}: energy {energy} tolerances");
        assert!(apart < 10.0, "{name} {by}: {apart} tolerances");
        assert!(most < spread * least, "{name} {by}: {least} to {most} steps");
    }
}

#[test]
fn three_bodies_move_alike_in_every_orientation() {
    check("three bodies", three_bodies, 0.5761, 8.0, 1.2);
}

#[test]
fn spatial_loops_move_alike_in_every_orientation() {
    for seed in 0..10 {
        let drawing = Drawing::loops(seed);
        check(&format!("loop {seed}"), |turn| drawing.model(turn), 0.4, 8.0, 1.4);
    }
}

fn every_method() -> Vec<(Method, Formulation)> {
    let at = 1e-8;
    let mut all: Vec<(Method, Formulation)> = [Formulation::Si2, Formulation::Si1, Formulation::I3]
        .map(|formulation| (Gstiff::with_tolerance(at).into(), formulation))
        .into();
    let others: [Method; 6] = [
        Wstiff::with_tolerance(at).into(),
        Dstiff::with_tolerance(at).into(),
        Hht::with_tolerance(1e-6).into(),
        ConstantBdf::new(1e-5, 2).into(),
        Rkf45::with_tolerance(at).into(),
        Abam::with_tolerance(at).into(),
    ];
    all.extend(others.map(|method| (method, Formulation::Si2)));
    all
}

#[test]
fn ropes_move_alike_in_every_orientation() {
    for seed in 0..3 {
        let drawing = Drawing::rope(seed);
        check(&format!("rope {seed}"), |turn| drawing.model(turn), 0.4, 8.0, 1.4);
    }
}

/// The same motion in other units: gravity scales as the length, so that times are the same, or as the length over the square of the time.
#[test]
fn units_do_not_matter() {
    let drawing = Drawing::loops(1);
    let (still, end) = (M3::identity(), 0.4);
    for method in [Method::from(Rkf45::with_tolerance(1e-8)), Abam::with_tolerance(1e-8).into()] {
        let by = method.name();
        let alone = run(&read(&drawing.model(&still)), method.clone(), end, &still);
        for [length, time, mass] in
            [[1e-3, 1.0, 1.0], [1e3, 1.0, 1.0], [1.0, 1e-3, 1.0], [1.0, 1e3, 1.0], [1.0, 1.0, 1e-3], [1.0, 1.0, 1e3]]
        {
            let mut model = drawing.scaled(length, mass).model(&still);
            model["gravity"] = numbers(V3::new(0.0, 0.0, -9.81) * length / (time * time));
            let own = run(&read(&model), method.clone(), end * time, &still);
            let units = |k: usize| if k % 12 < 3 { length } else { 1.0 };
            let apart = own
                .end
                .iter()
                .zip(&alone.end)
                .enumerate()
                .fold(0.0_f64, |apart, (k, (a, b))| apart.max((a / units(k) - b).abs() / 1e-8));
            println!(
                "{by} {length:e} {time:e} {mass:e}: energy {:.2}, {apart:.2} apart, steps {} of {}",
                own.energy / 1e-8,
                own.steps,
                alone.steps
            );
            assert!(apart < 10.0 && own.energy < 8e-8, "{by} {length:e} {time:e} {mass:e}: {apart} {}", own.energy);
            assert!(
                own.steps < 1.2 * alone.steps && alone.steps < 1.2 * own.steps,
                "{by} {length:e} {time:e} {mass:e}: {}",
                own.steps
            );
        }
    }
}

/// Ends of a crank of which `law` says how it turns: the largest violation \[rad\], how far it is off at the end, and the steps.
fn cranked(law: &Value, (method, formulation): (Method, Formulation)) -> [f64; 3] {
    let mut motion = json!({"name": "drive", "joint": "A"});
    motion.as_object_mut().expect("a motion").extend(law.as_object().expect("a law").clone());
    let mechanism = read(&json!({
        "body": [{"name": "crank", "mass": 1, "inertia": [1e-4, 1e-3, 1e-3], "center_of_mass": [0.01, 0, 0]}],
        "joint": [{"name": "A", "type": "revolute", "i": "crank", "j": "ground"}],
        "motion": [motion],
    }));
    let (name, end) = (method.name(), 0.1);
    let options = DynamicsOptions { formulation, method, end, stop_times: vec![] };
    let mut run = Dynamics::new(&mechanism, &options).expect("a start");
    let mut seen = 0.0_f64;
    loop {
        let stop = run.step().unwrap_or_else(|error| panic!("{name} {formulation:?} {law}: {error}"));
        let violation = run.violation().expect("violations");
        seen = seen.max(violation.position / 0.01).max(violation.orientation);
        if stop == Stop::EndTime {
            break;
        }
    }
    let a = run.state_at(end).expect("the end").poses[0].a;
    let off = (a - rotation(&(V3::z() * 200.0 * std::f64::consts::PI * end))).norm();
    [seen, off, run.statistics().steps as f64]
}

/// Behind 1e5 turns an angle has a round-off of 1.2e-10 rad. Closed forms at both places; steps as many as at the first turns.
#[test]
fn motions_go_on_behind_a_hundred_thousand_turns() {
    let laws = |first: f64| {
        [
            json!({"displacement": format!("200*pi*time + {first}")}),
            json!({"velocity": "200*pi", "initial_displacement": first}),
            json!({"acceleration": "0", "initial_displacement": first, "initial_velocity": "200*pi"}),
        ]
    };
    for (near, far) in laws(0.0).iter().zip(&laws(1e5 * std::f64::consts::TAU)) {
        for ((method, formulation), same) in every_method().into_iter().zip(every_method()) {
            let name = format!("{} {formulation:?} {far}", method.name());
            let ([_, before, least], [seen, off, steps]) = (cranked(near, same), cranked(far, (method, formulation)));
            println!("{name}: violation {seen:.1e}, off {off:.1e} after {before:.1e}, {steps} steps after {least}");
            // A corrector stops at a thirtieth of its tolerance.
            assert!(seen < 1e-9, "{name}: {seen}");
            // What integrates the angle loses a unit of its last place in each step, at most.
            assert!(off < before + 1.2e-10 * steps.max(10.0), "{name}: {off} {before}");
            assert!(steps < 1.3 * least, "{name}: {steps} {least}");
        }
    }
}
