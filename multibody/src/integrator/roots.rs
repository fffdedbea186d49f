//! Root functions: sign changes within an accepted step, found on its dense output and localized to round-off in t.
//!
//! A step is sampled at its middle and its end, and where the parabola through three samples comes near zero in between, so that a
//! function that dips through zero and back is found too. The first step after a (re)start is sampled close behind its beginning
//! besides: a ball that bounces up for a millionth of the step is caught. The earliest sign change is enclosed by the Illinois form of
//! regula falsi, with bisection where that stalls, until the bracket is two units in the last place of t wide; the event lies at its
//! upper end, where the sign has changed.
//!
//! A function is armed by its first sign: one that starts at zero, or whose event ended the run before a restart, changes its sign
//! only after it has left zero (as in SUNDIALS' IDA). A function that touches zero without a change of sign is an event only if a sample is
//! exactly zero.

use super::copying::clone_in_place;

/// A root function that changed its sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RootEvent {
    /// Which one.
    pub index: usize,
    /// Which way.
    pub direction: Direction,
}

/// Direction of a sign change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From negative to positive.
    Rising,
    /// From positive to negative.
    Falling,
}

/// Samples of the first step after a (re)start, in powers of two of it.
const FIRST_SAMPLES: [i32; 5] = [-40, -30, -20, -10, -5];
/// A parabola is followed if its extremum comes nearer to zero than this part of the samples at its ends, as long as the next
/// extremum is nearer than `NEARER` times the last.
const NEAR_ZERO: f64 = 0.25;
const NEARER: f64 = 0.9;
/// Samples spent on one extremum.
const EXTREMUM_SAMPLES: usize = 8;
/// Samples in which a bracket must halve, lest it be bisected.
const PATIENCE: u32 = 3;

/// Where the search stands, and what it found.
#[derive(Debug, Default)]
pub(super) struct RootSearch {
    /// Time up to which the step is searched \[s\].
    searched: f64,
    /// Whether `low` is not evaluated yet.
    fresh: bool,
    /// Values at `searched`, in the middle, and at the end of a bracket.
    low: Vec<f64>,
    middle: Vec<f64>,
    high: Vec<f64>,
    trial: Vec<f64>,
    /// Last sign other than zero of each function; 0 until it has left zero.
    signs: Vec<i8>,
    /// Functions whose event ended the run just before a restart.
    at_zero: Vec<bool>,
    events: Vec<RootEvent>,
}

clone_in_place!(RootSearch { searched, fresh, low, middle, high, trial, signs, at_zero, events });

impl RootSearch {
    /// What happened at that time.
    pub(super) fn events(&self) -> &[RootEvent] {
        &self.events
    }

    /// Begins anew at `time` with `count` functions.
    pub(super) fn begin(&mut self, time: f64, count: usize) {
        self.at_zero.clear();
        self.at_zero.resize(count, false);
        if time == self.searched {
            for event in self.events.iter().filter(|e| e.index < count) {
                self.at_zero[event.index] = true;
            }
        }
        for values in [&mut self.low, &mut self.middle, &mut self.high, &mut self.trial] {
            values.resize(count, 0.0);
        }
        self.signs.clear();
        self.signs.resize(count, 0);
        self.events.clear();
        self.events.reserve(count);
        (self.searched, self.fresh) = (time, true);
    }

    /// Searches on to `to`. Returns the time of the earliest event, if there is one; [`RootSearch::events`] lists what happens there.
    ///
    /// # Errors
    /// Those of `evaluate`; the search can be taken up again.
    pub(super) fn search<E>(
        &mut self,
        to: f64,
        mut evaluate: impl FnMut(f64, &mut [f64]) -> Result<(), E>,
    ) -> Result<Option<f64>, E> {
        self.events.clear();
        if self.signs.is_empty() || to <= self.searched {
            self.searched = to.max(self.searched);
            return Ok(None);
        }
        if self.fresh {
            evaluate(self.searched, &mut self.low)?;
            for ((sign, value), at_zero) in self.signs.iter_mut().zip(&self.low).zip(&self.at_zero) {
                *sign = if *at_zero { 0 } else { sign_of(*value) };
            }
            self.fresh = false;
            let (from, step) = (self.searched, to - self.searched);
            for power in FIRST_SAMPLES {
                let t = from + 2.0_f64.powi(power) * step;
                if t > self.searched && t < to {
                    evaluate(t, &mut self.high)?;
                    if let Some(event) = self.advance(t, &mut evaluate)? {
                        return Ok(Some(event));
                    }
                }
            }
        }
        self.search_halves(to, &mut evaluate)
    }

    /// Samples the middle and the end, and extrema between.
    fn search_halves<E>(
        &mut self,
        to: f64,
        evaluate: &mut impl FnMut(f64, &mut [f64]) -> Result<(), E>,
    ) -> Result<Option<f64>, E> {
        let from = self.searched;
        let middle = from + 0.5 * (to - from);
        if !(middle > from && middle < to) {
            evaluate(to, &mut self.high)?;
            return self.advance(to, evaluate);
        }
        evaluate(middle, &mut self.high)?;
        if self.any_crossing(&self.high) {
            return self.advance(middle, evaluate);
        }
        self.arm();
        std::mem::swap(&mut self.middle, &mut self.high);
        evaluate(to, &mut self.high)?;
        for i in 0..self.signs.len() {
            let values = [self.low[i], self.middle[i], self.high[i]];
            if let Some(t) = self.dip(i, [from, middle, to], values, evaluate)? {
                // `trial` holds the values at t, where function i has crossed.
                std::mem::swap(&mut self.high, &mut self.trial);
                return self.advance(t, evaluate);
            }
        }
        // The bracket of a crossing begins in the middle.
        std::mem::swap(&mut self.low, &mut self.middle);
        self.searched = middle;
        self.advance(to, evaluate)
    }

    /// Goes on to `t`, at which `high` is evaluated, or to the earliest event before it.
    fn advance<E>(
        &mut self,
        t: f64,
        evaluate: &mut impl FnMut(f64, &mut [f64]) -> Result<(), E>,
    ) -> Result<Option<f64>, E> {
        if !self.any_crossing(&self.high) {
            self.arm();
            std::mem::swap(&mut self.low, &mut self.high);
            self.searched = t;
            return Ok(None);
        }
        let event = self.enclose(t, evaluate)?;
        for (index, (sign, value)) in self.signs.iter_mut().zip(&self.high).enumerate() {
            if crosses(*sign, *value) {
                let direction = if *sign < 0 { Direction::Rising } else { Direction::Falling };
                self.events.push(RootEvent { index, direction });
                *sign = sign_of(*value);
            } else if *sign == 0 {
                *sign = sign_of(*value);
            }
        }
        std::mem::swap(&mut self.low, &mut self.high);
        self.searched = event;
        Ok(Some(event))
    }

    /// Shrinks the bracket from `low` at the time searched to `high` at `b` around the earliest crossing.
    fn enclose<E>(
        &mut self,
        mut b: f64,
        evaluate: &mut impl FnMut(f64, &mut [f64]) -> Result<(), E>,
    ) -> Result<f64, E> {
        let mut a = self.searched;
        let mut reference = b - a;
        let mut since = 0;
        // Weights of the values at the ends (Illinois): an end that stays is trusted half as much each time.
        let mut weights = [1.0, 1.0];
        let mut last_moved_low = None;
        loop {
            let tolerance = 2.0 * f64::EPSILON * a.abs().max(b.abs());
            if b - a <= tolerance {
                return Ok(b);
            }
            since += 1;
            if b - a <= 0.5 * reference {
                (reference, since) = (b - a, 0);
            }
            let secant = if since > PATIENCE { None } else { self.secant(a, b, weights) };
            let guess = secant.unwrap_or(a + 0.5 * (b - a));
            let t = guess.clamp(a + 0.5 * tolerance, b - 0.5 * tolerance);
            if !(t > a && t < b) {
                return Ok(b);
            }
            evaluate(t, &mut self.trial)?;
            let moves_low = !self.any_crossing(&self.trial);
            if moves_low {
                std::mem::swap(&mut self.low, &mut self.trial);
                (a, self.searched) = (t, t);
            } else {
                std::mem::swap(&mut self.high, &mut self.trial);
                b = t;
            }
            let (moved, kept) = if moves_low { (0, 1) } else { (1, 0) };
            weights[moved] = 1.0;
            weights[kept] = if last_moved_low == Some(moves_low) { 0.5 * weights[kept] } else { 1.0 };
            last_moved_low = Some(moves_low);
        }
    }

    /// Earliest zero of the chords of the functions that cross.
    fn secant(&self, a: f64, b: f64, weights: [f64; 2]) -> Option<f64> {
        let mut earliest: Option<f64> = None;
        for ((&sign, &low), &high) in self.signs.iter().zip(&self.low).zip(&self.high) {
            if crosses(sign, high) {
                if sign_of(low) != sign {
                    return None;
                }
                let (low, high) = (weights[0] * low, weights[1] * high);
                let t = b - (b - a) * (high / (high - low));
                earliest = Some(earliest.map_or(t, |e| e.min(t)));
            }
        }
        earliest
    }

    /// Follows the extremum of function `i` towards zero, if the parabola through three samples without a crossing has one. Returns a
    /// time at which the function has crossed, its values in `trial`.
    fn dip<E>(
        &mut self,
        i: usize,
        mut times: [f64; 3],
        mut values: [f64; 3],
        evaluate: &mut impl FnMut(f64, &mut [f64]) -> Result<(), E>,
    ) -> Result<Option<f64>, E> {
        let sign = f64::from(self.signs[i]);
        values.iter_mut().for_each(|v| *v *= sign);
        if !values.iter().all(|v| *v > 0.0) {
            return Ok(None);
        }
        let mut limit = NEAR_ZERO * values[0].min(values[2]);
        for _ in 0..EXTREMUM_SAMPLES {
            let Some((t, value)) = parabola_minimum(times, values) else { return Ok(None) };
            let settled = times.iter().any(|s| (t - s).abs() <= 1e-9 * (times[2] - times[0]));
            if value >= limit || settled {
                return Ok(None);
            }
            evaluate(t, &mut self.trial)?;
            if crosses(self.signs[i], self.trial[i]) {
                return Ok(Some(t));
            }
            // The three samples around the smallest one.
            let at = sign * self.trial[i];
            let keep = if t < times[1] { [0, 1] } else { [1, 2] };
            let inner = (times[1], values[1]);
            if at < inner.1 {
                let (left, right) = if keep == [0, 1] { (0, 1) } else { (1, 2) };
                (times, values) = ([times[left], t, times[right]], [values[left], at, values[right]]);
            } else if keep == [0, 1] {
                (times, values) = ([t, inner.0, times[2]], [at, inner.1, values[2]]);
            } else {
                (times, values) = ([times[0], inner.0, t], [values[0], inner.1, at]);
            }
            limit = NEARER * values[1];
        }
        Ok(None)
    }

    fn any_crossing(&self, values: &[f64]) -> bool {
        self.signs.iter().zip(values).any(|(&sign, &value)| crosses(sign, value))
    }

    /// Functions that have left zero get their sign from `high`.
    fn arm(&mut self) {
        for (sign, value) in self.signs.iter_mut().zip(&self.high) {
            if *sign == 0 {
                *sign = sign_of(*value);
            }
        }
    }
}

fn sign_of(value: f64) -> i8 {
    i8::from(value > 0.0) - i8::from(value < 0.0)
}

/// Whether a function that last had `sign` has reached zero or passed it.
fn crosses(sign: i8, value: f64) -> bool {
    sign != 0 && sign_of(value) != sign
}

/// Minimum of the parabola through three points, if it lies between the outer ones.
fn parabola_minimum(t: [f64; 3], v: [f64; 3]) -> Option<(f64, f64)> {
    let (d01, d12) = ((v[1] - v[0]) / (t[1] - t[0]), (v[2] - v[1]) / (t[2] - t[1]));
    let curvature = (d12 - d01) / (t[2] - t[0]);
    if !(curvature > 0.0) {
        return None;
    }
    let at = 0.5 * (t[0] + t[1] - d01 / curvature);
    let inside = at > t[0] && at < t[2];
    inside.then(|| (at, v[0] + (at - t[0]) * (d01 + curvature * (at - t[1]))))
}

#[cfg(test)]
mod tests {
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
}
