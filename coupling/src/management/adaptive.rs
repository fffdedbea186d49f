//! The communication step by the error of the extrapolated inputs, with rollback.

use super::network::Network;
use super::observer::Observer;
use super::options::Adaptive;
use crate::Error;
use crate::function::Fault;

/// The controller: step factors 0.9 (tolerance/error)^(1/(p+1)), kept between 0.3 and 1.5.
pub(super) struct Controller {
    options: Adaptive,
    /// Shortest, next and longest step in ticks.
    shortest: u64,
    next: u64,
    longest: u64,
    exponent: f64,
    /// Relations whose inputs are extrapolated, and what they were expected to become.
    watched: Vec<usize>,
    expected: Vec<f64>,
    /// Of each the largest error that the shortest step did not bring below the tolerance, until it is judged.
    missed: Vec<Miss>,
}

/// A tolerance missed at the shortest step by a signal whose size is not known yet.
#[derive(Clone, Copy, Default)]
struct Miss {
    error: f64,
    time: f64,
    step: f64,
}

fourbar_linalg::stored!(struct Miss { error, time, step });
fourbar_linalg::stored!(struct Controller { next, expected, missed });

impl Controller {
    pub(super) fn new(options: Adaptive, tick: f64, longest: u64, order: usize, watched: Vec<usize>) -> Self {
        let ticks = |time: f64| ((time / tick).round() as u64).clamp(1, longest);
        Self {
            shortest: ticks(options.shortest),
            next: ticks(options.first),
            longest,
            exponent: 1.0 / (order as f64 + 1.0),
            expected: vec![0.0; watched.len()],
            missed: vec![Miss::default(); watched.len()],
            watched,
            options,
        }
    }

    fn scaled(&self, ticks: u64, error: f64) -> u64 {
        let factor = (0.9 * (self.options.tolerance / error).powf(self.exponent)).clamp(0.3, 1.5);
        // An error of zero gives the largest factor.
        ((ticks as f64 * factor) as u64).clamp(self.shortest, self.longest)
    }

    /// Ticks of the next step.
    pub(super) fn next(&self) -> u64 {
        self.next
    }

    /// Sets the next communication point, and notes what extrapolated inputs are expected to become there.
    pub(super) fn plan(&mut self, network: &mut Network) {
        let left = network.clock.end.unwrap_or(u64::MAX).min(network.clock.horizon) - network.clock.now;
        network.target = network.clock.now + self.next.min(left);
        for (expected, &r) in self.expected.iter_mut().zip(&self.watched) {
            *expected = network.predicted(r);
        }
    }

    /// Whether the step to the target, which all partners have made, is to be undone; chooses the length of the next.
    pub(super) fn refuses(&mut self, network: &Network) -> bool {
        let ticks = network.target - network.clock.now;
        let error = self.extrapolation_error(network);
        let within = error <= self.options.tolerance;
        let rollback = self.options.rollback && !within && ticks > self.shortest;
        self.next = self.scaled(ticks, error);
        if rollback {
            // An error that is not finite shortens as far as allowed.
            self.next = self.next.min(ticks.saturating_sub(1)).max(self.shortest);
        }
        rollback
    }

    /// Reports what missed the tolerance at the shortest step. A signal that starts from zero is larger than ever at each step, and what is missed then
    /// tells nothing about the result: it is judged when the signal has turned back from its largest value, or at the end.
    pub(super) fn judge(&mut self, network: &mut Network, observer: &mut dyn Observer) -> Result<(), Error> {
        let tolerance = self.options.tolerance;
        let ticks = network.target - network.clock.now;
        let over = network.clock.end == Some(network.target);
        let (time, step) = (network.clock.base.time(network.target), ticks as f64 * network.clock.base.tick);
        let mut worst = Miss::default();
        for (k, &r) in self.watched.iter().enumerate() {
            if network.jumped(r) {
                continue;
            }
            let given = network.interaction.offered(&network.interfaces, r);
            let error = (self.expected[k] - given).abs();
            let miss = &mut self.missed[k];
            let short = ticks <= self.shortest && network.scales.relative(r, error, given) > tolerance;
            if short && error > miss.error {
                *miss = Miss { error, time, step };
            }
            if over || given.abs() <= network.scales.largest(r) {
                let error = network.scales.relative(r, miss.error, given);
                if error > tolerance.max(worst.error) {
                    worst = Miss { error, ..*miss };
                }
                *miss = Miss::default();
            }
        }
        if worst.error == 0.0 {
            return Ok(());
        }
        let Miss { error, time, step } = worst;
        network.caught_by_run(Fault::Accuracy { time, step, error, tolerance }, observer)
    }

    /// max |expected - given| / scale over the extrapolated inputs.
    fn extrapolation_error(&self, network: &Network) -> f64 {
        let mut largest = 0.0f64;
        // No polynomial expects a jump, and no shorter step would.
        for (&r, expected) in self.watched.iter().zip(&self.expected).filter(|(r, _)| !network.jumped(**r)) {
            let given = network.interaction.offered(&network.interfaces, r);
            largest = largest.max(network.scales.relative(r, expected - given, given));
        }
        largest
    }
}
