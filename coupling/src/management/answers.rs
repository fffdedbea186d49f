//! What a master is asked between two steps, and the inputs that it is given.

use super::clock::Clock;
use super::connection::{find, variable};
use super::discrete::variability;
use super::estimate::ErrorEstimate;
use super::master::Master;
use super::observer::RunState;
use super::pacer::Pacer;
use super::pacing::PacingStatistics;
use super::port::PortEnergy;
use super::statistics::{PartnerCost, Statistics};
use crate::Error;
use crate::function::{Causality, Variability};

impl Master {
    /// Where the run stands.
    #[must_use]
    pub fn state(&self) -> RunState {
        self.state
    }

    /// The common time.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.network.clock
    }

    /// What the run has cost so far.
    #[must_use]
    pub fn statistics(&self) -> &Statistics {
        &self.network.statistics
    }

    /// How well the wall clock is kept; None without pacing.
    #[must_use]
    pub fn pacing(&self) -> Option<PacingStatistics> {
        self.pacer.as_ref().map(Pacer::statistics)
    }

    /// The estimated error of the results for which the inputs continued over the communication steps are the cause; None before the first
    /// step, and without connections.
    #[must_use]
    pub fn error_estimate(&self) -> Option<ErrorEstimate> {
        self.estimate.result(&self.network)
    }

    /// What the partners have to say of the run so far ([`Simulator::warnings`](crate::Simulator::warnings)), each with the name of its partner.
    pub fn warnings(&mut self) -> Vec<String> {
        let base = self.network.clock.base;
        let told = self.network.interfaces.iter_mut().flat_map(|interface| {
            let told = interface.warnings(&base);
            told.into_iter().map(|text| format!("simulator \"{}\": {text}", interface.name())).collect::<Vec<_>>()
        });
        told.collect()
    }

    /// What the steps of each partner have cost so far, in the order in which partners were given.
    pub fn partner_costs(&mut self) -> Vec<PartnerCost> {
        let base = self.network.clock.base;
        let costs = self.network.interfaces.iter_mut().map(|interface| {
            let (solver, seconds) = interface.spent(&base);
            PartnerCost { name: interface.name().to_owned(), solver, seconds }
        });
        costs.collect()
    }

    /// The algebraic loops found at set-up: the outputs along each, by name.
    #[must_use]
    pub fn algebraic_loops(&self) -> &[Vec<String>] {
        self.feedthrough.loops()
    }

    /// Partners in the order of stepping.
    pub fn sequence(&self) -> impl Iterator<Item = &str> {
        self.stepping.sequence().iter().map(|&i| self.network.interfaces[i].name())
    }

    /// The value of an output, "partner.variable", as sampled last \[its unit\].
    ///
    /// # Errors
    /// [`Error::End`], [`Error::UnknownPartner`], [`Error::UnknownVariable`].
    pub fn output(&self, name: &str) -> Result<f64, Error> {
        self.network.output(name)
    }

    /// Sets an input that no output feeds \[its unit\]: it holds from the next communication step on, before the start from the initial
    /// exchange on.
    ///
    /// # Errors
    /// As [`Master::output`]; [`Error::TwoSources`] if a connection feeds it, [`Error::Value`] if it is not finite.
    pub fn set_input(&mut self, name: &str, value: f64) -> Result<(), Error> {
        let partner = self.network.set_input(name, value)?;
        self.note_input(partner);
        Ok(())
    }

    /// Tells what passed to an input before the start: values \[its unit\] at the communication points `before` steps before it, the
    /// farthest first. Extrapolation then has its full order from the first step on.
    ///
    /// # Errors
    /// As [`Master::output`]; [`Error::Value`] if a value is not finite, if the numbers of steps do not fall or are 0, if no
    /// connection feeds the input, or if the run has begun.
    pub fn set_past(&mut self, name: &str, past: &[(u32, f64)]) -> Result<(), Error> {
        self.network.set_past(name, past, self.state == RunState::Initialised)
    }

    /// All outputs as "partner.output", partner by partner.
    #[must_use]
    pub fn output_names(&self) -> Vec<String> {
        self.network.view().output_names()
    }

    /// All inputs as "partner.input", partner by partner.
    #[must_use]
    pub fn input_names(&self) -> Vec<String> {
        self.network.view().input_names()
    }

    /// The units of all outputs, in the order of [`Master::output_names`].
    #[must_use]
    pub fn output_units(&self) -> Vec<String> {
        self.network.view().output_units()
    }

    /// The units of all inputs, in the order of [`Master::input_names`].
    #[must_use]
    pub fn input_units(&self) -> Vec<String> {
        self.network.view().input_units()
    }

    /// The unit of an input or output, "partner.variable".
    ///
    /// # Errors
    /// As [`Master::output`].
    pub fn unit(&self, name: &str) -> Result<&str, Error> {
        self.network.variable(name).map(|variable| variable.unit.as_str())
    }

    /// Whether steps end at events: they were to, and some partner returns at its events or knows them beforehand.
    #[must_use]
    pub fn ends_at_events(&self) -> bool {
        self.network.events.is_some()
    }

    /// Which outputs jump and are constant between jumps, in the order of [`Master::output_names`].
    #[must_use]
    pub fn discrete_outputs(&self) -> Vec<bool> {
        let (interfaces, relations) = (&self.network.interfaces, self.network.interaction.relations());
        let ends =
            interfaces.iter().enumerate().flat_map(|(i, own)| (0..own.received.values.len()).map(move |k| (i, k)));
        ends.map(|end| variability(interfaces, relations, end) == Variability::Discrete).collect()
    }

    /// The start value of an input, "partner.variable", in its unit.
    ///
    /// # Errors
    /// As [`Master::output`].
    pub fn input_start(&self, name: &str) -> Result<f64, Error> {
        let (i, k) = find(&self.network.interfaces, "input", name, Causality::Input)?;
        Ok(variable(&self.network.interfaces, (i, k), Causality::Input).start)
    }

    /// The energy account of a port; None if there is no port of this name.
    #[must_use]
    pub fn port(&self, name: &str) -> Option<PortEnergy> {
        let port = self.ports.iter().find(|port| port.name() == name)?;
        Some(port.energy(&self.network))
    }
}
