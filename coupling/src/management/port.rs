//! Ports: an effort one way, a flow the other way, and the energy that the coupling makes or loses between them.
//!
//! Over a step the effort side delivers the power F_out v_in, the flow side receives F_in v_out. The inputs are continued, the outputs
//! true: the difference of the two energies is the error of the coupling, the measure of Sadjina et al., "Energy conservation and power
//! bonds in co-simulations", Eng. Comput. 33 (2017) 607, equation (10).

use serde::{Deserialize, Serialize};

use super::connection::{find, unit, variable};
use super::master::Master;
use crate::Error;
use crate::error::finite;
use crate::function::interaction::Relation;
use crate::function::interface::Interface;
use crate::function::{Causality, Signal};
use crate::unit::Unit;

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
    /// Energy received beyond what was delivered: made by the coupling, lost if negative \[J\].
    pub residual: f64,
    /// Sum of the absolute residuals of all steps \[J\].
    pub absolute_residual: f64,
}

/// One port at work: relations of effort and flow, and watts per product of their sources' units.
pub(super) struct Meter {
    pub(super) name: String,
    effort: usize,
    flow: usize,
    watts: f64,
    pub(super) energy: PortEnergy,
    /// Power, energy received and energy delivered of a step not booked yet.
    step: Option<(f64, f64, f64)>,
}

impl Meter {
    pub(super) fn new(
        port: &Port,
        interfaces: &[Interface],
        relations: &[Relation],
        every: &[u64],
    ) -> Result<Self, Error> {
        let place = format!("port \"{}\"", port.name);
        let refuse = |reason: String| Error::Port { port: port.name.clone(), reason };
        let effort = find(interfaces, &place, &port.effort, Causality::Output)?;
        let flow = find(interfaces, &place, &port.flow, Causality::Output)?;
        let units = [effort, flow].map(|end| unit(&interfaces[end.0], variable(interfaces, end, Causality::Output)));
        let [a, b] = units;
        let (a, b) = (a?, b?);
        let watt = Unit {
            factor: a.factor * b.factor,
            offset: 0.0,
            dimension: std::array::from_fn(|k| a.dimension[k] + b.dimension[k]),
        };
        // An angle in the flow (a torque with rad/s) is power as well.
        let mut product = watt.dimension;
        product[7] = 0;
        if product != [1, 2, -3, 0, 0, 0, 0, 0] {
            return Err(refuse(format!(
                "\"{}\" times \"{}\" is no power; name an effort and its flow",
                port.effort, port.flow
            )));
        }
        let way = |from: (usize, usize), to: usize| relations.iter().position(|r| r.source == from && r.target.0 == to);
        let (Some(effort_way), Some(flow_way)) = (way(effort, flow.0), way(flow, effort.0)) else {
            return Err(refuse("effort and flow must each be connected to the partner of the other".into()));
        };
        if every[effort.0] != every[flow.0] {
            return Err(refuse("its partners have different communication steps; give them the same".into()));
        }
        finite(place, watt.factor)?;
        Ok(Self {
            name: port.name.clone(),
            effort: effort_way,
            flow: flow_way,
            watts: watt.factor,
            energy: PortEnergy::default(),
            step: None,
        })
    }
}

/// Nodes and weights of Gauss and Legendre on 0..1: exact for the product of two parabolas.
const GAUSS: [(f64, f64); 3] =
    [(0.112_701_665_379_258_31, 5.0 / 18.0), (0.5, 4.0 / 9.0), (0.887_298_334_620_741_7, 5.0 / 18.0)];

impl Master {
    /// The energies of the step to the target, before feedthrough overwrites what was sent.
    pub(super) fn account(&mut self) {
        for k in 0..self.ports.len() {
            let (effort, flow, watts) = (self.ports[k].effort, self.ports[k].flow, self.ports[k].watts);
            let target = self.interaction.relations()[effort].target.0;
            self.ports[k].step = None;
            if !self.clock.is_due(target, self.target) {
                continue;
            }
            let h = (self.target - self.interfaces[target].sent.stamp) as f64 * self.clock.base.tick;
            let (given_effort, taken_effort) = (self.given(effort), self.taken(effort));
            let (given_flow, taken_flow) = (self.given(flow), self.taken(flow));
            let (mut received, mut delivered) = (0.0, 0.0);
            for (node, weight) in GAUSS {
                let s = node * h;
                received += weight * h * watts * taken_effort.at(s) * given_flow.at(s);
                delivered += weight * h * watts * given_effort.at(s) * taken_flow.at(s);
            }
            self.ports[k].step = Some((watts * taken_effort.at(h) * given_flow.at(h), received, delivered));
        }
    }

    /// Books the energies of an accepted step.
    pub(super) fn book(&mut self) {
        for port in &mut self.ports {
            let Some((power, received, delivered)) = port.step.take() else { continue };
            let residual = received - delivered;
            port.energy.power = power;
            port.energy.received += received;
            port.energy.residual += residual;
            port.energy.absolute_residual += residual.abs();
        }
    }

    /// What the target of a relation took over the step, in the unit of the source.
    fn taken(&self, r: usize) -> Signal {
        let relation = &self.interaction.relations()[r];
        let signal = self.interfaces[relation.target.0].sent.values[relation.target.1];
        signal.scaled(1.0 / relation.gain, -relation.offset / relation.gain)
    }

    /// What the source of a relation gave over the step: a parabola through its values, in its unit.
    fn given(&self, r: usize) -> Signal {
        let relation = &self.interaction.relations()[r];
        let stamp = self.interaction.history(r).stamp();
        let value = self.interaction.offered(&self.interfaces, r);
        let history = self.interaction.history(r);
        let signal = history.interpolation(2, self.target, value, stamp, self.clock.base.tick);
        signal.scaled(1.0 / relation.gain, -relation.offset / relation.gain)
    }
}
