//! A coupled model as a partner of another one.

use crate::function::{
    Description, Failure, Handled, Handling, Parameter, Signal, Simulator, Snapshot, SolverCounts, Text,
};
use crate::management::{Checkpoint, Report};
use crate::{Error, Master, Observer};
use fourbar_linalg::checkpoint::Source;
use std::cell::RefCell;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

/// Faults kept until somebody asks for them: a run outside asks after each step.
const TOLD: usize = 1000;

/// A whole run as one simulator. Its inputs are those that no output of it feeds, as `partner.input`; its outputs all of them, as `partner.output`.
///
/// It steps by its own communication step, which goes into that outside, with its own algorithm. With the same communication step and algorithm inside
/// and outside, `Jacobi` gives each number of one run over all partners, bit for bit: where partners stand makes no difference.
///
/// ```
/// use fourbar_coupling::partner::{Coupled, Ode};
/// use fourbar_coupling::{Algorithm, Connection, Master, Options, Order, Partner, Variable};
///
/// let heater = Ode::new([], |_, _, _, _| {})
///     .input(Variable::input("level", "1"))
///     .output(Variable::output("heat", "W").depends_on(&["level"]), |_, _, u| 100.0 * u[0]);
/// let tank = Ode::new([0.0], |_, _, u, dx| dx[0] = u[0] / 50.0)
///     .input(Variable::input("heat", "W"))
///     .output(Variable::output("rise", "K"), |_, x, _| x[0]);
/// let options = Options::new(f64::INFINITY, 0.1, Algorithm::Jacobi { order: Order::Quadratic });
/// let partners = vec![Partner::new("heater", heater), Partner::new("tank", tank)];
/// let boiler = Coupled::new(Master::new(partners, &[Connection::new("heater.heat", "tank.heat")], &options)?);
///
/// let half = Ode::new([], |_, _, _, _| {}).output(Variable::output("level", "%"), |_, _, _| 50.0);
/// let partners = vec![Partner::new("half", half), Partner::new("boiler", boiler)];
/// let options = Options { end: 10.0, ..options };
/// let mut master = Master::new(partners, &[Connection::new("half.level", "boiler.heater.level")], &options)?;
/// master.run(&mut ())?;
/// assert!((master.output("boiler.tank.rise")? - 10.0).abs() < 1e-12);
/// # Ok::<(), fourbar_coupling::Error>(())
/// ```
pub struct Coupled {
    // Warnings are asked of one that is only looked at.
    master: RefCell<Master>,
    told: Told,
    description: Description,
}

/// Faults that the run inside has handled.
#[derive(Default)]
struct Told(Vec<Handled>);

impl Observer for Told {
    fn fault(&mut self, report: &Report<'_>) {
        // What stops the run is told by the call that stopped.
        if report.handling != Handling::Stopped && self.0.len() < TOLD {
            let Report { fault, level, handling } = report;
            self.0.push(Handled { fault: (*fault).clone(), level: *level, handling: *handling });
        }
    }
}

/// What is saved; partners on threads borrow their parts.
#[derive(Default)]
struct Saved(Mutex<Checkpoint>);

fn failure(error: Error) -> Failure {
    match error {
        Error::Stopped(fault) => Failure::Within(fault),
        error => Failure::new(error.to_string()),
    }
}

impl Coupled {
    /// Of a run that has not begun, without an end: who steps it ends it. Its pacing does not count.
    #[must_use]
    pub fn new(mut master: Master) -> Self {
        master.take_part();
        let description = Description {
            variables: master.ports_outside(),
            solver_step: Some(master.step_outside()),
            capabilities: master.capabilities_outside(),
        };
        Self { master: RefCell::new(master), told: Told::default(), description }
    }
}

impl Simulator for Coupled {
    fn describe(&self) -> Description {
        self.description.clone()
    }

    fn set_inputs(&mut self, inputs: &[Signal]) -> Result<(), Failure> {
        self.master.get_mut().give(inputs);
        Ok(())
    }

    fn step(&mut self, t: f64, h: f64) -> Result<f64, Failure> {
        self.master.get_mut().go(t, h, &mut self.told)
    }

    fn outputs(&mut self, values: &mut [f64]) -> Result<(), Failure> {
        let master = self.master.get_mut();
        master.settle_open(&mut self.told)?;
        master.outputs_outside(values);
        Ok(())
    }

    fn output_derivatives(&mut self, derivatives: &mut [f64]) -> Result<(), Failure> {
        if !self.description.capabilities.output_derivatives {
            return Err(Failure::Unsupported("derivatives of outputs"));
        }
        let master = self.master.get_mut();
        master.settle_open(&mut self.told)?;
        master.rates_outside(derivatives);
        Ok(())
    }

    fn save(&mut self, snapshot: &mut Snapshot) -> Result<(), Failure> {
        let saved = snapshot.content_mut::<Saved>().0.get_mut().unwrap_or_else(PoisonError::into_inner);
        self.master.get_mut().save(saved).map_err(failure)
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Failure> {
        let mut saved = snapshot.content::<Saved>()?.0.lock().unwrap_or_else(PoisonError::into_inner);
        self.master.get_mut().restore(&mut saved).map_err(failure)
    }

    fn store(&mut self, snapshot: &Snapshot, to: &mut Vec<u8>) -> Result<(), Failure> {
        let mut saved = snapshot.content::<Saved>()?.0.lock().unwrap_or_else(PoisonError::into_inner);
        self.master.get_mut().store_checkpoint(&mut saved, to).map_err(failure)
    }

    fn load(&mut self, bytes: &[u8], snapshot: &mut Snapshot) -> Result<(), Failure> {
        let checkpoint = self.master.get_mut().load_checkpoint(Source::new(bytes)).map_err(failure)?;
        *snapshot.content_mut::<Saved>() = Saved(Mutex::new(checkpoint));
        Ok(())
    }

    fn parameters(&mut self) -> Result<Vec<Parameter>, Failure> {
        Ok(self.master.get_mut().parameters())
    }

    fn set_parameters(&mut self, values: &[(String, f64)]) -> Result<(), Failure> {
        let values: Vec<(&str, f64)> = values.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        self.master.get_mut().set_parameters(&values).map_err(failure)
    }

    fn texts(&mut self) -> Result<Vec<Text>, Failure> {
        Ok(self.master.get_mut().texts())
    }

    fn rehearse(&mut self, begins: bool) {
        self.master.get_mut().rehearse(begins);
    }

    fn handled(&mut self, told: &mut Vec<Handled>) {
        told.append(&mut self.told.0);
    }

    fn watch_outputs(&mut self, connected: &[usize]) {
        self.master.get_mut().watch_outside(connected);
    }

    fn warnings(&self) -> Vec<String> {
        let mut master = self.master.borrow_mut();
        let mut warnings = master.warnings();
        let large = master.error_estimate().filter(|estimate| estimate.is_large());
        warnings.extend(large.map(|estimate| {
            format!(
                "the inputs continued over its communication steps make an estimated error of {}, most of it at {}; take a smaller one",
                estimate.percent(),
                estimate.connection
            )
        }));
        warnings
    }

    fn solver_counts(&self) -> Option<SolverCounts> {
        let mut sum = SolverCounts::default();
        let costs = self.master.borrow_mut().partner_costs();
        costs.iter().filter_map(|cost| cost.solver).for_each(|counts| sum += counts);
        Some(sum)
    }

    fn interrupt_by(&mut self, flag: &Arc<AtomicBool>) {
        self.master.get_mut().interrupt_by(flag);
    }
}
