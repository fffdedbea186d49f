//! Communication points at the events of partners.
//!
//! Partners that may return early step first, and the earliest event is the end of the step for all. Who has stepped beyond it returns to its saved state
//! and steps again: those that have to can, or the run is refused at set-up. Behind an event the points fall back on the multiples of the communication step.
//!
//! The outputs of a partner that has ended its step at an event are those behind it. They belong to the next step: in the one that has ended all others get
//! what was known before, continued. What may have jumped begins a new history: a polynomial through a jump is none of the signal.

use super::clock::Clock;
use super::dependency::reached;
use super::network::Network;
use super::observer::Observer;
use super::options::{Algorithm, Options};
use super::recovery::Request;
use crate::Error;
use crate::function::interaction::Relation;
use crate::function::interface::Interface;
use crate::function::leg::Timebase;

/// Halvings of the communication step, or of the shortest one, of which a tick is one: a point lies a millionth of a step behind its event at most.
const HALVINGS: u32 = 20;

/// Partners with events.
pub(super) struct Events {
    /// Those that may return early.
    pub(super) early: Vec<usize>,
    /// Those that know when their next event comes.
    timed: Vec<usize>,
    /// Stamp at which each partner has an event at present or had one last; 0 for none.
    at: Vec<u64>,
    /// For each partner the relations that bring what jumps at its events.
    reached: Vec<Vec<usize>>,
    /// Whether what a relation brings to the target may have jumped there.
    jumped: Vec<bool>,
}

const AT_EVENTS: &str = "ending communication steps at events";

impl Events {
    /// The events of the partners, stepped in this order, if steps are to end there and there are any.
    pub(super) fn new(
        interfaces: &mut [Interface],
        relations: &[Relation],
        sequence: &[usize],
        base: &Timebase,
        options: &Options,
    ) -> Result<Option<Self>, Error> {
        if !options.events {
            return Ok(None);
        }
        let all =
            |can: fn(&Interface) -> bool| (0..interfaces.len()).filter(|&i| can(&interfaces[i])).collect::<Vec<_>>();
        let early = all(|own| own.description().capabilities.early_return);
        let timed = all(|own| own.description().capabilities.event_times);
        if early.is_empty() && timed.is_empty() {
            return Ok(None);
        }
        let refuse = |capability, i: usize| {
            let partner = interfaces[i].name().to_owned();
            Err(Error::Capability { algorithm: AT_EVENTS, capability, partner })
        };
        if let Some(&i) = all(|own| own.description().capabilities.fixed_step).first() {
            return refuse("steps of different lengths", i);
        }
        let returns = |i: usize| interfaces[i].description().capabilities.rollback;
        let unable = match options.algorithm {
            // All that step before the last of them may have to step again.
            Algorithm::GaussSeidel { .. } => {
                let last = sequence.iter().rposition(|i| early.contains(i)).unwrap_or(0);
                sequence[..last].iter().copied().find(|&i| !returns(i))
            }
            // An iteration returns in any case.
            Algorithm::Iterated { .. } => None,
            _ if early.len() > 1 => early.iter().copied().find(|&i| !returns(i)),
            _ => None,
        };
        if let Some(i) = unable {
            return refuse("saving and restoring the state", i);
        }
        early.iter().for_each(|&i| interfaces[i].stop_at_events(base));
        let at = vec![0; interfaces.len()];
        let reached = reached(interfaces, relations, |i| early.contains(&i) || timed.contains(&i));
        Ok(Some(Self { early, timed, at, reached, jumped: vec![false; relations.len()] }))
    }

    /// Whether partner i has an event at the target, and its outputs are those behind it.
    #[inline]
    pub(super) fn happened(&self, i: usize, target: u64) -> bool {
        self.at[i] == target
    }

    /// Whether what relation r brings to the target may have jumped there.
    #[inline]
    pub(super) fn jumped(&self, r: usize) -> bool {
        self.jumped[r]
    }
}

/// The clock with ticks short enough for events.
pub(super) fn fine(mut clock: Clock) -> Clock {
    // Stamps of a run stay below 2^62; one without an end may last 2^30 steps.
    let last = clock.end.unwrap_or(clock.step << 30).max(1);
    let ticks = 1u64 << HALVINGS.min(last.leading_zeros().saturating_sub(2));
    // Those that take part in every point take part in those at events.
    let every = |count: &mut u64| *count = if *count > clock.step { *count * ticks } else { 1 };
    clock.every.iter_mut().for_each(every);
    clock.step *= ticks;
    clock.end = clock.end.map(|end| end * ticks);
    clock.base.tick /= ticks as f64;
    clock
}

impl Network {
    /// The next communication point of a run with events: on the grid of the communication step, or at an event before.
    #[cold]
    pub(super) fn next_point_with_events(&self) -> u64 {
        let Clock { now, step, horizon, .. } = self.clock;
        self.before_events((now / step + 1) * step).min(horizon)
    }

    /// `target`, or the next event that is known beforehand.
    pub(super) fn before_events(&self, target: u64) -> u64 {
        let Some(events) = &self.events else { return target };
        let known = events.timed.iter().map(|&i| self.clock.base.at_or_behind(self.interfaces[i].next_event()));
        // An event of now has been.
        known.filter(|stamp| *stamp > self.clock.now).fold(target, u64::min)
    }

    /// The stamp of the first event that any partner knows beforehand; `u64::MAX` for none.
    pub(super) fn next_jump(&self) -> u64 {
        (0..self.interfaces.len()).map(|i| self.jump_of(i)).min().unwrap_or(u64::MAX)
    }

    fn jump_of(&self, i: usize) -> u64 {
        let own = &self.interfaces[i];
        let stamp = self.clock.base.at_or_behind(own.next_event());
        if own.description().capabilities.event_times && stamp > self.clock.now { stamp } else { u64::MAX }
    }

    /// For each relation, whether what it brings is known to jump by the stamp `end`.
    pub(super) fn jumping_until(&self, end: u64) -> Vec<bool> {
        let mut jumping = vec![false; self.interaction.relations().len()];
        let jumps = |i: usize| self.jump_of(i) <= end;
        if (0..self.interfaces.len()).any(jumps) {
            for relations in reached(&self.interfaces, self.interaction.relations(), jumps) {
                relations.into_iter().for_each(|r| jumping[r] = true);
            }
        }
        jumping
    }

    /// Notes who is known to have an event at the target. What was noted of steps that were taken back is forgotten.
    #[cold]
    pub(super) fn expect_events(&mut self) {
        let Some(events) = &mut self.events else { return };
        events.at.iter_mut().filter(|at| **at > self.clock.now).for_each(|at| *at = 0);
        for &i in &events.timed {
            if self.clock.base.at_or_behind(self.interfaces[i].next_event()) == self.target {
                events.at[i] = self.target;
            }
        }
    }

    /// Whether partner i has just ended its step at an event before the target, which is then the target.
    pub(super) fn shortened_by(&mut self, i: usize) -> bool {
        let Some(events) = &mut self.events else { return false };
        let early = self.interfaces[i].stopped_early();
        if early {
            self.target = self.interfaces[i].position;
        }
        if early || self.interfaces[i].is_at_event(&self.clock.base) {
            events.at[i] = self.target;
        }
        early
    }

    /// Notes what may have jumped at the target, when all have stepped there.
    #[cold]
    pub(super) fn note_jumps(&mut self) {
        let Some(Events { at, reached, jumped, timed, .. }) = &mut self.events else { return };
        let now = |i: &&usize| {
            self.interfaces[**i].position == self.target && self.interfaces[**i].is_at_event(&self.clock.base)
        };
        timed.iter().filter(now).for_each(|&i| at[i] = self.target);
        jumped.fill(false);
        for (_, relations) in at.iter().zip(reached).filter(|(at, _)| **at == self.target) {
            relations.iter().for_each(|&r| jumped[r] = true);
        }
    }

    /// What has jumped at the target begins anew there.
    #[cold]
    pub(super) fn break_off(&mut self) {
        for r in 0..self.interaction.relations().len() {
            if self.jumped(r) {
                self.interaction.history_mut(r).break_off();
            }
        }
    }

    /// Brings back all that have stepped beyond the target, or with `all` every one that can.
    pub(super) fn take_back(&mut self, all: bool, observer: &mut dyn Observer) -> Result<(), Error> {
        for i in 0..self.interfaces.len() {
            let interface = &self.interfaces[i];
            let beyond = interface.position > self.target;
            let again = all && interface.position > self.clock.now && interface.is_saved();
            if (beyond || again) && !interface.is_waiting() {
                let result = self.interfaces[i].restore(&self.clock.base);
                self.caught((i, self.clock.now, Request::Restore), result, observer)?;
            }
        }
        Ok(())
    }

    /// Whether partner i has stepped to the target already, because its event is there.
    pub(super) fn is_there(&self, i: usize) -> bool {
        self.events.is_some() && self.interfaces[i].position == self.target
    }

    /// Lets those step that may return early, from what is known at the beginning, until all stand at the earliest event.
    #[cold]
    pub(super) fn step_early(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        let count = self.events.as_ref().map_or(0, |events| events.early.len());
        let mut k = 0;
        while k < count {
            let i = self.events.as_ref().map_or(0, |events| events.early[k]);
            k += 1;
            if self.is_there(i) || !self.clock.is_due(i, self.target) || !self.ready(i, observer)? {
                continue;
            }
            self.interaction.extrapolate(&mut self.interfaces[i], i, &self.clock.base);
            let leg = self.leg();
            if self.start(i, &leg, observer)? {
                self.collect(i, observer)?;
            }
            if self.shortened_by(i) {
                self.take_back(false, observer)?;
                k = 0;
            }
        }
        Ok(())
    }
}
