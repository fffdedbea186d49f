//! Motions whose rates jump within a step: a blow on the bodies, at the begin of the step.
//!
//! What joints then change velocities by is an impulse, and no acceleration that lasts for the step. A step of length h would take it for one,
//! (u~ - u)/h, under which a contact that closes with no more than it gives rests ([`super::impact`]): a table that kicks a body carried it along. So
//! the step begins with the velocities behind the jump,
//!
//! ```text
//! [ M       Phi_q^T ] (du)   (  0       )
//! [ Phi_q   0       ] ( . ) = ( -[Phi_t] )        [Phi_t] the sum of the jumps in the step,
//! ```
//!
//! from which contacts close with what the jump gives them, and the impact of the step answers that. As bodies then go all of the step with du, they
//! begin it where they would have had to, tau du back, tau how late in the step the jump is.

use super::step_workspace::Workbench;
use crate::error::Error;
use crate::unilateral::Contacts;
use fourbar_multibody::space::Pose;

/// The blow of a step.
#[derive(Debug, Clone, Default)]
pub(super) struct Blow {
    /// Jumps of the rates of the joints: what they change `Phi_q` u + `Phi_t` by.
    jumps: Vec<f64>,
    /// The sum of each times how late it is in the step.
    moments: Vec<f64>,
    /// Whether there are any, and the bodies before.
    struck: bool,
    before: Vec<Pose>,
}

impl Blow {
    /// None, on so many rows of joints.
    pub(super) fn new(rows: usize) -> Self {
        Self { jumps: vec![0.0; rows], moments: vec![0.0; rows], ..Self::default() }
    }

    /// Jumps of the rates of the joints; zeros without a blow.
    pub(super) fn jumps(&self) -> &[f64] {
        &self.jumps
    }

    /// Puts bodies where they were before the blow, if there was one.
    pub(super) fn take_back(&mut self, poses: &mut [Pose]) {
        if std::mem::take(&mut self.struck) {
            poses.copy_from_slice(&self.before);
        }
    }
}

impl<C: Contacts> Workbench<C> {
    /// Begins the step with the velocities behind the jumps of prescribed rates in it.
    pub(super) fn strike(&mut self) -> Result<(), Error> {
        self.blow.struck = false;
        let Blow { jumps, moments, .. } = &mut self.blow;
        if !self.configuration.rate_jumps(&self.state, self.h, [jumps, moments])? {
            return Ok(());
        }
        self.blow.before.clone_from(&self.state.poses);
        self.configuration.factor()?;
        self.top.fill(0.0);
        self.bottom.iter_mut().zip(&self.blow.jumps).for_each(|(b, jump)| *b = -jump);
        self.configuration.solve(&mut self.top, &mut self.bottom)?;
        self.configuration.accelerate(&self.top);
        self.top.fill(0.0);
        self.bottom.iter_mut().zip(&self.blow.moments).for_each(|(b, moment)| *b = -moment);
        self.configuration.solve(&mut self.top, &mut self.bottom)?;
        self.configuration.displace(&self.top, -1.0);
        self.configuration.store(&mut self.state);
        self.blow.struck = true;
        self.begin_struck();
        Ok(())
    }
}
