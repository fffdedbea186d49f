//! Waves under way in transmission lines, by the method of characteristics (Wylie, Streeter, Suo, *Fluid Transients in Systems*, 1993,
//! chapter 3).
//!
//! A line of impedance Z, resistance R and travel time T: at each end p = Z q + c, q the flow into the line there and c the wave that arrives,
//! which left the other end as w = p + (Z - R) q a time T before. What left is kept at the ends of the steps, as far back as it can
//! still be asked for, and read between them by cubics through those points beside which the wave is smoothest (Harten, Engquist, Osher,
//! Chakravarthy, *J. Comput. Phys.* 71 (1987) 231): a polynomial through a kink and over a longer step behind it would swing far beyond the
//! wave. Where the wave jumps two points have one time, and no polynomial goes through both.

use super::jump::round_off;
use super::plan::Line;
use std::collections::VecDeque;

/// What left the two ends of a line at a time: t, w_1, w_2.
type Departure = [f64; 3];

/// Relative change from which on a wave jumps: smaller ones die out as they travel on, or cost nothing.
const FRONT: f64 = 1e-8;
/// A magnitude of waves \[Pa\].
const PRESSURE: f64 = 1e5;

/// The waves in all lines of a circuit.
#[derive(Debug, Clone)]
pub(super) struct Waves {
    /// Whether lines are resistances: while a steady state is sought.
    pub(super) steady: bool,
    /// Time since which the inputs are what they are: a co-simulation does not return before it \[s\].
    pub(super) driven: Option<f64>,
    departed: Vec<VecDeque<Departure>>,
    /// Times at which what leaves a line jumped, as far back as it has not arrived.
    fronts: Vec<VecDeque<f64>>,
    /// Waves that arrive: two for each line.
    pub(super) arriving: Vec<f64>,
}

impl Waves {
    /// Lines at rest at 1 bar, until they are filled.
    pub(super) fn new(lines: &[Line]) -> Self {
        Self {
            steady: false,
            driven: None,
            departed: lines.iter().map(|_| VecDeque::from([[f64::NEG_INFINITY, 1e5, 1e5]])).collect(),
            fronts: vec![VecDeque::new(); lines.len()],
            arriving: vec![0.0; 2 * lines.len()],
        }
    }

    /// Fills line k with waves that left before `t` \[s\] and stayed the same.
    pub(super) fn fill(&mut self, k: usize, t: f64, left: [f64; 2]) {
        self.departed[k].clear();
        self.fronts[k].clear();
        self.departed[k].push_back([t, left[0], left[1]]);
    }

    /// Finds the waves that arrive at `t` \[s\].
    ///
    /// Returns the line whose wave had not left when the last step ended: the step is longer than its travel time.
    pub(super) fn arrive(&mut self, lines: &[Line], t: f64) -> Result<(), usize> {
        for (k, line) in lines.iter().enumerate() {
            let [first, second] = left_at(&self.departed[k], t - line.travel).ok_or(k)?;
            // What arrives at one end left the other.
            self.arriving[2 * k] = second;
            self.arriving[2 * k + 1] = first;
        }
        Ok(())
    }

    /// Notes what leaves line k at the end `t` of a step from `before` \[s\]. What was noted of steps that were undone since is dropped.
    pub(super) fn depart(&mut self, k: usize, line: &Line, [before, t]: [f64; 2], left: [f64; 2]) {
        self.drop_after(k, before + 1e-9 * (t - before) + round_off(t));
        let departed = &mut self.departed[k];
        departed.push_back([t, left[0], left[1]]);
        // A cubic reads two points before the time asked for.
        let oldest = self.driven.map_or(before, |driven| driven.min(before)) - line.travel;
        while departed.len() > 3 && departed[2][0] < oldest {
            departed.pop_front();
        }
    }
    /// Notes that what leaves line k jumps at `t` to `right`, if it does.
    pub(super) fn jump(&mut self, k: usize, line: &Line, t: f64, right: [f64; 2]) {
        let same = round_off(t);
        self.drop_after(k, t + same);
        let departed = &mut self.departed[k];
        while departed.len() > 1 && departed[departed.len() - 2][0] >= t - same {
            // A jump that was noted before the run returned to this time.
            departed.pop_back();
        }
        let Some(&[last, one, two]) = departed.back() else { return };
        let changed = |old: f64, new: f64| (new - old).abs() > FRONT * (old.abs() + PRESSURE);
        if !changed(one, right[0]) && !changed(two, right[1]) {
            return;
        }
        if last < t - same {
            departed.push_back([t, one, two]);
        }
        let at = last.max(t - same).max(departed.back().map_or(t, |point| point[0]));
        departed.push_back([at, right[0], right[1]]);
        let oldest = self.driven.map_or(t, |driven| driven.min(t)) - line.travel;
        let fronts = &mut self.fronts[k];
        while fronts.front().is_some_and(|front| *front < oldest - same) {
            fronts.pop_front();
        }
        fronts.push_back(at);
    }

    /// The first time from `t` \[s\] on at which a jump arrives.
    pub(super) fn front_from(&self, lines: &[Line], t: f64) -> f64 {
        let first = |(fronts, line): (&VecDeque<f64>, &Line)| {
            fronts.iter().map(|front| front + line.travel).find(|arrival| *arrival >= t)
        };
        self.fronts.iter().zip(lines).filter_map(first).fold(f64::INFINITY, f64::min)
    }

    /// Drops what was noted later than `t` of line k.
    fn drop_after(&mut self, k: usize, t: f64) {
        let departed = &mut self.departed[k];
        while departed.len() > 1 && departed.back().is_some_and(|[time, ..]| *time > t) {
            departed.pop_back();
        }
        while self.fronts[k].back().is_some_and(|front| *front > t) {
            self.fronts[k].pop_back();
        }
    }

    /// Appends where what left each line ends: the last time, and whether it jumped there.
    pub(super) fn save(&self, store: &mut Vec<f64>) {
        for departed in &self.departed {
            let last = departed.back().map_or(f64::NEG_INFINITY, |point| point[0]);
            store.extend([last, f64::from(u8::from(is_double(departed)))]);
        }
    }

    /// Drops what was noted since.
    pub(super) fn restore(&mut self, store: &[f64]) -> Option<()> {
        if store.len() != 2 * self.departed.len() {
            return None;
        }
        for (k, saved) in store.chunks_exact(2).enumerate() {
            self.drop_after(k, saved[0]);
            if saved[1] == 0.0 && is_double(&self.departed[k]) {
                self.departed[k].pop_back();
                self.fronts[k].pop_back();
            }
        }
        Some(())
    }
}

/// Whether the wave jumps at the last time noted.
fn is_double(departed: &VecDeque<Departure>) -> bool {
    let mut last = departed.iter().rev().map(|point| point[0]);
    matches!((last.next(), last.next()), (Some(one), Some(two)) if one == two)
}

/// What left at `t`. None beyond the last point.
fn left_at(departed: &VecDeque<Departure>, t: f64) -> Option<[f64; 2]> {
    let behind = departed.partition_point(|[time, ..]| *time < t);
    let (first, last) = (departed.front()?, departed.back()?);
    if behind == 0 || (behind == 1 && !first[0].is_finite()) {
        let point = departed.get(behind.min(departed.len() - 1))?;
        return Some([point[1], point[2]]);
    }
    if behind == departed.len() {
        // To round-off the end of the last step is not beyond it.
        let same = (t - last[0]).abs() <= 1e-12 * t.abs().max(last[0].abs());
        return same.then_some([last[1], last[2]]);
    }
    Some([1, 2].map(|end| Points { departed, end }.between(behind, t)))
}

/// What left one end.
struct Points<'a> {
    departed: &'a VecDeque<Departure>,
    end: usize,
}

impl Points<'_> {
    fn time(&self, i: usize) -> f64 {
        self.departed[i][0]
    }

    /// Divided difference over the points `low` to `high`.
    fn difference(&self, low: usize, high: usize) -> f64 {
        if low == high {
            return self.departed[low][self.end];
        }
        let rise = self.difference(low + 1, high) - self.difference(low, high - 1);
        rise / (self.time(high) - self.time(low))
    }

    /// The value at `t`, between the points before and at `behind`: a line, with one and another point beside it where the wave is smoother.
    fn between(&self, behind: usize, t: f64) -> f64 {
        let (mut low, mut high) = (behind - 1, behind);
        let rise = self.difference(high, high) - self.difference(low, low);
        let mut value = self.difference(low, low) + (t - self.time(low)) * self.difference(low, high);
        for _ in 0..2 {
            let earlier = (low > 0 && self.time(low - 1).is_finite() && self.time(low - 1) < self.time(low))
                .then(|| self.difference(low - 1, high));
            let later = (high + 1 < self.departed.len() && self.time(high + 1) > self.time(high))
                .then(|| self.difference(low, high + 1));
            let basis: f64 = (low..=high).map(|i| t - self.time(i)).product();
            let (difference, extended) = match (earlier, later) {
                (Some(one), Some(two)) if one.abs() < two.abs() => (one, (low - 1, high)),
                (_, Some(two)) => (two, (low, high + 1)),
                // Nothing to compare it with: only as far as it does not turn the wave round.
                (Some(one), None) if (one * basis).abs() <= 0.5 * rise.abs() => (one, (low - 1, high)),
                _ => break,
            };
            value += difference * basis;
            (low, high) = extended;
        }
        value
    }
}
