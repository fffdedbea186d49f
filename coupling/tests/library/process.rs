//! The life of the child process: killed, it never makes the master wait; dropped, it is gone; it holds its memory.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use fourbar_coupling::partner::{LibraryOptions, Process, ProcessOptions};
use fourbar_coupling::{Failure, Signal, Simulator, Snapshot};

use crate::library::compile::{Trouble, hosted, in_trouble, troubled};

fn kill(id: u32) {
    assert!(Command::new("kill").args(["-KILL", &id.to_string()]).status().unwrap().success());
}

/// Whether the process is there, as a zombie as well.
fn is_there(id: u32) -> bool {
    let output = Command::new("kill").args(["-0", &id.to_string()]).output().unwrap();
    output.status.success()
}

fn open(path: &Path) -> Process {
    Process::open(path, &LibraryOptions::default(), &hosted()).unwrap()
}

#[test]
fn a_killed_process_is_named_and_another_takes_its_place() {
    let Some(path) = troubled(&[]) else { return };
    let mut process = open(&path);
    process.set_inputs(&[Signal::held(2.0)]).unwrap();
    process.step(0.0, 0.5).unwrap();
    let mut snapshot = Snapshot::new();
    process.save(&mut snapshot).unwrap();
    let first = process.id().unwrap();
    kill(first);
    let begun = Instant::now();
    let failure = process.step(0.5, 0.5).unwrap_err();
    assert!(begun.elapsed() < Duration::from_secs(1));
    assert_eq!(failure, Failure::Ended("signal: 9 (SIGKILL)".into()));
    assert_eq!(process.id(), None);
    assert!(!is_there(first));
    // It stays so until a state is returned to.
    assert_eq!(process.step(0.5, 0.5).unwrap_err(), failure);
    process.restore(&snapshot).unwrap();
    process.step(0.5, 0.5).unwrap();
    let mut values = [0.0];
    process.outputs(&mut values).unwrap();
    assert_eq!(values, [3.0]);
    assert_ne!(process.id(), Some(first));
}

#[test]
fn dropping_the_partner_ends_and_reaps_the_process() {
    let Some(path) = troubled(&[]) else { return };
    let process = open(&path);
    let id = process.id().unwrap();
    assert!(is_there(id));
    let begun = Instant::now();
    drop(process);
    assert!(begun.elapsed() < Duration::from_secs(1));
    assert!(!is_there(id));
}

#[test]
fn a_process_that_hangs_is_ended_by_its_limit() {
    let Some(path) = troubled(&[]) else { return };
    let limit = Duration::from_millis(200);
    let options = ProcessOptions { time_limit: Some(limit), ..hosted() };
    let mut process = Process::open(&path, &in_trouble(Trouble::Hang, 1), &options).unwrap();
    let id = process.id().unwrap();
    let begun = Instant::now();
    assert_eq!(process.step(0.0, 1.0), Err(Failure::Late(limit)));
    assert!(begun.elapsed() >= limit && begun.elapsed() < Duration::from_secs(2));
    assert!(!is_there(id));
}

/// Pages of memory that a process holds, of the second number of /proc/ID/statm.
#[cfg(target_os = "linux")]
fn resident_pages(id: u32) -> u64 {
    let statm = std::fs::read_to_string(format!("/proc/{id}/statm")).unwrap();
    statm.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn a_process_holds_its_memory() {
    let Some(path) = troubled(&[]) else { return };
    let mut process = open(&path);
    let id = process.id().unwrap();
    let mut snapshot = Snapshot::new();
    let mut values = [0.0];
    let mut go = |steps: u32| {
        for k in 0..steps {
            process.set_inputs(&[Signal::held(if k % 2 == 0 { 1.0 } else { -1.0 })]).unwrap();
            process.step(0.0, 1.0).unwrap();
            process.outputs(&mut values).unwrap();
            process.save(&mut snapshot).unwrap();
        }
    };
    go(1000);
    let before = resident_pages(id);
    go(5000);
    assert_eq!(resident_pages(id), before);
}
