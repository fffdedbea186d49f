//! What the further steps depend on.

use super::course::Course;
use super::jumps::Jumps;
use super::schedule::Schedule;
use crate::integrator::copying::kept;
use crate::integrator::dense::DensePosition;
use crate::integrator::statistics::Statistics;
use crate::integrator::switching::Switching;
use crate::integrator::targets::Targets;
use crate::integrator::weights::Weights;

/// All that the further steps depend on, but for the corrector's memory.
#[derive(Debug)]
pub(super) struct State {
    pub(super) course: Course,
    pub(super) schedule: Schedule,
    pub(super) targets: Targets,
    /// How far the last accepted step is handed out.
    pub(super) dense: DensePosition,
    pub(super) weights: Weights,
    pub(super) jumps: Jumps,
    pub(super) switching: Switching,
    pub(super) statistics: Statistics,
}

kept!(State { course, schedule, targets, dense, weights, jumps, switching, statistics });
