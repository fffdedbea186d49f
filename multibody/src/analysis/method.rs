//! The integrators that a dynamic analysis can use, and one of them at work.

use crate::dae::Dae;
use crate::error::Error;
use crate::formulation::{Equations, Formulation, Partitioned};
use crate::input::Inputs;
use crate::integrator::{Gstiff, GstiffStepper, Integrator, Rkf45, Rkf45Stepper, StepLimits, Tolerance};
use crate::interrupt::Interrupt;
use crate::mechanism::Mechanism;
use crate::ode::Ode;
use crate::state::State;
use std::sync::Arc;

/// An integrator and its options.
#[derive(Debug, Clone, PartialEq)]
pub enum Method {
    /// Gear's method on F(t, y, y') = 0.
    Gstiff(Gstiff),
    /// Fehlberg's method on partitioned coordinates.
    Rkf45(Rkf45),
}

impl Default for Method {
    fn default() -> Self {
        Self::Gstiff(Gstiff::default())
    }
}

impl From<Gstiff> for Method {
    fn from(method: Gstiff) -> Self {
        Self::Gstiff(method)
    }
}

impl From<Rkf45> for Method {
    fn from(method: Rkf45) -> Self {
        Self::Rkf45(method)
    }
}

impl Method {
    /// Name in files and on the command line.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Gstiff(_) => "gstiff",
            Self::Rkf45(_) => "rkf45",
        }
    }

    /// Tolerances of the local error.
    #[must_use]
    pub fn tolerance(&self) -> &Tolerance {
        match self {
            Self::Gstiff(method) => &method.tolerance,
            Self::Rkf45(method) => &method.tolerance,
        }
    }

    /// Limits of the step.
    #[must_use]
    pub fn step(&self) -> &StepLimits {
        match self {
            Self::Gstiff(method) => &method.step,
            Self::Rkf45(method) => &method.step,
        }
    }

    /// Takes no step longer than `largest` \[s\], unless its options have a largest step of their own.
    pub fn limit_step(&mut self, largest: f64) {
        let step = match self {
            Self::Gstiff(method) => &mut method.step,
            Self::Rkf45(method) => &mut method.step,
        };
        if step.largest.is_infinite() {
            step.largest = largest.max(step.smallest);
        }
    }

    /// Highest order.
    #[must_use]
    pub fn order_max(&self) -> usize {
        match self {
            Self::Gstiff(method) => method.order_max,
            Self::Rkf45(method) => {
                if method.local_extrapolation {
                    5
                } else {
                    4
                }
            }
        }
    }

    /// Name of the equations it solves, where Gear's method is given `formulation`.
    #[must_use]
    pub fn equations(&self, formulation: Formulation) -> &'static str {
        match self {
            Self::Gstiff(_) => formulation.name(),
            Self::Rkf45(_) => "partitioned",
        }
    }
}

/// A method at work on a mechanism.
#[derive(Debug)]
pub(super) enum Running {
    Gstiff(Box<GstiffStepper<Equations>>),
    Rkf45(Box<Rkf45Stepper<Partitioned>>),
}

impl Running {
    /// Starts at a state that satisfies the constraints.
    pub(super) fn start(
        mechanism: &Arc<Mechanism>,
        start: &State,
        method: &Method,
        formulation: Formulation,
        end: f64,
    ) -> Result<Self, Error> {
        match method {
            Method::Gstiff(method) => {
                let mut equations = Equations::new(Arc::clone(mechanism), formulation, start);
                let n = equations.dimension();
                let (mut y, mut yp) = (vec![0.0; n], vec![0.0; n]);
                equations.write(start, &mut y, &mut yp);
                Ok(Self::Gstiff(Box::new(method.start(equations, start.time, &y, &yp, end)?)))
            }
            Method::Rkf45(method) => {
                let mut equations = Partitioned::new(Arc::clone(mechanism), start)?;
                let mut y = vec![0.0; equations.dimension()];
                equations.write(start, &mut y)?;
                Ok(Self::Rkf45(Box::new(method.start(equations, start.time, &y, end)?)))
            }
        }
    }

    pub(super) fn integrator(&self) -> &dyn Integrator {
        match self {
            Self::Gstiff(stepper) => &**stepper,
            Self::Rkf45(stepper) => &**stepper,
        }
    }

    pub(super) fn integrator_mut(&mut self) -> &mut dyn Integrator {
        match self {
            Self::Gstiff(stepper) => &mut **stepper,
            Self::Rkf45(stepper) => &mut **stepper,
        }
    }

    /// The inputs on which its equations depend.
    pub(super) fn inputs_mut(&mut self) -> &mut Inputs {
        match self {
            Self::Gstiff(stepper) => stepper.dae_mut().inputs_mut(),
            Self::Rkf45(stepper) => stepper.ode_mut().inputs_mut(),
        }
    }

    /// Evaluations fail once this is raised.
    pub(super) fn set_interrupt(&mut self, interrupt: Interrupt) {
        match self {
            Self::Gstiff(stepper) => stepper.dae_mut().set_interrupt(interrupt),
            Self::Rkf45(stepper) => stepper.ode_mut().set_interrupt(interrupt),
        }
    }

    /// Takes note of a jump of the forces at the present point: accelerations and multipliers jump by those of `change`, which one-step
    /// methods find out themselves. `y` is scratch.
    pub(super) fn jump(&mut self, change: &State, y: &mut [f64]) -> Result<(), Error> {
        match self {
            Self::Gstiff(stepper) => {
                stepper.amend(|equations, history| equations.jump(&change.accelerations, &change.multipliers, history));
            }
            Self::Rkf45(stepper) => {
                y.copy_from_slice(stepper.state());
                stepper.restart(stepper.time(), y, &[])?;
            }
        }
        Ok(())
    }

    /// Number of unknowns.
    pub(super) fn dimension(&self) -> usize {
        match self {
            Self::Gstiff(stepper) => stepper.dae().dimension(),
            Self::Rkf45(stepper) => stepper.ode().dimension(),
        }
    }

    /// Reads y and y' at `time` into a state.
    pub(super) fn read(&mut self, time: f64, y: &[f64], yp: &[f64], state: &mut State) -> Result<(), Error> {
        match self {
            Self::Gstiff(stepper) => {
                stepper.dae_mut().read(time, y, state);
                stepper.dae().read_multipliers(y, yp, state);
                Ok(())
            }
            Self::Rkf45(stepper) => stepper.ode_mut().read(time, y, state),
        }
    }
}
