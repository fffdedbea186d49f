//! The steps of a linear run: a grid of equal steps, on which the outputs fall, cut where an input jumps or bends.

use super::plan::{Plan, SAME};
use crate::linear::Side;

/// A time at which a step ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Instant {
    pub(crate) time: f64,
    /// What the exact time is more than that \[s\]: multiples of a step are rounded, and fast inputs turn far in that.
    pub(crate) rest: f64,
    /// The first and the last of the stop times that are one with it: before it and after it the inputs differ.
    pub(crate) stop: Option<(f64, f64)>,
}

impl Instant {
    /// The time and side at which the inputs have their values from here on.
    pub(crate) fn onwards(&self) -> (f64, Side) {
        self.stop.map_or((self.time, Side::At), |(_, last)| (last, Side::After))
    }
}

/// A step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Interval {
    pub(crate) from: Instant,
    pub(crate) to: Instant,
    /// Its length \[s\].
    pub(crate) length: f64,
    /// Whether it is one of the equal steps, as opposed to a part of one.
    pub(crate) whole: bool,
    /// Whether it is the last.
    pub(crate) last: bool,
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
    /// Points of the grid passed.
    index: u64,
    now: Instant,
    on_grid: bool,
    finished: bool,
}

impl Schedule {
    /// Steps of `step` \[s\], `every` of which make an output step of `plan`; `stop` at the start.
    pub(super) fn new(plan: Plan, step: f64, every: u64, stop: Option<(f64, f64)>) -> Self {
        Self {
            plan,
            step,
            every,
            index: 0,
            now: Instant { time: 0.0, rest: 0.0, stop },
            on_grid: true,
            finished: false,
        }
    }

    /// The end of the last step.
    pub(super) fn now(&self) -> Instant {
        self.now
    }

    /// The time within which two stops are one \[s\].
    pub(super) fn apart(&self) -> f64 {
        SAME * self.step
    }

    /// Where the next step ends if nothing stops it \[s\].
    pub(super) fn horizon(&self) -> f64 {
        self.grid_time(self.index + 1).0.min(self.plan.end)
    }

    /// Times of outputs are exactly those of the plan; the exact time is the sum of the two numbers.
    fn grid_time(&self, index: u64) -> (f64, f64) {
        let product = |count: u64, step: f64| {
            let count = count as f64;
            (count * step, count.mul_add(step, -(count * step)))
        };
        let (outputs, output_rest) = product(index / self.every, self.plan.output_step);
        let (steps, step_rest) = product(index % self.every, self.step);
        let (time, rest) = two_sum(outputs, steps);
        (time, rest + output_rest + step_rest)
    }

    /// The next step, where the next stops after the present time are `stop`: the first and the last of those that are one.
    pub(super) fn next(&mut self, stop: Option<(f64, f64)>) -> Option<Interval> {
        if self.finished {
            return None;
        }
        let (same, end) = (self.apart(), self.plan.end);
        let (time, rest) = self.grid_time(self.index + 1);
        let mut to = Instant { time, rest, stop: None };
        let mut on_grid = true;
        if let Some(stop) = stop.filter(|(first, _)| *first <= to.time + same) {
            on_grid = stop.0 >= to.time - same;
            to = if on_grid {
                Instant { stop: Some(stop), ..to }
            } else {
                Instant { time: stop.0, rest: 0.0, stop: Some(stop) }
            };
        }
        if to.time >= end - same {
            on_grid &= to.time <= end + same;
            (to.time, to.rest) = (end, 0.0);
            self.finished = true;
        }
        let whole = self.on_grid && on_grid;
        let length = if whole { self.step } else { (to.time - self.now.time) + (to.rest - self.now.rest) };
        let interval = Interval { from: self.now, to, length, whole, last: self.finished };
        self.index += u64::from(on_grid);
        (self.now, self.on_grid) = (to, on_grid);
        Some(interval)
    }
}

/// The sum of two numbers, rounded, and what was lost (Knuth, The Art of Computer Programming 2, section 4.2.2).
pub(crate) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let second = sum - a;
    (sum, (a - (sum - second)) + (b - second))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(end: f64, step: f64, every: u64, stops: &[f64]) -> Vec<Interval> {
        let plan = Plan::new(Some(end), Some(step * every as f64)).unwrap();
        let same = SAME * step;
        let mut sorted = stops.to_vec();
        sorted.sort_by(f64::total_cmp);
        // Those within `same` of the first from a time on.
        let group = |from: f64| {
            let mut later = sorted.iter().copied().skip_while(|time| *time <= from);
            let first = later.next()?;
            Some((first, later.take_while(|time| *time <= first + same).last().unwrap_or(first)))
        };
        let mut schedule = Schedule::new(plan, step, every, sorted.contains(&0.0).then_some((0.0, 0.0)));
        let next = |schedule: &mut Schedule| schedule.next(group(schedule.now().onwards().0));
        std::iter::from_fn(|| next(&mut schedule)).collect()
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
