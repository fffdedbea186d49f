//! An exchange (R30 to R33): outputs with feedthrough are brought up to date with the values assigned, then all values pass.

use super::acceleration::FixedPoint;
use super::master::Master;
use super::observer::Observer;
use super::options::Acceleration;
use crate::Error;
use crate::function::Fault;

/// Largest relative change in an algebraic loop that counts as solved.
const LOOP_TOLERANCE: f64 = 1e-12;
/// Evaluations of an algebraic loop at most.
const LOOP_SWEEPS: usize = 50;

/// The unknowns of the algebraic loops: the values of the torn relations.
pub(super) struct LoopSearch {
    search: FixedPoint,
    guess: Vec<f64>,
    image: Vec<f64>,
}

impl LoopSearch {
    pub(super) fn new(scale: Vec<f64>) -> Self {
        let zero = vec![0.0; scale.len()];
        Self { search: FixedPoint::new(Acceleration::Broyden, scale), guess: zero.clone(), image: zero }
    }
}

impl Master {
    /// Brings the feedthrough up to date at `stamp`.
    #[inline]
    pub(super) fn settle(&mut self, stamp: u64, observer: &mut dyn Observer) -> Result<(), Error> {
        if self.dependencies.stages.is_empty() {
            return Ok(());
        }
        if self.dependencies.tears.is_empty() {
            return self.respond(stamp, observer);
        }
        self.solve_loops(stamp, observer)
    }

    /// One pass over the outputs with feedthrough; torn relations take their guesses.
    fn respond(&mut self, stamp: u64, observer: &mut dyn Observer) -> Result<(), Error> {
        for k in 0..self.dependencies.stages.len() {
            let i = self.dependencies.stages[k];
            if !self.clock.is_due(i, stamp) {
                continue;
            }
            let (tears, guess) = (&self.dependencies.tears, &self.loops.guess);
            let known = |r: usize| tears.iter().position(|&tear| tear == r).map(|k| guess[k]);
            self.interaction.assign(&mut self.interfaces, i, stamp, known);
            let result = self.interfaces[i].respond(&self.clock.base, stamp);
            self.caught_sample(i, stamp, result, observer)?;
        }
        Ok(())
    }

    #[cold]
    fn solve_loops(&mut self, stamp: u64, observer: &mut dyn Observer) -> Result<(), Error> {
        let n = self.dependencies.tears.len();
        for k in 0..n {
            self.loops.guess[k] = self.interaction.offered(&self.interfaces, self.dependencies.tears[k]);
        }
        self.loops.search.begin();
        let mut change = f64::INFINITY;
        for _ in 0..LOOP_SWEEPS {
            self.respond(stamp, observer)?;
            change = 0.0;
            for k in 0..n {
                let r = self.dependencies.tears[k];
                let value = self.interaction.offered(&self.interfaces, r);
                self.loops.image[k] = value;
                let scale = value.abs().max(self.scale[r]);
                change = f64::max(change, (value - self.loops.guess[k]).abs() / scale);
            }
            if change <= LOOP_TOLERANCE {
                return Ok(());
            }
            self.loops.search.next(&mut self.loops.guess, &self.loops.image);
        }
        let time = self.clock.base.time(stamp);
        let fault = Fault::NotConverged { time, iterations: LOOP_SWEEPS, residual: change, tolerance: LOOP_TOLERANCE };
        self.caught_by_run(fault, observer)
    }

    /// Lets all values pass to the partners due at `stamp`.
    #[inline]
    pub(super) fn pass(&mut self, stamp: u64) {
        let clock = &self.clock;
        self.interaction.pass(&self.interfaces, |i| clock.is_due(i, stamp));
        if self.tracks_scale {
            for r in 0..self.scale.len() {
                self.scale[r] = self.scale[r].max(self.interaction.history(r).newest().abs());
            }
        }
    }

    /// The first exchange: samples what depends on no connected input, then follows the feedthrough. Whoever had an input set by hand is told
    /// first.
    pub(super) fn initial_exchange(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        for i in 0..self.interfaces.len() {
            if self.dependencies.independent[i] {
                let (interface, base) = (&mut self.interfaces[i], &self.clock.base);
                let told = self.preset.contains(&i);
                let result = if told { interface.respond(base, 0) } else { interface.sample(base, 0) };
                self.caught_sample(i, 0, result, observer)?;
            }
        }
        self.settle(0, observer)?;
        self.pass(0);
        Ok(())
    }
}
