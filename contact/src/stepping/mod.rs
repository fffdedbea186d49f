//! Time stepping: fixed steps in which contacts open, close, stick and slide, any number of them, without events.
//!
//! Three schemes share everything but the order of their few moves:
//!
//! | scheme | contact law of a step | positions |
//! |---|---|---|
//! | [`Scheme::GapLcp`] | 0 <= S_N _|_ g_N/h + u_N+ >= 0, (4)-(7); restitution after the step | q + h u+ |
//! | [`Scheme::MoreauJean`] | 0 <= S_N _|_ u_N+ + e min(u_N-, 0) >= 0 where g_N(q + h u/2) <= 0 | q + h (theta u+ + (1 - theta) u) |
//! | [`Scheme::Ggl`] | positions and velocities both satisfied (Gear, Gupta, Leimkuhler; Bruls, Acary, Cardona 2014) | projected |
//!
//! Friction holds on the velocities after the step, |S_T| <= mu S_N, with rolling and spinning rows where surfaces have them. Joint
//! constraints hold on velocities; positions, then velocities are projected ([`crate::projection`]) with the contacts taking part.
//! All schemes are of first order where contacts close, and pass accumulation points without noticing.

mod blow;
mod body_space;
mod gap_lcp;
mod ggl;
mod gyroscopic;
mod gyroscopic_impulse;
mod impact;
mod moreau;
mod record;
mod saving;
mod step_workspace;

pub use record::{ContactRecord, StepRecord};

use crate::Budget;
use crate::configuration::Configuration;
use crate::error::Error;
use crate::friction::GlobalCoulomb;
use crate::projection::Projection;
use crate::scene_scales::SceneScales;
use crate::unilateral::Contacts;
use body_space::Free;
use fourbar_multibody::{Inputs, Mechanism, State};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use step_workspace::Workbench;

/// Which moves a step makes.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(tag = "name", rename_all = "snake_case")]
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
    fn theta(&self) -> f64 {
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

/// Residual of the contact problem that ends the motion, far above what its solver leaves, as part of the larger of its velocities and the speed of
/// the scene, as all residuals here.
const UNSOLVED: f64 = 1e-5;
/// Residual of the global form with joints above which a step is taken in the reduced form, which may take long.
const HARD: f64 = 1e-3;
/// What ends the motion in the global form, whose solver stops at 1e-8 and, in hard steps, at the end of its sweeps.
const UNSOLVED_GLOBAL: f64 = 1e-2;

/// Number of free bodies above which the global form is the default.
const FEW: usize = 4;
/// With joints, the number of contacts within reach above which a step is solved in global form.
const FEW_CONTACTS: usize = 24;

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

    /// Starts at `start`, which is projected onto the constraints if [`TimeStepping::projection`] is on.
    ///
    /// # Errors
    /// [`Error::Option`] for a step, theta or reach out of range; [`Error::Multibody`] for a singular start; those of
    /// [`Contacts::find`].
    pub fn start<C: Contacts>(
        &self,
        mechanism: &Arc<Mechanism>,
        contacts: C,
        start: &State,
    ) -> Result<TimeStepper<C>, Error> {
        if !self.step.is_infinite() {
            positive("step", self.step, STEP)?;
        }
        if let Some(reach) = self.reach {
            positive("reach", reach, "a reach is a positive length")?;
        }
        if let Scheme::MoreauJean { theta } = self.scheme
            && !(0.5..=1.0).contains(&theta)
        {
            return Err(Error::Option { name: "theta", value: theta, remedy: "choose 1/2 (no damping) to 1" });
        }
        let bench = Workbench::new(self, mechanism, contacts, start)?;
        let many = match self.backend {
            Backend::Automatic => mechanism.bodies().len() > FEW,
            Backend::Reduced => false,
            Backend::Global => true,
        };
        let global = self.scheme == Scheme::GapLcp && many;
        let free = if global { Free::new(mechanism, GlobalCoulomb::stepping()) } else { None };
        Ok(TimeStepper { options: Self { step: bench.h, ..*self }, bench, free })
    }
}

const STEP: &str = "a step is a positive number of seconds";

fn positive(name: &'static str, value: f64, remedy: &'static str) -> Result<(), Error> {
    if value > 0.0 && value.is_finite() { Ok(()) } else { Err(Error::Option { name, value, remedy }) }
}

/// A running time stepping. A clone of it goes on as it would, bit for bit.
#[derive(Debug, Clone)]
pub struct TimeStepper<C> {
    options: TimeStepping,
    bench: Workbench<C>,
    free: Option<Free>,
}

impl<C: Contacts> TimeStepper<C> {
    /// Takes one step. After an error the stepper is at the state of the last step.
    ///
    /// # Errors
    /// [`Error::Multibody`] where forces cannot be evaluated or constraints are singular; [`Error::Unsolved`] where contacts ask for what
    /// cannot be, as where a body is squeezed; those of [`Contacts::find`].
    pub fn step(&mut self) -> Result<&StepRecord, Error> {
        let before = self.bench.begin();
        let allowed = self.bench.strike().and_then(|()| self.advance());
        match allowed.and_then(|allowed| self.bench.finish().and_then(|()| self.bench.solved(allowed))) {
            Ok(()) => Ok(self.record()),
            Err(error) => {
                self.bench.take_back(before);
                Err(error)
            }
        }
    }

    /// The moves of a step; returns the residual that passes.
    fn advance(&mut self) -> Result<f64, Error> {
        // Joints are eliminated to round-off where contacts are few.
        let jointed = self.bench.configuration.row_count() > 0;
        let few = self.options.backend == Backend::Automatic && jointed && self.bench.found.len() <= FEW_CONTACTS;
        let mut none = None;
        let global = if few { &mut none } else { &mut self.free };
        let allowed = if global.is_some() { UNSOLVED_GLOBAL } else { UNSOLVED };
        match (self.options.scheme, global) {
            // Joints that press bodies together are hard on the global form; the reduced one solves what it leaves.
            (_, Some(free)) => match body_space::step(&mut self.bench, free) {
                Ok(()) if jointed && self.bench.record.residual > HARD => {
                    self.bench.begin_again();
                    free.suggest(&mut self.bench.guess);
                    gap_lcp::step(&mut self.bench)
                }
                done => done,
            },
            (Scheme::GapLcp, None) => gap_lcp::step(&mut self.bench),
            (Scheme::MoreauJean { .. }, None) => moreau::step(&mut self.bench),
            (Scheme::Ggl, None) => ggl::step(&mut self.bench),
        }?;
        Ok(allowed)
    }

    /// Changes the length of the steps to come \[s\].
    ///
    /// # Errors
    /// [`Error::Option`] for a step that is not positive and finite.
    pub fn set_step(&mut self, step: f64) -> Result<(), Error> {
        positive("step", step, STEP)?;
        self.options.step = step;
        self.bench.set_step(step);
        Ok(())
    }

    /// Changes what each solve of the steps to come may cost; 2e9 multiplications, a second or so, unless this is called. A step whose solve ends
    /// there goes on from the best point ([`StepRecord::out_of_budget`]), unless its residual ends the motion.
    pub fn set_budget(&mut self, budget: &Budget) {
        if let Some(free) = &mut self.free {
            free.set_budget(budget.clone());
        }
        self.bench.set_budget(budget.clone());
    }

    /// The inputs on which forces depend, to set them between steps.
    pub fn inputs_mut(&mut self) -> &mut Inputs {
        self.bench.configuration.inputs_mut()
    }

    /// Time \[s\].
    #[must_use]
    pub fn time(&self) -> f64 {
        self.bench.state.time
    }

    /// The state after the last step.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.bench.state
    }

    /// What the last step did.
    #[must_use]
    pub fn record(&self) -> &StepRecord {
        &self.bench.record
    }

    /// The contacts that took part in the last step, sorted by id.
    #[must_use]
    pub fn contacts(&self) -> &[ContactRecord] {
        &self.bench.contacts_done
    }

    /// Length, mass and speed of the scene, of which thresholds are parts.
    #[must_use]
    pub fn scales(&self) -> &SceneScales {
        &self.bench.scales
    }

    /// The finder of contacts.
    #[must_use]
    pub fn finder(&self) -> &C {
        &self.bench.contacts
    }
}
