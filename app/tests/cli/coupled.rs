//! Circuits and coupled models on the command line.

use crate::cli::{command, fourbar};
use crate::pages;
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
    assert!(pages::text(&report).contains("gauss_seidel"));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_algorithm_is_an_option_of_coupled_models_alone() {
    let (code, stdout, stderr) =
        fourbar(&["run", PRESS, "--end", "0.02", "--algorithm", "jacobi_delayed", "--step", "2.5e-4"]);
    assert!(code == 0 && stdout.contains("jacobi_delayed"), "{stdout}{stderr}");
    for (model, option) in [("models/pendulum.toml", ["--algorithm", "jacobi"]), (PRESS, ["--max-order", "2"])] {
        let (code, _, stderr) = fourbar(&["run", model, option[0], option[1]]);
        assert!(code == 2 && stderr.contains("is no option for"), "{stderr}");
    }
    // The options are at fault, not a line of the file.
    for options in [["--step", "3e-4", "--end", "0.01"], ["--end", "0.0101", "--step", "2e-4"]] {
        let (code, _, stderr) = fourbar(&[&["run", PRESS][..], &options].concat());
        assert!(
            code == 2 && stderr.contains("--step") && stderr.contains("--end") && !stderr.contains("press.toml:"),
            "{stderr}"
        );
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

/// A model in a file of its own, with the options: exit code, standard output, standard error.
fn of_text(name: &str, text: &str, command: &str, options: &[&str]) -> (i32, String, String) {
    let path = std::env::temp_dir().join(format!("fourbar-{name}-{}.toml", std::process::id()));
    fs::write(&path, text).unwrap();
    let found = fourbar(&[&[command, path.to_str().unwrap()], options].concat());
    fs::remove_file(path).unwrap();
    found
}

const UNSOLVABLE: &str = r#"
type = "coupled"
[simulation]
end = 1
step = 0.1
algorithm = "jacobi"
[[simulator]]
name = "a"
equations = { input = [{ name = "u" }], output = [{ name = "y", value = "u + 1" }] }
[[simulator]]
name = "b"
equations = { input = [{ name = "u" }], output = [{ name = "y", value = "u" }] }
[[connection]]
from = "a.y"
to = "b.u"
[[connection]]
from = "b.y"
to = "a.u"
"#;

#[test]
fn an_algebraic_loop_without_solution_ends_with_its_connections_named() {
    let (code, _, stderr) = of_text("loop", UNSOLVABLE, "run", &["--quiet"]);
    assert_ne!(code, 0, "{stderr}");
    assert!(stderr.contains("a.y -> b.u") && stderr.contains("b.y -> a.u"), "{stderr}");
    assert!(stderr.contains("open it at one of these connections"), "{stderr}");
}

/// A pulse of 1 ms each 0.2 s that no straight line in time tells, at a junction, where nothing else makes steps short.
const PULSED: &str = r#"
type = "circuit"
[simulation]
end = 1
[[node]]
name = "a"
type = "volume"
[[node]]
name = "t"
type = "tank"
pressure = 1e5
[[component]]
name = "q"
type = "flow_source"
from = "t"
to = "a"
flow = "1e-5 + if(cos(31.41592653589793*time) > 0.999506560365732, 1e-5, 0)"
[[component]]
name = "o"
type = "orifice"
from = "a"
to = "t"
area = 1e-6
"#;

#[test]
fn short_pulses_of_a_circuit_are_not_stepped_over() {
    let (code, stdout, stderr) = of_text("pulsed", PULSED, "run", &["--json", "--output-step", "1e-3"]);
    assert_eq!(code, 0, "{stderr}");
    let object: Value = serde_json::from_str(&stdout).unwrap();
    // From 1 ms before to 1 ms behind each whole fifth of a second: down at 1 ms, up and down at 0.2, 0.4, 0.6, 0.8 s, up at 0.999 s.
    assert_eq!(object["statistics"]["jumps"], 10, "{object}");
}

/// Two integrators in an iteration that may not take long enough: a warning in each of 50 steps.
const HASTY: &str = r#"
type = "coupled"
[simulation]
end = 5
step = 0.1
algorithm = "iterated"
tolerance = 1e-14
max_sweeps = 1
[[simulator]]
name = "a"
equations = { solver_step = 0.01, input = [{ name = "u" }], state = [{ name = "x", start = 1, rate = "-u" }], output = [{ name = "y", value = "x" }] }
[[simulator]]
name = "b"
equations = { solver_step = 0.01, input = [{ name = "u" }], state = [{ name = "x", rate = "u" }], output = [{ name = "y", value = "x" }] }
[[connection]]
from = "a.y"
to = "b.u"
[[connection]]
from = "b.y"
to = "a.u"
"#;

#[test]
fn quiet_runs_tell_their_faults_and_long_lists_say_where_the_rest_is() {
    let (code, stdout, stderr) = of_text("hasty", HASTY, "run", &["--quiet"]);
    assert_eq!((code, stdout.as_str()), (0, ""));
    // The warning of the run, twenty faults, and how many more there are.
    assert_eq!(stderr.lines().filter(|line| line.starts_with("fourbar: warn: t = ")).count(), 20, "{stderr}");
    assert!(stderr.contains("fourbar: warn: t = 0.1 s: 1 sweeps leave a residual of"), "{stderr}");
    assert!(stderr.contains("fourbar: warning: 50 of 50 communication steps did not converge"), "{stderr}");
    assert!(stderr.ends_with("fourbar: 30 more faults\n"), "{stderr}");
    let (_, stdout, _) = of_text("hasty-told", HASTY, "run", &[]);
    assert!(
        stdout.contains("more faults  30") && stdout.contains("all 50 faults are written by --summary FILE"),
        "{stdout}"
    );
    let (_, stdout, _) = of_text("hasty-file", HASTY, "run", &["--summary", "/dev/null"]);
    assert!(stdout.contains("all 50 faults: /dev/null"), "{stdout}");
}

/// The command in the head of models/press.toml: its outputs, 2 ms apart in the model, come at the communication points.
#[test]
fn another_step_takes_outputs_that_fit_and_says_so() {
    let long = ["--algorithm", "iterated", "--order", "1", "--step", "1e-2", "--end", "0.05"];
    let (code, stdout, stderr) = fourbar(&[&["run", PRESS], &long[..]].concat());
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("warning: outputs are 0.01 s apart instead of 0.002 s"), "{stdout}");
    // One that fits stays; one that is given is taken at its word.
    let (_, stdout, _) = fourbar(&["run", PRESS, "--step", "1e-3", "--end", "0.02"]);
    assert!(!stdout.contains("warning"), "{stdout}");
    let (code, _, stderr) = fourbar(&[&["run", PRESS, "--output-step", "2e-3"], &long[..]].concat());
    assert!(code == 2 && stderr.contains("make --output-step a multiple of --step"), "{stderr}");
}

/// The patent's loop at nearly three times its largest usable step of 0.73 ms: the coupling drives the press.
#[test]
fn a_coupling_that_drives_its_partners_is_named() {
    let report = std::env::temp_dir().join(format!("fourbar-driven-{}.html", std::process::id()));
    let loose =
        ["run", PRESS, "--algorithm", "jacobi_delayed", "--step", "1.25e-3", "--report", report.to_str().unwrap()];
    let (code, stdout, stderr) = fourbar(&loose);
    assert_eq!(code, 0, "{stderr}");
    let warning = "the coupling is unstable or far too coarse: at the port `rod1` it made ";
    assert_eq!(stdout.matches(warning).count(), 1, "{stdout}");
    let page = pages::text(&report);
    fs::remove_file(report).unwrap();
    assert!(page.contains(warning));
}

#[test]
fn a_record_of_nothing_is_refused_with_the_names_there_are() {
    let nothing = HASTY.replace("max_sweeps = 1", "record = []");
    for verb in ["run", "check"] {
        let (code, _, stderr) = of_text("nothing", &nothing, verb, &[]);
        assert!(code == 3 && stderr.contains("it names nothing") && stderr.contains("a.y, b.y"), "{stderr}");
    }
}

#[cfg(not(feature = "parquet"))]
#[test]
fn a_table_in_a_format_that_is_not_built_in_is_refused() {
    let out = std::env::temp_dir().join(format!("fourbar-{}.parquet", std::process::id()));
    for verb in ["run", "serve"] {
        let (code, _, stderr) = fourbar(&[verb, PRESS, "--out", out.to_str().unwrap()]);
        assert!(code == 2 && stderr.contains("--features parquet") && !out.exists(), "{stderr}");
    }
}

#[cfg(feature = "parquet")]
#[test]
fn a_table_is_written_as_parquet_if_its_name_says_so() {
    let out = std::env::temp_dir().join(format!("fourbar-{}.parquet", std::process::id()));
    let (code, _, stderr) = fourbar(&["run", PRESS, "--end", "0.02", "--out", out.to_str().unwrap()]);
    assert_eq!(code, 0, "{stderr}");
    let bytes = fs::read(&out).unwrap();
    fs::remove_file(out).unwrap();
    // The format begins and ends with its four letters.
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
    let name = b"beam.press1.velocity [m/s]";
    assert!(bytes.windows(name.len()).any(|part| part == name));
}

#[test]
fn inputs_have_columns_if_they_are_asked_for() {
    let asked = HASTY
        .replace("max_sweeps = 1", "record = [\"a.*\", \"inputs\"]")
        .replace("to = \"b.u\"", "to = \"b.u\"\ngain = 3\noffset = 1");
    let csv = std::env::temp_dir().join(format!("fourbar-inputs-{}.csv", std::process::id()));
    let (code, _, stderr) = of_text("inputs-csv", &asked, "run", &["--out", csv.to_str().unwrap()]);
    assert_eq!(code, 0, "{stderr}");
    let text = fs::read_to_string(&csv).unwrap();
    fs::remove_file(csv).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("time [s],a.y,a.u,b.u"));
    let mut count = 0;
    for line in lines {
        let row: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
        assert!((row[3] - (3.0 * row[1] + 1.0)).abs() < 1e-12, "{line}");
        count += 1;
    }
    assert!(count > 10, "{count}");
}

/// x'' = -x at a step of half a radian, the coupling's defaults.
const COARSE: &str = include_str!("../../../tests/coupled/cases/coupled_default_Hw0.5_end100.toml");

#[test]
fn strict_runs_with_warnings_have_an_exit_code_of_their_own() {
    // Quiet or not, with or without JSON.
    for options in [&["--strict"][..], &["--strict", "--quiet"], &["--strict", "--quiet", "--json"], &["-q"], &[]] {
        let (code, stdout, stderr) = of_text("coarse", COARSE, "run", options);
        let strict = options.contains(&"--strict");
        assert_eq!(code, if strict { 6 } else { 0 }, "{options:?}: {stderr}");
        let (shown, warning) = if options.is_empty() || options == ["--strict"] {
            (&stdout, "\nwarning: ")
        } else {
            (&stderr, "fourbar: warning: ")
        };
        let line = "the inputs continued over the communication steps make an estimated error of 100 % or more";
        assert!(shown.contains(warning) && shown.contains(line), "{options:?}: {stdout}{stderr}");
        if options.contains(&"--json") {
            let object: Value = serde_json::from_str(&stdout).unwrap();
            assert!(object["warnings"][0].as_str().unwrap().contains("estimated error"), "{object}");
            assert!(object["statistics"]["error_estimate"]["relative"].as_f64().unwrap() > 0.5, "{object}");
            assert_eq!(object["statistics"]["error_estimate"]["connection"], "spring.F -> mass.F");
        }
    }
    // Without warnings nothing changes, in any kind of model.
    let fine = COARSE.replace("step=0.5", "step=0.005").replace("solver_step=0.025", "solver_step=0.005");
    for (code, _, stderr) in [
        of_text("fine", &fine, "run", &["--strict", "--quiet"]),
        fourbar(&["run", "models/pendulum.toml", "--end", "1", "--strict", "--quiet"]),
    ] {
        assert_eq!((code, stderr.as_str()), (0, ""));
    }
}

/// Reactions of a planar linkage in space are not unique, of which a run warns where one is measured.
#[test]
fn warnings_of_mechanisms_are_strict_as_well() {
    let model = "models/four-bar.toml";
    let (code, _, stderr) = fourbar(&["run", model, "--end", "0.01", "-q"]);
    assert!(code == 0 && stderr.contains("\nfourbar: warning: reactions are not unique: 3 "), "{stderr}");
    let (code, _, stderr) = fourbar(&["run", model, "--end", "0.01", "--strict", "-q"]);
    assert!(code == 6 && stderr.contains("\nfourbar: warning: reactions are not unique: 3 "), "{stderr}");
}

/// A rod that is drawn beside its joint, as a simulator.
const BESIDE: &str = r#"
type = "coupled"
name = "beside"
simulation = { end = 0.1, step = 0.01, output_step = 0.01 }
[[simulator]]
name = "arm"
[simulator.model]
type = "mechanism"
gravity = [0, -9.81, 0]
[[simulator.model.body]]
name = "rod"
mass = 1
inertia = [1e-3, 0.1, 0.1]
position = [0.5, 0, 0]
[[simulator.model.joint]]
name = "A"
type = "revolute"
i = { body = "rod", position = [-0.5, 0, 0] }
j = { body = "ground", position = [0.01, 0, 0] }
[[simulator.model.measure]]
name = "y"
type = "position"
i = "rod"
component = "y"
"#;

/// Warnings of simulators come out wherever those of a run do.
#[test]
fn warnings_of_simulators_are_those_of_the_run() {
    let warning =
        "simulator \"arm\": assembly moved body \"rod\" by 0.01 m and 0 rad; draw them where their joints close";
    let report = std::env::temp_dir().join(format!("fourbar-beside-{}.html", std::process::id()));
    for options in [&["--strict"][..], &["--strict", "-q"], &["--strict", "-q", "--json"], &["-q"], &[]] {
        let (code, stdout, stderr) = of_text("beside", BESIDE, "run", options);
        assert_eq!(code, if options.contains(&"--strict") { 6 } else { 0 }, "{options:?}: {stderr}");
        let line = format!("warning: {warning}\n");
        assert!(
            if options.contains(&"-q") { &stderr } else { &stdout }.contains(&line),
            "{options:?}: {stdout}{stderr}"
        );
        if options.contains(&"--json") {
            let object: Value = serde_json::from_str(&stdout).unwrap();
            assert_eq!(object["warnings"], serde_json::json!([warning]));
        }
    }
    let (code, _, stderr) = of_text("beside", BESIDE, "run", &["-q", "--report", report.to_str().unwrap()]);
    assert_eq!(code, 0, "{stderr}");
    let page = pages::text(&report);
    assert!(page.contains("assembly moved body") && page.contains("simulator"), "{page:.500}");
    fs::remove_file(report).unwrap();
}

#[test]
fn a_federate_has_a_name_and_a_federation_that_is_not_there_is_no_fault_of_the_model() {
    for (name, words) in [("", "give the federate a name"), ("a/b", "a name has no slash")] {
        let (code, _, stderr) = fourbar(&["federate", "tests/federation/mass.toml", "--name", name]);
        assert!(code == 2 && stderr.contains(words), "{code} {stderr}");
    }
    let twice = ["--link", "mass.force=B/f", "--link", "mass.force=C/f"];
    let (code, _, stderr) = fourbar(&[&["federate", "tests/federation/mass.toml", "--name", "A"], &twice[..]].concat());
    assert!(code == 3 && stderr.contains("`mass.force` is linked twice"), "{code} {stderr}");
    let mut command = command(&["federate", "tests/federation/mass.toml", "--name", "A"]);
    let output = command.env("HELICS_LIBRARY", "/no/such/library").output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(5), "{stderr}");
    assert!(stderr.contains(": the C library of HELICS") && !stderr.contains(".toml:"), "{stderr}");
}
