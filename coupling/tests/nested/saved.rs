//! Checkpoints of whole runs, in memory and as bytes.

use super::{H, flat, jacobi, nested, nested_twice, options, values};
use crate::middleware::partners::Integrator;
use fourbar_coupling::{
    Adaptive, Algorithm, Capabilities, Checkpoint, Connection, Error, Master, Options, Order, Partner,
};

fn steps(master: &mut Master, count: usize) -> Vec<Vec<(String, u64)>> {
    let step = |_| {
        master.step(&mut ()).unwrap();
        values(master)
    };
    (0..count).map(step).collect()
}

/// Saves after some steps, goes on, returns, and goes on; then another run goes on from the bytes.
fn goes_on(what: &str, make: &dyn Fn() -> Master) {
    let mut master = make();
    steps(&mut master, 20);
    let mut point = Checkpoint::default();
    master.save(&mut point).unwrap();
    let there = values(&master);
    let expected = steps(&mut master, 30);
    master.restore(&mut point).unwrap();
    assert_eq!(values(&master), there, "{what}");
    assert_eq!(steps(&mut master, 30), expected, "{what}: the same run");
    let bytes = master.checkpoint_to_bytes(&mut point).unwrap();
    let mut other = make();
    let mut read = other.checkpoint_from_bytes(&bytes).unwrap();
    other.restore(&mut read).unwrap();
    assert_eq!(values(&other), there, "{what}: another run");
    assert_eq!(steps(&mut other, 30), expected, "{what}: another run");
    assert_eq!(other.checkpoint_to_bytes(&mut read).unwrap(), bytes, "{what}: the same bytes");
}

#[test]
fn a_run_goes_on_from_a_checkpoint_bit_for_bit() {
    let order = Order::Quadratic;
    let sequence = Algorithm::GaussSeidel { order, sequence: vec![] };
    for algorithm in [Algorithm::JacobiDelayed, jacobi(), sequence.clone(), Algorithm::iterated(Order::Linear)] {
        let own = Options { order_reduction: true, ..options(algorithm.clone()) };
        goes_on(&format!("flat, {algorithm:?}"), &|| flat(&own));
        goes_on(&format!("nested, {algorithm:?}"), &|| nested(&options(jacobi()), &own));
    }
    goes_on("on threads", &|| nested_twice(&options(jacobi())));
    let adaptive = Adaptive { tolerance: 1e-4, first: 0.5 * H, shortest: 0.1 * H, rollback: true };
    let own = Options { adaptive: Some(adaptive), ..options(sequence) };
    goes_on("adaptive", &|| flat(&own));
}

#[test]
fn bytes_of_another_run_and_damaged_ones_are_refused() {
    let own = options(jacobi());
    let mut master = flat(&own);
    let mut point = Checkpoint::default();
    master.save(&mut point).unwrap();
    let bytes = master.checkpoint_to_bytes(&mut point).unwrap();
    let other = options(Algorithm::JacobiDelayed);
    for mut stranger in [flat(&other), nested(&own, &own), flat(&Options { step: 2.0 * H, ..own.clone() })] {
        assert!(matches!(stranger.checkpoint_from_bytes(&bytes), Err(Error::Checkpoint(_))));
    }
    // Another end is no other run.
    assert!(flat(&Options { end: 1.0, ..own }).checkpoint_from_bytes(&bytes).is_ok());
    for at in (0..bytes.len()).step_by(37) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        assert!(master.checkpoint_from_bytes(&damaged).is_err(), "byte {at}");
        assert!(master.checkpoint_from_bytes(&bytes[..at]).is_err(), "{at} bytes");
    }
}

#[test]
fn who_cannot_be_saved_is_named() {
    let plain = |capabilities| Integrator { capabilities, ..Integrator::healthy() };
    let partners = || {
        vec![
            Partner::new("able", plain(Capabilities::FULL)),
            Partner::new("plain", plain(Capabilities::PLAIN)),
            Partner::new("bare", plain(Capabilities::PLAIN)),
        ]
    };
    let mut point = Checkpoint::default();
    let mut master = Master::new(partners(), &[] as &[Connection], &options(jacobi())).unwrap();
    let error = master.save(&mut point).unwrap_err().to_string();
    assert!(error.contains("\"plain\", \"bare\"") && !error.contains("able\""), "{error}");
    let mut master = Master::new(partners().drain(..1).collect(), &[], &options(jacobi())).unwrap();
    master.save(&mut point).unwrap();
    let error = master.checkpoint_to_bytes(&mut point).unwrap_err().to_string();
    assert!(error.contains("written down") && error.contains("\"able\""), "{error}");
}
