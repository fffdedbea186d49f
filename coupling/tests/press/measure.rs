//! A run of the two partners and its errors against the monolithic solution.

use fourbar_coupling::management::{Statistics, View};
use fourbar_coupling::{Master, Observer, Options, Proceed};

use fourbar_coupling::{Connection, Partner};

use crate::press::machine::Machine;
use crate::press::monolithic::Truth;

/// Largest errors over the communication points, relative to the largest values of the truth.
pub(crate) struct Errors {
    pub(crate) velocity: f64,
    pub(crate) force: f64,
    pub(crate) statistics: Statistics,
}

struct Comparison {
    truth: &'static Truth,
    /// Which output of the hydraulics is F1; that of the mechanics for v1 is the second.
    force: usize,
    errors: [f64; 2],
}

impl Observer for Comparison {
    fn exchanged(&mut self, view: &View<'_>) -> Proceed {
        let values = [view.received(0).unwrap().values[1], view.received(1).unwrap().values[self.force]];
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
    measure_partners(machine, (partners, &connections, 0), options)
}

/// As [`measure`], with the mechanics, the hydraulics and their connections, and the index of F1 among the outputs of the hydraulics.
pub(crate) fn measure_partners(
    machine: Machine,
    (partners, connections, force): (Vec<Partner>, &[Connection], usize),
    options: &Options,
) -> Errors {
    let mut master = Master::new(partners, connections, options).unwrap();
    let mut comparison = Comparison { truth: Truth::of(machine), force, errors: [0.0; 2] };
    let finished = master.run(&mut comparison).is_ok_and(|state| state == fourbar_coupling::RunState::Finished);
    let [velocity, force] = if finished { comparison.errors } else { [f64::INFINITY; 2] };
    Errors { velocity, force, statistics: *master.statistics() }
}
