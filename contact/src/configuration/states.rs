//! Unknowns of the user over a step of fixed length: x' = f, 0 = f, with f of the bodies on their way.
//!
//! Two stages, L-stable and of second order (R. Alexander, Diagonally implicit Runge-Kutta methods for stiff O.D.E.'s, SIAM J. Numer. Anal. 14
//! (1977) 1006): X_1 = x + g h f(X_1), x+ = x + (1 - g) h f(X_1) + g h f(x+), g = 1 - 1/sqrt(2). On the way bodies go straight on from where they were to
//! where they are.

use super::Configuration;
use super::breaks::piece;
use crate::error::Error;
use fourbar_multibody::mechanism::System;
use fourbar_multibody::space::{Pose, rotation};
use fourbar_multibody::{Mechanism, State};
use std::f64::consts::FRAC_1_SQRT_2;

/// g.
const STAGE: f64 = 1.0 - FRAC_1_SQRT_2;
/// Halvings of a step in which no values are found: Newton's iteration from the values before a kick needs some, and 64 parts end soon.
const HALVINGS: usize = 6;

impl Configuration {
    /// Solves the equations 0 = f of the unknowns of the user at `state`, where the configuration goes, and writes them there.
    ///
    /// # Errors
    /// [`Error::Multibody`] naming an unknown for which there is no value in reach.
    pub(crate) fn settle_states(&mut self, state: &mut State) -> Result<(), Error> {
        if self.mechanism.user_states().iter().any(|unknown| unknown.implicit) {
            self.look(state);
            let mut forces = std::mem::take(&mut self.top);
            let done = self.forces(state, &mut forces);
            self.top = forces;
            done?;
            self.mechanism.states_in_mut(&mut state.drives).copy_from_slice(self.system.states());
        }
        Ok(())
    }

    /// Takes the unknowns of the user from `begin` to `state`, at the end of the step, where it stands; `passed` are the breaks that were passed at the begin.
    ///
    /// # Errors
    /// [`Error::Multibody`] naming an unknown for which there is no value in reach.
    pub(crate) fn advance_states(&mut self, begin: &State, state: &mut State, passed: [f64; 3]) -> Result<(), Error> {
        if self.mechanism.user_states().is_empty() {
            return Ok(());
        }
        let behind = self.break_state();
        self.set_break_state(passed);
        let Self { mechanism, system, .. } = self;
        let mut way = Way { begin, end: state, poses: begin.poses.clone() };
        way.poses.push(Pose::ground());
        let mut states = mechanism.states_in(&begin.drives).to_vec();
        let done = way.follow(system, mechanism, &mut states);
        self.set_break_state(behind);
        done?;
        self.mechanism.states_in_mut(&mut state.drives).copy_from_slice(&states);
        self.system.evaluate_drives(&self.mechanism, state.time, &state.drives);
        Ok(())
    }
}

/// The bodies in the step.
struct Way<'a> {
    begin: &'a State,
    end: &'a State,
    poses: Vec<Pose>,
}

impl Way<'_> {
    /// From break to break.
    fn follow(&mut self, system: &mut System, mechanism: &Mechanism, states: &mut [f64]) -> Result<(), Error> {
        let (mut from, to) = (self.begin.time, self.end.time);
        while from < to {
            let (end, inside) = piece(system, from, to);
            self.step(system, mechanism, [from, end], states, HALVINGS)?;
            if inside {
                system.break_state_mut().pass(end);
            }
            from = end;
        }
        Ok(())
    }

    /// From one time to another, in halves where no values are found.
    fn step(
        &mut self,
        system: &mut System,
        mechanism: &Mechanism,
        [from, to]: [f64; 2],
        states: &mut [f64],
        halvings: usize,
    ) -> Result<(), Error> {
        let before = states.to_vec();
        let done = self.stages(system, mechanism, [from, to], states);
        if done.is_ok() || halvings == 0 {
            return done;
        }
        states.copy_from_slice(&before);
        let middle = 0.5 * (from + to);
        self.step(system, mechanism, [from, middle], states, halvings - 1)?;
        self.step(system, mechanism, [middle, to], states, halvings - 1)
    }

    fn stages(
        &mut self,
        system: &mut System,
        mechanism: &Mechanism,
        [from, to]: [f64; 2],
        states: &mut [f64],
    ) -> Result<(), Error> {
        let (h, before) = (to - from, states.to_vec());
        if !(h > 0.0) {
            return Ok(());
        }
        let mut base = before.clone();
        for part in [STAGE, 1.0] {
            let t = if part == 1.0 { to } else { from + part * h };
            self.go(t);
            // Before a break that is at the end.
            let sided = system.break_state().sided(t);
            let solved =
                system.solve_states(mechanism, (sided, &self.poses, &self.end.angles), (&base, STAGE * h), states);
            solved.map_err(fourbar_multibody::Error::from)?;
            for ((base, before), stage) in base.iter_mut().zip(&before).zip(&*states) {
                *base = before + (stage - before) * ((1.0 - STAGE) / STAGE);
            }
        }
        Ok(())
    }

    /// Puts the bodies where they are at time `t`.
    fn go(&mut self, t: f64) {
        let part = ((t - self.begin.time) / (self.end.time - self.begin.time)).clamp(0.0, 1.0);
        for ((pose, from), to) in self.poses.iter_mut().zip(&self.begin.poses).zip(&self.end.poses) {
            let turn = nalgebra::Rotation3::from_matrix_unchecked(to.a * from.a.transpose());
            let turn = nalgebra::UnitQuaternion::from_rotation_matrix(&turn).scaled_axis();
            *pose = Pose {
                x: from.x.lerp(&to.x, part),
                a: if part == 1.0 { to.a } else { rotation(&(turn * part)) * from.a },
                v: from.v.lerp(&to.v, part),
                w: from.w.lerp(&to.w, part),
            };
        }
    }
}
