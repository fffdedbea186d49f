//! From Z to 2 Z, as often as the scaling took halves.

use super::taylor::add_to_diagonal;
use super::{PhiFunctions, inverse_factorial, one_norm};

impl PhiFunctions {
    /// `doublings` times:
    ///
    ///     D     <- D D + 2 D
    ///     phi_k <- 2^-k [ D phi_k + 2 phi_k + sum_{j=1..k-1} phi_j / (k-j)! ]
    ///
    /// D = e^Z - I instead of e^Z keeps the slow modes of a stiff matrix, which squaring e^Z would lose among the ones on its
    /// diagonal. Once ||e^Z||_1 < 1/2 all modes have decayed and e^Z is squared itself, to keep its relative accuracy.
    pub(super) fn double(&mut self, doublings: i32) {
        let mut decayed = false;
        for _ in 0..doublings {
            decayed = decayed || one_norm(&self.exp) < 0.5;
            self.double_phi();
            if decayed {
                self.scratch.gemm(1.0, &self.exp, &self.exp, 0.0);
                std::mem::swap(&mut self.scratch, &mut self.exp);
                self.exp_minus_identity.copy_from(&self.exp);
                add_to_diagonal(&mut self.exp_minus_identity, -1.0);
            } else {
                let d = &self.exp_minus_identity;
                self.scratch.copy_from(d);
                self.scratch.gemm(1.0, d, d, 2.0);
                std::mem::swap(&mut self.scratch, &mut self.exp_minus_identity);
                self.exp.copy_from(&self.exp_minus_identity);
                add_to_diagonal(&mut self.exp, 1.0);
            }
        }
    }

    /// The phi functions alone, highest index first, since each needs the old values of the lower ones.
    fn double_phi(&mut self) {
        for k in (1..=self.phi.len()).rev() {
            let (lower, upper) = self.phi.split_at_mut(k - 1);
            let phi_k = &mut upper[0];
            self.scratch.copy_from(phi_k);
            self.scratch.gemm(1.0, &self.exp_minus_identity, phi_k, 2.0);
            for (below, phi_j) in lower.iter().enumerate() {
                let weight = inverse_factorial(k - 1 - below);
                self.scratch.zip_apply(phi_j, |s, p| *s += weight * p);
            }
            self.scratch *= 0.5f64.powi(k as i32);
            std::mem::swap(&mut self.scratch, phi_k);
        }
    }
}
