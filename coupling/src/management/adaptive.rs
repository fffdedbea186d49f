//! The communication step by the error of the extrapolated inputs, with rollback.

use super::master::Master;
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
}

impl Master {
    /// Steps to a communication point whose extrapolated inputs came true within the tolerance.
    pub(super) fn adaptive_step(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        let Some(mut controller) = self.adaptive.take() else { return Ok(()) };
        let result = self.controlled(&mut controller, observer);
        self.adaptive = Some(controller);
        result
    }

    fn controlled(&mut self, controller: &mut Controller, observer: &mut dyn Observer) -> Result<(), Error> {
        loop {
            let left = self.clock.end.map_or(u64::MAX, |end| end - self.clock.now);
            let ticks = controller.next.min(left);
            self.target = self.clock.now + ticks;
            for k in 0..controller.watched.len() {
                controller.expected[k] = self.predicted(controller.watched[k]);
            }
            self.advance(observer)?;
            self.conclude_sweep(observer)?;
            let error = self.extrapolation_error(controller);
            let within = error <= controller.options.tolerance;
            let rollback = controller.options.rollback && !within && ticks > controller.shortest;
            controller.next = controller.scaled(ticks, error);
            if rollback {
                // An error that is not finite shortens as far as allowed.
                controller.next = controller.next.min(ticks.saturating_sub(1)).max(controller.shortest);
                self.restore_all(observer)?;
                self.statistics.rejected += 1;
                continue;
            }
            return self.judge_misses(controller, ticks, observer);
        }
    }

    /// Reports what missed the tolerance at the shortest step. A signal that starts from zero is larger than ever at each step, and what is missed then
    /// tells nothing about the result: it is judged when the signal has turned back from its largest value, or at the end.
    fn judge_misses(
        &mut self,
        controller: &mut Controller,
        ticks: u64,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        let tolerance = controller.options.tolerance;
        let over = self.clock.end == Some(self.target);
        let (time, step) = (self.clock.base.time(self.target), ticks as f64 * self.clock.base.tick);
        let mut worst = Miss::default();
        for (k, &r) in controller.watched.iter().enumerate() {
            let given = self.interaction.offered(&self.interfaces, r);
            let error = (controller.expected[k] - given).abs();
            let miss = &mut controller.missed[k];
            let short = ticks <= controller.shortest && self.scales.relative(r, error, given) > tolerance;
            if short && error > miss.error {
                *miss = Miss { error, time, step };
            }
            if over || given.abs() <= self.scales.largest(r) {
                let error = self.scales.relative(r, miss.error, given);
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
        self.caught_by_run(Fault::Accuracy { time, step, error, tolerance }, observer)
    }

    /// max |expected - given| / scale over the extrapolated inputs.
    fn extrapolation_error(&self, controller: &Controller) -> f64 {
        let mut largest = 0.0f64;
        for (&r, expected) in controller.watched.iter().zip(&controller.expected) {
            let given = self.interaction.offered(&self.interfaces, r);
            largest = largest.max(self.scales.relative(r, expected - given, given));
        }
        largest
    }
}
