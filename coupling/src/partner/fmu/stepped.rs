//! Co-simulation: an FMU that steps with its own solver (FMI 2.0, section 4.2.4; FMI 3.0, section 4.2.1).

use super::exchanged::Exchanged;
use super::foreign::Instance;
use super::model::{FmiVersion, FmuDescription};
use super::{Exchange, State};
use crate::function::Failure;

/// Pieces of one step, returned early, after which the FMU is taken to make no way: events come in some tens.
const MOST_PIECES: usize = 100_000;

/// An instance that is stepped.
pub(super) struct Stepping {
    pub(super) instance: Instance,
    exchanged: Exchanged,
    initializing: bool,
    /// Whether a step ends at an event.
    early: bool,
    /// Time of the last event of the last step \[s\]; infinite if there was none.
    event: f64,
    /// Whether it tells of events between steps.
    events: bool,
    /// Whether there are discrete inputs or tunable parameters.
    has_discrete: bool,
    /// Whether derivatives of inputs are set before a step (FMI 2.0), or asked for within it (FMI 3.0).
    derivatives: bool,
    within: bool,
    /// Whether a step is one call to set real numbers, one to step and one to read them, in units that nobody changes, with nothing beside it.
    plain: bool,
    /// Whether a state was saved that may be returned to.
    keeps: bool,
    /// Step of its own solver, where it takes steps of any length \[s\].
    internal: Option<f64>,
    /// The first step, if it is shorter than that \[s\].
    shorter: Option<f64>,
    /// Length of all steps, if that must not change \[s\]; NaN before the first.
    fixed: Option<f64>,
    /// Discrete inputs and tunable parameters as they were set last, in the places of all inputs; NaN before that.
    set: Vec<f64>,
    outputs: Vec<f64>,
    /// Derivatives of outputs; empty if the FMU gives none.
    output_rates: Vec<f64>,
}

impl Stepping {
    pub(super) fn new(instance: Instance, exchanged: Exchanged, description: &FmuDescription) -> Self {
        let interface = description.co_simulation.clone().unwrap_or_default();
        let two = description.version == FmiVersion::Two;
        let has_discrete = !exchanged.discrete.is_empty() || !exchanged.tunable.is_empty();
        let derivatives = two && interface.can_interpolate_inputs;
        let within = interface.provides_intermediate_update && !exchanged.intermediate.references().is_empty();
        let fixed = !interface.can_handle_variable_step;
        let has_rates = exchanged.has_rates(description, false);
        let events = !two && instance.has_events();
        Self {
            instance,
            plain: exchanged.is_direct() && !(has_discrete || derivatives || within || has_rates),
            initializing: true,
            early: false,
            event: f64::INFINITY,
            events,
            has_discrete,
            derivatives,
            within,
            keeps: false,
            internal: interface.fixed_internal_step.filter(|_| interface.can_handle_variable_step),
            shorter: None,
            fixed: fixed.then_some(f64::NAN),
            set: exchanged.inputs_before(),
            outputs: vec![f64::NAN; exchanged.output_count()],
            output_rates: vec![0.0; if has_rates { exchanged.output_count() } else { 0 }],
            exchanged,
        }
    }

    /// Lets steps end at events.
    pub(super) fn end_at_events(&mut self) {
        self.early = self.returns_early();
    }

    /// Whether it may end a step at an event: allowed with events between steps of any length (FMI 3.0, section 4.2.1).
    pub(super) fn returns_early(&self) -> bool {
        self.events && self.fixed.is_none()
    }

    #[inline(always)]
    pub(super) fn exchange(&mut self, exchange: &mut Exchange) -> Result<(), Failure> {
        if exchange.step == 0.0 {
            return self.respond(exchange);
        }
        if self.initializing {
            self.write_all(&exchange.inputs[0])?;
            self.initialize()?;
            // Differences of times are rounded.
            self.shorter = self.internal.filter(|own| exchange.step < own * (1.0 - 1e-9)).map(|_| exchange.step);
        }
        if !self.plain {
            return self.exchange_all(exchange);
        }
        if self.fixed.is_some() {
            self.check_step(exchange.step)?;
        }
        if let Some(group) = self.exchanged.continuous.first_mut() {
            self.instance.set(group, &exchange.inputs[0])?;
        }
        self.event = f64::INFINITY;
        exchange.reached = self.step(exchange.time, exchange.step)?;
        exchange.next_event = self.event;
        if let Some(group) = self.exchanged.outputs.first_mut() {
            self.instance.get(group, &mut self.outputs)?;
        }
        self.answer(exchange);
        Ok(())
    }

    /// A step with all that may belong to it.
    fn exchange_all(&mut self, exchange: &mut Exchange) -> Result<(), Failure> {
        self.check_step(exchange.step)?;
        self.write(exchange)?;
        self.event = f64::INFINITY;
        exchange.reached = self.step(exchange.time, exchange.step)?;
        self.read()?;
        self.read_rates()?;
        exchange.next_event = self.event;
        self.answer(exchange);
        self.answer_rates(exchange);
        Ok(())
    }

    #[inline]
    fn answer(&self, exchange: &mut Exchange) {
        // Mostly one value or none: a call that copies costs more.
        exchange.outputs.iter_mut().zip(&self.outputs).for_each(|(to, from)| *to = *from);
    }

    fn answer_rates(&self, exchange: &mut Exchange) {
        exchange.rates.iter_mut().zip(&self.output_rates).for_each(|(to, from)| *to = *from);
    }

    /// Outputs without a step: in the initialization they follow the inputs, later they are those at the end of the last step.
    #[cold]
    fn respond(&mut self, exchange: &mut Exchange) -> Result<(), Failure> {
        if self.initializing {
            self.write_all(&exchange.inputs[0])?;
            self.read()?;
        }
        exchange.reached = exchange.time;
        self.answer(exchange);
        self.answer_rates(exchange);
        Ok(())
    }

    #[cold]
    fn initialize(&mut self) -> Result<(), Failure> {
        self.initializing = false;
        self.instance.exit_initialization()?;
        if self.events {
            // With events the initialization leads to their mode (FMI 3.0, section 2.3.4).
            self.instance.update_discrete()?;
            self.instance.enter_step()?;
        }
        Ok(())
    }

    fn check_step(&mut self, h: f64) -> Result<(), Failure> {
        if let Some(fixed) = &mut self.fixed {
            if fixed.is_nan() {
                *fixed = h;
            }
            // Differences of times are rounded.
            if (h - *fixed).abs() > 1e-9 * *fixed {
                let problem = format!("it was stepped by {fixed} s and cannot be stepped by {h} s");
                return Err(Failure::new(format!("{problem}: all its steps must have one length")));
            }
        }
        Ok(())
    }

    /// Writes all inputs, in the initialization.
    #[cold]
    fn write_all(&mut self, inputs: &[f64]) -> Result<(), Failure> {
        let Exchanged { continuous, discrete, tunable, .. } = &mut self.exchanged;
        for group in continuous.iter_mut().chain(discrete) {
            self.instance.set(group, inputs)?;
        }
        for group in tunable.iter_mut().filter(|group| group.differs(&self.set, inputs)) {
            self.instance.set(group, inputs)?;
        }
        self.set.copy_from_slice(inputs);
        Ok(())
    }

    /// Writes the inputs before a step.
    fn write(&mut self, exchange: &Exchange) -> Result<(), Failure> {
        let inputs = &exchange.inputs;
        for group in &mut self.exchanged.continuous {
            self.instance.set(group, &inputs[0])?;
        }
        if self.has_discrete {
            self.write_discrete(&inputs[0])?;
        }
        if self.within || self.derivatives { self.write_derivatives(inputs, exchange.time) } else { Ok(()) }
    }

    /// Writes discrete inputs and tunable parameters that have changed.
    fn write_discrete(&mut self, values: &[f64]) -> Result<(), Failure> {
        let Exchanged { discrete, tunable, .. } = &mut self.exchanged;
        if !discrete.iter().chain(&*tunable).any(|group| group.differs(&self.set, values)) {
            return Ok(());
        }
        if self.events {
            self.instance.enter_event()?;
        }
        for group in discrete.iter_mut().chain(tunable).filter(|group| group.differs(&self.set, values)) {
            self.instance.set(group, values)?;
        }
        self.set.clone_from_slice(values);
        if self.events {
            self.instance.update_discrete()?;
            self.instance.enter_step()?;
        }
        Ok(())
    }

    fn write_derivatives(&mut self, inputs: &[Vec<f64>; 3], t: f64) -> Result<(), Failure> {
        if self.within {
            let group = &self.exchanged.intermediate;
            self.instance.begin_intermediate(group.references(), group.places(), inputs, t);
        }
        if self.derivatives {
            for group in self.exchanged.continuous.iter_mut().filter(|group| group.is_float64()) {
                self.instance.set_input_derivatives(group, &inputs[1])?;
            }
        }
        Ok(())
    }

    /// One communication step, in pieces where the FMU returns early.
    #[inline(always)]
    fn step(&mut self, t: f64, h: f64) -> Result<f64, Failure> {
        let first = self.instance.do_step(t, h, self.keeps)?;
        if !first.event && first.reached == t + h {
            return Ok(first.reached);
        }
        self.pieces(t, h, first)
    }

    #[cold]
    fn pieces(&mut self, t: f64, h: f64, first: super::foreign::Stepped) -> Result<f64, Failure> {
        let end = t + h;
        let mut stepped = first;
        for _ in 0..MOST_PIECES {
            if stepped.event {
                if !self.events {
                    return Err(Failure::new("it asks for events although it says that it has none"));
                }
                self.instance.enter_event()?;
                self.instance.update_discrete()?;
                self.instance.enter_step()?;
                self.event = stepped.reached;
            }
            if self.early && stepped.reached < end {
                return Ok(stepped.reached);
            }
            // A piece shorter than the round-off of the time would move nothing.
            if stepped.reached >= end - 4.0 * f64::EPSILON * end.abs() {
                return Ok(end);
            }
            stepped = self.instance.do_step(stepped.reached, end - stepped.reached, self.keeps)?;
        }
        Err(Failure::new(format!("it has returned early {MOST_PIECES} times within one step and does not get on")))
    }

    fn read(&mut self) -> Result<(), Failure> {
        for group in &mut self.exchanged.outputs {
            self.instance.get(group, &mut self.outputs)?;
        }
        Ok(())
    }

    /// Reads the derivatives of outputs after a step; those of outputs that are no continuous numbers are zero.
    fn read_rates(&mut self) -> Result<(), Failure> {
        if !self.output_rates.is_empty() {
            self.instance.output_derivatives(&mut self.exchanged.differentiable, &mut self.output_rates)?;
        }
        Ok(())
    }

    pub(super) fn save(&mut self, state: &mut State) -> Result<(), Failure> {
        if self.initializing {
            self.initialize()?;
            self.read()?;
        }
        self.keeps = true;
        self.instance.save(&mut state.kept)?;
        state.outputs.clone_from(&self.outputs);
        state.rates.clone_from(&self.output_rates);
        state.inputs.clone_from(&self.set);
        Ok(())
    }

    pub(super) fn restore(&mut self, state: &State) -> Result<(), Failure> {
        self.instance.restore(state.kept.as_ref())?;
        self.initializing = false;
        self.outputs.clone_from(&state.outputs);
        self.output_rates.clone_from(&state.rates);
        self.set.clone_from(&state.inputs);
        Ok(())
    }

    /// Keeps the state of the FMU whose bytes these are.
    pub(super) fn read_state(&mut self, state: &mut State, bytes: &[u8]) -> Result<(), Failure> {
        if self.initializing {
            self.initialize()?;
        }
        self.keeps = true;
        state.kept = Some(self.instance.deserialize(bytes)?);
        Ok(())
    }

    pub(super) fn warnings(&self) -> Vec<String> {
        let mut warnings = self.instance.warnings();
        if let (Some(step), Some(own)) = (self.shorter, self.internal) {
            let words = "what happens within one of these shows late";
            warnings.push(format!("it is stepped by {step} s, and its solver has steps of {own} s: {words}"));
        }
        if self.instance.refused_events() {
            warnings.push("it says that it has an event mode and refuses it: it runs without".to_owned());
        }
        warnings
    }
}
