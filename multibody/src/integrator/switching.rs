//! Conditions of the system watched over each step, so that none switches within it unseen.
//!
//! | found in a step that passed its error test | what follows |
//! |---|---|
//! | nothing | the step stands |
//! | a condition switches at a time within | the step is taken back and one taken that ends there; then the condition turns |
//! | a condition is on the other side from the start on | the step is taken back and the condition turns at its start |
//!
//! The second case is where a condition that has just turned is left towards the side it came from: both sides lead to the switch, as those of
//! dry friction `sign(v)` at rest (Filippov, Differential Equations with Discontinuous Righthand Sides, 1988). No step gets
//! anywhere then, and the run ends with an error that names the condition.
//!
//! A condition that bends but does not jump is left to the error test where it switches once in a step; a step that passes over both ends of
//! something is taken back.

use super::copying::kept;
use super::error::Error;
use super::roots::{Direction, RootEvent, RootSearch};
use crate::dae::EvalError;

/// Turns of conditions that get no further than this part of the way of the run so far are chattering: a relay that switches a
/// hundred times as often as this allows would need a hundred million steps to go as far again.
const CHATTER: u32 = 100;
const NO_FURTHER: f64 = 1e-6;

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
    /// Time at which the next step is to end, and what switches there.
    landing: f64,
    events: Vec<RootEvent>,
    /// Whether they switch at the end of the last step, and are still to be turned.
    pending: bool,
    /// Turns since a time, and the start of the run.
    turns: u32,
    since: f64,
    start: f64,
}

kept!(Switching { search, landing, events, pending, turns, since, start });

impl Default for Switching {
    fn default() -> Self {
        let (search, events) = (RootSearch::default(), Vec::new());
        Self { search, landing: f64::INFINITY, events, pending: false, turns: 0, since: f64::NAN, start: f64::NAN }
    }
}

impl Switching {
    /// Begins anew at `time`, as where the caller restarts.
    pub(super) fn begin(&mut self, time: f64, count: usize) {
        self.search.begin(time, count);
        (self.landing, self.turns, self.since) = (f64::INFINITY, 0, time);
        if self.start.is_nan() {
            self.start = time;
        }
        self.events.clear();
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

    /// Looks at a step that ends at `to`: `arguments` evaluates those of the conditions, `expected` tells their signs as they are held.
    pub(super) fn judge(
        &mut self,
        to: f64,
        mut arguments: impl FnMut(f64, &mut [f64]) -> Result<(), EvalError>,
        expected: impl Fn(usize) -> Option<i8>,
    ) -> Result<Verdict, EvalError> {
        if to == self.landing {
            return Ok(Verdict::Switches);
        }
        let mut bends: Vec<(usize, f64)> = Vec::new();
        while let Some(time) = self.search.search(to, &mut arguments)? {
            let held = self.search.events().iter().any(|event| expected(event.index).is_some());
            let crossed = self.search.events();
            let twice = bends.iter().find(|(index, _)| crossed.iter().any(|event| event.index == *index));
            let first = twice.map_or(time, |(_, first)| *first);
            if held || (twice.is_some() && first < to) {
                let at = first;
                self.events.clear();
                self.events.extend_from_slice(crossed);
                if twice.is_some() && !held {
                    self.events.retain(|event| bends.iter().any(|(index, _)| *index == event.index));
                }
                return Ok(if at < to { Verdict::EndAt(at) } else { Verdict::Switches });
            }
            bends.extend(crossed.iter().map(|event| (event.index, time)));
        }
        self.events.clear();
        for (index, sign) in self.search.signs().iter().enumerate() {
            if *sign != 0 && expected(index).is_some_and(|expected| expected != *sign) {
                let direction = if *sign > 0 { Direction::Rising } else { Direction::Falling };
                self.events.push(RootEvent { index, direction });
            }
        }
        Ok(if self.events.is_empty() { Verdict::Fine } else { Verdict::Turn })
    }

    /// Makes the next step end at `time`, where `other`, which judged it, found something.
    pub(super) fn land(&mut self, time: f64, other: &Self) {
        self.landing = time;
        self.events.clone_from(&other.events);
    }

    /// What switches, the run being at `time`; the watch begins anew there.
    ///
    /// # Errors
    /// [`Error::Chattering`] where the run gets nowhere by that.
    pub(super) fn turn(
        &mut self,
        time: f64,
        count: usize,
        name: impl Fn(usize) -> String,
    ) -> Result<Vec<RootEvent>, Error> {
        let events = std::mem::take(&mut self.events);
        self.pending = false;
        self.landing = f64::INFINITY;
        self.search.begin_behind(time, count, &events);
        self.turns += 1;
        if time - self.since > NO_FURTHER * (time - self.start) {
            (self.turns, self.since) = (1, time);
        }
        match events.first() {
            Some(event) if self.turns > CHATTER => Err(Error::Chattering { condition: name(event.index), time }),
            _ => Ok(events),
        }
    }
}
