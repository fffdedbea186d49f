//! The last digits: from a nearly complementary point to the exact solution of its active set.

use super::{
    scaled::Scaled,
    support::{SHIFT, Support},
};

/// Steps of correction at most; each shrinks the error by the shift over the smallest nonzero eigenvalue.
const STEPS: usize = 8;

/// Room of a polish.
#[derive(Debug, Clone, Default)]
pub(crate) struct Polish {
    support: Support,
    trial: Vec<f64>,
    anchor: Vec<f64>,
    w: Vec<f64>,
}

impl Polish {
    /// Replaces z by the solution of M_aa z_a = -q_a, a = {i: z_i > w_i}, if that has the smaller natural map. The equations are
    /// corrected from z, so that what a singular M_aa leaves open stays as it was.
    pub(crate) fn improve(&mut self, scaled: &Scaled, z: &mut [f64]) -> f64 {
        let n = scaled.len();
        self.w.resize(n, 0.0);
        scaled.w(z, &mut self.w);
        let mut best = Scaled::natural(z, &self.w);
        for shift in [0.0, SHIFT] {
            let w = &self.w;
            self.support.select(n, |i| z[i] > w[i]);
            if best == 0.0 || !self.support.factor(scaled, shift) {
                continue;
            }
            self.trial.clear();
            self.trial.resize(n, 0.0);
            for &i in &self.support.active {
                self.trial[i] = z[i];
            }
            for _ in 0..STEPS {
                self.anchor.clear();
                self.anchor.extend_from_slice(&self.trial);
                self.support.correct(scaled, shift, &self.anchor, &mut self.trial);
                scaled.w(&self.trial, &mut self.w);
                let found = Scaled::natural(&self.trial, &self.w);
                if !(found < best) {
                    break;
                }
                best = found;
                z.copy_from_slice(&self.trial);
            }
            scaled.w(z, &mut self.w);
        }
        best
    }
}
