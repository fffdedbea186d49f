//! `fourbar statics`, `fourbar kinematics`, and `fourbar linear` of mechanisms: what they print, the firmware they write, what is refused.

use super::fourbar;
use crate::pages;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder of its own for a test, with the model in it.
fn folder(test: &str, model: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("analyses-{test}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("model.toml"), model).unwrap();
    folder
}

/// A driven pendulum with a torque as input, held by a spring.
const HELD: &str = r#"
name = "held rod"
gravity = [0, -9.81, 0]
simulation = { end = 2, output_step = 0.01, tolerance = 1e-9 }
parameters = { k = 20, d = 0.4 }
input = [{ name = "motor", unit = "N m" }]
body = [{ name = "rod", mass = 1, inertia = [1e-4, 0.1, 0.1], center_of_mass = [0.5, 0, 0] }]
joint = [{ name = "pivot", type = "revolute", i = "rod", j = "ground" }]
force = [
    { name = "spring", type = "torsion_spring_damper", i = "rod", j = "ground", stiffness = "k", damping = "d", free_angle = 0 },
    { name = "drive", type = "axial_torque", i = "rod", j = "ground", value = "0.3 + motor" },
]
measure = [{ name = "angle", type = "angle", i = "rod" }]
"#;

/// Rest angle: k a = 0.3 - m g l/2 cos(a).
fn rest(k: f64) -> f64 {
    let mut a = 0.0_f64;
    for _ in 0..60 {
        a -= (k * a - 0.3 + 4.905 * a.cos()) / (k - 4.905 * a.sin());
    }
    a
}

fn json(arguments: &[&str]) -> serde_json::Value {
    let (code, out, err) = fourbar(arguments);
    assert_eq!(code, 0, "{arguments:?}: {err}");
    serde_json::from_str(&out).unwrap()
}

#[test]
fn statics_prints_and_takes_parameters() {
    let folder = folder("statics", HELD);
    let model = folder.join("model.toml");
    let model = model.to_str().unwrap();
    let (code, out, err) = fourbar(&["statics", model]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.starts_with("held rod\nstable equilibrium at t = 0 s"), "{out}");
    for k in [20.0, 50.0] {
        let found = json(&["statics", model, "--json", "--set", &format!("k={k}")]);
        assert!((found["measures"]["angle"].as_f64().unwrap() - rest(k)).abs() < 1e-10, "{found}");
        assert!((found["reactions"]["pivot"]["force"][1].as_f64().unwrap() - 9.81).abs() < 1e-9);
    }
    let (code, _, err) = fourbar(&["statics", model, "--set", "stiffness=3"]);
    assert!(code == 2 && err.contains("no parameter \"stiffness\""), "{err}");
    let (code, out, _) = fourbar(&["statics", model, "--over-time", "--end", "0.02"]);
    assert_eq!((code, out.lines().count(), out.lines().next()), (0, 4, Some("time [s],angle [rad]")));
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn modes_matrices_and_locus_of_a_mechanism() {
    let folder = folder("modes", HELD);
    let model = folder.join("model.toml");
    let model = model.to_str().unwrap();
    let inertia = 0.1 + 0.25;
    let stiffness = |k: f64| k - 4.905 * rest(k).sin();
    let found = json(&["linear", model, "modes", "--json"]);
    let frequency = found["modes"][0]["frequency"].as_f64().unwrap();
    assert!((frequency - (stiffness(20.0) / inertia).sqrt() / std::f64::consts::TAU).abs() < 1e-8);
    let found = json(&["linear", model, "matrices", "--json"]);
    for (name, expected) in [("M", inertia), ("C_damping", 0.4), ("K", stiffness(20.0))] {
        // One coordinate of the rod is independent, and it may be a way: its matrices are those of the angle times a square.
        let scale = found["M"][0][0].as_f64().unwrap() / inertia;
        assert!(
            (found[name][0][0].as_f64().unwrap() - expected * scale).abs() < 1e-7 * scale * (1.0 + expected),
            "{name}: {found}"
        );
    }
    let (code, out, _) =
        fourbar(&["linear", model, "locus", "--parameter", "k", "--from", "10", "--to", "40", "--points", "4"]);
    assert_eq!(code, 0);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!((lines.len(), lines[0]), (9, "k,re [1/s],im [1/s],frequency [Hz],damping"));
    for (line, k) in lines[1..].chunks(2).zip([10.0, 20.0, 30.0, 40.0]) {
        let values: Vec<f64> = line[0].split(',').map(|x| x.parse().unwrap()).collect();
        assert!((values[0] - k).abs() < 1e-12);
        assert!(
            (values[1] + 0.2 / inertia).abs() < 1e-7
                && (values[3] * std::f64::consts::TAU - (stiffness(k) / inertia).sqrt()).abs() < 1e-6
        );
    }
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn what_the_verbs_refuse() {
    let (code, _, err) = fourbar(&["statics", "models/servo.toml"]);
    assert!(code == 2 && err.contains("takes a mechanism"), "{err}");
    let (code, _, err) = fourbar(&["kinematics", "models/four-bar.toml"]);
    assert!(code == 3 && err.contains("has 1 degree of freedom that"), "{err}");
    let (code, _, err) = fourbar(&["linear", "models/servo.toml", "modes"]);
    assert!(code == 2 && err.contains("go with a mechanism"), "{err}");
    let (code, _, err) = fourbar(&["linear", "models/tower.toml", "modes"]);
    // Friction in its contacts leaves the tower no freedom.
    assert!(code == 0 && err.contains("0 degrees of freedom"), "{err}");
    let (code, _, err) = fourbar(&["linear", "models/press.toml", "poles"]);
    assert!(code == 2 && err.contains("coupled"), "{err}");
    let (code, _, err) =
        fourbar(&["linear", "models/servo.toml", "locus", "--parameter", "nothing", "--from", "1", "--to", "2"]);
    assert!(code == 2 && err.contains("no parameter"), "{err}");
}

#[test]
fn kinematics_keeps_the_rows_before_a_lock_up() {
    let model = r#"
simulation = { end = 1, output_step = 0.05 }
body = [
    { name = "crank", mass = 1, inertia = [1, 1, 1] },
    { name = "rod", mass = 1, inertia = [1, 1, 1], position = [0.2, 0, 0] },
    { name = "slider", mass = 1, inertia = [1, 1, 1], position = [0.35, 0, 0] },
]
joint = [
    { name = "A", type = "revolute", i = "crank", j = "ground" },
    { name = "B", type = "revolute", i = "rod", j = { body = "crank", position = [0.2, 0, 0] } },
    { name = "C", type = "revolute", i = { body = "rod", position = [0.15, 0, 0] }, j = "slider" },
    { name = "D", type = "prismatic", i = { body = "slider", orientation = { z_axis = [1, 0, 0], x_axis = [0, 1, 0] } }, j = { body = "ground", orientation = { z_axis = [1, 0, 0], x_axis = [0, 1, 0] } } },
]
motion = [{ name = "drive", joint = "A", displacement = "2*pi*time" }]
"#;
    let folder = folder("lock-up", model);
    let (code, out, err) = fourbar(&["kinematics", folder.join("model.toml").to_str().unwrap()]);
    // Level with its reach where sin(a) = 0.15/0.2: a = 0.848, t = 0.135 s.
    assert_eq!((code, out.lines().count()), (4, 4), "{out}{err}");
    assert!(
        err.contains("\"A\"")
            || err.contains("\"B\"")
            || err.contains("\"C\"")
            || err.contains("\"D\"")
            || err.contains("\"drive\""),
        "{err}"
    );
    let _ = std::fs::remove_dir_all(folder);
}

/// Compiles `source` with `compiler`; None where there is none.
fn compiled(compiler: &str, arguments: &[&str], folder: &Path) -> Option<()> {
    match Command::new(compiler).args(arguments).current_dir(folder).output() {
        Ok(output) => {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            Some(())
        }
        Err(error) => {
            println!("skipped: the compiler {compiler} cannot be run: {error}");
            None
        }
    }
}

/// The held rod under a small torque: the firmware follows the run of the mechanism, whose motion is nonlinear, to the square of the motion.
#[test]
fn firmware_follows_the_mechanism() {
    let small = "1e-3*sin(5*time)";
    let nonlinear = HELD.replace("\"0.3 + motor\"", &format!("\"0.3 + {small}\""));
    let start = format!("orientation = {{ axis = [0, 0, 1], angle = {:?} }} }}]\njoint", rest(20.0));
    let nonlinear =
        nonlinear.replace("center_of_mass = [0.5, 0, 0] }]\njoint", &format!("center_of_mass = [0.5, 0, 0], {start}"));
    let folder = folder("firmware", HELD);
    std::fs::write(folder.join("run.toml"), nonlinear).unwrap();
    let (code, _, err) = fourbar(&[
        "run",
        folder.join("run.toml").to_str().unwrap(),
        "--quiet",
        "--out",
        folder.join("run.csv").to_str().unwrap(),
    ]);
    assert_eq!(code, 0, "{err}");
    let csv = std::fs::read_to_string(folder.join("run.csv")).unwrap();
    let expected: Vec<f64> = csv.lines().skip(1).map(|line| line.split(',').nth(1).unwrap().parse().unwrap()).collect();
    let written = |language: &str, name: &str| {
        let model = folder.join("model.toml");
        let (code, out, err) = fourbar(&[
            "linear",
            model.to_str().unwrap(),
            "firmware",
            "--step",
            "0.01",
            "--hold",
            "foh",
            "--language",
            language,
        ]);
        assert_eq!(code, 0, "{err}");
        std::fs::write(folder.join(name), out).unwrap();
    };
    written("c", "stepper.h");
    written("rust", "stepper.rs");
    // The state of a first-order hold is the system's less a shift times u(0), which is 0 here.
    let mut c = "#include <stdio.h>\n#include <math.h>\n#include \"stepper.h\"\nint main(void) { static stepper s; double y[1]; int k;\n".to_owned();
    let _ = writeln!(
        c,
        "for (k = 0; k < {}; k++) {{ double u[1]; u[0] = 1e-3*sin(5*k*STEPPER_STEP); stepper_step(&s, u, y); printf(\"%.17g\\n\", y[0]); }} return 0; }}",
        expected.len()
    );
    std::fs::write(folder.join("main.c"), c).unwrap();
    let rust = format!(
        "#[path = \"stepper.rs\"] mod stepper;\nfn main() {{ let mut s = stepper::Stepper::new();\n\
         for k in 0..{} {{ let u = [1e-3*(5.0*k as f64*stepper::STEP).sin()]; println!(\"{{:?}}\", s.step(&u)[0]); }} }}\n",
        expected.len()
    );
    std::fs::write(folder.join("main.rs"), rust).unwrap();
    std::fs::write(folder.join("bare.rs"), "#![no_std]\n#[path = \"stepper.rs\"] pub mod stepper;\n").unwrap();
    let follows = |program: &str| {
        let output = Command::new(folder.join(program)).output().unwrap();
        let values: Vec<f64> =
            String::from_utf8(output.stdout).unwrap().lines().map(|line| line.parse().unwrap()).collect();
        assert_eq!(values.len(), expected.len());
        let (mut moved, mut off) = (0.0_f64, 0.0_f64);
        for (value, expected) in values.iter().zip(&expected) {
            moved = moved.max((expected - rest(20.0)).abs());
            off = off.max((value - expected).abs());
        }
        // A sine interpolated by straight lines of a hundredth of a second: (5*0.01)^2/8 of it; the motion squared.
        assert!(moved > 3e-5 && off < 4e-4 * moved, "{program}: moved by {moved}, off by {off}");
    };
    if compiled("cc", &["-std=c99", "-Wall", "-Werror", "main.c", "-o", "c-stepper", "-lm"], &folder).is_some() {
        follows("c-stepper");
    }
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    if compiled(
        &rustc,
        &["--edition", "2021", "-D", "warnings", "-A", "dead_code", "main.rs", "-o", "rust-stepper"],
        &folder,
    )
    .is_some()
    {
        follows("rust-stepper");
        compiled(
            &rustc,
            &["--edition", "2021", "--crate-type", "lib", "-D", "warnings", "bare.rs", "-o", "libbare.rlib"],
            &folder,
        );
    }
    let _ = std::fs::remove_dir_all(folder);
}

/// Contacts are printed, and pages carry all that they need.
#[test]
fn contacts_are_printed_and_pages_are_whole() {
    let (code, out, err) = fourbar(&["statics", "models/tower.toml"]);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("closed contacts") && out.contains("floor: box on floor"), "{out}");
    let found = json(&["statics", "models/incline.toml", "--json"]);
    let normal: f64 = found["contacts"].as_array().unwrap().iter().map(|of| of["normal"].as_f64().unwrap()).sum();
    assert!((normal - 2.0 * 9.81 * 20_f64.to_radians().cos()).abs() < 1e-6, "{found}");
    let folder = folder("pages", HELD);
    let page = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let car = "models/quarter-car.toml";
    let locus = ["--parameter", "c_damper", "--from", "0", "--to", "8000", "--points", "5"];
    let servo = "models/servo.toml";
    let gain = ["--parameter", "kp", "--from", "1", "--to", "100", "--points", "5"];
    let band = ["linear", servo, "frequency", "--from", "0.1", "--to", "1000"];
    let pages: [(&str, Vec<&str>, &str); 10] = [
        ("poles.html", vec!["linear", servo], "\"title\":\"Gain\""),
        ("gain.html", [&["linear", servo, "locus"][..], &gain].concat(), "\"parameter\":\"kp\""),
        ("step.html", vec!["linear", servo, "step"], "\"unit\":\"m/s\""),
        ("impulse.html", vec!["linear", servo, "impulse"], "\"across\":[\"time [s]\",false]"),
        ("frequency.html", band.to_vec(), "\"title\":\"Phase\""),
        ("car.html", vec!["linear", car, "poles"], "linearized at the"),
        ("modes.html", vec!["linear", car, "modes"], "\"drawings\":[{"),
        ("locus.html", [&["linear", car, "locus"][..], &locus].concat(), "\"parameter\":\"c_damper\""),
        ("kinematics.html", vec!["kinematics", "models/slider-crank.toml"], "stroke"),
        ("statics.html", vec!["statics", car, "--over-time"], "\"charts\":[{"),
    ];
    for (name, arguments, holds) in pages {
        let path = page(name);
        let (code, _, err) = fourbar(&[arguments.as_slice(), &["--html", &path]].concat());
        assert_eq!(code, 0, "{name}: {err}");
        let text = pages::text(&path);
        let size = std::fs::metadata(&path).unwrap().len();
        assert!(text.contains(holds) && size < 400_000, "{name}: {size} bytes");
        assert!(!text.contains("src=") && !text.contains("@import"), "{name} asks for something from elsewhere");
    }
    let (code, _, err) = fourbar(&["linear", servo, "sampled", "--step", "1e-3", "--html", &page("no.html")]);
    assert!(code == 2 && err.contains("--html"), "{err}");
    let (code, _, err) = fourbar(&["linear", servo, "poles", "--gltf", &page("no.glb")]);
    assert!(code == 2 && err.contains("--gltf"), "{err}");
    let (code, _, err) = fourbar(&["kinematics", "models/slider-crank.toml", "--html", "models/slider-crank.toml"]);
    assert!(code != 0 && err.contains("--html"), "{err}");
    let (_, out, _) = fourbar(&["linear", car, "matrices"]);
    assert!(out.lines().nth(1).is_some_and(|line| line.ends_with("wheel z [m],wheel z [m]")), "{out}");
    let (code, _, err) = fourbar(&["statics", car, "--set", "k_tyre=abc"]);
    assert!(code == 3 && err.contains("--set \"k_tyre\"") && !err.contains("quarter-car.toml:"), "{err}");
    let _ = std::fs::remove_dir_all(folder);
}

/// A pendulum under a controller with an integral of the error, which no rest stops.
const CONTROLLED: &str = r#"
gravity = [0, -9.81, 0]
body = [{ name = "rod", mass = 1, inertia = [0.01, 0.01, 0.01], position = [0, -0.3, 0] }]
joint = [{ name = "hinge", type = "revolute", i = { body = "rod", position = [0, 0.3, 0] }, j = "ground" }]
measure = [{ name = "angle", type = "angle", i = "rod" }]
force = [{ name = "motor", type = "axial_torque", i = "rod", j = "ground", value = "control" }]
[[pid]]
name = "control"
unit = "N m"
input = "0.2 - angle"
kp = 8
ki = 6
"#;

#[test]
fn linear_says_where_to_linearize_what_has_no_equilibrium() {
    let folder = folder("no-point", CONTROLLED);
    let model = folder.join("model.toml");
    let model = model.to_str().unwrap();
    let (code, _, err) = fourbar(&["linear", model, "modes"]);
    assert_eq!(code, 3, "{err}");
    assert!(err.contains("model.toml:7:1: the mechanism starts at rest, and the equilibrium"), "{err}");
    assert!(err.contains("= say where: at its start (`--at start`)"), "{err}");
    let (code, _, err) = fourbar(&["linear", model, "--at", "start", "modes"]);
    assert_eq!(code, 0, "{err}");
    let (code, _, err) = fourbar(&["linear", model, "--at", "equilibrium", "modes"]);
    assert!(code == 3 && !err.contains("--at"), "{err}");
}

#[test]
fn linear_calls_a_neutral_equilibrium_neutral() {
    let wheel = "body = [{ name = \"w\", mass = 1, inertia = [1, 1, 1] }]\njoint = [{ name = \"h\", type = \"revolute\", i = \"w\", j = \"ground\" }]\n";
    for (name, text, stability) in [
        ("neutral", wheel.to_owned(), "neutral"),
        ("held", HELD.to_owned(), "stable"),
        (
            "up",
            format!("gravity = [9.81, 0, 0]\n{}", wheel.replace("mass = 1,", "mass = 1, center_of_mass = [-1, 0, 0],")),
            "not stable",
        ),
    ] {
        let folder = folder(name, &text);
        let model = folder.join("model.toml");
        let (code, _, err) = fourbar(&["linear", model.to_str().unwrap(), "--at", "equilibrium", "modes"]);
        assert!(code == 0 && err.contains(&format!("which is {stability}\n")), "{name}: {err}");
    }
}

/// A wheel that is drawn along its road.
const WHEEL: &str = r#"
simulation = { end = 1, output_step = 0.5 }
gravity = [0, 0, -9.81]
body = [{ name = "wheel", mass = 2, inertia = [0.05, 0.05, 0.1], position = [0, 0, 0.3], orientation = { z_axis = [0, 1, 0], x_axis = [1, 0, 0] } }]
joint = [{ name = "upright", type = "parallel_axes", i = "wheel", j = { body = "ground", orientation = { z_axis = [0, 1, 0], x_axis = [1, 0, 0] } } }]
rolling = [{ name = "road", shape = "disc", radius = 0.3, i = "wheel" }]
motion = [{ name = "pull", i = "wheel", j = { body = "ground", position = [0, 0, 0.3] }, direction = "x", displacement = "0.1*time" }]
"#;

/// What an analysis is not for is the model's fault, the exit code 3, wherever it is found.
#[test]
fn refusals_of_analyses_have_the_exit_code_of_bad_models() {
    let folder = folder("wheel", WHEEL);
    let model = folder.join("model.toml");
    let model = model.to_str().unwrap();
    let (code, out, err) = fourbar(&["statics", model]);
    assert!(code == 0 && out.contains("equilibrium at t = 0 s"), "{code} {out} {err}");
    for arguments in [&["statics", model, "--at", "1"][..], &["statics", model, "--over-time"], &["kinematics", model]]
    {
        let (code, _, err) = fourbar(arguments);
        assert!(
            code == 3 && err.contains("rolling \"road\"") && err.contains("run dynamics"),
            "{arguments:?}: {code} {err}"
        );
    }
    let (code, _, err) = fourbar(&["linear", model, "modes"]);
    assert_eq!(code, 0, "{err}");
    let (code, _, err) = fourbar(&["linear", model, "matrices"]);
    assert_eq!(code, 0, "{err}");
}
