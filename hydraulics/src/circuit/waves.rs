//! Waves under way in transmission lines, by the method of characteristics (Wylie, Streeter, Suo, *Fluid Transients in Systems*, 1993,
//! chapter 3).
//!
//! A line of impedance Z, resistance R and travel time T: at each end p = Z q + c, q the flow into the line there and c the wave that arrives,
//! which left the other end as w = p + (Z - R) q a time T before. What left is kept at the ends of the steps, as far back as it can
//! still be asked for, and read between them by cubics, or by parabolas on the smoother side (Harten, Engquist, Osher, Chakravarthy, *J. Comput.
//! Phys.* 71 (1987) 231): a polynomial through a kink and over a longer step behind it would swing far beyond the wave. Where the wave jumps two points have one time, and no polynomial goes through both.

use super::plan::Line;
use crate::fluid::PRESSURE;
use fourbar_expression::break_state::round_off;
use std::collections::VecDeque;

/// What left the two ends of a line at a time: t, w_1, w_2.
pub(super) type Departure = [f64; 3];

/// Relative change from which on a wave jumps: smaller ones are errors of the step that ended there.
const FRONT: f64 = 1e-6;

/// The waves in all lines of a circuit.
#[derive(Debug, Clone)]
pub(super) struct Waves {
    /// Whether lines are resistances: while a steady state is sought.
    pub(super) steady: bool,
    /// Time since which the inputs are what they are: a co-simulation does not return before it \[s\].
    pub(super) driven: Option<f64>,
    /// To what part of a wave what left between steps is known: the tolerance of the integrator.
    pub(super) tolerance: f64,
    pub(super) departed: Vec<VecDeque<Departure>>,
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
            tolerance: 1e-6,
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
    /// Returns the line of which the last steps do not settle what left it then: the step is longer than half of its travel time.
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
        // A cubic reads two points before the time asked for, the reach of a step one step before it.
        let oldest = self.driven.map_or(before, |driven| driven.min(before)) - 1.5 * line.travel;
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
        while self.fronts[k].back().is_some_and(|front| *front >= t - same) {
            self.fronts[k].pop_back();
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

/// What left at `t`. None where the points do not yet settle it: those that come later must not change what was read once.
pub(super) fn left_at(departed: &VecDeque<Departure>, t: f64) -> Option<[f64; 2]> {
    let behind = departed.partition_point(|[time, ..]| *time < t);
    if behind == 0 {
        return departed.front().map(|first| [first[1], first[2]]);
    }
    // A point behind the interval is known.
    if behind + 1 < departed.len() {
        return Some([1, 2].map(|end| Points { departed, end }.between(behind, t)));
    }
    // To round-off the end of such an interval is not beyond it.
    let end = departed.get(departed.len().checked_sub(2)?)?;
    let same = (t - end[0]).abs() <= 1e-12 * t.abs().max(end[0].abs());
    same.then_some([end[1], end[2]])
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

    fn value(&self, i: usize) -> f64 {
        self.departed[i][self.end]
    }

    /// Whether the wave is continuous from point i to the next one.
    fn joins(&self, i: usize) -> bool {
        self.time(i).is_finite() && self.time(i) < self.time(i + 1)
    }

    fn slope(&self, i: usize) -> f64 {
        (self.value(i + 1) - self.value(i)) / (self.time(i + 1) - self.time(i))
    }

    /// Difference of the largest and the smallest value from point i to j.
    fn range(&self, i: usize, j: usize) -> f64 {
        let values = (i..=j).map(|k| self.value(k));
        let [least, most] = values.fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], v| [a.min(v), b.max(v)]);
        most - least
    }

    /// Second divided difference over point i and the two after it.
    fn bend(&self, i: usize) -> f64 {
        (self.slope(i + 1) - self.slope(i)) / (self.time(i + 2) - self.time(i))
    }

    /// The value at `t`, between the points before and at `behind`: the cubic through these and the two beside them where it is smooth, or the
    /// parabola or line that swings least.
    fn between(&self, behind: usize, t: f64) -> f64 {
        let before = behind - 1;
        let [start, end] = [before, behind].map(|i| self.time(i));
        if !start.is_finite() {
            return self.value(behind);
        }
        let line = self.value(before) + (t - start) * self.slope(before);
        let bow = (t - start) * (t - end);
        let rise = (self.value(behind) - self.value(before)).abs();
        let is_calm = |bend: f64| bend.abs() * (end - start) * (end - start) <= rise;
        let earlier = (before > 0 && self.joins(before - 1)).then(|| self.bend(before - 1));
        let later = self.joins(behind).then(|| self.bend(before));
        match (earlier, later) {
            (Some(one), Some(two)) => {
                let [outer, other] = [self.time(before - 1), self.time(behind + 1)];
                let (bend, third) = if one.abs() < two.abs() { (one, outer) } else { (two, other) };
                // Between two kinks both sides bend: no further than the points lie apart.
                let limit = self.range(before - 1, behind + 1) / ((end - start) * (end - start));
                let bend = bend.max(-limit).min(limit);
                let change = two - one;
                // The end of a ramp bends by its whole rise.
                let is_smooth = change.abs() <= 2.0 * bend.abs() || is_calm(10.0 * change);
                let twist = if is_smooth { change / (other - outer) } else { 0.0 };
                line + bow * (bend + twist * (t - third))
            }
            (Some(bend), None) | (None, Some(bend)) if is_calm(bend) => line + bow * bend,
            _ => line,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn line() -> Line {
        Line { part: 0, travel: 0.5, impedance: 1.0, resistance: 0.0 }
    }

    #[test]
    fn cubics_pass_undistorted_and_the_past_is_bounded() {
        let wave = |t: f64| 1.0 + t * (2.0 - t * (0.5 + t));
        let mut waves = Waves::new(&[line()]);
        waves.fill(0, 0.0, [wave(0.0), 0.0]);
        let mut before = 0.0;
        for k in 1..=10_000 {
            let t = before + 0.01 + 0.005 * f64::from(k % 3);
            waves.depart(0, &line(), [before, t], [wave(t), -wave(t)]);
            before = t;
        }
        assert!(waves.departed[0].len() < 60, "{}", waves.departed[0].len());
        waves.arrive(&[line()], before + 0.123).unwrap();
        let expected = wave(before + 0.123 - 0.5);
        assert!((waves.arriving[1] / expected - 1.0).abs() < 1e-9);
        assert!((waves.arriving[0] / expected + 1.0).abs() < 1e-9);
        assert_eq!(waves.arrive(&[line()], before + 0.499), Err(0));
    }

    #[test]
    fn what_left_in_a_step_that_was_undone_never_arrives() {
        let mut waves = Waves::new(&[line()]);
        waves.fill(0, 0.0, [1.0, 1.0]);
        for (before, t, left) in
            [(0.0, 0.1, 1.0), (0.1, 0.15, 99.0), (0.15, 0.2, 99.0), (0.1, 0.3, 1.0), (0.3, 0.5, 1.0)]
        {
            waves.depart(0, &line(), [before, t], [left, left]);
        }
        waves.arrive(&[line()], 0.7).unwrap();
        assert_eq!(waves.arriving, [1.0, 1.0]);
    }

    proptest! {
        /// Ramps of any steepness between steps of any length: no reading beyond the wave, and none that later steps change.
        #[test]
        fn kinks_and_jumps_are_read_within_the_wave_and_once_for_all(
            steps in prop::collection::vec((1e-6..0.2f64, prop::sample::select(vec![0.0, 1.0, 1.0, 5.0]), any::<bool>()), 8..40),
        ) {
            let mut waves = Waves::new(&[line()]);
            waves.fill(0, 0.0, [0.0; 2]);
            let (mut t, mut read) = (0.0, Vec::<(f64, f64)>::new());
            for (length, target, jumps) in steps {
                waves.depart(0, &line(), [t, t + length], [1e6 * target; 2]);
                t += length;
                if jumps {
                    waves.jump(0, &line(), t, [3e6; 2]);
                }
                for part in [0.1, 0.5, 0.9] {
                    let at = t + part * 0.25;
                    if waves.arrive(&[line()], at).is_ok() {
                        let value = waves.arriving[0];
                        prop_assert!((-3.8e6..=8.8e6).contains(&value), "{value} at {at}");
                        read.push((at, value));
                    }
                }
                // What was read stays as long as it can be asked for again.
                read.retain(|(at, _)| *at > t);
                for (at, value) in &read {
                    waves.arrive(&[line()], *at).unwrap();
                    prop_assert_eq!(waves.arriving[0], *value);
                }
            }
        }
    }
}
