//! Strong coupling: sweeps from the same saved states until the inputs at the end of the step reproduce themselves.

use super::acceleration::FixedPoint;
use super::master::Master;
use super::observer::Observer;
use super::recovery::Request;
use crate::Error;
use crate::function::Fault;

/// The unknowns of the iteration: the end values of the relations against the order of stepping.
pub(super) struct Unknowns {
    pub(super) relations: Vec<usize>,
    /// For each relation its place among the unknowns.
    pub(super) place: Vec<Option<usize>>,
    pub(super) search: FixedPoint,
    pub(super) guess: Vec<f64>,
    pub(super) image: Vec<f64>,
    pub(super) tolerance: f64,
    pub(super) max_sweeps: usize,
    /// What can be done where it does not converge.
    pub(super) remedy: &'static str,
}

impl Master {
    pub(super) fn iterate(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        let scales = &self.scales;
        self.iteration.search.begin(self.iteration.relations.iter().map(|&r| scales.of(r)));
        self.predict_unknowns();
        let mut residual = f64::INFINITY;
        for sweep in 1..=self.iteration.max_sweeps {
            if sweep > 1 {
                self.restore_all(observer)?;
            }
            self.sweep(observer)?;
            self.statistics.sweeps += 1;
            residual = self.residual();
            if residual <= self.iteration.tolerance {
                self.statistics.most_sweeps = self.statistics.most_sweeps.max(sweep as u64);
                return Ok(());
            }
            let unknowns = &mut self.iteration;
            unknowns.search.next(&mut unknowns.guess, &unknowns.image);
        }
        self.statistics.most_sweeps = self.iteration.max_sweeps as u64;
        self.statistics.unconverged += 1;
        let fault = Fault::NotConverged {
            time: self.clock.base.time(self.target),
            iterations: self.iteration.max_sweeps,
            residual,
            tolerance: self.iteration.tolerance,
            remedy: self.iteration.remedy,
        };
        self.caught_by_run(fault, observer)
    }

    /// Starts from the extrapolated inputs.
    fn predict_unknowns(&mut self) {
        for k in 0..self.iteration.relations.len() {
            let r = self.iteration.relations[k];
            self.iteration.guess[k] = self.predicted(r);
        }
    }

    fn sweep(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        let leg = self.leg();
        for k in 0..self.sequence.len() {
            let i = self.sequence[k];
            if !self.ready(i, observer)? {
                continue;
            }
            // It answered a sweep too late.
            if self.interfaces[i].position == self.target {
                let result = self.interfaces[i].restore(&self.clock.base);
                self.caught((i, self.clock.now, Request::Restore), result, observer)?;
            }
            let (target, unknowns) = (self.target, &self.iteration);
            let known = |r: usize| unknowns.place[r].map(|k| (target, unknowns.guess[k]));
            self.interaction.prepare(&mut self.interfaces, i, &self.clock.base, known);
            if self.start(i, &leg, observer)? {
                self.collect(i, observer)?;
            }
        }
        Ok(())
    }

    /// Largest change of an unknown over the sweep, relative to its largest value so far.
    fn residual(&mut self) -> f64 {
        let mut largest = 0.0f64;
        for k in 0..self.iteration.relations.len() {
            let r = self.iteration.relations[k];
            let image = self.interaction.offered(&self.interfaces, r);
            self.iteration.image[k] = image;
            largest = largest.max(self.scales.relative(r, image - self.iteration.guess[k], image));
        }
        largest
    }
}
