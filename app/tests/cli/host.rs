//! Simulators on other computers, here two processes of this one: the same table, and what is refused.

use super::{command, fourbar};
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
        let mut child = host.env("FOURBAR_TOKEN", token).stderr(Stdio::piped()).spawn().unwrap();
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
        self.child.kill().unwrap();
        self.child.wait().unwrap();
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
}
