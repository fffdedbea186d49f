//! Simulators on other computers, here two processes of this one: the same table, and what is refused.

use super::{command, fourbar, root};
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Stdio};

/// A running `fourbar host`, killed when this is dropped.
struct Host {
    child: Child,
    address: String,
}

impl Host {
    fn start(model: &str, token: &str) -> Self {
        let mut host = command(&["host", model, "--listen", "127.0.0.1:0"]);
        Self::of(host.env("FOURBAR_TOKEN", token))
    }

    fn of(host: &mut std::process::Command) -> Self {
        let mut child = host.stderr(Stdio::piped()).spawn().unwrap();
        let mut told = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        told.read_line(&mut line).unwrap();
        let address = line.split(" at ").nth(1).and_then(|rest| rest.split(';').next()).expect(&line).to_owned();
        // It must be able to go on telling.
        std::thread::spawn(move || told.read_to_string(&mut String::new()));
        Self { child, address }
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const PRESS: &str = "models/press.toml";

#[test]
fn the_press_on_two_computers_has_the_table_of_one() {
    let folder = tempfile::tempdir().unwrap();
    let host = Host::start(PRESS, "");
    let table = |name: &str, more: &[&str]| {
        let path = folder.path().join(name);
        let run = ["run", PRESS, "--end", "0.05", "-q", "--set", "axis2.dead_a=0.005", "--out", path.to_str().unwrap()];
        let (code, _, stderr) = fourbar(&[&run[..], more].concat());
        assert_eq!(code, 0, "{stderr}");
        std::fs::read(path).unwrap()
    };
    let here = table("one.csv", &[]);
    let far = |simulator: &str| format!("--host={simulator}={}", host.address);
    let all = [far("beam"), far("axis1"), far("axis2"), far("servo")];
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    for count in [1, 2, 4] {
        assert!(table("two.csv", &all[..count]) == here, "{count} simulators there");
    }
}

#[test]
fn what_the_other_computer_does_not_have_is_refused_with_the_place_and_the_remedy() {
    let host = Host::start("models/press-stop.toml", "secret");
    let refused = |arguments: &[&str], token: &str, words: &[&str]| {
        let output = command(&[&["run", PRESS][..], arguments].concat()).env("FOURBAR_TOKEN", token).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(words.iter().all(|word| stderr.contains(word)), "{stderr}");
        output.status.code()
    };
    let at = format!("--host=beam={}", host.address);
    assert_eq!(refused(&[&at], "other", &["simulator \"beam\"", "the token is another one"]), Some(3));
    assert_eq!(refused(&[&at], "secret", &["simulator \"beam\"", "not served"]), Some(3));
    assert_eq!(refused(&["--host=beam=127.0.0.1:1"], "", &["simulator \"beam\"", "fourbar host"]), Some(3));
    assert_eq!(refused(&["--host=baem=127.0.0.1:1"], "", &["did you mean \"beam\""]), Some(2));
    assert_eq!(refused(&["--host=beam"], "", &["SIMULATOR=HOST:PORT"]), Some(2));
}

#[test]
fn a_host_needs_a_coupled_model_and_a_token_for_other_computers() {
    let (code, _, stderr) = fourbar(&["host", "models/slider-crank.toml"]);
    assert!(code == 2 && stderr.contains("serves the simulators of a coupled one"), "{stderr}");
    let output = command(&["host", PRESS, "--listen", "0.0.0.0:0"]).env_remove("FOURBAR_TOKEN").output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && stderr.contains("FOURBAR_TOKEN"), "{stderr}");
    let output = command(&["host", PRESS, "--listen", "0.0.0.0:0"]).env("FOURBAR_TOKEN", "short").output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(
        output.status.code() == Some(2) && stderr.contains("at least 16 characters, and this one has 5"),
        "{stderr}"
    );
}

/// Waits for a process that was asked to end.
#[cfg(unix)]
fn ended(child: &mut Child) -> Option<i32> {
    for _ in 0..6000 {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("it does not end");
}

#[cfg(unix)]
#[test]
fn signals_end_a_host_in_the_middle_of_a_run() {
    for signal in crate::signals::signals() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out.csv");
        let mut host = Host::start(PRESS, "");
        let far = format!("--host=beam={}", host.address);
        let mut run = command(&["run", PRESS, "--end", "1e5", "-q", &far, "--out", out.to_str().unwrap()]);
        let mut run = run.stderr(Stdio::piped()).spawn().unwrap();
        // A table under way has rows.
        let rows = || {
            let files = std::fs::read_dir(folder.path()).unwrap();
            files.map(|file| file.unwrap().metadata().map_or(0, |file| file.len())).max().unwrap_or(0)
        };
        let begun = std::time::Instant::now();
        while rows() < 2000 {
            assert!(begun.elapsed() < std::time::Duration::from_secs(120) && run.try_wait().unwrap().is_none());
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        let asked = std::process::Command::new("kill").args([signal, &host.child.id().to_string()]).status().unwrap();
        assert!(asked.success());
        assert_eq!(ended(&mut host.child), Some(0), "{signal}");
        assert_eq!(ended(&mut run), Some(4), "{signal}");
        let mut stderr = String::new();
        run.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        assert!(stderr.contains("beam") && stderr.contains("connection to it is lost"), "{signal}: {stderr}");
        assert!(std::fs::read_to_string(&out).unwrap().lines().count() > 2, "{signal}");
    }
}

/// A simulator that never answers keeps no host from its end.
#[cfg(unix)]
#[test]
fn signals_end_a_host_whose_simulator_hangs() {
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join("libpartner").with_extension(std::env::consts::DLL_EXTENSION);
    let mut compiler = std::process::Command::new("cc");
    compiler.args(["-std=c99", "-O2", "-fPIC", "-shared", "-I"]).arg(root().join("include"));
    compiler.arg(root().join("coupling/tests/library/troubled.c")).arg("-o").arg(&library).arg("-lm");
    let Ok(status) = compiler.status() else { return println!("skipped: there is no compiler") };
    assert!(status.success());
    // The name of the simulator is the path of the file by which it says that it hangs.
    let model = "type = \"coupled\"\n[simulation]\nend = 1\nstep = 0.1\n[[simulator]]\nname = \"tank\"\nlibrary = \"libpartner\"\n\
                 parameters = { trouble = 9, at = 0.05, times = 1 }\n";
    let path = folder.path().join("model.toml");
    std::fs::write(&path, model).unwrap();
    let mut host = command(&["host", path.to_str().unwrap(), "--listen", "127.0.0.1:0"]);
    let mut host = Host::of(host.current_dir(folder.path()));
    let far = format!("--host=tank={}", host.address);
    let mut run = command(&["run", path.to_str().unwrap(), "-q", &far]).stderr(Stdio::null()).spawn().unwrap();
    let begun = std::time::Instant::now();
    while !folder.path().join("tank").exists() {
        assert!(begun.elapsed() < std::time::Duration::from_secs(60));
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let asked = std::process::Command::new("kill").args(["-TERM", &host.child.id().to_string()]).status().unwrap();
    assert!(asked.success());
    assert_eq!(ended(&mut host.child), Some(0));
    assert_eq!(ended(&mut run), Some(4));
}
