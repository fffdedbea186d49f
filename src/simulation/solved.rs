//! Accelerations and reactions at the state of now, solved when they are asked for.

use super::method::integrator;
use crate::Error;
use fourbar_multibody::analysis::{Accelerations, Reactions, Wrench};
use fourbar_multibody::integrator::Error as IntegratorError;
use fourbar_multibody::space::Pose;
use fourbar_multibody::{Inputs, Mechanism, State};
use std::sync::Arc;

/// The solution, and whether it is that of now.
pub(super) struct Solved {
    known: bool,
    /// What it was solved for last: sensors make a mechanism another one.
    mechanism: Arc<Mechanism>,
    state: State,
    poses: Vec<Pose>,
    /// None at a singular start, from which no simulation begins.
    accelerations: Option<Accelerations>,
    reactions: Option<Reactions>,
    inputs: Inputs,
}

impl Solved {
    pub(super) fn new(mechanism: &Arc<Mechanism>) -> Result<Self, Error> {
        Ok(Self {
            known: false,
            mechanism: Arc::clone(mechanism),
            state: mechanism.start().clone(),
            poses: mechanism.start().poses.iter().copied().chain([Pose::ground()]).collect(),
            accelerations: None,
            reactions: None,
            inputs: Inputs::start(mechanism),
        })
    }

    pub(super) fn is_known(&self) -> bool {
        self.known
    }

    pub(super) fn forget(&mut self) {
        self.known = false;
    }

    pub(super) fn state(&self) -> &State {
        &self.state
    }

    pub(super) fn set_inputs(&mut self, inputs: &Inputs) {
        self.known = false;
        self.inputs.clone_from(inputs);
        if let Some(accelerations) = &mut self.accelerations {
            accelerations.inputs_mut().clone_from(inputs);
        }
    }

    /// Solves at `state` with further `loads` on the bodies.
    pub(super) fn solve(&mut self, mechanism: &Arc<Mechanism>, state: &State, loads: &[f64]) -> Result<(), Error> {
        if !Arc::ptr_eq(&self.mechanism, mechanism) {
            (self.accelerations, self.reactions, self.mechanism) = (None, None, Arc::clone(mechanism));
        }
        self.state.clone_from(state);
        self.poses[..state.poses.len()].copy_from_slice(&state.poses);
        if self.accelerations.is_none() {
            let mut made = Accelerations::new(mechanism, state)?;
            made.inputs_mut().clone_from(&self.inputs);
            self.accelerations = Some(made);
        }
        if let Some(accelerations) = &mut self.accelerations {
            accelerations.solve_loaded(mechanism, &mut self.state, loads)?;
        }
        if let Some(reactions) = &mut self.reactions {
            reactions.solve(mechanism, &self.state, &self.poses)?;
        }
        self.known = true;
        Ok(())
    }

    /// The reaction of a joint or motion at the solved state.
    pub(super) fn reaction(&mut self, mechanism: &Mechanism, set: usize) -> Result<Wrench, Error> {
        let reactions = match &mut self.reactions {
            Some(reactions) => reactions,
            none => {
                let mut made = Reactions::new(mechanism, &self.poses, self.state.time)?;
                made.solve(mechanism, &self.state, &self.poses)?;
                none.insert(made)
            }
        };
        Ok(reactions.wrench(mechanism, set, &self.poses))
    }
}

pub(super) fn check_length(what: &'static str, given: usize, needed: usize) -> Result<(), Error> {
    if given == needed { Ok(()) } else { Err(integrator(IntegratorError::Length { what, given, needed })) }
}
