//! Runs of mechanisms.

use super::active::{ActiveRun, Advance, Setup};
use super::{Frame, Framer, Plan, Step};
use crate::Error;
use crate::results::{Column, Details, MechanismDetails};
use fourbar_linalg::text::Brief;
use fourbar_multibody::formulation::kinds;
use fourbar_multibody::host::HostFunctions;
use fourbar_multibody::integrator::{Absolute, StepLimits, Stop};
use fourbar_multibody::measure::MeasureInfo;
use fourbar_multibody::model::{Model, Settings};
use fourbar_multibody::{Dynamics, DynamicsOptions, Mechanism, Simulation, Violation};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A mechanism and how it is integrated.
#[derive(Debug)]
pub(super) struct MechanismSetup {
    mechanism: Arc<Mechanism>,
    integrator: &'static str,
    dynamics: DynamicsOptions,
}

impl MechanismSetup {
    pub(super) fn new(model: &Model, functions: &HostFunctions, overrides: &Settings) -> Result<(Self, Plan), Error> {
        let mechanism = Arc::new(Mechanism::compile_with(model, functions)?);
        let Simulation { end, output_step, integrator, mut dynamics } = Simulation::new(model, overrides)?;
        let plan = Plan::new(end, output_step)?;
        dynamics.method.limit_step(plan.output_step);
        Ok((Self { mechanism, integrator, dynamics }, plan))
    }
}

impl Setup for MechanismSetup {
    fn name(&self) -> &str {
        self.mechanism.name()
    }

    fn columns(&self) -> Vec<Column> {
        let column = |measure: &MeasureInfo| Column { name: measure.name.clone(), unit: measure.unit.clone() };
        self.mechanism.measures().iter().map(column).collect()
    }

    fn describe(&self) -> Vec<(String, String)> {
        let method = &self.dynamics.method;
        let (tolerance, StepLimits { first, smallest, largest, limit }) = (method.tolerance(), method.step());
        let seconds = |value: &f64, otherwise: &str| match *value {
            value if value > 0.0 && value.is_finite() => format!("{value} s"),
            _ => otherwise.to_owned(),
        };
        let limit = if *limit == u64::MAX { "none".to_owned() } else { limit.to_string() };
        [
            ("integrator", self.integrator.to_owned()),
            ("formulation", self.dynamics.formulation.solved_by(method).to_owned()),
            ("relative tolerance", Brief(tolerance.relative).to_string()),
            ("absolute tolerance", absolute(&tolerance.absolute)),
            ("largest order", method.order_max().to_string()),
            ("first step", seconds(first, "automatic")),
            ("smallest step", seconds(smallest, "round-off")),
            ("largest step", seconds(largest, "none")),
            ("most steps", limit),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .to_vec()
    }

    fn mechanism(&self) -> Option<&Mechanism> {
        Some(&self.mechanism)
    }

    fn begin(&self, _plan: &Plan, interrupt: &Arc<AtomicBool>) -> Result<Box<dyn ActiveRun>, Error> {
        let mut dynamics = Dynamics::new(&self.mechanism, &self.dynamics)?;
        let violation = dynamics.violation()?;
        dynamics.set_interrupt(Arc::clone(interrupt).into());
        Ok(Box::new(MechanismRun { dynamics, violation, shown: 0.0, framer: None }))
    }
}

fn absolute(tolerance: &Absolute) -> String {
    match tolerance {
        Absolute::Typical(_) => "round-off".to_owned(),
        Absolute::Kind(table) => {
            let kinds = [
                (kinds::POSITION, "m"),
                (kinds::ORIENTATION, "rad"),
                (kinds::VELOCITY, "m/s"),
                (kinds::ANGULAR_VELOCITY, "rad/s"),
            ];
            let kinds = kinds.map(|(kind, unit)| (table.get(kind), unit));
            // Those that are not given are left to the mechanism.
            let given = kinds.into_iter().filter(|(tolerance, _)| *tolerance > f64::MIN_POSITIVE);
            given.map(|(tolerance, unit)| format!("{} {unit}", Brief(tolerance))).collect::<Vec<_>>().join(", ")
        }
        Absolute::Unknown(_) => "one for each unknown".to_owned(),
    }
}

struct MechanismRun {
    dynamics: Dynamics,
    violation: Violation,
    /// Time of the last values \[s\].
    shown: f64,
    /// Made when the first frame is asked for and behind each switch, with the mechanism that it is made for.
    framer: Option<(Arc<Mechanism>, Box<Framer>)>,
}

impl ActiveRun for MechanismRun {
    fn time(&self) -> f64 {
        self.dynamics.time()
    }

    fn advance(&mut self) -> Result<Advance, Error> {
        let reason = self.dynamics.step()?;
        self.dynamics.account_energy()?;
        self.violation = self.violation.max(self.dynamics.violation()?);
        let step = Step { time: self.dynamics.time(), size: self.dynamics.step_size(), order: self.dynamics.order() };
        Ok(Advance { step, finished: reason == Stop::EndTime })
    }

    fn values_at(&mut self, time: f64, values: &mut [f64]) -> Result<(), Error> {
        self.shown = time;
        Ok(self.dynamics.measures_at(time, values)?)
    }

    fn frame(&mut self) -> Result<Option<&Frame>, Error> {
        let mechanism = Arc::clone(self.dynamics.mechanism());
        let state = self.dynamics.motion_at(self.shown)?;
        // A sensor may have made another mechanism, with other rows.
        self.framer.take_if(|(own, _)| !Arc::ptr_eq(own, &mechanism));
        let make = || (Arc::clone(&mechanism), Box::new(Framer::new(&mechanism, state)));
        let (_, framer) = self.framer.get_or_insert_with(make);
        Ok(Some(framer.take(&mechanism, state, &[], std::iter::empty())))
    }

    fn details(&mut self) -> Result<Details, Error> {
        Ok(Details::Mechanism(MechanismDetails {
            violation: self.violation,
            statistics: *self.dynamics.statistics(),
            energy: self.dynamics.energy()?,
            events: self.dynamics.switch_events().to_vec(),
        }))
    }

    fn warnings(&mut self) -> Vec<String> {
        self.dynamics.warnings()
    }
}
