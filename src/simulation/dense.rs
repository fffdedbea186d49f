//! Steps that pass the times at which somebody looks: the integrator keeps its own steps, and what lies within the last one comes from its
//! polynomial, as in [`run`](crate::run).

use super::{Progress, Simulation, solved};
use crate::Error;
use crate::simulation::motion::Motion;
#[cfg(feature = "fmi")]
use fourbar_multibody::State;

impl Simulation {
    /// Whether [`Simulation::measures_at`] knows the time before the end of a step: without contacts.
    #[must_use]
    pub fn is_dense(&self) -> bool {
        matches!(self.motion, Motion::Smooth(_))
    }

    /// Takes one step of the length that the method chooses, towards `end` \[s\], which it does not pass and which may be infinite without
    /// contacts.
    ///
    /// # Errors
    /// As [`Simulation::advance`].
    pub fn pass(&mut self, end: f64) -> Result<Progress, Error> {
        let progress = self.motion.pass(end);
        self.note_step();
        progress
    }

    /// Positions, velocities and motions at `time` \[s\] within the last step; with contacts those of now, whatever `time` is.
    #[cfg(feature = "fmi")]
    pub(crate) fn motion_at(&mut self, time: f64) -> Result<State, Error> {
        match &mut self.motion {
            Motion::Smooth(dynamics) => Ok(dynamics.motion_at(time)?.clone()),
            _ => self.state().cloned(),
        }
    }

    /// Writes the measures at `time` \[s\] within the last step to `values`; with contacts those of now, whatever `time` is.
    ///
    /// # Errors
    /// As [`Simulation::measures`]; [`Error::Multibody`] for a time outside the last step.
    pub fn measures_at(&mut self, time: f64, values: &mut [f64]) -> Result<(), Error> {
        match &mut self.motion {
            Motion::Smooth(dynamics) => {
                solved::check_length("the array of measured values", values.len(), self.compiled.columns().len())?;
                Ok(dynamics.measures_at(time, values)?)
            }
            _ => self.measures(values),
        }
    }
}
