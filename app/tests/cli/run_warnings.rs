//! What a run warns of: reactions that are not unique, uncertain accelerations, a start that assembly changed.

use crate::cli::fourbar;
use crate::cli::run::Folder;
use serde_json::Value;
use std::fs;

#[test]
fn what_a_reader_should_know_is_warned_of() {
    let (code, stdout, stderr) = fourbar(&["run", "models/four-bar.toml", "--end", "0.1", "--json"]);
    assert_eq!(code, 0, "{stderr}");
    let object: Value = serde_json::from_str(&stdout).unwrap();
    let warnings: Vec<&str> =
        object["warnings"].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
    let [assembly, reactions] = warnings[..] else { panic!("{stdout}") };
    assert!(
        assembly.starts_with("assembly moved body \"coupler\" by ") && assembly.contains("body \"rocker\""),
        "{stdout}"
    );
    assert!(reactions.contains("reactions are not unique"), "{stdout}");
    assert!(stderr.contains("warning: reactions are not unique: 3 constraint rows are redundant"), "{stderr}");
}

/// A parallelogram whose run ends where its links lie in line, with its acceleration there.
const PARALLELOGRAM: &str = r#"
simulation = { end = 0.5, output_step = 0.05, formulation = "i3" }
body = [
    { name = "crank", mass = 1, inertia = [0.01, 0.02, 0.02], position = [0, 0.5, 0] },
    { name = "coupler", mass = 2, inertia = [0.01, 0.4, 0.4], position = [1, 1, 0] },
    { name = "rocker", mass = 1, inertia = [0.01, 0.02, 0.02], position = [2, 0.5, 0] },
]
joint = [
    { name = "O", type = "revolute", i = { body = "crank", frame = "global", position = [0, 0, 0] }, j = "ground" },
    { name = "A", type = "revolute", i = { body = "coupler", frame = "global", position = [0, 1, 0] }, j = { body = "crank", frame = "global", position = [0, 1, 0] } },
    { name = "B", type = "revolute", i = { body = "rocker", frame = "global", position = [2, 1, 0] }, j = { body = "coupler", frame = "global", position = [2, 1, 0] } },
    { name = "C", type = "revolute", i = { body = "rocker", frame = "global", position = [2, 0, 0] }, j = { body = "ground", position = [2, 0, 0] } },
]
motion = [{ name = "drive", joint = "O", displacement = "pi*time" }]
measure = [{ name = "acceleration", type = "acceleration", i = "coupler", component = "x" }]
"#;

#[test]
fn uncertain_accelerations_at_a_change_point_are_warned_of() {
    let folder = Folder::new("change-point");
    let model = folder.file("parallelogram.toml");
    fs::write(&model, PARALLELOGRAM).unwrap();
    let (code, _, stderr) = fourbar(&["run", &model, "-q"]);
    let warning = "fourbar: warning: accelerations and reactions of an output are uncertain, no digit of them is sure at t = 0.5 s: ";
    assert!(code == 0 && stderr.contains(warning) && stderr.contains("joint \"B\""), "{stderr}");
    let (code, _, stderr) = fourbar(&["run", &model, "-q", "--end", "0.45"]);
    assert!(code == 0 && !stderr.contains("uncertain"), "{stderr}");
}

#[test]
fn a_start_that_assembly_changed_is_warned_of() {
    let folder = Folder::new("assembly");
    let model = folder.file("m.toml");
    let text = |joint: &str, exact: &str, speed: &str| {
        format!(
            r#"
gravity = [0, -9.81, 0]
[simulation]
end = 0.1
[[body]]
name = "rod"
mass = 1
inertia = [1e-3, 0.1, 0.1]
position = [0.5, 0, 0]
velocity = {speed}
exact = {exact}
[[joint]]
name = "A"
type = "revolute"
i = {{ body = "rod", position = [-0.5, 0, 0] }}
j = {{ body = "ground", position = {joint} }}
"#
        )
    };
    let (open, closed) = ("[0.01, 0, 0]", "[0, 0, 0]");
    // What the joint and the exact values ask for, and which warnings follow.
    let cases: [(&str, &str, &str, &[&str]); 6] = [
        (closed, "[]", "[0, 0, 0]", &[]),
        (
            closed,
            "[]",
            "[0.3, 1, 0]",
            &["changed stated velocities: `velocity` of body \"rod\" from (0.3, 1, 0) to (0, "],
        ),
        (closed, r#"["vy"]"#, "[0, 1, 0]", &[]),
        (open, "[]", "[0, 0, 0]", &["moved body \"rod\" by 0.01 m"]),
        (open, r#"["x", "orientation"]"#, "[0, 0, 0]", &["moved body", "exact: `x` of body \"rod\" by 0.01 m"]),
        (closed, r#"["y", "vx"]"#, "[0.3, 1, 0]", &["exact: `vx` of body \"rod\" by 0.3 m/s"]),
    ];
    for (joint, exact, speed, expected) in cases {
        fs::write(&model, text(joint, exact, speed)).unwrap();
        let (code, stdout, stderr) = fourbar(&["run", &model, "--json", "--strict"]);
        assert_eq!(code, if expected.is_empty() { 0 } else { 6 }, "{joint} {exact} {speed}: {stderr}");
        let object: Value = serde_json::from_str(&stdout).unwrap();
        let warnings = object["warnings"].as_array().cloned().unwrap_or_default();
        assert_eq!(warnings.len(), expected.len(), "{joint} {exact} {speed}: {stdout}");
        for (warning, part) in warnings.iter().zip(expected) {
            let warning = warning.as_str().unwrap();
            assert!(
                warning.starts_with("assembly ") && warning.contains(part) && stderr.contains(warning),
                "{warning}"
            );
        }
        let (_, checked, _) = fourbar(&["check", &model]);
        for warning in &warnings {
            let warning = warning.as_str().unwrap();
            assert!(checked.contains(&format!("warning: {warning}\n")), "{checked}");
        }
        let (_, checked, _) = fourbar(&["check", &model, "--json"]);
        let checked: Value = serde_json::from_str(&checked).unwrap();
        assert_eq!(checked["warnings"].as_array().cloned().unwrap_or_default(), warnings);
    }
}

/// A start by the coordinate of a joint makes the drawing a sketch, as in the first model of the tutorial; without it the bodies that were moved are named.
#[test]
fn a_sketch_whose_start_is_stated_is_no_warning() {
    let guide = fs::read_to_string(crate::cli::root().join("docs/start/four-bar.md")).unwrap();
    let model = guide.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    assert!(model.contains("initial = "));
    let drawn: String =
        model.lines().filter(|line| !line.starts_with("initial = ")).map(|line| format!("{line}\n")).collect();
    let folder = Folder::new("sketch");
    for (text, moved) in [(model, false), (drawn.as_str(), true)] {
        let path = folder.file("model.toml");
        fs::write(&path, text).unwrap();
        let (code, _, stderr) = fourbar(&["run", &path, "--end", "0.01", "--quiet"]);
        assert_eq!((code, stderr.contains("assembly moved")), (0, moved), "{stderr}");
    }
}

/// The ending of a table says what it holds.
#[test]
fn tables_of_unknown_endings_are_refused() {
    let folder = Folder::new("endings");
    for (name, expected) in [("a.xlsx", 2), ("a.json", 2), ("a.csv", 0), ("a.txt", 0), ("a", 0)] {
        let path = folder.file(name);
        let (code, _, stderr) = fourbar(&["run", "models/four-bar.toml", "--end", "0.01", "--quiet", "--out", &path]);
        assert_eq!((code, fs::exists(&path).unwrap()), (expected, expected == 0), "{name}: {stderr}");
        assert!(expected == 0 || stderr.contains("name it") && stderr.contains("a.csv"), "{stderr}");
    }
}
