//! `fourbar new`: what it writes runs at once, and nothing is overwritten.

use super::run::Folder;
use crate::cli::fourbar;
use serde_json::Value;
use std::fs;
#[cfg(unix)]
use std::io::{BufRead as _, BufReader};

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

/// Every command that stands in the text of a first model does what it says, typed in a shell beside the file, whatever the file is called.
#[cfg(unix)]
#[test]
fn every_command_of_every_first_model_runs_as_typed() {
    use std::process::{Command, Stdio};
    let folder = Folder::new("new-typed");
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_fourbar"));
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap_or_default());
    let shell = |line: &str| {
        let mut shell = Command::new("sh");
        shell.args(["-c", line]).current_dir(folder.file("")).env("PATH", &path).stdout(Stdio::piped());
        shell
    };
    for (kind, _, _) in KINDS {
        let file = folder.file(&format!("it's my {kind}.toml"));
        let (code, stdout, _) = fourbar(&["new", kind, &file]);
        assert_eq!(code, 0);
        let text = fs::read_to_string(&file).unwrap();
        let told = stdout.lines().last().unwrap().trim();
        let commands: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("#   ")).chain([told]).collect();
        assert!(commands.len() > 3 && commands.iter().all(|line| line.starts_with("fourbar ")), "{commands:?}");
        for line in commands {
            // What follows two spaces says what it does.
            let command = line.split("  ").next().unwrap();
            if command.starts_with("fourbar serve") {
                let mut child = shell(&format!("exec {command} --no-open")).spawn().unwrap();
                let mut first = String::new();
                let read = BufReader::new(child.stdout.take().unwrap()).read_line(&mut first);
                child.kill().unwrap();
                child.wait().unwrap();
                assert!(read.is_ok() && first.contains("http://127.0.0.1"), "{command}: {first}");
                continue;
            }
            let output = shell(command).stderr(Stdio::piped()).output().unwrap();
            assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
            for (_, page) in [command.split_once("--html "), command.split_once("--report ")].into_iter().flatten() {
                let length = fs::metadata(folder.file(page)).unwrap().len();
                assert!(length > 10_000, "{command}: {length}");
                fs::remove_file(folder.file(page)).unwrap();
            }
        }
    }
}
