//! Models with simulators in shared libraries, in the run's process and in one of their own.
#![cfg(unix)]

use crate::cli::{fourbar, root};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// A folder for one test, with a library made of `source` by the system's compiler; None where there is none.
fn folder(test: &str, compiler: &str, standard: &str, source: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("library-{test}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let library = folder.join("libpartner").with_extension(std::env::consts::DLL_EXTENSION);
    let mut command = Command::new(compiler);
    command.args([standard, "-O2", "-fPIC", "-shared", "-I"]).arg(root().join("include"));
    command.arg(root().join(source)).arg("-o").arg(library).arg("-lm");
    match command.status() {
        Ok(status) => assert!(status.success()),
        Err(error) => {
            println!("skipped: the compiler {compiler} cannot be run: {error}");
            return None;
        }
    }
    Some(folder)
}

/// `fourbar run model.toml --quiet --out out.csv` in the folder: exit code, the file, standard error.
fn run(folder: &Path, model: &str) -> (i32, String, String) {
    std::fs::write(folder.join("model.toml"), model).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_fourbar"));
    command.args(["run", "model.toml", "--quiet", "--out", "out.csv"]).current_dir(folder);
    let Output { status, stderr, .. } = command.output().unwrap();
    let csv = std::fs::read_to_string(folder.join("out.csv")).unwrap_or_default();
    (status.code().expect("ended by itself"), csv, String::from_utf8(stderr).unwrap())
}

/// A mass on the rod of the cylinder of the examples.
fn rod(more: &str) -> String {
    format!(
        r#"
type = "coupled"
name = "a mass on the rod of a cylinder"

[simulation]
end = 0.2
step = 5e-4
output_step = 1e-2
algorithm = "jacobi"
order = 2

[[simulator]]
name = "mass"

[simulator.equations]
solver_step = 1e-4
input = [{{ name = "F", unit = "kN", value = 0 }}]
state = [{{ name = "x", start = 0.2, rate = "v" }}, {{ name = "v", rate = "(F*1e3 - 5e4)/15e3" }}]
output = [{{ name = "x", unit = "mm", value = "x*1e3" }}, {{ name = "v", unit = "m/s", value = "v" }}]

[[simulator]]
name = "axis"
library = "libpartner"
parameters = {{ dead_a = 0.005, leakage = "1e-12*2" }}
{more}

[[connection]]
from = "mass.x"
to = "axis.position"

[[connection]]
from = "mass.v"
to = "axis.velocity"

[[connection]]
from = "axis.force"
to = "mass.F"
"#
    )
}

#[test]
fn a_library_and_a_process_give_the_same_file() {
    let Some(folder) = folder("rod", "c++", "-std=c++17", "examples/partner/cylinder.cpp") else { return };
    let (code, here, error) = run(&folder, &rod(""));
    assert_eq!(code, 0, "{error}");
    assert!(here.lines().count() == 22 && here.starts_with("time [s]"), "{here}");
    let (code, apart, error) = run(&folder, &rod("process = true\ntime_limit = 20"));
    assert_eq!((code, apart == here), (0, true), "{error}");
}

/// The example that README.md beside it says how to run.
#[test]
fn the_example_of_a_partner_runs_as_its_readme_says() {
    let Some(folder) = folder("example", "c++", "-std=c++17", "examples/partner/cylinder.cpp") else { return };
    let named = |name: &str| folder.join(name).with_extension(std::env::consts::DLL_EXTENSION);
    std::fs::rename(named("libpartner"), named("libcylinder")).unwrap();
    let model = std::fs::read_to_string(root().join("examples/partner/mass-and-cylinder.toml")).unwrap();
    let (code, csv, error) = run(&folder, &model);
    assert_eq!((code, error.as_str()), (0, ""));
    let column = |line: &str, name: &str| {
        let header: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
        let k = header.iter().position(|column| column.starts_with(name)).unwrap();
        line.split(',').nth(k).unwrap().parse::<f64>().unwrap()
    };
    // The rod follows 0.2 m + 0.11 m (1 - cos(pi t)) with the lag of its control: at t = 1 s near its farthest, at t = 2 s near the start.
    let rows: Vec<&str> = csv.lines().skip(1).collect();
    assert_eq!(rows.len(), 201);
    let (there, back) = (column(rows[100], "mass.x"), column(rows[200], "mass.x"));
    assert!((there - 420.0).abs() < 30.0 && (back - 200.0).abs() < 30.0, "{there} {back}");
}

#[test]
fn a_library_that_cannot_be_had_is_a_fault_of_the_model() {
    let Some(folder) = folder("refused", "c++", "-std=c++17", "examples/partner/cylinder.cpp") else { return };
    for process in ["", "process = true"] {
        let (code, _, error) = run(&folder, &rod(process).replace("dead_a", "dead_c"));
        assert_eq!(code, 3, "{error}");
        assert!(error.contains("there is no parameter \"dead_c\"") && error.contains("model.toml:23:11"), "{error}");
    }
    let (code, _, error) = run(&folder, &rod("").replace("libpartner", "libnone"));
    assert!(code == 3 && error.contains("libnone") && error.contains("cannot be read"), "{code} {error}");
    // What only libraries have.
    let elsewhere = rod("").replace("name = \"mass\"", "name = \"mass\"\nprocess = true");
    let (code, _, error) = run(&folder, &elsewhere);
    assert!(code == 3 && error.contains("process"), "{code} {error}");
}

#[test]
fn a_crash_ends_the_run_and_leaves_the_results_so_far() {
    let source = "coupling/tests/library/troubled.c";
    let Some(folder) = folder("crash", "cc", "-std=c99", source) else { return };
    let model = r#"
type = "coupled"

[simulation]
end = 1
step = 0.1
output_step = 0.1
algorithm = "jacobi_delayed"

[[simulator]]
name = "tank"
library = "libpartner"
process = true
parameters = { trouble = 10, at = 0.55, times = 1 }
"#;
    let (code, csv, error) = run(&folder, model);
    assert_eq!(code, 4, "{error}");
    assert!(error.contains("\"tank\" failed while stepping: its process has ended: signal: 11 (SIGSEGV)"), "{error}");
    let rows: Vec<&str> = csv.lines().collect();
    assert!(rows.len() == 7 && rows[6].starts_with("0.5,"), "{csv}");
    // Asked again from its saved state by another process, it does not crash: the run goes to its end.
    std::fs::remove_file(folder.join("tank")).unwrap();
    let (code, csv, error) = run(&folder, &format!("{model}\n[faults]\ncommunication = \"retry\"\n"));
    assert_eq!((code, csv.lines().count()), (0, 12), "{error}");
}

/// A tank that hangs in its step to 0.6 s.
fn hung(more: &str) -> String {
    format!(
        r#"
type = "coupled"

[simulation]
end = 1
step = 0.1
output_step = 0.1
algorithm = "jacobi_delayed"

[[simulator]]
name = "tank"
library = "libpartner"
parameters = {{ trouble = 9, at = 0.55, times = 1 }}
{more}
"#
    )
}

#[test]
fn a_partner_that_hangs_is_given_up_after_its_limit() {
    let Some(folder) = folder("hung", "cc", "-std=c99", "coupling/tests/library/troubled.c") else { return };
    for process in ["", "process = true\n"] {
        let (code, csv, error) = run(&folder, &hung(&format!("{process}time_limit = 0.5")));
        assert_eq!(code, 4, "{error}");
        assert!(error.contains("\"tank\" did not answer within 500ms"), "{error}");
        let rows: Vec<&str> = csv.lines().collect();
        assert!(rows.len() == 7 && rows[6].starts_with("0.5,"), "{csv}");
        let _ = std::fs::remove_file(folder.join("tank"));
    }
}

/// Without a limit of its own a partner has a minute: the first Ctrl-C does not wait for that, nor does SIGTERM.
#[test]
fn the_first_signal_ends_a_run_whose_partner_hangs_and_keeps_the_results() {
    let Some(folder) = folder("interrupted", "cc", "-std=c99", "coupling/tests/library/troubled.c") else { return };
    for (process, signal) in [("", "INT"), ("process = true", "INT"), ("", "TERM"), ("process = true", "TERM")] {
        std::fs::write(folder.join("model.toml"), hung(process)).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_fourbar"));
        command.args(["run", "model.toml", "--quiet", "--out", "out.csv", "--summary", "out.json"]);
        let mut child = command.current_dir(&folder).spawn().unwrap();
        // How often it went wrong is the length of this file: it hangs when it is there.
        let begun = Instant::now();
        while !folder.join("tank").exists() {
            assert!(begun.elapsed() < Duration::from_secs(60) && child.try_wait().unwrap().is_none());
            std::thread::sleep(Duration::from_millis(20));
        }
        std::thread::sleep(Duration::from_millis(200));
        let interrupted = Instant::now();
        let kill = Command::new("sh").arg("-c").arg(format!("kill -{signal} {}", child.id())).status().unwrap();
        assert!(kill.success());
        let status = child.wait().unwrap();
        // Long before the limit.
        assert!(interrupted.elapsed() < Duration::from_secs(30), "{:?}", interrupted.elapsed());
        assert_eq!(status.code(), Some(130));
        let csv = std::fs::read_to_string(folder.join("out.csv")).unwrap();
        let rows: Vec<&str> = csv.lines().collect();
        assert!(rows.len() == 7 && rows[6].starts_with("0.5,"), "{csv}");
        assert!(std::fs::read_to_string(folder.join("out.json")).unwrap().contains("\"interrupted\""));
        std::fs::remove_file(folder.join("tank")).unwrap();
    }
}

#[test]
fn hosting_is_not_for_people() {
    let (code, help, _) = fourbar(&["--help"]);
    assert!(code == 0 && !help.contains("host-partner"), "{help}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_fourbar"));
    let output = command.arg("host-partner").stdin(std::process::Stdio::null()).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && error.contains("started by a run, not by hand"), "{error}");
}
