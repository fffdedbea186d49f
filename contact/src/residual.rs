//! The one measure all solvers answer to: the scaled natural map of the problem as it was given (docs/theory/contact.md, section "Solvers").
//!
//! r = max_i |min(z_i / c_i, w_i r_i)| over max_i |q_i| r_i, with the scales of [`Scales`]. It is zero exactly at the solutions, the same
//! in whatever units rows and constants are written, and for P matrices it bounds the distance from the solution: |z - z*| <=
//! (1 + |M|) / c(M) r. Constants however small are data, not round-off: who knows them to be round-off does not ask. With q = 0, which z = 0
//! solves, the map is divided by the largest of z / c and w r: it has no other size.

use crate::{
    problem::{Lcp, MixedLcp},
    scaling::{Scales, equilibrate},
    solution::{Residual, Solution},
};
use fourbar_linalg::phi::{DoubleDouble, PhiScalar};
use nalgebra::DMatrix;

/// Share of the constants from which on round-off of w = M z + q might decide: w is formed with twice the digits then. A z so large that
/// q nearly vanishes beside M z proves nothing, and proves all if it solves the problem exactly, as integers may.
const DOUBTFUL: f64 = 1e-11;

/// Largest size of a vector.
pub(crate) fn size(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |size: f64, xi| size.max(xi.abs()))
}

/// Residual of z with its w, scales of w and z, and the size of the scaled constants.
fn natural(z: &[f64], w: &[f64], rows: &[f64], columns: &[f64], constants: f64) -> Residual {
    let mut found = Residual { natural: 0.0, complementarity: 0.0, negative_z: 0.0, negative_w: 0.0, mixed: 0.0 };
    let mut homogeneous = 0.0_f64;
    for i in 0..z.len() {
        homogeneous = homogeneous.max((z[i] / columns[i]).abs()).max((w[i] * rows[i]).abs());
        let pair = (z[i] / columns[i]).min(w[i] * rows[i]).abs();
        // f64::min and max drop a NaN, which must not pass for a small residual.
        let numbers = !(z[i] + w[i]).is_nan();
        found.natural = if numbers { found.natural.max(pair) } else { f64::INFINITY };
        found.complementarity += z[i] * w[i];
        found.negative_z = found.negative_z.max(-z[i]);
        found.negative_w = found.negative_w.max(-w[i]);
    }
    found.complementarity = found.complementarity.abs();
    found.natural = relative(found.natural, if constants > 0.0 { constants } else { homogeneous });
    found
}

/// A miss over the size of the data; nothing is missed where there is nothing.
fn relative(miss: f64, size: f64) -> f64 {
    if miss == 0.0 { 0.0 } else { miss / size }
}

/// Residual of z, w = M z + q; w is formed again where its round-off might decide.
fn measure(lcp: &Lcp, z: &[f64], w: &mut [f64], scales: &Scales) -> Residual {
    let Scales { rows, columns, largest, .. } = scales;
    let constants = lcp.q().iter().zip(rows).fold(0.0, |size: f64, (q, r)| size.max((q * r).abs()));
    let total: f64 = z.iter().zip(columns).map(|(z, c)| (z / c).abs()).sum();
    if f64::EPSILON * largest * total > DOUBTFUL * constants {
        for (i, w) in w.iter_mut().enumerate() {
            *w = sum_of_products(lcp.q()[i], z.iter().enumerate().map(|(j, &z)| (lcp.column(j)[i], z)));
        }
    }
    natural(z, w, rows, columns, constants)
}

/// start + sum of products, with twice the digits.
fn sum_of_products(start: f64, products: impl Iterator<Item = (f64, f64)>) -> f64 {
    products.fold(DoubleDouble::from(start), |sum, (a, b)| sum + DoubleDouble::product(a, b)).to_f64()
}

impl Lcp {
    /// By how much z misses this problem.
    ///
    /// # Panics
    /// Unless z has n entries.
    #[must_use]
    pub fn residual(&self, z: &[f64]) -> Residual {
        let (mut scales, mut w) = (Scales::default(), vec![0.0; self.len()]);
        scales.take(self);
        self.w(z, &mut w);
        measure(self, z, &mut w, &scales)
    }
}

impl MixedLcp {
    /// Fills `w` = C u + D z + b and measures by how much (u, z) misses this problem, rows and columns scaled so that the largest
    /// entries of each are near one.
    ///
    /// # Panics
    /// Unless u has f entries and z and w have n.
    pub fn residual(&self, u: &[f64], z: &[f64], w: &mut [f64]) -> Residual {
        self.measure(u, z, w, &self.balance())
    }

    /// The same with the scales at hand.
    pub(crate) fn measure(&self, u: &[f64], z: &[f64], w: &mut [f64], balance: &Balance) -> Residual {
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
        let Balance { rows, columns, constants } = balance;
        let f = self.free();
        let unknowns = || u.iter().chain(z).copied();
        let total: f64 = unknowns().zip(columns).map(|(x, c)| (x / c).abs()).sum();
        if f64::EPSILON * total > DOUBTFUL * constants {
            let row = |left: &DMatrix<f64>, right: &DMatrix<f64>, i: usize| -> Vec<f64> {
                left.row(i).iter().chain(right.row(i).iter()).copied().collect()
            };
            for (i, equation) in equations.iter_mut().enumerate() {
                *equation = sum_of_products(self.a_vec()[i], row(self.a(), self.b(), i).into_iter().zip(unknowns()));
            }
            for (i, w) in w.iter_mut().enumerate() {
                *w = sum_of_products(self.b_vec()[i], row(self.c(), self.d(), i).into_iter().zip(unknowns()));
            }
        }
        let mut found = natural(z, w, &rows[f..], &columns[f..], *constants);
        let numbers = !equations.sum().is_nan();
        let missed = equations.iter().zip(rows).fold(0.0, |size: f64, (e, r)| size.max((e * r).abs()));
        // Without constants, over the largest of the unknowns: the rows are scaled to entries near one.
        let size = if *constants > 0.0 {
            *constants
        } else {
            unknowns().zip(columns).fold(0.0, |s: f64, (x, c)| s.max((x / c).abs()))
        };
        found.mixed = if numbers { relative(missed, size) } else { f64::INFINITY };
        found
    }
}

/// Scales of a mixed problem, free variables and their equations first.
pub(crate) struct Balance {
    /// A row in its own unit times its scale is near one.
    pub(crate) rows: Vec<f64>,
    /// A variable is its scaled value times its scale.
    pub(crate) columns: Vec<f64>,
    /// Size of the constants so scaled.
    constants: f64,
}

impl MixedLcp {
    /// Scales that bring the largest entries of rows and columns near one.
    pub(crate) fn balance(&self) -> Balance {
        let (f, n) = (self.free(), self.len());
        let mut t = self.tableau();
        let (rows, columns) = equilibrate(&mut t, f + n);
        Balance { rows, columns, constants: t.column(f + n).amax() }
    }
}

/// Keeps z in `solution` if it misses the problem by less than what is there, with its w and residual. `w` is scratch.
pub(crate) fn keep_better(lcp: &Lcp, z: &[f64], scales: &Scales, w: &mut [f64], solution: &mut Solution) -> Residual {
    lcp.w(z, w);
    let residual = measure(lcp, z, w, scales);
    if residual.value() < solution.residual.value() {
        solution.z.copy_from_slice(z);
        solution.w.copy_from_slice(w);
        solution.residual = residual;
    }
    residual
}
