//! Stop times and ends.

use super::{cosine, error, finish, is_fixed, methods};
use fourbar_dae::integrator::{Error, Stop};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Stop times are met exactly, in order, and the solution there and behind is right, however close together they are.
    #[test]
    fn stop_times_are_met_exactly(mut times in prop::collection::vec(1e-6..5.0f64, 1..12), gap in -13.0..-3.0f64) {
        times.sort_by(f64::total_cmp);
        times.dedup();
        let last = times[times.len() - 1];
        times.push(last + 10.0_f64.powf(gap));
        for method in methods() {
            let mut run = cosine(&method, 6.0);
            run.set_stop_times(&times).expect("increasing");
            let mut met = Vec::new();
            loop {
                match run.step().expect("step") {
                    Stop::StopTime => met.push(run.time()),
                    Stop::EndTime => break,
                    _ => {}
                }
                prop_assert!(error(&*run) < 1e-4, "{}: {:e} at {}", method.name(), error(&*run), run.time());
            }
            prop_assert_eq!(met, times.clone());
            // The formulas of Adams leave out points that lie too close together, and begin nowhere anew.
            let s = run.statistics();
            prop_assert!(method.name() != "abam" || s.restarts == 0 && s.steps < 400, "{:?}", s);
            prop_assert_eq!(run.time(), 6.0);
        }
    }

    /// What ends a step at any time leaves the solution as it is: ends one after the other, each set when the one before is reached.
    #[test]
    fn ends_that_move_on_change_little(ends in prop::collection::vec(1e-9..0.5f64, 5..40)) {
        for method in methods() {
            let mut run = cosine(&method, 0.0);
            prop_assert_eq!(run.step(), Ok(Stop::EndTime));
            let mut end = 0.0;
            for way in &ends {
                end += way;
                run.set_end_time(end).expect("forward");
                finish(&mut *run);
                prop_assert_eq!(run.time(), end);
            }
            prop_assert!(error(&*run) < 1e-4, "{}: {:e}", method.name(), error(&*run));
        }
    }
}

/// Stops keep the error and cost less than as many steps again.
fn stops_cost_little(times: &[f64]) {
    for method in methods() {
        let (mut free, mut stopped) = (cosine(&method, 20.0), cosine(&method, 20.0));
        stopped.set_stop_times(times).expect("increasing");
        finish(&mut *free);
        finish(&mut *stopped);
        assert!(error(&*stopped) < 2e-5, "{}: {:e}", method.name(), error(&*stopped));
        let (free, stopped) = (free.statistics().steps, stopped.statistics().steps);
        assert!(stopped < 2 * free, "{}: {stopped} against {free}", method.name());
    }
}

#[test]
fn stop_times_cost_little_and_do_not_break_the_order() {
    stops_cost_little(&(1..20).map(f64::from).collect::<Vec<_>>());
}

#[test]
fn a_stop_just_ahead_does_not_spoil_what_follows() {
    stops_cost_little(&[10.0, 10.0 + 1e-12]);
}

#[test]
fn end_times_and_runs_of_no_length() {
    for method in methods() {
        let name = method.name();
        let mut run = cosine(&method, 0.0);
        assert_eq!((run.step(), run.time(), run.statistics().steps), (Ok(Stop::EndTime), 0.0, 0), "{name}");
        let (mut y, mut yp) = ([0.0; 2], [0.0; 2]);
        run.interpolate(0.0, &mut y, &mut yp).expect("the start itself");
        assert_eq!((y, yp), ([1.0, 1.0], [0.0, 0.0]), "{name}");
        // Co-simulation: the end moves on.
        for i in 1..=50 {
            let end = 0.1 * f64::from(i);
            run.set_end_time(end).expect("forward");
            finish(&mut *run);
            assert_eq!(run.time(), end);
        }
        assert!(error(&*run) < 2e-5, "{name}: {:e}", error(&*run));
        assert_eq!(run.step(), Ok(Stop::EndTime));
        assert_eq!(run.set_end_time(1.0), Err(Error::EndBeforeStart { time: 5.0, end: 1.0 }));
        assert!(matches!(run.set_end_time(f64::NAN), Err(Error::NotFinite { .. })));
        assert!(matches!(run.set_stop_times(&[6.0, 6.0]), Err(Error::StopTimes { .. })));
        assert!(matches!(run.set_stop_times(&[f64::INFINITY]), Err(Error::NotFinite { .. })));
    }
}

#[test]
fn endless_runs_are_possible() {
    for method in methods() {
        let mut run = cosine(&method, f64::INFINITY);
        for _ in 0..200 {
            assert_eq!(run.step(), Ok(Stop::Step));
        }
        let bound = if is_fixed(&method) { 3e-5 } else { 2e-5 };
        assert!(error(&*run) < bound, "{}: {:e}", method.name(), error(&*run));
    }
}
