//! An exchange (R30 to R33): outputs with feedthrough are brought up to date with the values assigned, then all values pass.

use super::acceleration::FixedPoint;
use super::dependency::Dependencies;
use super::network::Network;
use super::observer::Observer;
use super::options::Acceleration;
use super::recovery::Request;
use crate::Error;
use crate::function::Fault;

/// Largest relative change in an algebraic loop that counts as solved.
const LOOP_TOLERANCE: f64 = 1e-12;
/// Evaluations of an algebraic loop at most.
const LOOP_SWEEPS: usize = 50;

/// What follows inputs without delay, and the values of the torn relations: the unknowns of the algebraic loops.
pub(super) struct Feedthrough {
    dependencies: Dependencies,
    search: FixedPoint,
    guess: Vec<f64>,
    image: Vec<f64>,
}

fourbar_linalg::stored!(struct Feedthrough { search, guess });

impl Feedthrough {
    pub(super) fn new(dependencies: Dependencies) -> Self {
        let unknowns = dependencies.tears.len();
        let zero = vec![0.0; unknowns];
        let search = FixedPoint::new(Acceleration::Broyden, unknowns);
        Self { dependencies, search, guess: zero.clone(), image: zero }
    }

    /// Whether nothing follows inputs without delay.
    pub(super) fn is_empty(&self) -> bool {
        self.dependencies.stages.is_empty()
    }

    /// The algebraic loops: the outputs along each, by name.
    pub(super) fn loops(&self) -> &[Vec<String>] {
        &self.dependencies.loops
    }

    /// Brings the feedthrough up to date at `stamp`.
    #[inline]
    pub(super) fn settle(
        &mut self,
        network: &mut Network,
        stamp: u64,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        if self.dependencies.stages.is_empty() {
            return Ok(());
        }
        if self.dependencies.tears.is_empty() {
            return self.respond(network, stamp, observer);
        }
        self.solve_loops(network, stamp, observer)
    }

    /// One pass over the outputs with feedthrough; torn relations take their guesses.
    fn respond(&mut self, network: &mut Network, stamp: u64, observer: &mut dyn Observer) -> Result<(), Error> {
        for k in 0..self.dependencies.stages.len() {
            let i = self.dependencies.stages[k];
            // One that is still silent is held at this point already.
            let held = network.interfaces[i].is_waiting() && network.interfaces[i].received.stamp == stamp;
            if held || !network.clock.is_due(i, stamp) {
                continue;
            }
            let (tears, guess) = (&self.dependencies.tears, &self.guess);
            let known = |r: usize| tears.iter().position(|&tear| tear == r).map(|k| guess[k]);
            network.interaction.assign(&mut network.interfaces, i, stamp, &network.clock.base, known);
            let result = network.interfaces[i].respond(&network.clock.base, stamp);
            network.caught((i, stamp, Request::Respond), result, observer)?;
        }
        Ok(())
    }

    #[cold]
    fn solve_loops(&mut self, network: &mut Network, stamp: u64, observer: &mut dyn Observer) -> Result<(), Error> {
        let n = self.dependencies.tears.len();
        for k in 0..n {
            let r = self.dependencies.tears[k];
            self.guess[k] = network.interaction.present(&network.interfaces, r, stamp, &network.clock.base);
        }
        let (scales, tears) = (&network.scales, &self.dependencies.tears);
        self.search.begin(tears.iter().map(|&r| scales.of(r)));
        let mut worst = (f64::INFINITY, 0);
        let mut evaluations = 0;
        // A guess that has left all range is as good as none.
        while evaluations < LOOP_SWEEPS && self.guess.iter().all(|guess| guess.is_finite()) {
            self.respond(network, stamp, observer)?;
            evaluations += 1;
            worst = self.change_around_loops(network, stamp);
            if worst.0 <= LOOP_TOLERANCE {
                return Ok(());
            }
            self.search.next(&mut self.guess, &self.image);
        }
        let fault = Fault::AlgebraicLoop {
            time: network.clock.base.time(stamp),
            connections: self.connections_along(network, worst.1),
            evaluations,
            residual: worst.0,
            tolerance: LOOP_TOLERANCE,
            initial: stamp == 0,
        };
        network.caught_by_run(fault, observer)
    }

    /// What the guesses of the torn relations become once round: the largest relative change, and of which loop it is.
    fn change_around_loops(&mut self, network: &Network, stamp: u64) -> (f64, usize) {
        let mut worst = (0.0, 0);
        for k in 0..self.dependencies.tears.len() {
            let r = self.dependencies.tears[k];
            let value = network.interaction.present(&network.interfaces, r, stamp, &network.clock.base);
            self.image[k] = value;
            let change = network.scales.relative(r, value - self.guess[k], value);
            // A NaN is the largest change there is.
            if !(change <= worst.0) {
                worst = (change, k);
            }
        }
        worst
    }

    /// The connections along a loop, as "a.y -> b.u".
    fn connections_along(&self, network: &Network, k: usize) -> Vec<String> {
        self.dependencies.around[k].iter().map(|&r| network.connection_name(r)).collect()
    }

    /// Samples what depends on no connected input, then follows the feedthrough: the first exchange. Partners with an input that was `preset` by
    /// hand are told first.
    pub(super) fn begin(
        &mut self,
        network: &mut Network,
        preset: &[usize],
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        for i in 0..network.interfaces.len() {
            if self.dependencies.independent[i] {
                let (interface, base) = (&mut network.interfaces[i], &network.clock.base);
                let told = preset.contains(&i);
                let (request, result) = match told {
                    true => (Request::Respond, interface.respond(base, 0)),
                    false => (Request::Sample, interface.sample(base, 0)),
                };
                network.caught((i, 0, request), result, observer)?;
            }
        }
        self.settle(network, 0, observer)
    }
}
