//! Options of a mechanism as a partner.

use crate::function::Variable;

/// What of a mechanism is coupled, and how.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MechanismOptions {
    /// Measured scalars that are outputs, by name and in this order; all of the model if absent.
    pub outputs: Option<Vec<String>>,
    /// Whether derivatives of the outputs are offered, which takes one more solve a communication step. They are if each output is a
    /// position, velocity, angle, distance or an expression of these, and nothing touches.
    pub output_derivatives: bool,
    /// What joints and motions do, as further outputs; none if absent. A mechanism with contacts has none.
    pub reactions: Option<ReactionOutputs>,
}

/// Forces and torques of joints and motions as outputs for those who look at a run: from the multipliers that the last step has, without a further
/// solve; of a mechanism that moves in one plane with one. Nothing may be connected to them: they are as exact as the multipliers.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReactionOutputs {
    /// Constraint sets, as [`Mechanism::constraint_sets`](fourbar_multibody::Mechanism::constraint_sets) counts them, and the name that stands
    /// before `.fx` to `.fz` and `.tx` to `.tz` of each.
    pub sets: Vec<(usize, String)>,
    /// They are taken at the multiples of this time \[s\] and stay what they were between; at each communication point if absent.
    pub every: Option<f64>,
}

/// Components of a wrench, with their units.
const PARTS: [(&str, &str); 6] = [("fx", "N"), ("fy", "N"), ("fz", "N"), ("tx", "N m"), ("ty", "N m"), ("tz", "N m")];
/// Part of the time between two of them that a communication point may be off.
const SAME: f64 = 1e-6;

impl ReactionOutputs {
    /// The variables in their order.
    pub fn variables(&self) -> impl Iterator<Item = Variable> {
        let of =
            |(_, name): &(usize, String)| PARTS.map(|(part, unit)| Variable::output(format!("{name}.{part}"), unit));
        self.sets.iter().flat_map(of).collect::<Vec<_>>().into_iter()
    }

    /// Whether they are taken at `time` \[s\].
    #[must_use]
    pub fn are_taken(&self, time: f64) -> bool {
        self.every.is_none_or(|every| (time / every - (time / every).round()).abs() < SAME)
    }
}
