//! Waves under way in transmission lines, by the method of characteristics (Wylie, Streeter, Suo, *Fluid Transients in Systems*, 1993,
//! chapter 3).
//!
//! A line of impedance Z, resistance R and travel time T: at each end p = Z q + c, q the flow into the line there and c the wave that arrives,
//! which left the other end as w = p + (Z - R) q a time T before. What left is kept at the ends of the steps, as far back as it can
//! still be asked for, and read between them by cubics.

use super::plan::Line;
use std::collections::VecDeque;

/// What left the two ends of a line at a time: t, w_1, w_2.
type Departure = [f64; 3];

/// The waves in all lines of a circuit.
#[derive(Debug, Clone)]
pub(super) struct Waves {
    /// Whether lines are resistances: while a steady state is sought.
    pub(super) steady: bool,
    /// Time since which the inputs are what they are: a co-simulation does not return before it \[s\].
    pub(super) driven: Option<f64>,
    departed: Vec<VecDeque<Departure>>,
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
            arriving: vec![0.0; 2 * lines.len()],
        }
    }

    /// Fills line k with waves that left before `t` \[s\] and stayed the same.
    pub(super) fn fill(&mut self, k: usize, t: f64, left: [f64; 2]) {
        self.departed[k].clear();
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
        let departed = &mut self.departed[k];
        let rounding = 1e-9 * (t - before);
        while departed.len() > 1 && departed.back().is_some_and(|[time, ..]| *time > before + rounding) {
            departed.pop_back();
        }
        departed.push_back([t, left[0], left[1]]);
        // A cubic reads two points before the time asked for.
        let oldest = self.driven.map_or(before, |driven| driven.min(before)) - line.travel;
        while departed.len() > 3 && departed[2][0] < oldest {
            departed.pop_front();
        }
    }
}

/// What left at `t`: the polynomial through two points on either side. None beyond the last point.
fn left_at(departed: &VecDeque<Departure>, t: f64) -> Option<[f64; 2]> {
    let behind = departed.partition_point(|[time, ..]| *time < t);
    let (first, last) = (departed.front()?, departed.back()?);
    if behind == 0 {
        return Some([first[1], first[2]]);
    }
    if behind == departed.len() {
        // To round-off the end of the last step is not beyond it.
        let same = (t - last[0]).abs() <= 1e-12 * t.abs().max(last[0].abs());
        return same.then_some([last[1], last[2]]);
    }
    let points = departed.range(behind.saturating_sub(2)..(behind + 2).min(departed.len()));
    let points = points.filter(|[time, ..]| time.is_finite());
    let mut left = [0.0; 2];
    for (i, [time, one, two]) in points.clone().enumerate() {
        let others = points.clone().enumerate().filter(|(j, _)| *j != i);
        let weight: f64 = others.map(|(_, [other, ..])| (t - other) / (time - other)).product();
        left[0] += weight * one;
        left[1] += weight * two;
    }
    Some(left)
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(waves.arrive(&[line()], before + 0.501), Err(0));
    }

    #[test]
    fn what_left_in_a_step_that_was_undone_never_arrives() {
        let mut waves = Waves::new(&[line()]);
        waves.fill(0, 0.0, [1.0, 1.0]);
        for (before, t, left) in [(0.0, 0.1, 1.0), (0.1, 0.15, 99.0), (0.15, 0.2, 99.0), (0.1, 0.3, 1.0)] {
            waves.depart(0, &line(), [before, t], [left, left]);
        }
        waves.arrive(&[line()], 0.7).unwrap();
        assert_eq!(waves.arriving, [1.0, 1.0]);
    }
}
