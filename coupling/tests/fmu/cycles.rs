//! FMUs loaded, run and let go again and again: memory, open files, mappings, threads and temporary files stay as many as they are.
#![cfg(target_os = "linux")]

use super::build::{Model, run, usual, with};
use super::child::{alone, files, number};
use fourbar_coupling::partner::{Fmu, FmuInterfaceKind, FmuOptions};
use fourbar_coupling::{Simulator, Snapshot};
use std::path::Path;

/// What a process holds.
#[derive(Debug, Clone, Copy)]
struct Held {
    /// Resident memory \[kB\].
    memory: u64,
    open: usize,
    mappings: usize,
    threads: u64,
    temporary: usize,
}

fn held() -> Held {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let number = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    };
    Held {
        memory: number("VmRSS:"),
        open: std::fs::read_dir("/proc/self/fd").unwrap().count(),
        mappings: std::fs::read_to_string("/proc/self/maps").unwrap().lines().count(),
        threads: number("Threads:"),
        temporary: files(&std::env::temp_dir()).len(),
    }
}

fn cycle(path: &Path, interface: FmuInterfaceKind) {
    let options = FmuOptions { name: "again".into(), interface: Some(interface), ..FmuOptions::default() };
    let mut fmu = Fmu::open(path, &options).unwrap();
    run(&mut fmu, 5, 0.1, &[0.5]);
    let mut snapshot = Snapshot::new();
    fmu.save(&mut snapshot).unwrap();
    fmu.step(0.5, 0.1).unwrap();
    fmu.restore(&snapshot).unwrap();
    fmu.step(0.5, 0.1).unwrap();
    // The snapshot outlives the FMU.
    drop(fmu);
}

#[test]
fn nothing_grows_where_units_are_loaded_run_and_let_go() {
    if alone("fmu::cycles::nothing_grows_where_units_are_loaded_run_and_let_go").is_none() {
        return;
    }
    let count = number("FOURBAR_FMU_CYCLES", 400);
    let mut units = Vec::new();
    for version in [2, 3] {
        let Some(path) = with((version, Model::Dahlquist), usual(version)) else { return };
        units
            .extend([FmuInterfaceKind::CoSimulation, FmuInterfaceKind::ModelExchange].map(|kind| (path.clone(), kind)));
    }
    let cycles = |count: u64| (0..count as usize).for_each(|k| cycle(&units[k % 4].0, units[k % 4].1));
    // Allocators and the loader take what they keep in the first rounds.
    cycles((count / 4).max(100));
    let before = held();
    cycles(count);
    let after = held();
    println!("measured: {count} cycles, {before:?}, {after:?}");
    assert_eq!((after.open, after.threads, after.temporary), (before.open, before.threads, 0), "{before:?} {after:?}");
    assert!(after.mappings <= before.mappings + 2, "{before:?} {after:?}");
    // Less than 100 bytes a cycle, and some pages that an allocator keeps.
    assert!(after.memory <= before.memory + 256 + count / 10, "{before:?} {after:?}");
}
