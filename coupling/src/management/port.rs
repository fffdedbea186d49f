//! Ports: an effort one way, a flow the other way, and the energy that the coupling makes or loses between them.
//!
//! Over a step the effort side delivers the power F_out v_in, the flow side receives F_in v_out. The inputs are continued, the outputs
//! true: the difference of the two energies is the error of the coupling (after Sadjina et al., "Energy conservation and power bonds in
//! co-simulations", Eng. Comput. 33 (2017) 607). Outputs are known at the communication points alone; between them they are taken as
//! cubics. One jump stays unseen: that of an output with feedthrough from an input that holds its new value (Gauss-Seidel of order
//! [`Order::Hold`](super::Order::Hold)).

use serde::{Deserialize, Serialize};

use super::connection::{Directory, unit, variable};
use super::network::Network;
use crate::Error;
use crate::function::interaction::Relation;
use crate::function::interface::Interface;
use crate::function::{Causality, Signal};
use fourbar_linalg::unit::Dimension;

/// A pair of connected outputs whose product is power.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Port {
    /// Name.
    pub name: String,
    /// Output with the effort (force, torque, pressure, voltage), "partner.variable".
    pub effort: String,
    /// Output with the flow (velocity, rate, volume flow, current), "partner.variable", of the partner that takes the effort.
    pub flow: String,
}

/// The energy account of a port.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct PortEnergy {
    /// Power that the flow side received at the last communication point \[W\].
    pub power: f64,
    /// Energy that the flow side received \[J\].
    pub received: f64,
    /// Energy that came through, whichever way: the sum of the absolute energies of all steps \[J\].
    pub turnover: f64,
    /// Energy received beyond what was delivered: made by the coupling, lost if negative \[J\].
    pub residual: f64,
    /// Sum of the absolute residuals of all steps \[J\].
    pub absolute_residual: f64,
    /// Energy below which the port is at rest \[J\].
    rest: f64,
}

/// One port at work: relations of effort and flow, and watts per product of their sources' units.
pub(super) struct Meter {
    name: String,
    effort: usize,
    flow: usize,
    watts: f64,
    energy: PortEnergy,
    /// A step not booked yet.
    step: Option<Taken>,
}

/// kg m^2/s^3.
const WATT: Dimension = [1, 2, -3, 0, 0, 0, 0, 0];

/// Part of the energy that a port received or delivered, and part of its turnover, beyond which what the coupling made is no small error.
const MADE: (f64, f64) = (0.25, 0.02);
/// Part of the energy that the largest effort and the largest flow would have brought through together all the time, below which a port
/// exchanges no energy to speak of: a machine at rest.
const REST: f64 = 1e-6;

impl PortEnergy {
    /// Whether the coupling itself drives or brakes the partners at this port: what it made is more than a quarter of what either side got,
    /// and no rest of energies that went to and fro. The values exchanged may then be anything: the coupling is unstable, or close to it.
    #[must_use]
    pub fn is_excessive(&self) -> bool {
        let (received, delivered) = (self.received, self.received - self.residual);
        let bound = (MADE.0 * received.abs().max(delivered.abs())).max(MADE.1 * self.turnover).max(self.rest);
        // A NaN is no sound balance either.
        !(self.residual.abs() <= bound)
    }
}

fourbar_linalg::stored!(struct PortEnergy { power, received, turnover, residual, absolute_residual });
fourbar_linalg::stored!(struct Taken { h, inputs, outputs });
fourbar_linalg::stored!(struct Meter { energy, step });

impl Meter {
    pub(super) fn new(
        port: &Port,
        interfaces: &[Interface],
        directory: &Directory<'_, Interface>,
        relations: &[Relation],
        every: &[u64],
    ) -> Result<Self, Error> {
        let place = format!("port \"{}\"", port.name);
        let refuse = |reason: String| Error::Port { port: port.name.clone(), reason };
        let effort = directory.find(&place, &port.effort, Causality::Output)?;
        let flow = directory.find(&place, &port.flow, Causality::Output)?;
        let unit_of = |end: (usize, usize)| unit(&interfaces[end.0], variable(interfaces, end, Causality::Output));
        let (a, b) = (unit_of(effort)?, unit_of(flow)?);
        let watts = a.factor * b.factor;
        let mut product: Dimension = std::array::from_fn(|k| a.dimension[k] + b.dimension[k]);
        // An angle in the flow (a torque with rad/s) is power as well.
        product[7] = 0;
        if product != WATT {
            let (effort, flow) = (&port.effort, &port.flow);
            return Err(refuse(format!("\"{effort}\" times \"{flow}\" is no power; name an effort and its flow")));
        }
        let way = |from: (usize, usize), to: usize| relations.iter().position(|r| r.source == from && r.target.0 == to);
        let (Some(effort_way), Some(flow_way)) = (way(effort, flow.0), way(flow, effort.0)) else {
            return Err(refuse("effort and flow must each be connected to the partner of the other".into()));
        };
        if every[effort.0] != every[flow.0] {
            return Err(refuse("its partners have different communication steps; give them the same".into()));
        }
        let (name, energy) = (port.name.clone(), PortEnergy::default());
        Ok(Self { name, effort: effort_way, flow: flow_way, watts, energy, step: None })
    }

    /// Its name.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The energy account.
    pub(super) fn energy(&self, network: &Network) -> PortEnergy {
        // Sizes in the units of the targets, the power in those of the sources.
        let size = |r: usize| network.scales.of(r) / network.interaction.relations()[r].gain.abs();
        let time = network.clock.time() - network.clock.base.start;
        let rest = REST * self.watts * size(self.effort) * size(self.flow) * time;
        PortEnergy { rest, ..self.energy }
    }

    /// Notes what it took and gave over the step to the target, before feedthrough overwrites it.
    pub(super) fn take(&mut self, network: &Network) {
        let ways = [self.effort, self.flow];
        let target = network.interaction.relations()[ways[0]].target.0;
        let due = network.clock.is_due(target, network.target);
        self.step = due.then(|| Taken {
            h: (network.target - network.interfaces[target].sent.stamp) as f64 * network.clock.base.tick,
            inputs: ways.map(|r| {
                let relation = &network.interaction.relations()[r];
                in_source_unit(network.interfaces[relation.target.0].sent.values[relation.target.1], relation)
            }),
            outputs: ways.map(|r| {
                let relation = &network.interaction.relations()[r];
                network.interfaces[relation.source.0].received.values[relation.source.1]
            }),
        });
    }

    /// Books the energies of an accepted step, before its values pass.
    pub(super) fn book(&mut self, network: &Network) {
        let Some(step) = self.step.take() else { return };
        let (watts, [effort, flow]) = (self.watts, step.inputs);
        let given_effort = given(network, self.effort, step.outputs[0], step.h);
        let given_flow = given(network, self.flow, step.outputs[1], step.h);
        let (mut received, mut delivered) = (0.0, 0.0);
        for (k, (node, weight)) in GAUSS.into_iter().enumerate() {
            let (s, factor) = (node * step.h, weight * step.h * watts);
            received += factor * effort.at(s) * given_flow[k];
            delivered += factor * given_effort[k] * flow.at(s);
        }
        let energy = &mut self.energy;
        energy.power = watts * effort.at(step.h) * step.outputs[1];
        energy.received += received;
        energy.turnover += received.abs();
        energy.residual += received - delivered;
        energy.absolute_residual += (received - delivered).abs();
    }
}

/// Nodes and weights of Gauss and Legendre on 0..1: exact for the product of a parabola and a cubic.
const GAUSS: [(f64, f64); 3] =
    [(0.112_701_665_379_258_31, 5.0 / 18.0), (0.5, 4.0 / 9.0), (0.887_298_334_620_741_7, 5.0 / 18.0)];

/// What is known of a step before the exchange brings the feedthrough up to date.
#[derive(Default)]
struct Taken {
    /// Length \[s\].
    h: f64,
    /// The inputs that were sent: effort and flow.
    inputs: [Signal; 2],
    /// The outputs as sampled at the end, with the inputs of the step.
    outputs: [f64; 2],
}

/// What the source of relation r gave at the nodes of a step at whose end `sampled` was read: the cubic through its exchanged
/// values, and what feedthrough from extrapolated inputs adds to it.
fn given(network: &Network, r: usize, sampled: f64, h: f64) -> [f64; 3] {
    let relation = &network.interaction.relations()[r];
    let value = network.interaction.offered(&network.interfaces, r);
    let (history, tick) = (network.interaction.history(r), network.clock.base.tick);
    let smooth = GAUSS.map(|(node, _)| {
        let value = history.cubic(network.target, value, (node - 1.0) * h, tick);
        (value - relation.offset) / relation.gain
    });
    let deviation = sampled - network.interfaces[relation.source.0].received.values[relation.source.1];
    let order = network.interaction.order[relation.source.0];
    // The remainder of Newton's interpolation of order p: s (s + h) .. (s + p h).
    let shape = |node: f64| (0..=order).map(|j| (node + j as f64) / (1.0 + j as f64)).product::<f64>();
    std::array::from_fn(|k| smooth[k] + deviation * shape(GAUSS[k].0))
}

fn in_source_unit(signal: Signal, relation: &Relation) -> Signal {
    signal.scaled(1.0 / relation.gain, -relation.offset / relation.gain)
}
