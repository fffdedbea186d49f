//! How far a step may reach, so that what leaves the lines is known between its ends as well.
//!
//! What arrives at an end leaves it again, turned round, and is kept at the ends of the steps. Where the pressure is held nothing that the
//! error test sees changes, and a front shorter than the step passes any test: so a step reaches no further than what is under way to its
//! end is, between the ends of the step, what a straight line makes of it, or parabolas through the values a step before and behind. Steps then end on the
//! kinks, which are points of what was noted, and are as many as the wave needs, whatever steps it was made with.

use super::plan::Line;
use super::waves::{Departure, Waves, left_at};
use crate::fluid::PRESSURE;
use fourbar_expression::break_state::round_off;
use std::collections::VecDeque;

/// Part of the longest step that is not worth a step.
const NEAR: f64 = 1e-6;

impl Waves {
    /// The time up to which a step from `t` \[s\] may reach, later than `t`; infinite if `longest` \[s\] is not too long for it.
    pub(super) fn reach(&self, lines: &[Line], t: f64, longest: f64) -> f64 {
        let each = lines.iter().zip(&self.departed).map(|(line, departed)| {
            // Points this close are the one the step begins at.
            let same = NEAR * longest + 4.0 * round_off(t);
            let view = View { departed, from: t - line.travel + same, tolerance: self.tolerance };
            view.reach(t - line.travel + longest).map_or(f64::INFINITY, |end| (end + line.travel).max(t + same))
        });
        each.fold(f64::INFINITY, f64::min)
    }
}

/// What left a line, from a time on.
struct View<'a> {
    departed: &'a VecDeque<Departure>,
    from: f64,
    tolerance: f64,
}

impl View<'_> {
    /// The last time up to `horizon` to which a step may reach. None if it may reach as far as that.
    fn reach(&self, horizon: f64) -> Option<f64> {
        let first = self.departed.partition_point(|[time, ..]| *time <= self.from);
        let behind = self.departed.partition_point(|[time, ..]| *time < horizon);
        if first >= behind || self.suffices(first, behind, horizon) {
            return None;
        }
        // The last point to which it suffices: further and further, then between the last that does and the first that does not.
        let (mut good, mut length) = (first, 1);
        while first + length < behind && self.suffices(first, first + length, self.departed[first + length][0]) {
            good = first + length;
            length *= 2;
        }
        let mut bad = (first + length).min(behind);
        while bad - good > 1 {
            let middle = good + (bad - good) / 2;
            if self.suffices(first, middle, self.departed[middle][0]) {
                good = middle;
            } else {
                bad = middle;
            }
        }
        Some(self.departed[good][0])
    }

    /// Whether the points from `first` to before `behind` lie on the line or the parabolas that a step to `end` leaves of them.
    fn suffices(&self, first: usize, behind: usize, end: f64) -> bool {
        let length = end - self.from;
        let read = |time: f64| left_at(self.departed, time);
        let (Some(start), Some(stop)) = (read(self.from), read(end)) else { return false };
        let outer = read(self.from - length).zip(read(end + length));
        let holds = |side: usize| {
            let size = self.tolerance * (start[side].abs().max(stop[side].abs()) + PRESSURE);
            let mut straight = true;
            let mut curved = outer.is_some();
            for &[time, one, two] in self.departed.range(first..behind) {
                let (s, value) = ((time - self.from) / length, [one, two][side]);
                let line = start[side] + s * (stop[side] - start[side]);
                straight &= (value - line).abs() <= size;
                if let Some((before, after)) = outer {
                    // The reading of a wave takes a parabola with the value before, with that behind, or what lies between them.
                    let bends =
                        [before[side] - 2.0 * start[side] + stop[side], start[side] - 2.0 * stop[side] + after[side]];
                    let bow = 0.5 * s * (s - 1.0);
                    curved &= bends.iter().all(|bend| (value - line - bow * bend).abs() <= size);
                }
                if !straight && !curved {
                    return false;
                }
            }
            true
        };
        holds(0) && holds(1)
    }
}
