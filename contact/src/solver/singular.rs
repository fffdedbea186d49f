//! A complementary basis a whose M_aa is singular: whether any of its many points solves the problem is a question of linear inequalities.
//!
//! z_a >= 0 and w_b >= 0, b the other pairs, are to satisfy M_a z_a - I_b w_b = -q. Where x = (z_a, w_b) is the nonnegative point of least
//! |A x + q|, A = (M_a, -I_b), this is zero or nobody can. That point solves the complementarity problem of A^T A and A^T q, symmetric
//! semidefinite and so solvable, which Lemke's method solves whatever the rank (Cottle, Pang and Stone (1992), theorem 4.4.12).

use super::{Lemke, Point, Run, lemke, polish::Polish, scaled::Scaled};
use crate::{dense::dot, problem::Lcp};

/// Natural map of the scaled problem below which the last digits are worth an attempt: those that squaring the matrix has taken.
const NEAR: f64 = 1e-5;
/// Pivots, over the number of pairs; a path of more is left.
const PIVOTS: usize = 50;

/// Workspace of the search.
#[derive(Debug, Clone, Default)]
pub(super) struct Singular {
    problem: Lcp,
    scaled: Scaled,
    point: Point,
    lemke: lemke::Workspace,
    polish: Polish,
    x: Vec<f64>,
    w: Vec<f64>,
}

impl Singular {
    /// Looks for a solution with z = 0 but where `is` holds and w = 0 there. Leaves the nearest point in `z` and returns its natural map.
    pub(super) fn search(&mut self, scaled: &Scaled, is: impl Fn(usize) -> bool, z: &mut [f64]) -> f64 {
        let n = scaled.len();
        if !self.take(scaled, &is) {
            return f64::INFINITY;
        }
        for vector in [&mut self.point.z, &mut self.x, &mut self.w] {
            vector.clear();
            vector.resize(n, 0.0);
        }
        self.point.warm = false;
        let path = Lemke { restarts: 0, max_iterations: 2 * PIVOTS * n, ..Lemke::default() };
        path.run(&self.scaled, &mut self.point, &mut self.lemke);
        self.scaled.unscale(&self.point.z, &mut self.x);
        for i in 0..n {
            z[i] = if is(i) { self.x[i].max(0.0) } else { 0.0 };
        }
        scaled.w(z, &mut self.w);
        let natural = Scaled::natural(z, &self.w);
        if natural <= NEAR { self.polish.improve(scaled, z) } else { natural }
    }

    /// The problem of least distance: column j of A is that of M where `is` holds, else of -I.
    fn take(&mut self, scaled: &Scaled, is: impl Fn(usize) -> bool) -> bool {
        let n = scaled.len();
        let product = |i: usize, j: usize| match (is(i), is(j)) {
            (true, true) => dot(scaled.column(i), scaled.column(j)),
            (true, false) => -scaled.column(i)[j],
            (false, true) => -scaled.column(j)[i],
            (false, false) => f64::from(u8::from(i == j)),
        };
        let filled = self.problem.refill(n, |mut m, q| {
            for j in 0..n {
                for i in 0..n {
                    m[(i, j)] = product(i, j);
                }
                q[j] = if is(j) { dot(scaled.column(j), &scaled.q) } else { -scaled.q[j] };
            }
        });
        if filled.is_ok() {
            self.scaled.take(&self.problem);
        }
        filled.is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};

    fn searched(m: &[f64], q: &[f64]) -> (f64, Vec<f64>) {
        let n = q.len();
        let problem = Lcp::new(DMatrix::from_row_slice(n, n, m), DVector::from_column_slice(q)).unwrap();
        let (mut scaled, mut z) = (Scaled::default(), vec![0.0; n]);
        scaled.take(&problem);
        let natural = Singular::default().search(&scaled, |_| true, &mut z);
        (natural, z)
    }

    #[test]
    fn the_point_of_a_singular_basis_is_found_where_there_is_one() {
        // z_1 - z_2 = 1 from both rows; the second row asks for another in the second problem.
        let (natural, z) = searched(&[1.0, -1.0, -1.0, 1.0], &[-1.0, 1.0]);
        assert!(natural <= 1e-14 && (z[0] - z[1] - 1.0).abs() <= 1e-14, "{natural:e} {z:?}");
        assert!(searched(&[1.0, -1.0, -1.0, 1.0], &[-1.0, 0.5]).0 > 0.1);
        // Nothing of its own has a say in either row.
        let (natural, z) = searched(&[0.0, 1.0, 0.0, 0.0], &[-1.0, 0.0]);
        assert!(natural <= 1e-14 && z[1] > 0.1, "{natural:e} {z:?}");
    }
}
