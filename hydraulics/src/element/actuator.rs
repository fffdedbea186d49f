//! Cylinders and motors.

use super::{EfficiencyMap, Response, VARIABLES};
use fourbar_expression::Scalar;

/// (Fc + (Fs - Fc) exp(-(v/vst)^2)) tanh(v/v0) + d v.
#[derive(Debug, Clone)]
pub(crate) struct Friction {
    pub(crate) coulomb: f64,
    pub(crate) breakaway: f64,
    pub(crate) stribeck: f64,
    pub(crate) rounding: f64,
    pub(crate) viscous: f64,
}

impl Friction {
    pub(crate) fn at<T: Scalar>(&self, v: T) -> T {
        let slow = v / self.stribeck;
        let dry = (-slow * slow).exp() * (self.breakaway - self.coulomb) + self.coulomb;
        dry * tanh(v / self.rounding) + v * self.viscous
    }
}

/// The hyperbolic tangent by its own slope 1 - tanh^2: that by cosh overflows for arguments above 355.
fn tanh<T: Scalar>(x: T) -> T {
    let value = x.re().tanh();
    let slope = 1.0 - value * value;
    x.chain(value, || (slope, -2.0 * value * slope))
}

/// Elastic ends of the stroke.
#[derive(Debug, Clone)]
pub(crate) struct Stops {
    pub(crate) stiffness: f64,
    pub(crate) damping: f64,
}

impl Stops {
    /// Force out of an end that is `depth` deep, growing at `rate`.
    fn push<T: Scalar>(&self, depth: T, rate: T) -> T {
        let braked = rate * self.damping + 1.0;
        if depth.re() <= 0.0 || braked.re() <= 0.0 { T::from(0.0) } else { depth * braked * self.stiffness }
    }
}

/// Who moves the rod or shaft.
#[derive(Debug, Clone)]
pub(crate) enum Drive {
    /// Somebody outside.
    External,
    /// Itself, with this mass \[kg\] or moment of inertia [kg m^2].
    Inertia(f64),
}

/// Variables: p a, p b, x, v, and with a load the force against it.
#[derive(Debug, Clone)]
pub(crate) struct Cylinder {
    pub(crate) area: [f64; 2],
    pub(crate) dead: [f64; 2],
    pub(crate) stroke: f64,
    pub(crate) leakage: f64,
    pub(crate) friction: Friction,
    pub(crate) stops: Option<Stops>,
    pub(crate) drive: Drive,
}

impl Cylinder {
    pub(crate) fn respond<T: Scalar>(&self, variables: &[T; VARIABLES], out: &mut Response<T>) {
        let [pa, pb, x, v, against, ..] = *variables;
        let [area_a, area_b] = self.area;
        let leak = (pa - pb) * self.leakage;
        let left = -x + self.stroke;
        out.flow[0] = -v * area_a - leak;
        out.flow[1] = v * area_b + leak;
        out.volume[0] = x * area_a + self.dead[0];
        out.volume[1] = left * area_b + self.dead[1];
        let mut force = pa * area_a - pb * area_b - self.friction.at(v);
        if let Some(stops) = &self.stops {
            force += stops.push(-x, -v) - stops.push(-left, v);
        }
        out.observed[0] = force;
        if let Drive::Inertia(mass) = self.drive {
            out.rate = [v, (force - against) / mass];
        }
    }
}

/// Variables: p a, p b, speed, and with a shaft the torque against it.
#[derive(Debug, Clone)]
pub(crate) struct Motor {
    pub(crate) displacement: f64,
    pub(crate) leakage: f64,
    pub(crate) friction: Friction,
    pub(crate) efficiency: Option<EfficiencyMap>,
    pub(crate) drive: Drive,
}

impl Motor {
    /// Flow from A to B and torque at this difference of pressures and speed.
    pub(super) fn flow_and_torque<T: Scalar>(&self, dp: T, speed: T) -> [T; 2] {
        let (mut flow, mut torque) = (speed * self.displacement, dp * self.displacement);
        if let Some(map) = &self.efficiency {
            let at = map.at(speed, dp);
            flow += flow.abs() * (at.volumetric.recip() - 1.0) * at.pressure_sign;
            torque -= torque.abs() * (-at.mechanical + 1.0) * at.speed_sign;
        }
        [flow + dp * self.leakage, torque - self.friction.at(speed)]
    }

    pub(crate) fn respond<T: Scalar>(&self, variables: &[T; VARIABLES], out: &mut Response<T>) {
        let [pa, pb, speed, against, ..] = *variables;
        let [flow, torque] = self.flow_and_torque(pa - pb, speed);
        out.pass(flow);
        out.observed[0] = torque;
        if let Drive::Inertia(inertia) = self.drive {
            out.rate[0] = (torque - against) / inertia;
        }
    }
}
