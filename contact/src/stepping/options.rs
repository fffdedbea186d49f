//! Time stepping as data: scheme, step, projection, how the contact problem is solved.

use crate::configuration::Configuration;
use crate::error::Error;
use crate::projection::Projection;
use crate::scene_scales::SceneScales;
use crate::unilateral::Contacts;
use fourbar_multibody::{Mechanism, State};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Which moves a step makes.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(tag = "name", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Scheme {
    /// Gaps linearized over the step: what is straight over it does not penetrate at its end; a contact that closes does so at its end.
    #[default]
    #[doc(alias("Stewart-Trinkle", "Anitescu-Potra"))]
    GapLcp,
    /// Impacts on velocity level, contacts chosen at the midpoint.
    MoreauJean {
        /// Weight of the velocity after the step in the displacement, 1/2 to 1.
        theta: f64,
    },
    /// Positions and velocities both satisfied; free flight to second order.
    #[doc(alias("nonsmooth Gear-Gupta-Leimkuhler"))]
    Ggl,
}

impl Scheme {
    /// Weight of the velocity after the step in the displacement.
    pub(super) fn theta(&self) -> f64 {
        match *self {
            Self::GapLcp => 1.0,
            Self::MoreauJean { theta } => theta,
            Self::Ggl => 0.5,
        }
    }
}

/// Time stepping: scheme, step and projection.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TimeStepping {
    /// Scheme.
    pub scheme: Scheme,
    /// Step h \[s\]; infinity for that of the scene ([`SceneScales::step`]).
    pub step: f64,
    /// Projection at the end of each step.
    pub projection: Projection,
    /// Gap up to which contacts are looked at \[m\] (angles: over the length of the scene); by default what bodies may travel in two steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reach: Option<f64>,
    /// How the contact problem of [`Scheme::GapLcp`] is solved.
    pub backend: Backend,
}

/// How the contact problem of a step is solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Backend {
    /// [`Backend::Global`] for more than a few free bodies, with joints where more than a few contacts are within reach;
    /// else [`Backend::Reduced`].
    #[default]
    Automatic,
    /// W formed, joints eliminated; exact, for few contacts.
    Reduced,
    /// In the velocities of the bodies, to 1e-8 of the speed of the scene, for many. With joints, steps that it does not solve take [`Backend::Reduced`].
    Global,
}

impl Default for TimeStepping {
    fn default() -> Self {
        Self {
            scheme: Scheme::GapLcp,
            step: f64::INFINITY,
            projection: Projection::default(),
            reach: None,
            backend: Backend::Automatic,
        }
    }
}

impl TimeStepping {
    /// The same with the step of the scene at `start` where it has none of its own.
    ///
    /// # Errors
    /// [`Error::Multibody`] where forces cannot be evaluated or the start is singular; those of [`Contacts::find`].
    pub fn in_scene<C: Contacts>(
        self,
        mechanism: &Arc<Mechanism>,
        mut contacts: C,
        start: &State,
    ) -> Result<Self, Error> {
        if !self.step.is_infinite() {
            return Ok(self);
        }
        let scales = SceneScales::new(&mut Configuration::new(mechanism, start)?, &mut contacts, start)?;
        Ok(Self { step: scales.step(mechanism), ..self })
    }
}

impl TimeStepping {
    /// Whether all options are within their ranges.
    pub(super) fn check(&self) -> Result<(), Error> {
        if !self.step.is_infinite() {
            check_step(self.step)?;
        }
        if let Some(reach) = self.reach {
            positive("reach", reach, "a reach is a positive length")?;
        }
        match self.scheme {
            Scheme::MoreauJean { theta } if !(0.5..=1.0).contains(&theta) => {
                Err(Error::Option { name: "theta", value: theta, remedy: "choose 1/2 (no damping) to 1" })
            }
            _ => Ok(()),
        }
    }
}

/// Whether a length of steps is one.
pub(super) fn check_step(step: f64) -> Result<(), Error> {
    positive("step", step, "a step is a positive number of seconds")
}

fn positive(name: &'static str, value: f64, remedy: &'static str) -> Result<(), Error> {
    if value > 0.0 && value.is_finite() { Ok(()) } else { Err(Error::Option { name, value, remedy }) }
}
