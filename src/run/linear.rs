//! Runs of linear systems.

mod dense;
mod estimate;
mod exact;
mod forcing;
mod grid;
mod inputs;
mod rows;
mod sparse;

use super::active::{ActiveRun, Advance, Setup};
use super::plan::{MOST_STEPS, OUTPUTS, SAME};
use super::schedule::{Interval, Schedule};
use super::{Plan, Step};
use crate::Error;
use crate::linear::{Equations, LinearModel, LinearSettings, LinearSystem, MethodName, Shown, Stepping, numerical};
use crate::results::{Column, Details, LinearDetails};
use dense::Dense;
pub(crate) use estimate::Estimates;
pub(crate) use exact::{Exact, ExactPoint};
use fourbar_linalg::text::Brief;
use fourbar_lti::{Error as LtiError, KrylovEffort};
use fourbar_multibody::Location;
pub(crate) use grid::Grid;
pub(crate) use inputs::Inputs;
pub(crate) use rows::Rows;
use sparse::Sparse;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A linear system and how it is stepped.
#[derive(Debug)]
pub(super) struct LinearSetup {
    system: Arc<LinearSystem>,
    stepping: Stepping,
    /// T \[s\].
    step: f64,
    /// Steps from one output to the next.
    every: u64,
    /// In the start state, with all matrices of a step.
    engine: Engine,
    input_names: Vec<String>,
}

/// What carries the state over a step.
#[derive(Debug, Clone)]
struct Engine {
    /// The method that the model asks for, where it is not `exact`.
    held: Option<Held>,
    /// What the run shows, or what it is compared with.
    exact: Exact,
}

/// Methods that sample all inputs.
#[derive(Debug, Clone)]
enum Held {
    Dense(Box<Dense>),
    Sparse(Box<Sparse>),
}

impl LinearSetup {
    pub(super) fn new(model: &LinearModel, overrides: &LinearSettings) -> Result<(Self, Plan), Error> {
        let system = Arc::new(LinearSystem::compile(model)?);
        let stepping = Stepping::new(model, overrides)?;
        let (plan, step, every) = steps(&stepping)?;
        let at =
            |field: &str| Location { section: "simulation", index: 0, name: String::new(), field: field.to_owned() };
        let grid = Grid { step, steps: (plan.end / step).ceil() as u64 };
        let mut engine = Engine::new(&system, grid, &stepping, at("method"), at("step"))?;
        let input_names: Vec<String> = model.inputs.iter().map(|input| input.name().to_owned()).collect();
        let mut inputs = Inputs::new(system.signals.clone(), input_names.clone());
        inputs.settle(0.0, SAME * step, step);
        engine.exact.prepare(step, &inputs).map_err(|error| numerical(at("step"), &error))?;
        Ok((Self { system, stepping, step, every, engine, input_names }, plan))
    }
}

impl Engine {
    fn new(
        system: &LinearSystem,
        grid: Grid,
        stepping: &Stepping,
        method: Location,
        place: Location,
    ) -> Result<Self, Error> {
        let failed = |error: LtiError| numerical(place.clone(), &error);
        let (equations, initial) = (&system.equations, &system.initial);
        let held = match equations {
            _ if stepping.name == MethodName::Exact => None,
            Equations::Dense(equations) => {
                let dense = Dense::new(equations, initial, grid.step, stepping).map_err(failed)?;
                Some(Held::Dense(Box::new(dense)))
            }
            Equations::Sparse(equations) => {
                sparse::check_method(stepping, method)?;
                let sparse = Sparse::new(equations, initial, grid, stepping).map_err(failed)?;
                Some(Held::Sparse(Box::new(sparse)))
            }
        };
        let adapt_to = (held.is_none() && stepping.step.is_none()).then(|| stepping.input_tolerance());
        let exact = Exact::new(equations, initial, grid, adapt_to, stepping).map_err(failed)?;
        Ok(Self { held, exact })
    }

    /// Carries the state over the interval, or leaves it where it was; what Krylov projections of the results took.
    fn advance(&mut self, interval: &Interval, inputs: &mut Inputs) -> Result<KrylovEffort, LtiError> {
        let exact = self.exact.advance(interval, inputs)?;
        let held = match &mut self.held {
            None => return Ok(exact),
            Some(Held::Dense(dense)) => dense.advance(interval, inputs).map(|()| exact),
            Some(Held::Sparse(sparse)) => sparse.advance(interval, inputs),
        };
        if held.is_err() {
            self.exact.back();
        }
        held
    }

    /// The outputs where the inputs are `u`, with their estimated errors.
    fn outputs(&self, u: &[f64], rows: &mut Rows) -> Result<(), LtiError> {
        self.exact.outputs(u, rows);
        let Some(held) = &self.held else { return Ok(()) };
        let better = rows.values.clone();
        match held {
            Held::Dense(dense) => dense.outputs(u, &mut rows.values)?,
            Held::Sparse(sparse) => sparse.outputs(&mut rows.values),
        }
        for ((error, value), better) in rows.errors.iter_mut().zip(&rows.values).zip(better) {
            *error = error.abs() + (value - better).abs();
        }
        Ok(())
    }
}

/// The plan, the step, and the number of steps between outputs.
fn steps(stepping: &Stepping) -> Result<(Plan, f64, u64), Error> {
    let end = stepping.end.ok_or(Error::NoEnd)?;
    if let Some(step) = stepping.step.filter(|step| !(end / step <= MOST_STEPS)) {
        return Err(Error::TooManySteps { end, step, limit: MOST_STEPS });
    }
    match (stepping.step, stepping.output_step) {
        (None, output_step) => {
            let plan = Plan::new(Some(end), output_step)?;
            Ok((plan, plan.output_step, 1))
        }
        (Some(step), None) => {
            let every = (end / OUTPUTS / step).round().max(1.0);
            Ok((Plan::new(Some(end), Some(every * step))?, step, every as u64))
        }
        (Some(step), Some(output_step)) => {
            let plan = Plan::new(Some(end), Some(output_step))?;
            let every = (output_step / step).round();
            if every < 1.0 || (output_step - every * step).abs() > SAME * step {
                return Err(Error::OutputsBetweenSteps { output_step, step });
            }
            Ok((plan, step, every as u64))
        }
    }
}

impl Setup for LinearSetup {
    fn name(&self) -> &str {
        &self.system.name
    }

    fn columns(&self) -> Vec<Column> {
        self.system.columns.clone()
    }

    fn describe(&self) -> Vec<(String, String)> {
        let mut settings =
            vec![("method".to_owned(), method_name(&self.stepping)), ("step".to_owned(), format!("{} s", self.step))];
        if let Equations::Sparse(_) = self.system.equations {
            settings.push(("relative tolerance".to_owned(), Brief(self.stepping.krylov_tolerance()).to_string()));
        }
        settings
    }

    fn begin(&self, plan: &Plan, _interrupt: &Arc<AtomicBool>) -> Result<Box<dyn ActiveRun>, Error> {
        let signals = &self.system.signals;
        let mut statistics = LinearDetails::new(self.system.states(), method_name(&self.stepping), self.step);
        statistics.krylov = matches!(self.system.equations, Equations::Sparse(_)).then(Default::default);
        let inputs = Inputs::new(signals.clone(), self.input_names.clone());
        let mut schedule = Schedule::new(*plan, self.step, self.every, None);
        if let Some(time) = inputs.start_break(schedule.apart()) {
            schedule = Schedule::new(*plan, self.step, self.every, Some((time, time)));
        }
        let rows = self.engine.exact.rows();
        Ok(Box::new(LinearRun {
            schedule,
            engine: self.engine.clone(),
            inputs,
            shown: Shown::new(&self.system),
            u: vec![0.0; signals.len()],
            rows: Rows::new(rows),
            estimates: Estimates::new(rows),
            stepping: self.stepping.clone(),
            system: Arc::clone(&self.system),
            statistics,
        }))
    }
}

/// The method with its order.
fn method_name(stepping: &Stepping) -> String {
    use fourbar_lti::Method::{Algorithm1, Algorithm1RealTime, Algorithm2, Algorithm2RealTime};
    match (stepping.name.has_order(), &stepping.method) {
        (
            true,
            Algorithm1 { order } | Algorithm2 { order } | Algorithm1RealTime { order } | Algorithm2RealTime { order },
        ) if stepping.name == MethodName::Exact => format!("exact, other inputs to order {order}"),
        (
            true,
            Algorithm1 { order } | Algorithm2 { order } | Algorithm1RealTime { order } | Algorithm2RealTime { order },
        ) => format!("{} of order {order}", stepping.name.name()),
        _ => stepping.name.name().to_owned(),
    }
}

struct LinearRun {
    system: Arc<LinearSystem>,
    stepping: Stepping,
    schedule: Schedule,
    engine: Engine,
    inputs: Inputs,
    shown: Shown,
    u: Vec<f64>,
    rows: Rows,
    estimates: Estimates,
    statistics: LinearDetails,
}

impl LinearRun {
    /// The next times at which anything ends a step, the first and the last of those that are one.
    fn next_stop(&mut self) -> Option<(f64, f64)> {
        let ((now, _), apart) = (self.schedule.now().onwards(), self.schedule.apart());
        self.inputs.settle(now, apart, self.schedule.horizon());
        let times = &self.stepping.stop_times;
        let given = times.get(times.partition_point(|time| *time <= now + apart)).copied();
        match (self.inputs.next_breaks(apart), given) {
            (Some((first, last)), Some(given)) if given <= last + apart => {
                if given < first - apart {
                    return Some((given, given));
                }
                Some((first.min(given), last.max(given)))
            }
            (Some(found), _) => Some(found),
            (None, given) => given.map(|given| (given, given)),
        }
    }

    fn carry(&mut self, interval: &Interval) -> Result<(), Error> {
        let time = interval.from.time;
        self.inputs.forget();
        let carried = self.engine.advance(interval, &mut self.inputs);
        // A method refuses an input that is not finite as well, without its name.
        self.inputs.check()?;
        let effort = carried.map_err(|source| Error::Linear { time, source })?;
        if let Some(krylov) = &mut self.statistics.krylov {
            krylov.add(&effort);
        }
        Ok(())
    }

    /// Names of the inputs that were interpolated.
    fn interpolated(&self) -> Vec<String> {
        self.inputs.names(|i| self.engine.held.is_some() || self.engine.exact.interpolates(i))
    }
}

impl ActiveRun for LinearRun {
    fn time(&self) -> f64 {
        self.schedule.now().time
    }

    fn advance(&mut self) -> Result<Advance, Error> {
        let stop = self.next_stop();
        let mut schedule = self.schedule.clone();
        let now = self.schedule.now();
        let order = self.stepping.method.nodes().map_or(0, |nodes| nodes.len().saturating_sub(1));
        let Some(interval) = schedule.next(stop) else {
            return Ok(Advance { step: Step { time: now.time, size: 0.0, order }, finished: true });
        };
        self.carry(&interval)?;
        self.schedule = schedule;
        self.statistics.steps =
            if self.engine.held.is_some() { self.statistics.steps + 1 } else { self.engine.exact.steps };
        self.statistics.parts_of_steps += u64::from(!interval.whole);
        self.statistics.stops += u64::from(interval.from.stop.is_some() && interval.from.time > 0.0);
        let step = Step { time: interval.to.time, size: interval.length, order };
        Ok(Advance { step, finished: interval.last })
    }

    fn values_at(&mut self, time: f64, values: &mut [f64]) -> Result<(), Error> {
        let (at, side) = self.schedule.now().onwards();
        self.inputs.forget();
        self.inputs.sample(at, side, &mut self.u);
        self.inputs.check()?;
        self.engine.outputs(&self.u, &mut self.rows).map_err(|source| Error::Linear { time, source })?;
        self.estimates.add(&self.rows);
        self.shown.fill(&self.system, time, &self.rows.values, &self.u);
        values.copy_from_slice(self.shown.columns());
        Ok(())
    }

    fn details(&mut self) -> Result<Details, Error> {
        let mut statistics = self.statistics.clone();
        statistics.interpolated_inputs = self.interpolated();
        if !statistics.interpolated_inputs.is_empty() {
            let worst = self.engine.exact.interpolated().iter().flatten().copied();
            statistics.input_error = worst.max_by(f64::total_cmp);
            statistics.output_error = self.estimates.worst().map(|(_, error)| error);
        }
        if self.engine.held.is_none() && self.engine.exact.shortest < statistics.step_size {
            statistics.smallest_step = Some(self.engine.exact.shortest);
        }
        Ok(Details::Linear(statistics))
    }

    fn warnings(&mut self) -> Vec<String> {
        // A zero-order hold is a hold: what a digital controller gives out.
        if self.stepping.name == MethodName::ZeroOrderHold {
            return Vec::new();
        }
        let remedy = match (&self.engine.held, self.stepping.step) {
            (Some(_), _) => "leave out `method`, or take a smaller `step`",
            (None, Some(_)) => "leave out `step`, or take a smaller one",
            (None, None) => "take a smaller `output_step`, or give jumps of the inputs as `stop_times`",
        };
        let output = |row: usize| self.system.column_of(row);
        Vec::from_iter(self.estimates.warning(&self.interpolated(), self.stepping.warning_level(), output, remedy))
    }
}
