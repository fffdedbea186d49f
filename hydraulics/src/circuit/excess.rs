//! Commands beyond the full opening or displacement, and rods beyond their strokes, over a run: units taken for others (percent, volts, millimetres) go
//! through the laws unnoticed.

use super::Circuit;
use super::commands::Ranged;
use super::evaluate::Workspace;
use super::plan::{Place, Plan};
use crate::model::ATMOSPHERE;
use fourbar_linalg::text::Brief;

impl Workspace {
    /// Notes what is out of its range at `t`, as it was evaluated last.
    pub(super) fn note_commands(&mut self, plan: &Plan, t: f64) {
        let mut excess = std::mem::take(&mut self.excess);
        for (ranged, [farthest, since]) in excess.ranged.iter().zip(&mut excess.seen) {
            let value = self.variables(&plan.parts[ranged.part])[ranged.variable];
            if ranged.beyond(value) > 0.0 {
                *since = since.min(t);
            }
            if ranged.beyond(value) > ranged.beyond(*farthest) {
                *farthest = value;
            }
        }
        self.excess = excess;
    }
}

impl Circuit {
    /// What a reader of the results should know: [`Circuit::cavities`] in words, then [`Circuit::remarks`].
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        self.cavities().iter().map(ToString::to_string).chain(self.remarks()).collect()
    }

    /// What a reader of the results should know besides [`Circuit::cavities`]: commands beyond the full opening and rods
    /// outside their strokes at the ends of steps so far,
    /// pressures that count from different zeros, and stated starts that a steady start overruled.
    #[must_use]
    pub fn remarks(&self) -> Vec<String> {
        let excess = &self.work.excess;
        let beyond = excess.ranged.iter().zip(&excess.seen).filter(|(ranged, seen)| ranged.beyond(seen[0]) > 0.0);
        let commands = beyond.map(|(ranged, seen)| self.out_of_range(ranged, seen));
        commands.chain(self.mixed_zeros()).chain(self.overruled()).collect()
    }

    fn out_of_range(&self, ranged: &Ranged, &[farthest, since]: &[f64; 2]) -> String {
        let Ranged { part, name, range: [_, high], .. } = *ranged;
        let component = &self.plan.parts[part].name;
        let (farthest, since) = (Brief(farthest), Brief(since));
        match name {
            "position" => format!(
                "the rod of component \"{component}\" is outside its stroke from t = {since:.4} s on, at {farthest:.4} m of {:.4} m: nothing ends it there; give \
                 it `stops`, or a longer `stroke`",
                Brief(high)
            ),
            _ => format!(
                "component \"{component}\", `{name}` came to {farthest:.4}, beyond 1 from t = {since:.4} s on: 1 is full, and beyond it flows grow on in \
                 proportion; scale it, or bound it (`min(1, max(-1, ..))`)"
            ),
        }
    }

    /// A pressure held at 0 beside one at the atmosphere.
    fn mixed_zeros(&self) -> Option<String> {
        let held = |pressure: f64| {
            self.plan.nodes.iter().find(|node| match node.place {
                Place::Held(signal) => self.work.signals[signal] == pressure,
                Place::Unknown(_) => false,
            })
        };
        let (zero, atmosphere) = (held(0.0)?, held(ATMOSPHERE)?);
        Some(format!(
            "node \"{}\" is held at 0 Pa and node \"{}\" at {ATMOSPHERE} Pa: one counts from the atmosphere, the other from the vacuum; write `pressure = 0` \
             at the latter, or 101325 at the former",
            zero.name, atmosphere.name
        ))
    }
}
