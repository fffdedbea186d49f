//! Jumps of forces and motions on the way of an integrator of partitioned coordinates, at known times and where conditions switch.

use super::Partitioned;
use super::local::PER_BODY;
use crate::analysis::{Crossing, Jump};
use crate::dae::{EvalError, RootEvent};
use crate::force::Loads;
use crate::formulation::breaks::stopped;
use crate::formulation::supplement::Supplement;
use crate::state::Tracked;
use std::sync::Arc;

impl<S: Supplement> Partitioned<S> {
    /// Goes on behind a break at `t`; returns whether accelerations or velocities jump there. Velocities that jump are those behind the
    /// impulse of motions and joints; supplementary rows are put right as at the end of a step.
    pub(super) fn pass(&mut self, t: f64, y: &mut [f64]) -> Result<bool, EvalError> {
        if !self.joined.system.break_state().is_at(t) {
            return Ok(false);
        }
        self.cross(t, y, |loads| loads.break_state_mut().pass(t))
    }

    /// Turns conditions as `events` tell; returns whether accelerations jump.
    pub(super) fn turn(&mut self, t: f64, y: &mut [f64], events: &[RootEvent]) -> Result<bool, EvalError> {
        let mechanism = Arc::clone(&self.mechanism);
        let loads = self.joined.system.loads();
        if events.iter().all(|event| loads.expected(&mechanism, event.index).is_none()) {
            return Ok(false);
        }
        self.cross(t, y, |loads| {
            loads.turn(&mechanism, events);
        })
    }

    fn cross(&mut self, t: f64, y: &mut [f64], change: impl FnOnce(&mut Loads)) -> Result<bool, EvalError> {
        self.close(t, y)?;
        self.last.forget();
        let mechanism = Arc::clone(&self.mechanism);
        let known = self.crossing.take();
        let n = mechanism.bodies.len();
        let mut state = known.as_ref().map_or(mechanism.start(), |crossing| crossing.before()).clone();
        state.time = t;
        state.poses.copy_from_slice(&self.poses[..n]);
        state.drives.copy_from_slice(&self.y[PER_BODY * n..]);
        for (k, tracked) in self.tracked.iter().enumerate() {
            let [raw, rate] = mechanism.tracked_angle(k, &self.poses);
            state.angles[k] = Tracked { time: t, angle: tracked.continued(raw, rate, t), rate };
        }
        let mut crossing = match known {
            Some(crossing) => crossing,
            None => Box::new(Crossing::begun(&mechanism, &state).map_err(|error| stopped(t, error))?),
        };
        let passed = crossing.pass(&mechanism, &mut state, self.joined.system.loads_mut(), change);
        self.crossing = Some(crossing);
        let jump = passed.map_err(|error| stopped(t, error))?;
        if jump == Jump::Velocities {
            for (y, pose) in y.chunks_exact_mut(PER_BODY).zip(&state.poses) {
                // Positions are closed by the dependent coordinates, hardly moved.
                y[6..9].copy_from_slice(pose.v.as_slice());
                y[9..12].copy_from_slice(pose.w.as_slice());
            }
        }
        Ok(jump != Jump::None)
    }
}
