//! A pipe in cells, by Godunov's method: Guinot, *Wave Propagation in Fluids* (2008), chapter 6.
//!
//! In a cell of the length dx, p' = E/(A dx) (Q_l - Q_r) and L q' = P_l - P_r - R q, with the flows Q and pressures P at its two ends. There the
//! waves that come from either side meet, p + Z q from the left and p - Z q from the right, so that
//!
//! Q = (q_L + q_R)/2 + (p_L - p_R)/(2 Z),   P = (p_L + p_R)/2 + Z (q_L - q_R)/2
//!
//! with p_L, p_R the pressures of the cells carried on to the end by the slope of friction, -R q per cell: under steady flow Q = q exactly. At an end of the
//! pipe the pressure is that of the node, and the wave that comes out of the pipe gives the flow. A first-order upwind method swings beyond no wave.

use super::{Response, VARIABLES};
use crate::fluid::Fluid;
use fourbar_expression::Scalar;

/// Variables: p of the cell, to its left, to its right, q of the cell, to its left, to its right.
#[derive(Debug, Clone)]
pub(crate) struct PipeCell {
    pub(crate) fluid: Fluid,
    pub(crate) area: f64,
    pub(crate) inertance: f64,
    pub(crate) resistance: f64,
    /// Whether the node to the left and that to the right is an end of the pipe.
    pub(crate) open: [bool; 2],
}

impl PipeCell {
    /// Q and P between two cells.
    fn between<T: Scalar>(&self, [p_left, p_right]: [T; 2], [q_left, q_right]: [T; 2]) -> [T; 2] {
        let z = self.fluid.impedance((p_left + p_right) * 0.5, self.area);
        let half = 0.5 * self.resistance;
        let (from_left, from_right) = (p_left - q_left * half, p_right + q_right * half);
        [
            (q_left + q_right) * 0.5 + (from_left - from_right) / (z * 2.0),
            (from_left + from_right) * 0.5 + z * (q_left - q_right) * 0.5,
        ]
    }

    /// Flow into the pipe at an end of the pressure `end`, `q` being counted inwards there.
    fn inflow<T: Scalar>(&self, end: T, p: T, q: T) -> T {
        let z = self.fluid.impedance(p, self.area);
        q + (end - p - q * (0.5 * self.resistance)) / z
    }

    pub(crate) fn respond<T: Scalar>(&self, x: &[T; VARIABLES], out: &mut Response<T>) {
        let [p, p_left, p_right, q, q_left, q_right, ..] = *x;
        let [inflow, push] =
            if self.open[0] { [self.inflow(p_left, p, q), p_left] } else { self.between([p_left, p], [q_left, q]) };
        let [outflow, back] = if self.open[1] {
            [-self.inflow(p_right, p, -q), p_right]
        } else {
            self.between([p, p_right], [q, q_right])
        };
        // What passes between two cells is counted by each for itself.
        out.flow[0] = inflow - outflow;
        if self.open[0] {
            out.flow[1] = -inflow;
        }
        if self.open[1] {
            out.flow[2] = outflow;
        }
        out.rate[0] = (push - back - q * self.resistance) / self.inertance;
        out.observed = [inflow, outflow];
    }
}
