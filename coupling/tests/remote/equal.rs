//! The same bits as in one process.

use super::{Running, mass, masses};
use crate::middleware::parameters::Ramp;
use fourbar_coupling::partner::remote::{Remote, RemoteOptions};
use fourbar_coupling::{
    Algorithm, Checkpoint, Connection, Master, Options, Order, Partner, Signal, Simulator, Snapshot,
};

/// Outputs of a mass at all communication points of a run with another one.
fn run(left: Partner, right: Partner, algorithm: &Algorithm) -> Vec<u64> {
    let connections = [
        Connection::new("left.spring", "right.force").gain(0.3),
        Connection::new("right.spring", "left.force").gain(-0.2),
    ];
    let mut master = Master::new(vec![left, right], &connections, &Options::new(0.5, 0.01, algorithm.clone())).unwrap();
    let mut bits = Vec::new();
    for _ in 0..50 {
        master.step(&mut ()).unwrap();
        for name in ["left.position", "left.sum", "right.position", "right.sum"] {
            bits.push(master.output(name).unwrap().to_bits());
        }
    }
    assert_eq!(master.warnings(), Vec::<String>::new());
    bits
}

#[test]
fn a_run_has_the_bits_of_one_process_with_every_algorithm() {
    let host = Running::start("", masses);
    let (jacobi, sequential) = (
        Algorithm::Jacobi { order: Order::Quadratic },
        Algorithm::GaussSeidel { order: Order::Linear, sequence: Vec::new() },
    );
    for algorithm in [Algorithm::JacobiDelayed, jacobi, sequential, Algorithm::iterated(Order::Quadratic)] {
        let here = run(Partner::new("left", mass(40.0)), Partner::new("right", mass(7.0)), &algorithm);
        for on_thread in [false, true] {
            let far = RemoteOptions { parameters: vec![("stiffness".into(), 7.0)], ..host.options() };
            let far = Partner::new("right", Remote::join(&far).unwrap());
            let far = if on_thread { far.on_thread() } else { far };
            let there = run(Partner::new("left", host.join().unwrap()), far, &algorithm);
            assert_eq!(here, there, "{algorithm:?}, on a thread: {on_thread}");
        }
    }
}

#[test]
fn it_describes_itself_and_returns_to_any_of_its_states() {
    let host = Running::start("secret", masses);
    let mut far = Remote::join(&RemoteOptions { token: "secret".into(), ..host.options() }).unwrap();
    let mut near = mass(40.0);
    assert_eq!(far.describe(), near.describe());
    let values = |simulator: &mut dyn Simulator| {
        let mut values = [0.0; 3];
        simulator.outputs(&mut values).unwrap();
        values
    };
    let mut saved = Vec::new();
    for simulator in [&mut far as &mut dyn Simulator, &mut near] {
        let mut states: Vec<_> = (0..3).map(|_| Snapshot::new()).collect();
        let mut seen = Vec::new();
        for (k, state) in states.iter_mut().enumerate() {
            simulator.set_inputs(&[Signal { value: k as f64, first: 0.5, second: -2.0 }]).unwrap();
            // With inputs that were set and not yet used.
            simulator.save(state).unwrap();
            seen.push(values(simulator));
            simulator.step(0.1 * k as f64, 0.1).unwrap();
            seen.push(values(simulator));
        }
        for k in [1, 0, 2, 1] {
            simulator.set_inputs(&[Signal::held(9.0)]).unwrap();
            simulator.restore(&states[k]).unwrap();
            seen.push(values(simulator));
            simulator.set_inputs(&[Signal { value: k as f64, first: 0.5, second: -2.0 }]).unwrap();
            simulator.step(0.1 * k as f64, 0.1).unwrap();
            seen.push(values(simulator));
            assert_eq!(seen[seen.len() - 1], seen[2 * k + 1]);
        }
        saved.push(seen);
    }
    assert_eq!(saved[0], saved[1]);
}

#[test]
fn states_that_nobody_keeps_make_room_for_others() {
    let host = Running::start("", masses);
    let mut far = host.join().unwrap();
    far.set_inputs(&[Signal::held(0.0)]).unwrap();
    // More than the host keeps at a time.
    for _ in 0..3000 {
        far.save(&mut Snapshot::new()).unwrap();
    }
    let mut kept: Vec<Snapshot> = Vec::new();
    let full = (0..3000).find_map(|_| {
        let mut snapshot = Snapshot::new();
        let saved = far.save(&mut snapshot);
        kept.push(snapshot);
        saved.err()
    });
    assert!(full.unwrap().to_string().contains("1024"));
    // The others are as they were.
    far.restore(&kept[0]).unwrap();
    let mut other = host.join().unwrap();
    assert!(other.restore(&kept[0]).unwrap_err().to_string().contains("another simulator"));
}

#[test]
fn parameters_are_told_and_set_across() {
    let running = Running::start("", |_| Ok(Box::new(Ramp::new())));
    let settings = crate::middleware::parameters::options();
    let mut master = Master::new(vec![Partner::new("far", running.join().unwrap())], &[], &settings).unwrap();
    assert_eq!(master.parameters()[0].name, "far.rate");
    master.step(&mut ()).unwrap();
    let mut point = Checkpoint::default();
    master.save(&mut point).unwrap();
    master.set_parameter("far.rate", 3.0).unwrap();
    master.step(&mut ()).unwrap();
    assert_eq!((master.output("far.y").unwrap(), master.parameters()[0].value), (2.0, 3.0));
    let words = master.set_parameter("far.rate", -6.0).unwrap_err().to_string();
    assert!(words.contains("backwards") && words.contains("far.rate"), "{words}");
    master.restore(&mut point).unwrap();
    master.step(&mut ()).unwrap();
    assert_eq!((master.output("far.y").unwrap(), master.parameters()[0].value), (1.0, 1.0));
}
