//! Valves with a pilot or a pressure compensator.

use crate::fluid::{Edge, ramp};
use fourbar_expression::Scalar;

/// Range over which the check valve in a counterbalance valve opens \[Pa\].
const CHECK_BAND: f64 = 1e5;
/// Half of the transition of a compensator, over its pressure difference.
const TRANSITION: f64 = 0.2;

/// The opening that two causes give, each of which is enough.
fn either<T: Scalar>(one: T, other: T, leak: f64) -> T {
    let closed = (-one + 1.0) * (-other + 1.0);
    (-closed + 1.0) * (1.0 - leak) + leak
}

/// Variables: p from, p to, p pilot.
#[derive(Debug, Clone)]
pub(crate) struct Counterbalance {
    pub(crate) edge: Edge,
    pub(crate) pressure: f64,
    pub(crate) ratio: f64,
    pub(crate) band: f64,
    /// Whether the outlet's pressure acts on the closing side.
    pub(crate) difference: bool,
    pub(crate) cracking: f64,
    pub(crate) leak: f64,
}

impl Counterbalance {
    pub(crate) fn flow<T: Scalar>(&self, from: T, to: T, pilot: T) -> T {
        let closing = if self.difference { to * (1.0 + self.ratio) } else { T::from(0.0) };
        let opened = ramp((from + pilot * self.ratio - closing - self.pressure) / self.band);
        let check = ramp((to - from - self.cracking) / CHECK_BAND);
        self.edge.flow(either(opened, check, self.leak), from - to)
    }
}

/// Variables: p from, p to, p pilot.
#[derive(Debug, Clone)]
pub(crate) struct PilotCheck {
    pub(crate) edge: Edge,
    pub(crate) ratio: f64,
    pub(crate) cracking: f64,
    pub(crate) band: f64,
    pub(crate) leak: f64,
}

impl PilotCheck {
    pub(crate) fn flow<T: Scalar>(&self, from: T, to: T, pilot: T) -> T {
        let dp = from - to;
        let check = ramp((dp - self.cracking) / self.band);
        let piloted = ramp(((pilot - from) * self.ratio + dp - self.cracking) / self.band);
        self.edge.flow(either(check, piloted, self.leak), dp)
    }
}

/// Variables: p from, p to, flow that is set.
#[derive(Debug, Clone)]
pub(crate) struct FlowControl {
    pub(crate) compensation: f64,
    pub(crate) laminar: f64,
}

impl FlowControl {
    pub(crate) fn flow<T: Scalar>(&self, dp: T, set: T) -> T {
        // The edge whose flow under the pressure difference of the compensator is 1.
        let size = self.compensation / self.compensation.hypot(self.laminar).sqrt();
        let edge = Edge { area: 1.0, gain: 1.0 / size, laminar: self.laminar };
        let set = if set.re() < 0.0 { T::from(0.0) } else { set };
        edge.flow(set, self.metered(dp))
    }

    /// The pressure difference over the metering edge.
    fn metered<T: Scalar>(&self, dp: T) -> T {
        let half = TRANSITION * self.compensation;
        let past = dp - (self.compensation - half);
        if past.re() <= 0.0 {
            dp
        } else if past.re() >= 2.0 * half {
            T::from(self.compensation)
        } else {
            dp - past * past / (4.0 * half)
        }
    }
}
