//! Conditions of the system watched over each step, so that none switches within it unseen.
//!
//! | found in a step that passed its error test | what follows |
//! |---|---|
//! | nothing | the step stands |
//! | a condition is on the other side from the start on | the step is taken back and the condition turns at its start |
//! | a condition switches at a time within | the step is taken back and one taken that ends there; then the condition turns |
//!
//! The first goes before the second: an argument that holds `mod` or `floor` jumps where that turns, and may be back before the step ends. What its
//! condition gives in between lasts as long as it is crossed, however short that is beside a step.
//!
//! A condition g crosses its surface g = 0 with the rate g' before the switch. Where g' behind the switch leads back, both sides lead to the surface,
//! as those of dry friction `sign(v)` at rest: a sliding mode (Filippov, Differential Equations with Discontinuous Righthand Sides, 1988), in
//! which no step gets anywhere. The run ends with an error that names the condition once its rates have been seen to lead back from both
//! sides. So it does where the smallest step does not part one switch from the next: switches accumulate there (Zeno point). An argument that moves one
//! way at all its switches does not slide: it jumps back between them, as that of `mod(x, 1) < 0.1` does.
//!
//! Where one side leads to the surface and the other leads nowhere, as behind a brake `if(v > 0, -F, 0)`, the condition rests on that other side: by
//! round-off of either sign it does not switch, only beyond what the first side covers in the look ahead.
//!
//! A condition that bends but does not jump is left to the error test where it switches once in a step. A step that passes over two bends of one
//! function, or begins at one and passes over another, is taken back and ends there: a bump between them may be hidden from it.

use super::copying::kept;
use super::error::Error;
use super::roots::RootSearch;
use crate::dae::{Direction, EvalError, RootEvent};

/// Turns in sequence that lead back and end the run: there and back twice. The first pair may belong to a switch that was met beside the surface, by
/// what the corrector leaves open.
const LED_BACK: u8 = 4;
/// Smallest steps over which rates of conditions are taken: a thousand lift their change above the round-off of time and arguments.
pub(super) const LOOK_AHEAD: f64 = 1e3;
/// A rate below this part of that on the other side is none: half way, in orders of magnitude, between round-off and that rate.
const NEGLIGIBLE: f64 = 1.5e-8;

/// What the watch makes of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Verdict {
    /// It stands.
    Fine,
    /// It stands, and conditions switch at its end.
    Switches,
    /// It is to be taken again so that it ends at this time \[s\].
    EndAt(f64),
    /// It is to be taken again with conditions turned at its start.
    Turn,
}

/// The watch.
#[derive(Debug)]
pub(super) struct Switching {
    search: RootSearch,
    /// Time at which the next step is to end, what switches there, and whether because it crosses its zero.
    landing: f64,
    events: Vec<RootEvent>,
    at_zero: bool,
    /// Whether they switch at the end of the last step, and are still to be turned.
    pending: bool,
    /// Turns of each condition in sequence that lead back, the time of its last turn \[s\], and by how much its argument grew behind it.
    led_back: Vec<u8>,
    turned: Vec<f64>,
    grew: Vec<f64>,
    /// Whether it has come to rest at its zero and did not go on since.
    rested: Vec<bool>,
    /// What crossed its zero where the next step begins.
    left: Vec<RootEvent>,
}

kept!(Switching { search, landing, events, at_zero, pending, led_back, turned, grew, rested, left });

impl Default for Switching {
    fn default() -> Self {
        let (search, events) = (RootSearch::default(), Vec::new());
        let (led_back, turned) = (Vec::new(), Vec::new());
        let (grew, rested) = (Vec::new(), Vec::new());
        let (landing, at_zero, pending) = (f64::INFINITY, true, false);
        Self { search, landing, events, at_zero, pending, led_back, turned, grew, rested, left: Vec::new() }
    }
}

impl Switching {
    /// Begins anew at `time`, as where the caller restarts.
    pub(super) fn begin(&mut self, time: f64, count: usize) {
        self.search.begin(time, count);
        self.landing = f64::INFINITY;
        self.led_back.clear();
        self.led_back.resize(count, 0);
        self.turned.clear();
        self.turned.resize(count, f64::NEG_INFINITY);
        self.grew.clear();
        self.grew.resize(count, 0.0);
        self.rested.clear();
        self.rested.resize(count, false);
        self.events.clear();
        self.left.clear();
        self.pending = false;
    }

    /// Notes that conditions switch at the end of the step that was accepted: it is handed out before they turn.
    pub(super) fn wait(&mut self) {
        self.pending = true;
    }

    pub(super) fn is_pending(&self) -> bool {
        self.pending
    }

    /// Where the next step ends at the latest \[s\].
    pub(super) fn landing(&self) -> f64 {
        self.landing
    }

    /// Looks at a step that ends at `to`: `arguments` evaluates those of the conditions, `expected` tells their signs as they are held, `function` to
    /// which function each belongs. Bends nearer than the `smallest` step behind its begin are passed over.
    pub(super) fn judge(
        &mut self,
        (to, smallest): (f64, f64),
        mut arguments: impl FnMut(f64, &mut [f64]) -> Result<(), EvalError>,
        expected: impl Fn(usize) -> Option<i8>,
        function: impl Fn(usize) -> usize,
    ) -> Result<Verdict, EvalError> {
        if to == self.landing {
            return Ok(Verdict::Switches);
        }
        let least = self.search.searched() + smallest;
        let beside = self.search.searched() + LOOK_AHEAD * smallest;
        let is_bend = |event: &RootEvent| expected(event.index).is_none();
        // Bends so far, by their functions, and those at which the step ends if another one follows.
        let mut bent: Vec<usize> = self.left.iter().filter(|e| is_bend(e)).map(|e| function(e.index)).collect();
        let mut bends: Vec<(f64, RootEvent)> = Vec::new();
        while let Some(time) = self.search.search(to, &mut arguments)? {
            if self.stands_beyond(beside, &expected) {
                return Ok(Verdict::Turn);
            }
            let crossed = self.search.events();
            if crossed.iter().any(|event| !is_bend(event)) {
                return Ok(self.end_at(time, to));
            }
            if let Some(again) = crossed.iter().map(|e| function(e.index)).find(|f| bent.contains(f)) {
                let first = bends.iter().find(|(_, event)| function(event.index) == again).map_or(time, |(at, _)| *at);
                if first < to && first >= least {
                    let verdict = self.end_at(first, to);
                    let there = bends.iter().filter(|(at, _)| *at == first).map(|(_, event)| *event);
                    if first < time {
                        self.events.clear();
                        self.events.extend(there);
                    }
                    return Ok(verdict);
                }
            }
            bends.extend(crossed.iter().map(|event| (time, *event)));
            bent.extend(crossed.iter().map(|event| function(event.index)));
        }
        if self.stands_beyond(beside, &expected) {
            return Ok(Verdict::Turn);
        }
        self.left.clear();
        Ok(Verdict::Fine)
    }

    /// Notes the conditions that were on the other side than `expected` until the time searched; whether there are any. One that has come over
    /// before the time `beside` was beside its zero by round-off.
    fn stands_beyond(&mut self, beside: f64, expected: impl Fn(usize) -> Option<i8>) -> bool {
        let mut beyond = Vec::new();
        for (index, &now) in self.search.signs().iter().enumerate() {
            let crossed = self.search.events().iter().find(|event| event.index == index);
            let sign = match crossed.map(|event| event.direction) {
                Some(_) if self.search.searched() < beside => 0,
                Some(Direction::Rising) => -1,
                Some(Direction::Falling) => 1,
                None => now,
            };
            if sign != 0 && expected(index).is_some_and(|expected| expected != sign) {
                let direction = if sign > 0 { Direction::Rising } else { Direction::Falling };
                beyond.push(RootEvent { index, direction });
            }
        }
        let any = !beyond.is_empty();
        if any {
            (self.events, self.at_zero) = (beyond, false);
        }
        any
    }

    /// The step ends at `at`, with what crosses there.
    fn end_at(&mut self, at: f64, to: f64) -> Verdict {
        self.events.clear();
        self.events.extend_from_slice(self.search.events());
        self.at_zero = true;
        if at < to { Verdict::EndAt(at) } else { Verdict::Switches }
    }

    /// Makes the next step end at `time`, where `other`, which judged it, found something.
    pub(super) fn land(&mut self, time: f64, other: &Self) {
        self.landing = time;
        self.events.clone_from(&other.events);
        self.at_zero = other.at_zero;
    }

    /// What switches, the run being at `time`; the watch begins anew there.
    pub(super) fn turn(&mut self, time: f64, count: usize) -> Vec<RootEvent> {
        let events = std::mem::take(&mut self.events);
        self.pending = false;
        self.landing = f64::INFINITY;
        // What crossed here just before has not left its zero either.
        if self.search.began() != time {
            self.left.clear();
        }
        if self.at_zero {
            self.left.extend_from_slice(&events);
        } else {
            self.left.retain(|before| events.iter().all(|event| event.index != before.index));
        }
        let rested: Vec<usize> = events.iter().map(|e| e.index).filter(|k| self.search.resting(*k) > 0.0).collect();
        self.search.begin_behind(time, count, &self.left);
        // What leaves its rest has not left its zero yet.
        rested.into_iter().for_each(|index| self.search.stand_at_zero(index));
        events
    }

    /// Looks at the rates that conditions have behind the turn at `time`, `now` and `ahead` being their arguments there and a little later. What an
    /// argument goes in `allowed` times that while, the error test leaves open.
    ///
    /// # Errors
    /// [`Error::Chattering`] where both sides lead to the switch.
    pub(super) fn look_behind(
        &mut self,
        (time, smallest, allowed): (f64, f64, f64),
        events: &[RootEvent],
        [now, ahead]: [&[f64]; 2],
        expected: impl Fn(usize) -> Option<i8>,
        name: impl Fn(usize) -> String,
    ) -> Result<(), Error> {
        // What passes its zero meanwhile stands at it by round-off: as the border below, where `floor` has passed that above. It may stand beyond by what
        // the step that landed differs from the one that found the border.
        for (index, (now, ahead)) in now.iter().zip(ahead).enumerate() {
            let (rate, resting) = ((ahead - now).abs(), self.search.resting(index));
            let beyond = expected(index).is_some_and(|sign| f64::from(sign) * now < 0.0);
            let covered = if beyond { rate * allowed.max(1.0) } else { rate };
            if if resting > 0.0 { rate > NEGLIGIBLE * resting } else { now.abs() <= covered } {
                self.search.stand_at_zero(index);
            }
        }
        for &RootEvent { index, direction } in events.iter().filter(|event| expected(event.index).is_some()) {
            let rate = ahead[index] - now[index];
            let back = match direction {
                Direction::Rising => rate < 0.0,
                Direction::Falling => rate > 0.0,
            };
            let at_once = time - self.turned[index] <= smallest;
            self.turned[index] = time;
            let other = std::mem::replace(&mut self.grew[index], rate);
            let onward = rate * other > 0.0;
            let met = if direction == Direction::Falling { other < 0.0 } else { other > 0.0 };
            let rests = met && rate.abs() <= NEGLIGIBLE * other.abs();
            if rests {
                self.search.rest(index, other.abs() + 2.0 * now[index].abs());
            }
            // One that comes back from its rest again and again slides: what moves it is less than what holds it.
            let counts = at_once || (back && !onward);
            let first = rests && !self.rested[index];
            self.rested[index] = rests || (counts && self.rested[index]);
            self.led_back[index] = if counts && !first { self.led_back[index] + 1 } else { 0 };
            if self.led_back[index] >= LED_BACK {
                return Err(Error::Chattering { condition: name(index), time });
            }
        }
        Ok(())
    }
}
