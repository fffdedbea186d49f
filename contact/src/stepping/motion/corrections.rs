//! Corrections of positions that have drifted off the joints.

use super::Motion;
use crate::error::Error;
use fourbar_multibody::space::Pose;

impl Motion {
    /// Largest violation of the joints where the configuration is [m, rad], and of its rate [m/s, rad/s].
    pub(in crate::stepping) fn violations(&mut self) -> [f64; 2] {
        self.configuration.violation_rates(&mut self.bottom);
        let rate = largest(&self.bottom);
        self.configuration.violations(&mut self.bottom);
        [largest(&self.bottom), rate]
    }

    /// Violations of the joints by the last [`Motion::violations`] or [`Motion::correct_joints`].
    pub(in crate::stepping) fn violated(&self) -> &[f64] {
        &self.bottom
    }

    /// Forgets corrections of the joints.
    pub(in crate::stepping) fn no_corrections(&mut self) {
        self.closing.fill(0.0);
    }

    /// Moves the configuration towards the joints by the violations last asked for, along the gradients of its factors.
    pub(in crate::stepping) fn correct_joints(&mut self) -> Result<(), Error> {
        self.top.fill(0.0);
        self.bottom.iter_mut().for_each(|b| *b = -*b);
        self.configuration.solve(&mut self.top, &mut self.bottom)?;
        self.configuration.displace(&self.top, 1.0);
        self.closing.iter_mut().zip(&self.top).for_each(|(sum, d)| *sum += d / self.h);
        self.configuration.violations(&mut self.bottom);
        Ok(())
    }

    /// Lets velocities follow what the corrections moved.
    pub(in crate::stepping) fn follow_corrections(&mut self) {
        self.configuration.accelerate(&self.closing);
    }

    /// Takes the corrections back: bodies are where `before` says.
    pub(in crate::stepping) fn undo_corrections(&mut self, before: &[Pose]) {
        self.no_corrections();
        self.configuration.place(self.state.time, before, &self.state.drives);
    }
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |a, b| a.max(b.abs()))
}
