//! All partners from one communication point to the next, once: the patent's loop, Jacobi, Gauss-Seidel.

use super::iteration::Unknowns;
use super::network::Network;
use super::observer::Observer;
use super::options::Algorithm;
use crate::Error;

/// How partners are stepped, resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Plan {
    JacobiDelayed,
    Jacobi,
    GaussSeidel,
    Iterated,
}

/// The way from one communication point to the next.
pub(super) struct Stepping {
    plan: Plan,
    /// Order of stepping.
    sequence: Vec<usize>,
    iteration: Unknowns,
    /// Whether states are saved before each step.
    saves: bool,
    /// Partners that step on threads of their own at present; room for all.
    under_way: Vec<usize>,
}

fourbar_linalg::stored!(struct Stepping { iteration });

impl Stepping {
    /// By `algorithm`, partners in the order `sequence`; whether their states are saved before each step.
    pub(super) fn new(algorithm: &Algorithm, sequence: Vec<usize>, iteration: Unknowns, saves: bool) -> Self {
        let plan = match algorithm {
            Algorithm::JacobiDelayed => Plan::JacobiDelayed,
            Algorithm::Jacobi { .. } => Plan::Jacobi,
            Algorithm::GaussSeidel { .. } => Plan::GaussSeidel,
            Algorithm::Iterated { .. } => Plan::Iterated,
        };
        Self { plan, under_way: Vec::with_capacity(sequence.len()), sequence, iteration, saves }
    }

    /// Whether inputs are continued over a step from what is known at its begin.
    pub(super) fn continues(&self) -> bool {
        matches!(self.plan, Plan::Jacobi | Plan::GaussSeidel)
    }

    /// Whether states are saved before each step.
    pub(super) fn saves(&self) -> bool {
        self.saves
    }

    /// Whether partners step one after the other.
    pub(super) fn is_one_by_one(&self) -> bool {
        self.plan == Plan::GaussSeidel
    }

    /// Partners in the order of stepping.
    pub(super) fn sequence(&self) -> &[usize] {
        &self.sequence
    }

    /// Saves the states from which the first step begins, where steps are repeated.
    pub(super) fn begin(&self, network: &mut Network, observer: &mut dyn Observer) -> Result<(), Error> {
        if self.saves { network.save_all(observer) } else { Ok(()) }
    }

    /// Steps every partner that is due at the target.
    #[inline]
    pub(super) fn advance(&mut self, network: &mut Network, observer: &mut dyn Observer) -> Result<(), Error> {
        self.begin(network, observer)?;
        match self.plan {
            Plan::JacobiDelayed | Plan::Jacobi => self.side_by_side(network, observer),
            Plan::GaussSeidel => self.one_by_one(network, observer),
            Plan::Iterated => self.iteration.iterate(network, &self.sequence, observer),
        }
    }

    /// All at the same time, from what is known at the beginning. Partners on threads step while others are started.
    #[inline]
    fn side_by_side(&mut self, network: &mut Network, observer: &mut dyn Observer) -> Result<(), Error> {
        let events = network.events.is_some();
        if events {
            network.step_early(observer)?;
        }
        let leg = network.leg();
        self.under_way.clear();
        for i in 0..network.interfaces.len() {
            if events && network.is_there(i) {
                continue;
            }
            if network.clock.is_due(i, network.target) && network.ready(i, observer)? {
                let interface = &mut network.interfaces[i];
                network.interaction.extrapolate(interface, i, &network.clock.base);
                match interface.start(&leg) {
                    Ok(true) => {}
                    Ok(false) => self.under_way.push(i),
                    Err(fault) => network.not_stepped(i, fault, observer)?,
                }
            }
        }
        for k in 0..self.under_way.len() {
            network.collect(self.under_way[k], observer)?;
        }
        Ok(())
    }

    /// One after the other, from the newest that is known.
    fn one_by_one(&self, network: &mut Network, observer: &mut dyn Observer) -> Result<(), Error> {
        let events = network.events.is_some();
        let mut leg = network.leg();
        let mut k = 0;
        while k < self.sequence.len() {
            let i = self.sequence[k];
            k += 1;
            if events && network.is_there(i) {
                continue;
            }
            if network.clock.is_due(i, network.target) && network.ready(i, observer)? {
                network.prepare(i, |_| None);
                if network.start(i, &leg, observer)? {
                    network.collect(i, observer)?;
                }
                if events && network.shortened_by(i) {
                    // Who steps again meets what was known then.
                    network.take_back(true, observer)?;
                    (leg, k) = (network.leg(), 0);
                }
            }
        }
        Ok(())
    }
}
