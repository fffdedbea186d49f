//! Strong coupling: sweeps from the same saved states until the inputs at the end of the step reproduce themselves.

use super::acceleration::FixedPoint;
use super::network::Network;
use super::observer::Observer;
use super::options::{Acceleration, Algorithm};
use super::recovery::Request;
use crate::Error;
use crate::function::Fault;

/// The unknowns of the iteration: the end values of the relations against the order of stepping.
pub(super) struct Unknowns {
    relations: Vec<usize>,
    /// For each relation its place among the unknowns.
    place: Vec<Option<usize>>,
    search: FixedPoint,
    guess: Vec<f64>,
    image: Vec<f64>,
    tolerance: f64,
    max_sweeps: usize,
    /// What can be done where it does not converge.
    remedy: &'static str,
}

fourbar_linalg::stored!(struct Unknowns { search, guess });

impl Unknowns {
    /// Those of `algorithm`, the values of the relations `unknown` of as many as there are.
    pub(super) fn new(algorithm: &Algorithm, unknown: Vec<usize>, relations: usize) -> Self {
        let (acceleration, tolerance, max_sweeps) = match algorithm {
            Algorithm::Iterated { acceleration, tolerance, max_sweeps, .. } => (*acceleration, *tolerance, *max_sweeps),
            _ => (Acceleration::FixedPoint, 0.0, 0),
        };
        let zero = vec![0.0; unknown.len()];
        let mut place = vec![None; relations];
        unknown.iter().enumerate().for_each(|(k, &r)| place[r] = Some(k));
        Self {
            place,
            search: FixedPoint::new(acceleration, unknown.len()),
            relations: unknown,
            guess: zero.clone(),
            image: zero,
            tolerance,
            max_sweeps,
            remedy: algorithm.remedy_of_iteration(),
        }
    }

    /// Sweeps over the partners in the order `sequence` until the unknowns reproduce themselves.
    pub(super) fn iterate(
        &mut self,
        network: &mut Network,
        sequence: &[usize],
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        let scales = &network.scales;
        self.search.begin(self.relations.iter().map(|&r| scales.of(r)));
        self.predict(network);
        let mut residual = f64::INFINITY;
        for sweep in 1..=self.max_sweeps {
            if sweep > 1 {
                network.restore_all(observer)?;
            }
            let target = network.target;
            self.sweep(network, sequence, observer)?;
            network.statistics.sweeps += 1;
            if network.target < target {
                // An event has ended the step before: the sweeps begin anew.
                self.search.begin(self.relations.iter().map(|&r| network.scales.of(r)));
                self.predict(network);
                continue;
            }
            residual = self.residual(network);
            if residual <= self.tolerance {
                network.statistics.most_sweeps = network.statistics.most_sweeps.max(sweep as u64);
                return Ok(());
            }
            self.search.next(&mut self.guess, &self.image);
        }
        network.statistics.most_sweeps = self.max_sweeps as u64;
        network.statistics.unconverged += 1;
        let fault = Fault::NotConverged {
            time: network.clock.base.time(network.target),
            iterations: self.max_sweeps,
            residual,
            tolerance: self.tolerance,
            remedy: self.remedy,
        };
        network.caught_by_run(fault, observer)
    }

    /// Starts from the extrapolated inputs.
    fn predict(&mut self, network: &Network) {
        for k in 0..self.relations.len() {
            let r = self.relations[k];
            self.guess[k] = network.predicted(r);
        }
    }

    fn sweep(&self, network: &mut Network, sequence: &[usize], observer: &mut dyn Observer) -> Result<(), Error> {
        let leg = network.leg();
        for &i in sequence {
            if !network.ready(i, observer)? {
                continue;
            }
            // It answered a sweep too late.
            if network.interfaces[i].position == network.target {
                let result = network.interfaces[i].restore(&network.clock.base);
                network.caught((i, network.clock.now, Request::Restore), result, observer)?;
            }
            let target = network.target;
            let known = |r: usize| self.place[r].map(|k| (target, self.guess[k]));
            network.prepare(i, known);
            if network.start(i, &leg, observer)? {
                network.collect(i, observer)?;
            }
            if network.shortened_by(i) {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Largest change of an unknown over the sweep, relative to its largest value so far.
    fn residual(&mut self, network: &Network) -> f64 {
        let mut largest = 0.0f64;
        for k in 0..self.relations.len() {
            let r = self.relations[k];
            // A value behind an event is none of the step that ends there.
            let jumped = network.has_event(network.interaction.relations()[r].source.0);
            let image = if jumped { self.guess[k] } else { network.interaction.offered(&network.interfaces, r) };
            self.image[k] = image;
            largest = largest.max(network.scales.relative(r, image - self.guess[k], image));
        }
        largest
    }
}
