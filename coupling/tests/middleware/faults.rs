//! R34 to R39: every class of faults at every level that can handle it: caught, named, handled, reported, results so far kept.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use fourbar_coupling::management::{Fallback, Handling};
use fourbar_coupling::{
    Algorithm, Capabilities, Connection, Error, Fault, FaultPolicy, Level, Master, Options, Order, Partner, Recorder,
    RunState, Variable,
};

use crate::middleware::partners::{Integrator, Trouble, Witness, fed};

const LIMIT: Duration = Duration::from_millis(150);
const RETRY: Level = Level::Retry { attempts: 2, then: Fallback::Stop };

/// Ten steps of 0.1 s; the trouble begins with the step to 0.5 s and lasts for `times` requests.
fn run(trouble: Trouble, times: u32, level: Level, capabilities: Capabilities) -> (Result<RunState, Error>, Witness) {
    let mut tank = Integrator::new(trouble, 0.5, times);
    tank.capabilities = capabilities;
    let tank = Partner::new("tank", tank);
    let threaded = matches!(trouble, Trouble::Sleeps(_) | Trouble::Panics);
    let (partners, connections) = fed(if threaded { tank.time_limit(LIMIT) } else { tank });
    let faults =
        FaultPolicy { communication: level, sampling: level, time: level, time_limit: level, ..FaultPolicy::default() };
    let options = Options { faults, ..Options::new(1.0, 0.1, Algorithm::Jacobi { order: Order::Hold }) };
    let mut master = Master::new(partners, &connections, &options).unwrap();
    let mut witness = Witness::default();
    let result = master.run(&mut witness);
    // A run that failed stays failed.
    assert_eq!(result.is_err(), master.step(&mut ()).is_err());
    (result, witness)
}

const TROUBLES: [(Trouble, &str); 4] = [
    (Trouble::NotANumber, "NaN"),
    (Trouble::WrongTime, "the common clock is at"),
    (Trouble::Error, "valve equation has no solution"),
    (Trouble::Sleeps(Duration::from_millis(700)), "did not answer within"),
];

#[test]
fn stop_names_the_fault_and_keeps_the_results_so_far() {
    for (trouble, text) in TROUBLES {
        let (result, witness) = run(trouble, 9, Level::Stop, Capabilities::FULL);
        let Err(Error::Stopped(fault)) = result else { panic!("{text}: {result:?}") };
        assert_eq!(fault.partner(), Some("tank"));
        assert!(fault.to_string().contains(text), "{fault}");
        assert_eq!(witness.faults, [(fault.to_string(), Level::Stop, Handling::Stopped)]);
        // R36 to R37: no value of the bad sample was assigned.
        assert_eq!(witness.times.len(), 5, "{text}");
        assert!((witness.values[4] - 1.8).abs() < 1e-12);
        assert_eq!(witness.states, [RunState::Running, RunState::Failed]);
    }
}

#[test]
fn retry_from_the_saved_state_gives_the_undisturbed_result() {
    for (trouble, text) in &TROUBLES[..3] {
        let (result, witness) = run(*trouble, 2, RETRY, Capabilities::FULL);
        assert_eq!(result, Ok(RunState::Finished), "{text}");
        let handled: Vec<Handling> = witness.faults.iter().map(|fault| fault.2).collect();
        assert_eq!(handled, [Handling::Retried(1), Handling::Retried(2)]);
        assert!((witness.values[10] - 3.0).abs() < 1e-12, "{text}: {}", witness.values[10]);
        // Once more than the attempts allow.
        let (result, witness) = run(*trouble, 3, RETRY, Capabilities::FULL);
        assert!(result.is_err() && witness.faults.last().is_some_and(|fault| fault.2 == Handling::Stopped));
    }
}

#[test]
fn a_partner_that_cannot_go_back_is_asked_for_its_values_once_more() {
    // Its output is bad until it steps again: sampling again does not help, and it is not stepped twice.
    let (result, witness) = run(Trouble::NotANumber, 1, RETRY, Capabilities::PLAIN);
    assert!(result.is_err());
    assert_eq!(witness.faults.len(), 3);
    let level = Level::Retry { attempts: 1, then: Fallback::Hold };
    let (result, witness) = run(Trouble::NotANumber, 1, level, Capabilities::PLAIN);
    assert_eq!(result, Ok(RunState::Finished));
    assert!((witness.values[10] - 3.0).abs() < 1e-12 && witness.values[5] == witness.values[4]);
}

/// Nobody can be asked again: what follows on retries follows at once, and the message says why.
#[test]
fn a_thread_that_hangs_is_not_asked_again() {
    let sleeps = Trouble::Sleeps(Duration::from_millis(400));
    let then = |then| Level::Retry { attempts: 9, then };
    let (result, witness) = run(sleeps, 1, then(Fallback::Stop), Capabilities::FULL);
    let Err(Error::Stopped(fault)) = result else { panic!("{result:?}") };
    assert!(fault.to_string().contains("a thread cannot be ended and asked again: lengthen its time limit"), "{fault}");
    assert_eq!(witness.faults, [(fault.to_string(), Level::Stop, Handling::Stopped)]);
    let (result, witness) = run(sleeps, 1, then(Fallback::Hold), Capabilities::FULL);
    assert_eq!(result, Ok(RunState::Finished));
    // At once at every point: the run ends before the answer comes.
    assert!(witness.faults.iter().all(|fault| fault.2 == Handling::Held) && witness.faults.len() == 6);
}

#[test]
fn hold_bridges_the_fault_with_the_last_good_values() {
    for (trouble, text) in &TROUBLES[..3] {
        let (result, witness) = run(*trouble, 2, Level::Hold, Capabilities::FULL);
        assert_eq!(result, Ok(RunState::Finished), "{text}");
        assert!(witness.faults.iter().all(|fault| fault.2 == Handling::Held) && witness.faults.len() == 2);
        let held = &witness.values[4..8];
        // The step behind the trouble begins where the good state was saved: nothing is lost.
        let expected = [1.8, 1.8, 1.8, 2.4];
        assert!(held.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{text}: {held:?}");
        assert!((witness.values[10] - 3.0).abs() < 1e-12);
    }
}

/// The common setting of what follows: the tank sleeps in its step to 0.5 s, on a thread; `algorithm` with inputs of its order.
fn hanging(sleeps: Trouble, algorithm: Algorithm) -> (Master, Arc<Mutex<Vec<String>>>) {
    let tank = Integrator::new(sleeps, 0.5, 1);
    let log = Arc::clone(&tank.log);
    let (partners, connections) = ramp(Partner::new("tank", tank).time_limit(LIMIT));
    let faults = FaultPolicy { time_limit: Level::Hold, time: Level::Hold, ..FaultPolicy::default() };
    let options = Options { faults, ..Options::new(1.0, 0.1, algorithm) };
    let mut master = Master::new(partners, &connections, &options).unwrap();
    master.set_past("tank.u", &[(2, -0.4), (1, -0.2)]).unwrap();
    (master, log)
}

/// A rate of 2 t, fed to "tank".
fn ramp(tank: Partner) -> (Vec<Partner>, Vec<Connection>) {
    let source = fourbar_coupling::partner::Ode::new([0.0], |_, _: &[f64], _: &[f64], dx: &mut [f64]| dx[0] = 2.0)
        .output(Variable::output("rate", "m/s"), |_, x, _| x[0])
        .solver_step(0.1);
    (vec![Partner::new("source", source), tank], vec![Connection::new("source.rate", "tank.u")])
}

/// The limit is waited for once. Then the partner is held at once at every point, until its answer has come; from there it goes on by one
/// long step with inputs about its own time: the parabola t^2 is met as if nothing had happened.
#[test]
fn a_thread_that_hangs_is_waited_for_once_and_taken_up_again_when_it_answers() {
    let sleep = Duration::from_millis(600);
    for order in [Order::Linear, Order::Quadratic] {
        for algorithm in [Algorithm::Jacobi { order }, Algorithm::GaussSeidel { order, sequence: vec![] }] {
            let (mut master, log) = hanging(Trouble::Sleeps(sleep), algorithm);
            let mut witness = Witness::default();
            let begun = Instant::now();
            for _ in 0..8 {
                assert_eq!(master.step(&mut witness), Ok(RunState::Running));
            }
            // Four points without an answer: one limit, not four.
            assert!((LIMIT..3 * LIMIT).contains(&begun.elapsed()), "{:?}", begun.elapsed());
            assert_eq!((witness.faults.len(), master.statistics().held), (4, 4));
            assert!(witness.faults.iter().all(|fault| fault.2 == Handling::Held && fault.0.contains("did not answer")));
            assert!(witness.values[5..].iter().all(|&value| value == witness.values[4]));
            std::thread::sleep(sleep);
            assert_eq!(master.run(&mut witness), Ok(RunState::Finished));
            assert_eq!(witness.faults.len(), 4);
            assert!(log.lock().unwrap().iter().any(|entry| entry.starts_with("step 0.5 0.4")), "{log:?}");
            assert!((witness.values[10] - 2.0).abs() < 1e-12, "{order:?}: {:?}", witness.values);
        }
    }
}

/// In a loop that is iterated the thread that hangs stays held through all repetitions, and joins again where it stands.
#[test]
fn a_thread_that_hangs_is_held_in_iterations() {
    let tank = Integrator::new(Trouble::Sleeps(Duration::from_millis(600)), 0.5, 1);
    let follower =
        fourbar_coupling::partner::Ode::new([0.0], |_, x: &[f64], u: &[f64], dx: &mut [f64]| dx[0] = u[0] - x[0])
            .input(Variable::input("level", "m"))
            .output(Variable::output("rate", "m/s"), |_, x, _| 1.0 - x[0])
            .solver_step(0.01);
    let partners = vec![Partner::new("follower", follower), Partner::new("tank", tank).time_limit(LIMIT)];
    let connections = [Connection::new("follower.rate", "tank.u"), Connection::new("tank.y", "follower.level")];
    let faults = FaultPolicy { time_limit: Level::Hold, ..FaultPolicy::default() };
    let algorithm = Algorithm::Iterated {
        order: Order::Linear,
        sequence: vec![],
        acceleration: fourbar_coupling::Acceleration::FixedPoint,
        tolerance: 1e-9,
        max_sweeps: 30,
    };
    let mut master =
        Master::new(partners, &connections, &Options { faults, ..Options::new(1.0, 0.1, algorithm) }).unwrap();
    let mut witness = Witness::default();
    for _ in 0..7 {
        assert_eq!(master.step(&mut witness), Ok(RunState::Running), "{:?}", witness.faults);
    }
    assert!(
        !witness.faults.is_empty() && witness.faults.iter().all(|fault| fault.2 == Handling::Held),
        "{:?}",
        witness.faults
    );
    std::thread::sleep(Duration::from_millis(700));
    let held = witness.faults.len();
    assert_eq!(master.run(&mut witness), Ok(RunState::Finished));
    assert_eq!(witness.faults.len(), held, "{:?}", witness.faults);
    assert_eq!(master.statistics().unconverged, 0);
}

/// An answer that comes late and from another time is a fault of the time, and the partner returns to its last good state.
#[test]
fn a_late_answer_from_another_time_is_not_taken() {
    let order = Order::Linear;
    let (mut master, log) = hanging(Trouble::Strays(Duration::from_millis(400)), Algorithm::Jacobi { order });
    let mut witness = Witness::default();
    for _ in 0..6 {
        assert_eq!(master.step(&mut witness), Ok(RunState::Running));
    }
    std::thread::sleep(Duration::from_millis(600));
    assert_eq!(master.run(&mut witness), Ok(RunState::Finished));
    let texts: Vec<bool> = witness.faults.iter().map(|fault| fault.0.contains("the common clock is at")).collect();
    assert_eq!(texts, [false, false, true], "{:?}", witness.faults);
    // Held at 0.5, 0.6 and 0.7 s; from the state saved at 0.4 s by one step to 0.8 s.
    assert!(log.lock().unwrap().iter().any(|entry| entry.starts_with("step 0.4 0.4")), "{log:?}");
    assert!((witness.values[10] - 2.0).abs() < 1e-12, "{:?}", witness.values);
}

#[test]
fn a_partner_that_panics_is_lost_alone() {
    let (result, _) = run(Trouble::Panics, 1, Level::Stop, Capabilities::FULL);
    let said = |fault: &Fault| matches!(fault, Fault::Lost { words, .. } if words == "a bug of the partner");
    assert!(matches!(&result, Err(Error::Stopped(fault)) if said(fault)), "{result:?}");
    let (result, witness) = run(Trouble::Panics, 1, Level::Hold, Capabilities::FULL);
    assert_eq!(result, Ok(RunState::Finished));
    assert!(witness.values[5..].iter().all(|&value| value == witness.values[4]));
    assert_eq!(witness.faults.len(), 6);
}

#[test]
fn values_that_overflow_on_their_way_are_not_written() {
    let (partners, mut connections) = fed(Partner::new("tank", Integrator::healthy()));
    connections[0].gain = 1e308;
    let mut master = Master::new(partners, &connections, &Options::new(1.0, 0.1, Algorithm::JacobiDelayed)).unwrap();
    let Err(Error::Stopped(fault)) = master.run(&mut ()) else { panic!() };
    assert!(matches!(*fault, Fault::Writing { .. }), "{fault}");
}

#[test]
fn a_missed_convergence_is_a_warning_or_an_end() {
    // y = 3 u + x and u = y with x' = 1: repetition diverges.
    let gain = |variable: &str| {
        fourbar_coupling::partner::Ode::new([1.0], |_, _: &[f64], _: &[f64], dx: &mut [f64]| dx[0] = 1.0)
            .input(Variable::input("u", "").start(1.0))
            .output(Variable::output(variable, ""), |_, x, u| 3.0 * u[0] + x[0])
    };
    for (level, ends) in [(Level::Warn, false), (Level::Stop, true)] {
        let partners = vec![Partner::new("a", gain("y")), Partner::new("b", gain("y"))];
        let connections = ["a.y>b.u", "b.y>a.u"].map(|text| {
            let (from, to) = text.split_once('>').unwrap();
            fourbar_coupling::Connection::new(from, to)
        });
        let algorithm = Algorithm::Iterated {
            order: Order::Linear,
            sequence: vec![],
            acceleration: fourbar_coupling::Acceleration::FixedPoint,
            tolerance: 1e-9,
            max_sweeps: 5,
        };
        let faults = FaultPolicy { convergence: level, ..FaultPolicy::default() };
        let mut master =
            Master::new(partners, &connections, &Options { faults, ..Options::new(0.2, 0.1, algorithm) }).unwrap();
        let mut recorder = Recorder::new(10);
        assert_eq!(master.run(&mut recorder).is_err(), ends);
        // Two steps, and what the run as a whole is worth.
        assert_eq!(recorder.incidents().len(), if ends { 1 } else { 3 });
        assert!(ends || recorder.incidents()[2].message.contains("an estimated error of"));
        assert!(recorder.incidents()[0].message.contains("5 sweeps leave a residual of"));
        assert_eq!((master.statistics().unconverged, recorder.incidents()[0].level), (if ends { 1 } else { 2 }, level));
    }
}

/// A thread without a limit that hangs is waited for until the run is interrupted: it fails then, and what came before stands.
#[test]
fn an_interrupt_ends_the_waiting_for_a_thread_without_a_limit() {
    for (level, finished) in [(Level::Stop, false), (Level::Hold, true)] {
        let tank = Integrator::new(Trouble::Sleeps(Duration::from_secs(120)), 0.5, 1);
        let (partners, connections) = ramp(Partner::new("tank", tank).on_thread());
        let faults = FaultPolicy { communication: level, ..FaultPolicy::default() };
        let options = Options { faults, ..Options::new(1.0, 0.1, Algorithm::Jacobi { order: Order::Hold }) };
        let flag = Arc::new(AtomicBool::new(false));
        let mut master = Master::interruptible(partners, &connections, &options, &flag).unwrap();
        let raised = Arc::clone(&flag);
        let other = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(300));
            raised.store(true, Ordering::Relaxed);
        });
        let mut witness = Witness::default();
        let begun = Instant::now();
        let result = master.run(&mut witness);
        assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
        other.join().unwrap();
        assert!(
            witness.faults[0].0.contains("it had not answered when the run was interrupted"),
            "{:?}",
            witness.faults
        );
        assert_eq!((result.is_ok(), witness.values[4].is_finite()), (finished, true));
        assert_eq!(witness.times.len(), if finished { 11 } else { 5 });
    }
}
