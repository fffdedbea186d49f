//! Where the joints let motions go no further: named in place of the steps that become ever shorter before it.

use super::way;
use crate::error::Error;
use crate::input::Inputs;
use crate::integrator::Error as IntegratorError;
use crate::mechanism::Mechanism;
use crate::state::State;

/// How far behind the last step positions are looked for, in the time since the start: beyond what steps leave of the way to where it locks, and still near.
const BEYOND: f64 = 0.01;

impl Mechanism {
    /// `error` behind `state`, or that joints and motions cannot be closed any more a little later.
    pub(crate) fn at_lock(&self, state: &State, inputs: &Inputs, error: Error) -> Error {
        use IntegratorError as I;
        let follows = matches!(
            &error,
            Error::Integrator(I::Evaluation(_) | I::SmallestStep { .. } | I::FixedStep { .. } | I::StepLimit { .. })
        );
        let later = state.time + BEYOND * (state.time - self.start().time);
        if !follows || !(later > state.time) || self.drives.is_empty() {
            return error;
        }
        match way::go(self, state, later, inputs) {
            Err(Error::NotAssembled { joints, .. }) => {
                let motions =
                    (0..self.sets.len()).filter(|&set| self.sets[set].is_motion()).map(|set| self.set_name(set));
                let motions: Vec<String> = motions.collect();
                let joints = joints.into_iter().filter(|joint| !motions.contains(joint)).collect();
                Error::Locked { motions, joints, time: state.time, source: Box::new(error) }
            }
            _ => error,
        }
    }
}
