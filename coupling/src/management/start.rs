//! The start (FMI 2.0, section 2.1.6; FMI 3.0, section 2.3.3; SSP 1.0, section 4.5): inputs that nothing feeds have their values, then outputs follow
//! inputs until nothing changes. Only then the first row is shown, and the first step begins.
//!
//! At the start more follows inputs than later: the steady state of a circuit, an FMU in its initialization, a run within this one. Who follows whom is
//! found out by asking: whoever has got other inputs answers anew.

use super::dependency::Dependencies;
use super::exchange::{Feedthrough, LOOP_TOLERANCE};
use super::network::Network;
use super::newton::{self, Found};
use super::observer::Observer;
use super::recovery::Request;
use crate::Error;
use crate::function::Fault;

/// Rounds over all partners beside one for each: what takes longer is a loop that does not converge by repetition.
const ROUNDS: usize = 10;

/// What is known during the start.
#[derive(Default)]
pub(super) struct Start {
    /// The feedthrough at the start, where that of the run is another one.
    feedthrough: Option<Feedthrough>,
    /// Of each partner the inputs that it was told last; none before that.
    told: Vec<Vec<f64>>,
    /// Relations that changed in the last round.
    moving: Vec<usize>,
}

/// The feedthrough at the start.
fn active<'a>(start: &'a mut Option<Feedthrough>, own: &'a mut Feedthrough) -> &'a mut Feedthrough {
    match start {
        Some(start) => start,
        None => own,
    }
}

impl Start {
    /// Of a run whose own feedthrough waits for the next point: at the start it does not.
    pub(super) fn of_delayed(dependencies: Dependencies) -> Self {
        Self { feedthrough: Some(Feedthrough::new(dependencies).lenient()), ..Self::default() }
    }

    /// Samples what depends on no connected input, then lets outputs follow inputs until nothing changes. Partners with an input that was `preset` by
    /// hand are told first.
    pub(super) fn begin(
        &mut self,
        network: &mut Network,
        own: &mut Feedthrough,
        preset: &[usize],
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        self.told = vec![Vec::new(); network.interfaces.len()];
        for i in 0..network.interfaces.len() {
            let feedthrough = self.feedthrough.as_ref().unwrap_or(&*own);
            if feedthrough.is_independent(i) {
                let told = preset.contains(&i) || network.has_open_input(i);
                let (interface, base) = (&mut network.interfaces[i], &network.clock.base);
                let (request, result) = match told {
                    true => (Request::Respond, interface.respond(base, 0)),
                    false => (Request::Sample, interface.sample(base, 0)),
                };
                network.caught((i, 0, request), result, observer)?;
            }
        }
        active(&mut self.feedthrough, own).settle_start(network, observer)?;
        self.agree(network, own, observer)
    }

    /// Lets outputs follow inputs until nothing changes.
    pub(super) fn agree(
        &mut self,
        network: &mut Network,
        own: &mut Feedthrough,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        self.told.resize(network.interfaces.len(), Vec::new());
        // What repetition that diverges has come to is no size of the run.
        let sizes = network.scales.clone();
        let agreed = self.repeat(network, own, observer);
        network.scales = sizes;
        if agreed? { Ok(()) } else { self.solve(network, own, observer) }
    }

    /// Tells partners until nothing changes; false if it goes on changing.
    fn repeat(
        &mut self,
        network: &mut Network,
        own: &mut Feedthrough,
        observer: &mut dyn Observer,
    ) -> Result<bool, Error> {
        for _ in 0..network.interfaces.len() + ROUNDS {
            self.see(network);
            self.tell(network, &[], &[], observer)?;
            if self.moving.is_empty() {
                return Ok(true);
            }
            active(&mut self.feedthrough, own).settle(network, 0, observer)?;
        }
        Ok(false)
    }

    /// Takes the values that are there as sizes of what is exchanged.
    fn see(&self, network: &mut Network) {
        for r in 0..network.interaction.relations().len() {
            let value = network.interaction.offered(&network.interfaces, r);
            network.scales.see(r, value);
        }
    }

    /// Tells all partners whose inputs have changed, and notes what changes by it. The relations `unknown` bring the values `guess`; false where a value
    /// is no number then.
    fn tell(
        &mut self,
        network: &mut Network,
        unknown: &[usize],
        guess: &[f64],
        observer: &mut dyn Observer,
    ) -> Result<bool, Error> {
        self.moving.clear();
        let base = network.clock.base;
        for i in 0..network.interfaces.len() {
            let known = |r: usize| unknown.iter().position(|&own| own == r).map(|k| guess[k]);
            network.interaction.assign(&mut network.interfaces, i, 0, &base, known);
            let interface = &mut network.interfaces[i];
            let same =
                |told: &Vec<f64>| told.iter().copied().eq(interface.sent.values.iter().map(|signal| signal.value));
            if interface.sent.values.is_empty() || interface.is_waiting() || same(&self.told[i]) {
                continue;
            }
            self.told[i].clear();
            self.told[i].extend(interface.sent.values.iter().map(|signal| signal.value));
            let before = interface.received.values.clone();
            match interface.respond(&base, 0) {
                Err(fault) if !unknown.is_empty() && fault.is_no_number() => {
                    self.told[i].clear();
                    return Ok(false);
                }
                result => network.caught((i, 0, Request::Respond), result, observer)?,
            }
            self.note_changes(network, i, &before);
        }
        Ok(true)
    }

    /// Notes the relations by which partner i, whose outputs were these, now brings something else.
    fn note_changes(&mut self, network: &Network, i: usize, before: &[f64]) {
        let now = &network.interfaces[i].received.values;
        if before == now.as_slice() {
            return;
        }
        for (r, relation) in network.interaction.relations().iter().enumerate() {
            let (source, k) = relation.source;
            let change = if source == i { relation.gain * (now[k] - before[k]) } else { 0.0 };
            if network.scales.relative(r, change, relation.gain * now[k.min(now.len() - 1)]) > LOOP_TOLERANCE {
                self.moving.push(r);
            }
        }
    }

    /// Seeks the values that go on changing by Newton's method.
    #[cold]
    fn solve(
        &mut self,
        network: &mut Network,
        own: &mut Feedthrough,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        let unknown = std::mem::take(&mut self.moving);
        let mut x: Vec<f64> = unknown.iter().map(|&r| network.stated(r)).collect();
        let sizes: Vec<f64> = unknown.iter().map(|&r| network.scales.of(r)).collect();
        let found = newton::solve(&mut x, &sizes, LOOP_TOLERANCE, |x, image| {
            if !self.tell(network, &unknown, x, observer)? {
                return Ok(false);
            }
            for (image, &r) in image.iter_mut().zip(&unknown) {
                *image = network.interaction.offered(&network.interfaces, r);
            }
            Ok(true)
        })?;
        let lenient = self.feedthrough.is_some();
        match found {
            Found::Nothing { residual, evaluations } if !lenient => {
                let connections = unknown.iter().map(|&r| network.connection_name(r)).collect();
                let (time, tolerance) = (network.clock.base.time(0), LOOP_TOLERANCE);
                let fault = Fault::AlgebraicLoop { time, connections, evaluations, residual, tolerance, initial: true };
                network.caught_by_run(fault, observer)
            }
            _ => active(&mut self.feedthrough, own).settle(network, 0, observer),
        }
    }
}
