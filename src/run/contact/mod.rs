//! Runs of mechanisms with contacts: event-driven, or with fixed steps.

mod events;
pub(crate) mod loaded;
mod steps;
pub(crate) mod watch;

use super::Plan;
use super::active::{ActiveRun, Setup};
use super::plan::{MOST_STEPS, SAME};
use crate::Error;
use crate::mechanism::{ContactMethod, Following, FollowingOverrides, MechanismModel};
use crate::results::Column;
use events::Events;
use fourbar_contact::event::EventDriven;
use fourbar_contact::law::Sequence;
use fourbar_contact::pair::ContactSet;
use fourbar_contact::stepping::TimeStepping;
use fourbar_linalg::text::Brief;
use fourbar_multibody::host::HostFunctions;
use fourbar_multibody::model::Settings;
use fourbar_multibody::{Mechanism, Simulation};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use steps::Steps;
use watch::{Columns, Watch};

/// A mechanism with contacts, and how these are followed.
#[derive(Debug)]
pub(super) struct ContactSetup {
    mechanism: Arc<Mechanism>,
    detector: Detector,
    following: Following,
    columns: Columns,
    /// Steps from one output to the next, for fixed steps.
    every: u64,
}

/// The compiled contacts.
struct Detector(ContactSet);

impl std::fmt::Debug for Detector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("ContactSet").field(&self.0.names()).finish()
    }
}

impl ContactSetup {
    /// Compiles `model`, whose copies are written out.
    pub(super) fn new(
        model: &MechanismModel,
        functions: &HostFunctions,
        times: &Settings,
        overrides: &FollowingOverrides,
    ) -> Result<(Self, Plan), Error> {
        let mechanism = Arc::new(Mechanism::compile_with(&model.model, functions)?);
        let detector = Detector(ContactSet::compile(&model.model, &model.contacts, &mechanism)?);
        let columns = Columns::new(model, &mechanism).map_err(fourbar_multibody::Error::Model)?;
        let mut following = Following::new(model, overrides).map_err(fourbar_multibody::Error::Model)?;
        check_overrides(&following, overrides)?;
        let Simulation { end, output_step, .. } = Simulation::new(&model.model, times)?;
        following.fit_step(&mechanism, &detector.0, Plan::output_step(end, output_step))?;
        let (plan, every) = match &following {
            Following::Event(_) => (Plan::new(end, output_step)?, 1),
            Following::Steps(_, steps, _) => grid(end, output_step, steps.step)?,
        };
        Ok((Self { mechanism, detector, following, columns, every }, plan))
    }
}

/// Refuses what the caller gives and the method does not have.
pub(crate) fn check_overrides(following: &Following, overrides: &FollowingOverrides) -> Result<(), Error> {
    let refused = match following {
        Following::Event(_) => [("step", overrides.step.is_some()), ("", false)],
        Following::Steps(..) => {
            [("tolerance", overrides.tolerance.is_some()), ("max_step", overrides.max_step.is_some())]
        }
    };
    let kind = match following {
        Following::Event(_) => "mechanism with contacts, event-driven",
        Following::Steps(..) => "mechanism with contacts, fixed steps",
    };
    match refused.iter().find(|(_, given)| *given) {
        Some((setting, _)) => Err(Error::NotForKind { setting, kind }),
        None => Ok(()),
    }
}

/// The plan and the number of steps between outputs.
fn grid(end: Option<f64>, output_step: Option<f64>, step: f64) -> Result<(Plan, u64), Error> {
    let end = end.ok_or(Error::NoEnd)?;
    if !(end / step <= MOST_STEPS) {
        return Err(Error::TooManySteps { end, step, limit: MOST_STEPS });
    }
    let every = match output_step {
        None => (end / super::plan::OUTPUTS / step).round().max(1.0),
        Some(output_step) => (output_step / step).round(),
    };
    let output_step = output_step.unwrap_or(every * step);
    let plan = Plan::new(Some(end), Some(output_step))?;
    if every < 1.0 || (output_step - every * step).abs() > SAME * step {
        return Err(Error::OutputsBetweenSteps { output_step, step });
    }
    Ok((plan, every as u64))
}

fn sequence(sequence: Sequence) -> &'static str {
    match sequence {
        Sequence::Simultaneous => "simultaneous",
        Sequence::Pairwise => "sequential",
    }
}

impl Setup for ContactSetup {
    fn name(&self) -> &str {
        self.mechanism.name()
    }

    fn columns(&self) -> Vec<Column> {
        self.columns.all.clone()
    }

    fn describe(&self) -> Vec<(String, String)> {
        let mut settings = vec![("contacts".to_owned(), self.following.method().name().to_owned())];
        match &self.following {
            Following::Event(EventDriven { tolerance, law, accumulation_speed, .. }) => settings.extend([
                ("tolerance".to_owned(), Brief(*tolerance).to_string()),
                ("restitution".to_owned(), format!("{:?}", law.restitution).to_lowercase()),
                ("impacts".to_owned(), sequence(law.sequence).to_owned()),
                (
                    "accumulation passed below".to_owned(),
                    match accumulation_speed.is_finite() {
                        true => format!("{accumulation_speed} m/s"),
                        false => "1e-4 of the speed of the scene".to_owned(),
                    },
                ),
            ]),
            Following::Steps(method, TimeStepping { step, projection, scheme, .. }, _) => {
                settings.push(("step".to_owned(), format!("{} s", Brief(*step))));
                if let (ContactMethod::MoreauJean, fourbar_contact::stepping::Scheme::MoreauJean { theta }) =
                    (method, scheme)
                {
                    settings.push(("theta".to_owned(), theta.to_string()));
                }
                let positions = match projection.iterations {
                    0 => "positions not".to_owned(),
                    most => format!("positions by at most {most} iterations"),
                };
                let velocities = if projection.velocities { "velocities too" } else { "velocities not" };
                settings.push(("projection".to_owned(), format!("{positions}, {velocities}")));
            }
        }
        settings
    }

    fn mechanism(&self) -> Option<&Mechanism> {
        Some(&self.mechanism)
    }

    fn begin(&self, plan: &Plan, _interrupt: &Arc<AtomicBool>) -> Result<Box<dyn ActiveRun>, Error> {
        let watch = Watch::new(&self.mechanism, self.detector.0.clone(), &self.columns)?;
        let (mechanism, detector) = (&self.mechanism, self.detector.0.clone());
        Ok(match &self.following {
            Following::Event(options) => Box::new(Events::begin(options, mechanism, detector, watch, *plan)?),
            Following::Steps(method, options, _) => {
                let begun = Steps::begin(*method, options, mechanism, detector, watch, *plan, self.every)?;
                Box::new(begun)
            }
        })
    }
}
