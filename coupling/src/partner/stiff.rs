//! F(t, y, y', u) = 0 as a partner, by Gear's stiff method of `fourbar-multibody`: oil columns, circuits, mechanisms.

use fourbar_multibody::dae::{Dae, EvalError};
use fourbar_multibody::integrator::{Error, Gstiff, GstiffStepper, Integrator, Snapshot as Saved, Stop};

use crate::function::{Capabilities, Causality, Description, Failure, Signal, Simulator, Snapshot, Variable};

/// A system of equations with inputs and outputs.
pub trait DrivenDae: Dae + Send {
    /// Its variables: inputs in the order of [`DrivenDae::drive`], outputs in the order of [`DrivenDae::observe`].
    fn variables(&self) -> Vec<Variable>;

    /// From now on the inputs are these polynomials about the time `t` \[s\]: residual and Jacobian follow them.
    fn drive(&mut self, t: f64, inputs: &[Signal]);

    /// Writes the outputs at (t, y, y').
    ///
    /// # Errors
    /// [`EvalError`] when the point cannot be evaluated.
    fn observe(&mut self, t: f64, y: &[f64], yp: &[f64], values: &mut [f64]) -> Result<(), EvalError>;

    /// What a reader of the results should know of it so far.
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A driven system with its integrator, which keeps its order and step from one communication step to the next: its error test sees the
/// small kinks of the inputs between them.
pub struct Stiff<D> {
    stepper: GstiffStepper<D>,
    /// y and y' at the present time.
    point: [Vec<f64>; 2],
}

impl<D: DrivenDae> Stiff<D> {
    /// Starts the method at t = `time` \[s\] with y and y' (n entries each), which should satisfy the equations for the start values
    /// of the inputs.
    ///
    /// # Errors
    /// As [`Gstiff::start`].
    pub fn new(method: &Gstiff, mut system: D, time: f64, y: &[f64], yp: &[f64]) -> Result<Self, Error> {
        let inputs = system.variables().into_iter().filter(|variable| variable.causality == Causality::Input);
        let starts: Vec<Signal> = inputs.map(|variable| Signal::held(variable.start)).collect();
        system.drive(time, &starts);
        let stepper = method.start(system, time, y, yp, f64::INFINITY)?;
        Ok(Self { stepper, point: [y.to_vec(), yp.to_vec()] })
    }

    /// The integrator, for its statistics.
    #[must_use]
    pub fn integrator(&self) -> &GstiffStepper<D> {
        &self.stepper
    }
}

fn failure(error: impl std::error::Error) -> Failure {
    Failure::new(error.to_string())
}

impl<D: DrivenDae> Simulator for Stiff<D> {
    fn describe(&self) -> Description {
        let variables = self.stepper.dae().variables();
        Description { variables, solver_step: None, capabilities: Capabilities::FULL }
    }

    fn set_inputs(&mut self, inputs: &[Signal]) -> Result<(), Failure> {
        let time = self.stepper.time();
        self.stepper.dae_mut().drive(time, inputs);
        self.stepper.expect_jump();
        Ok(())
    }

    fn step(&mut self, t: f64, h: f64) -> Result<f64, Failure> {
        self.stepper.set_end_time(t + h).map_err(failure)?;
        while self.stepper.step().map_err(failure)? != Stop::EndTime {}
        Ok(self.stepper.time())
    }

    fn outputs(&mut self, values: &mut [f64]) -> Result<(), Failure> {
        let (time, [y, yp]) = (self.stepper.time(), &mut self.point);
        y.copy_from_slice(self.stepper.state());
        yp.copy_from_slice(self.stepper.derivative());
        self.stepper.dae_mut().observe(time, y, yp, values).map_err(failure)
    }

    fn warnings(&self) -> Vec<String> {
        self.stepper.dae().warnings().into_iter().chain(self.stepper.statistics().warning()).collect()
    }

    fn save(&mut self, snapshot: &mut Snapshot) -> Result<(), Failure> {
        let saved: &mut Saved = snapshot.content_mut();
        self.stepper.save(saved);
        Ok(())
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Failure> {
        self.stepper.restore(snapshot.content()?).map_err(failure)
    }
}
