//! What the errors of the unknowns of the user are measured against: how far each has gone so far.
//!
//! | unknown | size | round-off |
//! |---|---|---|
//! | x' = f | the longest way from its start, or if it is longer what it goes at its present rate within the step | u (abs(x) + h T), the largest abs(x) so far |
//! | 0 = f | the largest abs(x) so far, as the iteration sees it; its error is not tested, since it follows from others | likewise |
//!
//! u is that of positions, h the step, and T the size of the terms of f ([`Loads::rate_terms`](crate::force::Loads::rate_terms)), which may cancel. What rests at zero has neither: there [`RESTING`] times the size that the user gives counts, 1 of its unit by default. That is
//! far less than any tolerance of what is larger than 1e-9 of it, and more than the shortest step resolves of what is smaller than 1e9 of it.

use super::sizes::{self, FIRST, SHARE};
use crate::dae::ErrorWeights;
use crate::mechanism::Mechanism;

/// Part of its size that an unknown may be off which rests at zero.
const RESTING: f64 = 1e-18;

/// Ways of the unknowns of the user since their start.
#[derive(Debug, Clone)]
pub struct StateSizes {
    round_off: f64,
    implicit: Vec<bool>,
    floor: Vec<f64>,
    start: Vec<f64>,
    way: Vec<f64>,
    largest: Vec<f64>,
    rate: Vec<f64>,
    terms: Vec<f64>,
}

impl StateSizes {
    /// Of unknowns that start at `start`, for explicit methods.
    #[must_use]
    pub fn explicit(mechanism: &Mechanism, start: &[f64]) -> Self {
        Self::new(mechanism, start, sizes::EXPLICIT)
    }

    /// Of unknowns that start at `start`, of which the method keeps the part `round_off`.
    pub(crate) fn new(mechanism: &Mechanism, start: &[f64], round_off: f64) -> Self {
        let n = start.len();
        Self {
            round_off,
            implicit: mechanism.user_states().iter().map(|state| state.implicit).collect(),
            floor: mechanism.user_states().iter().map(|state| RESTING * state.size).collect(),
            start: start.to_vec(),
            way: vec![0.0; n],
            largest: start.iter().map(|x| x.abs()).collect(),
            rate: vec![0.0; n],
            terms: vec![0.0; n],
        }
    }

    /// Takes note of the sizes of the terms of each rate.
    pub fn weigh_terms(&mut self, write: impl FnOnce(&mut [f64])) {
        write(&mut self.terms);
    }

    /// Takes note that unknown `k` is at `x` with this rate.
    pub fn follow(&mut self, k: usize, x: f64, rate: f64) {
        self.way[k] = self.way[k].max((x - self.start[k]).abs());
        self.largest[k] = self.largest[k].max(x.abs());
        self.rate[k] = rate;
    }

    /// Writes sizes and absolute tolerances of the unknowns, which stand from `first` on.
    pub fn weigh(&self, weights: &mut ErrorWeights<'_>, first: usize) {
        for k in 0..self.start.len() {
            let size = if self.implicit[k] {
                self.largest[k]
            } else {
                SHARE * self.way[k].max(self.rate[k].abs() * weights.step)
            };
            let round_off = self.round_off * (self.largest[k] + weights.step * self.terms[k]);
            // What rests has a rate by the round-off of the time, too.
            let round_off = if size + round_off > self.floor[k] { round_off } else { self.floor[k] };
            let at = first + k;
            weights.sizes[at] = size;
            weights.absolute[at] = weights.absolute[at].max(round_off);
        }
    }

    /// The first step, of order 1, for second derivatives `second`: the error is half of h^2 x'' then.
    pub(crate) fn first_step(&self, relative: f64, second: &[f64]) -> f64 {
        let mut step = f64::INFINITY;
        for (k, second) in second.iter().enumerate().filter(|(k, _)| !self.implicit[*k]) {
            let by_rate = 2.0 * FIRST * relative * SHARE * self.rate[k].abs() / second.abs();
            let by_round_off = (2.0 * FIRST * self.round_off * self.largest[k] / second.abs()).sqrt();
            let by_terms = 2.0 * FIRST * self.round_off * self.terms[k] / second.abs();
            let own = by_rate.max(by_round_off).max(by_terms);
            if own > 0.0 {
                step = step.min(own);
            }
        }
        step
    }

    /// Numbers that [`StateSizes::save`] appends.
    #[must_use]
    pub fn stored(&self) -> usize {
        5 * self.start.len()
    }

    /// Appends what it remembers.
    pub fn save(&self, store: &mut Vec<f64>) {
        let parts = [&self.start, &self.way, &self.largest, &self.rate, &self.terms];
        parts.into_iter().for_each(|part| store.extend_from_slice(part));
    }

    /// Takes back what [`StateSizes::save`] appended.
    pub fn restore(&mut self, store: &[f64]) {
        let n = self.start.len();
        let parts = [&mut self.start, &mut self.way, &mut self.largest, &mut self.rate, &mut self.terms];
        for (part, saved) in parts.into_iter().zip(store.chunks_exact(n.max(1))) {
            part.copy_from_slice(saved);
        }
    }
}
