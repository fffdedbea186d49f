//! Model exchange: the equations of an FMU solved by a Runge-Kutta method, its events located and iterated (FMI 3.0, section 3.2.1).

use super::exchanged::Exchanged;
use super::foreign::Instance;
use super::model::{FmiVersion, FmuCausality, FmuDescription};
use super::system::System;
use super::{Exchange, State};
use crate::function::Failure;
use fourbar_linalg::checkpoint::Source;
use fourbar_multibody::integrator::{Integrator, Rkf45, Rkf45Stepper, Stop};

/// Relative tolerance where neither the caller nor the FMU states one: the default of most tools.
const TOLERANCE: f64 = 1e-6;
/// Events at one time after which the FMU is taken to make no way.
const MOST_EVENTS: usize = 1000;

/// An instance that is solved.
pub(super) struct Solved {
    /// In its initialization, or under the method.
    phase: Phase,
    method: Rkf45,
    start: f64,
    /// Time of the next event known beforehand \[s\].
    next_event: Option<f64>,
    keeps: bool,
    y: Vec<f64>,
    /// Discrete inputs as they were set last, in the places of all inputs.
    set: Vec<f64>,
}

enum Phase {
    Initializing(Box<System>),
    Running(Box<Rkf45Stepper<System>>),
    /// Between the two, where starting failed.
    Broken,
}

fn failure(error: impl std::error::Error) -> Failure {
    Failure::new(error.to_string())
}

impl Solved {
    pub(super) fn new(
        mut instance: Instance,
        exchanged: Exchanged,
        description: &FmuDescription,
        start: f64,
        tolerance: Option<f64>,
    ) -> Result<Self, Failure> {
        let stated = (description.state_count(), description.event_indicators);
        let counts = match description.version {
            FmiVersion::Two => stated,
            FmiVersion::Three => instance.counts()?.unwrap_or(stated),
        };
        if counts.0 != stated.0 {
            let problem = format!("it has {} continuous states, its description {}", counts.0, stated.0);
            return Err(Failure::new(format!("{problem}; export it again")));
        }
        let inputs = description.variables.iter().filter(|variable| variable.causality == FmuCausality::Input);
        let inputs = inputs.map(|input| description.lengths(input).iter().product::<u64>() as usize).sum();
        let system = System::new(instance, exchanged, counts, inputs);
        Ok(Self {
            phase: Phase::Initializing(Box::new(system)),
            method: Rkf45::with_tolerance(tolerance.unwrap_or(TOLERANCE)),
            start,
            next_event: None,
            keeps: false,
            y: vec![0.0; counts.0.max(1)],
            set: Vec::new(),
        })
    }

    pub(super) fn exchange(&mut self, exchange: &mut Exchange) -> Result<(), Failure> {
        if let Phase::Initializing(system) = &mut self.phase {
            system.drive(exchange.time, &exchange.inputs);
            system.write_inputs(exchange.time, true)?;
            if exchange.step == 0.0 {
                exchange.reached = exchange.time;
                return system.read_outputs(&mut exchange.outputs);
            }
            self.set.clone_from(&exchange.inputs[0]);
            self.initialize()?;
        }
        let (t, h) = (exchange.time, exchange.step);
        let end = t + h;
        self.drive(t, &exchange.inputs)?;
        if h > 0.0 {
            self.run(end)?;
        }
        exchange.reached = end;
        exchange.next_event = self.next_event.unwrap_or(f64::INFINITY);
        let stepper = self.stepper()?;
        let (now, y) = (stepper.time(), stepper.state().to_vec());
        let system = stepper.ode_mut();
        system.go(now, &y)?;
        system.read_outputs(&mut exchange.outputs)
    }

    pub(super) fn stepper(&mut self) -> Result<&mut Rkf45Stepper<System>, Failure> {
        match &mut self.phase {
            Phase::Running(stepper) => Ok(stepper),
            Phase::Initializing(_) | Phase::Broken => Err(Failure::new("it did not start")),
        }
    }

    /// Ends the initialization and starts the method.
    fn initialize(&mut self) -> Result<(), Failure> {
        let Phase::Initializing(mut system) = std::mem::replace(&mut self.phase, Phase::Broken) else {
            return Ok(());
        };
        system.instance.exit_initialization()?;
        // The initialization leads to the mode of events.
        let updated = system.instance.update_discrete()?;
        self.next_event = updated.next;
        system.instance.enter_continuous()?;
        let n = system.state_count;
        system.instance.states(&mut self.y[..n])?;
        self.note_nominals(&mut system)?;
        let stepper = self.method.start(*system, self.start, &self.y, f64::INFINITY).map_err(failure)?;
        self.phase = Phase::Running(Box::new(stepper));
        Ok(())
    }

    fn note_nominals(&self, system: &mut System) -> Result<(), Failure> {
        let mut typical = vec![1.0; system.state_count.max(1)];
        let n = system.state_count;
        system.instance.nominals(&mut typical[..n])?;
        system.set_typical(&typical);
        Ok(())
    }

    /// Hands the inputs over; a jump of one is an event.
    fn drive(&mut self, t: f64, inputs: &[Vec<f64>; 3]) -> Result<(), Failure> {
        let discrete_changed = {
            let set = &self.set;
            let Phase::Running(stepper) = &self.phase else { return Err(Failure::new("it did not start")) };
            let places = stepper.ode().exchanged.discrete.iter().flat_map(|group| group.places());
            places.into_iter().any(|place| set.get(*place).is_none_or(|set| *set != inputs[0][*place]))
        };
        let jumps = self.stepper()?.ode_mut().drive(t, inputs);
        if jumps || discrete_changed {
            self.set.clone_from(&inputs[0]);
            return self.event();
        }
        // The method begins anew where inputs bend: that costs a one-step method one evaluation.
        let stepper = self.stepper()?;
        let (now, y) = (stepper.time(), stepper.state().to_vec());
        stepper.restart(now, &y, &[]).map_err(failure)
    }

    /// Integrates to `end` \[s\].
    fn run(&mut self, end: f64) -> Result<(), Failure> {
        let (mut at_one_time, mut last_event) = (0, f64::NEG_INFINITY);
        loop {
            let next = self.next_event;
            let keeps = self.keeps;
            let stepper = self.stepper()?;
            let target = next.map_or(end, |next| next.min(end)).max(stepper.time());
            stepper.ode_mut().instance.check_end()?;
            stepper.set_end_time(target).map_err(failure)?;
            let stop = stepper.step();
            let stop = match stop {
                Ok(stop) => stop,
                // The FMU's own words, if it is the cause.
                Err(error) => return Err(stepper.ode_mut().failure.take().unwrap_or_else(|| failure(error))),
            };
            let (now, y) = (stepper.time(), stepper.state().to_vec());
            let system = stepper.ode_mut();
            system.failure = None;
            system.go(now, &y)?;
            let asked = system.instance.completed_step(keeps)?;
            if asked || stop == Stop::Event || next.is_some_and(|next| now >= next) {
                at_one_time = if now > last_event { 1 } else { at_one_time + 1 };
                last_event = now;
                if at_one_time > MOST_EVENTS {
                    let problem = format!("more than {MOST_EVENTS} events at t = {now} s");
                    return Err(Failure::new(format!("{problem}: its model makes no way there")));
                }
                self.event()?;
            }
            if now >= end {
                return Ok(());
            }
        }
    }

    /// Handles events at the present time and begins anew.
    fn event(&mut self) -> Result<(), Failure> {
        let stepper = self.stepper()?;
        let (now, mut y) = (stepper.time(), stepper.state().to_vec());
        let system = stepper.ode_mut();
        system.go(now, &y)?;
        system.instance.enter_event()?;
        system.write_inputs(now, true)?;
        let updated = system.instance.update_discrete()?;
        system.instance.enter_continuous()?;
        let n = system.state_count;
        if updated.values_changed {
            system.instance.states(&mut y[..n])?;
        }
        if updated.nominals_changed {
            let mut typical = vec![1.0; y.len()];
            system.instance.nominals(&mut typical[..n])?;
            system.set_typical(&typical);
        }
        stepper.restart(now, &y, &[]).map_err(failure)?;
        // An event that lies at the present time or before it was handled just now.
        self.next_event = updated.next.filter(|next| *next > now);
        Ok(())
    }

    pub(super) fn save(&mut self, state: &mut State) -> Result<(), Failure> {
        if matches!(self.phase, Phase::Initializing(_)) {
            self.initialize()?;
        }
        self.keeps = true;
        let stepper = self.stepper()?;
        stepper.save(&mut state.solver);
        let (now, y) = (stepper.time(), stepper.state().to_vec());
        let system = stepper.ode_mut();
        system.go(now, &y)?;
        system.instance.save(&mut state.kept)?;
        state.inputs.clone_from(&self.set);
        state.next_event = self.next_event;
        Ok(())
    }

    pub(super) fn restore(&mut self, state: &State) -> Result<(), Failure> {
        let stepper = self.stepper()?;
        stepper.ode_mut().instance.restore(state.kept.as_ref())?;
        stepper.restore(&state.solver).map_err(failure)?;
        self.set.clone_from(&state.inputs);
        self.next_event = state.next_event;
        Ok(())
    }

    /// Keeps the states of the FMU and of the method whose bytes these are.
    pub(super) fn read_state(&mut self, state: &mut State, solver: &[u8], bytes: &[u8]) -> Result<(), Failure> {
        if matches!(self.phase, Phase::Initializing(_)) {
            self.initialize()?;
        }
        self.keeps = true;
        let stepper = self.stepper()?;
        state.solver = stepper.load(&mut Source::new(solver)).map_err(failure)?;
        state.kept = Some(stepper.ode_mut().instance.deserialize(bytes)?);
        Ok(())
    }

    pub(super) fn warnings(&self) -> Vec<String> {
        match &self.phase {
            Phase::Initializing(system) => system.instance.warnings(),
            Phase::Running(stepper) => stepper.ode().instance.warnings(),
            Phase::Broken => Vec::new(),
        }
    }
}
