//! Flexible beams against closed forms and against chains of rigid pieces.

use crate::support::runs::{named_measures, try_compile};
use fourbar_multibody::analysis::{Equilibrium, Linearization};
use fourbar_multibody::flexible::{BeamElements, CraigBampton, ReductionError, Section};
use fourbar_multibody::integrator::{Gstiff, Rkf45};
use fourbar_multibody::space::{V3, rotation};
use fourbar_multibody::{Formulation, Inputs, Mechanism, Method};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;

/// How a case holds its beam.
type Holding<'a> = &'a dyn Fn(&mut Value);

const LENGTH: f64 = 2.0;
const AREA: f64 = 4e-4;
const I: f64 = 2e-8;
const E: f64 = 7e10;
const DENSITY: f64 = 2700.0;
const MASS: f64 = DENSITY * AREA * LENGTH;

fn beam(modes: usize) -> Value {
    json!({ "length": LENGTH, "area": AREA, "iyy": I, "izz": 3.0 * I, "youngs_modulus": E, "shear_modulus": 2.7e10, "density": DENSITY, "modes": modes,
        "elements": 12 })
}

fn fixed_to_ground(model: &mut Value) {
    model["joint"] = json!([{ "name": "clamp", "type": "fixed", "i": "beam/start", "j": "ground" }]);
}

fn si2(tolerance: f64) -> (Method, Formulation) {
    (Gstiff::with_tolerance(tolerance).into(), Formulation::Si2)
}

/// Frequencies at the start, ascending, without those of zero [rad/s].
fn frequencies(mechanism: &Arc<Mechanism>) -> Vec<f64> {
    let linear = Linearization::new(mechanism, mechanism.start(), &Inputs::start(mechanism)).expect("linear");
    let mut found: Vec<f64> = linear.a.complex_eigenvalues().iter().map(|e| e.im).filter(|im| *im > 1.0).collect();
    found.sort_by(f64::total_cmp);
    found
}

/// Left to itself a mode has 1 % of its critical damping below 100 Hz, 10 % up to 1,000 Hz and 100 % above, as in Adams; 0 takes it away.
#[test]
fn damping_left_out_is_that_of_the_frequency() {
    let poles = |damping: Value| {
        let mut model = json!({ "flexible": [{ "name": "beam", "beam": beam(12) }] });
        damping.as_object().into_iter().flatten().for_each(|(name, value)| model["flexible"][0][name] = value.clone());
        let mechanism = try_compile(&model).expect("compiled");
        let linear = Linearization::new(&mechanism, mechanism.start(), &Inputs::start(&mechanism)).expect("linear");
        linear.a.complex_eigenvalues()
    };
    let mut seen = [0; 3];
    for pole in poles(json!({})).iter().filter(|pole| pole.norm() > 1.0) {
        let hertz = pole.norm() / std::f64::consts::TAU;
        let (range, ratio) = if hertz < 100.0 {
            (0, 0.01)
        } else {
            (usize::from(hertz > 1000.0) + 1, [0.1, 1.0][usize::from(hertz > 1000.0)])
        };
        seen[range] += 1;
        // A double pole is known to the root of rounding and of the differences.
        let near = if ratio == 1.0 { 1e-2 } else { 1e-5 };
        assert!((-pole.re / pole.norm() - ratio).abs() < near, "{pole} of {hertz} Hz");
    }
    assert!(seen.iter().all(|count| *count > 3), "{seen:?}");
    for stated in [json!({ "damping_ratio": 0 }), json!({ "stiffness_damping": 0 })] {
        let all = poles(stated.clone());
        let worst = all.iter().filter(|p| p.norm() > 1.0).map(|p| p.re.abs() / p.norm()).fold(0.0, f64::max);
        assert!(worst < 1e-6, "{stated}: {worst:e}");
    }
}

/// A quadratic energy about its lowest value has no slope; it neither jumps nor bends for that.
#[test]
fn energies_of_a_beam_are_smooth() {
    for gravity in [0.0, -9.81] {
        let mut model = json!({ "gravity": [0, gravity, 0], "flexible": [{ "name": "beam", "beam": beam(4) }],
            "measure": [{ "name": "e", "type": "total_energy" }, { "name": "k", "type": "kinetic_energy" }, { "name": "p", "type": "potential_energy" }] });
        fixed_to_ground(&mut model);
        let mechanism = try_compile(&model).expect("compiled");
        let rest = Equilibrium::find(&mechanism, mechanism.start(), &Inputs::start(&mechanism)).expect("rest");
        for state in [mechanism.start(), &rest.state] {
            let linear = Linearization::new(&mechanism, state, &Inputs::start(&mechanism)).expect("linear");
            assert_eq!(linear.rough, [], "{gravity}");
        }
    }
}

/// The frame of a beam lies on no piece of it.
#[test]
fn a_joint_on_the_floating_frame_is_refused_with_the_nodes() {
    for place in ["i", "j"] {
        let mut model = json!({ "flexible": [{ "name": "arm", "beam": beam(2) }],
            "joint": [{ "name": "clamp", "type": "fixed", "i": "ground", "j": "ground" }] });
        model["joint"][0][place] = json!("arm");
        let refused = try_compile(&model).expect_err("refused").to_string();
        assert!(refused.contains("clamp") && refused.contains("arm/start") && refused.contains("arm/end"), "{refused}");
    }
}

/// cosh x cos x = -1 for a cantilever, 1 for a free beam, sin x = 0 for a pinned one; frequencies x^2 sqrt(E I/(rho A L^4)).
#[test]
fn frequencies_are_those_of_euler_and_bernoulli() {
    let unit = (E * I / (DENSITY * AREA * LENGTH.powi(4))).sqrt();
    let pi = std::f64::consts::PI;
    let pinned = |model: &mut Value| {
        model["marker"] = json!([
            { "name": "left", "body": "ground", "orientation": { "z_axis": [0, 1, 0] } },
            { "name": "right", "body": "ground", "position": [LENGTH, 0, 0], "orientation": { "z_axis": [1, 0, 0] } },
            { "name": "own", "body": "beam/start", "orientation": { "z_axis": [0, 1, 0] } },
        ]);
        model["joint"] = json!([
            { "name": "pin", "type": "revolute", "i": "own", "j": "left" },
            { "name": "slide", "type": "inline", "i": "beam/end", "j": "right" },
        ]);
    };
    let cases: [(&str, Holding<'_>, [f64; 3]); 3] = [
        ("clamped", &fixed_to_ground, [1.875_104_07, 4.694_091_13, 7.854_757_44]),
        ("free", &|_| (), [4.730_040_74, 7.853_204_62, 10.995_607_8]),
        ("pinned", &pinned, [pi, 2.0 * pi, 3.0 * pi]),
    ];
    for (name, hold, roots) in cases {
        let mut model = json!({ "flexible": [{ "name": "beam", "beam": beam(12) }] });
        hold(&mut model);
        let found = frequencies(&try_compile(&model).expect("compiled"));
        for x in roots {
            // Bending in the other plane is sqrt 3 as fast; rotary inertia slows by x^2 I/(2 A L^2), some 1e-3 at most.
            for (w, rotary) in [(x * x * unit, I), (x * x * unit * 3f64.sqrt(), 3.0 * I)] {
                if name == "pinned" && rotary > I {
                    continue;
                }
                let near = found.iter().map(|f| (f / w - 1.0).abs()).fold(f64::INFINITY, f64::min);
                println!("{name} {x}: {near:e}");
                assert!(
                    near < 4e-4 + 4.0 * x * x * rotary / (AREA * LENGTH * LENGTH),
                    "{name} {x}: {near:e} of {found:?}"
                );
            }
        }
    }
}

/// P L^3/(3 E I), and its slope P L^2/(2 E I); 5 q L^4/(384 E I) in the middle of a pinned beam.
#[test]
fn deflections_at_rest_are_those_of_beams() {
    let load = 0.05;
    let mut model = json!({
        "flexible": [{ "name": "beam", "beam": beam(2) }],
        "force": [{ "name": "p", "type": "force", "i": "beam/end", "value": [0, load, 0] }],
    });
    fixed_to_ground(&mut model);
    let mechanism = try_compile(&model).expect("compiled");
    let found = Equilibrium::find(&mechanism, mechanism.start(), &Inputs::start(&mechanism)).expect("rest");
    assert!(found.stable);
    let tip = mechanism.bodies().iter().position(|body| body.name == "beam/end").expect("a node");
    let pose = found.state.poses[tip];
    let (way, slope) = (load * LENGTH.powi(3) / (9.0 * E * I), load * LENGTH.powi(2) / (6.0 * E * I));
    // The frame of a free body turns with the bending: its cosine is off by the square of the slope.
    println!("{:e} {:e}", pose.x.y / way - 1.0, pose.a[(1, 0)] / slope - 1.0);
    assert!((pose.x.y / way - 1.0).abs() < slope * slope && (pose.a[(1, 0)] / slope - 1.0).abs() < slope * slope);
    let mut own = beam(6);
    own["stations"] = json!({ "mid": LENGTH / 2.0 });
    let model = json!({
        "gravity": [0, 0, -0.02],
        "flexible": [{ "name": "beam", "beam": own }],
        "marker": [
            { "name": "left", "body": "ground", "orientation": { "z_axis": [0, 1, 0] } },
            { "name": "right", "body": "ground", "position": [LENGTH, 0, 0], "orientation": { "z_axis": [1, 0, 0] } },
            { "name": "own", "body": "beam/start", "orientation": { "z_axis": [0, 1, 0] } },
        ],
        "joint": [
            { "name": "pin", "type": "revolute", "i": "own", "j": "left" },
            { "name": "slide", "type": "inline", "i": "beam/end", "j": "right" },
        ],
    });
    let mechanism = try_compile(&model).expect("compiled");
    let found = Equilibrium::find(&mechanism, mechanism.start(), &Inputs::start(&mechanism)).expect("rest");
    let mid = mechanism.bodies().iter().position(|body| body.name == "beam/mid").expect("a node");
    let sag = 5.0 * 0.02 * MASS / LENGTH * LENGTH.powi(4) / (384.0 * E * I);
    println!("{:e}", found.state.poses[mid].x.z / -sag - 1.0);
    assert!((found.state.poses[mid].x.z / -sag - 1.0).abs() < 1e-4);
}

/// A free beam that turns and bends, under no force: what it has together stays.
#[test]
fn a_free_beam_keeps_momentum_and_energy() {
    let turn = V3::new(0.3, -0.5, 0.8);
    let mut own = beam(2);
    own["highest_frequency"] = json!(300.0);
    let model = json!({
        "flexible": [{ "name": "beam", "beam": own, "damping_ratio": 0, "velocity": [0.3, -0.2, 0.5], "angular_velocity": [1.0, 2.0, -3.0],
            "orientation": { "axis": <[f64; 3]>::from(turn.normalize()), "angle": turn.norm() }, "start": [0.05, 0.02], "start_rate": [1.0, -2.0, 0.5] }],
        "measure": [
            { "name": "e", "type": "total_energy" }, { "name": "own", "type": "total_energy", "body": "beam" },
            { "name": "p", "type": "momentum", "body": "beam" }, { "name": "l", "type": "angular_momentum", "body": "beam" },
            { "name": "x", "type": "position", "i": "beam" },
        ],
    });
    let mechanism = try_compile(&model).expect("compiled");
    for method in [
        si2(1e-10),
        (Gstiff::with_tolerance(1e-10).into(), Formulation::Si1),
        (Rkf45::with_tolerance(1e-10).into(), Formulation::Si2),
    ] {
        let found = named_measures(&mechanism, method, &[1e-9, 0.2, 0.5]);
        for later in &found[1..] {
            for name in ["e", "own", "p.x", "p.y", "p.z", "l.x", "l.y", "l.z"] {
                let (before, now) = (found[0][name], later[name]);
                println!("{name}: {before} {now}");
                assert!((now - before).abs() < 1e-6 * (1.0 + before.abs()), "{name}: {before} {now}");
            }
            // Its nodes and modes have part of the energy of the whole.
            assert!((later["own"] - later["e"]).abs() < 1e-9 * later["e"].abs());
        }
        // The velocities of nodes at the start, which bend, are corrected to first order of the bending.
        assert!((found[0]["p.x"] / MASS - 0.3).abs() < 1e-3);
    }
}

/// A pendulum of a flexible arm; all lengths in `scale` metres, placed anywhere.
fn pendulum(stiff: f64, turn: V3, place: V3) -> Value {
    let a = rotation(&turn);
    let global = |v: V3| -> [f64; 3] { (a * v + place).into() };
    let orientation = json!({ "axis": <[f64; 3]>::from(turn.normalize()), "angle": turn.norm() });
    let mut own = beam(1);
    own["youngs_modulus"] = json!(E * stiff);
    own["shear_modulus"] = json!(2.7e10 * stiff);
    // Of the free modes the lowest ones: at a hundredth of the stiffness 3, 6, 9 and 15 Hz.
    own["highest_frequency"] = json!(180.0 * stiff.sqrt());
    json!({
        "gravity": <[f64; 3]>::from(a * V3::new(0.0, -9.81, 0.0)),
        "flexible": [{ "name": "arm", "beam": own, "position": global(V3::zeros()), "orientation": orientation, "damping_ratio": 0.3 }],
        "marker": [
            { "name": "axle", "body": "ground", "position": global(V3::zeros()), "orientation": orientation },
            { "name": "frame", "body": "ground", "position": global(V3::zeros()), "orientation": orientation },
        ],
        "joint": [{ "name": "hinge", "type": "revolute", "i": "arm/start", "j": "axle" }],
        "measure": [
            { "name": "tip", "type": "position", "i": "arm/end", "j": "frame", "frame": "frame" },
            { "name": "e", "type": "total_energy" }, { "name": "angle", "type": "angle", "i": "arm/start", "j": "frame" },
            { "name": "r", "type": "reaction", "joint": "hinge", "quantity": "force", "frame": "frame" },
        ],
    })
}

#[test]
fn a_stiff_arm_is_a_rigid_one() {
    let flexible = pendulum(1e4, V3::new(0.0, 0.0, 1e-9), V3::zeros());
    let mut rigid = flexible.clone();
    let cross = DENSITY * LENGTH * I;
    let across = MASS * LENGTH * LENGTH / 12.0;
    rigid["body"] = json!([
        { "name": "arm", "mass": MASS, "inertia": [4.0 * cross, across + cross, across + 3.0 * cross], "center_of_mass": [LENGTH / 2.0, 0, 0] },
    ]);
    rigid["flexible"] = json!([]);
    rigid["marker"].as_array_mut().expect("markers").extend([
        json!({ "name": "arm/start", "body": "arm" }),
        json!({ "name": "arm/end", "body": "arm", "position": [LENGTH, 0, 0] }),
    ]);
    let [flexible, rigid] = [flexible, rigid].map(|model| {
        let mechanism = try_compile(&model).expect("compiled");
        // Modes of some kHz: their free vibration is damped away, what is left is how far the arm bends.
        named_measures(&mechanism, si2(1e-8), &[0.4, 1.1])
    });
    for (flexible, rigid) in flexible.iter().zip(&rigid) {
        for name in ["tip.x", "tip.y", "angle"] {
            println!("{name} {:e} {:e}", rigid[name], flexible[name] - rigid[name]);
            assert!((flexible[name] - rigid[name]).abs() < 2e-5, "{name} {} {}", flexible[name], rigid[name]);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3))]
    #[test]
    fn where_and_how_it_is_drawn_does_not_matter(turn in prop::array::uniform3(-2.0..2.0f64), place in prop::array::uniform3(-5.0..5.0f64)) {
        let models = [pendulum(1e-2, V3::new(0.0, 0.0, 1e-9), V3::zeros()), pendulum(1e-2, V3::from(turn), V3::from(place))];
        let [one, other] = models.map(|model| named_measures(&try_compile(&model).expect("compiled"), si2(1e-9), &[0.3, 0.6]));
        for (one, other) in one.iter().zip(&other) {
            for name in ["tip.x", "tip.y", "tip.z", "angle"] {
                prop_assert!((one[name] - other[name]).abs() < 1e-6, "{name}: {} {}", one[name], other[name]);
            }
        }
    }
}

/// Millimetres, tonnes, seconds and newtons.
#[test]
fn units_do_not_matter() {
    let model = pendulum(1e-2, V3::new(0.0, 0.0, 1e-9), V3::zeros());
    let mut small = model.clone();
    let mut own = beam(1);
    for (name, factor) in
        [("length", 1e3), ("area", 1e6), ("iyy", 1e12), ("izz", 1e12), ("youngs_modulus", 1e-8), ("density", 1e-12)]
    {
        own[name] = json!(own[name].as_f64().expect("a number") * factor);
    }
    own["shear_modulus"] = json!(2.7e10 * 1e-8);
    own["highest_frequency"] = json!(18.0);
    small["flexible"][0]["beam"] = own;
    small["units"] = json!("mm, t, s, N");
    small["gravity"] = json!([0, -9810, 0]);
    let [one, other] =
        [model, small].map(|model| named_measures(&try_compile(&model).expect("compiled"), si2(1e-9), &[0.5]));
    for (name, value) in &one[0] {
        assert!((value - other[0][name]).abs() < 1e-7 * (1.0 + value.abs()), "{name}: {value} {}", other[0][name]);
    }
}

/// Damping over stiffness \[s\]: a hundredth of critical for the lowest bending, more than that for stretch.
const LAG: f64 = 1e-4;

/// A cantilever of rigid pieces between beam elements, and the flexible body, spun up to a speed at which stiffening by the spin is a part in a thousand.
#[test]
fn an_arm_spun_up_bends_as_a_chain_of_beams() {
    let (speed, rise, count) = (2.0, 1.0, 16);
    let law = format!("{speed}*(time^2/{} + {rise}/(2*pi)^2*(cos(2*pi*time/{rise}) - 1))", 2.0 * rise);
    let around = json!({
        "joint": [{ "name": "axle", "type": "revolute", "i": "hub", "j": "ground" }, { "name": "clamp", "type": "fixed", "i": "root", "j": "hub" }],
        "motion": [{ "name": "turn", "joint": "axle", "displacement": law }],
        "measure": [{ "name": "tip", "type": "position", "i": "tip", "j": "hub", "frame": "hub" }],
    });
    let hub = json!({ "name": "hub", "mass": 1, "inertia": [1, 1, 1] });
    let mut own = beam(3);
    own["highest_frequency"] = json!(2000.0);
    let mut flexible = around.clone();
    flexible["flexible"] = json!([{ "name": "arm", "beam": own, "stiffness_damping": LAG }]);
    flexible["body"] = json!([hub]);
    flexible["marker"] = json!([{ "name": "root", "body": "arm/start" }, { "name": "tip", "body": "arm/end" }]);
    let mut chain = around;
    let step = LENGTH / f64::from(count);
    let mut bodies = vec![hub];
    let mut forces = Vec::new();
    for n in 0..=count {
        let share = if n == 0 || n == count { 0.5 } else { 1.0 };
        let (m, cross) = (share * DENSITY * AREA * step, share * DENSITY * I * step);
        bodies.push(json!({ "name": format!("n{n}"), "mass": m, "inertia": [4.0 * cross, cross, 3.0 * cross], "position": [step * f64::from(n), 0, 0] }));
        if n > 0 {
            forces.push(json!({ "name": format!("b{n}"), "type": "beam", "i": format!("n{n}"), "j": format!("n{}", n - 1), "length": step, "area": AREA,
                "iyy": I, "izz": 3.0 * I, "ixx": 4.0 * I, "youngs_modulus": E, "shear_modulus": 2.7e10, "damping_ratio": LAG }));
        }
    }
    chain["body"] = json!(bodies);
    chain["force"] = json!(forces);
    chain["marker"] = json!([{ "name": "root", "body": "n0" }, { "name": "tip", "body": format!("n{count}") }]);
    let times = [0.25, 0.5, 0.75, 1.0];
    let [flexible, chain] =
        [flexible, chain].map(|model| named_measures(&try_compile(&model).expect("compiled"), si2(1e-8), &times));
    for (found, reference) in flexible.iter().zip(&chain) {
        let (found, reference) = (found["tip.y"], reference["tip.y"]);
        println!("{found:e} {reference:e}");
        assert!((found - reference).abs() < 0.01 * 3e-3, "{found:e} {reference:e}");
    }
    assert!(chain.iter().map(|at| at["tip.y"].abs()).fold(0.0, f64::max) > 3e-3);
}

/// A short cantilever: P L^3/(3 E I) + k P L/(G A).
#[test]
fn shear_adds_to_the_deflection() {
    let (length, shear, load) = (0.1_f64, 1.2, 10.0);
    let mut own = beam(1);
    (own["length"], own["shear_factor"]) = (json!(length), json!(shear));
    let mut model = json!({
        "flexible": [{ "name": "beam", "beam": own }],
        "force": [{ "name": "p", "type": "force", "i": "beam/end", "value": [0, 0, load] }],
    });
    fixed_to_ground(&mut model);
    let mechanism = try_compile(&model).expect("compiled");
    let found = Equilibrium::find(&mechanism, mechanism.start(), &Inputs::start(&mechanism)).expect("rest");
    let tip = mechanism.bodies().iter().position(|body| body.name == "beam/end").expect("a node");
    let expected = load * length.powi(3) / (3.0 * E * I) + shear * load * length / (2.7e10 * AREA);
    assert!((found.state.poses[tip].x.z / expected - 1.0).abs() < 1e-5, "{} {expected}", found.state.poses[tip].x.z);
}

#[test]
fn elements_that_are_held_are_no_flexible_body() {
    let section = Section {
        area: AREA,
        moments: [I, I],
        torsion: 2.0 * I,
        youngs_modulus: E,
        shear_modulus: 2.7e10,
        density: DENSITY,
        shear_factor: 0.0,
    };
    let mut elements = BeamElements::new(&section, vec![0.0, 0.7, 1.4, 2.0]);
    let interface: Vec<usize> = (0..6).chain(18..24).collect();
    let free = CraigBampton { mass: &elements.mass, stiffness: &elements.stiffness, interface: &interface, modes: 2 };
    let modes = free.reduce().expect("modes");
    assert_eq!(modes.frequencies.len(), 8);
    let unit = (E * I / (DENSITY * AREA * LENGTH.powi(4))).sqrt();
    assert!((modes.frequencies[0] / (4.730_040_74f64.powi(2) * unit) - 1.0).abs() < 0.01, "{:?}", modes.frequencies);
    let one = modes.shapes.transpose() * &elements.mass * &modes.shapes;
    assert!((one - nalgebra::DMatrix::identity(8, 8)).amax() < 1e-9);
    for k in 0..6 {
        elements.stiffness[(k, k)] *= 2.0;
    }
    let held = CraigBampton { mass: &elements.mass, stiffness: &elements.stiffness, interface: &interface, modes: 2 };
    assert!(matches!(held.reduce(), Err(ReductionError::Held { .. })));
    let wrong = CraigBampton { mass: &elements.mass, stiffness: &elements.stiffness, interface: &[99], modes: 2 };
    assert!(matches!(wrong.reduce(), Err(ReductionError::Shape { unknown: 99, .. })));
}
