//! The one measure all solvers answer to: the scaled natural map of the problem as it was given (contact-solvers: stopping measure).
//!
//! r = max_i |min(z_i / s_i, w_i s_i)| over max(1, max_i |q_i| s_i). It is zero exactly at the solutions, and for P matrices it bounds
//! the distance from the solution: |z - z*| <= (1 + |M|) / c(M) r.

use crate::{
    problem::{Lcp, MixedLcp},
    solution::{Residual, Solution},
};

/// Residual of z with its w, scales s and constants q.
pub(crate) fn natural(z: &[f64], w: &[f64], s: &[f64], q: &[f64]) -> Residual {
    let mut found = Residual { natural: 0.0, complementarity: 0.0, negative_z: 0.0, negative_w: 0.0, mixed: 0.0 };
    let mut constants = 1.0_f64;
    for i in 0..z.len() {
        let pair = (z[i] / s[i]).min(w[i] * s[i]).abs();
        // f64::min and max drop a NaN, which must not pass for a small residual.
        let numbers = !(z[i] + w[i]).is_nan();
        found.natural = if numbers { found.natural.max(pair) } else { f64::INFINITY };
        found.complementarity += z[i] * w[i];
        found.negative_z = found.negative_z.max(-z[i]);
        found.negative_w = found.negative_w.max(-w[i]);
        constants = constants.max((q[i] * s[i]).abs());
    }
    found.complementarity = found.complementarity.abs();
    found.natural /= constants;
    found
}

impl Lcp {
    /// By how much z misses this problem.
    ///
    /// # Panics
    /// Unless z has n entries.
    #[must_use]
    pub fn residual(&self, z: &[f64]) -> Residual {
        let (mut s, mut w) = (Vec::new(), vec![0.0; self.len()]);
        crate::scaling::scales(self, &mut s);
        self.w(z, &mut w);
        natural(z, &w, &s, self.q())
    }
}

impl MixedLcp {
    /// Fills `w` = C u + D z + b and measures by how much (u, z) misses this problem, pairs scaled by the diagonal of D alone where
    /// that is not zero.
    ///
    /// # Panics
    /// Unless u has f entries and z and w have n.
    pub fn residual(&self, u: &[f64], z: &[f64], w: &mut [f64]) -> Residual {
        assert!(z.len() == self.len() && w.len() == self.len() && u.len() == self.free(), "one entry a variable");
        w.copy_from_slice(self.b_vec().as_slice());
        let mut equations = self.a_vec().clone();
        for (j, &uj) in u.iter().enumerate() {
            equations.axpy(uj, &self.a().column(j), 1.0);
            w.iter_mut().zip(self.c().column(j).iter()).for_each(|(wi, cij)| *wi += cij * uj);
        }
        for (j, &zj) in z.iter().enumerate() {
            equations.axpy(zj, &self.b().column(j), 1.0);
            w.iter_mut().zip(self.d().column(j).iter()).for_each(|(wi, dij)| *wi += dij * zj);
        }
        let s: Vec<f64> = (0..self.len())
            .map(|i| if self.d()[(i, i)] != 0.0 { 1.0 / self.d()[(i, i)].abs().sqrt() } else { 1.0 })
            .collect();
        let mut found = natural(z, w, &s, self.b_vec().as_slice());
        let constants = self.a_vec().amax().max(1.0);
        let numbers = !equations.sum().is_nan();
        found.mixed = if numbers { equations.amax() / constants } else { f64::INFINITY };
        found
    }
}

/// Keeps z in `solution` if it misses the problem by less than what is there, with its w and residual. `w` is scratch.
pub(crate) fn keep_better(lcp: &Lcp, z: &[f64], s: &[f64], w: &mut [f64], solution: &mut Solution) -> Residual {
    lcp.w(z, w);
    let residual = natural(z, w, s, lcp.q());
    if residual.value() < solution.residual.value() {
        solution.z.copy_from_slice(z);
        solution.w.copy_from_slice(w);
        solution.residual = residual;
    }
    residual
}
