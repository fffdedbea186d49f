//! An exchange (R30 to R33): outputs with feedthrough are brought up to date with the values assigned, then all values pass.

use super::acceleration::FixedPoint;
use super::dependency::Dependencies;
use super::network::Network;
use super::newton::{self, Found};
use super::observer::Observer;
use super::options::Acceleration;
use super::recovery::Request;
use crate::Error;
use crate::function::Fault;

/// Largest relative change in an algebraic loop that counts as solved.
pub(super) const LOOP_TOLERANCE: f64 = 1e-12;
/// Evaluations of an algebraic loop at most, by the quasi-Newton method.
const LOOP_SWEEPS: usize = 50;
/// Largest relative change at which a search is near to its solution: half of the digits.
const NEAR: f64 = 1e-8;

/// What follows inputs without delay, and the values of the torn relations: the unknowns of the algebraic loops.
pub(super) struct Feedthrough {
    dependencies: Dependencies,
    search: FixedPoint,
    guess: Vec<f64>,
    image: Vec<f64>,
    /// Values from which unknowns are sought: at the start those that the model states.
    first: Vec<f64>,
    /// Sizes of the unknowns.
    sizes: Vec<f64>,
    /// Whether loops that cannot be solved are left as they are: the algorithm delays what goes through them.
    is_lenient: bool,
}

fourbar_linalg::stored!(struct Feedthrough { search, guess });

impl Feedthrough {
    pub(super) fn new(dependencies: Dependencies) -> Self {
        let unknowns = dependencies.tears.len();
        let zero = vec![0.0; unknowns];
        let search = FixedPoint::new(Acceleration::Broyden, unknowns);
        let (first, sizes) = (zero.clone(), zero.clone());
        Self { dependencies, search, guess: zero.clone(), image: zero, first, sizes, is_lenient: false }
    }

    /// The same for a start whose loops may stay open.
    pub(super) fn lenient(self) -> Self {
        Self { is_lenient: true, ..self }
    }

    /// Whether nothing follows inputs without delay.
    pub(super) fn is_empty(&self) -> bool {
        self.dependencies.stages.is_empty()
    }

    /// The algebraic loops: the outputs along each, by name.
    pub(super) fn loops(&self) -> &[Vec<String>] {
        &self.dependencies.loops
    }

    /// Partners with an output that depends on no connected input.
    pub(super) fn is_independent(&self, i: usize) -> bool {
        self.dependencies.independent[i]
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
        for (first, &r) in self.first.iter_mut().zip(&self.dependencies.tears) {
            *first = network.interaction.present(&network.interfaces, r, stamp, &network.clock.base);
        }
        self.solve_loops(network, stamp, observer)
    }

    /// The same at the start, where loops are solved from the values that the model states.
    #[cold]
    pub(super) fn settle_start(&mut self, network: &mut Network, observer: &mut dyn Observer) -> Result<(), Error> {
        if self.dependencies.tears.is_empty() {
            return self.settle(network, 0, observer);
        }
        for (first, &r) in self.first.iter_mut().zip(&self.dependencies.tears) {
            *first = network.stated(r);
        }
        self.solve_loops(network, 0, observer)
    }

    /// The same of the partners `due` alone, whose faults nobody hears of.
    #[cold]
    pub(super) fn settle_among(
        &mut self,
        network: &mut Network,
        stamp: u64,
        due: &dyn Fn(usize) -> bool,
    ) -> Result<(), Error> {
        let all = std::mem::take(&mut self.dependencies.stages);
        self.dependencies.stages = all.iter().copied().filter(|&i| due(i)).collect();
        let settled = self.settle(network, stamp, &mut ());
        self.dependencies.stages = all;
        settled
    }

    /// One pass over the outputs with feedthrough; torn relations take their guesses.
    fn respond(&mut self, network: &mut Network, stamp: u64, observer: &mut dyn Observer) -> Result<(), Error> {
        for k in 0..self.dependencies.stages.len() {
            let i = self.dependencies.stages[k];
            if let Some(result) = self.respond_one(network, i, stamp) {
                network.caught((i, stamp, Request::Respond), result, observer)?;
            }
        }
        Ok(())
    }

    /// The same as a trial: false where a value is no number.
    fn try_respond(&mut self, network: &mut Network, stamp: u64, observer: &mut dyn Observer) -> Result<bool, Error> {
        for k in 0..self.dependencies.stages.len() {
            let i = self.dependencies.stages[k];
            match self.respond_one(network, i, stamp) {
                Some(Err(fault)) if fault.is_no_number() => return Ok(false),
                Some(result) => network.caught((i, stamp, Request::Respond), result, observer)?,
                None => {}
            }
        }
        Ok(true)
    }

    /// Brings the outputs of partner i up to date; nothing where it takes no part or is held.
    fn respond_one(&self, network: &mut Network, i: usize, stamp: u64) -> Option<Result<(), Box<Fault>>> {
        // One that is still silent is held at this point already.
        let held = network.interfaces[i].is_waiting() && network.interfaces[i].received.stamp == stamp;
        if held || !network.clock.is_due(i, stamp) {
            return None;
        }
        let (tears, guess) = (&self.dependencies.tears, &self.guess);
        let known = |r: usize| tears.iter().position(|&tear| tear == r).map(|k| guess[k]);
        network.interaction.assign(&mut network.interfaces, i, stamp, &network.clock.base, known);
        Some(network.interfaces[i].respond(&network.clock.base, stamp))
    }

    #[cold]
    fn solve_loops(&mut self, network: &mut Network, stamp: u64, observer: &mut dyn Observer) -> Result<(), Error> {
        self.guess.copy_from_slice(&self.first);
        let (scales, tears) = (&network.scales, &self.dependencies.tears);
        self.search.begin(tears.iter().map(|&r| scales.of(r)));
        let mut worst = (f64::INFINITY, 0);
        let mut evaluations = 0;
        // A guess that has left all range is as good as none.
        while evaluations < LOOP_SWEEPS && self.guess.iter().all(|guess| guess.is_finite()) {
            evaluations += 1;
            if !self.try_respond(network, stamp, observer)? {
                break;
            }
            worst = self.change_around_loops(network, stamp);
            if worst.0 <= LOOP_TOLERANCE {
                return Ok(());
            }
            self.search.next(&mut self.guess, &self.image);
            // At high gains round-off of the guesses is all that is left.
            let stands = |(guess, image): (&f64, &f64)| (guess - image).abs() <= LOOP_TOLERANCE * image.abs();
            if evaluations > 2 && self.guess.iter().zip(self.search.point()).all(stands) {
                break;
            }
        }
        match self.newton(network, stamp, worst.0, observer)? {
            Found::Solution => Ok(()),
            Found::Nothing { residual, evaluations: more } if !self.is_lenient => {
                let fault = Fault::AlgebraicLoop {
                    time: network.clock.base.time(stamp),
                    connections: self.connections_along(network, worst.1),
                    evaluations: evaluations + more,
                    residual: if residual.is_finite() { residual } else { worst.0 },
                    tolerance: LOOP_TOLERANCE,
                    initial: stamp == 0,
                };
                network.caught_by_run(fault, observer)
            }
            Found::NoNumber if !self.is_lenient => {
                // In the words of whose values they are.
                self.guess.copy_from_slice(&self.first);
                self.respond(network, stamp, observer)
            }
            Found::Nothing { .. } | Found::NoNumber => Ok(()),
        }
    }

    /// Seeks the solution by Newton's method from where the search began.
    fn newton(
        &mut self,
        network: &mut Network,
        stamp: u64,
        residual: f64,
        observer: &mut dyn Observer,
    ) -> Result<Found, Error> {
        let mut sizes = std::mem::take(&mut self.sizes);
        sizes.iter_mut().zip(&self.dependencies.tears).for_each(|(size, &r)| *size = network.scales.of(r));
        // From where the search stands, if that is near.
        let mut x = if residual <= NEAR { self.guess.clone() } else { self.first.clone() };
        let found = newton::solve(&mut x, &sizes, LOOP_TOLERANCE, |x, image| {
            self.guess.copy_from_slice(x);
            if !self.try_respond(network, stamp, observer)? {
                return Ok(false);
            }
            self.change_around_loops(network, stamp);
            image.copy_from_slice(&self.image);
            Ok(true)
        });
        self.sizes = sizes;
        found
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
}
