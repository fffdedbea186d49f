//! `fourbar sweep` as a person or a job array meets it: killed, stopped, in shards.

use crate::cli::{command, fourbar, root};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// What a busy machine may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// A plan of 60 four-bars in a folder of its own.
fn plan(folder: &TempDir) -> String {
    let model = root().join("models/four-bar.toml").canonicalize().unwrap();
    let text = format!(
        "model = {model:?}\nsettings = {{ end = 0.05 }}\n[[parameter]]\nname = \"crank\"\nfrom = 0.08\nto = 0.12\n\
         [members]\nchoose = \"random\"\nnumber = 60\nseed = 3\n\
         [[output]]\ncolumn = \"rocker_angle\"\nreduce = \"max\"\n[[output]]\nstatistic = \"steps\"\n"
    );
    let path = folder.path().join("plan.toml");
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

fn at(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).display().to_string()
}

/// The table of the sweep in one piece.
fn whole(folder: &TempDir, plan: &str) -> Vec<u8> {
    let out = at(folder, "whole.csv");
    let (code, stdout, stderr) = fourbar(&["sweep", plan, "--out", &out, "--jobs", "1"]);
    // The four-bar is drawn roughly: each of its members says so.
    let warned = stderr.lines().all(|line| line.starts_with("fourbar: warning: 60 members, first 0: "));
    assert!(code == 0 && warned && stderr.contains("assembly moved"), "{code} {stderr}");
    assert!(stdout.starts_with("60 runs, 0 failed"), "{stdout}");
    fs::read(out).unwrap()
}

fn lines(path: &str) -> usize {
    fs::read(path).map_or(0, |bytes| bytes.iter().filter(|byte| **byte == b'\n').count())
}

/// Ends the sweep by `signal` once its journal has grown by some members.
#[cfg(unix)]
fn stopped_by(signal: &str, plan: &str, out: &str) -> Option<i32> {
    let journal = format!("{out}.journal");
    let before = lines(&journal);
    let mut child = command(&["sweep", plan, "--out", out, "--jobs", "2"]).stderr(Stdio::null()).spawn().unwrap();
    let begun = Instant::now();
    while lines(&journal) < before + 5 && child.try_wait().unwrap().is_none() {
        assert!(begun.elapsed() < PATIENCE, "no member in {PATIENCE:?}");
        std::thread::sleep(Duration::from_millis(2));
    }
    // A sweep that has ended in the meantime is no fault.
    let _ = Command::new("kill").args([signal, &child.id().to_string()]).stderr(Stdio::null()).status().unwrap();
    child.wait().unwrap().code()
}

#[cfg(unix)]
#[test]
fn a_sweep_that_is_killed_and_stopped_goes_on_without_loss() {
    let folder = TempDir::new().unwrap();
    let (plan, out) = (plan(&folder), at(&folder, "out.csv"));
    let expected = whole(&folder, &plan);
    for signal in ["-KILL", "-KILL", "-INT", "-TERM"] {
        let code = stopped_by(signal, &plan, &out);
        let is_done = Path::new(&out).exists();
        assert!(is_done || code == if signal == "-KILL" { None } else { Some(130) }, "{signal}: {code:?}");
    }
    let noted = lines(&format!("{out}.journal"));
    assert!(noted > 5, "{noted}");
    assert_eq!(fourbar(&["sweep", &plan, "--out", &out, "--quiet"]).0, 0);
    assert_eq!(fs::read(&out).unwrap(), expected);
    assert_eq!(lines(&format!("{out}.journal")), 61);
}

#[test]
fn four_shards_merge_to_the_whole() {
    let folder = TempDir::new().unwrap();
    let plan = plan(&folder);
    let expected = whole(&folder, &plan);
    let tables: Vec<String> = (1..=4).map(|k| at(&folder, &format!("part-{k}.csv"))).collect();
    for (k, table) in tables.iter().enumerate() {
        let (code, _, stderr) = fourbar(&["sweep", &plan, "--shard", &format!("{}/4", k + 1), "--out", table]);
        assert_eq!(code, 0, "{stderr}");
    }
    let all = at(&folder, "all.csv");
    let mut arguments = vec!["sweep", "merge"];
    arguments.extend(tables.iter().map(String::as_str));
    arguments.extend(["-o", &all]);
    assert_eq!(fourbar(&arguments).0, 0);
    assert_eq!(fs::read(&all).unwrap(), expected);
    let side = |table: &str| fs::read_to_string(format!("{table}.json")).unwrap();
    assert_eq!(side(&all), side(&at(&folder, "whole.csv")));
}

/// The example of docs/sweeps.md.
#[test]
fn gnu_parallel_runs_the_shards() {
    let version = Command::new("parallel").arg("--version").output();
    if !version.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).starts_with("GNU parallel")) {
        eprintln!("skipped: GNU parallel is not installed (apt-get install parallel)");
        return;
    }
    let folder = TempDir::new().unwrap();
    let plan = plan(&folder);
    let expected = whole(&folder, &plan);
    let script = "seq 4 | parallel \"$FOURBAR\" sweep plan.toml --jobs 1 --shard {}/4 --out part-{}.csv --quiet && \
                  \"$FOURBAR\" sweep merge part-*.csv --out all.csv";
    let mut shell = Command::new("sh");
    shell.args(["-ec", script]).env("FOURBAR", env!("CARGO_BIN_EXE_fourbar")).current_dir(folder.path());
    let output = shell.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(fs::read(at(&folder, "all.csv")).unwrap(), expected);
}

#[test]
fn what_is_wrong_with_a_sweep_has_its_exit_code() {
    let folder = TempDir::new().unwrap();
    let (plan, out) = (plan(&folder), at(&folder, "out.csv"));
    let (code, _, stderr) = fourbar(&["sweep", "tests/bad-plans/unknown-column.toml", "--out", &out]);
    assert!(code == 3 && stderr.contains("did you mean `rocker_angle`"), "{code} {stderr}");
    let (code, _, stderr) = fourbar(&["sweep", "no-such-plan.toml", "--out", &out]);
    assert!(code == 5 && stderr.contains("no-such-plan.toml"), "{code} {stderr}");
    let (code, _, stderr) = fourbar(&["sweep", &plan, "--out", &plan]);
    assert!(code == 2 && stderr.contains("would overwrite"), "{code} {stderr}");
    let (code, _, stderr) = fourbar(&["sweep", &plan, "--out", &out, "--shard", "5/4"]);
    assert!(code == 2 && stderr.contains("no shard 5 of 4"), "{code} {stderr}");
    for (report, other) in [
        (out.clone(), "--out and --report"),
        (format!("{out}.journal"), "the journal of --out and --report"),
        (format!("{out}.json"), "the file beside --out and --report"),
        (format!("{out}.failed.csv"), "the failed members of --out and --report"),
    ] {
        let (code, _, stderr) = fourbar(&["sweep", &plan, "--out", &out, "--report", &report]);
        assert!(code == 2 && stderr.contains(other) && stderr.contains("choose two files"), "{code} {stderr}");
    }
    let (code, _, stderr) = fourbar(&["sweep", &plan, "--out", &out, "--report", &at(&folder, "page.csv")]);
    assert!(code == 2 && stderr.contains("page.html"), "{code} {stderr}");
    fs::write(format!("{out}.journal"), "something else\n").unwrap();
    let (code, _, stderr) = fourbar(&["sweep", &plan, "--out", &out]);
    assert!(code == 5 && stderr.contains("out.csv.journal") && stderr.contains("delete it"), "{code} {stderr}");
}

/// A plan over a table of members, of a four-bar with a measure that long cranks do not have.
fn warned(folder: &TempDir) -> String {
    let model = fs::read_to_string(root().join("models/four-bar.toml")).unwrap();
    let measure = "\n[[measure]]\nname = \"root\"\ntype = \"expression\"\nexpression = \"sqrt(0.1 - crank)\"\n";
    fs::write(folder.path().join("model.toml"), model + measure).unwrap();
    fs::write(folder.path().join("cranks.csv"), "crank\n0.09\n0.11\n0.12\n").unwrap();
    let text = "model = \"model.toml\"\nsettings = { end = 0.05 }\n[[parameter]]\nname = \"crank\"\n\
                [members]\nchoose = \"list\"\ntable = \"cranks.csv\"\n[[output]]\ncolumn = \"rocker_angle\"\n";
    fs::write(folder.path().join("warned.toml"), text).unwrap();
    at(folder, "warned.toml")
}

#[test]
fn warnings_of_members_are_told_once_and_strict_refuses_them() {
    let folder = TempDir::new().unwrap();
    let (plan, out) = (warned(&folder), at(&folder, "out.csv"));
    let expected = "warning: 2 members, first 1: `root` is not finite";
    let (code, _, stderr) = fourbar(&["sweep", &plan, "--out", &out, "--quiet"]);
    assert_eq!((code, stderr.matches("`root`").count()), (0, 1), "{stderr}");
    assert!(stderr.contains(expected), "{stderr}");
    // From the journal too.
    let (code, _, stderr) = fourbar(&["sweep", &plan, "--out", &out, "--quiet", "--strict"]);
    assert!(code == 6 && stderr.contains(expected), "{code} {stderr}");
    let page = at(&folder, "page.html");
    assert_eq!(fourbar(&["sweep", &plan, "--out", &out, "--report", &page]).0, 0);
    assert!(fs::read_to_string(page).unwrap().contains("2 members, first 1: `root`"));
    // What the sweep reads it does not write.
    let table = at(&folder, "cranks.csv");
    let (code, _, stderr) = fourbar(&["sweep", &plan, "--out", &table]);
    assert!(code == 2 && stderr.contains("would overwrite"), "{code} {stderr}");
}

#[test]
fn one_run_is_no_runs() {
    let folder = TempDir::new().unwrap();
    let plan = warned(&folder);
    fs::write(folder.path().join("cranks.csv"), "crank\n0.09\n").unwrap();
    let (code, stdout, stderr) = fourbar(&["sweep", &plan, "--out", &at(&folder, "out.csv")]);
    assert!(code == 0 && stdout.starts_with("1 run, 0 failed"), "{stdout} {stderr}");
}

#[test]
fn a_search_at_an_end_of_a_range_says_so_and_strict_refuses_it() {
    let folder = TempDir::new().unwrap();
    let model = root().join("models/four-bar.toml").canonicalize().unwrap();
    let text = format!(
        "model = {model:?}\nsettings = {{ end = 0.05 }}\n[[parameter]]\nname = \"crank\"\nfrom = 0.08\nto = 0.12\n\
         [[output]]\ncolumn = \"rocker_angle\"\nreduce = \"max\"\ntarget = 100.0\n[optimize]\nmethod = \"least_squares\"\n"
    );
    fs::write(folder.path().join("fit.toml"), text).unwrap();
    let (plan, out) = (at(&folder, "fit.toml"), at(&folder, "out.csv"));
    let (code, stdout, stderr) = fourbar(&["sweep", &plan, "--out", &out]);
    assert_eq!(code, 0, "{stdout} {stderr}");
    assert!(stdout.contains(", at an end of the range of crank\n") && stdout.contains("(target 100)"), "{stdout}");
    assert!(stderr.contains("a wider range may have a better value"), "{stderr}");
    assert_eq!(fourbar(&["sweep", &plan, "--out", &out, "--strict"]).0, 6);
}

#[test]
fn a_search_tells_how_it_ended_and_a_page_shows_the_runs() {
    let folder = TempDir::new().unwrap();
    let (out, page) = (at(&folder, "fit.csv"), at(&folder, "fit.html"));
    let (code, stdout, stderr) =
        fourbar(&["sweep", "examples/sweeps/four-bar-fit.toml", "--out", &out, "--report", &page]);
    assert!(code == 0 && !stderr.contains("wider range"), "{stdout} {stderr}");
    assert!(stdout.contains("search converged: ") && stdout.contains("crank"), "{stdout}");
    assert!(!stdout.contains("at an end"), "{stdout}");
    // The target is reached.
    let reached = stdout.lines().find(|line| line.contains("rocker_angle.max")).unwrap();
    let numbers: Vec<f64> = reached.split([' ', ')']).filter_map(|word| word.parse().ok()).collect();
    assert!((numbers[0] - numbers[1]).abs() < 1e-4 * numbers[1], "{reached}");
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("\"search\":[[\"end\",\"converged") && !page.contains("{{"), "the page is not whole");
}
