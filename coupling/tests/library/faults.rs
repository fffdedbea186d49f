//! R34 to R39 for partners in libraries: each fault at each level that can handle it, in this process and in one of their own.

use std::path::Path;
use std::time::{Duration, Instant};

use fourbar_coupling::management::{Fallback, Handling};
use fourbar_coupling::partner::{Library, LibraryOptions, Process, ProcessOptions};
use fourbar_coupling::{Algorithm, Error, FaultPolicy, Level, Master, Options, Order, Partner, RunState};

use crate::library::compile::{Trouble, hosted, in_trouble, troubled};
use crate::library::partners::{Witness, fed};

const RETRY: Level = Level::Retry { attempts: 2, then: Fallback::Stop };

/// Faults of the library's answers, and how they are named.
const ANSWERS: [(Trouble, &str); 8] = [
    (Trouble::NotANumber, "output \"y\" of \"tank\" is NaN"),
    (Trouble::Unwritten, "output \"y\" of \"tank\" is NaN"),
    (Trouble::WrongTime, "\"tank\" says it is at t = 0.45 s, the common clock is at 0.5 s"),
    (Trouble::NoTime, "\"tank\" says it is at t = NaN s"),
    (Trouble::Error, "\"tank\" failed while stepping: valve equation has no solution"),
    (Trouble::Wordless, "fourbar_partner_exchange returned FAILED: it gives no reason"),
    (Trouble::UnknownStatus, "returned 77, which is no status of this interface"),
    (Trouble::Unterminated, "\"tank\" failed while stepping: \u{fffd}"),
];

/// Faults that only a process contains.
const CRASHES: [(Trouble, &str); 4] = [
    (Trouble::Crash, "\"tank\" failed while stepping: its process has ended: signal: 11 (SIGSEGV)"),
    (Trouble::Abort, "its process has ended: signal: 6 (SIGABRT)"),
    (Trouble::Exit, "its process has ended: exit status: 3"),
    (Trouble::Hang, "\"tank\" did not answer within 300ms"),
];

/// Where the library runs.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Place {
    Here,
    Apart,
}

fn partner(path: &Path, options: &LibraryOptions, place: Place) -> Partner {
    match place {
        Place::Here => Partner::new("tank", Library::open(path, options).unwrap()),
        Place::Apart => {
            let process = ProcessOptions { time_limit: Some(Duration::from_millis(300)), ..hosted() };
            Partner::new("tank", Process::open(path, options, &process).unwrap())
        }
    }
}

/// Ten steps of 0.1 s of y' = 2 from 1; the trouble begins with the step to 0.5 s.
fn run(partner: Partner, level: Level) -> (Result<RunState, Error>, Witness) {
    let (partners, connections) = fed(partner);
    let faults =
        FaultPolicy { communication: level, sampling: level, time: level, time_limit: level, ..FaultPolicy::default() };
    let options = Options { faults, ..Options::new(1.0, 0.1, Algorithm::Jacobi { order: Order::Hold }) };
    let mut master = Master::new(partners, &connections, &options).unwrap();
    let mut witness = Witness::default();
    let result = master.run(&mut witness);
    (result, witness)
}

fn each(mut check: impl FnMut(&Path, Trouble, &str, Place)) {
    let Some(path) = troubled(&[]) else { return };
    for (trouble, text) in ANSWERS {
        check(&path, trouble, text, Place::Here);
        check(&path, trouble, text, Place::Apart);
    }
    for (trouble, text) in CRASHES {
        check(&path, trouble, text, Place::Apart);
    }
}

#[test]
fn stop_names_the_fault_and_keeps_the_results_so_far() {
    each(|path, trouble, text, place| {
        let (result, witness) = run(partner(path, &in_trouble(trouble, 1), place), Level::Stop);
        let Err(Error::Stopped(fault)) = result else { panic!("{trouble:?} {place:?}: {result:?}") };
        assert!(fault.to_string().contains(text), "{trouble:?} {place:?}: {fault}");
        assert_eq!(fault.partner(), Some("tank"));
        assert_eq!(witness.faults, [(fault.to_string(), Level::Stop, Handling::Stopped)]);
        assert_eq!(witness.times.len(), 5);
        assert!((witness.values[4] - 1.8).abs() < 1e-12);
    });
}

#[test]
fn retry_from_the_saved_state_gives_the_undisturbed_result() {
    each(|path, trouble, text, place| {
        let (result, witness) = run(partner(path, &in_trouble(trouble, 2), place), RETRY);
        assert_eq!(result, Ok(RunState::Finished), "{trouble:?} {place:?}");
        let handled: Vec<Handling> = witness.faults.iter().map(|fault| fault.2).collect();
        assert_eq!(handled, [Handling::Retried(1), Handling::Retried(2)], "{trouble:?} {place:?}");
        assert!(witness.faults.iter().all(|fault| fault.0.contains(text)));
        assert!((witness.values[10] - 3.0).abs() < 1e-12);
    });
}

#[test]
fn hold_bridges_the_fault_with_the_last_good_values() {
    each(|path, trouble, _, place| {
        let (result, witness) = run(partner(path, &in_trouble(trouble, 2), place), Level::Hold);
        assert_eq!(result, Ok(RunState::Finished), "{trouble:?} {place:?}");
        assert!(witness.faults.iter().all(|fault| fault.2 == Handling::Held) && witness.faults.len() == 2);
        let expected = [1.8, 1.8, 1.8, 2.4];
        let held = &witness.values[4..8];
        assert!(held.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{trouble:?} {place:?}: {held:?}");
        assert!((witness.values[10] - 3.0).abs() < 1e-12);
    });
}

#[test]
fn without_saved_states_a_crash_is_final_and_held_to_the_end() {
    let Some(path) = troubled(&["-DCAPABILITIES=0"]) else { return };
    for (trouble, text) in CRASHES {
        let (result, witness) = run(partner(&path, &in_trouble(trouble, 1), Place::Apart), Level::Hold);
        assert_eq!(result, Ok(RunState::Finished));
        assert_eq!(witness.faults.len(), 6, "{trouble:?}");
        assert!(witness.faults.iter().all(|fault| fault.0.contains(text)));
        assert!(witness.values[5..].iter().all(|&value| value == witness.values[4]));
        let (result, witness) = run(partner(&path, &in_trouble(trouble, 1), Place::Apart), RETRY);
        assert!(result.is_err() && witness.faults.len() == 3);
    }
}

#[test]
fn a_library_that_hangs_in_this_process_is_left_behind_on_its_thread() {
    let Some(path) = troubled(&[]) else { return };
    let hanging = || partner(&path, &in_trouble(Trouble::Hang, 1), Place::Here).time_limit(Duration::from_millis(100));
    let begun = Instant::now();
    let (result, witness) = run(hanging(), Level::Stop);
    let Err(Error::Stopped(fault)) = result else { panic!("{result:?}") };
    assert!(fault.to_string().contains("\"tank\" did not answer within 100ms") && witness.times.len() == 5);
    let (result, witness) = run(hanging(), Level::Hold);
    assert_eq!(result, Ok(RunState::Finished));
    assert!(witness.values[5..].iter().all(|&value| value == witness.values[4]));
    assert!(begun.elapsed() < Duration::from_secs(5));
}

#[test]
fn what_a_library_prints_does_not_disturb_the_connection() {
    let Some(path) = troubled(&[]) else { return };
    let (result, witness) = run(partner(&path, &in_trouble(Trouble::Print, 9), Place::Apart), Level::Stop);
    assert_eq!(result, Ok(RunState::Finished));
    assert!(witness.faults.is_empty() && (witness.values[10] - 3.0).abs() < 1e-12);
}
