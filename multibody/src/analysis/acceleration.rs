//! Accelerations and multipliers at given positions and velocities.
//!
//! Solves [[M, `Phi_q^T`], [`Phi_q`, 0]] (u', lambda) = (Q, gamma) over the independent rows.

use super::explain::named;
use super::saddle;
use crate::error::Error;
use crate::force::{self, Loads, Solve};
use crate::input::Inputs;
use crate::interrupt::{self, Interrupt};
use crate::mechanism::{Mechanism, Rows, System};
use crate::space::{Pose, V3};
use crate::state::State;
use fourbar_linalg::{Error as LinearError, Kkt, Refactored};

/// Workspace of acceleration analyses of one mechanism.
#[derive(Debug, Clone)]
pub struct Accelerations {
    pub(super) system: System,
    pub(super) kkt: Kkt,
    pub(super) top: Vec<f64>,
    bottom: Vec<f64>,
    pub(super) poses: Vec<Pose>,
    /// The choice of rows that it was set up for.
    mark: u64,
}

impl Accelerations {
    /// Sets up the workspace at the poses of `state`.
    ///
    /// # Errors
    /// [`Error::Singular`] if mass matrix and constraints leave an acceleration undetermined.
    pub fn new(mechanism: &Mechanism, state: &State) -> Result<Self, Error> {
        let mut system = System::new(mechanism, Rows::Independent);
        let poses = with_ground(&state.poses);
        system.evaluate_mass(mechanism, &poses);
        system.evaluate_phi(mechanism, &poses);
        let fail = |e| named(mechanism, "accelerations", state.time, e, false);
        let kkt = saddle::factored(mechanism, &system).map_err(fail)?;
        let (top, bottom) = (vec![0.0; 6 * mechanism.bodies.len()], vec![0.0; mechanism.row_count()]);
        Ok(Self { system, kkt, top, bottom, poses, mark: mechanism.choice.mark })
    }

    /// Evaluates the matrices at the positions of `state` and factors them, for the rows that `mechanism` keeps now.
    fn factor(&mut self, mechanism: &Mechanism, state: &State) -> Result<Refactored, LinearError> {
        self.poses[..state.poses.len()].copy_from_slice(&state.poses);
        let anew = self.mark != mechanism.choice.mark;
        if anew {
            self.system.renumber(mechanism);
            self.bottom.resize(mechanism.row_count(), 0.0);
        }
        self.system.evaluate_mass(mechanism, &self.poses);
        self.system.evaluate_phi(mechanism, &self.poses);
        self.system.evaluate_drives(mechanism, state.time, &state.drives);
        self.system.count_from(&state.angles);
        if anew {
            self.kkt = saddle::factored(mechanism, &self.system)?;
            self.mark = mechanism.choice.mark;
        }
        self.kkt.refactor(self.system.mass.values(), self.system.phi.values())
    }

    /// The inputs on which forces depend, to set them.
    pub fn inputs_mut(&mut self) -> &mut Inputs {
        self.system.inputs_mut()
    }

    pub(super) fn loads_mut(&mut self) -> &mut Loads {
        self.system.loads_mut()
    }

    /// Fills accelerations and multipliers of `state` from its positions and velocities.
    ///
    /// # Errors
    /// [`Error::Singular`], [`Error::Linear`]; [`Error::Evaluation`] if a force cannot be evaluated.
    pub fn solve(&mut self, mechanism: &Mechanism, state: &mut State) -> Result<(), Error> {
        self.solve_loaded(mechanism, state, &[])
    }

    /// As [`Accelerations::solve`] with further loads on the bodies: force and torque about the centre of mass, six numbers a body,
    /// global frame [N, N m]; none if empty.
    ///
    /// # Errors
    /// As [`Accelerations::solve`].
    pub fn solve_loaded(&mut self, mechanism: &Mechanism, state: &mut State, loads: &[f64]) -> Result<(), Error> {
        self.solve_as(mechanism, state, loads, false)
    }

    /// As [`Accelerations::solve_loaded`]; `at_rest`, motions stand still and velocities of `state` are zero.
    pub(super) fn solve_as(
        &mut self,
        mechanism: &Mechanism,
        state: &mut State,
        loads: &[f64],
        at_rest: bool,
    ) -> Result<(), Error> {
        interrupt::check(&Interrupt::never(), state.time)?;
        let fail = |e| named(mechanism, "accelerations", state.time, e, false);
        let _ = self.factor(mechanism, state).map_err(fail)?;
        if at_rest {
            let (poses, loads) = (&self.poses, self.system.loads_mut());
            loads.settle(mechanism, state.time, poses, &state.angles, Solve::Steady)?;
        }
        self.system.forces(mechanism, state.time, &self.poses, &state.angles, &mut self.top)?;
        for (top, load) in self.top.iter_mut().zip(loads) {
            *top += load;
        }
        match at_rest {
            true => self.bottom.fill(0.0),
            false => self.system.gamma(mechanism, &self.poses, &mut self.bottom),
        }
        self.kkt.solve(&mut self.top, &mut self.bottom).map_err(fail)?;
        if !at_rest {
            self.rub(mechanism, state.time)?;
        }
        for (a, top) in state.accelerations.iter_mut().zip(self.top.chunks_exact(6)) {
            *a = [V3::new(top[0], top[1], top[2]), V3::new(top[3], top[4], top[5])];
        }
        state.multipliers.copy_from_slice(&self.bottom);
        mechanism.states_in_mut(&mut state.drives).copy_from_slice(self.system.loads().states());
        Ok(())
    }
}

impl Accelerations {
    /// Adds what friction at joints does to the solution without it; at rest there is none.
    fn rub(&mut self, mechanism: &Mechanism, time: f64) -> Result<(), Error> {
        if mechanism.frictions.is_empty() {
            return Ok(());
        }
        let (kkt, fail) = (&mut self.kkt, |e| named(mechanism, "accelerations", time, e, false));
        let added = force::settle(mechanism, time, &self.poses, &self.bottom, |top, bottom| {
            kkt.solve(top, bottom).map(|_| ()).map_err(fail)
        })?;
        self.top.iter_mut().zip(&added.accelerations).for_each(|(sum, part)| *sum += part);
        self.bottom.iter_mut().zip(&added.multipliers).for_each(|(sum, part)| *sum += part);
        Ok(())
    }

    /// Accelerations by `load`, six numbers a body, alone, where the last solution was; written in its place.
    pub(super) fn respond(&mut self, mechanism: &Mechanism, time: f64, load: &mut [f64]) -> Result<(), Error> {
        self.bottom.fill(0.0);
        let solved = self.kkt.solve(load, &mut self.bottom);
        solved.map(|_| ()).map_err(|e| named(mechanism, "contact forces", time, e, false))
    }

    /// The smallest correction, in the norm of the kinetic energy, that takes away what `defects` tells of the rows; six numbers a body in
    /// `self.top`, the impulses in `self.bottom` with the sign of multipliers.
    pub(super) fn correct(
        &mut self,
        mechanism: &Mechanism,
        state: &State,
        defects: impl FnOnce(&System, &Mechanism, &[Pose], &mut [f64]),
    ) -> Result<(), Error> {
        let fail = |e| named(mechanism, "velocities behind a jump", state.time, e, false);
        let _ = self.factor(mechanism, state).map_err(fail)?;
        defects(&self.system, mechanism, &self.poses, &mut self.bottom);
        self.top.fill(0.0);
        self.bottom.iter_mut().for_each(|defect| *defect = -*defect);
        self.kkt.solve(&mut self.top, &mut self.bottom).map_err(fail)?;
        Ok(())
    }

    /// The impulses of the last [`Accelerations::correct`].
    pub(super) fn impulses(&self) -> &[f64] {
        &self.bottom
    }

    /// By how much accelerations and multipliers of `state` change when the inputs become `now` instead of `before`; written there in their
    /// place, and those of the rates of unknowns of the user, or of themselves where they have none, in that of these. [[M, `Phi_q^T`], [`Phi_q`, 0]] (change) = (change of Q, 0). False, and nothing written, if no force changes.
    ///
    /// # Errors
    /// As [`Accelerations::solve`].
    pub(super) fn change(
        &mut self,
        mechanism: &Mechanism,
        state: &mut State,
        [before, now]: [&Inputs; 2],
    ) -> Result<bool, Error> {
        if !mechanism.frictions.is_empty() {
            return self.change_rubbing(mechanism, state, [before, now]);
        }
        let fail = |e| named(mechanism, "accelerations", state.time, e, false);
        self.poses[..state.poses.len()].copy_from_slice(&state.poses);
        let values = mechanism.states_in(&state.drives).to_vec();
        let mut changes = vec![0.0; values.len()];
        self.inputs_mut().clone_from(before);
        self.loads_mut().set_states(&values);
        self.system.forces(mechanism, state.time, &self.poses, &state.angles, &mut self.top)?;
        for (block, top) in state.accelerations.iter_mut().zip(self.top.chunks_exact(6)) {
            *block = [V3::new(top[0], top[1], top[2]), V3::new(top[3], top[4], top[5])];
        }
        self.add_states(mechanism, -1.0, &mut changes);
        self.inputs_mut().clone_from(now);
        self.system.forces(mechanism, state.time, &self.poses, &state.angles, &mut self.top)?;
        self.add_states(mechanism, 1.0, &mut changes);
        mechanism.states_in_mut(&mut state.drives).copy_from_slice(&changes);
        for (block, top) in state.accelerations.iter().zip(self.top.chunks_exact_mut(6)) {
            for k in 0..6 {
                top[k] -= block[k / 3][k % 3];
            }
        }
        if self.top.iter().chain(&changes).all(|q| *q == 0.0) {
            return Ok(false);
        }
        let refactored = self.factor(mechanism, state).map_err(fail)?;
        self.bottom.fill(0.0);
        let solved = self.kkt.solve(&mut self.top, &mut self.bottom).map_err(fail)?;
        for (a, top) in state.accelerations.iter_mut().zip(self.top.chunks_exact(6)) {
            *a = [V3::new(top[0], top[1], top[2]), V3::new(top[3], top[4], top[5])];
        }
        state.multipliers.copy_from_slice(&self.bottom);
        if solved.fresh_pivoting || matches!(refactored, Refactored::FreshPivots(_)) {
            // Pivots that a run came by must not tell in the digits of the next: those of the start again, or of here where rows were chosen.
            let start = if mechanism.choice.moves { &*state } else { mechanism.start() };
            *self = Self::new(mechanism, start)?;
        }
        Ok(true)
    }
}

impl Accelerations {
    /// As [`Accelerations::change`], where friction makes accelerations another function of forces than a linear one.
    fn change_rubbing(
        &mut self,
        mechanism: &Mechanism,
        state: &mut State,
        inputs: [&Inputs; 2],
    ) -> Result<bool, Error> {
        let mut changes = vec![0.0; mechanism.user_states().len()];
        let mut sides = [state.clone(), state.clone()];
        for ((side, inputs), sign) in sides.iter_mut().zip(inputs).zip([-1.0, 1.0]) {
            self.inputs_mut().clone_from(inputs);
            self.solve(mechanism, side)?;
            self.add_states(mechanism, sign, &mut changes);
        }
        let [old, new] = sides;
        mechanism.states_in_mut(&mut state.drives).copy_from_slice(&changes);
        let pairs = old.accelerations.iter().zip(&new.accelerations);
        for (change, (old, new)) in state.accelerations.iter_mut().zip(pairs) {
            *change = [new[0] - old[0], new[1] - old[1]];
        }
        let pairs = old.multipliers.iter().zip(&new.multipliers);
        state.multipliers.iter_mut().zip(pairs).for_each(|(change, (old, new))| *change = new - old);
        let moved = state.accelerations.iter().flatten().any(|change| change.amax() != 0.0);
        Ok(moved || state.multipliers.iter().chain(&changes).any(|change| *change != 0.0))
    }

    /// Adds `factor` times the rates of unknowns of the user, or of their values where they have no rate, at the forces of now.
    pub(super) fn add_states(&self, mechanism: &Mechanism, factor: f64, sums: &mut [f64]) {
        let loads = self.system.loads();
        for (k, (sum, state)) in sums.iter_mut().zip(mechanism.user_states()).enumerate() {
            *sum += factor * if state.implicit { loads.states()[k] } else { loads.rate(mechanism, k) };
        }
    }
}

pub(crate) fn with_ground(poses: &[Pose]) -> Vec<Pose> {
    let mut all = poses.to_vec();
    all.push(Pose::ground());
    all
}
