//! The interaction module (R25): packets of the sources, by the relations, become packets of the targets.

use super::Signal;
use super::history::History;
use super::interface::{Interface, Timebase};

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
    /// Typical magnitude of the input \[unit of the target\].
    pub(crate) nominal: f64,
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

impl Interaction {
    /// `relations` sorted by target, for `n` interfaces, with polynomials of this order.
    pub(crate) fn new(relations: Vec<Relation>, n: usize, order: usize) -> Self {
        let first = (0..=n).map(|i| relations.partition_point(|r| r.target.0 < i)).collect();
        Self { histories: vec![History::default(); relations.len()], relations, first, order: vec![order; n] }
    }

    pub(crate) fn relations(&self) -> &[Relation] {
        &self.relations
    }

    pub(crate) fn history(&self, r: usize) -> &History {
        &self.histories[r]
    }

    pub(crate) fn history_mut(&mut self, r: usize) -> &mut History {
        &mut self.histories[r]
    }

    #[inline]
    pub(crate) fn of_target(&self, i: usize) -> std::ops::Range<usize> {
        self.first[i]..self.first[i + 1]
    }

    /// What the source offers to relation `r` now.
    #[inline]
    pub(crate) fn offered(&self, interfaces: &[Interface], r: usize) -> f64 {
        let relation = &self.relations[r];
        relation.gain * interfaces[relation.source.0].received.values[relation.source.1] + relation.offset
    }

    /// Whether the source of relation `r` has gone beyond what passed through it.
    #[inline]
    fn is_ahead(&self, interfaces: &[Interface], r: usize) -> bool {
        let history = &self.histories[r];
        interfaces[self.relations[r].source.0].position > history.stamp()
    }

    /// The polynomial that continues relation `r` from the present position of its target.
    #[inline]
    pub(crate) fn extrapolation(&self, interfaces: &[Interface], r: usize, base: &Timebase) -> Signal {
        let relation = &self.relations[r];
        let i = relation.target.0;
        let order = relation.order.min(self.order[i]);
        self.histories[r].extrapolation(order, interfaces[i].position, base.tick)
    }

    /// The polynomial of relation `r` that ends in `value` at `stamp`.
    #[inline]
    pub(crate) fn interpolation(
        &self,
        interfaces: &[Interface],
        r: usize,
        base: &Timebase,
        stamp: u64,
        value: f64,
    ) -> Signal {
        let relation = &self.relations[r];
        let i = relation.target.0;
        let order = relation.order.min(self.order[i]);
        self.histories[r].interpolation(order, stamp, value, interfaces[i].position, base.tick)
    }

    /// Fills the packet for target `i` with continued values.
    #[inline]
    pub(crate) fn extrapolate(&self, interfaces: &mut [Interface], i: usize, base: &Timebase) {
        for r in self.of_target(i) {
            let signal = self.extrapolation(interfaces, r, base);
            interfaces[i].sent.values[self.relations[r].target.1] = signal;
        }
        interfaces[i].sent.stamp = interfaces[i].position;
    }

    /// Fills the packet for target `i`: interpolated to the value of a source that has stepped already, continued from the others.
    /// `known` may give the end value of a relation, with its stamp.
    #[inline]
    pub(crate) fn prepare(
        &self,
        interfaces: &mut [Interface],
        i: usize,
        base: &Timebase,
        known: impl Fn(usize) -> Option<(u64, f64)>,
    ) {
        for r in self.of_target(i) {
            let signal = if let Some((stamp, value)) = known(r) {
                self.interpolation(interfaces, r, base, stamp, value)
            } else if self.is_ahead(interfaces, r) {
                let stamp = interfaces[self.relations[r].source.0].position;
                self.interpolation(interfaces, r, base, stamp, self.offered(interfaces, r))
            } else {
                self.extrapolation(interfaces, r, base)
            };
            interfaces[i].sent.values[self.relations[r].target.1] = signal;
        }
        interfaces[i].sent.stamp = interfaces[i].position;
    }

    /// Fills the packet for target `i` with the values offered now, held; `known` replaces one.
    pub(crate) fn assign(
        &self,
        interfaces: &mut [Interface],
        i: usize,
        stamp: u64,
        known: impl Fn(usize) -> Option<f64>,
    ) {
        for r in self.of_target(i) {
            let value = known(r).unwrap_or_else(|| self.offered(interfaces, r));
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
                let value = relation.gain * source.received.values[output] + relation.offset;
                let rate = source.rates.get(output).map(|rate| relation.gain * rate);
                history.push(source.received.stamp, value, rate);
            }
        }
    }
}
