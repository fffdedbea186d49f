//! The commands of a circuit that are 1 at the full opening or displacement.

use super::plan::{Part, Plan};
use crate::element::Element;

/// The largest magnitude of each command, and since when it is beyond 1 \[s\].
#[derive(Debug, Clone)]
pub(super) struct Excess {
    /// Part, the place of the command among its variables, and its name.
    pub(super) commands: Vec<(usize, usize, &'static str)>,
    pub(super) seen: Vec<[f64; 2]>,
}

/// The command of a part that is 1 at the full opening or displacement, unless the part limits it.
fn command(part: &Part) -> Option<(usize, &'static str)> {
    match &part.element {
        Element::Spool(valve) if valve.limit.is_none_or(|limit| limit > 1.0) => Some((6, "command")),
        Element::Pump(pump) if pump.adjustment.is_some() => Some((4, "setting")),
        _ => None,
    }
}

impl Excess {
    pub(super) fn new(plan: &Plan) -> Self {
        let parts = plan.parts.iter().enumerate();
        let commands: Vec<_> = parts.filter_map(|(p, part)| command(part).map(|(k, name)| (p, k, name))).collect();
        Self { seen: vec![[0.0, f64::INFINITY]; commands.len()], commands }
    }
}
