//! Order reduction: H omega of the exchanged signals from their differences.
//!
//! For a signal of angular frequency omega sampled at steps H, the second differences are 2 sin(H omega/2) times the first in the mean
//! square, about H omega. Beyond 1 a parabola through old points predicts worse than a straight line, and coupled through it even a
//! converged iteration becomes unstable.

use super::master::Master;

/// Weight of the past in the mean squares: a memory of ten steps.
const MEMORY: f64 = 0.9;
/// H omega above which the order falls to 1.
const REDUCE: f64 = 1.0;
/// H omega below which it returns: lower, so that it does not go to and fro.
const RETURN: f64 = 0.7;

/// Mean squares of the differences, per target interface, relative to the scale of each signal.
pub(super) struct OrderControl {
    order: usize,
    first: Vec<f64>,
    second: Vec<f64>,
}

impl OrderControl {
    pub(super) fn new(order: usize, n: usize) -> Self {
        Self { order, first: vec![0.0; n], second: vec![0.0; n] }
    }
}

impl Master {
    /// Takes the newest differences into account and sets the order of each target.
    pub(super) fn control_order(&mut self) {
        let Some(control) = &mut self.order_control else { return };
        for i in 0..self.interfaces.len() {
            control.first[i] *= MEMORY;
            control.second[i] *= MEMORY;
            for r in self.interaction.of_target(i) {
                if let Some((first, second)) = self.interaction.history(r).differences() {
                    control.first[i] += self.scales.relative(r, first, 0.0).powi(2);
                    control.second[i] += self.scales.relative(r, second, 0.0).powi(2);
                }
            }
            let h_omega = (control.second[i] / control.first[i]).sqrt();
            let order = &mut self.interaction.order[i];
            if *order > 1 && h_omega > REDUCE {
                *order = 1;
                self.statistics.order_reductions += 1;
            } else if *order < control.order && h_omega < RETURN {
                *order = control.order;
            }
        }
    }
}
