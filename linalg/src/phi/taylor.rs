//! The phi functions at the scaled matrix: Taylor series of the highest one, the others by their recursion.

use super::{PhiFunctions, inverse_factorial};

impl PhiFunctions {
    /// All phi_k and D at the scaled matrix Z, whose alpha is at most 1.
    pub(super) fn at_small_scale(&mut self, alpha: f64) {
        self.taylor_of_highest(alpha);
        // phi_k = Z phi_{k+1} + I/k!, downward; D = Z phi_1.
        for k in (1..self.phi.len()).rev() {
            let (lower, upper) = self.phi.split_at_mut(k);
            lower[k - 1].gemm(1.0, &self.scaled, &upper[0], 0.0);
            add_to_diagonal(&mut lower[k - 1], inverse_factorial(k));
        }
        self.exp_minus_identity
            .gemm(1.0, &self.scaled, &self.phi[0], 0.0);
        self.exp.copy_from(&self.exp_minus_identity);
        add_to_diagonal(&mut self.exp, 1.0);
    }

    /// phi_q = sum_k Z^k/(k+q)! for the highest index q, by Paterson and Stockmeyer's grouping in powers of Z^4.
    fn taylor_of_highest(&mut self, alpha: f64) {
        let q = self.phi.len();
        let groups = groups_of_four(q, alpha);
        let [square, cube, fourth, _] = &self.powers;
        let sum = &mut self.phi[q - 1];
        sum.fill(0.0);
        for group in (0..groups).rev() {
            if group + 1 < groups {
                self.scratch.gemm(1.0, fourth, sum, 0.0);
                std::mem::swap(&mut self.scratch, sum);
            }
            let c = |r: usize| inverse_factorial(4 * group + r + q);
            for (power, r) in [(cube, 3), (square, 2), (&self.scaled, 1)] {
                let weight = c(r);
                sum.zip_apply(power, |s, p| *s += weight * p);
            }
            add_to_diagonal(sum, c(0));
        }
    }
}

/// Number of groups of four terms after which the rest of the series of phi_q is below the rounding of its first term.
fn groups_of_four(q: usize, alpha: f64) -> usize {
    // ||Z^k|| <= alpha^k holds from k = 12 on, so never fewer than three groups of a matrix that is not zero.
    if alpha == 0.0 {
        return 3;
    }
    let mut groups = 3;
    loop {
        let next = 4 * groups;
        let term = alpha.powi(next as i32) * inverse_factorial(next + q) / inverse_factorial(q);
        if term < f64::EPSILON / 16.0 {
            return groups;
        }
        groups += 1;
    }
}

pub(super) fn add_to_diagonal(matrix: &mut nalgebra::DMatrix<f64>, value: f64) {
    for i in 0..matrix.nrows() {
        matrix[(i, i)] += value;
    }
}
