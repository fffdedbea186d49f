//! Forces and motions over a fixed step in which their expressions jump or bend: integrated piece by piece, so that nothing is stepped over
//! and no value is used before its time.

use super::Configuration;
use crate::error::Error;
use fourbar_multibody::State;
use fourbar_multibody::mechanism::System;

/// Gauss's rule with seven points on (-1, 1), nodes and weights: exact to degree 13, and to 1e-9 of a haversine from end to end
/// (M. Abramowitz, I. Stegun, Handbook of Mathematical Functions, 1964, table 25.4).
const GAUSS: [[f64; 2]; 7] = [
    [-0.949_107_912_342_758_5, 0.129_484_966_168_869_7],
    [-0.741_531_185_599_394_5, 0.279_705_391_489_276_7],
    [-0.405_845_151_377_397_2, 0.381_830_050_505_118_9],
    [0.0, 0.417_959_183_673_469_4],
    [0.405_845_151_377_397_2, 0.381_830_050_505_118_9],
    [0.741_531_185_599_394_5, 0.279_705_391_489_276_7],
    [0.949_107_912_342_758_5, 0.129_484_966_168_869_7],
];

impl Configuration {
    /// The first break of forces and motions from `time` \[s\] on that has not been passed.
    pub(crate) fn next_break(&mut self, time: f64) -> f64 {
        self.system.next_break(time)
    }

    /// Goes on behind a break at the time of `state`; whether prescribed rates or displacements jump there.
    pub(crate) fn pass_break(&mut self, state: &State) -> Result<bool, Error> {
        Ok(self.system.pass_break(&self.mechanism, state.time, &state.drives)?)
    }

    /// Where the run stands among the breaks.
    pub(crate) fn break_state(&self) -> [f64; 3] {
        self.system.break_state().saved()
    }

    /// Goes back to where it stood.
    pub(crate) fn set_break_state(&mut self, state: [f64; 3]) {
        self.system.break_state_mut().restore(state);
    }

    /// Mean over the step of length `h` from `state.time` of applied forces less gyroscopic torques, six a body, at the positions and velocities it has:
    /// of those that depend on the time by themselves the integral between breaks, of others the value.
    ///
    /// # Errors
    /// [`Error::Multibody`] naming the force that cannot be evaluated.
    pub fn mean_forces(&mut self, state: &State, h: f64, out: &mut [f64]) -> Result<(), Error> {
        if !self.timed && self.system.inputs().are_held() {
            return self.forces(state, out);
        }
        let passed = self.break_state();
        let mut forces = std::mem::take(&mut self.top);
        let done = self.integrate_forces(state, state.time + h, &mut forces, out);
        self.top = forces;
        // Only `advance` goes on behind the breaks.
        self.set_break_state(passed);
        out.iter_mut().for_each(|sum| *sum /= h);
        done
    }

    fn integrate_forces(&mut self, state: &State, to: f64, forces: &mut [f64], sum: &mut [f64]) -> Result<(), Error> {
        sum.fill(0.0);
        let mut from = state.time;
        while from < to {
            let (end, behind) = self.piece(from, to);
            let (middle, half) = (0.5 * (from + end), 0.5 * (end - from));
            for [x, weight] in GAUSS.iter().filter(|_| half > 0.0) {
                let t = middle + x * half;
                let applied = self.system.forces(&self.mechanism, t, &self.poses, &state.angles, forces);
                applied.map_err(fourbar_multibody::Error::from)?;
                sum.iter_mut().zip(&*forces).for_each(|(sum, force)| *sum += weight * half * force);
            }
            if behind {
                self.system.break_state_mut().pass(end);
            }
            from = end;
        }
        Ok(())
    }

    /// End of the piece of a step to `to` that begins at `from`, and whether a break is there that the step goes over.
    fn piece(&mut self, from: f64, to: f64) -> (f64, bool) {
        piece(&mut self.system, from, to)
    }

    /// Jumps of prescribed rates in the step of length `h` from `state`, summed up row by row: by how much `Phi_q` u + `Phi_t` of the same velocities
    /// changes there, at the positions of `state`; and the sum of each times how late in the step it is. Returns whether there are any; goes to `state`
    /// and no further.
    ///
    /// # Errors
    /// [`Error::Multibody`] naming a motion whose displacement jumps on the way.
    pub(crate) fn rate_jumps(&mut self, state: &State, h: f64, sums: [&mut [f64]; 2]) -> Result<bool, Error> {
        let [jumps, moments] = sums;
        jumps.fill(0.0);
        moments.fill(0.0);
        let to = state.time + h;
        if !self.piece(state.time, to).1 {
            return Ok(false);
        }
        self.look(state);
        let passed = self.break_state();
        let (mut drives, mut rates) = (std::mem::take(&mut self.drives), std::mem::take(&mut self.bottom));
        drives.clone_from(&state.drives);
        let done = self.add_rate_jumps([state.time, to], &mut drives, &mut rates, [jumps, moments]);
        (self.drives, self.bottom) = (drives, rates);
        self.set_break_state(passed);
        self.look(state);
        done
    }

    fn add_rate_jumps(
        &mut self,
        [begin, to]: [f64; 2],
        drives: &mut [f64],
        rates: &mut [f64],
        [jumps, moments]: [&mut [f64]; 2],
    ) -> Result<bool, Error> {
        let (mut from, mut any) = (begin, false);
        while from < to {
            let (end, behind) = self.piece(from, to);
            if behind {
                self.system.advance_drives(&self.mechanism, from, end, drives);
                self.system.evaluate_drives(&self.mechanism, end, drives);
                self.violation_rates(rates);
                if self.system.pass_break(&self.mechanism, end, drives)? {
                    any = true;
                    let mut add = |rates: &[f64], sign: f64| {
                        for ((jump, moment), rate) in jumps.iter_mut().zip(moments.iter_mut()).zip(rates) {
                            *jump += sign * rate;
                            *moment += sign * rate * (end - begin);
                        }
                    };
                    add(rates, -1.0);
                    self.violation_rates(rates);
                    add(rates, 1.0);
                }
            }
            from = end;
        }
        Ok(any)
    }

    /// Goes on to the time `state.time` + `h` without moving bodies: integrates the unknowns of motions between breaks and evaluates these, before
    /// a break that is there.
    ///
    /// # Errors
    /// [`Error::Multibody`] naming a motion whose displacement jumps on the way.
    pub fn advance(&mut self, state: &mut State, h: f64) -> Result<(), Error> {
        let to = state.time + h;
        while state.time < to {
            let (end, behind) = self.piece(state.time, to);
            self.system.advance_drives(&self.mechanism, state.time, end, &mut state.drives);
            if behind {
                self.system.pass_break(&self.mechanism, end, &state.drives)?;
            }
            state.time = end;
        }
        self.time = to;
        self.system.evaluate_drives(&self.mechanism, to, &state.drives);
        Ok(())
    }
}

/// End of the piece of a step to `to` that begins at `from`, and whether a break is there that the step goes over.
pub(super) fn piece(system: &mut System, from: f64, to: f64) -> (f64, bool) {
    let next = system.next_break(from);
    let inside = next < to && !system.break_state().is_at(to);
    (if inside { next } else { to }, inside)
}
