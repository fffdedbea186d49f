//! Where the constraints put a point that lies beside them, if degrees of freedom are few: along the shortest way in the units of tolerances.
//!
//! A partition [G_d G_i] says how the bodies move within the constraints, B = [-G_d^-1 G_i; I]: its columns span the null space of G, whichever
//! coordinates it takes for the dependent ones. With K = U^-2, U the unit of each coordinate (the length of the mechanism, or 1 rad), and
//! B_0 = B where a step begins, W = B_0^T K are the independent coordinates:
//!
//! ```text
//! Phi(q) = 0,   W (q - q~) = 0
//! ```
//!
//! q - q~ is orthogonal to the motions at the start of the step (Mani, Haug and Atkinson 1985 by singular values, Kim and Vanderploeg 1986 by
//! Q R; Liang and Lance 1987). K turns with the machine and is moved with it, and so does q: which columns are solved for is of no matter but for
//! round-off. A solution x_p of G x = -Phi in dependent coordinates becomes that with W x = 0 by
//!
//! ```text
//! x = x_p - B (W B)^-1 W x_p .
//! ```

use super::partition::Partition;
use fourbar_linalg::CsrMatrix;

/// Degrees of freedom up to which this is done: each costs one more solution with G_d, and W B grows as their square.
pub(super) const FEW: usize = 8;
/// Pivots of W B below this part of its largest entry: the machine has turned so far that the independent coordinates say nothing of its motion.
const SINGULAR: f64 = 1e-6;

/// An independent column, its unit, and its entries in the Jacobian: row and place.
type FreeColumn = (usize, f64, Vec<(usize, usize)>);

/// Workspace.
#[derive(Debug, Clone)]
pub(super) struct Tangent {
    free: Vec<FreeColumn>,
    /// 1/U^2 of all columns.
    metric: Vec<f64>,
    /// Columns of B, at the point that was factored last.
    pub(super) motions: Vec<Vec<f64>>,
    /// Rows of W.
    held: Vec<Vec<f64>>,
    /// W B by rows, factored, and its row exchanges.
    factors: Vec<f64>,
    order: Vec<usize>,
    amounts: Vec<f64>,
    /// What a column makes of the rows.
    defects: Vec<f64>,
}

impl Tangent {
    /// For columns of which `depends` tells those that a partition solves for; `None` if too many are left. B and W are found later.
    pub(super) fn new(
        jacobian: &CsrMatrix<f64>,
        depends: impl Fn(usize) -> bool,
        unit: impl Fn(usize) -> f64,
    ) -> Option<Self> {
        let n = jacobian.ncols();
        let columns: Vec<usize> = (0..n).filter(|&c| !depends(c)).take(FEW + 1).collect();
        if columns.len() > FEW {
            return None;
        }
        let mut free: Vec<_> = columns.into_iter().map(|c| (c, unit(c), Vec::new())).collect();
        for (place, (row, column, _)) in jacobian.triplet_iter().enumerate() {
            if let Ok(k) = free.binary_search_by_key(&column, |f| f.0) {
                free[k].2.push((row, place));
            }
        }
        let f = free.len();
        Some(Self {
            free,
            metric: (0..n).map(|c| unit(c).powi(-2)).collect(),
            motions: vec![vec![0.0; n]; f],
            held: vec![vec![0.0; n]; f],
            factors: vec![0.0; f * f],
            order: vec![0; f],
            amounts: vec![0.0; f],
            defects: vec![0.0; jacobian.nrows()],
        })
    }

    /// Finds B at the `values` of the Jacobian with which `part` was factored last.
    pub(super) fn find_motions(&mut self, values: &[f64], part: &mut Partition) {
        for ((column, unit, entries), motion) in self.free.iter().zip(&mut self.motions) {
            self.defects.fill(0.0);
            entries.iter().for_each(|&(row, place)| self.defects[row] = values[place] * unit);
            motion.fill(0.0);
            part.solve_untested(&self.defects);
            part.solved().for_each(|(c, d)| motion[c] = d);
            motion[*column] = *unit;
        }
    }

    /// Takes the coordinates along the motions that were found last for the independent ones.
    pub(super) fn hold(&mut self) {
        for (held, motion) in self.held.iter_mut().zip(&self.motions) {
            held.iter_mut().zip(motion.iter().zip(&self.metric)).for_each(|(w, (b, k))| *w = b * k);
        }
    }

    /// Factors W B of the motions that were found last. Returns whether it is regular.
    pub(super) fn factor(&mut self) -> bool {
        let f = self.free.len();
        let mut largest = 0.0_f64;
        for (i, held) in self.held.iter().enumerate() {
            for (j, motion) in self.motions.iter().enumerate() {
                let value = held.iter().zip(motion).map(|(w, b)| w * b).sum::<f64>();
                self.factors[i * f + j] = value;
                largest = largest.max(value.abs());
            }
        }
        let a = &mut self.factors;
        for k in 0..f {
            let at = |i: usize| a[i * f + k].abs();
            let pivot = (k..f).fold(k, |best, i| if at(i) > at(best) { i } else { best });
            self.order[k] = pivot;
            (0..f).for_each(|j| a.swap(k * f + j, pivot * f + j));
            let value = a[k * f + k];
            if !(value.abs() > SINGULAR * largest) {
                return false;
            }
            for i in k + 1..f {
                let factor = a[i * f + k] / value;
                a[i * f + k] = factor;
                (k + 1..f).for_each(|j| a[i * f + j] -= factor * a[k * f + j]);
            }
        }
        true
    }

    /// Takes from a change of all columns, which takes defects of the constraints away, what moves the independent coordinates.
    pub(super) fn straighten(&mut self, change: &mut [f64]) {
        let (f, a, x) = (self.free.len(), &self.factors, &mut self.amounts);
        for (x, held) in x.iter_mut().zip(&self.held) {
            *x = held.iter().zip(&*change).map(|(w, d)| w * d).sum();
        }
        (0..f).for_each(|k| x.swap(k, self.order[k]));
        for i in 1..f {
            let sum: f64 = (0..i).map(|j| a[i * f + j] * x[j]).sum();
            x[i] -= sum;
        }
        for i in (0..f).rev() {
            let sum: f64 = (i + 1..f).map(|j| a[i * f + j] * x[j]).sum();
            x[i] = (x[i] - sum) / a[i * f + i];
        }
        for (x, motion) in x.iter().zip(&self.motions) {
            change.iter_mut().zip(motion).for_each(|(d, b)| *d -= x * b);
        }
    }
}
