//! What the continued inputs cost the results: an estimate that needs nothing of the partners but what passes anyhow.
//!
//! Over a step an input follows a polynomial of order p; when the step is done, the next difference of the values that were exchanged tells
//! how far it lay beside its source in the mean: the result of order p against that of order p + 1. A defect of the relative size c that
//! goes with an oscillation of angular frequency w acts as a change c of the stiffness (or, in the other phase, as a damping): over the time
//! T the oscillation is off by c w T/2. Of each connection the mean rate w comes from the way its values went and their distance from their mean,
//! and the estimate is
//!
//! pi/4 w (integral of |defect|) / largest value,
//!
//! as the mean of |sin| is 2/pi. Exact for an undamped oscillation that goes all through the connection, and for small steps; an upper
//! bound where only a part of it does, and where friction takes the errors away again. For oscillations that die away with the rate d it is
//! c w/(2 d), e times the largest error ever. A signal that jumps counts with its rate of jumps, not with that of its fastest part.
//!
//! The mean rate says nothing of a vibration that comes and goes on a slow motion: oil columns ring for a tenth of a second after a valve has
//! opened, and the machine moves on for seconds. There w |defect| has to be the product at each time. As a defect that oscillates with w changes at the rate
//! w |defect|, its integral is the total variation of the defect, and the second estimate, of which the larger counts, is
//!
//! pi/4 (total variation of the smoothed defect) / largest value.
//!
//! A jump of a signal is missed with changing signs at the next p + 2 points, and partners with states answer to the sum alone, which is 0: smoothing
//! by the means of four defects, with the weights 1, 3, 3, 1, takes the signs away. It leaves cos^3(w h/2) of a vibration, 0.87 at w h = 0.6.

use std::f64::consts::FRAC_PI_4;

use serde::Serialize;

use super::connection::variable;
use super::network::Network;
use super::observer::Observer;
use super::options::{Algorithm, Options};
use crate::Error;
use crate::function::fault::percent;
use crate::function::history::History;
use crate::function::interaction::Relation;
use crate::function::interface::Interface;
use crate::function::{Causality, Fault};

/// The estimated error of a run so far.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ErrorEstimate {
    /// Relative to the largest values; of an oscillation also its phase \[rad\]. Beyond 1 nothing of the result is left.
    pub relative: f64,
    /// The connection with the largest part in it, as "a.y -> b.u".
    pub connection: String,
    /// Whether an oscillation grew by the coupling.
    pub unstable: bool,
}

impl ErrorEstimate {
    /// In percent, with a digit behind the point below 10; beyond 100 % the figure says nothing.
    #[must_use]
    pub fn percent(&self) -> String {
        percent(self.relative)
    }

    /// Whether it is more than 1 %, of which a reader of the results is warned.
    #[must_use]
    pub fn is_large(&self) -> bool {
        // A NaN is no small error.
        !(self.relative <= LARGE)
    }
}

/// Estimated error of which a reader of the results is warned.
const LARGE: f64 = 0.01;
/// Doublings of an oscillation one after the other, each explained by the defects of an input, that are called growth by the coupling.
const DOUBLINGS: u32 = 3;

/// Estimate of the part since the last doubling above which the defects explain it. Growth at the rate g leaves an estimate of c w/(4 g)
/// for one doubling, and what defects of the size c drive grows at the rate c w/2 at most: 1/2, less what the sums miss at long steps.
const EXPLAINED: f64 = 0.25;

/// Part of the mean defect of a pure jump, `weight` times its height, above which a defect counts as one. That of a vibration is `weight` (w h)^p of its
/// change in a step.
const JUMP: f64 = 0.8;

/// What is summed up of a relation.
#[derive(Clone, Copy, Default)]
struct Channel {
    /// Whether its target makes anything of what passes between communication points: one without a state answers to the values there alone, which
    /// are brought up to date.
    counts: bool,
    /// Whether its source steps first, so that its values are met at the end of the step.
    met: bool,
    /// Whether what it brings comes back to its source, as far as that was asked: without a loop nothing grows by the coupling.
    looped: Option<bool>,
    /// Whether its source follows inputs without delay, and was therefore sampled with continued ones.
    follows: bool,
    /// The value that was sampled.
    sampled: f64,
    /// Integral of |defect| \[unit s\].
    defect: f64,
    /// Sum of |change| \[unit\].
    way: f64,
    /// Integrals of the distance from the mean so far, and from zero \[unit s\]; that mean.
    beside: f64,
    beyond: f64,
    mean: f64,
    /// The last defect, and the last means of two, of three and of four of them; the way of the last mean \[unit\].
    smoothed: [f64; 4],
    variation: f64,
    /// The last |changes| of the value \[unit\].
    changes: [f64; 3],
    /// Whether the inputs had come to their full order at the last step, and at the one before.
    full: [bool; 2],
    growth: Growth,
}

/// The larger one of two numbers, in one instruction.
#[inline]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// The doublings of an oscillation.
#[derive(Clone, Copy, Default)]
struct Growth {
    /// Largest value when it doubled last, and the integral of the defect then.
    value: f64,
    defect: f64,
    /// Whether it has turned since.
    turned: bool,
    /// Doublings one after the other that the defects explain.
    explained: u32,
    /// Value from which they began.
    from: f64,
}

pub(super) struct Estimate {
    channels: Vec<Channel>,
    /// Mean defect in parts of that at the end of a step, for orders 0 to 2.
    weight: f64,
    /// Factor of all defects. In the loop of the patent what follows inputs at once is late by a further step, beside the half step by which held
    /// values are late in the mean: 3 for a partner without states, 1 for one whose own states make its outputs. Nobody knows which: 2.
    late: f64,
    /// Time since the start \[s\].
    time: f64,
    reported: bool,
    /// What the run can still do about errors.
    remedy: String,
}

fourbar_linalg::stored!(struct Growth { value, defect, turned, explained, from });
fourbar_linalg::stored!(struct Channel {
    looped, sampled, defect, way, beside, beyond, mean, smoothed, variation, changes, full, growth,
});
fourbar_linalg::stored!(struct Estimate { channels, time, reported });

impl Channel {
    /// pi/4 w `defect` / `size`.
    fn relative(&self, defect: f64, size: f64) -> f64 {
        if self.way == 0.0 || defect == 0.0 {
            // Nothing moved, or nothing was missed.
            return 0.0;
        }
        // The mean of a short run still knows where the signal began; zero is no mean of signals that lie beside it.
        let distance = self.beside.min(self.beyond);
        let relative = FRAC_PI_4 * (self.way / distance) * (defect / size);
        // Sums that overflow are those of an explosion.
        if (self.way + self.beside + defect).is_finite() { relative } else { f64::INFINITY }
    }

    /// The error of vibrations that come and go: pi/4 of the variation of the defect.
    fn of_vibrations(&self, size: f64) -> f64 {
        if self.variation == 0.0 {
            return 0.0;
        }
        if self.variation.is_finite() { FRAC_PI_4 * self.variation / size } else { f64::INFINITY }
    }

    /// Adds a defect to the smoothed one and its variation: each mean is that of the two before it. The defects of the first steps, of lower
    /// orders, come once and are no vibration; nor is a first output that was sampled before its inputs were known.
    /// A defect of more than the part `jump` of the largest change of late is that of a jump, as of a velocity at an impact, and left out.
    #[inline]
    fn smooth(&mut self, defect: f64, change: f64, jump: f64, full: bool) {
        let [one, two, three] = self.changes;
        self.changes = [change, one, two];
        let largest = larger(three, larger(two, larger(one, change)));
        if !self.full[1] {
            (self.smoothed, self.full) = ([defect; 4], [full, self.full[0]]);
            return;
        }
        if defect.abs() > jump * largest {
            return;
        }
        let [one, two, three, four] = self.smoothed;
        let second = 0.5 * (defect + one);
        let third = 0.5 * (second + two);
        let fourth = 0.5 * (third + three);
        self.variation += (fourth - four).abs();
        self.smoothed = [defect, second, third, fourth];
    }

    /// Adds a step of length `h` to a value; of the mean it is this part.
    #[inline]
    fn add(&mut self, (defect, jump): (f64, f64), order: usize, value: f64, before: &History, (h, part): (f64, f64)) {
        let (change, beside) = (value - before.newest(), value - self.mean);
        self.smooth(defect, change.abs(), jump, before.length() > order);
        self.defect += defect.abs() * h;
        self.way += change.abs();
        self.beside += beside.abs() * h;
        self.beyond += value.abs() * h;
        self.mean += beside * part;
        self.growth.turned |= change * before.last_change() < 0.0;
    }

    /// Notes that the largest value has doubled.
    #[cold]
    fn double(&mut self, value: f64) {
        let part = self.relative(self.defect - self.growth.defect, value);
        let explained = self.growth.turned && part > EXPLAINED;
        let growth = &mut self.growth;
        if !explained {
            (growth.explained, growth.from) = (0, value);
        } else {
            growth.explained += 1;
        }
        (growth.value, growth.defect, growth.turned) = (value, self.defect, false);
    }
}

impl Estimate {
    pub(super) fn new(
        interfaces: &[Interface],
        relations: &[Relation],
        extrapolated: &[usize],
        options: &Options,
    ) -> Self {
        let iterated = matches!(options.algorithm, Algorithm::Iterated { .. });
        let mut met = vec![true; relations.len()];
        extrapolated.iter().for_each(|&r| met[r] = iterated);
        let late = options.algorithm == Algorithm::JacobiDelayed;
        let own = |relation: &Relation| interfaces[relation.target.0].description().capabilities;
        let channel = |(r, relation): (usize, &Relation)| Channel {
            counts: late || !own(relation).stateless,
            met: met[r],
            follows: !variable(interfaces, relation.source, Causality::Output).feedthrough.is_empty(),
            ..Channel::default()
        };
        let direct = interfaces.iter().flat_map(|i| &i.description().variables).any(|v| !v.feedthrough.is_empty());
        Self {
            channels: relations.iter().enumerate().map(channel).collect(),
            weight: [1.0 / 2.0, 5.0 / 12.0, 3.0 / 8.0][options.algorithm.order()],
            late: if options.algorithm == Algorithm::JacobiDelayed && direct { 2.0 } else { 1.0 },
            time: 0.0,
            reported: false,
            remedy: options.remedy(),
        }
    }

    /// The relation with the largest estimate.
    fn worst(&self, network: &Network) -> Option<(usize, f64)> {
        let of = |(r, channel): (usize, &Channel)| {
            let size = network.scales.of(r);
            (r, channel.relative(channel.defect, size).max(channel.of_vibrations(size)))
        };
        self.channels.iter().enumerate().map(of).max_by(|a, b| a.1.total_cmp(&b.1))
    }

    pub(super) fn result(&self, network: &Network) -> Option<ErrorEstimate> {
        let (r, relative) = self.worst(network).filter(|_| self.time > 0.0)?;
        // What grew is the coupling's own.
        let relative = if self.reported { relative.max(1.0) } else { relative };
        Some(ErrorEstimate { relative, connection: network.connection_name(r), unstable: self.reported })
    }

    /// Notes what the feedthrough from continued inputs made of the outputs, before it is brought up to date.
    #[inline]
    pub(super) fn note_outputs(&mut self, network: &Network) {
        for (r, channel) in self.channels.iter_mut().enumerate().filter(|(_, channel)| channel.follows) {
            channel.sampled = network.interaction.offered(&network.interfaces, r);
        }
    }

    /// Takes an accepted step into account, before its values pass; reports an oscillation that grows by the coupling, once.
    #[inline]
    pub(super) fn add(
        &mut self,
        network: &mut Network,
        settles: bool,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        let estimate = &mut *self;
        let Network { interfaces, interaction, clock, scales, target, events, discrete, .. } = &mut *network;
        let (base, target) = (clock.base, *target);
        estimate.time = (target as i64) as f64 * base.tick;
        // The way of all that take part in every communication point, worked out once.
        let ticks = target - clock.now;
        let span = |ticks: u64| {
            let h = ticks as i64 as f64 * base.tick;
            (h, h / (estimate.time + h))
        };
        let common = span(ticks);
        let jump = JUMP * estimate.weight * estimate.late;
        let mut unstable = None;
        for (r, (channel, (relation, history))) in estimate.channels.iter_mut().zip(interaction.ways()).enumerate() {
            let (i, source) = (relation.target.0, &interfaces[relation.source.0]);
            if !clock.is_due(i, target) {
                continue;
            }
            let (value, stamp) = (relation.image(source), source.received.stamp);
            let passed = stamp.wrapping_sub(history.stamp());
            if passed == 0 {
                continue;
            }
            let step = if passed == ticks { common } else { span(passed) };
            if !channel.counts || discrete.jumped(r) || events.as_ref().is_some_and(|events| events.jumped(r)) {
                // Nothing tells what it was before a jump.
                scales.see(r, value);
                continue;
            }
            let order = relation.order.min(interaction.order[i]);
            let mut defect = history.mean_defect(order, channel.met, stamp, value, base.tick) * estimate.late;
            if settles && channel.follows {
                let direct = estimate.weight * (channel.sampled - value);
                if !(direct.abs() <= defect.abs()) {
                    defect = direct;
                }
            }
            channel.add((defect, jump), order, value, history, step);
            scales.see(r, value);
            if value.abs() > 2.0 * channel.growth.value {
                channel.double(value.abs());
                let explained = channel.growth.explained >= DOUBLINGS && !estimate.reported;
                let looped = || interaction.reaches(i, relation.source.0);
                if explained && *channel.looped.get_or_insert_with(looped) {
                    unstable = Some((r, channel.growth.from, value.abs()));
                }
            }
        }
        match unstable {
            Some(growth) => self.report_growth(network, growth, observer),
            None => Ok(()),
        }
    }

    #[cold]
    fn report_growth(
        &mut self,
        network: &mut Network,
        growth: (usize, f64, f64),
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        self.reported = true;
        let (r, from, to) = growth;
        let (connection, remedy) = (network.connection_name(r), self.remedy.clone());
        let fault = Fault::Growth { time: network.clock.base.time(network.target), connection, from, to, remedy };
        network.caught_by_run(fault, observer)
    }

    /// At the end of the run: reports an error that is not small.
    #[cold]
    pub(super) fn report(&self, network: &mut Network, observer: &mut dyn Observer) -> Result<(), Error> {
        match self.result(network) {
            Some(estimate) if estimate.is_large() => {
                let ErrorEstimate { relative, connection, .. } = estimate;
                let (time, remedy) = (network.clock.base.time(network.target), self.remedy.clone());
                let fault = Fault::EstimatedError { time, relative, connection, remedy };
                network.caught_by_run(fault, observer)
            }
            _ => Ok(()),
        }
    }

    /// Begins the sums with the values of the initial exchange.
    pub(super) fn begin(&mut self, network: &mut Network) {
        for (r, channel) in self.channels.iter_mut().enumerate() {
            let value = network.interaction.offered(&network.interfaces, r);
            network.scales.see(r, value);
            channel.mean = value;
            (channel.growth.value, channel.growth.from) = (value.abs(), value.abs());
        }
    }
}
