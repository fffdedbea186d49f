//! What has a range that the laws of components do not keep: commands that are 1 at the full opening or displacement, rods in their strokes.

use super::plan::{Part, Plan};
use crate::element::Element;

/// Round-off of what is meant to be at an end of its range, as part of the range.
const ROUND_OFF: f64 = 1e-9;

/// A variable of a part with its range.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ranged {
    pub(super) part: usize,
    /// Its place among the variables of the part.
    pub(super) variable: usize,
    pub(super) name: &'static str,
    pub(super) range: [f64; 2],
}

/// What has a range; the value farthest beyond it so far, and since when it is beyond \[s\].
#[derive(Debug, Clone, Default)]
pub(super) struct Excess {
    pub(super) ranged: Vec<Ranged>,
    pub(super) seen: Vec<[f64; 2]>,
}

/// The command of a part that is 1 at the full opening or displacement, unless the part limits it; the rod of a cylinder without stops.
fn ranged(part: usize, of: &Part) -> Option<Ranged> {
    let (variable, name, range) = match &of.element {
        Element::Spool(valve) if valve.limit.is_none_or(|limit| limit > 1.0) => (6, "command", [-1.0, 1.0]),
        Element::Pump(pump) if pump.adjustment.is_some() => (4, "setting", [-1.0, 1.0]),
        Element::Cylinder(cylinder) if cylinder.stops.is_none() => (2, "position", [0.0, cylinder.stroke]),
        _ => return None,
    };
    Some(Ranged { part, variable, name, range })
}

impl Ranged {
    /// How far `value` is beyond the range; 0 within, and where round-off puts it.
    pub(super) fn beyond(&self, value: f64) -> f64 {
        let [low, high] = self.range;
        let beyond = (value - high).max(low - value);
        if beyond > ROUND_OFF * (high - low) { beyond } else { 0.0 }
    }
}

impl Excess {
    pub(super) fn new(plan: &Plan) -> Self {
        let ranged: Vec<_> = plan.parts.iter().enumerate().filter_map(|(p, part)| ranged(p, part)).collect();
        let seen = ranged.iter().map(|of| [of.range[1], f64::INFINITY]).collect();
        Self { ranged, seen }
    }
}
