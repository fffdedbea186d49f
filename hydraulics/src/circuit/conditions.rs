//! Conditions of signals on what moves (`if(v.pressure < 1e7, ..)`, `sign(rod.velocity)`), held on one side during a step and watched by the
//! integrator, which ends steps where they switch and refuses those to which both sides lead.

use super::Circuit;
use super::evaluate::Workspace;
use super::plan::Plan;
use super::watched::Watched;
use fourbar_dae::EvalError;
use fourbar_dae::integrator::{Direction, RootEvent};

impl Plan {
    /// The signal that is watched at place `k`.
    fn watched_at(&self, k: usize) -> Option<(usize, &Watched)> {
        self.watched.iter().enumerate().find(|(_, watched)| watched.places.contains(&k))
    }

    /// Name of what is watched at place `k`.
    pub(super) fn watched_name(&self, k: usize) -> String {
        match self.watched_at(k) {
            Some((_, watched)) => {
                format!("{} in {}", watched.conditions.name(k - watched.places.start), watched.name)
            }
            None => format!("condition {k}"),
        }
    }

    pub(super) fn watched_function(&self, k: usize) -> usize {
        self.watched_at(k).map_or(k, |(signal, _)| signal)
    }

    pub(super) fn expected_sign(&self, k: usize, sides: &[f64]) -> Option<i8> {
        let (_, watched) = self.watched_at(k)?;
        watched.conditions.expected(k - watched.places.start, sides[k])
    }
}

impl Workspace {
    /// The arguments of all conditions at (t, y).
    pub(super) fn watch(&mut self, plan: &Plan, t: f64, y: &[f64], arguments: &mut [f64]) {
        self.holding.arguments.fill(0.0);
        self.fill_slots(t, y);
        self.evaluate_signals(plan);
        arguments.copy_from_slice(&self.holding.arguments);
    }

    /// Chooses all sides by the point (t, y), and holds them from now on.
    pub(super) fn choose_sides(&mut self, plan: &Plan, t: f64, y: &[f64]) {
        self.holding.on = !self.holding.sides.is_empty();
        self.holding.sides.fill(f64::NAN);
        self.fill_slots(t, y);
        self.evaluate_signals(plan);
    }

    /// Turns conditions to the sides that `events` tell; whether any side is another then.
    pub(super) fn turn(&mut self, plan: &Plan, events: &[RootEvent]) -> bool {
        let before = self.holding.sides.clone();
        for event in events {
            let Some((_, watched)) = plan.watched_at(event.index) else { continue };
            let sides = &mut self.holding.sides[watched.places.clone()];
            let rises = event.direction == Direction::Rising;
            watched.conditions.turn(event.index - watched.places.start, rises, sides);
        }
        before.iter().zip(&self.holding.sides).any(|(before, side)| before.to_bits() != side.to_bits())
    }
}

impl Circuit {
    /// Turns conditions as `events` tell; y and y' become those behind the switch. Returns whether anything turned.
    pub(super) fn switch_over(
        &mut self,
        t: f64,
        y: &mut [f64],
        yp: &mut [f64],
        events: &[RootEvent],
    ) -> Result<bool, EvalError> {
        if !self.work.turn(&self.plan, events) {
            return Ok(false);
        }
        let point = self.settle(t, y.to_vec()).map_err(|error| self.no_way_on(t, &error))?;
        y.copy_from_slice(&point.y);
        yp.copy_from_slice(&point.yp);
        self.note_fronts(t);
        Ok(true)
    }
}
