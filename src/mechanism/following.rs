//! How the contacts of a mechanism are followed in time, in numbers.

use super::{ContactMethod, ContactSettings, Impacts, MechanismModel};
use fourbar_contact::event::EventDriven;
use fourbar_contact::law::{ImpactLaw, Sequence};
use fourbar_contact::model::ContactKind;
use fourbar_contact::pair::ContactSet;
use fourbar_contact::projection::Projection;
use fourbar_contact::stepping::{Backend, Scheme, TimeStepping};
use fourbar_multibody::expression::Expression;
use fourbar_multibody::integrator::Tolerance;
use fourbar_multibody::model::Settings;
use fourbar_multibody::{Location, Mechanism, ModelError, Parameters};
use std::sync::Arc;

/// Part of a step by which an output step may exceed whole steps.
const ROUND_OFF: f64 = 1e-9;

/// A method with its options as numbers, checked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Following {
    Event(EventDriven),
    Steps(ContactMethod, TimeStepping, Step),
}

/// Whose the length of fixed steps is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Given,
    Default,
}

/// Settings that the caller gives instead of the model.
#[derive(Debug, Clone, Default)]
pub(crate) struct FollowingOverrides {
    pub(crate) method: Option<ContactMethod>,
    pub(crate) step: Option<f64>,
    pub(crate) tolerance: Option<f64>,
    pub(crate) max_step: Option<f64>,
}

impl Following {
    /// Where the settings have no step of their own: takes none longer than the output step \[s\] between events, and fixed steps of
    /// which whole ones make an output step, none longer than that of the scene.
    pub(crate) fn fit_step(
        &mut self,
        mechanism: &Arc<Mechanism>,
        contacts: &ContactSet,
        output_step: Option<f64>,
    ) -> Result<(), fourbar_contact::Error> {
        match self {
            Self::Event(options) if options.max_step.is_infinite() => {
                options.max_step = output_step.unwrap_or(f64::INFINITY);
            }
            Self::Steps(.., options, Step::Default) => {
                *options = options.in_scene(mechanism, contacts.clone(), mechanism.start())?;
                if let Some(output_step) = output_step {
                    let parts = (output_step / options.step - ROUND_OFF).ceil().max(1.0);
                    options.step = output_step / parts;
                }
            }
            Self::Event(_) | Self::Steps(..) => {}
        }
        Ok(())
    }

    /// Evaluates the settings of `model`; entries of `overrides` take precedence. Settings of another method are refused, unless the
    /// caller chose the method.
    pub(crate) fn new(model: &MechanismModel, overrides: &FollowingOverrides) -> Result<Self, Box<ModelError>> {
        let method = overrides.method.or(model.settings.method).unwrap_or_else(|| default_method(model));
        if overrides.method.is_none_or(|given| Some(given) == model.settings.method) {
            refuse_others(&model.model.simulation, &model.settings, method)?;
        }
        let parameters = Parameters::with_splines(&model.model.parameters, &model.model.splines)?;
        // Shapes have several points for each face: a problem of many contacts even for few bodies.
        let backend = if shapes_touch(model) { Backend::Global } else { Backend::Automatic };
        let reader = Reader { parameters: &parameters, settings: &model.settings, backend };
        match method {
            ContactMethod::Event => reader.event(&model.model.simulation, overrides).map(Self::Event),
            method => {
                let given = overrides.step.is_some() || model.settings.step.is_some();
                let step = if given { Step::Given } else { Step::Default };
                reader.steps(method, overrides).map(|steps| Self::Steps(method, steps, step))
            }
        }
    }

    pub(crate) fn method(&self) -> ContactMethod {
        match self {
            Self::Event(_) => ContactMethod::Event,
            Self::Steps(method, ..) => *method,
        }
    }
}

/// Events for a few smooth pairs; fixed steps where shapes touch, whose contacts come and go.
fn default_method(model: &MechanismModel) -> ContactMethod {
    if shapes_touch(model) { ContactMethod::GapLcp } else { ContactMethod::Event }
}

fn shapes_touch(model: &MechanismModel) -> bool {
    model.contacts.contacts.iter().any(|contact| matches!(contact.kind, ContactKind::Shapes(_)))
}

fn at(section: &'static str, field: &str) -> Location {
    Location { section, index: 0, name: String::new(), field: field.to_owned() }
}

/// Refuses what the method does not have.
fn refuse_others(
    simulation: &Settings,
    settings: &ContactSettings,
    method: ContactMethod,
) -> Result<(), Box<ModelError>> {
    let events = method == ContactMethod::Event;
    let of_integrators = [
        ("integrator", simulation.integrator.is_some()),
        ("formulation", simulation.formulation.is_some()),
        ("absolute", !simulation.absolute.is_empty()),
        ("first_step", simulation.first_step.is_some()),
        ("min_step", simulation.min_step.is_some()),
        ("max_order", simulation.max_order.is_some()),
        ("alpha", simulation.alpha.is_some()),
        ("rho_infinity", simulation.rho_infinity.is_some()),
        ("max_steps", simulation.max_steps.is_some()),
        ("stop_times", !simulation.stop_times.is_empty()),
        ("tolerance", simulation.tolerance.is_some() && !events),
        ("max_step", simulation.max_step.is_some() && !events),
    ];
    let of_contacts = [
        ("step", settings.step.is_some() && events),
        ("projection", settings.projection.is_some() && events),
        ("theta", settings.theta.is_some() && method != ContactMethod::MoreauJean),
        ("restitution", settings.restitution.is_some() && !events),
        ("impacts", settings.impacts.is_some() && !events),
        ("accumulation_speed", settings.accumulation_speed.is_some() && !events),
        ("events_max", settings.events_max.is_some() && !events),
        ("pace_min", settings.pace_min.is_some() && !events),
    ];
    let of_section =
        |section, given: &[(&str, bool)]| given.iter().find(|(_, given)| *given).map(|(name, _)| at(section, name));
    match of_section("simulation", &of_integrators).or_else(|| of_section("contacts", &of_contacts)) {
        None => Ok(()),
        Some(location) => {
            let problem = format!("the method `{}` for contacts has no `{}`", method.name(), location.field);
            Err(ModelError::new(location, problem, "leave it out, or choose another `method` in [contacts]"))
        }
    }
}

struct Reader<'a> {
    parameters: &'a Parameters<'a>,
    settings: &'a ContactSettings,
    backend: Backend,
}

impl Reader<'_> {
    fn number(
        &self,
        name: &str,
        setting: Option<&Expression>,
        allowed: &str,
        holds: impl Fn(f64) -> bool,
    ) -> Result<Option<f64>, Box<ModelError>> {
        setting.map(|expression| self.parameters.checked(expression, &at("contacts", name), allowed, holds)).transpose()
    }

    fn reach(&self) -> Result<Option<f64>, Box<ModelError>> {
        self.number("reach", self.settings.reach.as_ref(), "a length above 0 m", |value| value > 0.0)
    }

    fn event(&self, simulation: &Settings, overrides: &FollowingOverrides) -> Result<EventDriven, Box<ModelError>> {
        let (default, settings) = (EventDriven::default(), self.settings);
        let of_simulation = |name, setting: &Option<Expression>, allowed: &str, holds: fn(f64) -> bool| {
            let check = |e| self.parameters.checked(e, &at("simulation", name), allowed, holds);
            setting.as_ref().map(check).transpose()
        };
        let tolerance =
            of_simulation("tolerance", &simulation.tolerance, Tolerance::ALLOWED, |v| Tolerance::RANGE.contains(&v))?;
        let max_step = of_simulation("max_step", &simulation.max_step, "a time above 0 s", |v| v > 0.0)?;
        let speed = "a speed, 0 to follow every impact";
        let accumulation_speed =
            self.number("accumulation_speed", settings.accumulation_speed.as_ref(), speed, |v| v >= 0.0)?;
        let pace = "a time, 0 to go on however short steps are";
        let pace_min = self.number("pace_min", settings.pace_min.as_ref(), pace, |v| v >= 0.0)?;
        let sequence = match settings.impacts {
            Some(Impacts::Sequential) => Sequence::Pairwise,
            _ => Sequence::Simultaneous,
        };
        Ok(EventDriven {
            tolerance: overrides.tolerance.or(tolerance).unwrap_or(default.tolerance),
            law: ImpactLaw { restitution: settings.restitution.unwrap_or_default(), sequence, ..default.law },
            accumulation_speed: accumulation_speed.unwrap_or(default.accumulation_speed),
            reach: self.reach()?.unwrap_or(default.reach),
            max_step: overrides.max_step.or(max_step).unwrap_or(default.max_step),
            events_max: settings.events_max.map_or(default.events_max, |most| most as usize),
            pace_min: pace_min.unwrap_or(default.pace_min),
        })
    }

    fn steps(&self, method: ContactMethod, overrides: &FollowingOverrides) -> Result<TimeStepping, Box<ModelError>> {
        let (default, settings) = (TimeStepping::default(), self.settings);
        let step = self.number("step", settings.step.as_ref(), "a time above 0 s", |value| value > 0.0)?;
        let theta =
            self.number("theta", settings.theta.as_ref(), "a number from 1/2 to 1", |v| (0.5..=1.0).contains(&v))?;
        let scheme = match method {
            ContactMethod::MoreauJean => Scheme::MoreauJean { theta: theta.unwrap_or(0.5) },
            ContactMethod::Ggl => Scheme::Ggl,
            ContactMethod::GapLcp | ContactMethod::Event => Scheme::GapLcp,
        };
        Ok(TimeStepping {
            scheme,
            step: overrides.step.or(step).unwrap_or(default.step),
            projection: self.projection(default.projection)?,
            reach: self.reach()?,
            backend: self.backend,
        })
    }

    fn projection(&self, default: Projection) -> Result<Projection, Box<ModelError>> {
        let Some(given) = &self.settings.projection else { return Ok(default) };
        let allowed = "a length from 0 m on";
        let tolerance = self.number("projection.tolerance", given.tolerance.as_ref(), allowed, |value| value >= 0.0)?;
        Ok(Projection {
            iterations: given.iterations.map_or(default.iterations, usize::from),
            velocities: given.velocities.unwrap_or(default.velocities),
            tolerance: tolerance.or(default.tolerance),
            exact: given.exact.unwrap_or(default.exact),
        })
    }
}
