//! Starts that a model states and a steady start overrules: positions, velocities and speeds of actuators, fluid in accumulators.

use super::Circuit;
use fourbar_linalg::text::Brief;

/// Part of a value by which it may differ without a word: the steady state is known to fewer digits than a stated number has.
const SAME: f64 = 1e-3;

impl Circuit {
    /// Notes which states of components the point `y` (n entries) has otherwise than the model states them. A state at 0 may be one that nobody stated;
    /// the `start` of a node is a guess by its meaning.
    pub(super) fn note_overruled(&mut self, y: &[f64]) {
        let stated = &self.plan.start;
        let differs = |i: &usize| (y[*i] - stated[*i]).abs() > SAME * y[*i].abs().max(stated[*i].abs());
        let states = self.plan.parts.iter().flat_map(|part| part.first_state..part.first_state + part.states);
        self.overruled = states.filter(|&i| stated[i] != 0.0).filter(differs).map(|i| (i, y[i])).collect();
    }

    /// These states by name, with the value stated and the one found.
    pub(super) fn overruled(&self) -> Option<String> {
        let each = self.overruled.iter().map(|&(i, found)| {
            let (name, unit) = &self.plan.names[i];
            format!(
                "{name} at {:.4} {unit} in place of the stated {:.4} {unit}",
                Brief(found),
                Brief(self.plan.start[i])
            )
        });
        let each: Vec<String> = each.collect();
        (!each.is_empty()).then(|| {
            format!(
                "the circuit starts in its steady state, {}; leave these out, or let it start from all stated values by `start = \"values\"` under \
                 [simulation]",
                each.join(", ")
            )
        })
    }
}
