//! The last digits: from a nearly complementary point to the exact solution of its active set.

use super::{
    basis::{Basis, SHIFT},
    scaled::Scaled,
};

/// Steps of correction at most; each shrinks the error by the shift over the smallest nonzero eigenvalue.
const STEPS: usize = 8;

/// Natural map that no step makes smaller.
const ENOUGH: f64 = 1e-15;
/// Share of the largest z below which a positive z may stand for a pair with z = w = 0.
const DEGENERATE: f64 = 1e-6;

/// Workspace of a polish.
#[derive(Debug, Clone, Default)]
pub(crate) struct Polish {
    basis: Basis,
    trial: Vec<f64>,
    anchor: Vec<f64>,
    w: Vec<f64>,
}

impl Polish {
    /// Replaces z by the solution of M_aa z_a = -q_a, a = {i: z_i > w_i}, if that has the smaller natural map; then the same without
    /// the smallest z. The equations are
    /// corrected from z, so that what a singular M_aa leaves open stays as it was. Returns the natural map of z.
    pub(crate) fn improve(&mut self, scaled: &Scaled, z: &mut [f64]) -> f64 {
        self.try_all(scaled, z, &[(0.0, 0.0), (SHIFT, 0.0), (0.0, DEGENERATE), (SHIFT, DEGENERATE)])
    }

    /// The first of these tries alone: one factorization.
    pub(crate) fn improve_once(&mut self, scaled: &Scaled, z: &mut [f64]) -> f64 {
        self.try_all(scaled, z, &[(0.0, 0.0)])
    }

    /// Tries with a shift of the diagonal and the share of the largest z that counts as none.
    fn try_all(&mut self, scaled: &Scaled, z: &mut [f64], tries: &[(f64, f64)]) -> f64 {
        let n = scaled.len();
        self.w.resize(n, 0.0);
        scaled.w(z, &mut self.w);
        let mut best = Scaled::natural(z, &self.w);
        for &(shift, floor) in tries {
            let (w, least) = (&self.w, floor * z.iter().fold(0.0, |size: f64, zi| size.max(zi.abs())));
            self.basis.select(n, |i| z[i] > w[i] && z[i] >= least);
            if best <= ENOUGH || !self.basis.factor(scaled, shift) {
                continue;
            }
            self.trial.clear();
            self.trial.resize(n, 0.0);
            for &i in &self.basis.active {
                self.trial[i] = z[i];
            }
            for _ in 0..STEPS {
                self.anchor.clear();
                self.anchor.extend_from_slice(&self.trial);
                self.basis.correct(scaled, shift, &self.anchor, &mut self.trial);
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
