//! Signals that end a run, or its preparation, on each kind of model: what is kept, and the exit status.

use crate::cli::faults::{Folder, KINDS, ended};
use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// What a busy machine may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// Waits until a table under way has so many bytes.
fn wait_for_rows(folder: &Folder, child: &mut Child) {
    let begun = Instant::now();
    let under_way = |name: &String| name.ends_with(".part") && name.contains("out.csv");
    let length = |name: String| fs::metadata(folder.at(&name)).map_or(0, |file| file.len());
    while folder.others().into_iter().filter(under_way).map(length).max().unwrap_or(0) < 2000 {
        assert!(child.try_wait().unwrap().is_none(), "the run has ended");
        assert!(begun.elapsed() < PATIENCE, "no output");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn endless(folder: &Folder, model: &str) -> Child {
    let arguments = ["run", model, "--end", "1e5", "--out", "out.csv", "--summary", "out.json", "--json"];
    // The circuit comes to rest, and would be done by a few steps.
    let short: &[&str] = if model == KINDS[2].1 { &["--output-step", "1e-3", "--max-step", "1e-3"] } else { &[] };
    folder.command(&[&arguments[..], short].concat()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn send(signal: &str, child: &Child) {
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
}

#[test]
fn signals_end_a_run_with_all_its_outputs() {
    let folder = Folder::new();
    for (kind, model) in KINDS {
        for signal in crate::signals::signals() {
            fs::write(folder.at("out.csv"), "before").unwrap();
            let mut child = endless(&folder, model);
            wait_for_rows(&folder, &mut child);
            assert_eq!(folder.read("out.csv"), "before", "{kind} {signal}");
            send(signal, &child);
            let output = child.wait_with_output().unwrap();
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(130), "{kind} {signal}: {stderr}");
            let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(object["status"], "interrupted", "{kind} {signal}");
            let table = folder.read("out.csv");
            let last: f64 = table.lines().last().unwrap().split(',').next().unwrap().parse().unwrap();
            assert_eq!(Some(last), object["end_time"].as_f64(), "{kind} {signal}");
            assert!(folder.read("out.json").contains("\"interrupted\""), "{kind} {signal}");
            assert_eq!(folder.others(), ["out.csv", "out.json"], "{kind} {signal}");
        }
    }
}

#[test]
fn a_killed_run_leaves_the_file_of_before_and_what_it_had_beside() {
    for (kind, model) in KINDS {
        let folder = Folder::new();
        fs::write(folder.at("out.csv"), "before").unwrap();
        let mut child = endless(&folder, model);
        wait_for_rows(&folder, &mut child);
        send("-KILL", &child);
        child.wait().unwrap();
        assert_eq!(folder.read("out.csv"), "before", "{kind}");
        let others = folder.others();
        let part = others.iter().find(|name| name.starts_with(".out.csv.") && name.ends_with(".part"));
        assert!(folder.read(part.unwrap()).starts_with("time [s],"), "{kind}: {others:?}");
    }
}

/// The matrices of 1,600 states take many seconds: who has enough of it is not kept waiting, whoever asks, and what was there before stays.
#[test]
fn signals_end_the_preparation_of_a_run() {
    let folder = Folder::new();
    let states = 1600;
    let block = |k: usize| {
        let input = if k == 0 { "u".to_owned() } else { format!("b{}", k - 1) };
        format!("[[block]]\nname = \"b{k}\"\ntype = \"lag\"\ninput = \"{input}\"\ntime_constant = 0.01\n")
    };
    let chain = format!(
        "type = \"linear\"\nsimulation = {{ end = 10, output_step = 0.1 }}\ninput = [{{ name = \"u\", type = \"step\" }}]\n\
         output = [{{ name = \"y\", from = \"b{}\" }}]\n{}",
        states - 1,
        (0..states).map(block).collect::<String>()
    );
    fs::write(folder.at("chain.toml"), chain).unwrap();
    for signal in crate::signals::signals() {
        for command in ["run", "check", "linear"] {
            fs::write(folder.at("out.csv"), "before").unwrap();
            let outputs = ["--out", "out.csv", "--summary", "out.json"];
            let sampled = ["sampled", "--step", "0.1"];
            let more: &[&str] = match command {
                "run" => &outputs,
                "linear" => &sampled,
                _ => &[],
            };
            let mut child = folder.command(&[&[command, "chain.toml"], more].concat());
            let mut child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
            std::thread::sleep(Duration::from_secs(1));
            assert!(child.try_wait().unwrap().is_none(), "{command}: prepared too soon for this test");
            send(signal, &child);
            let asked = Instant::now();
            let (code, stderr) = ended(child.wait_with_output().unwrap());
            assert_eq!(code, 130, "{command} {signal}: {stderr}");
            assert!(stderr.contains("fourbar: stopped; ") && stderr.contains("nothing was written"), "{stderr}");
            assert!(asked.elapsed() < Duration::from_secs(10), "{command} {signal}: {:?}", asked.elapsed());
            assert_eq!(folder.read("out.csv"), "before", "{command} {signal}");
            assert_eq!(folder.others(), ["out.csv"], "{command} {signal}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_that_shall_outlive_its_terminal_does() {
    let folder = Folder::new();
    let arguments = ["run", "pendulum.toml", "--end", "1e5", "--out", "out.csv", "-q"];
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' HUP; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_fourbar")]).args(arguments);
    let mut child = command.current_dir(folder.0.path()).spawn().unwrap();
    wait_for_rows(&folder, &mut child);
    send("-HUP", &child);
    // Whether it has ended shows at the next steps, of which there are thousands a second.
    std::thread::sleep(Duration::from_millis(300));
    assert!(child.try_wait().unwrap().is_none());
    send("-TERM", &child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

/// A pipe whose reader is gone, as standard error: writing to it fails.
fn closed() -> Stdio {
    let (_, writer) = std::io::pipe().unwrap();
    writer.into()
}

/// The model comes through a pipe that nobody writes to: each command waits for it, and the signal finds it there.
#[cfg(target_os = "linux")]
#[test]
fn signals_end_every_command_also_where_nobody_listens() {
    let folder = Folder::new();
    for name in ["pipe.toml", "pipe.ssd"] {
        assert!(Command::new("mkfifo").arg(folder.at(name)).status().unwrap().success());
    }
    let commands: [&[&str]; 9] = [
        &["statics", "pipe.toml"],
        &["kinematics", "pipe.toml"],
        &["check", "pipe.toml"],
        &["linear", "pipe.toml"],
        &["run", "pipe.toml"],
        &["draw", "pipe.toml", "-o", "picture.svg"],
        &["export-fmu", "pipe.toml"],
        &["export-ssp", "pipe.toml"],
        &["info", "pipe.ssd"],
    ];
    for arguments in commands {
        for stderr in [Stdio::null(), closed()] {
            let mut child = folder.command(arguments).stdout(Stdio::null()).stderr(stderr).spawn().unwrap();
            // Opens as soon as the command does, and is kept open: it reads on.
            let kept = fs::OpenOptions::new().write(true).open(folder.at(arguments[1])).unwrap();
            send("-TERM", &child);
            let asked = Instant::now();
            while child.try_wait().unwrap().is_none() {
                let waited = asked.elapsed();
                if waited > Duration::from_secs(20) {
                    child.kill().unwrap();
                }
                std::thread::sleep(Duration::from_millis(5));
            }
            assert_eq!(child.wait().unwrap().code(), Some(130), "{arguments:?}");
            drop(kept);
        }
    }
}

/// What a command says to nobody is lost; what it does, and how it ends, stays.
#[test]
fn a_closed_standard_error_is_no_panic() {
    let folder = Folder::new();
    let commands: [(&[&str], i32); 6] = [
        (&["run", "pendulum.toml", "--end", "0.01"], 0),
        (&["statics", "four-bar.toml"], 0),
        (&["run", "missing.toml"], 5),
        (&["check", "missing.toml"], 5),
        (&["view", "pendulum.toml"], 2),
        (&["accuracy", "--nothing"], 2),
    ];
    for (arguments, expected) in commands {
        let (code, told) = ended(folder.command(arguments).output().unwrap());
        assert_eq!(code, expected, "{arguments:?}: {told}");
        let mut silenced = vec![closed()];
        if let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") {
            silenced.push(full.into());
        }
        for stderr in silenced {
            let child = folder.command(arguments).stdout(Stdio::piped()).stderr(stderr).spawn().unwrap();
            assert_eq!(child.wait_with_output().unwrap().status.code(), Some(expected), "{arguments:?}");
        }
    }
}
