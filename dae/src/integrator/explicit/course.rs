//! What the further steps depend on, whatever the formula.

use super::weighing::Weighing;
use crate::integrator::copying::kept;
use crate::integrator::dense::DensePosition;
use crate::integrator::statistics::Statistics;
use crate::integrator::switching::Switching;
use crate::integrator::targets::Targets;

/// The last accepted step.
#[derive(Debug)]
pub struct Leg {
    /// Its end \[s\], and its start.
    pub(in crate::integrator) time: f64,
    pub(in crate::integrator) previous: f64,
    /// y at its end and at its start.
    pub(in crate::integrator) y: Vec<f64>,
    pub(in crate::integrator) start: Vec<f64>,
}

kept!(Leg { time, previous, y, start });

/// The course of a run up to its last accepted step, and what is planned.
#[derive(Debug)]
pub struct Course {
    pub(in crate::integrator) leg: Leg,
    /// Whether there is a step that the next one has not been opened behind.
    pub(super) stepped: bool,
    /// Whether coordinates or f have changed since: f is still to be evaluated; and whether it or y has jumped.
    pub(super) stale: bool,
    pub(super) jumped: bool,
    pub(super) targets: Targets,
    pub(super) dense: DensePosition,
    pub(super) switching: Switching,
    /// Length planned for the next step \[s\]; 0 before the first.
    pub(in crate::integrator) step: f64,
    pub(in crate::integrator) weighing: Weighing,
    pub(in crate::integrator) statistics: Statistics,
}

kept!(Course { leg, stepped, stale, jumped, targets, dense, switching, step, weighing, statistics });

impl Course {
    pub(in crate::integrator) fn new(time: f64, weighing: Weighing) -> Self {
        let n = weighing.tested.len();
        Self {
            leg: Leg { time, previous: time, y: vec![0.0; n], start: vec![0.0; n] },
            stepped: false,
            stale: false,
            jumped: false,
            targets: Targets::new(time),
            dense: DensePosition::new(n),
            switching: Switching::default(),
            step: 0.0,
            weighing,
            statistics: Statistics::default(),
        }
    }

    /// Whether one that was read is sound, for so many root functions.
    pub(super) fn fits(&self, roots: usize) -> bool {
        let Leg { previous, time, .. } = self.leg;
        self.step.is_finite()
            && previous <= time
            && (previous..=time).contains(&self.dense.time())
            && self.dense.roots() == roots
    }
}

/// Round-off of settling over that of unknowns: rows are closed to some units of it, and unknowns follow from them by a matrix. Near a start from rest
/// nothing else is there to measure by.
const SETTLED: f64 = 16.0;

/// Workspace of an attempt.
#[derive(Debug, Clone)]
pub struct Scratch {
    /// Point of a stage, then the trial end of the step.
    pub(in crate::integrator) trial: Vec<f64>,
    /// |local error| in tolerances, of each unknown, of the last attempt.
    pub(in crate::integrator) error: Vec<f64>,
    /// What the slopes of an attempt do not see, of each unknown.
    pub(super) missed: Vec<f64>,
    /// Length of the last attempt at this step whose end was settled \[s\], and what that moved, in tolerances.
    pub(super) settled: Option<(f64, f64)>,
}

impl Scratch {
    /// For n unknowns.
    pub(in crate::integrator) fn new(n: usize) -> Self {
        Self { trial: vec![0.0; n], error: vec![0.0; n], missed: vec![0.0; n], settled: None }
    }

    /// Largest change from `missed` to `trial` in `allowed` tolerances, NaN counted as infinite; where it is larger than the error of an unknown, it
    /// counts as that. A change that does not shrink as the attempts at a step of length `h` do is round-off, near a singular position, or a jump of what is
    /// prescribed: no shorter step has less of it.
    pub(super) fn judge_change(&mut self, course: &Course, h: f64, allowed: f64) -> f64 {
        let Self { trial, error, missed, settled } = self;
        let mut norm = 0.0;
        for (i, (end, before)) in trial.iter().zip(missed).enumerate() {
            if end == before || !course.weighing.tested[i] {
                continue;
            }
            let weight = allowed * course.weighing.weight_of_step(i, course.leg.y[i], *end);
            let weight = weight + SETTLED * course.weighing.absolute(i);
            let change = (end - *before).abs() / weight;
            let change = if change.is_nan() { f64::INFINITY } else { change };
            error[i] = error[i].max(change);
            norm = f64::max(norm, change);
        }
        let before = settled.replace((h, norm));
        if before.is_some_and(|(length, before)| norm * length > before * h) { 0.0 } else { norm }
    }

    /// Largest of `estimates` over the weights of the step to `trial`, NaN counted as infinite.
    pub(in crate::integrator) fn judge(&mut self, course: &Course, mut estimate: impl FnMut(usize) -> f64) -> f64 {
        let mut norm = 0.0;
        for (i, error) in self.error.iter_mut().enumerate() {
            *error = estimate(i).abs() / course.weighing.weight_of_step(i, course.leg.y[i], self.trial[i]);
            if course.weighing.tested[i] && !(*error <= norm) {
                norm = if error.is_nan() { f64::INFINITY } else { *error };
            }
        }
        norm
    }
}
