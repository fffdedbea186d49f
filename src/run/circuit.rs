//! Runs of hydraulic circuits.

use super::active::{ActiveRun, Advance, Setup};
use super::{Plan, Step};
use crate::Error;
use crate::circuit::{CircuitModel, CircuitSettings, CircuitStart, CompiledCircuit};
use crate::results::{CircuitDetails, Column, Details};
use fourbar_hydraulics::Circuit;
use fourbar_linalg::text::Brief;
use fourbar_multibody::integrator::{BdfStepper, Integrator, Stop};
use fourbar_multibody::{Location, ModelError};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Steps that waves in a short line may need unless `max_steps` allows more.
const MOST_STEPS: f64 = 1e7;

/// A circuit and how it is integrated.
#[derive(Debug)]
pub(super) struct CircuitSetup {
    name: String,
    compiled: CompiledCircuit,
}

impl CircuitSetup {
    pub(super) fn new(model: &CircuitModel, overrides: &CircuitSettings) -> Result<(Self, Plan), Error> {
        let mut compiled = CompiledCircuit::new(model, overrides)?;
        let plan = Plan::new(compiled.end, compiled.output_step)?;
        if compiled.by_outputs {
            let largest = &mut compiled.method.step.largest;
            *largest = largest.min(plan.output_step);
        }
        check_step_count(&compiled, plan.end)?;
        Ok((Self { name: model.model.name.clone(), compiled }, plan))
    }
}

/// Refuses a run for which waves in a short line need more steps than are allowed.
fn check_step_count(compiled: &CompiledCircuit, end: f64) -> Result<(), Error> {
    let Some((name, travel)) = compiled.circuit.shortest_line() else { return Ok(()) };
    let allowed = compiled.max_steps.map_or(MOST_STEPS, |limit| limit as f64);
    let needed = 2.0 * end / travel;
    if needed <= allowed {
        return Ok(());
    }
    let place = Location { section: "simulation", index: 0, name: String::new(), field: "max_steps".to_owned() };
    let problem = format!(
        "waves travel through the transmission line \"{name}\" in {} s, no step can be longer than half of it, and {} s would take {:.2} steps",
        Brief(travel),
        Brief(end),
        Brief(needed)
    );
    let remedy =
        "use a `line` or a `pipe` there, which allow any step, end earlier, or allow so many steps by `max_steps`";
    Err(fourbar_hydraulics::Error::Model(ModelError::new(place, problem, remedy)).into())
}

impl Setup for CircuitSetup {
    fn name(&self) -> &str {
        &self.name
    }

    fn columns(&self) -> Vec<Column> {
        self.compiled
            .circuit
            .outputs()
            .into_iter()
            .map(|output| Column { name: output.name, unit: output.unit })
            .collect()
    }

    fn describe(&self) -> Vec<(String, String)> {
        let method = &self.compiled.method;
        let start = match self.compiled.start {
            CircuitStart::Steady => "steady state",
            CircuitStart::Values => "start values of the model",
        };
        [
            ("integrator", "gstiff".to_owned()),
            ("start", start.to_owned()),
            ("relative tolerance", Brief(method.tolerance.relative).to_string()),
            ("largest order", method.order_max.to_string()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .to_vec()
    }

    fn circuit(&self) -> Option<&Circuit> {
        Some(&self.compiled.circuit)
    }

    fn begin(&self, plan: &Plan, _interrupt: &Arc<AtomicBool>) -> Result<Box<dyn ActiveRun>, Error> {
        let (circuit, start) = self.compiled.begin()?;
        let n = start.y.len();
        let stepper = self.compiled.method.start(circuit, 0.0, &start.y, &start.yp, plan.end);
        let stepper = stepper.map_err(fourbar_multibody::Error::from)?;
        Ok(Box::new(CircuitRun { stepper, y: vec![0.0; n], yp: vec![0.0; n] }))
    }
}

struct CircuitRun {
    stepper: BdfStepper<Circuit>,
    y: Vec<f64>,
    yp: Vec<f64>,
}

impl ActiveRun for CircuitRun {
    fn time(&self) -> f64 {
        self.stepper.time()
    }

    fn advance(&mut self) -> Result<Advance, Error> {
        let before = self.stepper.time();
        let reason = self.stepper.step().map_err(fourbar_multibody::Error::from)?;
        let time = self.stepper.time();
        let step = Step { time, size: time - before, order: self.stepper.order() };
        Ok(Advance { step, finished: reason == Stop::EndTime })
    }

    fn values_at(&mut self, time: f64, values: &mut [f64]) -> Result<(), Error> {
        if time == self.stepper.time() {
            self.y.copy_from_slice(self.stepper.state());
        } else {
            self.stepper.interpolate(time, &mut self.y, &mut self.yp).map_err(fourbar_multibody::Error::from)?;
        }
        Ok(self.stepper.dae_mut().observe(time, &self.y, values).map_err(fourbar_hydraulics::Error::from)?)
    }

    fn warnings(&mut self) -> Vec<String> {
        let mut warnings = self.stepper.dae().warnings();
        warnings.extend(self.stepper.statistics().warning());
        warnings
    }

    fn details(&mut self) -> Result<Details, Error> {
        Ok(Details::Circuit(CircuitDetails::new(self.y.len(), *self.stepper.statistics())))
    }
}
