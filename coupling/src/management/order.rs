//! Order reduction: H omega of the exchanged signals from their differences.
//!
//! For a signal of angular frequency omega sampled at steps H, the second differences are 2 sin(H omega/2) times the first in the mean
//! square, about H omega. Beyond 1 a parabola through old points predicts worse than a straight line, and coupled through it even a
//! converged iteration becomes unstable.

use super::network::Network;

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

fourbar_linalg::stored!(struct OrderControl { first, second });

impl OrderControl {
    pub(super) fn new(order: usize, n: usize) -> Self {
        Self { order, first: vec![0.0; n], second: vec![0.0; n] }
    }

    /// Takes the newest differences into account and sets the order of each target.
    pub(super) fn control(&mut self, network: &mut Network) {
        for i in 0..network.interfaces.len() {
            self.first[i] *= MEMORY;
            self.second[i] *= MEMORY;
            for r in network.interaction.of_target(i) {
                if let Some((first, second)) = network.interaction.history(r).differences() {
                    self.first[i] += network.scales.relative(r, first, 0.0).powi(2);
                    self.second[i] += network.scales.relative(r, second, 0.0).powi(2);
                }
            }
            let h_omega = (self.second[i] / self.first[i]).sqrt();
            let order = &mut network.interaction.order[i];
            if *order > 1 && h_omega > REDUCE {
                *order = 1;
                network.statistics.order_reductions += 1;
            } else if *order < self.order && h_omega < RETURN {
                *order = self.order;
            }
        }
    }
}
