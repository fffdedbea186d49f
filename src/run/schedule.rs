//! The steps of a linear run: a grid of equal steps, on which the outputs fall, cut where an input jumps or bends.

use super::Plan;
use crate::linear::Side;

/// Part of a step below which two times are one.
const SAME: f64 = 1e-9;

/// A time at which a step ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Instant {
    pub(super) time: f64,
    /// The first and the last of the stop times that are one with it: before it and after it the inputs differ.
    pub(super) stop: Option<(f64, f64)>,
}

impl Instant {
    /// The time and side at which the inputs have their values from here on.
    pub(super) fn onwards(&self) -> (f64, Side) {
        self.stop.map_or((self.time, Side::At), |(_, last)| (last, Side::After))
    }
}

/// A step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Interval {
    pub(super) from: Instant,
    pub(super) to: Instant,
    /// Its length \[s\].
    pub(super) length: f64,
    /// Whether it is one of the equal steps, as opposed to a part of one.
    pub(super) whole: bool,
    /// Whether it is the last.
    pub(super) last: bool,
}

impl Interval {
    /// The time and side that stand for `offset` \[s\] after the beginning.
    pub(super) fn at(&self, offset: f64) -> (f64, Side) {
        if offset == 0.0 {
            self.from.onwards()
        } else if offset >= self.length * (1.0 - SAME) {
            self.to.stop.map_or((self.to.time, Side::At), |(first, _)| (first, Side::Before))
        } else {
            (self.from.time + offset, Side::At)
        }
    }
}

/// The steps one after the other.
#[derive(Debug, Clone)]
pub(super) struct Schedule {
    plan: Plan,
    step: f64,
    /// Steps from one output to the next.
    every: u64,
    /// Stop times, those that are one with each other joined.
    stops: Vec<(f64, f64)>,
    next_stop: usize,
    /// Points of the grid passed.
    index: u64,
    now: Instant,
    on_grid: bool,
    finished: bool,
}

impl Schedule {
    /// Steps of `step` \[s\], `every` of which make an output step of `plan`, with stops at `stops`.
    pub(super) fn new(plan: Plan, step: f64, every: u64, stops: &[f64]) -> Self {
        let same = SAME * step;
        let mut sorted: Vec<f64> = stops.iter().copied().filter(|t| (-same..=plan.end + same).contains(t)).collect();
        sorted.sort_by(f64::total_cmp);
        let mut stops: Vec<(f64, f64)> = Vec::new();
        for time in sorted {
            match stops.last_mut() {
                Some((first, last)) if time - *first <= same => *last = time,
                _ => stops.push((time, time)),
            }
        }
        let mut now = Instant { time: 0.0, stop: None };
        let mut next_stop = 0;
        if let Some(stop) = stops.first().filter(|(first, _)| *first <= same) {
            (now.stop, next_stop) = (Some(*stop), 1);
        }
        Self { plan, step, every, stops, next_stop, index: 0, now, on_grid: true, finished: false }
    }

    /// The end of the last step.
    pub(super) fn now(&self) -> Instant {
        self.now
    }

    /// Times of outputs are exactly those of the plan.
    fn grid_time(&self, index: u64) -> f64 {
        if index.is_multiple_of(self.every) {
            (index / self.every) as f64 * self.plan.output_step
        } else {
            index as f64 * self.step
        }
    }
}

impl Iterator for Schedule {
    type Item = Interval;

    fn next(&mut self) -> Option<Interval> {
        if self.finished {
            return None;
        }
        let (same, end) = (SAME * self.step, self.plan.end);
        let mut to = Instant { time: self.grid_time(self.index + 1), stop: None };
        let mut on_grid = true;
        if let Some(&stop) = self.stops.get(self.next_stop).filter(|(first, _)| *first <= to.time + same) {
            on_grid = stop.0 >= to.time - same;
            let time = if on_grid { to.time } else { stop.0 };
            to = Instant { time, stop: Some(stop) };
            self.next_stop += 1;
        }
        if to.time >= end - same {
            on_grid &= to.time <= end + same;
            to.time = end;
            self.finished = true;
        }
        let whole = self.on_grid && on_grid;
        let length = if whole { self.step } else { to.time - self.now.time };
        let interval = Interval { from: self.now, to, length, whole, last: self.finished };
        self.index += u64::from(on_grid);
        (self.now, self.on_grid) = (to, on_grid);
        Some(interval)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(end: f64, step: f64, every: u64, stops: &[f64]) -> Vec<Interval> {
        let plan = Plan::new(Some(end), Some(step * every as f64)).unwrap();
        Schedule::new(plan, step, every, stops).collect()
    }

    fn ends(steps: &[Interval]) -> Vec<f64> {
        steps.iter().map(|step| step.to.time).collect()
    }

    #[test]
    fn equal_steps_end_on_outputs_and_at_the_end() {
        let all = steps(0.6, 0.1, 2, &[]);
        assert_eq!(ends(&all), [0.1, 0.2, 0.30000000000000004, 0.4, 0.5, 0.6]);
        assert!(all.iter().all(|step| step.whole && step.length == 0.1) && all[5].last);
        let all = steps(0.25, 0.1, 1, &[]);
        assert_eq!(ends(&all), [0.1, 0.2, 0.25]);
        assert!(!all[2].whole && (all[2].length - 0.05).abs() < 1e-15);
    }

    #[test]
    fn stops_on_the_grid_have_two_sides_and_others_cut_a_step() {
        let all = steps(0.4, 0.1, 1, &[0.3, 0.0, 0.1 + 0.2, 7.0, 0.14, -3.0]);
        assert_eq!(ends(&all), [0.1, 0.14, 0.2, 0.30000000000000004, 0.4]);
        assert_eq!(all.iter().map(|step| step.whole).collect::<Vec<_>>(), [true, false, false, true, true]);
        assert_eq!(all[0].at(0.0), (0.0, Side::After));
        assert_eq!(all[1].at(all[1].length), (0.14, Side::Before));
        assert_eq!(all[2].at(0.0), (0.14, Side::After));
        assert_eq!(all[2].at(0.01), (0.15000000000000002, Side::At));
        // Two stop times that differ by round-off are one: before both, and after both.
        assert_eq!(all[3].at(0.1), (0.3, Side::Before));
        assert_eq!(all[4].at(0.0), (0.30000000000000004, Side::After));
    }

    #[test]
    fn a_run_shorter_than_a_step_is_one_part_of_it() {
        let all = steps(0.05, 0.1, 1, &[]);
        assert_eq!((ends(&all), all[0].whole, all[0].length), (vec![0.05], false, 0.05));
    }
}
