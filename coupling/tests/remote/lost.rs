//! Hosts and simulators that fail, hang or go: told within the limit of time, and the results until then stay.

use super::{Running, mass, masses};
use fourbar_coupling::partner::Ode;
use fourbar_coupling::partner::remote::{HostEvent, Remote, RemoteError, RemoteOptions};
use fourbar_coupling::{
    Algorithm, Capabilities, Connection, Description, Failure, Master, Options, Order, Partner, Signal, Simulator,
    Snapshot, Variable,
};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A tank of which something happens in the second step.
fn troubled(trouble: impl Fn() + Send + Sync + 'static) -> Box<dyn Simulator> {
    let tank = Ode::new([0.0], move |t, _, u, dx| {
        if t > 0.15 {
            trouble();
        }
        dx[0] = u[0];
    });
    Box::new(tank.input(Variable::input("flow", "m^3/s")).output(Variable::output("volume", "m^3"), |_, x, _| x[0]))
}

fn waits(far: &mut Remote, limit: Duration) -> Failure {
    far.set_inputs(&[Signal::held(1.0)]).unwrap();
    far.step(0.0, 0.1).unwrap();
    let begun = Instant::now();
    let failure = far.step(0.1, 0.1).unwrap_err();
    // Loaded machines wake late; without the limit it would be minutes.
    assert!(begun.elapsed() < limit + Duration::from_secs(20), "{:?}", begun.elapsed());
    // It stays so.
    assert_eq!(far.step(0.1, 0.1).unwrap_err(), failure);
    assert_eq!(far.save(&mut Snapshot::new()).unwrap_err(), failure);
    failure
}

#[test]
fn a_simulator_that_hangs_is_late() {
    let host = Running::start("", |_| Ok(troubled(|| std::thread::sleep(Duration::from_secs(2)))));
    let limit = Duration::from_millis(200);
    let mut far = Remote::join(&RemoteOptions { time_limit: Some(limit), ..host.options() }).unwrap();
    let failure = waits(&mut far, limit);
    assert_eq!(failure, Failure::Lost("no answer within 200ms".into()));
}

#[test]
fn a_simulator_that_works_for_longer_than_a_silence_is_waited_for() {
    let host = Running::start("", |_| Ok(troubled(|| std::thread::sleep(Duration::from_millis(2800)))));
    let mut far = Remote::join(&RemoteOptions { time_limit: None, ..host.options() }).unwrap();
    far.set_inputs(&[Signal::held(1.0)]).unwrap();
    // Four stages of 2.8 s in one request, and a master that says nothing for as long.
    assert_eq!(far.step(0.2, 0.1).unwrap(), 0.2 + 0.1);
    let waited = Duration::from_millis(10_500);
    std::thread::sleep(waited);
    let mut volume = [0.0];
    far.set_inputs(&[Signal::held(2.0)]).unwrap();
    far.outputs(&mut volume).unwrap();
    assert!((volume[0] - 0.1).abs() < 1e-15);
}

/// Carries bytes both ways, each piece `delay` later.
fn slow_network(to: &str, delay: Duration) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (address, to) = (listener.local_addr().unwrap().to_string(), to.to_owned());
    std::thread::spawn(move || {
        let near = listener.accept().unwrap().0;
        let far = TcpStream::connect(to).unwrap();
        for (mut from, mut to) in [(near.try_clone().unwrap(), far.try_clone().unwrap()), (far, near)] {
            std::thread::spawn(move || {
                let mut bytes = [0; 4096];
                // Until one of the ends closes.
                while let Ok(count @ 1..) = from.read(&mut bytes) {
                    std::thread::sleep(delay);
                    if to.write_all(&bytes[..count]).is_err() {
                        return;
                    }
                }
                let _ = to.shutdown(std::net::Shutdown::Both);
            });
        }
    });
    address
}

#[test]
fn a_network_that_takes_200_ms_is_waited_for_or_told_within_the_limit() {
    let host = Running::start("", masses);
    let delay = Duration::from_millis(200);
    let slow = RemoteOptions { address: slow_network(&host.address, delay), ..host.options() };
    let mut far = Remote::join(&slow).unwrap();
    let mut near = mass(40.0);
    for simulator in [&mut far as &mut dyn Simulator, &mut near] {
        simulator.set_inputs(&[Signal::held(1.0)]).unwrap();
        simulator.step(0.0, 0.1).unwrap();
    }
    let (mut values, mut expected) = ([0.0; 3], [0.0; 3]);
    far.outputs(&mut values).unwrap();
    near.outputs(&mut expected).unwrap();
    assert_eq!(values, expected);
    // Twice the delay is more than a tenth of a second: the host is not even joined.
    let limit = Duration::from_millis(100);
    let impatient =
        RemoteOptions { address: slow_network(&host.address, delay), time_limit: Some(limit), ..host.options() };
    let error = Remote::join(&impatient).err().unwrap();
    assert!(error.to_string().contains("no answer within 100ms"), "{error}");
}

#[test]
fn a_host_that_gives_no_sign_of_life_is_lost() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let silent = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut bytes = Vec::new();
        // Until the other end gives up.
        let _ = stream.read_to_end(&mut bytes);
    });
    let begun = Instant::now();
    let options = RemoteOptions { address, simulator: "mass".into(), ..RemoteOptions::default() };
    let error = Remote::join(&options).err().unwrap();
    assert!(error.to_string().contains("no sign of life for 10s"), "{error}");
    assert!(begun.elapsed() < Duration::from_secs(30));
    silent.join().unwrap();
}

#[test]
fn a_host_that_ends_leaves_a_fault_with_its_name_and_the_results() {
    let host = Running::start("", masses);
    let partners = vec![Partner::new("near", mass(1.0)), Partner::new("far", host.join().unwrap())];
    let connections = [Connection::new("near.spring", "far.force")];
    let algorithm = Algorithm::GaussSeidel { order: Order::Linear, sequence: Vec::new() };
    let mut master = Master::new(partners, &connections, &Options::new(1.0, 0.1, algorithm)).unwrap();
    for _ in 0..3 {
        master.step(&mut ()).unwrap();
    }
    let position = master.output("far.position").unwrap();
    drop(host);
    let error = (0..7).find_map(|_| master.step(&mut ()).err()).unwrap().to_string();
    assert!(error.contains("far") && error.contains("connection to it is lost"), "{error}");
    assert_eq!(master.output("far.position").unwrap(), position);
    assert!((master.clock().time() - 0.3).abs() < 1e-12);
}

/// Requests that follow one another without a pause keep no host from its end.
#[test]
fn a_host_ends_while_a_run_goes_on() {
    let host = Running::start("", masses);
    let mut far = host.join().unwrap();
    let (begun, steps) = std::sync::mpsc::channel();
    let run = std::thread::spawn(move || {
        far.set_inputs(&[Signal::held(1.0)]).unwrap();
        let lost = (0u64..).find_map(|k| {
            let _ = begun.send(k);
            far.step(0.1 * k as f64, 0.1).err()
        });
        lost.unwrap()
    });
    steps.iter().find(|k| *k == 20).unwrap();
    drop(host);
    assert!(matches!(run.join().unwrap(), Failure::Lost(_)));
}

/// A simulator whose steps take until they are interrupted.
struct Endless {
    flag: Arc<AtomicBool>,
    begun: Arc<AtomicBool>,
}

impl Simulator for Endless {
    fn describe(&self) -> Description {
        Description { variables: Vec::new(), solver_step: None, capabilities: Capabilities::PLAIN }
    }

    fn set_inputs(&mut self, _: &[Signal]) -> Result<(), Failure> {
        Ok(())
    }

    fn step(&mut self, _: f64, _: f64) -> Result<f64, Failure> {
        self.begun.store(true, Ordering::Relaxed);
        while !self.flag.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(1));
        }
        Err(Failure::Interrupted)
    }

    fn outputs(&mut self, _: &mut [f64]) -> Result<(), Failure> {
        Ok(())
    }

    fn interrupt_by(&mut self, flag: &Arc<AtomicBool>) {
        self.flag = Arc::clone(flag);
    }
}

/// Neither does a step that would take for ever.
#[test]
fn a_host_ends_while_a_step_is_computed() {
    let begun = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&begun);
    let host = Running::start("", move |_| Ok(Box::new(Endless { flag: Arc::default(), begun: Arc::clone(&seen) })));
    let mut far = host.join().unwrap();
    let run = std::thread::spawn(move || far.step(0.0, 0.1).unwrap_err());
    while !begun.load(Ordering::Relaxed) {
        std::thread::sleep(Duration::from_millis(1));
    }
    drop(host);
    assert!(matches!(run.join().unwrap(), Failure::Lost(_)));
}

#[test]
fn what_a_simulator_reports_is_told_in_its_words_and_a_panic_ends_nothing_else() {
    let host = Running::start("", |_| Ok(troubled(|| panic!("the tank bursts"))));
    let mut far = host.join().unwrap();
    let failure = {
        far.set_inputs(&[Signal::held(1.0)]).unwrap();
        far.step(0.0, 0.1).unwrap();
        far.step(0.2, 0.1).unwrap_err()
    };
    assert_eq!(failure, Failure::Reported("the simulator has panicked".into()));
    // The host is there for others.
    let mut volume = [1.0];
    host.join().unwrap().outputs(&mut volume).unwrap();
    assert_eq!(volume, [0.0]);
}

#[test]
fn a_master_that_goes_leaves_nothing_behind() {
    let host = Running::start("", masses);
    drop(host.join().unwrap());
    let left = (0..600).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        host.events().iter().any(|event| matches!(event, HostEvent::Left { lost: None, .. }))
    });
    assert!(left, "{:?}", host.events());
}

#[test]
fn a_name_that_nobody_answers_to_is_refused_with_the_remedy() {
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    for address in [closed.as_str(), "127.0.0.1", "no such name:80"] {
        let options = RemoteOptions { address: address.into(), ..RemoteOptions::default() };
        let error = Remote::join(&options).err().unwrap();
        assert!(matches!(&error, RemoteError::Unreachable { .. }), "{error}");
        assert!(error.to_string().contains(address) && error.to_string().contains("fourbar host"), "{error}");
    }
    // One who answers and is no host.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let web = std::thread::spawn(move || listener.accept().unwrap().0.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n"));
    let options = RemoteOptions { address, ..RemoteOptions::default() };
    let error = Remote::join(&options).err().unwrap();
    assert!(matches!(&error, RemoteError::NoHost { .. }), "{error}");
    web.join().unwrap().unwrap();
}
