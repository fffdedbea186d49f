//! A run of the two partners and its errors against the monolithic solution.

use fourbar_coupling::management::{Statistics, View};
use fourbar_coupling::{Master, Observer, Options, Proceed};

use crate::machine::Machine;
use crate::monolithic::Truth;

/// Largest errors over the communication points, relative to the largest values of the truth.
pub(crate) struct Errors {
    pub(crate) velocity: f64,
    pub(crate) force: f64,
    pub(crate) statistics: Statistics,
}

struct Comparison {
    truth: &'static Truth,
    errors: [f64; 2],
}

impl Observer for Comparison {
    fn exchanged(&mut self, view: &View<'_>) -> Proceed {
        // v1 is the second output of the mechanics, F1 the first of the hydraulics.
        let values = [view.received(0).unwrap().values[1], view.received(1).unwrap().values[0]];
        let truth = self.truth.at(view.time());
        for i in 0..2 {
            self.errors[i] = self.errors[i].max((values[i] - truth[i]).abs() / self.truth.scale[i]);
        }
        // Beyond ten times the largest value nothing is left to measure.
        if self.errors[0] > 10.0 { Proceed::Pause } else { Proceed::Continue }
    }
}

/// Runs to the end; a run that blows up has infinite errors.
pub(crate) fn measure(machine: Machine, options: &Options) -> Errors {
    let (partners, connections) = machine.partners();
    let mut master = Master::new(partners, &connections, options).unwrap();
    let mut comparison = Comparison { truth: Truth::of(machine), errors: [0.0; 2] };
    let finished = master.run(&mut comparison).is_ok_and(|state| state == fourbar_coupling::RunState::Finished);
    let [velocity, force] = if finished { comparison.errors } else { [f64::INFINITY; 2] };
    Errors { velocity, force, statistics: *master.statistics() }
}
