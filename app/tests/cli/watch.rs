//! `fourbar run --watch`: again after each change of the model or of what it includes, errors printed, until Ctrl-C.

use super::run::Folder;
use crate::cli::fourbar;
use std::fs;
use std::io::{BufRead, BufReader, Lines};
use std::process::{Child, ChildStderr, Command, Stdio};

const PART: &str = "[[body]]\nname = \"mass\"\nmass = 1\ninertia = [1, 1, 1]\n";

fn main_model(end: &str) -> String {
    let measure = "[[measure]]\nname = \"fall\"\ntype = \"position\"\ni = \"part.mass\"\ncomponent = \"z\"\n";
    format!(
        "gravity = [0, 0, -10]\n[simulation]\nend = {end}\n[[include]]\nname = \"part\"\nfile = \"part.toml\"\n{measure}"
    )
}

struct Watch {
    child: Child,
    lines: Lines<BufReader<ChildStderr>>,
}

impl Watch {
    fn start(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_fourbar"));
        let child = child.args(["run", "--watch", "--quiet"]).args(arguments).stderr(Stdio::piped()).spawn();
        let mut child = child.unwrap();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        Self { child, lines }
    }

    /// What is said until it waits for the next change.
    fn round(&mut self) -> String {
        let mut text = String::new();
        for line in self.lines.by_ref().map(Result::unwrap) {
            text.push_str(&line);
            if line.contains("Ctrl-C ends it") {
                return text;
            }
        }
        panic!("it has ended: {text}");
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The last row of a table.
fn last(table: &str) -> Vec<f64> {
    let text = fs::read_to_string(table).unwrap();
    text.lines().last().unwrap().split(',').map(|field| field.parse().unwrap()).collect()
}

#[test]
fn it_runs_again_when_the_model_or_its_part_changes_and_outlives_errors() {
    let folder = Folder::new("watch");
    let [main, part, out] = ["main.toml", "part.toml", "out.csv"].map(|name| folder.file(name));
    fs::write(&part, PART).unwrap();
    fs::write(&main, main_model("1")).unwrap();
    let mut watch = Watch::start(&[&main, "--out", &out]);
    assert!(watch.round().contains("watching 2 files"));
    let fallen = |row: Vec<f64>, time: f64, height: f64| row[0] == time && (row[1] - height).abs() < 1e-6;
    assert!(fallen(last(&out), 1.0, -5.0));
    fs::write(&main, main_model("2")).unwrap();
    watch.round();
    assert!(fallen(last(&out), 2.0, -20.0));
    fs::write(&part, format!("{PART}position = [0, 0, 7]\n")).unwrap();
    watch.round();
    assert!(fallen(last(&out), 2.0, -13.0));
    // A fault is told with its line, and what was there stays.
    fs::write(&part, format!("{PART}positoin = [0, 0, 8]\n")).unwrap();
    let told = watch.round();
    assert!(told.contains("positoin") && told.contains("watching 2 files"), "{told}");
    assert!(fallen(last(&out), 2.0, -13.0));
    // A file that is away for a moment, as some editors do.
    fs::remove_file(&part).unwrap();
    assert!(watch.round().contains("part.toml"));
    fs::write(&part, format!("{PART}position = [0, 0, 9]\n")).unwrap();
    watch.round();
    assert!(fallen(last(&out), 2.0, -11.0));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_it_while_it_waits_and_while_it_runs() {
    let folder = Folder::new("watch-end");
    let model = folder.file("model.toml");
    assert_eq!(fourbar(&["new", "mechanism", &model]).0, 0);
    for (end, waits) in [("0.1", true), ("1e5", false)] {
        let out = folder.file("out.csv");
        let mut watch = Watch::start(&[&model, "--end", end, "--out", &out]);
        if waits {
            watch.round();
        } else {
            // The table under way lies beside its place.
            let folder = std::path::Path::new(&model).parent().unwrap();
            let has_rows = |file: fs::DirEntry| {
                file.path().extension().is_some_and(|ending| ending == "part")
                    && file.metadata().is_ok_and(|data| data.len() > 1000)
            };
            while !fs::read_dir(folder).unwrap().filter_map(Result::ok).any(has_rows) {
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
        }
        let asked = Command::new("kill").args(["-INT", &watch.child.id().to_string()]).status().unwrap();
        assert!(asked.success());
        assert_eq!(watch.child.wait().unwrap().code(), Some(130));
        assert!(last(&out)[0] > 0.0);
    }
}
