//! The integrators that a dynamic analysis can use, and one of them at work.

use super::choice::Chosen;
use super::dynamics::DynamicsOptions;
use crate::dae::Dae;
use crate::error::Error;
use crate::formulation::{Equations, Formulation, Partitioned};
use crate::input::Inputs;
use crate::integrator::{
    Abam, AbamStepper, Bdf, BdfStepper, ConstantBdf, Dstiff, Error as IntegratorError, Gstiff, Hht, Integrator, Rkf45,
    Rkf45Stepper, StepLimits, Tolerance, Wstiff,
};
use crate::interrupt::Interrupt;
use crate::mechanism::Mechanism;
use crate::ode::Ode;
use crate::state::State;
use std::sync::Arc;

/// An integrator and its options.
#[derive(Debug, Clone, PartialEq)]
pub enum Method {
    /// Backward differentiation with fixed coefficients, on F(t, y, y') = 0.
    Gstiff(Gstiff),
    /// Backward differentiation with variable coefficients.
    Wstiff(Wstiff),
    /// Backward differentiation with a fixed leading coefficient.
    Dstiff(Dstiff),
    /// Backward differentiation with a constant step.
    ConstantBdf(ConstantBdf),
    /// HHT-alpha and generalized-alpha.
    Hht(Hht),
    /// Fehlberg's method on partitioned coordinates.
    Rkf45(Rkf45),
    /// Formulas of Adams on partitioned coordinates.
    Abam(Abam),
}

/// A method by the kind of system that it solves.
#[derive(Debug, Clone, PartialEq)]
pub enum Family {
    /// Backward differentiation and generalized-alpha, on F(t, y, y') = 0.
    Bdf(Bdf),
    /// Fehlberg's method, on y' = f(t, y).
    Rkf45(Rkf45),
    /// Formulas of Adams, on y' = f(t, y).
    Abam(Abam),
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

impl From<Wstiff> for Method {
    fn from(method: Wstiff) -> Self {
        Self::Wstiff(method)
    }
}

impl From<Dstiff> for Method {
    fn from(method: Dstiff) -> Self {
        Self::Dstiff(method)
    }
}

impl From<ConstantBdf> for Method {
    fn from(method: ConstantBdf) -> Self {
        Self::ConstantBdf(method)
    }
}

impl From<Hht> for Method {
    fn from(method: Hht) -> Self {
        Self::Hht(method)
    }
}

impl From<Rkf45> for Method {
    fn from(method: Rkf45) -> Self {
        Self::Rkf45(method)
    }
}

impl From<Abam> for Method {
    fn from(method: Abam) -> Self {
        Self::Abam(method)
    }
}

impl Method {
    /// By the kind of system that it solves.
    #[must_use]
    pub fn family(&self) -> Family {
        match self {
            Self::Gstiff(method) => Family::Bdf(method.into()),
            Self::Wstiff(method) => Family::Bdf(method.into()),
            Self::Dstiff(method) => Family::Bdf(method.into()),
            Self::ConstantBdf(method) => Family::Bdf(method.into()),
            Self::Hht(method) => Family::Bdf(method.into()),
            Self::Rkf45(method) => Family::Rkf45(method.clone()),
            Self::Abam(method) => Family::Abam(method.clone()),
        }
    }

    /// Name in files and on the command line.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Gstiff(_) => "gstiff",
            Self::Wstiff(_) => "wstiff",
            Self::Dstiff(_) => "dstiff",
            Self::ConstantBdf(_) => "constant_bdf",
            Self::Hht(_) => "hht",
            Self::Rkf45(_) => "rkf45",
            Self::Abam(_) => "abam",
        }
    }

    /// Tolerances of the local error.
    #[must_use]
    pub fn tolerance(&self) -> &Tolerance {
        match self {
            Self::Gstiff(method) => &method.tolerance,
            Self::Wstiff(method) => &method.tolerance,
            Self::Dstiff(method) => &method.tolerance,
            Self::ConstantBdf(method) => &method.tolerance,
            Self::Hht(method) => &method.tolerance,
            Self::Rkf45(method) => &method.tolerance,
            Self::Abam(method) => &method.tolerance,
        }
    }

    /// Limits of the step.
    #[must_use]
    pub fn step(&self) -> &StepLimits {
        match self {
            Self::Gstiff(method) => &method.step,
            Self::Wstiff(method) => &method.step,
            Self::Dstiff(method) => &method.step,
            Self::ConstantBdf(method) => &method.limits,
            Self::Hht(method) => &method.step,
            Self::Rkf45(method) => &method.step,
            Self::Abam(method) => &method.step,
        }
    }

    /// Limits of the step, to change them.
    pub fn step_mut(&mut self) -> &mut StepLimits {
        match self {
            Self::Gstiff(method) => &mut method.step,
            Self::Wstiff(method) => &mut method.step,
            Self::Dstiff(method) => &mut method.step,
            Self::ConstantBdf(method) => &mut method.limits,
            Self::Hht(method) => &mut method.step,
            Self::Rkf45(method) => &mut method.step,
            Self::Abam(method) => &mut method.step,
        }
    }

    /// Begins with this step \[s\]; of a method with a constant one, goes on with it.
    pub(super) fn set_first_step(&mut self, step: f64) {
        match self {
            Self::ConstantBdf(method) => method.step = step,
            _ => self.step_mut().first = step,
        }
    }

    /// Takes no step longer than `largest` \[s\], unless its options have a largest step of their own.
    pub fn limit_step(&mut self, largest: f64) {
        let step = self.step_mut();
        if step.largest.is_infinite() {
            step.largest = largest.max(step.smallest);
        }
    }

    /// Highest order.
    #[must_use]
    pub fn order_max(&self) -> usize {
        match self {
            Self::Gstiff(method) => method.order_max,
            Self::Wstiff(method) => method.order_max,
            Self::Dstiff(method) => method.order_max,
            Self::ConstantBdf(method) => method.order,
            Self::Hht(_) => 2,
            Self::Abam(method) => method.order_max,
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
            Self::Rkf45(_) | Self::Abam(_) => "partitioned",
            _ => formulation.name(),
        }
    }

    /// Whether it takes y' = f(t, y); else it takes F(t, y, y') = 0.
    #[must_use]
    pub fn takes_ode(&self) -> bool {
        !matches!(self.family(), Family::Bdf(_))
    }

    /// Starts on F(t, y, y') = 0 that is no mechanism, at consistent `y` and `yp` (n entries each), towards `end` \[s\]. None where it
    /// [takes y' = f(t, y)](Self::takes_ode).
    ///
    /// # Errors
    /// Those of the method's own `start`.
    pub fn start_dae<'a>(
        &self,
        dae: &'a mut dyn Dae,
        time: f64,
        y: &[f64],
        yp: &[f64],
        end: f64,
    ) -> Option<Result<Box<dyn Integrator + 'a>, IntegratorError>> {
        let Family::Bdf(method) = self.family() else { return None };
        Some(method.start(dae, time, y, yp, end).map(|stepper| Box::new(stepper) as _))
    }

    /// Starts on y' = f(t, y) that is no mechanism, at `y` (n entries), towards `end` \[s\]. None where it does not
    /// [take that](Self::takes_ode).
    ///
    /// # Errors
    /// Those of the method's own `start`.
    pub fn start_ode<'a>(
        &self,
        ode: &'a mut dyn Ode,
        time: f64,
        y: &[f64],
        end: f64,
    ) -> Option<Result<Box<dyn Integrator + 'a>, IntegratorError>> {
        match self.family() {
            Family::Bdf(_) => None,
            Family::Rkf45(method) => Some(method.start(ode, time, y, end).map(|stepper| Box::new(stepper) as _)),
            Family::Abam(method) => Some(method.start(ode, time, y, end).map(|stepper| Box::new(stepper) as _)),
        }
    }
}

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
