//! Rates that depend on the time, compared within each step with the polynomial that the method makes of them ([`Samples`]).
//!
//! The states stay what they are at the end of the step, and conditions on their sides. The difference d of a rate from the polynomial is an error
//! h d of its state that the stages do not see.

use super::{System, TIME};
use fourbar_dae::samples::Samples;

/// Nodes of the polynomial, within the step: Fehlberg's formula of order 5 is exact for a rate of degree 4 in the time.
const NODES: usize = 5;

/// The rates that name the time. Inputs are parabolas within a communication step, whatever comes of them.
pub(super) struct Timed {
    rates: Vec<usize>,
    samples: Samples,
}

impl Timed {
    /// From the slots that each rate uses.
    pub(super) fn new<'a>(slots: impl Iterator<Item = &'a [usize]>) -> Self {
        let rates: Vec<usize> = slots.enumerate().filter(|(_, slots)| slots.contains(&TIME)).map(|(i, _)| i).collect();
        Self { samples: Samples::new(rates.len()), rates }
    }

    /// Steps sampled so far, for a saved point: a count below 2^53.
    pub(super) fn steps(&self) -> f64 {
        self.samples.steps() as f64
    }

    pub(super) fn set_steps(&mut self, steps: f64) {
        self.samples.set_steps(steps as u64);
    }
}

impl System {
    /// Writes the error of each state that a step of length `h` to (t, x) makes of the time by itself.
    pub(super) fn defect_of_time(&mut self, t: f64, h: f64, x: &[f64], errors: &mut [f64]) {
        if self.timed.samples.is_empty() || self.set.is_none() {
            return;
        }
        let Timed { rates, mut samples } =
            std::mem::replace(&mut self.timed, Timed { rates: Vec::new(), samples: Samples::default() });
        samples.compare(
            [t, h, t - h],
            |_| NODES,
            |time, values| {
                self.fill(time, self.break_state.sided(time), x);
                for (value, &i) in values.iter_mut().zip(&rates) {
                    *value = self.rate(i);
                }
            },
            |_, differences| {
                // What cannot be evaluated with the states of the end is no reason for a shorter step.
                for (d, &i) in differences.iter().zip(&rates).filter(|(d, _)| d.is_finite()) {
                    errors[i] = errors[i].max(h * d.abs());
                }
            },
        );
        self.timed = Timed { rates, samples };
    }

    /// Rate `i` at the slots that were filled, with conditions held.
    fn rate(&mut self, i: usize) -> f64 {
        let Self { rates, slots, stack, sides, arguments, .. } = self;
        rates[i].value(slots, sides, arguments, stack)
    }
}
