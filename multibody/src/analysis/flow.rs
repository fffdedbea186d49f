//! A short way along the motion from a state, by the classical method of Runge and Kutta on poses.

use super::reduced::Reduced;
use crate::error::Error;
use crate::mechanism::Mechanism;
use crate::space::V3;
use crate::state::State;

/// Rates of a state: of ways, of turns behind the start of the step, of velocities, of unknowns of the user.
struct Slope {
    /// Three of a way, three of a turn, six of velocities: a body.
    bodies: Vec<[V3; 4]>,
    states: Vec<f64>,
}

impl Reduced<'_> {
    /// The state `time` \[s\] along the motion from `from`, in so many `steps`. Constraints hold up to the error of the steps, some 1e-2 of the fifth power
    /// of their turns.
    pub(super) fn along(&mut self, from: &State, time: f64, steps: u32) -> Result<State, Error> {
        let (mut state, h) = (from.clone(), time / f64::from(steps));
        for k in 1..=steps {
            let end = from.time + time * f64::from(k) / f64::from(steps);
            state = self.step(&state, h, end)?;
        }
        Ok(state)
    }

    fn step(&mut self, start: &State, h: f64, end: f64) -> Result<State, Error> {
        let mut slopes: Vec<(f64, Slope)> = Vec::new();
        for (part, weight) in [(0.0, 1.0), (0.5, 2.0), (0.5, 2.0), (1.0, 1.0)] {
            let before = slopes.last().map(|(_, slope)| (part * h, slope));
            let turns = turned(start, before);
            let state = self.moved(start, before, start.time + part * h)?;
            slopes.push((weight / 6.0, self.slope(state, &turns)?));
        }
        let mut mean = Slope {
            bodies: vec![[V3::zeros(); 4]; start.poses.len()],
            states: vec![0.0; self.mechanism.user_states().len()],
        };
        for (weight, slope) in &slopes {
            let bodies = mean.bodies.iter_mut().flatten().zip(slope.bodies.iter().flatten());
            bodies.for_each(|(mean, part)| *mean += part * *weight);
            mean.states.iter_mut().zip(&slope.states).for_each(|(mean, part)| *mean += part * weight);
        }
        self.moved(start, Some((h, &mean)), end)
    }

    /// `start` by the rates given for some time, at the time `to`.
    fn moved(&mut self, start: &State, by: Option<(f64, &Slope)>, to: f64) -> Result<State, Error> {
        let mut state = start.clone();
        let Some((h, slope)) = by else { return Ok(state) };
        for (pose, [v, turn, a, alpha]) in state.poses.iter_mut().zip(&slope.bodies) {
            let way = [v.x, v.y, v.z, turn.x, turn.y, turn.z];
            Mechanism::displace(std::slice::from_mut(pose), &way, h);
            pose.v += a * h;
            pose.w += alpha * h;
        }
        self.advance_drives(start.time, to, &mut state.drives);
        let values = self.mechanism.states_in_mut(&mut state.drives);
        values.iter_mut().zip(&slope.states).for_each(|(value, rate)| *value += rate * h);
        state.time = to;
        let poses = super::with_ground(&state.poses);
        self.mechanism.count_angles(&mut state, &poses);
        Ok(state)
    }

    /// Rates at `state`, whose bodies are turned by `turns` behind the start of the step.
    fn slope(&mut self, mut state: State, turns: &[V3]) -> Result<Slope, Error> {
        self.accelerate(&mut state, false)?;
        let mut states = vec![0.0; self.mechanism.user_states().len()];
        self.accelerations.loads_mut().rates(self.mechanism, &mut states);
        let of = |((pose, [a, alpha]), turn): ((&crate::space::Pose, &[V3; 2]), &V3)| {
            // The rate of a rotation vector, up to its third power (Munthe-Kaas, 1998).
            let across = turn.cross(&pose.w);
            [pose.v, pose.w - across / 2.0 + turn.cross(&across) / 12.0, *a, *alpha]
        };
        let bodies = state.poses.iter().zip(&state.accelerations).zip(turns).map(of).collect();
        Ok(Slope { bodies, states })
    }
}

fn turned(start: &State, by: Option<(f64, &Slope)>) -> Vec<V3> {
    match by {
        None => vec![V3::zeros(); start.poses.len()],
        Some((h, slope)) => slope.bodies.iter().map(|[_, turn, ..]| turn * h).collect(),
    }
}
