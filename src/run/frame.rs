//! How a mechanism at an output is shown to those who draw it.

use crate::observer::{ContactLoad, Frame};
use fourbar_contact::unilateral::Unilateral;
use fourbar_multibody::analysis::{Accelerations, Reactions};
use fourbar_multibody::force::Loads;
use fourbar_multibody::space::Pose;
use fourbar_multibody::{Mechanism, State};

/// What a contact does that has these forces along its rows; none for one without a place, as a joint's stop.
pub(crate) fn contact_load(contact: &Unilateral, force: &[f64; 6]) -> Option<ContactLoad> {
    let sum = contact.rows.iter().zip(force).map(|(row, f)| row.g * *f).sum();
    contact.point.map(|point| ContactLoad { pair: contact.id.pair as usize, point, force: sum })
}

/// Workspace that makes frames.
#[derive(Debug)]
pub(crate) struct Framer {
    frame: Frame,
    state: State,
    loads: Loads,
    /// None where the mechanism was singular when they were set up.
    solvers: Option<(Accelerations, Reactions)>,
}

impl Framer {
    pub(crate) fn new(mechanism: &Mechanism, state: &State) -> Self {
        let poses: Vec<Pose> = state.poses.iter().copied().chain([Pose::ground()]).collect();
        let accelerations = Accelerations::new(mechanism, state).ok();
        let reactions = Reactions::new(mechanism, &poses, state.time).ok();
        Self {
            frame: Frame { poses, ..Frame::default() },
            state: state.clone(),
            loads: Loads::new(mechanism),
            solvers: accelerations.zip(reactions),
        }
    }

    /// The frame of `state`; `wrenches` are those of contacts on the bodies, six numbers a body or none, `contacts` what they come from.
    pub(crate) fn take(
        &mut self,
        mechanism: &Mechanism,
        state: &State,
        wrenches: &[f64],
        contacts: impl Iterator<Item = ContactLoad>,
    ) -> &Frame {
        let Self { frame, state: own, loads, solvers } = self;
        own.clone_from(state);
        frame.time = state.time;
        frame.poses[..state.poses.len()].copy_from_slice(&state.poses);
        frame.contacts.clear();
        frame.contacts.extend(contacts);
        if loads.elements(mechanism, state, &frame.poses, &mut frame.forces).is_err() {
            frame.forces.clear();
        }
        frame.reactions.clear();
        if let Some((accelerations, reactions)) = solvers
            && accelerations.solve_loaded(mechanism, own, wrenches).is_ok()
            && reactions.solve(mechanism, own, &frame.poses).is_ok()
        {
            let sets = 0..mechanism.constraint_sets().len();
            frame.reactions.extend(sets.map(|set| reactions.wrench(mechanism, set, &frame.poses)));
        }
        frame
    }
}
