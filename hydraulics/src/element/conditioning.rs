//! Filters and coolers.

use super::valve::Check;
use super::{Response, VARIABLES};
use crate::fluid::Edge;
use fourbar_expression::Scalar;

/// Variables: p from, p to, share that is clogged.
#[derive(Debug, Clone)]
pub(crate) struct Filter {
    /// Flow per pressure difference through the clean element [m^3/(s Pa)].
    pub(crate) conductance: f64,
    pub(crate) bypass: Option<Check>,
}

impl Filter {
    pub(crate) fn respond<T: Scalar>(&self, x: &[T; VARIABLES], out: &mut Response<T>) {
        let dp = x[0] - x[1];
        let free = match x[2].re() {
            clogged if clogged < 0.0 => T::from(1.0),
            clogged if clogged > 1.0 => T::from(0.0),
            _ => -x[2] + 1.0,
        };
        let past = self.bypass.as_ref().map_or(T::from(0.0), |valve| valve.flow(dp));
        out.pass(free * dp * self.conductance + past);
        out.observed[1] = past;
    }
}

/// Variables: p from, p to, temperatures of oil and coolant.
#[derive(Debug, Clone)]
pub(crate) struct Cooler {
    pub(crate) edge: Edge,
    /// Heat per volume of oil and difference of temperature, eps rho c [J/(m^3 K)].
    pub(crate) capacity: f64,
}

impl Cooler {
    pub(crate) fn respond<T: Scalar>(&self, x: &[T; VARIABLES], out: &mut Response<T>) {
        let flow = self.edge.flow(T::from(1.0), x[0] - x[1]);
        out.pass(flow);
        out.observed[1] = flow.abs() * (x[2] - x[3]) * self.capacity;
    }
}
