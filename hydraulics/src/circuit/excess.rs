//! Commands beyond the full opening or displacement, over a run: units taken for others (percent, volts, millimetres) go through the laws unnoticed.

use super::Circuit;
use super::commands::Excess;
use super::evaluate::Workspace;
use super::plan::{Place, Plan};
use fourbar_linalg::text::Brief;

/// Round-off of a command that is meant to be 1.
const ROUND_OFF: f64 = 1e-9;
/// The standard atmosphere, which a tank has unless told otherwise \[Pa\].
const ATMOSPHERE: f64 = 101_325.0;

impl Workspace {
    /// Notes the commands at `t`, as they were evaluated last.
    pub(super) fn note_commands(&mut self, plan: &Plan, t: f64) {
        let mut excess = std::mem::replace(&mut self.excess, Excess { commands: Vec::new(), seen: Vec::new() });
        for (&(p, k, _), [largest, since]) in excess.commands.iter().zip(&mut excess.seen) {
            let size = self.variables(&plan.parts[p])[k].abs();
            if size > 1.0 + ROUND_OFF {
                (*largest, *since) = (largest.max(size), since.min(t));
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

    /// What a reader of the results should know besides [`Circuit::cavities`]: commands beyond the full opening at the ends of steps so far,
    /// pressures that count from different zeros, and stated starts that a steady start overruled.
    #[must_use]
    pub fn remarks(&self) -> Vec<String> {
        let excess = &self.work.excess;
        let beyond = excess.commands.iter().zip(&excess.seen).filter(|(_, [largest, _])| *largest > 1.0);
        let commands = beyond.map(|(&(p, _, name), [largest, since])| {
            format!(
                "component \"{}\", `{name}` came to {:.4} in magnitude, beyond 1 from t = {:.4} s on: 1 is full, and beyond it flows grow on in proportion; \
                 scale it, or bound it (`min(1, max(-1, ..))`)",
                self.plan.parts[p].name,
                Brief(*largest),
                Brief(*since)
            )
        });
        commands.chain(self.mixed_zeros()).chain(self.overruled()).collect()
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
