//! Pumps, accumulators and lines.

use super::{EfficiencyMap, Response, VARIABLES};
use crate::fluid::{Edge, ramp};
use fourbar_expression::Scalar;

/// Variables of a pump of constant displacement: p from, p to, speed; of a variable one: p from, p to, setting, speed, setting wanted.
#[derive(Debug, Clone)]
pub(crate) struct Pump {
    pub(crate) displacement: f64,
    pub(crate) leakage: f64,
    pub(crate) efficiency: Option<EfficiencyMap>,
    pub(crate) adjustment: Option<Adjustment>,
}

/// How the displacement follows its command.
#[derive(Debug, Clone)]
pub(crate) struct Adjustment {
    pub(crate) time_constant: f64,
    /// Pressure at which the pump stops delivering, and the range over which it does.
    pub(crate) cutoff: Option<[f64; 2]>,
}

impl Pump {
    pub(crate) fn respond<T: Scalar>(&self, x: &[T; VARIABLES], out: &mut Response<T>) {
        let dp = x[1] - x[0];
        let (displacement, speed) = match &self.adjustment {
            None => (T::from(self.displacement), x[2]),
            Some(adjustment) => {
                let mut wanted = x[4];
                if let Some([pressure, band]) = adjustment.cutoff {
                    wanted *= -ramp((x[1] - pressure) / band + 1.0) + 1.0;
                }
                out.rate[0] = (wanted - x[2]) / adjustment.time_constant;
                (x[2] * self.displacement, x[3])
            }
        };
        let (mut flow, mut torque) = (displacement * speed, displacement * dp);
        if let Some(map) = &self.efficiency {
            let at = map.at(speed, dp);
            flow -= flow.abs() * (-at.volumetric + 1.0) * at.pressure_sign;
            torque += torque.abs() * (at.mechanical.recip() - 1.0) * at.speed_sign;
        }
        out.pass(flow - dp * self.leakage);
        out.observed[1] = torque;
    }
}

/// Variables: p, volume of fluid.
#[derive(Debug, Clone)]
pub(crate) struct Accumulator {
    pub(crate) inlet: Edge,
    pub(crate) volume: f64,
    pub(crate) precharge: f64,
    pub(crate) exponent: f64,
    /// Pressure per volume when empty [Pa/m^3].
    pub(crate) seat: f64,
}

impl Accumulator {
    /// Pressure of the fluid in it; NaN when more than the gas had room.
    fn pressure<T: Scalar>(&self, fluid: T) -> T {
        if fluid.re() < 0.0 {
            fluid * self.seat + self.precharge
        } else {
            (-fluid / self.volume + 1.0).powf(-self.exponent) * self.precharge
        }
    }

    pub(crate) fn respond<T: Scalar>(&self, x: &[T; VARIABLES], out: &mut Response<T>) {
        let pressure = self.pressure(x[1]);
        let inflow = self.inlet.flow(T::from(1.0), x[0] - pressure);
        out.flow[0] = -inflow;
        out.rate[0] = inflow;
        out.observed = [inflow, pressure];
    }
}

/// Variables: p from, p to, the waves that arrive at either end, and 1 while a steady state is sought, else 0.
#[derive(Debug, Clone)]
pub(crate) struct WaveLine {
    pub(crate) impedance: f64,
    pub(crate) resistance: f64,
}

impl WaveLine {
    pub(crate) fn respond<T: Scalar>(&self, x: &[T; VARIABLES], out: &mut Response<T>) {
        let [from, to, first, second, steady, ..] = *x;
        let flow = |p: T, other: T, wave: T| {
            if steady.re() > 0.0 { (p - other) / self.resistance } else { (p - wave) / self.impedance }
        };
        out.observed = [flow(from, to, first), flow(to, from, second)];
        out.flow[0] = -out.observed[0];
        out.flow[1] = -out.observed[1];
    }
}

/// Variables: p from, p to, flow.
#[derive(Debug, Clone)]
pub(crate) struct RigidLine {
    pub(crate) inertance: f64,
    pub(crate) resistance: f64,
    pub(crate) turbulent: f64,
}

impl RigidLine {
    pub(crate) fn respond<T: Scalar>(&self, x: &[T; VARIABLES], out: &mut Response<T>) {
        let q = x[2];
        out.pass(q);
        let drop = q * self.resistance + q * q.abs() * self.turbulent;
        out.rate[0] = (x[0] - x[1] - drop) / self.inertance;
    }
}
