//! The tableau of Lemke's method: every basic variable as a function of the nonbasic ones, x_B = b - T x_N.
//!
//! The equations are w - M z - d z0 = q. Variables are numbered w_i: i, z_i: n + i, z0: 2 n. A pivot is one rank-one change of T; when the
//! basic solution no longer satisfies the equations, T is made afresh from the basis.

use pulp::Arch;

use super::scaled::Scaled;
use crate::dense::Lu;

/// Residual of the basic solution, relative to its size, beyond which T is made afresh.
const DRIFT: f64 = 1e-11;
/// Pivot of a basis, of columns of size one, that is round-off.
const SINGULAR: f64 = 1e-14;

/// Basis, tableau and covering vector.
#[derive(Debug, Clone, Default)]
pub(super) struct Dictionary {
    n: usize,
    /// Variable basic in each row, and nonbasic in each column.
    pub(super) basic: Vec<usize>,
    nonbasic: Vec<usize>,
    /// n x (n + 1), column by column.
    t: Vec<f64>,
    pub(super) b: Vec<f64>,
    d: Vec<f64>,
    /// Row (below n) or n + column of each variable.
    place: Vec<usize>,
    lu: Lu,
    scratch: Vec<f64>,
}

impl Dictionary {
    /// Starts from the basis of z_i where `active`, w_i elsewhere, with a covering vector that is `cover` over that basis. False if that
    /// basis is singular.
    pub(super) fn start(&mut self, scaled: &Scaled, active: &[bool], cover: &[f64]) -> bool {
        let n = scaled.len();
        self.n = n;
        self.basic.clear();
        self.basic.extend((0..n).map(|i| if active[i] { n + i } else { i }));
        self.nonbasic.clear();
        self.nonbasic.extend((0..n).map(|i| if active[i] { i } else { n + i }));
        self.nonbasic.push(2 * n);
        // d = B cover, so that z0's column of the tableau is -cover.
        self.d.clear();
        self.d.resize(n, 0.0);
        for i in 0..n {
            if active[i] {
                self.d.iter_mut().zip(scaled.column(i)).for_each(|(d, m)| *d -= m * cover[i]);
            } else {
                self.d[i] += cover[i];
            }
        }
        self.refresh(scaled)
    }

    /// Makes T and b from the basis. False if it is singular.
    pub(super) fn refresh(&mut self, scaled: &Scaled) -> bool {
        let n = self.n;
        let (basic, d) = (&self.basic, &self.d);
        let factored = self.lu.factor(n, SINGULAR, |entries| {
            for (column, &variable) in entries.chunks_exact_mut(n.max(1)).zip(basic) {
                write_column(scaled, d, variable, column);
            }
        });
        if !factored {
            return false;
        }
        self.b.clear();
        self.b.extend_from_slice(&scaled.q);
        self.lu.solve(&mut self.b);
        if !self.b.iter().all(|b| b.is_finite()) {
            return false;
        }
        self.t.resize(n * (n + 1), 0.0);
        self.place.resize(2 * n + 1, 0);
        for row in 0..n {
            self.place[self.basic[row]] = row;
        }
        for column in 0..=n {
            self.place[self.nonbasic[column]] = n + column;
            let entries = &mut self.t[column * n..(column + 1) * n];
            write_column(scaled, &self.d, self.nonbasic[column], entries);
            self.lu.solve(entries);
        }
        true
    }

    /// Column of the tableau of a nonbasic variable.
    pub(super) fn column(&self, variable: usize) -> &[f64] {
        let column = self.place[variable] - self.n;
        &self.t[column * self.n..(column + 1) * self.n]
    }

    /// Entry (row, j) of B^-1, which is column w_j of the tableau.
    pub(super) fn inverse(&self, row: usize, j: usize) -> f64 {
        let place = self.place[j];
        if place < self.n { f64::from(u8::from(place == row)) } else { self.t[(place - self.n) * self.n + row] }
    }

    /// Exchanges the nonbasic `entering` with the variable of `row`, which is returned.
    pub(super) fn pivot(&mut self, row: usize, entering: usize) -> usize {
        let n = self.n;
        let at = self.place[entering] - n;
        self.scratch.clear();
        self.scratch.extend_from_slice(&self.t[at * n..(at + 1) * n]);
        let pivot = self.scratch[row];
        self.scratch[row] = 0.0;
        Arch::new().dispatch(|| self.exchange(row, at, pivot));
        let value = self.b[row] / pivot;
        self.b.iter_mut().zip(&self.scratch).for_each(|(b, change)| *b -= value * change);
        self.b[row] = value;
        for (entry, change) in self.t[at * n..(at + 1) * n].iter_mut().zip(&self.scratch) {
            *entry = -change / pivot;
        }
        self.t[at * n + row] = 1.0 / pivot;
        let leaving = std::mem::replace(&mut self.basic[row], entering);
        self.nonbasic[at] = leaving;
        self.place[entering] = row;
        self.place[leaving] = n + at;
        leaving
    }

    /// The rank-one change of all columns but that of the entering variable, `at`, which stands in the scratch workspace.
    #[inline(always)]
    fn exchange(&mut self, row: usize, at: usize, pivot: f64) {
        for (column, entries) in self.t.chunks_exact_mut(self.n).enumerate() {
            if column == at || entries[row] == 0.0 {
                continue;
            }
            let factor = entries[row] / pivot;
            entries.iter_mut().zip(&self.scratch).for_each(|(entry, change)| *entry -= factor * change);
            entries[row] = factor;
        }
    }

    /// Whether the basic solution still satisfies w - M z - d z0 = q.
    pub(super) fn accurate(&mut self, scaled: &Scaled) -> bool {
        let n = self.n;
        self.scratch.clear();
        self.scratch.extend(scaled.q.iter().map(|q| -q));
        let mut size = 1.0_f64;
        for (&variable, &value) in self.basic.iter().zip(&self.b) {
            size = size.max(value.abs());
            if variable < n {
                self.scratch[variable] += value;
            } else {
                let column = if variable < 2 * n { scaled.column(variable - n) } else { &self.d[..] };
                self.scratch.iter_mut().zip(column).for_each(|(r, c)| *r -= value * c);
            }
        }
        self.scratch.iter().all(|r| r.abs() <= DRIFT * size)
    }

    /// z of the basic solution.
    pub(super) fn z(&self, z: &mut [f64]) {
        z.fill(0.0);
        for (&variable, &value) in self.basic.iter().zip(&self.b) {
            if (self.n..2 * self.n).contains(&variable) {
                z[variable - self.n] = value.max(0.0);
            }
        }
    }

    /// The z part of the ray along which `entering` grows without end.
    pub(super) fn ray(&self, entering: usize, ray: &mut Vec<f64>) {
        let n = self.n;
        ray.clear();
        ray.resize(n, 0.0);
        if (n..2 * n).contains(&entering) {
            ray[entering - n] = 1.0;
        }
        for (&variable, &entry) in self.basic.iter().zip(self.column(entering)) {
            if (n..2 * n).contains(&variable) {
                ray[variable - n] = -entry;
            }
        }
    }
}

/// The column of a variable in w - M z - d z0 = q.
fn write_column(scaled: &Scaled, d: &[f64], variable: usize, column: &mut [f64]) {
    let n = scaled.len();
    if variable < n {
        column.fill(0.0);
        column[variable] = 1.0;
    } else {
        let source = if variable < 2 * n { scaled.column(variable - n) } else { d };
        column.iter_mut().zip(source).for_each(|(entry, value)| *entry = -value);
    }
}
