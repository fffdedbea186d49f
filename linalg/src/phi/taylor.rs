//! The phi functions at the scaled matrix: Taylor series of the highest one, the others by their recursion.

use nalgebra::DMatrix;

use super::{PhiFunctions, PhiScalar};

impl<T: PhiScalar> PhiFunctions<T> {
    /// All phi_k and D at the scaled matrix Z, whose alpha is at most 1.
    pub(super) fn at_small_scale(&mut self, alpha: f64) {
        self.taylor_of_highest(alpha);
        // phi_k = Z phi_{k+1} + I/k!, downward; D = Z phi_1.
        for k in (1..self.phi.len()).rev() {
            let (lower, upper) = self.phi.split_at_mut(k);
            T::multiply(&mut lower[k - 1], 0.0, &self.scaled, &upper[0]);
            add_to_diagonal(&mut lower[k - 1], T::inverse_factorial(k));
        }
        T::multiply(&mut self.exp_minus_identity, 0.0, &self.scaled, &self.phi[0]);
        self.exp.copy_from(&self.exp_minus_identity);
        add_to_diagonal(&mut self.exp, T::from(1.0));
    }

    /// phi_q = sum_k Z^k/(k+q)! for the highest index q, by Paterson and Stockmeyer's grouping in powers of Z^4.
    fn taylor_of_highest(&mut self, alpha: f64) {
        let q = self.phi.len();
        let groups = groups_of_four::<T>(q, alpha);
        let [square, cube, fourth, _] = &self.powers;
        let sum = &mut self.phi[q - 1];
        sum.fill(T::default());
        for group in (0..groups).rev() {
            if group + 1 < groups {
                T::multiply(&mut self.scratch, 0.0, fourth, sum);
                std::mem::swap(&mut self.scratch, sum);
            }
            let c = |r: usize| T::inverse_factorial(4 * group + r + q);
            for (power, r) in [(cube, 3), (square, 2), (&self.scaled, 1)] {
                T::add_scaled(sum, c(r), power);
            }
            add_to_diagonal(sum, c(0));
        }
    }
}

/// Number of groups of four terms after which the rest of the series of phi_q is below the rounding of its first term.
fn groups_of_four<T: PhiScalar>(q: usize, alpha: f64) -> usize {
    // ||Z^k|| <= alpha^k holds from k = 12 on, so never fewer than three groups. The ratio of a term to the first is built up
    // factor by factor, since the factorials of high indices leave the range.
    let mut ratio = 1.0;
    for term in 0.. {
        if term >= 12 && term % 4 == 0 && ratio < T::EPSILON / 16.0 {
            return term / 4;
        }
        ratio *= alpha / (term + 1 + q) as f64;
    }
    3
}

pub(super) fn add_to_diagonal<T: PhiScalar>(matrix: &mut DMatrix<T>, value: T) {
    for i in 0..matrix.nrows() {
        matrix[(i, i)] = matrix[(i, i)] + value;
    }
}
