//! The interaction module (R25): packets of the sources, by the relations, become packets of the targets.

use super::Signal;
use super::history::History;
use super::interface::Interface;
use super::leg::Timebase;
use fourbar_linalg::checkpoint::{CheckpointError, Source, Stored};

/// One parameter on its way (R22): which output becomes which input, with input = gain * output + offset.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Relation {
    /// Interface and output.
    pub(crate) source: (usize, usize),
    /// Interface and input.
    pub(crate) target: (usize, usize),
    pub(crate) gain: f64,
    pub(crate) offset: f64,
    /// Highest order of the polynomials the target makes use of.
    pub(crate) order: usize,
    /// Typical magnitude of the input \[unit of the target\]; 0 if it is not known.
    pub(crate) nominal: f64,
    /// Whether the values are held from each communication point to the next: those of a signal that jumps.
    pub(crate) is_held: bool,
}

impl Relation {
    /// What the last value of its source becomes.
    #[inline]
    pub(crate) fn image(&self, source: &Interface) -> f64 {
        self.gain * source.received.values[self.source.1] + self.offset
    }
}

/// The relations with what passed through each lately.
pub(crate) struct Interaction {
    /// Sorted by target interface.
    relations: Vec<Relation>,
    histories: Vec<History>,
    /// Relations of each target: from `first[i]` to `first[i + 1]`.
    first: Vec<usize>,
    /// Order asked for, per target interface.
    pub(crate) order: Vec<usize>,
}

/// What passed, and the orders asked for.
impl Stored for Interaction {
    fn store(&self, to: &mut Vec<u8>) {
        self.histories.store(to);
        self.order.store(to);
    }

    fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        self.histories.load(from)?;
        self.order.load(from)
    }
}

impl Interaction {
    /// `relations` sorted by target, for `n` interfaces, with polynomials of this order.
    pub(crate) fn new(relations: Vec<Relation>, n: usize, order: usize) -> Self {
        let first = (0..=n).map(|i| relations.partition_point(|r| r.target.0 < i)).collect();
        Self { histories: vec![History::default(); relations.len()], relations, first, order: vec![order; n] }
    }

    pub(crate) fn relations(&self) -> &[Relation] {
        &self.relations
    }

    /// The relations, each with what passed through it.
    #[inline]
    pub(crate) fn ways(&self) -> impl Iterator<Item = (&Relation, &History)> {
        self.relations.iter().zip(&self.histories)
    }

    pub(crate) fn history(&self, r: usize) -> &History {
        &self.histories[r]
    }

    pub(crate) fn history_mut(&mut self, r: usize) -> &mut History {
        &mut self.histories[r]
    }

    /// Whether what interface `from` sends comes to interface `to`.
    #[cold]
    pub(crate) fn reaches(&self, from: usize, to: usize) -> bool {
        let mut found = vec![false; self.order.len()];
        let mut open = vec![to];
        while let Some(i) = open.pop() {
            if i == from {
                return true;
            }
            for relation in &self.relations[self.of_target(i)] {
                if !std::mem::replace(&mut found[relation.source.0], true) {
                    open.push(relation.source.0);
                }
            }
        }
        false
    }

    #[inline]
    pub(crate) fn of_target(&self, i: usize) -> std::ops::Range<usize> {
        self.first[i]..self.first[i + 1]
    }

    /// What the source offers to relation `r` now.
    #[inline]
    pub(crate) fn offered(&self, interfaces: &[Interface], r: usize) -> f64 {
        let relation = &self.relations[r];
        relation.image(&interfaces[relation.source.0])
    }

    /// What relation `r` brings at `stamp`: what the source offers if it was sampled there, else its last values continued to that time,
    /// since a source that takes part more seldom than others was sampled earlier.
    #[inline]
    pub(crate) fn present(&self, interfaces: &[Interface], r: usize, stamp: u64, base: &Timebase) -> f64 {
        let relation = &self.relations[r];
        let source = &interfaces[relation.source.0];
        if source.received.stamp == stamp { relation.image(source) } else { self.continued(source, r, stamp, base) }
    }

    /// The last values of relation `r`, that of `source` among them, continued to `stamp`.
    #[cold]
    fn continued(&self, source: &Interface, r: usize, stamp: u64, base: &Timebase) -> f64 {
        let (relation, history) = (&self.relations[r], &self.histories[r]);
        let (order, last) = (self.order[relation.target.0], source.received.stamp);
        if relation.is_held {
            return if last > history.stamp() { relation.image(source) } else { history.newest() };
        }
        // The target may not have taken part when the source was sampled last.
        let signal = match last > history.stamp() {
            true => history.interpolation(order, last, relation.image(source), stamp, base.tick),
            false => history.extrapolation(order, stamp, base.tick),
        };
        signal.value
    }

    /// The polynomial that continues relation `r` from `now`, the position of its target.
    #[inline]
    pub(crate) fn extrapolation(&self, r: usize, now: u64, base: &Timebase) -> Signal {
        let relation = &self.relations[r];
        let order = relation.order.min(self.order[relation.target.0]);
        self.histories[r].extrapolation(order, now, base.tick)
    }

    /// Fills the packet for target `i`, behind the door `interface`, with continued values.
    #[inline(always)]
    pub(crate) fn extrapolate(&self, interface: &mut Interface, i: usize, base: &Timebase) {
        let (range, order, now) = (self.of_target(i), self.order[i], interface.position);
        let signals = &mut interface.sent.values;
        for (relation, history) in self.relations[range.clone()].iter().zip(&self.histories[range]) {
            signals[relation.target.1] = history.extrapolation(relation.order.min(order), now, base.tick);
        }
        interface.sent.stamp = now;
    }

    /// Fills the packet for target `i`: interpolated to the value of a source that has stepped already, continued from the others, and from those
    /// that `jumped` at the end of their step. `known` may give the end value of a relation, with its stamp.
    #[inline]
    pub(crate) fn prepare(
        &self,
        interfaces: &mut [Interface],
        i: usize,
        base: &Timebase,
        jumped: impl Fn(usize) -> bool,
        known: impl Fn(usize) -> Option<(u64, f64)>,
    ) {
        let (now, tick) = (interfaces[i].position, base.tick);
        for r in self.of_target(i) {
            let (relation, history) = (&self.relations[r], &self.histories[r]);
            let source = &interfaces[relation.source.0];
            let order = relation.order.min(self.order[i]);
            // A source may have gone beyond what passed.
            let ahead = || (source.position > history.stamp()).then(|| (source.position, relation.image(source)));
            let end = if jumped(relation.source.0) { None } else { known(r).or_else(ahead) };
            let signal = match end {
                // What it jumps to at the end acts from there on.
                _ if relation.is_held => Signal::held(history.newest()),
                Some((stamp, value)) => history.interpolation(order, stamp, value, now, tick),
                None => history.extrapolation(order, now, tick),
            };
            interfaces[i].sent.values[relation.target.1] = signal;
        }
        interfaces[i].sent.stamp = now;
    }

    /// Fills the packet for target `i` with the values at `stamp`, held; `known` replaces one.
    pub(crate) fn assign(
        &self,
        interfaces: &mut [Interface],
        i: usize,
        stamp: u64,
        base: &Timebase,
        known: impl Fn(usize) -> Option<f64>,
    ) {
        for r in self.of_target(i) {
            let value = known(r).unwrap_or_else(|| self.present(interfaces, r, stamp, base));
            interfaces[i].sent.values[self.relations[r].target.1] = Signal::held(value);
        }
        interfaces[i].sent.stamp = stamp;
    }

    /// Lets the values offered to the targets that are due pass, each with the stamp of its source.
    #[inline]
    pub(crate) fn pass(&mut self, interfaces: &[Interface], is_due: impl Fn(usize) -> bool) {
        for (relation, history) in self.relations.iter().zip(&mut self.histories) {
            if is_due(relation.target.0) {
                let (source, output) = (&interfaces[relation.source.0], relation.source.1);
                let rate = source.rates.get(output).map(|rate| relation.gain * rate);
                history.push(source.received.stamp, relation.image(source), rate);
            }
        }
    }
}
