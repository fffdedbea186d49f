//! Runs of linear systems.

mod dense;
mod inputs;
mod sparse;

use super::course::{Advance, Course, Job};
use super::plan::OUTPUTS;
use super::schedule::{Interval, Schedule};
use super::{Plan, Step};
use crate::Error;
use crate::linear::{Equations, LinearModel, LinearSettings, LinearSystem, Stepping, Tap, numerical};
use crate::results::{Column, Details, LinearDetails};
use dense::Dense;
use fourbar_linalg::text::Brief;
use fourbar_lti::Error as LtiError;
use fourbar_multibody::Location;
use fourbar_multibody::expression::Stack;
use inputs::Inputs;
use sparse::Sparse;
use std::sync::Arc;

/// Part of a step by which an output may miss the end of one.
const SAME: f64 = 1e-9;

/// More steps than this are taken for a slip of the pen.
const MOST_STEPS: f64 = 1e10;

/// A linear system and how it is stepped.
#[derive(Debug)]
pub(super) struct LinearJob {
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
enum Engine {
    Dense(Box<Dense>),
    Sparse(Box<Sparse>),
}

impl LinearJob {
    pub(super) fn new(model: &LinearModel, overrides: &LinearSettings) -> Result<(Self, Plan), Error> {
        let system = Arc::new(LinearSystem::compile(model)?);
        let stepping = Stepping::new(model, overrides)?;
        let (plan, step, every) = grid(&stepping)?;
        let at =
            |field: &str| Location { section: "simulation", index: 0, name: String::new(), field: field.to_owned() };
        let engine = match &system.equations {
            Equations::Dense(equations) => Dense::new(equations, &system.initial, step, &stepping)
                .map(|dense| Engine::Dense(Box::new(dense)))
                .map_err(|error| numerical(at("step"), &error))?,
            Equations::Sparse(equations) => {
                sparse::check_method(&stepping, at("method"))?;
                Sparse::new(equations, &system.initial, step, &stepping)
                    .map(|sparse| Engine::Sparse(Box::new(sparse)))
                    .map_err(|error| numerical(at("step"), &error))?
            }
        };
        let input_names = model.inputs.iter().map(|input| input.name().to_owned()).collect();
        Ok((Self { system, stepping, step, every, engine, input_names }, plan))
    }
}

/// The plan, the step, and the number of steps between outputs.
fn grid(stepping: &Stepping) -> Result<(Plan, f64, u64), Error> {
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

impl Job for LinearJob {
    fn name(&self) -> &str {
        &self.system.name
    }

    fn columns(&self) -> Vec<Column> {
        self.system.columns.clone()
    }

    fn describe(&self) -> Vec<(String, String)> {
        let mut settings =
            vec![("method".to_owned(), method_name(&self.stepping)), ("step".to_owned(), format!("{} s", self.step))];
        if let Engine::Sparse(_) = self.engine {
            settings.push(("relative tolerance".to_owned(), Brief(self.stepping.tolerance).to_string()));
        }
        settings
    }

    fn begin(&self, plan: &Plan) -> Result<Box<dyn Course>, Error> {
        let signals = &self.system.signals;
        let mut stops = self.stepping.stop_times.clone();
        stops.extend(signals.iter().flat_map(|signal| signal.breaks()));
        let formulas = self.system.taps.iter().filter_map(|tap| match tap {
            Tap::Formula(program) => Some(program),
            _ => None,
        });
        let mut statistics = LinearDetails::new(self.system.states(), method_name(&self.stepping), self.step);
        statistics.krylov = matches!(self.engine, Engine::Sparse(_)).then(Default::default);
        Ok(Box::new(LinearCourse {
            schedule: Schedule::new(*plan, self.step, self.every, &stops),
            engine: self.engine.clone(),
            inputs: Inputs::new(signals.clone(), self.input_names.clone()),
            stack: Stack::for_programs(formulas),
            slots: vec![0.0; self.system.taps.len() + 1],
            u: vec![0.0; signals.len()],
            rows: vec![0.0; self.engine.rows()],
            order: self.stepping.method.nodes().map_or(0, |nodes| nodes.len().saturating_sub(1)),
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
        ) => format!("{} of order {order}", stepping.name.name()),
        _ => stepping.name.name().to_owned(),
    }
}

impl Engine {
    fn rows(&self) -> usize {
        match self {
            Self::Dense(dense) => dense.rows(),
            Self::Sparse(sparse) => sparse.rows(),
        }
    }
}

struct LinearCourse {
    system: Arc<LinearSystem>,
    schedule: Schedule,
    engine: Engine,
    inputs: Inputs,
    /// The time, then the columns.
    slots: Vec<f64>,
    stack: Stack<f64>,
    u: Vec<f64>,
    rows: Vec<f64>,
    order: usize,
    statistics: LinearDetails,
}

impl LinearCourse {
    fn carry(&mut self, interval: &Interval) -> Result<(), Error> {
        let time = interval.from.time;
        let failed = |source: LtiError| Error::Linear { time, source };
        self.inputs.forget();
        let carried = match &mut self.engine {
            Engine::Dense(dense) => dense.advance(interval, &mut self.inputs).map(|()| None),
            Engine::Sparse(sparse) => sparse.advance(interval, &mut self.inputs).map(Some),
        };
        // A method refuses an input that is not finite as well, without its name.
        self.inputs.check()?;
        if let (Some(effort), Some(krylov)) = (carried.map_err(failed)?, &mut self.statistics.krylov) {
            krylov.add(&effort);
        }
        Ok(())
    }
}

impl Course for LinearCourse {
    fn time(&self) -> f64 {
        self.schedule.now().time
    }

    fn advance(&mut self) -> Result<Advance, Error> {
        let mut schedule = self.schedule.clone();
        let now = self.schedule.now();
        let Some(interval) = schedule.next() else {
            return Ok(Advance { step: Step { time: now.time, size: 0.0, order: self.order }, finished: true });
        };
        self.carry(&interval)?;
        self.schedule = schedule;
        self.statistics.steps += 1;
        self.statistics.parts_of_steps += u64::from(!interval.whole);
        self.statistics.stops += u64::from(interval.from.stop.is_some());
        let step = Step { time: interval.to.time, size: interval.length, order: self.order };
        Ok(Advance { step, finished: interval.last })
    }

    fn values_at(&mut self, time: f64, values: &mut [f64]) -> Result<(), Error> {
        let (at, side) = self.schedule.now().onwards();
        self.inputs.forget();
        self.inputs.sample(at, side, &mut self.u);
        self.inputs.check()?;
        match &self.engine {
            Engine::Dense(dense) => {
                dense.outputs(&self.u, &mut self.rows).map_err(|source| Error::Linear { time, source })?
            }
            Engine::Sparse(sparse) => sparse.outputs(&mut self.rows),
        }
        self.slots[0] = time;
        for &column in &self.system.order {
            self.slots[column + 1] = match &self.system.taps[column] {
                Tap::Row(row) => self.rows[*row],
                Tap::Input(input) => self.u[*input],
                Tap::Formula(program) => program.evaluate(&self.slots, &mut self.stack),
            };
        }
        values.copy_from_slice(&self.slots[1..]);
        Ok(())
    }

    fn details(&mut self) -> Result<Details, Error> {
        Ok(Details::Linear(self.statistics.clone()))
    }
}
