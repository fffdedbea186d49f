//! What a break of forces and motions does to a state: accelerations that jump, and the impulse of a motion whose rate jumps.
//!
//! Positions go on. Where the prescribed rate jumps, velocities are put onto the constraints by the impulse of the motions and joints,
//!
//! ```text
//! M dv + Phi_q^T p = 0,   Phi_q (v + dv) = -Phi_t+      (Pfeiffer, Glocker, Multibody Dynamics with Unilateral Contacts, 1996, ch. 8)
//! ```
//!
//! over the independent rows: dv is the smallest change in the norm of the kinetic energy.

use super::acceleration::Accelerations;
use crate::drive::Law;
use crate::error::Error;
use crate::force::Loads;
use crate::mechanism::Mechanism;
use crate::space::V3;
use crate::state::State;

/// Relative change from which on a quantity jumps: a steep ramp changes a little between the two sides of a time as well.
const CHANGE: f64 = 1e-6;
/// Jump of a prescribed displacement, in lengths of the mechanism or rad, that still counts as rounded constants: it is closed as
/// at assembly.
pub(super) const ROUNDED: f64 = 1e-6;
/// Corrections of such a jump: Newton's iteration squares what is left each time.
const CORRECTIONS: usize = 3;

/// What jumps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Jump {
    /// Nothing, or no more than slopes.
    None,
    /// Accelerations and multipliers.
    Accelerations,
    /// Velocities, or positions by rounded constants.
    Velocities,
}

/// Workspace.
#[derive(Debug, Clone)]
pub(crate) struct Crossing {
    accelerations: Accelerations,
    before: State,
    drives: Vec<[f64; 3]>,
    /// What unknowns of the user have before and behind it: their rates, or values where they have none.
    states: [Vec<f64>; 2],
}

impl Crossing {
    fn new(mechanism: &Mechanism, state: &State) -> Result<Self, Error> {
        Ok(Self {
            accelerations: Accelerations::new(mechanism, state)?,
            before: state.clone(),
            drives: vec![[0.0; 3]; mechanism.drives.len()],
            states: [vec![0.0; mechanism.user_states().len()], vec![0.0; mechanism.user_states().len()]],
        })
    }

    /// Set up at the start, where runs of one mechanism agree, or at `state` where the rows that are kept may not suit the start.
    pub(crate) fn begun(mechanism: &Mechanism, state: &State) -> Result<Self, Error> {
        Self::new(mechanism, if mechanism.choice.moves { state } else { mechanism.start() })
    }

    /// Takes `state` and `loads`, which stand before a jump, behind it, where `change` leads: accelerations and multipliers of `state` are those
    /// behind it.
    ///
    /// # Errors
    /// [`Error::DisplacementJumps`]; those of [`Accelerations::solve`].
    pub(crate) fn pass(
        &mut self,
        mechanism: &Mechanism,
        state: &mut State,
        loads: &mut Loads,
        change: impl FnOnce(&mut Loads),
    ) -> Result<Jump, Error> {
        let (t, own) = (state.time, &mut self.accelerations);
        own.loads_mut().adopt(loads);
        own.solve(mechanism, state)?;
        let [states_before, states] = &mut self.states;
        states_before.fill(0.0);
        own.add_states(mechanism, 1.0, states_before);
        self.before.clone_from(state);
        self.drives.copy_from_slice(own.evaluate_drives(mechanism, t, &state.drives));
        let left = loads.break_state().sided(t);
        change(own.loads_mut());
        let apart = own.loads_mut().break_state().sided(t) - left;
        let now = own.evaluate_drives(mechanism, t, &state.drives);
        let [moves, strikes] = drives_jump(mechanism, t, apart, &self.drives, now)?;
        if moves {
            for _ in 0..CORRECTIONS {
                own.close(mechanism, state)?;
            }
        }
        if moves || strikes {
            own.strike(mechanism, state)?;
        }
        own.choose(mechanism, state)?;
        own.solve(mechanism, state)?;
        states.fill(0.0);
        own.add_states(mechanism, 1.0, states);
        loads.adopt(own.loads_mut());
        Ok(match moves || strikes {
            true => Jump::Velocities,
            false if self.accelerations_jump(state) => Jump::Accelerations,
            false => Jump::None,
        })
    }

    /// Accelerations and multipliers before the break.
    pub(crate) fn before(&self) -> &State {
        &self.before
    }

    fn accelerations_jump(&self, now: &State) -> bool {
        let largest = |state: &State| {
            let all = state.accelerations.iter();
            all.fold([0.0_f64; 2], |[a, b], [v, w]| [a.max(v.amax()), b.max(w.amax())])
        };
        let (old, new) = (largest(&self.before), largest(now));
        let changes = |axis: usize| {
            let size = CHANGE * old[axis].max(new[axis]);
            let pairs = self.before.accelerations.iter().zip(&now.accelerations);
            pairs.fold(0.0_f64, |a, (old, new)| a.max((new[axis] - old[axis]).amax())) > size
        };
        let size = |m: &[f64]| m.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
        let reactions = CHANGE * size(&self.before.multipliers).max(size(&now.multipliers));
        let pairs = self.before.multipliers.iter().zip(&now.multipliers);
        let [old, new] = &self.states;
        let states = old.iter().zip(new).any(|(old, new)| (new - old).abs() > CHANGE * old.abs().max(new.abs()));
        states || changes(0) || changes(1) || pairs.fold(0.0_f64, |a, (old, new)| a.max((new - old).abs())) > reactions
    }
}

/// Whether prescribed displacements jump, by rounded constants, and whether prescribed rates do, of motions with the values `old` and `new`
/// on the two sides of the time `t`, which are `apart` \[s\].
///
/// # Errors
/// [`Error::DisplacementJumps`] for a displacement that jumps by more.
pub(crate) fn drives_jump(
    mechanism: &Mechanism,
    t: f64,
    apart: f64,
    old: &[[f64; 3]],
    new: &[[f64; 3]],
) -> Result<[bool; 2], Error> {
    let (mut moves, mut strikes) = (false, false);
    for (d, (drive, (old, new))) in mechanism.drives.iter().zip(old.iter().zip(new)).enumerate() {
        let ramp = 2.0 * apart * old[1].abs().max(new[1].abs());
        let jump = new[0] - old[0];
        if mechanism.constraints.iter().all(|bound| bound.drive != Some(d)) {
            // It drives nothing at present.
            continue;
        }
        if drive.law == Law::Displacement && jump.abs() > ramp {
            check_displacement(mechanism, d, t, jump)?;
            // Less than what assembly leaves open is round-off.
            moves |= jump.abs() > ramp + f64::EPSILON.sqrt() * ROUNDED * unit(mechanism, d);
        }
        let bend = 2.0 * apart * old[2].abs().max(new[2].abs());
        strikes |= (new[1] - old[1]).abs() > bend + CHANGE * old[1].abs().max(new[1].abs());
    }
    Ok([moves, strikes])
}

/// Length of the mechanism, or 1 rad.
fn unit(mechanism: &Mechanism, drive: usize) -> f64 {
    let bound = mechanism.constraints.iter().find(|bound| bound.drive == Some(drive));
    if bound.is_some_and(|bound| bound.constraint.is_angular()) { 1.0 } else { mechanism.length }
}

fn check_displacement(mechanism: &Mechanism, drive: usize, time: f64, jump: f64) -> Result<(), Error> {
    if jump.abs() <= ROUNDED * unit(mechanism, drive) {
        return Ok(());
    }
    let bound = mechanism.constraints.iter().find(|bound| bound.drive == Some(drive));
    let motion = bound.map_or_else(String::new, |bound| mechanism.sets[bound.set].name.clone());
    Err(Error::DisplacementJumps { motion, time, jump })
}

impl Accelerations {
    /// Chooses the sides of conditions that are still to be chosen.
    fn choose(&mut self, mechanism: &Mechanism, state: &State) -> Result<(), Error> {
        self.system.loads_mut().set_states(mechanism.states_in(&state.drives));
        self.poses[..state.poses.len()].copy_from_slice(&state.poses);
        Ok(self.system.loads_mut().choose(mechanism, state.time, &self.poses, &state.angles)?)
    }

    /// Values of the motions at time `t` \[s\].
    fn evaluate_drives(&mut self, mechanism: &Mechanism, t: f64, states: &[f64]) -> &[[f64; 3]] {
        self.system.evaluate_drives(mechanism, t, states)
    }

    /// Velocities of `state` behind the impulse that puts them onto the constraints.
    pub(super) fn strike(&mut self, mechanism: &Mechanism, state: &mut State) -> Result<(), Error> {
        self.correct(mechanism, state, |system, mechanism, poses, rates| system.defect_rates(mechanism, poses, rates))?;
        for (pose, dv) in state.poses.iter_mut().zip(self.top.chunks_exact(6)) {
            pose.v += V3::new(dv[0], dv[1], dv[2]);
            pose.w += V3::new(dv[3], dv[4], dv[5]);
        }
        Ok(())
    }

    /// Positions of `state` one correction nearer to the constraints.
    fn close(&mut self, mechanism: &Mechanism, state: &mut State) -> Result<(), Error> {
        self.correct(mechanism, state, |system, mechanism, poses, defects| system.defects(mechanism, poses, defects))?;
        Mechanism::displace(&mut state.poses, &self.top, 1.0);
        Ok(())
    }
}
