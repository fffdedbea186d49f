//! Model exchange: the method at work on the equations of an FMU.

use super::FmuIntegrator;
use super::implicit::Implicit;
use super::model::{FmuDae, FmuDescription};
use super::system::System;
use crate::function::Failure;
use fourbar_dae::integrator::{BdfStepper, Gstiff, Integrator, Rkf45, Rkf45Stepper, Statistics, consistent_start};

/// An explicit method, or an implicit one.
pub(super) enum Solver {
    Explicit(Box<Rkf45Stepper<System>>),
    Stiff(Box<BdfStepper<Implicit>>),
}

fn failure(error: impl std::error::Error) -> Failure {
    Failure::new(error.to_string())
}

impl Solver {
    /// Starts at (t, y), `y` being as the FMU has it.
    pub(super) fn start(
        chosen: FmuIntegrator,
        system: System,
        (description, dae): (&FmuDescription, Option<&FmuDae>),
        tolerance: f64,
        (t, y): (f64, &mut [f64]),
    ) -> Result<Self, Failure> {
        if chosen == FmuIntegrator::Rkf45 {
            let method = Rkf45::with_tolerance(tolerance);
            let stepper = method.start(system, t, y, f64::INFINITY).map_err(failure)?;
            return Ok(Self::Explicit(Box::new(stepper)));
        }
        let mut implicit = Implicit::new(system, description, dae)?;
        let mut yp = vec![0.0; y.len()];
        settle(&mut implicit, t, y, &mut yp)?;
        let stepper = Gstiff::with_tolerance(tolerance).start(implicit, t, y, &yp, f64::INFINITY).map_err(failure)?;
        Ok(Self::Stiff(Box::new(stepper)))
    }

    pub(super) fn integrator(&mut self) -> &mut dyn Integrator {
        match self {
            Self::Explicit(stepper) => &mut **stepper,
            Self::Stiff(stepper) => &mut **stepper,
        }
    }

    pub(super) fn statistics(&self) -> &Statistics {
        match self {
            Self::Explicit(stepper) => stepper.statistics(),
            Self::Stiff(stepper) => stepper.statistics(),
        }
    }

    pub(super) fn system(&self) -> &System {
        match self {
            Self::Explicit(stepper) => stepper.ode(),
            Self::Stiff(stepper) => &stepper.dae().system,
        }
    }

    pub(super) fn system_mut(&mut self) -> &mut System {
        match self {
            Self::Explicit(stepper) => stepper.ode_mut(),
            Self::Stiff(stepper) => &mut stepper.dae_mut().system,
        }
    }

    /// Copies the present state and returns the time \[s\].
    pub(super) fn point(&mut self, y: &mut [f64]) -> f64 {
        let integrator = self.integrator();
        y.copy_from_slice(integrator.state());
        integrator.time()
    }

    /// Begins anew behind a jump at t \[s\], from `y`, whose algebraic variables are made consistent.
    pub(super) fn restart(&mut self, t: f64, y: &mut [f64]) -> Result<(), Failure> {
        match self {
            Self::Explicit(stepper) => stepper.restart(t, y, &[]).map_err(failure),
            Self::Stiff(stepper) => {
                let mut yp = stepper.derivative().to_vec();
                settle(stepper.dae_mut(), t, y, &mut yp)?;
                stepper.restart(t, y, &yp).map_err(failure)
            }
        }
    }

    /// Goes on where inputs bend at t \[s\]: that costs a one-step method one evaluation; an implicit one keeps its order, and its error test sees
    /// the bend.
    pub(super) fn bend(&mut self, t: f64, y: &[f64]) -> Result<(), Failure> {
        match self {
            Self::Explicit(stepper) => stepper.restart(t, y, &[]).map_err(failure),
            Self::Stiff(stepper) => {
                stepper.expect_jump();
                Ok(())
            }
        }
    }
}

/// Makes y' follow from y, and of residuals the algebraic variables as well.
fn settle(implicit: &mut Implicit, t: f64, y: &mut [f64], yp: &mut [f64]) -> Result<(), Failure> {
    implicit.derivative(t, y, yp)?;
    if implicit.system.has_residuals() {
        let found = consistent_start(implicit, t, y, yp);
        found.map_err(|error| implicit.system.failure.take().unwrap_or_else(|| failure(error)))?;
    }
    Ok(())
}
