//! How values begin to change: the rates with which inputs are continued over the first step.
//!
//! Before the first step there is one value of each signal. Held over a step of length H it lies beside its source by a multiple of H, which leaves an
//! error of second order in all that follows, whatever the order of the later steps. So the first step is rehearsed: all partners that can return step
//! with held inputs, and return. The chord of each output over that step is its rate to first order, the error that is left of third.

use super::exchange::Feedthrough;
use super::network::Network;
use super::observer::Observer;
use super::recovery::Request;
use super::statistics::Statistics;
use super::sweep::Stepping;
use crate::Error;
use crate::function::interface::{Interface, Kept};
use fourbar_linalg::checkpoint::{Source, Stored};

/// Order of polynomials from which on held inputs in the first step would be the largest error.
const ORDER: usize = 2;

/// What a rehearsal found out, for a run within another one, whose rehearsals are those of that run.
#[derive(Default)]
pub(super) struct Opening {
    /// Whether a run outside rehearses.
    pub(super) rehearses: bool,
    /// Values that relations brought at the end of the rehearsed step, and its length \[s\].
    reached: Option<(Vec<f64>, f64)>,
}

impl Network {
    /// Whether relation r is continued from one value alone, by an order that makes use of a rate.
    fn lacks_rate(&self, r: usize) -> bool {
        let (relation, history) = (&self.interaction.relations()[r], self.interaction.history(r));
        let can = self.interfaces[relation.source.0].description().capabilities.rollback;
        let used = relation.order.min(self.interaction.order[relation.target.0]) > 0;
        can && used && !relation.is_held && history.length() == 1 && history.rate().is_none()
    }
}

impl Opening {
    /// Finds the rates at the start for a first step to the stamp `first`.
    #[cold]
    pub(super) fn begin(
        &mut self,
        network: &mut Network,
        feedthrough: &mut Feedthrough,
        stepping: &Stepping,
        first: u64,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        let continues = stepping.continues() && network.interaction.order.iter().any(|&order| order >= ORDER);
        if !continues || self.rehearses {
            return Ok(());
        }
        let wanted: Vec<usize> =
            (0..network.interaction.relations().len()).filter(|&r| network.lacks_rate(r)).collect();
        if wanted.is_empty() {
            return Ok(());
        }
        if let Some((reached, h)) = self.reached.take() {
            set_rates(network, &wanted, &reached.into_iter().map(|value| (value, h)).collect::<Vec<_>>());
            return Ok(());
        }
        let mut rehearsal = Rehearsal::new(network, first);
        let begun = rehearsal.begin(network, observer);
        let found = begun.and_then(|()| rehearsal.step(network, feedthrough, stepping, observer));
        rehearsal.end(network, feedthrough, stepping, observer)?;
        // What fails in the rehearsal fails in the step itself too, which reports it, or is no fault of the run.
        if found.is_ok() {
            set_rates(network, &wanted, &rehearsal.reached);
        }
        Ok(())
    }

    /// Keeps what the rehearsal of a run outside has reached at the target.
    #[cold]
    pub(super) fn keep(&mut self, network: &Network) {
        let count = network.interaction.relations().len();
        let values = (0..count).map(|r| network.interaction.offered(&network.interfaces, r)).collect();
        let ticks = network.target - network.clock.now;
        self.reached = (network.clock.now == 0).then_some((values, ticks as f64 * network.clock.base.tick));
    }
}

/// Takes chords from the newest values to those reached, over lengths \[s\], for rates.
fn set_rates(network: &mut Network, wanted: &[usize], reached: &[(f64, f64)]) {
    for &r in wanted {
        let history = network.interaction.history_mut(r);
        let (value, length) = reached[r];
        let rate = (value - history.newest()) / length;
        if rate.is_finite() {
            history.set_rate(rate);
        }
    }
}

/// A step of all partners that can return from it.
struct Rehearsal {
    /// Those that can, and the stamp to which each steps.
    able: Vec<(usize, u64)>,
    kept: Vec<Kept>,
    /// What the network and the feedthrough were before.
    target: u64,
    statistics: Statistics,
    feedthrough: Vec<u8>,
    /// What relations brought at the end, and how long it took \[s\]; NaN where that is not known.
    reached: Vec<(f64, f64)>,
}

impl Rehearsal {
    fn new(network: &Network, first: u64) -> Self {
        let jump = network.next_jump();
        // Steps end at events: half of the way there, as a chord over a jump is no rate.
        let first = if network.events.is_some() && jump <= first { (jump / 2).max(1) } else { first };
        let able = (0..network.interfaces.len()).filter(|&i| {
            let interface = &network.interfaces[i];
            interface.description().capabilities.rollback && !interface.is_waiting()
        });
        Self {
            able: able.map(|i| (i, network.clock.every[i].max(first))).collect(),
            kept: network.interfaces.iter().map(Interface::keep).collect(),
            target: network.target,
            statistics: network.statistics,
            feedthrough: Vec::new(),
            reached: vec![(f64::NAN, f64::NAN); network.interaction.relations().len()],
        }
    }

    /// Saves the states.
    fn begin(&mut self, network: &mut Network, observer: &mut dyn Observer) -> Result<(), Error> {
        let base = network.clock.base;
        for &(i, _) in &self.able {
            let result = network.interfaces[i].save(&base);
            network.caught((i, 0, Request::Save), result, observer)?;
            network.interfaces[i].rehearse(true, &base);
        }
        Ok(())
    }

    /// Lets all of them step, with inputs held or as those before them give them, then what follows them without delay.
    fn step(
        &mut self,
        network: &mut Network,
        feedthrough: &mut Feedthrough,
        stepping: &Stepping,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        feedthrough.store(&mut self.feedthrough);
        let base = network.clock.base;
        for &i in stepping.sequence() {
            let Some(&(_, end)) = self.able.iter().find(|(able, _)| *able == i) else { continue };
            network.target = end;
            match stepping.is_one_by_one() {
                true => network.prepare(i, |_| None),
                false => network.interaction.extrapolate(&mut network.interfaces[i], i, &base),
            }
            if network.start(i, &base.leg(0, end), observer)? {
                network.collect(i, observer)?;
            }
            network.interfaces[i].stopped_early();
        }
        let mut ends: Vec<u64> = self.able.iter().map(|(_, end)| *end).collect();
        ends.sort_unstable();
        ends.dedup();
        for end in ends {
            self.settle(network, feedthrough, end)?;
        }
        Ok(())
    }

    /// Brings outputs with feedthrough of those that step to `end` up to date, and notes what they bring.
    fn settle(&mut self, network: &mut Network, feedthrough: &mut Feedthrough, end: u64) -> Result<(), Error> {
        let due = |i: usize| self.able.iter().any(|(able, own)| *able == i && *own == end);
        network.target = end;
        network.hold_outside(end);
        feedthrough.settle_among(network, end, &due)?;
        if !network.discrete.is_empty() {
            network.note_discrete();
        }
        let jumped = network.jumping_until(end);
        for (r, relation) in network.interaction.relations().iter().enumerate() {
            let source = &network.interfaces[relation.source.0];
            let is_smooth = !jumped[r] && !network.discrete.jumped(r);
            if is_smooth && due(relation.source.0) && source.received.stamp == end && source.position == end {
                let value = network.interaction.offered(&network.interfaces, r);
                self.reached[r] = (value, end as f64 * network.clock.base.tick);
            }
        }
        Ok(())
    }

    /// Returns everything.
    fn end(
        &mut self,
        network: &mut Network,
        feedthrough: &mut Feedthrough,
        stepping: &Stepping,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        let base = network.clock.base;
        for &(i, _) in &self.able {
            if network.interfaces[i].is_saved() && !network.interfaces[i].is_waiting() {
                let result = network.interfaces[i].restore(&base);
                network.caught((i, 0, Request::Restore), result, observer)?;
            }
            network.interfaces[i].rehearse(false, &base);
            if !stepping.saves() {
                network.interfaces[i].forget_saved();
            }
        }
        for (interface, kept) in network.interfaces.iter_mut().zip(self.kept.drain(..)) {
            interface.put_back(kept);
        }
        let Statistics { faults, held, warnings, .. } = network.statistics;
        (network.target, network.statistics) = (self.target, Statistics { faults, held, warnings, ..self.statistics });
        if !self.feedthrough.is_empty() {
            // It was stored just before.
            let _ = feedthrough.load(&mut Source::new(&self.feedthrough));
        }
        Ok(())
    }
}
