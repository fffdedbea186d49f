//! Elimination of the free variables of a mixed problem by exchange: (e, w) = [A B; C D] (u, z) + (a, b), e = 0.
//!
//! One exchange swaps a row variable with a column variable (Stiefel 1963; principal pivoting of Cottle, Pang and Stone, section 2.3). First
//! equations change places with free variables, pivots chosen in the whole of A. Where A is singular but the problem is not, an equation
//! changes places with some z_j and w_j with the free variable left over; pair j then stands reversed, z_j as a function of w_j. What stays
//! is a linear complementarity problem. Each entry carries a bound of its round-off (running error analysis; Higham, Accuracy and Stability of
//! Numerical Algorithms (2002), section 3.3), so that what cancels to nothing is nothing: a mechanism that cannot move has the matrix zero.

use crate::{
    problem::{Lcp, MixedLcp},
    scaling::equilibrate,
};
use nalgebra::{DMatrix, DVector};

/// Entries of the scaled tableau below this are no pivots.
const ZERO: f64 = 1e-11;
/// Constant of an equation without variables, beside the largest, that contradicts it: far above what cancellation leaves of data with ten digits.
const CONSTANT: f64 = 3e-9;
/// Entries below so many times the bound of their round-off are round-off.
const DOUBT: f64 = 4.0;

/// A variable of the tableau.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Variable {
    Equation,
    Free(usize),
    Z(usize),
    W(usize),
}

/// Why no linear complementarity problem is left.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Stuck {
    /// An equation reads 0 = constant.
    Inconsistent,
    /// Equations and free variables do not pair.
    Unpaired,
}

/// The tableau, (rows) = T (columns) + constants.
#[derive(Debug, Clone)]
pub(super) struct Exchange {
    free: usize,
    t: DMatrix<f64>,
    /// Bounds of the round-off in t.
    noise: DMatrix<f64>,
    rows: Vec<Variable>,
    columns: Vec<Variable>,
    row_scale: Vec<f64>,
    column_scale: Vec<f64>,
    /// A constant of the scaled rows over that of the tableau.
    constants: f64,
    /// Free variables that no equation determines.
    pub(super) undetermined: usize,
}

impl Exchange {
    /// The tableau of a problem, scaled so that the largest entries of rows and columns are near one.
    pub(super) fn new(mixed: &MixedLcp) -> Self {
        let (f, n) = (mixed.free(), mixed.len());
        let size = f + n;
        let mut t = mixed.tableau();
        let rows = (0..size).map(|i| if i < f { Variable::Equation } else { Variable::W(i - f) }).collect();
        let columns = (0..size).map(|i| if i < f { Variable::Free(i) } else { Variable::Z(i - f) }).collect();
        let (row_scale, column_scale) = equilibrate(&mut t, size);
        // The constants have a unit of their own: the largest is one in the tableau.
        let largest = t.column(size).amax();
        let constants = if largest > 0.0 { largest } else { 1.0 };
        t.column_mut(size).unscale_mut(constants);
        let noise = t.map(|entry| f64::EPSILON * entry.abs());
        Self { free: f, t, noise, rows, columns, row_scale, column_scale, constants, undetermined: 0 }
    }

    /// Size of an entry, 0 if it is round-off.
    fn significant(&self, r: usize, c: usize) -> f64 {
        let size = self.t[(r, c)].abs();
        if size > DOUBT * self.noise[(r, c)] { size } else { 0.0 }
    }

    /// An entry, 0 if it is round-off.
    fn entry(&self, r: usize, c: usize) -> f64 {
        if self.significant(r, c) > 0.0 { self.t[(r, c)] } else { 0.0 }
    }

    /// Swaps the variables of row r and column c.
    fn exchange(&mut self, r: usize, c: usize) {
        let pivot = self.t[(r, c)];
        let mut column = self.t.column(c).clone_owned();
        let mut column_noise = self.noise.column(c).clone_owned();
        let pivot_noise = column_noise[r] / pivot.abs();
        (column[r], column_noise[r]) = (0.0, 0.0);
        for j in 0..self.t.ncols() {
            if j == c || self.t[(r, j)] == 0.0 {
                continue;
            }
            let factor = -self.t[(r, j)] / pivot;
            let factor_noise = self.noise[(r, j)] / pivot.abs() + factor.abs() * (pivot_noise + f64::EPSILON);
            self.t.column_mut(j).axpy(factor, &column, 1.0);
            self.t[(r, j)] = factor;
            let mut noise = self.noise.column_mut(j);
            noise.axpy(factor.abs(), &column_noise, 1.0);
            let per_entry = factor_noise + f64::EPSILON * factor.abs();
            noise.iter_mut().zip(column.iter()).for_each(|(n, t)| *n += per_entry * t.abs());
            noise[r] = factor_noise;
        }
        for (i, t) in column.iter().enumerate() {
            self.noise[(i, c)] = column_noise[i] / pivot.abs() + (t / pivot).abs() * (pivot_noise + f64::EPSILON);
        }
        self.t.column_mut(c).copy_from(&(column / pivot));
        self.t[(r, c)] = 1.0 / pivot;
        self.noise[(r, c)] = (pivot_noise + f64::EPSILON) / pivot.abs();
        std::mem::swap(&mut self.rows[r], &mut self.columns[c]);
    }

    fn equations(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.rows.len()).filter(|&r| self.rows[r] == Variable::Equation)
    }

    fn frees(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.columns.len()).filter(|&c| matches!(self.columns[c], Variable::Free(_)))
    }

    /// Makes all free variables functions of the complementary ones.
    pub(super) fn eliminate(&mut self) -> Result<(), Stuck> {
        while let Some((r, c)) = self.largest() {
            self.exchange(r, c);
        }
        while let Some((pair, r, c)) = self.pairing() {
            self.exchange(r, self.free + pair);
            self.exchange(self.free + pair, c);
        }
        let constant = self.rows.len();
        for r in self.equations() {
            if self.columns.iter().enumerate().any(|(j, v)| *v != Variable::Equation && self.significant(r, j) > ZERO) {
                return Err(Stuck::Unpaired);
            }
            // One is the largest constant given.
            let size = self.t.column(constant).amax().max(1.0);
            if self.t[(r, constant)].abs() > CONSTANT * size {
                return Err(Stuck::Inconsistent);
            }
        }
        // What is left of u may move other free variables along with it, but no pair.
        let pairs = || (0..self.rows.len()).filter(|&r| !matches!(self.rows[r], Variable::Free(_)));
        if self.frees().any(|c| pairs().any(|r| self.significant(r, c) > ZERO)) {
            return Err(Stuck::Unpaired);
        }
        self.undetermined = self.frees().count();
        Ok(())
    }

    /// The largest entry of an equation and a free variable, if any is not zero.
    fn largest(&self) -> Option<(usize, usize)> {
        let mut found = None;
        let mut size = ZERO;
        for c in self.frees() {
            for r in self.equations() {
                if self.significant(r, c) > size {
                    size = self.significant(r, c);
                    found = Some((r, c));
                }
            }
        }
        found
    }

    /// A pair j not yet reversed, an equation that holds z_j and a free variable that w_j holds, with the smaller of both entries largest.
    fn pairing(&self) -> Option<(usize, usize, usize)> {
        let strongest = |entries: &mut dyn Iterator<Item = (usize, f64)>| {
            entries.fold(None, |best: Option<(usize, f64)>, (place, size)| match best {
                Some((_, most)) if most >= size => best,
                _ => (size > ZERO).then_some((place, size)).or(best),
            })
        };
        let mut found = None;
        let mut most = 0.0;
        for j in (0..self.rows.len() - self.free).filter(|&j| self.rows[self.free + j] == Variable::W(j)) {
            let (row, column) = (self.free + j, self.free + j);
            let equation = strongest(&mut self.equations().map(|r| (r, self.significant(r, column))));
            let free = strongest(&mut self.frees().map(|c| (c, self.significant(row, c))));
            if let (Some((r, a)), Some((c, b))) = (equation, free)
                && a.min(b) > most
            {
                most = a.min(b);
                found = Some((j, r, c));
            }
        }
        found
    }

    /// The problem left, in the units it was given in; pair j is (w_j, z_j) where it stands reversed.
    pub(super) fn lcp(&self) -> Lcp {
        let (f, n) = (self.free, self.rows.len() - self.free);
        let rows: Vec<usize> = (0..n).map(|j| self.row_of(j)).collect();
        let columns: Vec<usize> = (0..n).map(|j| self.column_of(j)).collect();
        let m = DMatrix::from_fn(n, n, |i, j| {
            self.entry(rows[i], columns[j]) * self.row_unit(rows[i]) / self.column_unit(columns[j])
        });
        let q = DVector::from_fn(n, |i, _| self.entry(rows[i], f + n) * self.constants * self.row_unit(rows[i]));
        Lcp::from_checked(m, q)
    }

    /// u and z from the solution of [`Self::lcp`].
    pub(super) fn recover(&self, z: &[f64], w: &[f64], u: &mut [f64], z_out: &mut [f64]) {
        let n = z.len();
        for j in 0..n {
            let reversed = matches!(self.columns[self.column_of(j)], Variable::W(_));
            z_out[j] = if reversed { w[j].max(0.0) } else { z[j] };
        }
        u.fill(0.0);
        for (r, variable) in self.rows.iter().enumerate() {
            if let Variable::Free(i) = *variable {
                let sum: f64 =
                    (0..n).map(|j| self.t[(r, self.column_of(j))] * z[j] / self.column_unit(self.column_of(j))).sum();
                u[i] = (sum + self.t[(r, self.rows.len())] * self.constants) * self.row_unit(r);
            }
        }
    }

    fn row_of(&self, pair: usize) -> usize {
        let here = |v: &Variable| *v == Variable::W(pair) || *v == Variable::Z(pair);
        self.rows.iter().position(here).unwrap_or(self.free + pair)
    }

    fn column_of(&self, pair: usize) -> usize {
        let here = |v: &Variable| *v == Variable::W(pair) || *v == Variable::Z(pair);
        self.columns.iter().position(here).unwrap_or(self.free + pair)
    }

    /// Value of the variable of a row in its own unit over its value in the tableau.
    fn row_unit(&self, r: usize) -> f64 {
        self.unit(self.rows[r])
    }

    fn column_unit(&self, c: usize) -> f64 {
        self.unit(self.columns[c])
    }

    fn unit(&self, variable: Variable) -> f64 {
        match variable {
            Variable::Equation => 1.0,
            Variable::Free(i) => self.column_scale[i],
            Variable::Z(j) => self.column_scale[self.free + j],
            Variable::W(j) => 1.0 / self.row_scale[self.free + j],
        }
    }
}
