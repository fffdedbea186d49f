//! An exchange (R30 to R33): outputs with feedthrough are brought up to date with the values assigned, then all values pass.

use super::acceleration::FixedPoint;
use super::master::Master;
use super::observer::Observer;
use super::options::Acceleration;
use super::recovery::Request;
use crate::Error;
use crate::function::interface::Interface;
use crate::function::{Causality, Fault};

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
    pub(super) fn new(unknowns: usize) -> Self {
        let zero = vec![0.0; unknowns];
        Self { search: FixedPoint::new(Acceleration::Broyden, unknowns), guess: zero.clone(), image: zero }
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
            // One that is still silent is held at this point already.
            let held = self.interfaces[i].is_waiting() && self.interfaces[i].received.stamp == stamp;
            if held || !self.clock.is_due(i, stamp) {
                continue;
            }
            let (tears, guess) = (&self.dependencies.tears, &self.loops.guess);
            let known = |r: usize| tears.iter().position(|&tear| tear == r).map(|k| guess[k]);
            self.interaction.assign(&mut self.interfaces, i, stamp, &self.clock.base, known);
            let result = self.interfaces[i].respond(&self.clock.base, stamp);
            self.caught((i, stamp, Request::Respond), result, observer)?;
        }
        Ok(())
    }

    #[cold]
    fn solve_loops(&mut self, stamp: u64, observer: &mut dyn Observer) -> Result<(), Error> {
        let n = self.dependencies.tears.len();
        for k in 0..n {
            let r = self.dependencies.tears[k];
            self.loops.guess[k] = self.interaction.present(&self.interfaces, r, stamp, &self.clock.base);
        }
        let (scales, tears) = (&self.scales, &self.dependencies.tears);
        self.loops.search.begin(tears.iter().map(|&r| scales.of(r)));
        let mut worst = (f64::INFINITY, 0);
        let mut evaluations = 0;
        // A guess that has left all range is as good as none.
        while evaluations < LOOP_SWEEPS && self.loops.guess.iter().all(|guess| guess.is_finite()) {
            self.respond(stamp, observer)?;
            evaluations += 1;
            worst = self.change_around_loops(stamp);
            if worst.0 <= LOOP_TOLERANCE {
                return Ok(());
            }
            self.loops.search.next(&mut self.loops.guess, &self.loops.image);
        }
        let fault = Fault::AlgebraicLoop {
            time: self.clock.base.time(stamp),
            connections: self.connections_along(worst.1),
            evaluations,
            residual: worst.0,
            tolerance: LOOP_TOLERANCE,
            initial: stamp == 0,
        };
        self.caught_by_run(fault, observer)
    }

    /// What the guesses of the torn relations become once round: the largest relative change, and of which loop it is.
    fn change_around_loops(&mut self, stamp: u64) -> (f64, usize) {
        let mut worst = (0.0, 0);
        for k in 0..self.dependencies.tears.len() {
            let r = self.dependencies.tears[k];
            let value = self.interaction.present(&self.interfaces, r, stamp, &self.clock.base);
            self.loops.image[k] = value;
            let change = self.scales.relative(r, value - self.loops.guess[k], value);
            // A NaN is the largest change there is.
            if !(change <= worst.0) {
                worst = (change, k);
            }
        }
        worst
    }

    /// The connections along a loop, as "a.y -> b.u".
    fn connections_along(&self, k: usize) -> Vec<String> {
        self.dependencies.around[k].iter().map(|&r| self.connection_name(r)).collect()
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

    /// The first exchange: samples what depends on no connected input, then follows the feedthrough. Whoever had an input set by hand is told
    /// first.
    pub(super) fn initial_exchange(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        if self.saves {
            self.save_all(observer)?;
        }
        for i in 0..self.interfaces.len() {
            if self.dependencies.independent[i] {
                let (interface, base) = (&mut self.interfaces[i], &self.clock.base);
                let told = self.preset.contains(&i);
                let (request, result) = match told {
                    true => (Request::Respond, interface.respond(base, 0)),
                    false => (Request::Sample, interface.sample(base, 0)),
                };
                self.caught((i, 0, request), result, observer)?;
            }
        }
        self.settle(0, observer)?;
        self.begin_estimate();
        self.pass(0);
        Ok(())
    }
}
