//! Steps of a large sparse system by Krylov projection.

use super::grid::Grid;
use super::inputs::Inputs;
use crate::linear::{SparseSystem, Stepping};
use crate::run::schedule::Interval;
use fourbar_lti::{Error, Krylov, KrylovEffort, KrylovOptions, Method, SparseStepper};
use fourbar_multibody::{Location, ModelError};

/// A stepper, and what makes others for parts of steps.
#[derive(Debug, Clone)]
pub(super) struct Sparse {
    system: SparseSystem,
    stepper: SparseStepper<Krylov>,
    /// Not yet factored for any step.
    propagator: Krylov,
    method: Method,
    nodes: Vec<f64>,
}

/// Refuses what has no form for sparse systems, or would reach over jumps of the inputs.
pub(super) fn check_method(stepping: &Stepping, location: Location) -> Result<(), Box<ModelError>> {
    let one_step = !matches!(stepping.method, Method::Mtm4 | Method::Qam4)
        && stepping.method.nodes().is_ok_and(|nodes| nodes.iter().all(|theta| *theta >= 0.0));
    if one_step {
        return Ok(());
    }
    let problem = format!("`{}` is no method for sparse systems", stepping.name.name());
    let remedy = "choose exact, algorithm_1, algorithm_1_real_time, foh or zoh: a multistep method saves nothing here";
    Err(ModelError::new(location, problem, remedy))
}

impl Sparse {
    pub(super) fn new(system: &SparseSystem, initial: &[f64], grid: Grid, stepping: &Stepping) -> Result<Self, Error> {
        let options = KrylovOptions { tolerance: stepping.krylov_tolerance(), ..KrylovOptions::default() };
        let propagator = Krylov::new(&system.a, &options, grid.step, grid.steps)?;
        let method = stepping.method.clone();
        let mut stepper = SparseStepper::new(propagator.clone(), &system.b, grid.step, method.clone())?;
        stepper.set_state(initial)?;
        Ok(Self { system: system.clone(), stepper, propagator, nodes: method.nodes()?, method })
    }

    pub(super) fn advance(&mut self, interval: &Interval, inputs: &mut Inputs) -> Result<KrylovEffort, Error> {
        // The stepper asks for the inputs at its nodes in their order.
        let mut nodes = self.nodes.iter();
        let u = |_: f64, u: &mut [f64]| {
            let theta = nodes.next().copied().unwrap_or(1.0);
            let (time, side) = interval.at(theta * interval.length);
            inputs.sample(time, side, u);
        };
        if interval.whole {
            return self.stepper.step(u);
        }
        let mut part =
            SparseStepper::new(self.propagator.clone(), &self.system.b, interval.length, self.method.clone())?;
        part.set_state(self.stepper.state())?;
        let effort = part.step(u)?;
        self.stepper.set_state(part.state())?;
        Ok(effort)
    }

    pub(super) fn outputs(&self, y: &mut [f64]) {
        let x = self.stepper.state();
        for (y, [(i, a), (j, b)]) in y.iter_mut().zip(&self.system.probes) {
            *y = a * x[*i] + b * x[*j];
        }
    }
}
