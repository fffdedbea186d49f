//! F(t, y, y', u) = 0 as a partner, by Gear's stiff method of `fourbar-multibody`: oil columns, circuits, mechanisms.

use fourbar_dae::integrator::{BdfStepper, Error, Gstiff, Integrator, Snapshot as Saved, Stop};
use fourbar_dae::{Dae, EvalError};
use fourbar_linalg::checkpoint::Source;

use super::{Passing, damaged};
use crate::function::{
    Capabilities, Causality, Description, Failure, Signal, Simulator, Snapshot, SolverCounts, Variable, end_of_step,
};

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
    stepper: BdfStepper<D>,
    /// y and y' at the present time.
    point: [Vec<f64>; 2],
    passing: Passing,
    /// The outputs within a step.
    values: Vec<f64>,
    /// Makes the start for the inputs, and those for which it was made, until the first step.
    start: Option<Start<D>>,
    begun: Vec<f64>,
}

/// Gives y and y' at a time \[s\] for the inputs that a system was driven with.
type Start<D> = Box<dyn FnMut(&mut D, f64) -> Result<[Vec<f64>; 2], Failure> + Send>;

impl<D: DrivenDae> Stiff<D> {
    /// Starts the method at t = `time` \[s\] with y and y' (n entries each), which should satisfy the equations for the start values
    /// of the inputs.
    ///
    /// # Errors
    /// As [`Gstiff::start`].
    pub fn new(method: &Gstiff, system: D, time: f64, y: &[f64], yp: &[f64]) -> Result<Self, Error> {
        let inputs = system.variables().into_iter().filter(|variable| variable.causality == Causality::Input);
        let starts: Vec<Signal> = inputs.map(|variable| Signal::held(variable.start)).collect();
        Self::with_inputs(method, system, (time, y, yp), &starts)
    }

    /// As [`Stiff::new`] at t \[s\], y and y' for these inputs.
    ///
    /// # Errors
    /// As [`Gstiff::start`].
    pub fn with_inputs(
        method: &Gstiff,
        mut system: D,
        (time, y, yp): (f64, &[f64], &[f64]),
        inputs: &[Signal],
    ) -> Result<Self, Error> {
        system.drive(time, inputs);
        let stepper = method.start(system, time, y, yp, f64::INFINITY)?;
        let (passing, values) = (Passing::default(), Vec::new());
        let begun = inputs.iter().map(|signal| signal.value).collect();
        Ok(Self { stepper, point: [y.to_vec(), yp.to_vec()], passing, values, start: None, begun })
    }

    /// With a start that follows the inputs until the first step: y and y' (n entries each) at a time \[s\] for the inputs that the system was driven with,
    /// such as a steady state.
    #[must_use]
    pub fn starting(
        mut self,
        start: impl FnMut(&mut D, f64) -> Result<[Vec<f64>; 2], Failure> + Send + 'static,
    ) -> Self {
        self.start = Some(Box::new(start));
        self
    }

    /// Begins anew where the inputs are others than those of the start.
    #[cold]
    fn begin_anew(&mut self, inputs: &[Signal]) -> Result<(), Failure> {
        let Some(start) = &mut self.start else { return Ok(()) };
        if self.begun.iter().copied().eq(inputs.iter().map(|signal| signal.value)) {
            return Ok(());
        }
        // Of inputs without a start nothing is begun.
        self.begun.clear();
        let time = self.stepper.time();
        let [y, yp] = start(self.stepper.dae_mut(), time)?;
        self.stepper.restart(time, &y, &yp).map_err(failure)?;
        self.begun.extend(inputs.iter().map(|signal| signal.value));
        Ok(())
    }

    /// Samples the outputs at a time within the last step. What cannot be evaluated there is no fault of the run: it is NaN.
    fn look(&mut self, time: f64) {
        let [y, yp] = &mut self.point;
        let interpolated = self.stepper.interpolate(time, y, yp).is_ok();
        if !interpolated || self.stepper.dae_mut().observe(time, y, yp, &mut self.values).is_err() {
            self.values.fill(f64::NAN);
        }
    }

    /// The integrator, for its statistics.
    #[must_use]
    pub fn integrator(&self) -> &BdfStepper<D> {
        &self.stepper
    }
}

fn failure(error: impl std::error::Error) -> Failure {
    Failure::new(error.to_string())
}

impl<D: DrivenDae> Simulator for Stiff<D> {
    fn describe(&self) -> Description {
        let variables = self.stepper.dae().variables();
        Description { variables, solver_step: None, capabilities: Capabilities::FULL.written(true) }
    }

    fn set_inputs(&mut self, inputs: &[Signal]) -> Result<(), Failure> {
        let time = self.stepper.time();
        self.stepper.dae_mut().drive(time, inputs);
        self.stepper.expect_jump();
        if self.start.is_some() { self.begin_anew(inputs) } else { Ok(()) }
    }

    fn step(&mut self, t: f64, h: f64) -> Result<f64, Failure> {
        self.start = None;
        let (end, watched) = (end_of_step(t, h), !self.passing.is_idle());
        if watched {
            self.look(self.stepper.time());
            self.passing.begin(t, end, &self.values);
        }
        self.stepper.set_end_time(end).map_err(failure)?;
        loop {
            let stop = self.stepper.step().map_err(failure)?;
            while let Some(time) = self.passing.next_time().filter(|time| *time <= self.stepper.time()) {
                self.look(time);
                self.passing.note(time, &self.values);
            }
            if stop == Stop::EndTime {
                break;
            }
        }
        if watched {
            self.look(self.stepper.time());
            self.passing.finish(&self.values);
        }
        Ok(self.stepper.time())
    }

    fn watch_outputs(&mut self, connected: &[usize]) {
        let variables = self.stepper.dae().variables();
        self.values = vec![0.0; variables.iter().filter(|v| v.causality == Causality::Output).count()];
        self.passing.watch(connected, &variables, |k| k);
    }

    fn outputs(&mut self, values: &mut [f64]) -> Result<(), Failure> {
        let (time, [y, yp]) = (self.stepper.time(), &mut self.point);
        y.copy_from_slice(self.stepper.state());
        yp.copy_from_slice(self.stepper.derivative());
        self.stepper.dae_mut().observe(time, y, yp, values).map_err(failure)
    }

    fn warnings(&self) -> Vec<String> {
        let own = self.stepper.dae().warnings().into_iter().chain(self.stepper.statistics().warning());
        own.chain(self.passing.warnings()).collect()
    }

    fn solver_counts(&self) -> Option<SolverCounts> {
        Some(self.stepper.statistics().into())
    }

    fn save(&mut self, snapshot: &mut Snapshot) -> Result<(), Failure> {
        let saved: &mut Saved = snapshot.content_mut();
        self.stepper.save(saved);
        Ok(())
    }

    fn store(&mut self, snapshot: &Snapshot, to: &mut Vec<u8>) -> Result<(), Failure> {
        snapshot.content::<Saved>()?.store(to);
        Ok(())
    }

    fn load(&mut self, bytes: &[u8], snapshot: &mut Snapshot) -> Result<(), Failure> {
        let mut from = Source::new(bytes);
        let saved = self.stepper.load(&mut from).map_err(damaged)?;
        from.finish().map_err(damaged)?;
        *snapshot.content_mut::<Saved>() = saved;
        Ok(())
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Failure> {
        self.stepper.restore(snapshot.content()?).map_err(failure)
    }
}
