//! Kinematics: a mechanism whose motions leave it no freedom, at one time after the other.

use super::sample::Sampler;
use super::uncertain::Uncertain;
use super::way::{self, HALVINGS};
use crate::drive::TimeFunction;
use crate::error::Error;
use crate::expression::Stack;
use crate::input::Inputs;
use crate::mechanism::Mechanism;
use crate::space::{Pose, V3};
use crate::state::State;
use num_dual::Dual2_64;
use std::sync::Arc;

/// Turn of a body or a motion in one go [rad, lengths of the mechanism]: angles are counted by their rates in between.
const TURN: f64 = 1.0;

/// A kinematic analysis: positions, velocities and accelerations follow from the constraints, reactions and motion forces from these.
#[derive(Debug, Clone)]
pub struct Kinematics {
    mechanism: Arc<Mechanism>,
    state: State,
    inputs: Inputs,
    sampler: Sampler,
    stack: Stack<Dual2_64>,
}

impl Kinematics {
    /// Begins at the start of the mechanism.
    ///
    /// # Errors
    /// [`Error::Free`] if motions leave degrees of freedom; [`Error::Singular`].
    pub fn new(mechanism: &Arc<Mechanism>) -> Result<Self, Error> {
        mechanism.refuse_rolling("kinematics")?;
        let degrees = mechanism.degrees_of_freedom();
        if degrees > 0 || !mechanism.start().drives.is_empty() {
            let degrees = degrees + mechanism.start().drives.len();
            return Err(Error::Free { degrees });
        }
        Ok(Self {
            sampler: Sampler::new(mechanism, mechanism.start())?,
            state: mechanism.start().clone(),
            inputs: Inputs::start(mechanism),
            stack: TimeFunction::stack(&mechanism.drives),
            mechanism: Arc::clone(mechanism),
        })
    }

    /// Goes to `time` \[s\], forward or back; ways that are too far for Newton's iteration in shorter ones.
    ///
    /// # Errors
    /// [`Error::NotAssembled`] where the joints cannot follow the motions; [`Error::Singular`], [`Error::Evaluation`].
    pub fn go_to(&mut self, time: f64) -> Result<(), Error> {
        let mut halvings = 0;
        while self.state.time != time {
            let to = self.within_reach(time, halvings);
            match self.mechanism.consistent(&self.forecast(to), &self.inputs) {
                Ok(state) => {
                    self.state = state;
                    halvings = 0;
                }
                Err(error @ Error::NotAssembled { .. }) if halvings == HALVINGS => return Err(error),
                Err(Error::NotAssembled { .. }) => halvings += 1,
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// A time on the way to `time` up to which bodies and motions turn by less than [`TURN`], halved `halvings` times further.
    fn within_reach(&mut self, time: f64, halvings: i32) -> f64 {
        let now = self.state.time;
        let mut h = time - now;
        // A motion that jumps turns by as much in any time.
        for _ in 0..HALVINGS {
            if !(self.turn(now, h) > TURN) {
                break;
            }
            h *= 0.5;
        }
        let to = now + h * 0.5_f64.powi(halvings);
        if to == now || now + h == now + (time - now) && halvings == 0 { time } else { to }
    }

    /// Largest turn within `h` of bodies, if accelerations stayed, and of motions, in rad or lengths of the mechanism.
    fn turn(&mut self, now: f64, h: f64) -> f64 {
        let of_body = |pose: &Pose, alpha: &V3| pose.w.norm() * h.abs() + 0.5 * alpha.norm() * h * h;
        let bodies =
            self.state.poses.iter().zip(&self.state.accelerations).map(|(pose, [_, alpha])| of_body(pose, alpha));
        let mut worst = bodies.fold(0.0, f64::max);
        worst = worst.max(way::of_motions(&self.mechanism, now, h, &mut self.stack));
        worst
    }

    /// The state at `to` if accelerations stayed.
    fn forecast(&self, to: f64) -> State {
        let mut state = self.state.clone();
        let h = to - state.time;
        let (mut way, mut change) = (Vec::new(), Vec::new());
        for (pose, [a, alpha]) in state.poses.iter().zip(&state.accelerations) {
            for (velocity, acceleration) in [(pose.v, a), (pose.w, alpha)] {
                way.extend((velocity * h + acceleration * (0.5 * h * h)).iter());
                change.push(acceleration * h);
            }
        }
        Mechanism::displace(&mut state.poses, &way, 1.0);
        for (pose, change) in state.poses.iter_mut().zip(change.chunks_exact(2)) {
            pose.v += change[0];
            pose.w += change[1];
        }
        state.time = to;
        state
    }

    /// The state, with accelerations and multipliers.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Measures whose accelerations or reactions were uncertain; none if there were none so far.
    #[must_use]
    pub fn uncertain(&self) -> Option<&Uncertain> {
        self.sampler.uncertain()
    }

    /// Values of all measures, in the order of [`Mechanism::measures`].
    ///
    /// # Errors
    /// As [`Sampler::sample`].
    pub fn measures(&mut self, values: &mut [f64]) -> Result<(), Error> {
        self.sampler.sample(&self.mechanism, &mut self.state, values)
    }
}
