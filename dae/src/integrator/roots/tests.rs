//! Sign changes of functions of time, one search at a time.

use super::*;
use proptest::prelude::*;

/// Events of functions over steps that end at `ends`.
fn events(count: usize, ends: &[f64], f: impl Fn(f64, &mut [f64])) -> Vec<(f64, Vec<RootEvent>)> {
    let mut search = RootSearch::default();
    search.begin(0.0, count);
    let mut found = Vec::new();
    for &end in ends {
        loop {
            let event = search.search::<()>(end, |t, out| {
                f(t, out);
                Ok(())
            });
            match event {
                Ok(Some(t)) => found.push((t, search.events().to_vec())),
                _ => break,
            }
        }
        assert_eq!(search.searched, end);
    }
    found
}

fn rising(index: usize) -> RootEvent {
    RootEvent { index, direction: Direction::Rising }
}

fn falling(index: usize) -> RootEvent {
    RootEvent { index, direction: Direction::Falling }
}

#[test]
fn several_functions_at_one_time_are_one_event() {
    let found = events(3, &[1.0], |t, out| {
        out.copy_from_slice(&[t - 0.25, (t - 0.25) * -8.0, 0.7 - t]);
    });
    assert_eq!(found.len(), 2);
    assert!((found[0].0 - 0.25).abs() < 1e-15 && (found[1].0 - 0.7).abs() < 1e-15);
    assert_eq!(found[0].1, [rising(0), falling(1)]);
    assert_eq!(found[1].1, [falling(2)]);
}

#[test]
fn a_dip_through_zero_within_a_step_is_two_events() {
    let found = events(1, &[1.0], |t, out| out[0] = (t - 0.61).powi(2) * (1.0 + t) - 1e-5);
    assert_eq!(found.iter().map(|f| f.1[0]).collect::<Vec<_>>(), [falling(0), rising(0)]);
    for (t, _) in found {
        assert!(((t - 0.61_f64).powi(2) * (1.0 + t) - 1e-5).abs() < 1e-17);
    }
}

#[test]
fn a_zero_at_the_start_is_no_event_until_it_was_left() {
    assert_eq!(events(1, &[1.0, 2.0], |t, out| out[0] = t).len(), 0);
    assert_eq!(events(1, &[1.0, 2.0], |_, out| out[0] = 0.0).len(), 0);
    // Up from zero and down again within a ten-thousandth of the first step.
    let hop = events(1, &[1.0], |t, out| out[0] = t * (1e-4 - t) * (1.0 + 3.0 * t));
    assert_eq!(hop.len(), 1);
    assert!((hop[0].0 - 1e-4).abs() < 1e-18 && hop[0].1 == [falling(0)]);
}

/// What lies close behind an event in the same step is seen, even of a function that is zero there.
#[test]
fn a_short_hop_behind_an_event_is_seen() {
    let found = events(2, &[1.0], |t, out| {
        let after = t - 0.3;
        (out[0], out[1]) = (-after, if after < 0.0 { -1.0 } else { after * (1e-7 - after) });
    });
    assert_eq!(found.len(), 2);
    assert_eq!(found[0].1, [falling(0), rising(1)]);
    assert!((found[1].0 - 0.3 - 1e-7).abs() < 1e-15 && found[1].1 == [falling(1)]);
}

/// A zero that a sample meets exactly is reported once, with or without a change of sign behind it.
#[test]
fn an_exact_zero_is_reported_once() {
    let touch = events(1, &[0.5, 1.0], |t, out| out[0] = (t - 0.5) * (t - 0.5));
    assert_eq!(touch, [(0.5, vec![falling(0)])]);
    let pass = events(1, &[0.5, 1.0], |t, out| out[0] = t - 0.5);
    assert_eq!(pass, [(0.5, vec![rising(0)])]);
    let end = events(1, &[1.0], |t, out| out[0] = 1.0 - t);
    assert_eq!(end, [(1.0, vec![falling(0)])]);
}

#[test]
fn a_jump_is_enclosed() {
    let found = events(1, &[1.0], |t, out| out[0] = if t < 1.0 / 3.0 { -1e9 } else { 1e-9 });
    assert!((found[0].0 - 1.0 / 3.0).abs() < 1e-15 && found[0].1 == [rising(0)]);
}

#[test]
fn a_root_that_fired_before_a_restart_must_leave_zero_first() {
    let mut search = RootSearch::default();
    search.begin(0.0, 1);
    let fall = |t: f64, out: &mut [f64]| {
        out[0] = 0.3 - t;
        Ok::<(), ()>(())
    };
    let t = search.search(1.0, fall).unwrap().unwrap();
    // The restart leaves the function on the wrong side by round-off; then it rises.
    search.begin(t, 1);
    let rise = |s: f64, out: &mut [f64]| {
        out[0] = -1e-17 + (s - t);
        Ok::<(), ()>(())
    };
    assert_eq!(search.search(2.0, rise), Ok(None));
}

proptest! {
    /// A cubic with three roots, one or two in a step: each is found, in order, to round-off, with its direction.
    #[test]
    fn all_roots_of_a_cubic(first in 0.05..0.3f64, gap in 0.05..0.3f64, next in 0.05..0.3f64, step in 0.03..0.1f64) {
        let roots = [first, first + gap, first + gap + next];
        let ends: Vec<f64> = (1..).map(|k| k as f64 * step).take_while(|t| *t < 1.2).collect();
        let found = events(1, &ends, |t, out| out[0] = (t - roots[0]) * (t - roots[1]) * (t - roots[2]));
        let expected: Vec<f64> = roots.into_iter().filter(|r| *r <= *ends.last().unwrap()).collect();
        prop_assert_eq!(found.len(), expected.len());
        for (k, ((t, event), root)) in found.iter().zip(&expected).enumerate() {
            prop_assert!((t - root).abs() < 4e-16, "{} {}", t, root);
            prop_assert_eq!(event[0], if k % 2 == 0 { rising(0) } else { falling(0) });
        }
    }
}

#[test]
fn another_function_that_starts_where_one_ended_the_run_is_seen() {
    let mut search = RootSearch::default();
    search.begin(0.0, 1);
    let fall = |zero: f64| {
        move |t: f64, out: &mut [f64]| {
            out[0] = zero - t;
            Ok::<(), ()>(())
        }
    };
    assert_eq!(search.search(1.0, fall(0.5)), Ok(Some(0.5)));
    // From there on it is one that falls through zero long before the first sample.
    let soon = 0.5 + 1e-13;
    search.begin(0.5, 1);
    let found = search.search(1.0, fall(soon)).unwrap().unwrap();
    assert!((found - soon).abs() < 1e-15);
    assert_eq!(search.events(), [falling(0)]);
    // The same one, which has passed zero, is not.
    search.begin(found, 1);
    assert_eq!(search.search(1.0, fall(soon)), Ok(None));
}

/// Whichever evaluation fails, in a first step, behind an event or within a bracket: repeated, the search finds bitwise the same.
#[test]
fn a_search_that_failed_is_repeated_as_if_it_had_not() {
    // A hop right behind the start, a dip through zero, and a plain zero.
    let functions = |t: f64, out: &mut [f64]| {
        out.copy_from_slice(&[t * (1e-4 - t) * (1.0 + 3.0 * t), (t - 0.61).powi(2) * (1.0 + t) - 1e-5, t * t - 0.8]);
    };
    let run = |fails_at: usize| {
        let mut search = RootSearch::default();
        search.begin(0.0, 3);
        let (mut calls, mut found) = (0, Vec::new());
        for end in [1.0, 1.5] {
            loop {
                let event = search.search(end, |t, out| {
                    functions(t, out);
                    calls += 1;
                    if calls == fails_at { Err(()) } else { Ok(()) }
                });
                match event {
                    Ok(Some(t)) => found.push((t.to_bits(), search.events().to_vec())),
                    Ok(None) => break,
                    Err(()) => assert!(search.events().is_empty()),
                }
            }
        }
        (found, calls)
    };
    let (undisturbed, calls) = run(0);
    assert_eq!(undisturbed.len(), 4);
    for k in 1..=calls {
        assert_eq!(run(k).0, undisturbed, "call {k} fails");
    }
}
