//! A process that is killed from outside, in whatever it is doing: stepping, giving values, saving its state, returning to it. The levels
//! `retry` and `hold` carry the run on, and nothing is lost.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use fourbar_coupling::management::{Fallback, Handling};
use fourbar_coupling::partner::{Library, LibraryOptions, Process};
use fourbar_coupling::{
    Adaptive, Algorithm, Connection, FaultPolicy, Level, Master, Options, Order, Partner, RunState, Simulator, Variable,
};

use crate::library::compile::{hosted, troubled, unique};
use crate::library::partners::Witness;

const RETRY: Level = Level::Retry { attempts: 3, then: Fallback::Stop };

fn named(parameter: &str, value: f64) -> (LibraryOptions, PathBuf) {
    let path = unique("killed");
    let name = path.to_str().unwrap().into();
    (LibraryOptions { name, start: 0.0, parameters: vec![(parameter.into(), value)] }, path)
}

/// y' = u and u = -y, each as a partner: what passes between them changes in every step.
fn pendulum(tank: impl Simulator + 'static) -> (Vec<Partner>, Vec<Connection>) {
    let spring = fourbar_coupling::partner::Ode::new([1.0], |_, _, u: &[f64], dx: &mut [f64]| dx[0] = -u[0])
        .input(Variable::input("y", "m"))
        .output(Variable::output("rate", "m/s"), |_, x, _| x[0]);
    let connections = vec![Connection::new("spring.rate", "tank.u"), Connection::new("tank.y", "spring.y")];
    (vec![Partner::new("spring", spring), Partner::new("tank", tank)], connections)
}

fn options(algorithm: Algorithm, end: f64, level: Level) -> Options {
    let faults = FaultPolicy { communication: level, ..FaultPolicy::default() };
    Options { faults, ..Options::new(end, 0.05, algorithm) }
}

fn run(tank: impl Simulator + 'static, options: &Options) -> (Result<RunState, fourbar_coupling::Error>, Witness) {
    let (partners, connections) = pendulum(tank);
    let mut master = Master::new(partners, &connections, options).unwrap();
    let mut witness = Witness::default();
    (master.run(&mut witness), witness)
}

fn process(path: &Path, options: &LibraryOptions) -> Process {
    Process::open(path, options, &hosted()).unwrap()
}

fn algorithms() -> [(Algorithm, bool); 5] {
    [
        (Algorithm::JacobiDelayed, false),
        (Algorithm::Jacobi { order: Order::Quadratic }, false),
        (Algorithm::GaussSeidel { order: Order::Linear, sequence: vec![] }, false),
        (Algorithm::iterated(Order::Linear), false),
        (Algorithm::Jacobi { order: Order::Linear }, true),
    ]
}

/// Killed in every n-th call: with n = 6 a recovery, of up to four calls, just passes before the next time.
#[test]
fn whichever_call_it_dies_in_a_retry_gives_the_undisturbed_result() {
    for flags in [&[] as &[&str], &["-DFEEDTHROUGH_COUNT=1"]] {
        let Some(path) = troubled(flags) else { return };
        for (algorithm, adaptive) in algorithms() {
            let mut options = options(algorithm, 1.0, RETRY);
            if adaptive {
                options.adaptive = Some(Adaptive { tolerance: 1e-3, first: 0.05, shortest: 0.01, rollback: true });
            }
            let (_, calm) = run(process(&path, &LibraryOptions::default()), &options);
            for every in [6, 7, 10, 11] {
                let (disturbed, count) = named("every", f64::from(every));
                let (result, witness) = run(process(&path, &disturbed), &options);
                let _ = std::fs::remove_file(count);
                assert_eq!(result, Ok(RunState::Finished), "{:?} {every}", options.algorithm);
                let (deaths, others): (Vec<_>, Vec<_>) =
                    witness.faults.into_iter().partition(|fault| fault.0.contains("its process has ended"));
                assert!(deaths.len() > 1, "{:?} {every}", options.algorithm);
                assert!(deaths.iter().all(|fault| matches!(fault.2, Handling::Retried(_))));
                assert_eq!(others, calm.faults);
                assert_eq!((&calm.times, &calm.values), (&witness.times, &witness.values), "{:?}", options.algorithm);
            }
        }
    }
}

#[test]
fn hold_loses_nothing_where_only_a_saved_state_was_asked_for() {
    let Some(path) = troubled(&[]) else { return };
    let options = options(Algorithm::Jacobi { order: Order::Linear }, 1.0, Level::Hold);
    let (_, calm) = run(process(&path, &LibraryOptions::default()), &options);
    // Calls: saving at the start, sampling, taking its inputs, then saving (twice the first time in a process) and stepping by turns.
    for every in [7, 9, 11, 13] {
        let (disturbed, count) = named("every", f64::from(every));
        let (result, witness) = run(process(&path, &disturbed), &options);
        let _ = std::fs::remove_file(count);
        assert_eq!(result, Ok(RunState::Finished), "{every}");
        assert!(witness.faults.iter().any(|fault| fault.2 == Handling::Restored), "{every}: {:?}", witness.faults);
        if witness.faults.iter().all(|fault| fault.2 == Handling::Restored) {
            assert_eq!(calm.values, witness.values, "{every}");
        }
        // A held step is made up for by the next one, which is longer.
        let last = |witness: &Witness| *witness.values.last().unwrap();
        assert!((last(&calm) - last(&witness)).abs() < 0.1, "{every}: {} {}", last(&calm), last(&witness));
    }
}

/// Kills the process whose number stands in a file, again and again, until told to end.
fn murderer(file: &Path, over: &AtomicBool, kills: &AtomicU32) {
    let mut random = 12345u64;
    while !over.load(Ordering::Relaxed) {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        std::thread::sleep(Duration::from_micros(2000 + (random >> 33) % 15_000));
        let Some(id) = std::fs::read_to_string(file).ok().and_then(|text| text.parse::<u32>().ok()) else { continue };
        // The number may have been given away since.
        let ours = std::fs::read_to_string(format!("/proc/{id}/stat")).is_ok_and(|stat| {
            let parent = stat.rsplit(") ").next().and_then(|rest| rest.split(' ').nth(1));
            parent.is_some_and(|parent| parent == std::process::id().to_string())
        });
        if ours && Command::new("kill").args(["-KILL", &id.to_string()]).output().is_ok_and(|out| out.status.success())
        {
            kills.fetch_add(1, Ordering::Relaxed);
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn killed_at_random_moments_the_run_ends_with_the_undisturbed_result() {
    let Some(path) = troubled(&[]) else { return };
    for (algorithm, end) in
        [(Algorithm::Jacobi { order: Order::Quadratic }, 400.0), (Algorithm::iterated(Order::Linear), 100.0)]
    {
        let level = Level::Retry { attempts: 20, then: Fallback::Stop };
        let options = options(algorithm, end, level);
        let (_, calm) = run(Library::open(&path, &LibraryOptions::default()).unwrap(), &options);
        let (told, file) = named("tell", 1.0);
        let (over, kills) = (AtomicBool::new(false), AtomicU32::new(0));
        let (result, witness) = std::thread::scope(|scope| {
            scope.spawn(|| murderer(&file, &over, &kills));
            let ended = run(process(&path, &told), &options);
            over.store(true, Ordering::Relaxed);
            ended
        });
        let _ = std::fs::remove_file(&file);
        assert_eq!(result, Ok(RunState::Finished));
        // How many there are depends on how fast the machine is; some must have struck.
        assert!(kills.into_inner() > 2 && !witness.faults.is_empty(), "{:?}", witness.faults.len());
        assert!(calm.values == witness.values);
    }
}
