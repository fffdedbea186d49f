//! A run that takes part in another one: its inputs that no output feeds come from outside, its outputs go there.
//!
//! A communication point stays open until the next step begins: the run outside may bring its outputs with feedthrough up to date there once
//! more, with other inputs, and what passes and is booked at a point are its last values. So each number is that of one run over all partners.

use super::dependency::{Dependencies, Reach};
use super::discrete;
use super::exchange::Feedthrough;
use super::master::Master;
use super::network::Outside;
use super::observer::{Observer, RunState};
use super::options::Algorithm;
use super::start::Start;
use crate::Error;
use crate::function::{Capabilities, Causality, Failure, Signal, Variability, Variable};
use fourbar_linalg::text::Brief;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A communication point at which values may still change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OpenPoint {
    /// None.
    None,
    /// The start.
    Start,
    /// The end of the last step, at the target.
    Step,
}

fourbar_linalg::stored!(
    enum OpenPoint {
        None = 0,
        Start = 1,
        Step = 2,
    }
);

/// Part of a tick by which the times of two runs may differ and be one: as much as a partner's time may lie beside the clock.
const SAME: f64 = 1e-9;

impl Master {
    /// Lets the inputs that no output feeds follow the outer run, from their present values on.
    pub(crate) fn take_part(&mut self) {
        let network = &mut self.network;
        let mut outside = Vec::new();
        for (i, interface) in network.interfaces.iter().enumerate() {
            let order = interface.description().capabilities.input_order;
            let fed = |k: usize| {
                let mut relations = network.interaction.of_target(i);
                relations.any(|r| network.interaction.relations()[r].target.1 == k)
            };
            let open = interface.sent.values.iter().enumerate().filter(|(k, _)| !fed(*k));
            outside.extend(open.map(|(k, &signal)| Outside { end: (i, k), order, signal }));
        }
        network.outside = outside;
        let dependencies = Dependencies::with_outside(&network.interfaces, network.interaction.relations());
        match self.options.algorithm {
            Algorithm::JacobiDelayed => self.start = Start::of_delayed(dependencies),
            _ => self.feedthrough = Feedthrough::new(dependencies),
        }
        // Whoever steps it keeps the time of the clock.
        self.pacer = None;
    }

    /// The open inputs as "partner.input", then all outputs as "partner.output", each with the inputs on which it depends without delay.
    pub(crate) fn ports_outside(&self) -> Vec<Variable> {
        let network = &self.network;
        let named = |i: usize, variable: &Variable| Variable {
            name: format!("{}.{}", network.interfaces[i].name(), variable.name),
            ..variable.clone()
        };
        let mut variables = Vec::new();
        for Outside { end: (i, k), signal, .. } in &network.outside {
            if let Some(input) = network.interfaces[*i].description().with(Causality::Input).nth(*k) {
                variables.push(named(*i, input).start(signal.value));
            }
        }
        let delayed = self.options.algorithm == Algorithm::JacobiDelayed;
        let reach = Reach::new(&network.interfaces, network.interaction.relations());
        let mut place = 0;
        for (i, interface) in network.interfaces.iter().enumerate() {
            for (k, output) in interface.description().with(Causality::Output).enumerate() {
                let feedthrough = if delayed { Vec::new() } else { reach.inputs(&network.interfaces, place) };
                let variability = discrete::variability(&network.interfaces, network.interaction.relations(), (i, k));
                // What is late by a step follows the inputs of another time.
                let follows = variability == Variability::Inherited;
                let variability = if delayed && follows { Variability::Continuous } else { variability };
                variables.push(Variable { feedthrough, variability, ..named(i, output) });
                place += 1;
            }
        }
        variables
    }

    /// What it can do as a partner of another run.
    pub(crate) fn capabilities_outside(&self) -> Capabilities {
        let interfaces = &self.network.interfaces;
        let all = |can: fn(&Capabilities) -> bool| interfaces.iter().all(|i| can(&i.description().capabilities));
        let order = self.network.outside.iter().map(|outside| outside.order).max().unwrap_or(0);
        Capabilities::PLAIN
            .rollback(all(|own| own.rollback))
            .written(all(|own| own.rollback && own.written))
            .output_derivatives(all(|own| own.output_derivatives))
            .input_order(order)
            .fixed_step(self.adaptive.is_none())
            .faults(true)
    }

    /// The shortest step of the outer run \[s\].
    pub(crate) fn step_outside(&self) -> f64 {
        self.options.adaptive.as_ref().map_or(self.options.step, |adaptive| adaptive.shortest)
    }

    /// Takes the open inputs as polynomials about the open point.
    pub(crate) fn give(&mut self, signals: &[Signal]) {
        let network = &mut self.network;
        network.since = network.target;
        for (outside, signal) in network.outside.iter_mut().zip(signals) {
            let (i, k) = outside.end;
            self.unsettled |= network.interfaces[i].sent.values[k] != Signal::held(signal.value);
            outside.signal = *signal;
        }
    }

    /// Brings the values at the open point up to date with the inputs given.
    pub(crate) fn settle_open(&mut self, observer: &mut dyn Observer) -> Result<(), Failure> {
        self.check_failure()?;
        let target = self.network.target;
        if self.open == OpenPoint::None {
            self.state = RunState::Running;
            self.network.hold_outside(target);
            let result = self.sample_start(observer);
            self.stop_on(result, observer)?;
            self.open = OpenPoint::Start;
        } else if self.unsettled && self.open == OpenPoint::Start {
            self.network.hold_outside(target);
            let result = self.start.agree(&mut self.network, &mut self.feedthrough, observer);
            self.stop_on(result, observer)?;
        } else if self.unsettled && !self.feedthrough.is_empty() {
            self.network.hold_outside(target);
            let result = self.feedthrough.settle(&mut self.network, target, observer);
            self.stop_on(result, observer)?;
        }
        self.unsettled = false;
        if self.opening.rehearses && self.open == OpenPoint::Step {
            self.opening.keep(&self.network);
        }
        Ok(())
    }

    /// Steps from `t` to `t + h` \[s\], whose point stays open, and gives the time reached.
    pub(crate) fn go(&mut self, t: f64, h: f64, observer: &mut dyn Observer) -> Result<f64, Failure> {
        let goal = self.goal(t, h)?;
        self.network.clock.horizon = goal;
        loop {
            self.settle_open(observer)?;
            let closed = match self.open {
                OpenPoint::Step => self.close(observer),
                _ => self.close_start(observer),
            };
            self.stop_on(closed, observer)?;
            if self.state == RunState::Finished {
                let end = Brief(self.network.clock.time());
                return Err(Failure::new(format!("its run has ended at t = {end} s: give it no end")));
            }
            let reached = self.reach(observer);
            self.stop_on(reached, observer)?;
            self.open = OpenPoint::Step;
            if self.network.target >= goal {
                return Ok(self.network.clock.base.time(self.network.target));
            }
        }
    }

    /// The stamp to which a step from `t` by `h` \[s\] leads.
    fn goal(&self, t: f64, h: f64) -> Result<u64, Failure> {
        let base = &self.network.clock.base;
        let (now, at) = (base.time(self.network.target), self.network.target);
        if !((t - now).abs() <= SAME * base.tick + 4.0 * f64::EPSILON * now.abs()) {
            let (t, now) = (Brief(t), Brief(now));
            return Err(Failure::new(format!("it stands at t = {now} s and cannot step from t = {t} s")));
        }
        let ticks = (h / base.tick).round();
        let whole = (h - ticks * base.tick).abs() <= SAME * base.tick + 4.0 * f64::EPSILON * (t + h).abs();
        if !(whole && ticks >= 1.0 && ticks < 2f64.powi(53)) {
            let (step, h) = (Brief(base.tick), Brief(h));
            let words = format!("its communication step of {step} s does not go into {h} s: choose one that does");
            return Err(Failure::new(words));
        }
        Ok(at + ticks as u64)
    }

    /// Whether the run outside rehearses its first step. Partners of partners hear of it.
    pub(crate) fn rehearse(&mut self, begins: bool) {
        self.opening.rehearses = begins;
        let base = self.network.clock.base;
        self.network.interfaces.iter_mut().for_each(|interface| interface.rehearse(begins, &base));
    }

    fn check_failure(&self) -> Result<(), Failure> {
        self.failure.as_ref().map_or(Ok(()), |error| Err(within(error.clone())))
    }

    fn stop_on(&mut self, result: Result<(), Error>, observer: &mut dyn Observer) -> Result<(), Failure> {
        self.fail_on(result, observer).map_err(within)
    }

    /// All outputs as sampled last.
    pub(crate) fn outputs_outside(&self, values: &mut [f64]) {
        let all = self.network.interfaces.iter().flat_map(|interface| &interface.received.values);
        values.iter_mut().zip(all).for_each(|(value, own)| *value = *own);
    }

    /// Their derivatives.
    pub(crate) fn rates_outside(&self, rates: &mut [f64]) {
        let all = self.network.interfaces.iter().flat_map(|interface| &interface.rates);
        rates.iter_mut().zip(all).for_each(|(rate, own)| *rate = *own);
    }

    /// Lets the partners know which outputs feed others here or outside, by their places among all.
    pub(crate) fn watch_outside(&mut self, connected: &[usize]) {
        let Self { network, .. } = self;
        let mut first = 0;
        for i in 0..network.interfaces.len() {
            let count = network.interfaces[i].received.values.len();
            let here = network.interaction.relations().iter().filter(|relation| relation.source.0 == i);
            let outside = connected.iter().filter(|k| (first..first + count).contains(*k)).map(|k| k - first);
            let mut places: Vec<usize> = here.map(|relation| relation.source.1).chain(outside).collect();
            places.sort_unstable();
            places.dedup();
            network.interfaces[i].watch(places, &network.clock.base);
            first += count;
        }
    }

    /// Takes the flag of the run outside in place of its own.
    pub(crate) fn interrupt_by(&mut self, flag: &Arc<AtomicBool>) {
        let base = self.network.clock.base;
        self.network.interfaces.iter_mut().for_each(|interface| interface.interrupt_by(flag, &base));
    }
}

/// What stopped a run, for the one outside.
fn within(error: Error) -> Failure {
    match error {
        Error::Stopped(fault) => Failure::Within(fault),
        error => Failure::new(error.to_string()),
    }
}
