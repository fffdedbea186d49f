//! Motions whose rates jump within a step: an impulse on the bodies, at the begin of the step.
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

use crate::configuration::Configuration;
use crate::error::Error;
use fourbar_multibody::State;
use fourbar_multibody::space::Pose;

/// The jumps of prescribed rates in a step.
#[derive(Debug, Clone, Default)]
pub(super) struct RateJumps {
    /// What they change `Phi_q` u + `Phi_t` by.
    jumps: Vec<f64>,
    /// The sum of each times how late it is in the step.
    moments: Vec<f64>,
    /// Whether there are any, and the bodies before.
    crossed: bool,
    before: Vec<Pose>,
    top: Vec<f64>,
    bottom: Vec<f64>,
}

impl RateJumps {
    /// None, on so many rows of joints, for so many velocities.
    pub(super) fn new(rows: usize, velocities: usize) -> Self {
        let (zero, top) = (vec![0.0; rows], vec![0.0; velocities]);
        Self { jumps: zero.clone(), moments: zero.clone(), bottom: zero, top, ..Self::default() }
    }

    /// Jumps of the rates of the joints; zeros without any.
    pub(super) fn jumps(&self) -> &[f64] {
        &self.jumps
    }

    /// Puts bodies where they were before the jumps, if there were any.
    pub(super) fn take_back(&mut self, poses: &mut [Pose]) {
        if std::mem::take(&mut self.crossed) {
            poses.copy_from_slice(&self.before);
        }
    }

    /// Lets a step of length `h` begin with the velocities behind the jumps in it; whether there are any.
    pub(super) fn cross(
        &mut self,
        configuration: &mut Configuration,
        state: &mut State,
        h: f64,
    ) -> Result<bool, Error> {
        self.crossed = false;
        if !configuration.rate_jumps(state, h, [&mut self.jumps, &mut self.moments])? {
            return Ok(false);
        }
        self.before.clone_from(&state.poses);
        configuration.factor()?;
        self.respond(configuration, |jumps| &jumps.jumps)?;
        configuration.accelerate(&self.top);
        self.respond(configuration, |jumps| &jumps.moments)?;
        configuration.displace(&self.top, -1.0);
        configuration.store(state);
        self.crossed = true;
        Ok(true)
    }

    /// What answers to these changes of the rates, into `top`.
    fn respond(&mut self, configuration: &mut Configuration, of: impl Fn(&Self) -> &Vec<f64>) -> Result<(), Error> {
        let mut bottom = std::mem::take(&mut self.bottom);
        bottom.iter_mut().zip(of(self)).for_each(|(b, rate)| *b = -rate);
        self.top.fill(0.0);
        let solved = configuration.solve(&mut self.top, &mut bottom);
        self.bottom = bottom;
        solved
    }
}
