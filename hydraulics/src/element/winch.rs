//! A winch: a motor, a gear and a drum.

use super::actuator::{Drive, Motor};
use super::{Response, VARIABLES};
use fourbar_expression::Scalar;

/// Variables: p a, p b, rate of the length of rope; with a drum p a, p b, length, its rate, tension.
#[derive(Debug, Clone)]
pub(crate) struct Winch {
    /// Its `drive` holds the moment of inertia of the drum.
    pub(crate) motor: Motor,
    /// Turns of the motor per length of rope hauled in [1/m].
    pub(crate) turns: f64,
    /// Radius of the drum \[m\].
    pub(crate) radius: f64,
}

impl Winch {
    /// Which variable is the rate of the length.
    pub(super) fn velocity(&self) -> usize {
        if matches!(self.motor.drive, Drive::Inertia(_)) { 3 } else { 2 }
    }

    pub(crate) fn respond<T: Scalar>(&self, x: &[T; VARIABLES], out: &mut Response<T>) {
        let velocity = x[self.velocity()];
        let speed = -velocity * self.turns;
        let [flow, torque] = self.motor.flow_and_torque(x[0] - x[1], speed);
        out.pass(flow);
        let pull = torque * self.turns;
        out.observed = [pull, speed];
        if let Drive::Inertia(inertia) = self.motor.drive {
            out.rate = [velocity, (x[4] - pull) * (self.radius * self.radius / inertia)];
        }
    }
}
