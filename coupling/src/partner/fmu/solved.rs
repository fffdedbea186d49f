//! Model exchange: the equations of an FMU solved here, its events located and iterated (FMI 3.0, section 3.2.1).

use super::exchanged::Exchanged;
use super::foreign::Instance;
use super::model::{FmiVersion, FmuDescription};
use super::solver::Solver;
use super::structure::many_indicators;
use super::system::System;
use super::{Exchange, FmuIntegrator, State};
use crate::function::{Failure, SolverCounts, end_of_step};
use fourbar_dae::integrator::Stop;
use fourbar_linalg::checkpoint::Source;

/// Relative tolerance where neither the caller nor the FMU states one: the default of most tools.
const TOLERANCE: f64 = 1e-6;
/// Events at one time after which the FMU is taken to make no way.
const MOST_EVENTS: usize = 1000;

/// An instance that is solved.
pub(super) struct Solved {
    /// In its initialization, or under the method.
    phase: Phase,
    how: How,
    start: f64,
    /// Time of the next event known beforehand \[s\].
    next_event: Option<f64>,
    keeps: bool,
    /// Room for a state.
    y: Vec<f64>,
}

/// How the equations are solved.
pub(super) struct How {
    pub(super) integrator: FmuIntegrator,
    pub(super) tolerance: Option<f64>,
    /// Whether its residuals are solved.
    pub(super) residuals: bool,
    pub(super) description: FmuDescription,
}

impl How {
    /// Typical magnitudes of the algebraic variables.
    fn nominals(&self) -> Vec<f64> {
        let algebraic = self.description.dae.iter().filter(|_| self.residuals).flat_map(|dae| &dae.algebraic);
        let typical = algebraic.flat_map(|index| {
            let nominal = self.description.variables[*index].nominal;
            vec![if nominal > 0.0 { nominal } else { 1.0 }; self.description.element_count(*index)]
        });
        typical.collect()
    }
}

enum Phase {
    Initializing(Box<System>),
    Running(Solver),
    /// Between the two, where starting failed.
    Broken,
}

fn failure(error: impl std::error::Error) -> Failure {
    Failure::new(error.to_string())
}

impl Solved {
    pub(super) fn new(mut instance: Instance, exchanged: Exchanged, start: f64, how: How) -> Result<Self, Failure> {
        let description = &how.description;
        let stated = (description.state_count(), description.event_indicators);
        let counts = match description.version {
            FmiVersion::Two => stated,
            FmiVersion::Three => instance.counts()?.unwrap_or(stated),
        };
        if counts.0 != stated.0 {
            let problem = format!("it has {} continuous states, its description {}", counts.0, stated.0);
            return Err(Failure::new(format!("{problem}; export it again")));
        }
        if let Some(problem) = many_indicators(counts.1) {
            return Err(Failure::new(format!("{problem}; export it again")));
        }
        let dae = description.dae.as_ref().filter(|_| how.residuals);
        let system = System::new(instance, exchanged, counts, description, dae);
        let y = vec![0.0; system.unknown_count()];
        Ok(Self { phase: Phase::Initializing(Box::new(system)), how, start, next_event: None, keeps: false, y })
    }

    pub(super) fn exchange(&mut self, exchange: &mut Exchange) -> Result<(), Failure> {
        if let Phase::Initializing(system) = &mut self.phase {
            system.drive(exchange.time, &exchange.inputs);
            system.write_inputs(exchange.time, true)?;
            // Residuals are satisfied by the importer: what follows from them is known once it begins.
            if exchange.step == 0.0 && !self.how.residuals {
                exchange.reached = exchange.time;
                return system.read_outputs(&mut exchange.outputs);
            }
            self.initialize()?;
        }
        let (t, h) = (exchange.time, exchange.step);
        let end = end_of_step(t, h);
        self.drive(t, &exchange.inputs)?;
        if h > 0.0 {
            self.run(end)?;
        }
        exchange.reached = end;
        exchange.next_event = self.next_event.unwrap_or(f64::INFINITY);
        self.arrive()?;
        self.solver()?.system_mut().read_outputs(&mut exchange.outputs)
    }

    pub(super) fn solver(&mut self) -> Result<&mut Solver, Failure> {
        running(&mut self.phase)
    }

    /// Moves the FMU to the present time, which it returns \[s\], and state.
    fn arrive(&mut self) -> Result<f64, Failure> {
        let solver = running(&mut self.phase)?;
        let now = solver.point(&mut self.y);
        solver.system_mut().go(now, &self.y)?;
        Ok(now)
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
        system.read_point(&mut self.y)?;
        system.note_nominals(&self.how.nominals())?;
        let How { integrator, tolerance, residuals, description } = &self.how;
        let dae = description.dae.as_ref().filter(|_| *residuals);
        let (tolerance, point) = (tolerance.unwrap_or(TOLERANCE), (self.start, &mut self.y[..]));
        self.phase = Phase::Running(Solver::start(*integrator, *system, (description, dae), tolerance, point)?);
        Ok(())
    }

    /// Hands the inputs over; a jump of one is an event.
    fn drive(&mut self, t: f64, inputs: &[Vec<f64>; 3]) -> Result<(), Failure> {
        let solver = running(&mut self.phase)?;
        if solver.system_mut().drive(t, inputs) {
            return self.event();
        }
        let now = solver.point(&mut self.y);
        solver.bend(now, &self.y)
    }

    /// Integrates to `end` \[s\].
    fn run(&mut self, end: f64) -> Result<(), Failure> {
        let (mut at_one_time, mut last_event) = (0, f64::NEG_INFINITY);
        loop {
            let (next, keeps) = (self.next_event, self.keeps);
            let solver = self.solver()?;
            let target = next.map_or(end, |next| next.min(end)).max(solver.integrator().time());
            solver.system_mut().instance.check_end()?;
            solver.integrator().set_end_time(target).map_err(failure)?;
            let stop = match solver.integrator().step() {
                Ok(stop) => stop,
                // The FMU's own words, if it is the cause.
                Err(error) => return Err(solver.system_mut().failure.take().unwrap_or_else(|| failure(error))),
            };
            solver.system_mut().failure = None;
            let now = self.arrive()?;
            let asked = self.solver()?.system_mut().instance.completed_step(keeps)?;
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
        let now = self.arrive()?;
        let nominals = self.how.nominals();
        let solver = running(&mut self.phase)?;
        let system = solver.system_mut();
        system.instance.enter_event()?;
        system.write_inputs(now, true)?;
        let updated = system.instance.update_discrete()?;
        system.instance.enter_continuous()?;
        if updated.values_changed {
            system.read_point(&mut self.y)?;
        }
        if updated.nominals_changed {
            system.note_nominals(&nominals)?;
        }
        solver.restart(now, &mut self.y)?;
        // An event that lies at the present time or before it was handled just now.
        self.next_event = updated.next.filter(|next| *next > now);
        Ok(())
    }

    pub(super) fn save(&mut self, state: &mut State) -> Result<(), Failure> {
        if matches!(self.phase, Phase::Initializing(_)) {
            self.initialize()?;
        }
        self.keeps = true;
        self.arrive()?;
        let solver = self.solver()?;
        solver.integrator().save(&mut state.solver);
        solver.system_mut().instance.save(&mut state.kept)?;
        state.inputs.clone_from(&self.solver()?.system().set);
        state.next_event = self.next_event;
        Ok(())
    }

    pub(super) fn restore(&mut self, state: &State) -> Result<(), Failure> {
        let solver = self.solver()?;
        solver.system_mut().instance.restore(state.kept.as_ref())?;
        solver.integrator().restore(&state.solver).map_err(failure)?;
        solver.system_mut().set.clone_from(&state.inputs);
        self.next_event = state.next_event;
        Ok(())
    }

    /// Keeps the states of the FMU and of the method whose bytes these are.
    pub(super) fn read_state(&mut self, state: &mut State, solver: &[u8], bytes: &[u8]) -> Result<(), Failure> {
        if matches!(self.phase, Phase::Initializing(_)) {
            self.initialize()?;
        }
        self.keeps = true;
        let running = self.solver()?;
        state.solver = running.integrator().load(&mut Source::new(solver)).map_err(failure)?;
        state.kept = Some(running.system_mut().instance.deserialize(bytes)?);
        Ok(())
    }

    pub(super) fn counts(&self) -> Option<SolverCounts> {
        match &self.phase {
            Phase::Running(solver) => Some(solver.statistics().into()),
            Phase::Initializing(_) | Phase::Broken => None,
        }
    }

    pub(super) fn warnings(&self) -> Vec<String> {
        match &self.phase {
            Phase::Initializing(system) => system.instance.warnings(),
            Phase::Running(solver) => solver.system().instance.warnings(),
            Phase::Broken => Vec::new(),
        }
    }
}

/// The method, once it has started.
fn running(phase: &mut Phase) -> Result<&mut Solver, Failure> {
    match phase {
        Phase::Running(solver) => Ok(solver),
        Phase::Initializing(_) | Phase::Broken => Err(Failure::new("it did not start")),
    }
}
