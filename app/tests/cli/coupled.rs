//! Circuits and coupled models on the command line.

use crate::{command, fourbar};
use serde_json::Value;
use std::fs;

const PRESS: &str = "models/press.toml";
const AXIS: &str = "models/hydraulic-axis.toml";

#[test]
fn a_coupled_run_tells_its_steps_ports_and_settings() {
    let folder = std::env::temp_dir().join(format!("fourbar-coupled-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (csv, sidecar, report) = (file("press.csv"), file("press.json"), file("press.html"));
    let arguments = [
        "run",
        PRESS,
        "--end",
        "0.1",
        "--step",
        "1e-3",
        "--json",
        "--out",
        &csv,
        "--summary",
        &sidecar,
        "--report",
        &report,
    ];
    let (code, stdout, stderr) = fourbar(&arguments);
    assert_eq!(code, 0, "{stderr}");
    let object: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((&object["status"], &object["statistics"]["steps"]), (&"done".into(), &100.into()));
    assert_eq!(object["ports"][1]["name"], "rod2");
    assert!(object["faults"].as_array().unwrap().is_empty() && stderr.contains("made by the coupling"));
    let table = fs::read_to_string(&csv).unwrap();
    let header = table.lines().next().unwrap();
    assert!(
        header.starts_with("time [s],axis1.outlet.pressure [Pa],") && header.contains("beam.press1.velocity [m/s]")
    );
    let beside: Value = serde_json::from_str(&fs::read_to_string(&sidecar).unwrap()).unwrap();
    assert_eq!(beside["settings"]["communication step"], "0.001 s");
    assert_eq!(beside["units"]["axis1.rod.force"], "N");
    assert!(beside["fourbar"].is_string() && beside["summary"]["statistics"]["algorithm"].is_string());
    assert!(fs::read_to_string(&report).unwrap().contains("gauss_seidel"));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_algorithm_is_an_option_of_coupled_models_alone() {
    let (code, stdout, stderr) = fourbar(&["run", PRESS, "--end", "0.02", "--algorithm", "patent", "--step", "2.5e-4"]);
    assert!(code == 0 && stdout.contains("patent"), "{stdout}{stderr}");
    for (model, option) in [("models/pendulum.toml", ["--algorithm", "jacobi"]), (PRESS, ["--max-order", "2"])] {
        let (code, _, stderr) = fourbar(&["run", model, option[0], option[1]]);
        assert!(code == 2 && stderr.contains("is no option for"), "{stderr}");
    }
    let status = command(&["run", AXIS, "--out", AXIS]).output().unwrap().status;
    assert_eq!(status.code(), Some(2));
}

#[test]
fn check_tells_what_is_coupled_and_where_a_circuit_rests() {
    let (code, stdout, stderr) = fourbar(&["check", PRESS]);
    assert_eq!(code, 0, "{stderr}");
    for part in ["axis1", "circuit of hydraulic-axis.toml", "-> beam.press1.force", "order of stepping"] {
        assert!(stdout.contains(part), "{stdout}");
    }
    let (code, stdout, stderr) = fourbar(&["check", AXIS, "--json"]);
    assert_eq!(code, 0, "{stderr}");
    let object: Value = serde_json::from_str(&stdout).unwrap();
    let force = object["steady_state"].as_array().unwrap().iter().find(|value| value["name"] == "rod.force").unwrap();
    // Half of the weight of 30 t.
    assert!((force["value"].as_f64().unwrap() / -147_150.0 - 1.0).abs() < 1e-3, "{force}");
    assert_eq!(object["components"]["cylinder"], 1);
}
