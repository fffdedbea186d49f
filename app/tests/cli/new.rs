//! `fourbar new`: what it writes runs at once, and nothing is overwritten.

use super::run::Folder;
use crate::cli::fourbar;
use serde_json::Value;
use std::fs;

type Kind = (&'static str, &'static str, fn(f64) -> bool);

/// The kinds, and a measure of each with the value that its text promises: the geometry of the crank, a crate that slides, a place that is
/// reached, a cylinder whose rod is held, a spring of 100 N/m that pulls against a controller of 900 N/m.
const KINDS: [Kind; 5] = [
    ("mechanism", "slider", |x| (0.2..=0.4).contains(&x)),
    ("contact", "speed", |v| v > 1.0),
    ("linear", "position", |x| (x - 0.05).abs() < 5e-3),
    ("circuit", "bottom.pressure", |p| (1e5..=2e7).contains(&p)),
    ("coupled", "plant.place", |x| (x - 0.09).abs() < 1e-4),
];

#[test]
fn a_first_model_of_each_kind_runs_at_once_without_warnings() {
    let folder = Folder::new("new");
    for (kind, name, holds) in KINDS {
        let file = folder.file(&format!("my {kind}.toml"));
        let (code, stdout, stderr) = fourbar(&["new", kind, &file]);
        assert_eq!((code, stderr.as_str()), (0, ""));
        assert!(stdout.contains("fourbar run"), "{stdout}");
        let (code, _, stderr) = fourbar(&["check", &file]);
        assert_eq!(code, 0, "{kind}: {stderr}");
        let (code, stdout, stderr) = fourbar(&["run", &file, "--strict", "--json"]);
        assert_eq!(code, 0, "{kind}: {stderr}");
        let object: Value = serde_json::from_str(&stdout).unwrap();
        assert_eq!(object["model"], format!("my {kind}"));
        let value = object["final"][name].as_f64().unwrap();
        assert!(holds(value), "{kind}: {name} = {value}");
    }
}

#[test]
fn a_file_that_is_there_stays_and_a_name_with_quotes_is_a_name() {
    let folder = Folder::new("new-there");
    let file = folder.file("a \"b\".toml");
    assert_eq!(fourbar(&["new", "contact", &file]).0, 0);
    let before = fs::read(&file).unwrap();
    let (code, _, stderr) = fourbar(&["new", "linear", &file]);
    assert_eq!(code, 2);
    assert!(stderr.contains("is there already"), "{stderr}");
    assert_eq!(fs::read(&file).unwrap(), before);
    assert_eq!(fourbar(&["check", &file]).0, 0);
    let (code, _, stderr) = fourbar(&["new", "rocket", &folder.file("c.toml")]);
    assert_eq!(code, 2);
    assert!(stderr.contains("mechanism") && stderr.contains("coupled"), "{stderr}");
    assert_eq!(fourbar(&["new", "linear", &folder.file("no/such/folder.toml")]).0, 5);
}
