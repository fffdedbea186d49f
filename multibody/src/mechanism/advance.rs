//! What a method outside this crate needs to take a [`State`] onwards itself: bodies displaced, the unknowns of motions integrated,
//! angles counted, energies, and errors that name bodies and joints.

use super::{Mechanism, System};
use crate::analysis;
use crate::dae::EvalError;
use crate::drive::Law;
use crate::error::Error;
use crate::force::Solve;
use crate::input::Inputs;
use crate::space::{Pose, V3, rotation};
use crate::state::{State, Tracked};

impl Mechanism {
    /// Moves bodies by (dx, rotation vector), six numbers a body, global frame: x += dx, A = exp(dp) A, times `factor`. The ground,
    /// if it follows the bodies in `poses`, stays.
    pub fn displace(poses: &mut [Pose], displacement: &[f64], factor: f64) {
        for (pose, d) in poses.iter_mut().zip(displacement.chunks_exact(6)) {
            pose.x += V3::new(d[0], d[1], d[2]) * factor;
            pose.a = rotation(&(V3::new(d[3], d[4], d[5]) * factor)) * pose.a;
        }
    }

    /// Counts the angles of `state` on to its time and `poses` (ground last).
    pub fn count_angles(&self, state: &mut State, poses: &[Pose]) {
        for (k, tracked) in state.angles.iter_mut().enumerate() {
            let [raw, rate] = self.tracked_angle(k, poses);
            *tracked = Tracked { time: state.time, angle: tracked.continued(raw, rate, state.time), rate };
        }
    }

    /// The state near `state` that satisfies all constraints at its time: positions by the smallest corrections, then velocities,
    /// then accelerations and multipliers for `inputs`; angles on the branch that continues those of `state`.
    ///
    /// # Errors
    /// [`Error::Integrator`] for a state of another mechanism or one that is not finite; [`Error::NotAssembled`] where the constraints
    /// cannot be closed from there; [`Error::Singular`], [`Error::Evaluation`].
    pub fn consistent(&self, state: &State, inputs: &Inputs) -> Result<State, Error> {
        analysis::consistent(self, state, inputs)
    }

    /// Kinetic energy \[J\].
    #[must_use]
    pub fn kinetic_energy(&self, poses: &[Pose]) -> f64 {
        analysis::kinetic_energy(self, poses)
    }

    /// Potential energy of gravity and springs \[J\]; `poses` are those of `state` and, last, the ground.
    #[must_use]
    pub fn potential_energy(&self, state: &State, poses: &[Pose]) -> f64 {
        analysis::potential_energy(self, state, poses)
    }

    /// Turns an error of a saddle-point solve over the independent rows (six unknowns a body, then the rows) into one that names
    /// bodies and joints.
    #[must_use]
    pub fn explain(&self, analysis: &'static str, time: f64, source: fourbar_linalg::Error) -> Error {
        analysis::named(self, analysis, time, source, false)
    }
}

impl System {
    /// Rates of the unknowns of motions ([`State::drives`]) at the time of the last [`System::evaluate_drives`], into as many entries.
    pub fn drive_rates(&self, mechanism: &Mechanism, rates: &mut [f64]) {
        for (drive, value) in mechanism.drives.iter().zip(&self.drives) {
            match drive.law {
                Law::Displacement => {}
                Law::Velocity => rates[drive.first] = value[1],
                Law::Acceleration => rates[drive.first..drive.first + 2].copy_from_slice(&value[1..]),
            }
        }
    }

    /// Rates of the unknowns of the user with x' = f, at the last [`System::forces`], into as many entries; 0 of those with 0 = f.
    pub fn state_rates(&self, mechanism: &Mechanism, rates: &mut [f64]) {
        self.loads().rates(mechanism, rates);
    }

    /// Solves a stage of a step for all unknowns of the user, which it leaves in `states`: x = `base` + `h` f(x) of those with x' = f, 0 = f of the others,
    /// at the time `t` with the bodies at `poses`, the ground last.
    ///
    /// # Errors
    /// [`EvalError::Recoverable`] naming an unknown for which there is no value in reach.
    pub fn solve_states(
        &mut self,
        mechanism: &Mechanism,
        (t, poses, tracked): (f64, &[Pose], &[Tracked]),
        (base, h): (&[f64], f64),
        states: &mut [f64],
    ) -> Result<(), EvalError> {
        let loads = self.loads_mut();
        loads.set_states(states);
        loads.settle(mechanism, t, poses, tracked, Solve::Stage { base, h })?;
        states.copy_from_slice(loads.states());
        Ok(())
    }

    /// The unknowns of the user at the last [`System::forces`]: those with an equation 0 = f are solved for there.
    #[must_use]
    pub fn states(&self) -> &[f64] {
        self.loads().states()
    }

    /// Sizes of the terms of these rates, into as many entries; `poses` are those of that time and, last, the ground.
    pub fn state_terms(&mut self, mechanism: &Mechanism, poses: &[Pose], terms: &mut [f64]) {
        self.loads_mut().rate_terms(mechanism, poses, terms);
    }

    /// Integrates the unknowns of motions given by velocity or acceleration ([`State::drives`]) from `from` to `to` \[s\] by
    /// Gauss's rule with three points.
    pub fn advance_drives(&mut self, mechanism: &Mechanism, from: f64, to: f64, states: &mut [f64]) {
        let (h, node) = (to - from, (3.0_f64 / 5.0).sqrt());
        for drive in &mechanism.drives {
            let mut moments = [0.0; 2];
            for (x, weight) in [(-node, 5.0 / 18.0), (0.0, 8.0 / 18.0), (node, 5.0 / 18.0)] {
                let c = 0.5 * (1.0 + x);
                let value = drive.function.time_derivatives(from + c * h, &mut self.stack)[0];
                moments[0] += weight * h * value;
                moments[1] += weight * h * h * (1.0 - c) * value;
            }
            match drive.law {
                Law::Displacement => {}
                Law::Velocity => states[drive.first] += moments[0],
                Law::Acceleration => {
                    states[drive.first] += h * states[drive.first + 1] + moments[1];
                    states[drive.first + 1] += moments[0];
                }
            }
        }
    }
}
