//! Root functions: sign changes within an accepted step, found on its dense output and localized to round-off in t.
//!
//! A step is sampled at its middle and its end, and where the parabola through three samples comes near zero in between, so that a
//! function that dips through zero and back is found too. The first step after a (re)start, and what an event leaves of a step, is
//! sampled close behind its beginning besides: a ball that bounces up for a millionth of the step is caught. The earliest sign change is
//! enclosed by the Illinois form of regula falsi, with bisection where that stalls, until the bracket is two units in the last place of
//! t wide; the event lies at its upper end, where the sign has changed.
//!
//! A function is armed by its first sign: one that starts at zero, or behind the event that ended the run before a restart, changes its
//! sign only after it has left zero (as in SUNDIALS' IDA). Close to zero the round-off of the dense output has signs of its own: what
//! leaves zero grows in proportion to the time, at least, from one sample to the next, and round-off does not. A function that touches zero without a change of sign is an event only if a sample is
//! exactly zero.

use self::parabola::parabola_minimum;
use super::copying::clone_in_place;
use crate::dae::{Direction, RootEvent};
use fourbar_linalg::checkpoint::{CheckpointError, Source, Stored, store_list};

/// Samples of the first step after a (re)start and of what an event leaves of a step, in powers of two of it.
const FIRST_SAMPLES: [i32; 5] = [-40, -30, -20, -10, -5];
/// A parabola is followed if its extremum comes nearer to zero than this part of the samples at its ends.
pub const NEAR_ZERO: f64 = 0.25;
/// It is followed as long as the next extremum is nearer than this part of the last.
const NEARER: f64 = 0.9;
/// Samples spent on one extremum.
const EXTREMUM_SAMPLES: usize = 8;
/// Behind an event on a side that is still to be seen.
const ANY: i8 = 2;
/// Samples in which a bracket must halve, lest it be bisected.
const PATIENCE: u32 = 3;

/// Where the search stands, and what it found.
#[derive(Debug, Default)]
pub(super) struct RootSearch {
    /// Time up to which the step is searched \[s\].
    searched: f64,
    /// Whether `low` is not evaluated yet.
    fresh: bool,
    /// Whether it begins behind a (re)start or an event.
    closely: bool,
    /// Time of the last (re)start \[s\], and whether the first step from it is not searched to its end yet.
    began: f64,
    leaving: bool,
    /// Values at `searched`, in the middle, and at the end of a bracket.
    low: Vec<f64>,
    middle: Vec<f64>,
    high: Vec<f64>,
    trial: Vec<f64>,
    /// Last sign other than zero of each function; 0 until it has left zero.
    signs: Vec<i8>,
    /// Signs behind the events that ended the run just before a restart, 0 for functions without.
    behind: Vec<i8>,
    /// Magnitude up to which a function rests at zero as long as it has no sign; 0 where it does not rest.
    resting: Vec<f64>,
    events: Vec<RootEvent>,
    /// What `low` and `signs` were before the search at work, for one that fails.
    low_before: Vec<f64>,
    signs_before: Vec<i8>,
}

clone_in_place!(RootSearch {
    searched,
    fresh,
    closely,
    began,
    leaving,
    low,
    middle,
    high,
    trial,
    signs,
    behind,
    resting,
    events,
    low_before,
    signs_before
});
/// Root functions may be others than those that are there: their number is read with them.
impl Stored for RootSearch {
    fn store(&self, to: &mut Vec<u8>) {
        self.searched.store(to);
        [self.fresh, self.closely, self.leaving].store(to);
        self.began.store(to);
        store_list(&self.low, to);
        for values in [&self.middle, &self.high, &self.trial, &self.resting] {
            values.store(to);
        }
        self.signs.store(to);
        self.behind.store(to);
        store_list(&self.events, to);
    }
    fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        self.searched.load(from)?;
        [self.fresh, self.closely, self.leaving] = from.value()?;
        self.began.load(from)?;
        if self.searched.is_nan() || self.began.is_nan() {
            return Err(from.refuse("a time"));
        }
        from.list(&mut self.low)?;
        let count = self.low.len();
        for values in [&mut self.middle, &mut self.high, &mut self.trial, &mut self.resting] {
            values.resize(count, 0.0);
            values.load(from)?;
        }
        for signs in [&mut self.signs, &mut self.behind] {
            signs.resize(count, 0);
            signs.load(from)?;
        }
        from.list(&mut self.events)?;
        if self.events.iter().all(|event| event.index < count) { Ok(()) } else { Err(from.refuse("an event")) }
    }
}

impl RootSearch {
    /// Number of functions.
    pub(super) fn count(&self) -> usize {
        self.signs.len()
    }

    /// Time up to which it has been searched \[s\].
    pub(super) fn searched(&self) -> f64 {
        self.searched
    }

    /// Time of the last (re)start \[s\].
    pub(super) fn began(&self) -> f64 {
        self.began
    }

    /// What happened at that time.
    pub(super) fn events(&self) -> &[RootEvent] {
        &self.events
    }

    /// Begins anew at `time` with `count` functions.
    pub(super) fn begin(&mut self, time: f64, count: usize) {
        self.behind.clear();
        self.behind.resize(count, 0);
        if time == self.searched {
            for event in self.events.iter().filter(|e| e.index < count) {
                self.behind[event.index] = if event.direction == Direction::Rising { 1 } else { -1 };
            }
        }
        for values in [&mut self.low, &mut self.middle, &mut self.high, &mut self.trial] {
            values.resize(count, 0.0);
        }
        self.signs.clear();
        self.signs.resize(count, 0);
        self.resting.clear();
        self.resting.resize(count, 0.0);
        self.events.clear();
        self.events.reserve(count);
        self.low_before.reserve(count);
        self.signs_before.reserve(count);
        (self.searched, self.fresh) = (time, true);
        (self.began, self.leaving) = (time, true);
    }

    /// Begins anew behind `events`, as where the system switches: what crossed is on no side until it has left zero. What rests goes on to.
    pub(super) fn begin_behind(&mut self, time: f64, count: usize, events: &[RootEvent]) {
        let rests: Vec<(usize, f64)> = (0..count.min(self.count())).map(|index| (index, self.resting(index))).collect();
        self.begin(time, count);
        for (index, bound) in rests.into_iter().filter(|(_, bound)| *bound > 0.0) {
            self.rest(index, bound);
        }
        for event in events.iter().filter(|event| event.index < count) {
            self.behind[event.index] = ANY;
        }
    }

    /// Function `index` is on no side until it has left zero; behind a (re)start alone.
    pub(super) fn stand_at_zero(&mut self, index: usize) {
        self.behind[index] = ANY;
        self.resting[index] = 0.0;
    }

    /// Function `index` rests at zero: it is on no side as long as its magnitude is at most `bound`; behind a (re)start alone.
    pub(super) fn rest(&mut self, index: usize, bound: f64) {
        self.behind[index] = ANY;
        self.resting[index] = bound;
    }

    /// Up to which magnitude function `index` rests; 0 where it does not.
    pub(super) fn resting(&self, index: usize) -> f64 {
        if self.signs[index] == 0 { self.resting[index] } else { 0.0 }
    }

    /// The side on which each function is; 0 until it has left zero.
    pub(super) fn signs(&self) -> &[i8] {
        &self.signs
    }

    /// Searches on to `to`. Returns the time of the earliest event, if there is one; [`RootSearch::events`] lists what happens there.
    ///
    /// # Errors
    /// Those of `evaluate`; the search stands where it stood, and repeated it finds what it would have found.
    pub(super) fn search<E>(
        &mut self,
        to: f64,
        mut evaluate: impl FnMut(f64, &mut [f64]) -> Result<(), E>,
    ) -> Result<Option<f64>, E> {
        self.events.clear();
        let before = (self.searched, self.fresh, self.closely, self.leaving);
        self.low_before.clone_from(&self.low);
        self.signs_before.clone_from(&self.signs);
        let found = self.search_on(to, &mut evaluate);
        if found.is_err() {
            (self.searched, self.fresh, self.closely, self.leaving) = before;
            std::mem::swap(&mut self.low, &mut self.low_before);
            std::mem::swap(&mut self.signs, &mut self.signs_before);
        }
        found
    }

    fn search_on<E>(
        &mut self,
        to: f64,
        evaluate: &mut impl FnMut(f64, &mut [f64]) -> Result<(), E>,
    ) -> Result<Option<f64>, E> {
        if self.signs.is_empty() || to <= self.searched {
            self.searched = to.max(self.searched);
            return Ok(None);
        }
        if self.fresh {
            evaluate(self.searched, &mut self.low)?;
            for ((sign, value), behind) in self.signs.iter_mut().zip(&self.low).zip(&self.behind) {
                // One that is back on the side it came from is another function, or was put there.
                let now = sign_of(*value);
                *sign = if *behind == ANY || now == *behind { 0 } else { now };
            }
            (self.fresh, self.closely) = (false, true);
        }
        if self.closely {
            self.closely = false;
            let (from, step) = (self.searched, to - self.searched);
            for power in FIRST_SAMPLES {
                let t = from + 2.0_f64.powi(power) * step;
                if t > self.searched && t < to {
                    evaluate(t, &mut self.high)?;
                    if let Some(event) = self.advance(t, evaluate)? {
                        return Ok(Some(event));
                    }
                }
            }
        }
        self.search_halves(to, evaluate)
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
            self.leaving = false;
            return self.advance(to, evaluate);
        }
        evaluate(middle, &mut self.high)?;
        if self.any_crossing(&self.high) {
            return self.advance(middle, evaluate);
        }
        self.arm(middle);
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
        self.leaving = false;
        self.advance(to, evaluate)
    }

    /// Goes on to `t`, at which `high` is evaluated, or to the earliest event before it.
    fn advance<E>(
        &mut self,
        t: f64,
        evaluate: &mut impl FnMut(f64, &mut [f64]) -> Result<(), E>,
    ) -> Result<Option<f64>, E> {
        if !self.any_crossing(&self.high) {
            self.arm(t);
            std::mem::swap(&mut self.low, &mut self.high);
            self.searched = t;
            return Ok(None);
        }
        let event = self.enclose(t, evaluate)?;
        self.closely = true;
        // Before the signs change: a function that arms here has not crossed.
        self.mark_crossings();
        self.arm(event);
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

    /// Lists the functions that have crossed in `high`, and turns their signs.
    fn mark_crossings(&mut self) {
        for (index, (sign, value)) in self.signs.iter_mut().zip(&self.high).enumerate() {
            if crosses(*sign, *value) {
                let direction = if *sign < 0 { Direction::Rising } else { Direction::Falling };
                self.events.push(RootEvent { index, direction });
                *sign = sign_of(*value);
            }
        }
    }

    /// Functions that have left zero at `t` get their sign from `high`. In the first step behind a (re)start these are those that have
    /// grown since `low` by the root of the ratio of the times at least: half way, in orders of magnitude, between round-off, which stays
    /// what it is, and a function with a slope. One that comes back within the step passes too unless it is all but back.
    fn arm(&mut self, t: f64) {
        let growth = ((t - self.began) / (self.searched - self.began)).sqrt();
        let values = self.low.iter().zip(&self.high);
        for ((sign, bound), (low, high)) in self.signs.iter_mut().zip(&self.resting).zip(values) {
            let grew = sign_of(*low) == sign_of(*high) && high.abs() >= growth * low.abs();
            let left = if *bound > 0.0 { high.abs() > *bound } else { !self.leaving || grew };
            if *sign == 0 && left {
                *sign = sign_of(*high);
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

mod parabola;
#[cfg(test)]
mod tests;
