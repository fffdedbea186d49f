//! An integrator at work on a mechanism.

use super::choice::Chosen;
use super::dynamics::DynamicsOptions;
use crate::dae::Dae;
use crate::error::Error;
use crate::formulation::{Equations, Formulation, Partitioned};
use crate::input::Inputs;
use crate::integrator::{AbamStepper, BdfStepper, Family, Integrator, Rkf45Stepper};
use crate::interrupt::Interrupt;
use crate::mechanism::Mechanism;
use crate::ode::Ode;
use crate::state::State;
use std::sync::Arc;

/// Partitioned equations of a mechanism, and y at `start`.
fn partitioned(mechanism: &Arc<Mechanism>, start: &State) -> Result<(Partitioned, Vec<f64>), Error> {
    let mut equations = Partitioned::new(Arc::clone(mechanism), start)?;
    let mut y = vec![0.0; equations.dimension()];
    equations.write(start, &mut y)?;
    Ok((equations, y))
}

/// A method at work on a mechanism.
#[derive(Debug)]
pub(super) enum Running {
    Bdf(Box<BdfStepper<Equations>>),
    Rkf45(Box<Rkf45Stepper<Partitioned>>),
    Abam(Box<AbamStepper<Partitioned>>),
}

impl Running {
    /// Starts at a state that satisfies the constraints; `equations` sets up F(t, y, y') = 0.
    pub(super) fn start(
        mechanism: &Arc<Mechanism>,
        start: &State,
        options: &DynamicsOptions,
        equations: impl FnOnce(Arc<Mechanism>, Formulation, &State) -> Equations,
    ) -> Result<Self, Error> {
        let &DynamicsOptions { formulation, ref method, end, .. } = options;
        Ok(match method.family() {
            Family::Bdf(method) => {
                let mut equations = equations(Arc::clone(mechanism), formulation, start);
                let n = equations.dimension();
                let (mut y, mut yp) = (vec![0.0; n], vec![0.0; n]);
                equations.write(start, &mut y, &mut yp);
                Self::Bdf(Box::new(method.start(equations, start.time, &y, &yp, end)?))
            }
            Family::Rkf45(method) => {
                let (equations, y) = partitioned(mechanism, start)?;
                Self::Rkf45(Box::new(method.start(equations, start.time, &y, end)?))
            }
            Family::Abam(method) => {
                let (equations, y) = partitioned(mechanism, start)?;
                Self::Abam(Box::new(method.start(equations, start.time, &y, end)?))
            }
        })
    }

    pub(super) fn integrator(&self) -> &dyn Integrator {
        match self {
            Self::Bdf(stepper) => &**stepper,
            Self::Rkf45(stepper) => &**stepper,
            Self::Abam(stepper) => &**stepper,
        }
    }

    pub(super) fn integrator_mut(&mut self) -> &mut dyn Integrator {
        match self {
            Self::Bdf(stepper) => &mut **stepper,
            Self::Rkf45(stepper) => &mut **stepper,
            Self::Abam(stepper) => &mut **stepper,
        }
    }

    /// The inputs on which its equations depend.
    pub(super) fn inputs_mut(&mut self) -> &mut Inputs {
        match self {
            Self::Bdf(stepper) => stepper.dae_mut().inputs_mut(),
            Self::Rkf45(stepper) => stepper.ode_mut().inputs_mut(),
            Self::Abam(stepper) => stepper.ode_mut().inputs_mut(),
        }
    }

    /// Evaluations fail once this is raised.
    pub(super) fn set_interrupt(&mut self, interrupt: Interrupt) {
        match self {
            Self::Bdf(stepper) => stepper.dae_mut().set_interrupt(interrupt),
            Self::Rkf45(stepper) => stepper.ode_mut().set_interrupt(interrupt),
            Self::Abam(stepper) => stepper.ode_mut().set_interrupt(interrupt),
        }
    }

    /// Takes note of a jump of the forces at the present point: accelerations and multipliers jump by those of `change`, which
    /// methods for y' = f(t, y) find out themselves as they begin anew. `y` is scratch.
    pub(super) fn jump(&mut self, change: &State, y: &mut [f64]) -> Result<(), Error> {
        match self {
            Self::Bdf(stepper) => {
                stepper.amend(|equations, history| {
                    let states = equations.mechanism().states_in(&change.drives).to_vec();
                    equations.jump(&change.accelerations, &change.multipliers, &states, history);
                });
            }
            Self::Rkf45(_) | Self::Abam(_) => {
                let integrator = self.integrator_mut();
                y.copy_from_slice(integrator.state());
                integrator.restart(integrator.time(), y, &[])?;
            }
        }
        Ok(())
    }

    /// Follows another choice of rows at `state`, the last accepted step, with the history of the multipliers. False where the last step goes on behind
    /// an event, and nothing is done.
    pub(super) fn renumber(
        &mut self,
        chosen: &Chosen,
        mechanism: &Arc<Mechanism>,
        state: &State,
    ) -> Result<bool, Error> {
        match self {
            Self::Bdf(stepper) => Ok(stepper.renumber(|equations, history| {
                let old = Arc::clone(equations.mechanism());
                equations.renumber(Arc::clone(mechanism), &state.poses);
                equations.carry_multipliers(history, |values, all| chosen.carry(&old, values, all));
            })),
            Self::Rkf45(stepper) => {
                stepper.count_row_choice();
                stepper.ode_mut().renumber(Arc::clone(mechanism), state).map(|()| true)
            }
            Self::Abam(stepper) => {
                stepper.count_row_choice();
                stepper.ode_mut().renumber(Arc::clone(mechanism), state).map(|()| true)
            }
        }
    }

    /// Follows another choice of rows before a saved point with it is restored.
    pub(super) fn follow(&mut self, mechanism: &Arc<Mechanism>, state: &State) -> Result<(), Error> {
        match self {
            Self::Bdf(stepper) => {
                stepper.renumber(|equations, _| equations.renumber(Arc::clone(mechanism), &state.poses));
                Ok(())
            }
            Self::Rkf45(stepper) => stepper.ode_mut().follow(Arc::clone(mechanism), state.time),
            Self::Abam(stepper) => stepper.ode_mut().follow(Arc::clone(mechanism), state.time),
        }
    }

    /// Whether it solves the equations in a plane.
    pub(super) fn is_planar(&self) -> bool {
        matches!(self, Self::Bdf(stepper) if stepper.dae().is_planar())
    }

    /// Number of unknowns.
    pub(super) fn dimension(&self) -> usize {
        match self {
            Self::Bdf(stepper) => stepper.dae().dimension(),
            Self::Rkf45(stepper) => stepper.ode().dimension(),
            Self::Abam(stepper) => stepper.ode().dimension(),
        }
    }

    /// Reads y and y' at `time` into a state.
    pub(super) fn read(&mut self, time: f64, y: &[f64], yp: &[f64], state: &mut State) -> Result<(), Error> {
        match self {
            Self::Bdf(stepper) => {
                stepper.dae_mut().read(time, y, state);
                stepper.dae().read_multipliers(y, yp, state);
                Ok(())
            }
            Self::Rkf45(stepper) => stepper.ode_mut().read(time, y, state),
            Self::Abam(stepper) => stepper.ode_mut().read(time, y, state),
        }
    }
}
