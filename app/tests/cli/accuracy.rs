//! `fourbar accuracy`: files, a model of the user's, a program of others.

use super::fourbar;
use std::fs;

const QUICK: [&str; 4] = ["--quiet", "--repeats", "1", "--tolerance=1e-4,1e-6"];

fn accuracy(arguments: &[&str]) -> (i32, String, String) {
    fourbar(&[&["accuracy"], arguments, &QUICK[..]].concat())
}

#[test]
fn results_go_to_the_terminal_and_to_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (json, csv, html) = (path("a.json"), path("a.csv"), path("a.html"));
    let options = ["chain_N1", "--integrator", "gstiff", "--json", &json, "--csv", &csv, "--html", &html];
    let (code, out, error) = accuracy(&options);
    assert_eq!((code, error.as_str()), (0, ""));
    assert!(out.contains("chain_N1: chain of 1 rods") && out.contains("work at equal error"), "{out}");
    assert!(out.contains("gstiff i3") && out.contains("gstiff si2") && !out.contains("rkf45"), "{out}");
    let json: serde_json::Value = serde_json::from_str(&fs::read_to_string(json).unwrap()).unwrap();
    // Formulations of gstiff at two tolerances.
    assert!(json["records"].as_array().unwrap().len() >= 4);
    assert!(json["machine"]["version"].is_string());
    assert!(fs::read_to_string(csv).unwrap().starts_with("problem,program,"));
    assert!(fs::read_to_string(html).unwrap().contains("<svg"));
}

#[test]
fn problems_are_listed() {
    let (code, out, _) = fourbar(&["accuracy", "--list"]);
    assert_eq!(code, 0);
    assert!(out.contains("andrews: ") && out.contains("wheelset: ") && out.contains("van_der_pol: "), "{out}");
}

#[test]
fn a_model_of_the_user_is_compared_with_a_run_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let reference = folder.path().join("reference.csv").to_str().unwrap().to_owned();
    let model = "models/four-bar.toml";
    let options = ["--end", "0.5", "--output-step", "0.05", "--tolerance", "1e-11", "--quiet", "--out", &reference];
    let (code, ..) = fourbar(&[&["run", model], &options[..]].concat());
    assert_eq!(code, 0);
    let (code, out, error) = accuracy(&["--model", model, "--reference", &reference]);
    assert_eq!(code, 0, "{error}");
    assert!(out.contains("four-bar: ") && out.contains("| position |") && out.contains("gstiff si2"), "{out}");
    // A column that the model does not have.
    fs::write(&reference, "time,crank\n0.1,1\n").unwrap();
    let (code, _, error) = accuracy(&["--model", model, "--reference", &reference]);
    assert_eq!(code, 2);
    assert!(error.contains("\"crank\" is no measure") && error.contains("crank_angle"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_program_of_others_takes_part() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let script = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path.to_str().unwrap().to_owned()
    };
    // It knows the start of Robertson's kinetics, and nothing of the third column.
    let rows = ["[1, 0, null]"; 5].join(", ");
    let answer =
        format!("{{\"values\": [{rows}], \"counts\": {{\"steps\": 7}}, \"seconds\": 0.25, \"method\": \"guess\"}}");
    let good = script("other", &format!("grep -q '\"problem\":\"robertson\"' && echo '{answer}'"));
    let bad = script("broken", "echo no solver here >&2; exit 3");
    let absent = folder.path().join("absent").to_str().unwrap().to_owned();
    let (code, out, error) =
        accuracy(&["robertson", "--integrator", "gstiff", "--with", &good, "--with", &bad, "--with", &absent]);
    assert_eq!(code, 0, "{error}");
    let row = out.lines().find(|line| line.starts_with("| other guess")).unwrap_or_else(|| panic!("{out}"));
    assert!(row.contains(" 7 ") && row.contains("250.000"), "{row}");
    assert!(out.contains("no solver here") && out.contains("cannot be started"), "{out}");
}

#[test]
fn contradictions_are_usage_errors() {
    for (arguments, part) in [
        (&["andrew"][..], "andrews"),
        (&[][..], "--all"),
        (&["chain_N1", "--integrator", "ida"][..], "gstiff"),
        (&["chain_N1", "--csv", "-"][..], "is no file"),
        (&["chain_N1", "--csv", "same", "--json", "same"][..], "same"),
        (&["--model", "models/four-bar.toml"][..], "--reference"),
    ] {
        let (code, _, error) = accuracy(arguments);
        assert_eq!(code, 2, "{arguments:?}: {error}");
        assert!(error.contains(part), "{arguments:?}: {error}");
    }
    let (code, _, error) = fourbar(&["accuracy", "chain_N1", "--tolerance", "1"]);
    assert!(code == 2 && error.contains("1e-14"), "{error}");
}
