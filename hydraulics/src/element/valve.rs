//! Check, relief, reducing and spool valves.

use super::{Response, VARIABLES};
use crate::fluid::{Edge, ramp, smooth_positive};
use fourbar_expression::Scalar;

#[derive(Debug, Clone)]
pub(crate) struct Check {
    pub(crate) edge: Edge,
    pub(crate) cracking: f64,
    pub(crate) band: f64,
    pub(crate) leak: f64,
}

impl Check {
    pub(crate) fn flow<T: Scalar>(&self, dp: T) -> T {
        let opening = ramp((dp - self.cracking) / self.band) * (1.0 - self.leak) + self.leak;
        self.edge.flow(opening, dp)
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Relief {
    pub(crate) pressure: f64,
    pub(crate) slope: f64,
    pub(crate) band: f64,
    /// Whether the outlet's pressure acts on the closing side.
    pub(crate) difference: bool,
}

impl Relief {
    pub(crate) fn flow<T: Scalar>(&self, inlet: T, outlet: T) -> T {
        let dp = inlet - outlet;
        let sensed = if self.difference { dp } else { inlet };
        // The rounded characteristic never ends, and what the inlet senses says nothing of the outlet: without a fall of pressure nothing flows.
        let downhill = ramp(dp / self.band.min(self.pressure));
        smooth_positive(sensed - self.pressure, self.band) * downhill * self.slope
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Reducing {
    pub(crate) edge: Edge,
    pub(crate) pressure: f64,
    pub(crate) band: f64,
    pub(crate) leak: f64,
    /// Whether it has a third port.
    pub(crate) drains: bool,
}

impl Reducing {
    /// Variables: p from, p to, and p drain if it has one.
    pub(crate) fn respond<T: Scalar>(&self, x: &[T; VARIABLES], out: &mut Response<T>) {
        let [inlet, outlet, drain, ..] = *x;
        let past = (outlet - self.pressure) / self.band;
        let leaking = |share: T| share * (1.0 - self.leak) + self.leak;
        out.pass(self.edge.flow(leaking(-ramp(past + 1.0) + 1.0), inlet - outlet));
        if self.drains {
            let drained = self.edge.flow(leaking(ramp(past)), outlet - drain);
            out.flow[1] -= drained;
            out.flow[2] = drained;
            out.observed[1] = drained;
        }
    }
}

/// Variables: p supply, p tank, p A, p B, spool position s, spool velocity, command.
#[derive(Debug, Clone)]
pub(crate) struct Spool {
    pub(crate) edge: Edge,
    pub(crate) frequency: f64,
    pub(crate) damping: f64,
    pub(crate) limit: Option<f64>,
    /// Travel before the edges supply-A and supply-B open.
    pub(crate) supply_overlap: f64,
    /// Travel before the edges A-tank and B-tank open.
    pub(crate) tank_overlap: f64,
    /// Opening from supply to tank at the centre.
    pub(crate) bypass: Option<f64>,
    /// eps.
    pub(crate) rounding: f64,
}

impl Spool {
    pub(crate) fn respond<T: Scalar>(&self, x: &[T; VARIABLES], out: &mut Response<T>) {
        let [supply, tank, a, b, s, velocity, command, _] = *x;
        let open = |travel: T, overlap: f64| smooth_positive(travel - overlap, self.rounding);
        let edge = &self.edge;
        let supply_a = edge.flow(open(s, self.supply_overlap), supply - a);
        let supply_b = edge.flow(open(-s, self.supply_overlap), supply - b);
        let a_tank = edge.flow(open(-s, self.tank_overlap), a - tank);
        let b_tank = edge.flow(open(s, self.tank_overlap), b - tank);
        let mut past = T::from(0.0);
        if let Some(center) = self.bypass {
            let travel = (s * s + self.rounding * self.rounding).sqrt();
            past = edge.flow(open(-travel, -center), supply - tank);
        }
        out.flow = [-supply_a - supply_b - past, a_tank + b_tank + past, supply_a - a_tank, supply_b - b_tank];
        out.observed = [out.flow[2], out.flow[3]];
        out.rate[0] = velocity;
        let w = self.frequency;
        out.rate[1] = (self.limited(command) - s) * (w * w) - velocity * (2.0 * self.damping * w);
    }

    fn limited<T: Scalar>(&self, command: T) -> T {
        match self.limit {
            Some(limit) if command.re() > limit => T::from(limit),
            Some(limit) if command.re() < -limit => T::from(-limit),
            _ => command,
        }
    }
}
