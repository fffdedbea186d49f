//! A polynomial forcing as part of the system: dx/dtheta = Z x + sum_j c_j theta^j with Z = T A becomes
//!
//! d[x; z]/dtheta = [Z, C/s; 0, J] [x; z], z_j = s theta^j, dz_j/dtheta = j z_{j-1},
//!
//! so that one exponential times one vector gives the sum of phi functions times vectors (Al-Mohy and Higham, SIAM J. Sci. Comput. 33
//! (2011) 488, theorem 2.1). The scale s, the sum of the norms of the c_j, keeps the coupling from dominating Z.

use super::arnoldi::norm;

/// c_0, ..., c_{p-1} of n values each and their scale.
#[derive(Debug, Clone, Default)]
pub(super) struct Forcing {
    terms: Vec<f64>,
    n: usize,
    scale: f64,
}

impl Forcing {
    /// Makes room for `terms`, n values each, and lets `fill` write them.
    pub(super) fn set(&mut self, n: usize, terms: usize, fill: impl FnOnce(&mut [f64])) {
        self.terms.clear();
        self.terms.resize(n * terms, 0.0);
        self.n = n;
        fill(&mut self.terms);
        self.scale = self.terms.chunks_exact(n.max(1)).map(norm).sum();
        if self.scale == 0.0 {
            self.terms.clear();
        }
    }

    /// p, or 0 when nothing is forced.
    pub(super) fn len(&self) -> usize {
        self.terms.len().checked_div(self.n).unwrap_or(0)
    }

    /// z at `theta`.
    pub(super) fn tail(&self, theta: f64, z: &mut [f64]) {
        let mut power = self.scale;
        for z in z {
            *z = power;
            power *= theta;
        }
    }

    /// `x` += `factor` C z / s.
    pub(super) fn add(&self, factor: f64, z: &[f64], x: &mut [f64]) {
        for (c, z) in self.terms.chunks_exact(self.n.max(1)).zip(z) {
            let factor = factor * z / self.scale;
            x.iter_mut().zip(c).for_each(|(x, c)| *x += factor * c);
        }
    }

    /// `out` = J `z`.
    pub(super) fn differentiate(z: &[f64], out: &mut [f64]) {
        for j in 0..z.len() {
            out[j] = if j == 0 { 0.0 } else { j as f64 * z[j - 1] };
        }
    }

    /// `out` = (I - `gamma` J)^{-1} `z`.
    pub(super) fn resolve(gamma: f64, z: &[f64], out: &mut [f64]) {
        for j in 0..z.len() {
            out[j] = z[j] + if j == 0 { 0.0 } else { gamma * j as f64 * out[j - 1] };
        }
    }
}
