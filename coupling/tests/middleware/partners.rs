//! Partners that misbehave on purpose, and an observer that keeps what it hears.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use fourbar_coupling::management::{Handling, Report, View};
use fourbar_coupling::partner::Ode;
use fourbar_coupling::{
    Capabilities, Connection, Description, Failure, Level, Observer, Partner, Proceed, RunState, Signal, Simulator,
    Snapshot, Variable,
};

/// What goes wrong in a step that ends at or behind a time.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Trouble {
    Nothing,
    NotANumber,
    /// It says it is elsewhere.
    WrongTime,
    Error,
    /// It takes this long.
    Sleeps(Duration),
    /// It takes this long and then says it is elsewhere.
    Strays(Duration),
    Panics,
}

/// y' = u, with one trouble in store: the first `times` steps that end behind `at` are troubled.
pub(crate) struct Integrator {
    pub(crate) y: f64,
    pub(crate) u: Signal,
    pub(crate) at: f64,
    pub(crate) times: u32,
    pub(crate) trouble: Trouble,
    pub(crate) sick: bool,
    pub(crate) capabilities: Capabilities,
    pub(crate) log: Arc<Mutex<Vec<String>>>,
}

impl Integrator {
    pub(crate) fn new(trouble: Trouble, at: f64, times: u32) -> Self {
        Self {
            y: 1.0,
            u: Signal::default(),
            at,
            times,
            trouble,
            sick: false,
            capabilities: Capabilities::FULL,
            log: Arc::default(),
        }
    }

    pub(crate) fn healthy() -> Self {
        Self::new(Trouble::Nothing, f64::INFINITY, 0)
    }
}

impl Simulator for Integrator {
    fn describe(&self) -> Description {
        let variables = vec![Variable::input("u", "m/s"), Variable::output("y", "m")];
        Description { variables, solver_step: None, capabilities: self.capabilities }
    }
    fn set_inputs(&mut self, inputs: &[Signal]) -> Result<(), Failure> {
        self.log.lock().unwrap().push(format!("write {}", inputs[0].value));
        self.u = inputs[0];
        Ok(())
    }
    fn step(&mut self, t: f64, h: f64) -> Result<f64, Failure> {
        self.log.lock().unwrap().push(format!("step {t} {h}"));
        self.sick = false;
        if t + h >= self.at - 1e-9 && self.times > 0 {
            self.times -= 1;
            match self.trouble {
                Trouble::Nothing => {}
                Trouble::NotANumber => self.sick = true,
                Trouble::WrongTime => return Ok(t + 0.5 * h),
                Trouble::Error => return Err(Failure::new("valve equation has no solution")),
                Trouble::Sleeps(time) => std::thread::sleep(time),
                Trouble::Strays(time) => {
                    std::thread::sleep(time);
                    return Ok(t + 0.5 * h);
                }
                Trouble::Panics => std::panic::resume_unwind(Box::new("a bug of the partner")),
            }
        }
        self.y += h * self.u.at(0.5 * h);
        Ok(t + h)
    }
    fn outputs(&mut self, values: &mut [f64]) -> Result<(), Failure> {
        self.log.lock().unwrap().push(format!("sample {}", self.y));
        values[0] = if self.sick { f64::NAN } else { self.y };
        Ok(())
    }
    fn save(&mut self, snapshot: &mut Snapshot) -> Result<(), Failure> {
        *snapshot.content_mut() = self.y;
        Ok(())
    }
    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Failure> {
        self.y = *snapshot.content()?;
        Ok(())
    }
}

/// A constant rate, 2 m/s, that feeds an integrator "tank".
pub(crate) fn fed(tank: Partner) -> (Vec<Partner>, Vec<Connection>) {
    let source = Ode::new([], |_, _: &[f64], _: &[f64], _: &mut [f64]| {})
        .output(Variable::output("rate", "m/s"), |_, _, _| 2.0);
    (vec![Partner::new("source", source), tank], vec![Connection::new("source.rate", "tank.u")])
}

/// Keeps everything it is told.
#[derive(Default)]
pub(crate) struct Witness {
    pub(crate) faults: Vec<(String, Level, Handling)>,
    pub(crate) states: Vec<RunState>,
    pub(crate) times: Vec<f64>,
    /// First output of the last partner.
    pub(crate) values: Vec<f64>,
}

impl Observer for Witness {
    fn state(&mut self, state: RunState, _time: f64) {
        self.states.push(state);
    }
    fn exchanged(&mut self, view: &View<'_>) -> Proceed {
        self.times.push(view.time());
        self.values.push(view.received(view.partners() - 1).unwrap().values[0]);
        Proceed::Continue
    }
    fn fault(&mut self, report: &Report<'_>) {
        self.faults.push((report.fault.to_string(), report.level, report.handling));
    }
}
