//! The partners, connected, at a common time.

use super::clock::Clock;
use super::connection::{find, variable};
use super::discrete::Discrete;
use super::events::Events;
use super::faults::FaultPolicy;
use super::observer::View;
use super::scale::Scales;
use super::statistics::Statistics;
use crate::Error;
use crate::error::finite;
use crate::function::interaction::Interaction;
use crate::function::interface::Interface;
use crate::function::leg::Leg;
use crate::function::{Causality, Signal, Variable};

/// An input that no output feeds, of a run that takes part in another one: it follows a polynomial of the outer run.
pub(super) struct Outside {
    /// Interface and input.
    pub(super) end: (usize, usize),
    /// Highest order its simulator makes use of.
    pub(super) order: usize,
    pub(super) signal: Signal,
}

/// What all parts of a master work on.
pub(super) struct Network {
    pub(super) interfaces: Vec<Interface>,
    pub(super) interaction: Interaction,
    pub(super) clock: Clock,
    /// Stamp to which a step is under way.
    pub(super) target: u64,
    pub(super) scales: Scales,
    pub(super) faults: FaultPolicy,
    pub(super) statistics: Statistics,
    /// Partners at whose events communication steps end.
    pub(super) events: Option<Events>,
    /// Signals that jump.
    pub(super) discrete: Discrete,
    /// Inputs that follow the run outside, and the stamp from which on; none unless this run takes part in another one.
    pub(super) outside: Vec<Outside>,
    pub(super) since: u64,
}

fourbar_linalg::stored!(struct Outside { signal });
fourbar_linalg::stored!(struct Network {
    interfaces, interaction, target, scales, statistics, outside, since
});

impl Network {
    /// What relation r is expected to bring at the target.
    pub(super) fn predicted(&self, r: usize) -> f64 {
        let position = self.interfaces[self.interaction.relations()[r].target.0].position;
        let h = (self.target - position) as f64 * self.clock.base.tick;
        self.interaction.extrapolation(r, position, &self.clock.base).at(h)
    }

    /// Whether partner i has an input that no output feeds.
    pub(super) fn has_open_input(&self, i: usize) -> bool {
        self.interaction.of_target(i).len() < self.interfaces[i].sent.values.len()
    }

    /// The value of relation r before anything was exchanged: what the model states for its input, else for its output.
    pub(super) fn stated(&self, r: usize) -> f64 {
        let relation = &self.interaction.relations()[r];
        let input = variable(&self.interfaces, relation.target, Causality::Input).start;
        if input == 0.0 { relation.image(&self.interfaces[relation.source.0]) } else { input }
    }

    /// Fills the packet for partner i from the newest that is known; `known` may give the end value of a relation, with its stamp.
    #[inline]
    pub(super) fn prepare(&mut self, i: usize, known: impl Fn(usize) -> Option<(u64, f64)>) {
        let Self { interfaces, interaction, clock, events, target, .. } = self;
        match events {
            None => interaction.prepare(interfaces, i, &clock.base, |_| false, known),
            Some(events) => interaction.prepare(interfaces, i, &clock.base, |k| events.happened(k, *target), known),
        }
    }

    /// Whether partner i has an event at the target, and its outputs are those behind it.
    #[inline]
    pub(super) fn has_event(&self, i: usize) -> bool {
        self.events.as_ref().is_some_and(|events| events.happened(i, self.target))
    }

    /// Whether what relation r brings to the target may have jumped there.
    #[inline]
    pub(super) fn jumped(&self, r: usize) -> bool {
        self.discrete.jumped(r) || self.events.as_ref().is_some_and(|events| events.jumped(r))
    }

    /// Writes the open inputs for a step that begins at `stamp`.
    pub(super) fn follow_outside(&mut self, stamp: u64) {
        let s = self.since_given(stamp);
        for Outside { end, order, signal } in &self.outside {
            let now = signal.after(s);
            self.interfaces[end.0].sent.values[end.1] = Signal {
                value: now.value,
                first: if *order > 0 { now.first } else { 0.0 },
                second: if *order > 1 { now.second } else { 0.0 },
            };
        }
    }

    /// Writes the open inputs at `stamp`, held.
    pub(super) fn hold_outside(&mut self, stamp: u64) {
        let s = self.since_given(stamp);
        for Outside { end, signal, .. } in &self.outside {
            self.interfaces[end.0].sent.values[end.1] = Signal::held(signal.at(s));
        }
    }

    /// Time from which on the open inputs are given to `stamp` \[s\].
    fn since_given(&self, stamp: u64) -> f64 {
        (stamp - self.since) as i64 as f64 * self.clock.base.tick
    }

    /// Relation r as "a.y -> b.u".
    pub(super) fn connection_name(&self, r: usize) -> String {
        let relation = &self.interaction.relations()[r];
        let end = |(i, variable): (usize, usize), causality| {
            let interface: &Interface = &self.interfaces[i];
            format!("{}.{}", interface.name(), interface.variable(causality, variable))
        };
        format!("{} -> {}", end(relation.source, Causality::Output), end(relation.target, Causality::Input))
    }

    /// Lets all values pass to the partners due at `stamp`.
    #[inline]
    pub(super) fn pass(&mut self, stamp: u64) {
        let clock = &self.clock;
        self.interaction.pass(&self.interfaces, |i| clock.is_due(i, stamp));
    }

    /// The way to the target, of all that stand at the present time.
    #[inline]
    pub(super) fn leg(&self) -> Leg {
        self.clock.base.leg(self.clock.now, self.target)
    }

    /// The values of the communication point.
    pub(super) fn view(&self) -> View<'_> {
        View {
            time: self.clock.time(),
            stamp: self.clock.now,
            interfaces: &self.interfaces,
            interaction: &self.interaction,
        }
    }

    /// The value of an output, as sampled last.
    pub(super) fn output(&self, name: &str) -> Result<f64, Error> {
        let (i, k) = find(&self.interfaces, "output", name, Causality::Output)?;
        Ok(self.interfaces[i].received.values[k])
    }

    /// Sets an input that no output feeds; returns its partner.
    pub(super) fn set_input(&mut self, name: &str, value: f64) -> Result<usize, Error> {
        let (i, k) = find(&self.interfaces, "input", name, Causality::Input)?;
        finite(format!("input \"{name}\""), value)?;
        if let Some(fed) = self.source_of((i, k)) {
            return Err(Error::TwoSources { target: name.into(), sources: [fed, "a set value".into()] });
        }
        self.put_input((i, k), value);
        Ok(i)
    }

    /// Holds an input at a value.
    pub(super) fn put_input(&mut self, (i, k): (usize, usize), value: f64) {
        self.interfaces[i].sent.values[k] = Signal::held(value);
    }

    /// Tells what passed to an input; `is_before` says whether the run has not begun.
    pub(super) fn set_past(&mut self, name: &str, past: &[(u32, f64)], is_before: bool) -> Result<(), Error> {
        let end = find(&self.interfaces, "input", name, Causality::Input)?;
        let refuse = |value: f64, remedy| Err(Error::Value { name: format!("the past of \"{name}\""), value, remedy });
        if !is_before {
            return refuse(self.clock.time(), "it can be told before the first step only");
        }
        let Some(r) = self.interaction.relations().iter().position(|relation| relation.target == end) else {
            return refuse(f64::NAN, "no connection feeds this input: set its value instead");
        };
        let mut last = u32::MAX;
        for &(before, value) in past {
            finite(format!("the past of \"{name}\""), value)?;
            if before == 0 || before >= last || before > 1 << 20 {
                return refuse(f64::from(before), "the numbers of steps must fall, be positive and not exceed 2^20");
            }
            last = before;
            // Stamps before the start wrap around; their differences are exact all the same.
            let stamp = 0u64.wrapping_sub(u64::from(before) * self.clock.step);
            self.interaction.history_mut(r).push(stamp, value, None);
        }
        Ok(())
    }

    /// An input or output.
    pub(super) fn variable(&self, name: &str) -> Result<&Variable, Error> {
        let output = find(&self.interfaces, "unit", name, Causality::Output);
        let (end, causality) = match find(&self.interfaces, "unit", name, Causality::Input) {
            Ok(input) if output.is_err() => (input, Causality::Input),
            _ => (output?, Causality::Output),
        };
        Ok(variable(&self.interfaces, end, causality))
    }
}
