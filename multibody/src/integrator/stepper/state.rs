//! What the further steps depend on.

use super::jumps::Jumps;
use crate::integrator::controller::Growth;
use crate::integrator::copying::kept;
use crate::integrator::dense::DensePosition;
use crate::integrator::lanes::Vector;
use crate::integrator::nordsieck::Nordsieck;
use crate::integrator::statistics::Statistics;
use crate::integrator::switching::Switching;
use crate::integrator::targets::Targets;
use crate::integrator::weights::Weights;

/// All that the further steps depend on, but for the corrector's memory.
#[derive(Debug)]
pub(super) struct State {
    pub(super) time: f64,
    /// Start of the last accepted step.
    pub(super) previous: f64,
    pub(super) targets: Targets,
    /// How far the last accepted step is handed out.
    pub(super) dense: DensePosition,
    pub(super) history: Nordsieck,
    pub(super) yp: Vector,
    /// y - y_p of the last accepted step and of the one before.
    pub(super) delta: Vector,
    pub(super) delta_before: Vector,
    /// Whether those two steps had the same length and order.
    pub(super) deltas_match: bool,
    pub(super) weights: Weights,
    /// Order and length planned for the next step.
    pub(super) order: usize,
    pub(super) step: f64,
    /// Accepted steps to wait before the next change.
    pub(super) hold: usize,
    /// Before the first change of the step.
    pub(super) starting: bool,
    pub(super) growth: Growth,
    pub(super) jumps: Jumps,
    pub(super) switching: Switching,
    pub(super) statistics: Statistics,
}

kept!(State {
    time,
    previous,
    targets,
    dense,
    history,
    yp,
    delta,
    delta_before,
    deltas_match,
    weights,
    order,
    step,
    hold,
    starting,
    growth,
    jumps,
    switching,
    statistics
});
