//! Times at which outputs jump.

use super::TIME;
use fourbar_expression::break_state::round_off;
use fourbar_expression::{Break, Program, Stack};

/// Times of a break that are looked at: a periodic one may jump at some of them alone.
const LOOKED_AT: usize = 8;
/// Part of a value by which it changes over a few roundings of the time where it does not jump.
const SMALL: f64 = 1e-9;
/// Distance at which a change is compared with that at the break, over the distance there.
const FARTHER: f64 = 16.0;

/// The jumps of all outputs in time.
pub(super) struct Jumps(Vec<Break>);

impl Jumps {
    pub(super) fn new(outputs: &[Program]) -> Self {
        let of = |program: &Program| {
            let breaks = program.breaks(TIME);
            // What else an output depends on is not known here: each of its breaks may be a jump.
            breaks.into_iter().filter(|each| program.slots() != [TIME] || jumps(program, each)).collect::<Vec<_>>()
        };
        Self(outputs.iter().flat_map(of).collect())
    }

    /// `t` \[s\], or the time just behind a jump with which it is one.
    pub(super) fn behind(&self, t: f64) -> f64 {
        let same = round_off(t);
        let next = self.from(t - same);
        if next <= t + same { t.max(next) + (2.0 * same).max(f64::MIN_POSITIVE) } else { t }
    }

    /// The first jump behind `t` \[s\]; infinite if there is none.
    pub(super) fn next(&self, t: f64) -> f64 {
        self.from((t + round_off(t)).next_up())
    }

    fn from(&self, t: f64) -> f64 {
        self.0.iter().map(|each| each.from(t)).fold(f64::INFINITY, f64::min)
    }
}

/// Whether a function of the time jumps at any of the times of a break.
fn jumps(program: &Program, each: &Break) -> bool {
    let mut stack = Stack::for_programs([program]);
    let count = if each.period.is_some() { LOOKED_AT } else { 1 };
    (0..count).any(|k| jumps_at(program, each.time + k as f64 * each.period.unwrap_or(0.0), &mut stack))
}

/// Whether a function of the time jumps at the break at `time` \[s\].
pub(in crate::coupled::equations) fn jumps_at(program: &Program, time: f64, stack: &mut Stack<f64>) -> bool {
    let apart = (4.0 * round_off(time)).max(f64::MIN_POSITIVE);
    let mut around = |times: f64| [-times, times].map(|times| program.evaluate(&[time + times * apart], stack));
    let [[before, behind], [long_before, far_behind]] = [1.0, FARTHER].map(&mut around);
    let change = (behind - before).abs();
    // A bend at zero changes by as much as the time.
    let bends = (far_behind - long_before).abs() > 0.5 * FARTHER * change;
    !(change <= SMALL * before.abs().max(behind.abs()) || bends)
}
