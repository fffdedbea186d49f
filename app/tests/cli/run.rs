//! The command from outside: exit codes, output and files.

use crate::cli::{command, fourbar};
use crate::pages;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::Stdio;

/// A folder of its own for a test, removed at its end.
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("fourbar-{test}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(super) fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub(crate) const ANDREWS: &str = "models/andrews.toml";
const SLIDER_CRANK: &str = "models/slider-crank.toml";
const SERVO: &str = "models/servo.toml";

#[test]
fn json_is_one_object_with_the_documented_keys() {
    let (code, stdout, stderr) = fourbar(&["run", ANDREWS, "--json"]);
    assert_eq!(code, 0, "{stderr}");
    let object: Value = serde_json::from_str(&stdout).unwrap();
    let keys: Vec<_> = object.as_object().unwrap().keys().map(String::as_str).collect();
    let mut expected = ["model", "status", "end_time", "final", "violation", "statistics", "wall_seconds"];
    expected.sort_unstable();
    assert_eq!(keys, expected);
    assert_eq!(object["status"], "done");
    assert_eq!(object["end_time"], 0.03);
    assert!(object["wall_seconds"].as_f64().unwrap() > 0.0);
    for angle in ["beta", "theta", "gamma", "phi", "delta", "omega", "epsilon"] {
        assert!(object["final"][angle].is_f64(), "{angle}");
    }
    assert!((object["final"]["beta"].as_f64().unwrap() - 15.810_771_195_153_7).abs() < 1e-5);
    let violation = object["violation"].as_object().unwrap();
    assert_eq!(violation.keys().collect::<Vec<_>>(), ["angular_velocity", "orientation", "position", "velocity"]);
    assert!(violation.values().all(Value::is_f64));
    assert!(object["statistics"]["steps"].as_u64().unwrap() > 100);
    assert!(object["statistics"]["energy"]["balance_error"].is_f64());
    assert!(stderr.contains("largest constraint violation"), "the summary goes to standard error: {stderr}");
}

#[test]
fn the_summary_stands_on_standard_output_and_nothing_is_drawn_off_a_terminal() {
    let (code, stdout, stderr) = fourbar(&["run", SLIDER_CRANK]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    for part in [
        "simulated to t = 0.5 s",
        "stroke ",
        " m/s^2",
        "largest constraint violation",
        "energy balance error",
        "steps by order",
    ] {
        assert!(stdout.contains(part), "{part}: {stdout}");
    }
    assert_eq!(fourbar(&["run", SLIDER_CRANK, "--quiet"]), (0, String::new(), String::new()));
}

#[test]
fn csv_has_units_in_its_header_and_one_line_for_each_output() {
    let folder = Folder::new("csv");
    let out = folder.file("out.csv");
    let (code, _, stderr) = fourbar(&["run", SLIDER_CRANK, "--out", &out, "--output-step", "0.1", "--end", "0.25"]);
    assert_eq!(code, 0, "{stderr}");
    let text = fs::read_to_string(out).unwrap();
    let lines: Vec<_> = text.lines().collect();
    assert!(lines[0].starts_with("time [s],crank_angle [rad],stroke [m],"), "{}", lines[0]);
    let times: Vec<_> = lines[1..].iter().map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(times, ["0", "0.1", "0.2", "0.25"]);
    let width = lines[0].split(',').count();
    for line in &lines[1..] {
        let fields: Vec<f64> = line.split(',').map(|field| field.parse().unwrap()).collect();
        assert_eq!(fields.len(), width);
        assert!((fields[1] - 30.0 * fields[0]).abs() < 1e-9, "the crank is driven at 30 rad/s: {line}");
    }
}

#[test]
fn the_report_is_one_file_that_needs_no_network() {
    let folder = Folder::new("report");
    let report = folder.file("report.html");
    assert_eq!(fourbar(&["run", ANDREWS, "--report", &report, "--quiet"]).0, 0);
    let page = pages::text(&report);
    for part in [
        "<!DOCTYPE html>",
        "Andrews' squeezing mechanism",
        "\"unit\":\"rad\"",
        "\"name\":\"beta\"",
        "uPlot=function",
        "\"times\":[0.0,",
    ] {
        assert!(page.contains(part), "{part}");
    }
    // Nothing is fetched: no source, style sheet or import from elsewhere. A drawing names a part of its own by `url(#`.
    let page = page.replace("url(#", "");
    for part in ["src=", "<link", "@import", "url(", "fetch("] {
        assert!(!page.contains(part), "{part}");
    }
    let data: Value = serde_json::from_slice(&pages::part(&page, "data").unwrap()).unwrap();
    let times = data["times"].as_array().unwrap().len();
    assert_eq!(times, 601);
    let curves: Vec<_> =
        data["plots"].as_array().unwrap().iter().flat_map(|plot| plot["curves"].as_array().unwrap()).collect();
    assert_eq!(curves.len(), data["summary"]["final"].as_object().unwrap().len());
    assert!(curves.iter().all(|curve| curve["values"].as_array().unwrap().len() == times));
    let steps = data["summary"]["statistics"]["steps"].as_u64().unwrap();
    assert_eq!(data["steps"]["sizes"].as_array().unwrap().len() as u64, steps);
}

#[test]
fn a_model_cannot_break_out_of_the_report() {
    let folder = Folder::new("escape");
    let (model, report) = (folder.file("m.toml"), folder.file("r.html"));
    let text = fs::read_to_string(crate::cli::root().join("models/pendulum.toml")).unwrap();
    let text = text.replace("name = \"pendulum\"", "name = \"</script><script>alert(1)</script>{{uplot}}\"");
    fs::write(&model, text).unwrap();
    assert_eq!(fourbar(&["run", &model, "--end", "1", "--report", &report, "-q"]).0, 0);
    let page = pages::text(report);
    let (head, _) = page.split_once("</html>").unwrap();
    assert!(!head.contains("<script>alert"));
    assert_eq!(page.matches("uPlot=function").count(), 1);
}

#[test]
fn values_outside_their_range_are_usage_errors_that_name_flag_value_and_range() {
    let cases = [
        (["--tolerance", "0"], "1e-14 to 0.1"),
        (["--tolerance", "nan"], "1e-14 to 0.1"),
        (["--tolerance", "-1e-6"], "1e-14 to 0.1"),
        (["--tolerance", "fine"], "write a number"),
        (["--end", "-1"], "above 0"),
        (["--end", "inf"], "above 0"),
        (["--output-step", "0"], "above 0"),
        (["--max-order", "13"], "a whole number from 1 to 12"),
        (["--max-order", "7"], "it must be an order from 1 to 6"),
        (["--max-steps", "0"], "a whole number from 1 on"),
        (["--max-steps", "1e3"], "a whole number from 1 on"),
        (["--max-order", "2.5"], "a whole number from 1 to 12"),
        (["--formulation", "si9"], "si2"),
        (["--integrator", "euler"], "gstiff"),
        (["--tolerence", "1e-6"], "--tolerance"),
    ];
    for (flags, fragment) in cases {
        let (code, stdout, stderr) = fourbar(&["run", ANDREWS, flags[0], flags[1]]);
        assert_eq!((code, stdout.as_str()), (2, ""), "{flags:?}: {stderr}");
        for part in [flags[0], fragment] {
            assert!(stderr.contains(part), "{flags:?}: {stderr}");
        }
    }
    assert_eq!(fourbar(&[]).0, 2);
    assert_eq!(fourbar(&["run"]).0, 2);
    assert_eq!(fourbar(&["--help"]).0, 0);
    assert!(fourbar(&["--version"]).1.starts_with("fourbar 0."));
}

#[test]
fn files_that_cannot_be_read_or_written_have_their_own_code() {
    let (code, _, stderr) = fourbar(&["run", "models/none.toml"]);
    assert!(code == 5 && stderr.contains("models/none.toml"), "{code} {stderr}");
    assert_eq!(fourbar(&["check", "models"]).0, 5);
    for flag in ["--out", "--report"] {
        let (code, stdout, stderr) = fourbar(&["run", SLIDER_CRANK, flag, "no/such/folder/file"]);
        assert_eq!((code, stdout.as_str()), (5, ""), "{flag}");
        assert!(stderr.contains("no/such/folder/file"), "{stderr}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported_with_the_file() {
    for flag in ["--out", "--report"] {
        let (code, stdout, stderr) = fourbar(&["run", SLIDER_CRANK, flag, "/dev/full"]);
        assert_eq!((code, stdout.as_str()), (5, ""), "{flag}");
        assert!(stderr.contains("cannot write /dev/full"), "{flag}: {stderr}");
    }
}

#[test]
fn a_run_that_fails_half_way_keeps_what_it_has() {
    let folder = Folder::new("failed");
    let (out, report) = (folder.file("out.csv"), folder.file("report.html"));
    let arguments = ["run", ANDREWS, "--max-steps", "200", "--json", "--out", &out, "--report", &report];
    let (code, stdout, stderr) = fourbar(&arguments);
    assert_eq!(code, 4, "{stderr}");
    assert!(stderr.contains("200 steps"), "{stderr}");
    let object: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(object["status"], "failed");
    let end = object["end_time"].as_f64().unwrap();
    assert!(end > 0.0 && end < 0.03);
    assert!(object["error"].as_str().unwrap().contains("200 steps"));
    let csv = fs::read_to_string(out).unwrap();
    let last: f64 = csv.lines().last().unwrap().split(',').next().unwrap().parse().unwrap();
    assert_eq!(last, end);
    assert!(pages::text(report).contains("200 steps"));
}

#[test]
fn what_ends_a_run_is_told_with_its_line() {
    let folder = Folder::new("line");
    let model = folder.file("root.toml");
    let body = "[[body]]\nname = \"ball\"\nmass = 1\ninertia = [1, 1, 1]\n";
    let force = "[[force]]\nname = \"drag\"\ntype = \"force\"\ni = \"ball\"\nvalue = [\"sqrt(1 - time)\", 0, 0]\n";
    fs::write(&model, format!("[simulation]\nend = 2\n{body}{force}")).unwrap();
    let (code, _, stderr) = fourbar(&["run", &model]);
    assert_eq!(code, 4, "{stderr}");
    assert!(stderr.contains("root.toml:7:1: ") && stderr.contains(" 7 | [[force]]"), "{stderr}");
    assert!(stderr.contains("force \"drag\"") && stderr.contains("NaN"), "{stderr}");
}

#[test]
fn linear_models_have_their_own_summary() {
    let (code, stdout, stderr) = fourbar(&["run", SERVO, "--json"]);
    assert_eq!(code, 0, "{stderr}");
    let object: Value = serde_json::from_str(&stdout).unwrap();
    let keys: Vec<_> = object.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["end_time", "final", "model", "statistics", "status", "wall_seconds"]);
    assert_eq!((&object["statistics"]["states"], &object["statistics"]["step_size"]), (&4.into(), &0.004.into()));
    assert_eq!(object["statistics"]["method"], "algorithm_1 of order 1");
    assert!((object["final"]["position"].as_f64().unwrap() - 0.1).abs() < 1e-4);
    assert!(stderr.contains("2 of them parts of steps"), "{stderr}");

    let folder = Folder::new("linear");
    let (out, report) = (folder.file("out.csv"), folder.file("report.html"));
    let (code, ..) = fourbar(&["run", SERVO, "-q", "--out", &out, "--report", &report, "--step", "1e-3"]);
    assert_eq!(code, 0);
    let csv = fs::read_to_string(out).unwrap();
    assert_eq!(csv.lines().next(), Some("time [s],reference [m],position [m],velocity [m/s],force [N],load [N]"));
    assert_eq!(csv.lines().count(), 502);
    assert!(csv.lines().nth(4).unwrap().starts_with("0.012,0.1,"), "the reference has jumped: {csv:.300}");
    let page = pages::text(report);
    assert!(page.contains("[\"step\",\"0.001 s\"]") && page.contains("\"unit\":\"m/s\""));

    let (code, stdout, _) = fourbar(&["check", SERVO, "--json"]);
    assert_eq!(code, 0);
    let object: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((&object["states"], &object["blocks"]["integrator"]), (&4.into(), &2.into()));
    assert!(fourbar(&["check", "models/heat.toml"]).1.contains("10000, 29998 entries in A"));
}

#[test]
fn options_that_do_not_fit_the_model_are_usage_errors() {
    for (arguments, part) in [
        ([SERVO, "--formulation", "i3"], "--formulation is no option for models/servo.toml"),
        ([SERVO, "--max-steps", "7"], "--max-steps is no option"),
        ([ANDREWS, "--method", "foh"], "--method is no option for models/andrews.toml"),
        ([SERVO, "--output-step", "5e-3"], "make --output-step a multiple of --step"),
        ([ANDREWS, "--output-step", "1e-300"], "raise --output-step"),
        ([SERVO, "--step", "1e-30"], "raise --step"),
    ] {
        let (code, stdout, stderr) = fourbar(&["run", arguments[0], arguments[1], arguments[2]]);
        assert_eq!((code, stdout.as_str()), (2, ""), "{arguments:?}: {stderr}");
        assert!(stderr.contains(part), "{arguments:?}: {stderr}");
    }
}

#[test]
fn results_never_overwrite_the_model_or_each_other() {
    let folder = Folder::new("overwrite");
    let (model, other) = (folder.file("m.toml"), folder.file("r"));
    let text = fs::read_to_string(crate::cli::root().join(SERVO)).unwrap();
    fs::write(&model, &text).unwrap();
    let detour = folder.file("../").to_owned() + &format!("{}/m.toml", folder.0.file_name().unwrap().to_str().unwrap());
    for arguments in [
        vec!["run", &model, "--out", &model],
        vec!["run", &model, "--report", &detour],
        vec!["run", &model, "--out", &other, "--report", &other],
    ] {
        let (code, _, stderr) = fourbar(&arguments);
        assert_eq!(code, 2, "{arguments:?}: {stderr}");
        assert!(stderr.contains("choose"), "{stderr}");
    }
    assert_eq!(fs::read_to_string(&model).unwrap(), text);
    assert!(!PathBuf::from(other).exists());
    #[cfg(unix)]
    {
        let link = folder.file("link.csv");
        fs::hard_link(&model, &link).unwrap();
        assert_eq!(fourbar(&["run", &model, "--out", &link]).0, 2);
        assert_eq!(fs::read_to_string(&model).unwrap(), text);
    }
}

#[test]
fn another_integrator_runs_whatever_formulation_the_file_has() {
    let folder = Folder::new("integrator");
    let model = folder.file("m.toml");
    let text = fs::read_to_string(crate::cli::root().join("models/double-pendulum.toml")).unwrap();
    for own in [
        "formulation = \"i3\"\nmax_order = 4",
        "integrator = \"gstiff\"\nformulation = \"si2\"",
        "integrator = \"rkf45\"",
        "integrator = \"abam\"\nmax_order = 9",
    ] {
        let changed = text.replace("[simulation]", &format!("[simulation]\n{own}"));
        assert_ne!(changed, text);
        fs::write(&model, changed).unwrap();
        for options in [
            &["--integrator", "rkf45"][..],
            &["--integrator", "abam", "--max-order", "12"],
            &["--integrator", "gstiff", "--formulation", "i3"],
        ] {
            let (code, _, stderr) = fourbar(&[&["run", &model, "--end", "0.1", "-q"], options].concat());
            assert_eq!(code, 0, "{own} {options:?}: {stderr}");
        }
        // Both from the command line contradict each other there.
        let (code, _, stderr) = fourbar(&["run", &model, "--integrator", "rkf45", "--formulation", "i3"]);
        assert!(code == 2 && stderr.contains("--formulation: rkf45 has one form"), "{code} {stderr}");
    }
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let mut child = command(&["run", ANDREWS]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_at_a_step_and_writes_what_exists() {
    use std::io::Read;
    use std::process::Command;
    use std::time::{Duration, Instant};

    let folder = Folder::new("interrupt");
    let (out, report) = (folder.file("out.csv"), folder.file("report.html"));
    let arguments = [
        "run",
        "models/pendulum.toml",
        "--end",
        "1e6",
        "--output-step",
        "0.01",
        "--json",
        "--out",
        &out,
        "--report",
        &report,
    ];
    let mut child = command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The handler is in place when the first rows are there.
    let begun = Instant::now();
    let part = || {
        fs::read_dir(&folder.0).unwrap().find_map(|entry| {
            entry.ok().filter(|e| {
                e.path().extension().is_some_and(|e| e == "part") && e.file_name().to_string_lossy().contains("csv")
            })
        })
    };
    while part().and_then(|part| part.metadata().ok()).map_or(0, |file| file.len()) < 1000 {
        assert!(begun.elapsed() < Duration::from_secs(60), "no output");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let mut stdout = String::new();
    child.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let object: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(object["status"], "interrupted");
    let end = object["end_time"].as_f64().unwrap();
    assert!(end > 0.0 && end < 1e6);
    let csv = fs::read_to_string(out).unwrap();
    let last: f64 = csv.lines().last().unwrap().split(',').next().unwrap().parse().unwrap();
    assert_eq!(last, end);
    assert!(fs::read_to_string(report).unwrap().ends_with("</html>\n"));
}
