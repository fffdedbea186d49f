//! Bushings and beams against closed forms.

use crate::support::runs::{named_measures, tight_methods, try_compile};
use fourbar_multibody::Inputs;
use fourbar_multibody::analysis::{Equilibrium, Linearization, Sampler};
use fourbar_multibody::space::{V3, rotation};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// x and x' at `t` of m x'' + c x' + k x = p, below critical damping.
fn oscillator([m, c, k, p]: [f64; 4], [x, v]: [f64; 2], t: f64) -> [f64; 2] {
    let (decay, rest) = (0.5 * c / m, p / k);
    let omega = (k / m - decay * decay).sqrt();
    let (sin, cos) = (omega * t).sin_cos();
    let (a, b) = (x - rest, (v + decay * (x - rest)) / omega);
    let e = (-decay * t).exp();
    let y = e * (a * cos + b * sin);
    [rest + y, e * omega * (b * cos - a * sin) - decay * y]
}

const MASS: f64 = 2.0;
const MOMENT: f64 = 0.01;
const K: [f64; 6] = [5e5, 2e5, 1e5, 7.0, 6.0, 4.0];
const C: [f64; 6] = [200.0, 80.0, 30.0, 0.0, 0.0, 0.05];
const P: [f64; 6] = [50.0, -20.0, 0.0, 0.0, 0.0, 0.1];
const START: [[f64; 2]; 3] = [[1e-3, 0.2], [-2e-3, 0.0], [5e-4, -0.1]];
const SPIN: f64 = 9.0;

/// A ball on a bushing whose axes are tilted, all lengths times `scale`; forces, so masses, are left.
fn ball(tilt: [f64; 3], scale: f64) -> Value {
    let turn = V3::from(tilt);
    let c = rotation(&turn);
    let global = |v: V3| -> [f64; 3] { (c * v * scale).into() };
    let start = |k: usize| V3::from(START.map(|s| s[k]));
    let spin: [f64; 3] = (c * V3::new(0.0, 0.0, SPIN)).into();
    let orientation = json!({ "axis": <[f64; 3]>::from(turn.normalize()), "angle": turn.norm() });
    let area = scale * scale;
    let k: Vec<f64> = (0..6).map(|n| if n < 3 { K[n] / scale } else { K[n] * scale }).collect();
    let d: Vec<f64> = (0..6).map(|n| if n < 3 { C[n] / scale } else { C[n] * scale }).collect();
    let p: Vec<f64> = (0..6).map(|n| if n < 3 { P[n] } else { P[n] * scale }).collect();
    // Forces stay while accelerations grow with the scale, so masses fall.
    json!({
        "body": [{ "name": "ball", "mass": MASS / scale, "inertia": [MOMENT * area / scale, MOMENT * area / scale, MOMENT * area / scale],
            "position": global(start(0)), "velocity": global(start(1)), "angular_velocity": spin, "orientation": orientation }],
        "marker": [{ "name": "seat", "body": "ground", "orientation": orientation }],
        "force": [{ "name": "bush", "type": "bushing", "i": "ball", "j": "seat", "stiffness": k, "damping": d, "preload": p, "angles": "projected" }],
        "measure": [
            { "name": "x", "type": "position", "i": "ball", "frame": "seat" },
            { "name": "turn", "type": "angle", "i": "ball", "j": "seat" },
            { "name": "stored", "type": "potential_energy" },
            { "name": "f", "type": "reaction", "force": "bush", "quantity": "force", "frame": "seat" },
            { "name": "m", "type": "reaction", "force": "bush", "quantity": "torque", "frame": "seat" },
        ],
    })
}

#[test]
fn a_ball_on_a_bushing_is_four_oscillators_in_the_axes_of_j() {
    let times = [0.001, 0.01, 0.03, 0.2];
    let mut worst = 0.0_f64;
    for (tilt, scale) in
        [([0.0, 0.0, 1e-9], 1.0), ([0.5, -1.1, 0.7], 1.0), ([0.2, 0.3, 2.0], 1e-6), ([1.0, 0.0, 0.4], 1e3)]
    {
        let mechanism = try_compile(&ball(tilt, scale)).expect("compiled");
        for method in tight_methods() {
            for (found, t) in named_measures(&mechanism, method.clone(), &times).into_iter().zip(times) {
                let [turn, rate] = oscillator([MOMENT, C[5], K[5], P[5]], [0.0, SPIN], t);
                worst = worst.max((found["turn"] - turn).abs());
                let torque = P[5] - K[5] * turn - C[5] * rate;
                worst = worst.max((found["m.z"] / scale - torque).abs() * 1e-2);
                let mut stored = (0.5 * K[5] * turn - P[5]) * turn;
                for (k, name) in ["x", "y", "z"].into_iter().enumerate() {
                    let [x, v] = oscillator([MASS, C[k], K[k], P[k]], START[k], t);
                    let force = P[k] - K[k] * x - C[k] * v;
                    stored += (0.5 * K[k] * x - P[k]) * x;
                    // Displacements of millimetres, forces of hundreds of newtons.
                    worst = worst.max((found[&format!("x.{name}")] / scale - x).abs());
                    worst = worst.max((found[&format!("f.{name}")] - force).abs() / K[k]);
                }
                worst = worst.max((found["stored"] / scale - stored).abs() * 1e-2);
            }
        }
        println!("{tilt:?} {scale:e}: {worst:.2e}");
    }
    assert!(worst < 1e-8, "{worst:e}");
}

/// Two free bodies with any matrices between them.
fn pair(tilt: [f64; 3], values: &[f64]) -> Value {
    let matrix = |from: usize, size: f64| -> Vec<Vec<f64>> {
        (0..6).map(|r| (0..6).map(|c| size * values[from + 6 * r + c]).collect()).collect()
    };
    let turn = V3::from(tilt);
    let body = |name: &str, x: [f64; 3], v: [f64; 3]| json!({ "name": name, "mass": 2, "inertia": [0.3, 0.4, 0.5], "position": x, "velocity": v, "angular_velocity": [0.3, -0.2, 0.5] });
    let six = |from: usize| values[from..from + 6].to_vec();
    json!({
        "body": [body("a", [0.1, 0.2, -0.1], [0.1, 0.0, 0.0]), body("b", [0.0, 0.0, 0.5], [0.0, -0.3, 0.2])],
        "marker": [
            { "name": "i", "body": "a", "position": [0.3, -0.2, 0.5], "orientation": { "axis": <[f64; 3]>::from(turn.normalize()), "angle": turn.norm() } },
            { "name": "j", "body": "b", "position": [-0.1, 0.6, 0.2] },
        ],
        "force": [
            { "name": "bush", "type": "bushing", "i": "i", "j": "j", "stiffness": [20, 0, 30, 2, 0, 1], "stiffness_matrix": matrix(0, 3.0),
              "damping_matrix": matrix(36, 0.5), "preload": six(72), "angles": "projected" },
        ],
        "measure": [
            { "name": "pa", "type": "momentum", "body": "a" }, { "name": "pb", "type": "momentum", "body": "b" },
            { "name": "la", "type": "angular_momentum", "body": "a" }, { "name": "lb", "type": "angular_momentum", "body": "b" },
            { "name": "xa", "type": "position", "i": { "body": "a" } }, { "name": "xb", "type": "position", "i": { "body": "b" } },
            { "name": "q", "type": "position", "i": "i", "j": "j", "frame": "j" },
            { "name": "u", "type": "velocity", "i": "i", "j": "j", "frame": "j", "seen_from": "j" },
            { "name": "angle", "type": "axis_angles", "i": "i", "j": "j" },
            { "name": "w", "type": "angular_velocity", "i": "i", "j": "j", "frame": "j" },
            { "name": "f", "type": "reaction", "force": "bush", "quantity": "force", "frame": "j" },
            { "name": "m", "type": "reaction", "force": "bush", "quantity": "torque", "frame": "j" },
        ],
    })
}

fn vector(values: &BTreeMap<String, f64>, name: &str) -> V3 {
    V3::from(["x", "y", "z"].map(|k| values[&format!("{name}.{k}")]))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    /// The law term by term from the measures, and the sums of momenta, which forces that balance leave.
    #[test]
    fn any_matrices_balance(tilt in prop::array::uniform3(0.1..1.0_f64), values in prop::collection::vec(-1.0..1.0_f64, 78)) {
        let mechanism = try_compile(&pair(tilt, &values)).expect("compiled");
        let found = named_measures(&mechanism, tight_methods()[0].clone(), &[1e-6, 0.3]);
        let total = |at: &BTreeMap<String, f64>| {
            let [pa, pb] = ["pa", "pb"].map(|p| vector(at, p));
            let arms = vector(at, "xa").cross(&pa) + vector(at, "xb").cross(&pb);
            (pa + pb, arms + vector(at, "la") + vector(at, "lb"))
        };
        let (before, after) = (total(&found[0]), total(&found[1]));
        prop_assert!((before.0 - after.0).norm() < 1e-8, "{before:?} {after:?}");
        prop_assert!((before.1 - after.1).norm() < 1e-8, "{before:?} {after:?}");
        for at in &found {
            let six = |a: &str, b: &str| [vector(at, a), vector(at, b)].map(|v| [v.x, v.y, v.z]).concat();
            let (q, rate, wrench) = (six("q", "angle"), six("u", "w"), six("f", "m"));
            for row in 0..6 {
                let own = [20.0, 0.0, 30.0, 2.0, 0.0, 1.0][row] * q[row];
                let sum = |from: usize, of: &[f64]| -> f64 { (0..6).map(|c| values[from + 6 * row + c] * of[c]).sum() };
                let expected = values[72 + row] - own - 3.0 * sum(0, &q) - 0.5 * sum(36, &rate);
                prop_assert!((wrench[row] - expected).abs() < 1e-9, "{row}: {} {expected}", wrench[row]);
            }
        }
    }
}

/// The ground as I: the ball is J, and moves along its own x axis.
#[test]
fn the_ground_may_be_i() {
    let model = json!({
        "body": [{ "name": "ball", "mass": MASS, "inertia": [0.1, 0.1, 0.1], "position": [1e-3, 0, 0] }],
        "force": [{ "name": "bush", "type": "bushing", "i": "ground", "j": "ball", "stiffness": K, "damping": C }],
        "measure": [{ "name": "x", "type": "position", "i": "ball" }],
    });
    let found = &named_measures(&try_compile(&model).expect("compiled"), tight_methods()[0].clone(), &[0.02])[0];
    let [x, _] = oscillator([MASS, C[0], K[0], 0.0], [1e-3, 0.0], 0.02);
    assert!((found["x.x"] - x).abs() < 1e-9 && found["x.y"] == 0.0, "{found:?} {x}");
}

#[test]
fn values_that_make_no_sense_are_refused_at_their_place() {
    for (field, value, part) in [
        ("stiffness", json!([1, 1, -1, 0, 0, 0]), "zero or positive"),
        ("damping", json!([1, 1, 1, 0, 0, "-2"]), "zero or positive"),
        ("preload", json!([0, 0, 0, "1/0", 0, 0]), "preload"),
        ("j", json!("ball"), "both on"),
    ] {
        let mut model = ball([0.0, 0.0, 1.0], 1.0);
        model["force"][0][field] = value;
        let error = try_compile(&model).expect_err(field).to_string();
        assert!(error.contains("bush") && error.contains(field) && error.contains(part), "{error}");
    }
    let mut model = cantilever(1, [0.0; 2], 0.0);
    model["force"][0]["length"] = json!(0);
    let error = try_compile(&model).expect_err("length").to_string();
    assert!(error.contains("length") && error.contains("positive"), "{error}");
}

const LENGTH: f64 = 2.0;
const E: f64 = 2e11;
const SHEAR: f64 = 8e10;
const AREA: f64 = 1e-3;
const IYY: f64 = 3e-8;
const IZZ: f64 = 8e-8;
const DENSITY: f64 = 7800.0;

/// A cantilever along a tilted direction, of `count` beams between bodies, loaded at its tip by `tip` newtons along its y and z.
fn cantilever(count: usize, tip: [f64; 2], ratio: f64) -> Value {
    let turn = V3::new(0.4, -0.3, 0.9);
    let orientation = json!({ "axis": <[f64; 3]>::from(turn.normalize()), "angle": turn.norm() });
    let (along, step) = (rotation(&turn) * V3::x(), LENGTH / count as f64);
    let mass = DENSITY * AREA * step;
    let name = |k: usize| if k == 0 { "wall".to_owned() } else { format!("n{k}") };
    let body = |k: usize| {
        let own = if k == count { 0.5 * mass } else { mass };
        // Hardly any moment of inertia: Euler and Bernoulli's beam has none.
        let small = own * 1e-5 * step * step;
        json!({ "name": name(k), "mass": own, "inertia": [small, small, small], "position": <[f64; 3]>::from(along * (step * k as f64)), "orientation": orientation })
    };
    let beam = |k: usize| {
        json!({ "name": format!("b{k}"), "type": "beam", "i": name(k), "j": name(k - 1), "length": step, "area": AREA, "iyy": IYY, "izz": IZZ,
            "ixx": 1e-7, "asy": ratio, "asz": 0.5 * ratio, "youngs_modulus": E, "shear_modulus": SHEAR })
    };
    let mut forces: Vec<Value> = (1..=count).map(beam).collect();
    forces.push(
        json!({ "name": "load", "type": "force", "i": name(count), "frame": "wall", "value": [0, tip[0], tip[1]] }),
    );
    json!({
        "body": (1..=count).map(body).collect::<Vec<_>>(),
        "marker": [{ "name": "wall", "body": "ground", "orientation": orientation }],
        "force": forces,
        "measure": [
            { "name": "tip", "type": "position", "i": name(count), "frame": "wall" },
            { "name": "angle", "type": "axis_angles", "i": name(count), "j": "wall" },
        ],
    })
}

/// Deflection F L^3/(3 E I) + F L/(G A/as), slope F L^2/(2 E I), whatever the number of elements.
#[test]
fn a_tip_load_bends_a_cantilever_as_timoshenko_says() {
    // So small that the slope, 1.3e-4, changes lengths and forces by its square alone.
    let load = 1.0;
    for (count, ratio) in [(1, 0.0), (1, 1.2), (4, 0.0), (4, 300.0)] {
        let mechanism = try_compile(&cantilever(count, [load, -load], ratio)).expect("compiled");
        let inputs = Inputs::start(&mechanism);
        let mut state = Equilibrium::find(&mechanism, mechanism.start(), &inputs).expect("an equilibrium").state;
        let mut values = vec![0.0; mechanism.measures().len()];
        let mut sampler = Sampler::new(&mechanism, &state).expect("a sampler");
        sampler.sample(&mechanism, &mut state, &mut values).expect("sampled");
        let by_name: BTreeMap<String, f64> = mechanism.measures().iter().map(|m| m.name.clone()).zip(values).collect();
        let deflection = |i: f64, shear: f64| load * (LENGTH.powi(3) / (3.0 * E * i) + shear * LENGTH / (SHEAR * AREA));
        let slope = |i: f64| load * LENGTH * LENGTH / (2.0 * E * i);
        for (name, expected) in [
            ("tip.y", deflection(IZZ, ratio)),
            ("tip.z", -deflection(IYY, 0.5 * ratio)),
            ("angle.z", slope(IZZ)),
            ("angle.y", slope(IYY)),
        ] {
            let off = by_name[name] / expected - 1.0;
            println!("{count} {ratio} {name}: {:e} {off:.1e}", by_name[name]);
            assert!(off.abs() < 1e-6, "{count} {ratio} {name}: {} {expected}", by_name[name]);
        }
    }
}

/// The first two frequencies in each plane, (beta L)^2 sqrt(E I/(rho A L^4)): masses at points leave an error of order 2.
#[test]
fn the_frequencies_of_a_chain_of_beams_converge_to_those_of_a_cantilever() {
    let scale = |i: f64| (E * i / (DENSITY * AREA * LENGTH.powi(4))).sqrt();
    let roots = [1.875_104_068_711_961_f64, 4.694_091_132_974_174];
    let mut expected: Vec<f64> = [IYY, IZZ].iter().flat_map(|&i| roots.map(|b| b * b * scale(i))).collect();
    expected.sort_by(f64::total_cmp);
    let error = |count: usize| -> Vec<f64> {
        let mechanism = try_compile(&cantilever(count, [0.0; 2], 0.0)).expect("compiled");
        let linear = Linearization::new(&mechanism, mechanism.start(), &Inputs::start(&mechanism)).expect("linear");
        let mut found: Vec<f64> = linear.a.complex_eigenvalues().iter().map(|e| e.im).filter(|im| *im > 1.0).collect();
        found.sort_by(f64::total_cmp);
        expected.iter().zip(found).map(|(expected, found)| (found / expected - 1.0).abs()).collect()
    };
    let (coarse, fine) = (error(5), error(10));
    println!("{coarse:?} {fine:?}");
    for (coarse, fine) in coarse.iter().zip(&fine) {
        assert!(*fine < 0.02 && *fine < coarse / 3.0, "{coarse:e} {fine:e}");
    }
}

/// The energy of the pair: what dampers do not take stays, all of it without dampers.
#[test]
fn the_potential_of_a_bushing_is_what_it_stores() {
    let free = |c: f64| {
        json!({
            "body": [
                { "name": "a", "mass": 2, "inertia": [300, 300, 300], "position": [0.1, 0.2, -0.1], "velocity": [0.4, -0.2, 0.1], "angular_velocity": [1e-3, -2e-3, 3e-3] },
                { "name": "b", "mass": 3, "inertia": [300, 400, 500] },
            ],
            "force": [
                { "name": "bush", "type": "bushing", "i": "a", "j": "b", "stiffness": [20, 15, 30, 2, 3, 1], "damping": [c, c, c, c, c, c], "preload": [1, 2, 3, 0, 0, 0] },
            ],
            "measure": [
                { "name": "e", "type": "total_energy" }, { "name": "v", "type": "potential_energy" },
                { "name": "q", "type": "position", "i": "a", "j": "b", "frame": "b" },
            ],
        })
    };
    let found =
        named_measures(&try_compile(&free(0.0)).expect("compiled"), tight_methods()[0].clone(), &[1e-9, 0.7, 1.5]);
    let q = V3::new(0.1, 0.2, -0.1);
    let stored = 0.5 * (20.0 * q.x * q.x + 15.0 * q.y * q.y + 30.0 * q.z * q.z) - (q.x + 2.0 * q.y + 3.0 * q.z);
    assert!((found[0]["v"] - stored).abs() < 1e-8, "{} {stored}", found[0]["v"]);
    // The angles, below 0.01 rad, are those of a rotation vector to first order: torques are off by their squares.
    assert!((found[2]["e"] - found[0]["e"]).abs() < 1e-6 && (found[1]["v"] - stored).abs() > 0.1, "{found:?}");
    let damped =
        named_measures(&try_compile(&free(0.5)).expect("compiled"), tight_methods()[0].clone(), &[1e-9, 0.7, 1.5]);
    assert!(damped[2]["e"] < damped[1]["e"] && damped[1]["e"] < damped[0]["e"] - 0.1, "{damped:?}");
}

/// A full matrix of damping at a beam is that of a bushing with the same stiffness.
#[test]
fn a_beam_takes_a_full_matrix_of_damping() {
    let damping: Vec<Vec<f64>> =
        (0..6).map(|r| (0..6).map(|c| 0.2 * f64::from(2 * r + 3 * c).cos()).collect()).collect();
    let (l, k) = (0.5, 40.0);
    let with = |force: Value| {
        json!({
            "body": [{ "name": "a", "mass": 2, "inertia": [0.3, 0.3, 0.3], "position": [0.55, 0.02, 0.0], "velocity": [0.0, 0.3, 0.1], "angular_velocity": [0.2, 0.1, -0.1] }],
            "force": [force],
            "measure": [{ "name": "x", "type": "position", "i": "a" }, { "name": "p", "type": "axis_angles", "i": "a" }],
        })
    };
    // E A/L = 40, all else from E I = 0 but torsion G J/L = 3.
    let beam = json!({ "name": "f", "type": "beam", "i": "a", "j": "ground", "length": l, "area": 0.01, "iyy": 0, "izz": 0, "ixx": 1e-3,
        "youngs_modulus": k * l / 0.01, "shear_modulus": 3.0 * l / 1e-3, "damping_ratio": 0.05, "damping_matrix": damping, "angles": "projected" });
    let bushing = json!({ "name": "f", "type": "bushing", "i": "a", "j": "ground", "stiffness": [k, 0, 0, 3, 0, 0], "damping": [0.05 * k, 0, 0, 0.15, 0, 0],
        "damping_matrix": damping, "preload": [k * l, 0, 0, 0, 0, 0], "angles": "projected" });
    let [one, other] = [beam, bushing]
        .map(|force| named_measures(&try_compile(&with(force)).expect("compiled"), tight_methods()[0].clone(), &[0.8]));
    for (name, value) in &one[0] {
        assert!((value - other[0][name]).abs() < 1e-9, "{name}: {value} {}", other[0][name]);
    }
}

/// Out-of-plane frequency of a beam that turns about its root at eta sqrt(E I/(rho A L^4)): Wright, Smith, Thresher and Wang, Vibration modes of
/// centrifugally stiffened beams, Journal of Applied Mechanics 49 (1982), table 1: 3.5160 at rest, 7.3604 at eta = 6, 13.1702 at 12.
#[test]
fn a_rotating_beam_is_stiffened_by_its_spin() {
    let scale = (E * IYY / (DENSITY * AREA * LENGTH.powi(4))).sqrt();
    for (eta, expected) in [(0.0, 3.5160), (6.0, 7.3604), (12.0, 13.1702)] {
        let [coarse, fine] = [5, 10].map(|count| flapping(count, eta * scale) / scale / expected - 1.0);
        println!("{eta}: {coarse:e} {fine:e}");
        // Masses at points leave an error of order 2, which grows with the spin.
        assert!(fine.abs() < 0.02 && fine.abs() < coarse.abs() / 3.0, "{eta}: {coarse:e} {fine:e}");
    }
}

/// The lowest frequency of a cantilever along x that turns with `spin` about z at its root, stretched by that, in axes that turn along [rad/s].
fn flapping(count: usize, spin: f64) -> f64 {
    let (step, k) = (LENGTH / count as f64, E * AREA * count as f64 / LENGTH);
    let mass = |n: usize| DENSITY * AREA * step * if n == count { 0.5 } else { 1.0 };
    // k (x_n - x_(n-1) - step) = spin^2 sum of m x further out.
    let mut x: Vec<f64> = (0..=count).map(|n| step * n as f64).collect();
    for _ in 0..30 {
        for n in 1..=count {
            let outer: f64 = (n..=count).map(|m| mass(m) * x[m]).sum();
            x[n] = x[n - 1] + step + spin * spin * outer / k;
        }
    }
    let mut model = cantilever(count, [0.0; 2], 0.0);
    let bodies = model["body"].as_array_mut().expect("bodies");
    for (body, &x) in bodies.iter_mut().zip(&x[1..]) {
        body["orientation"] = json!({ "axis": [0, 0, 1], "angle": 0 });
        body["position"] = json!([x, 0, 0]);
        body["velocity"] = json!([0, spin * x, 0]);
        body["angular_velocity"] = json!([0, 0, spin]);
    }
    bodies.push(json!({ "name": "hub", "mass": 1, "inertia": [1, 1, 1] }));
    for beam in model["force"].as_array_mut().expect("forces").iter_mut().take(count) {
        // Bending in the plane of the turn stays above that out of it.
        beam["izz"] = json!(20.0 * IYY);
    }
    model["marker"] = json!([{ "name": "wall", "body": "hub" }]);
    model["joint"] = json!([{ "name": "axle", "type": "revolute", "i": "hub", "j": "ground" }]);
    model["motion"] = json!([{ "name": "turn", "joint": "axle", "displacement": format!("{spin:e}*time") }]);
    let mechanism = try_compile(&model).expect("compiled");
    let linear = Linearization::new(&mechanism, mechanism.start(), &Inputs::start(&mechanism)).expect("linear");
    // In global axes the matrix turns with the beam; in those of the hub its vectors change by - spin x as well.
    let mut a = linear.a;
    for first in (0..a.nrows()).step_by(3) {
        a[(first, first + 1)] += spin;
        a[(first + 1, first)] -= spin;
    }
    let im = a.complex_eigenvalues();
    im.iter().map(|e| e.im).filter(|im| *im > 1.0).fold(f64::INFINITY, f64::min)
}
