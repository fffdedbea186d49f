//! What signals of time drive.

use super::plan::{Plan, Row, Variable};
use fourbar_dae::samples::Samples;

/// What is sampled.
#[derive(Debug, Clone, Copy)]
pub(super) enum Sampled {
    /// What a part does to an equation.
    Row(usize, Row),
    /// What leaves an end of a line.
    Wave(usize, usize),
}

/// What signals of time drive.
#[derive(Debug, Clone, Default)]
pub(super) struct Timed {
    pub(super) signals: Vec<usize>,
    pub(super) parts: Vec<usize>,
    pub(super) sampled: Vec<Sampled>,
    /// Whether a signal reads the time itself, not only inputs.
    pub(super) on_time: bool,
    pub(super) samples: Samples,
    /// Change of the residual for a unit of each.
    pub(super) factors: Vec<f64>,
    pub(super) residual: Vec<f64>,
}

impl Timed {
    pub(super) fn new(plan: &Plan) -> Self {
        // Slots are the time, the inputs, the unknowns.
        let last = plan.inputs.len();
        let signals: Vec<usize> =
            (0..plan.signals.len()).filter(|&i| plan.signals[i].slots().iter().any(|slot| *slot <= last)).collect();
        let on_time = signals.iter().any(|&i| plan.signals[i].slots().contains(&0));
        let is_timed = |variable: &Variable| matches!(variable, Variable::Signal(i) if signals.contains(i));
        let parts: Vec<usize> =
            (0..plan.parts.len()).filter(|&p| plan.parts[p].variables.iter().any(is_timed)).collect();
        let rows = parts.iter().flat_map(|&p| plan.parts[p].rows.iter().map(move |&row| Sampled::Row(p, row)));
        let lines = (0..plan.lines.len()).filter(|&k| parts.contains(&plan.lines[k].part));
        let waves = lines.flat_map(|k| [0, 1].map(|end| Sampled::Wave(k, end)));
        let sampled: Vec<Sampled> = rows.chain(waves).collect();
        let samples = Samples::new(sampled.len());
        let (factors, residual) = (vec![0.0; sampled.len()], vec![0.0; plan.unknowns.len()]);
        Self { signals, parts, sampled, on_time, samples, factors, residual }
    }
}
