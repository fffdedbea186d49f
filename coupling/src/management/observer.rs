//! What the management layer tells the application, while the run goes on (R7, R12, R13, R39).

use super::faults::Report;
use crate::function::interaction::Interaction;
use crate::function::interface::Interface;
use crate::function::{Causality, Packet, Signal};

/// Where a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum RunState {
    /// Set up, nothing exchanged yet.
    Initialised,
    /// Stepping.
    Running,
    /// Between two communication points at the wish of an observer; the next step goes on.
    Paused,
    /// Stopped by a fault.
    Failed,
    /// At its end time.
    Finished,
}

/// The answer of an observer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proceed {
    /// Go on.
    Continue,
    /// Return to the caller after this communication point.
    Pause,
}

/// Whoever wants to see a run: recorder, plot, live page. A recorder outlives a run that was stopped.
pub trait Observer {
    /// The run changed its state at this time \[s\].
    fn state(&mut self, _state: RunState, _time: f64) {}

    /// Values were exchanged at a communication point, the initial one included.
    fn exchanged(&mut self, _view: &View<'_>) -> Proceed {
        Proceed::Continue
    }

    /// A fault was caught and handled.
    fn fault(&mut self, _report: &Report<'_>) {}
}

/// Nobody.
impl Observer for () {}

/// The values of a communication point.
pub struct View<'a> {
    pub(super) time: f64,
    pub(super) stamp: u64,
    pub(super) interfaces: &'a [Interface],
    pub(super) interaction: &'a Interaction,
}

impl View<'_> {
    /// Time \[s\].
    #[must_use]
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Time in ticks of the clock.
    #[must_use]
    pub fn stamp(&self) -> u64 {
        self.stamp
    }

    /// Number of partners.
    #[must_use]
    pub fn partners(&self) -> usize {
        self.interfaces.len()
    }

    /// Name of partner `i`, in the order they were given; None beyond the last.
    #[must_use]
    pub fn name(&self, i: usize) -> Option<&str> {
        self.interfaces.get(i).map(Interface::name)
    }

    /// All outputs as "partner.output", partner by partner.
    #[must_use]
    pub fn output_names(&self) -> Vec<String> {
        self.names(Causality::Output)
    }

    /// All inputs as "partner.input", partner by partner.
    #[must_use]
    pub fn input_names(&self) -> Vec<String> {
        self.names(Causality::Input)
    }

    fn names(&self, causality: Causality) -> Vec<String> {
        let of = |interface: &Interface| -> Vec<String> {
            let variables = interface.description().with(causality);
            variables.map(|variable| format!("{}.{}", interface.name(), variable.name)).collect()
        };
        self.interfaces.iter().flat_map(of).collect()
    }

    /// The units of all outputs, in the order of [`View::output_names`].
    #[must_use]
    pub fn output_units(&self) -> Vec<String> {
        self.units(Causality::Output)
    }

    /// The units of all inputs, in the order of [`View::input_names`].
    #[must_use]
    pub fn input_units(&self) -> Vec<String> {
        self.units(Causality::Input)
    }

    fn units(&self, causality: Causality) -> Vec<String> {
        let variables = self.interfaces.iter().flat_map(|interface| interface.description().with(causality));
        variables.map(|variable| variable.unit.clone()).collect()
    }

    /// The values of all inputs at this point, after unit, gain and offset, in the order of [`View::input_names`]: those that passed, and of
    /// inputs that no output feeds those that were set.
    pub fn inputs(&self) -> impl Iterator<Item = f64> {
        self.interfaces.iter().enumerate().flat_map(move |(i, interface)| {
            interface.sent.values.iter().enumerate().map(move |(k, signal)| {
                let fed = self.interaction.of_target(i).find(|&r| self.interaction.relations()[r].target.1 == k);
                fed.map_or(signal.value, |r| self.interaction.history(r).newest())
            })
        })
    }

    /// What was sampled from partner `i`.
    #[must_use]
    pub fn received(&self, i: usize) -> Option<&Packet<f64>> {
        self.interfaces.get(i).map(|interface| &interface.received)
    }

    /// What was written to partner `i` last.
    #[must_use]
    pub fn sent(&self, i: usize) -> Option<&Packet<Signal>> {
        self.interfaces.get(i).map(|interface| &interface.sent)
    }
}
