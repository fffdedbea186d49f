//! Simulated time kept to the wall clock, and what is said when that fails.

use std::time::{Duration, Instant};

use fourbar_coupling::management::{Handling, Pacing};
use fourbar_coupling::{Algorithm, Master, Options, Partner};

use crate::middleware::partners::{Integrator, Trouble, Witness};

#[test]
fn a_run_takes_as_long_as_its_real_time_factor_says() {
    let pacing = Some(Pacing { real_time_factor: 10.0 });
    let options = Options { pacing, ..Options::new(1.0, 0.05, Algorithm::JacobiDelayed) };
    let mut master = Master::new(vec![Partner::new("a", Integrator::healthy())], &[], &options).unwrap();
    let begin = Instant::now();
    master.run(&mut ()).unwrap();
    let elapsed = begin.elapsed();
    assert!(elapsed >= Duration::from_millis(100), "{elapsed:?}");
    let statistics = master.pacing().unwrap();
    assert!(statistics.waited > Duration::ZERO && statistics.waited <= elapsed);
}

#[test]
fn an_overrun_is_counted_and_reported_once_per_streak() {
    let slow = Integrator::new(Trouble::Sleeps(Duration::from_millis(30)), 0.5, 1);
    let pacing = Some(Pacing { real_time_factor: 100.0 });
    let options = Options { pacing, ..Options::new(1.0, 0.1, Algorithm::JacobiDelayed) };
    let mut master = Master::new(vec![Partner::new("a", slow)], &[], &options).unwrap();
    let mut witness = Witness::default();
    master.run(&mut witness).unwrap();
    let statistics = master.pacing().unwrap();
    assert!(statistics.overruns >= 1 && statistics.latest >= Duration::from_millis(25), "{statistics:?}");
    assert!(witness.faults.iter().all(|fault| fault.2 == Handling::Informed) && !witness.faults.is_empty());
    assert!(witness.faults.len() as u64 <= statistics.overruns);
}
