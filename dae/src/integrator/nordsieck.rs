//! The Nordsieck array z = (y, h y', h^2 y''/2!, ..., h^k y^(k)/k!): prediction, update and interpolation (integrators.md, section 2).
//!
//! Column j holds z_j of all unknowns contiguously. The array always belongs to the last accepted step; a change of the step
//! by the ratio r = h_new / h enters as the factors r^j while predicting and updating. So a rejected attempt has nothing to undo, and a
//! change of the step costs no pass over the array.

use super::coefficients::{FACTORIAL, Formula};
use super::copying::clone_in_place;
use super::knots::Xi;
use super::lanes::{Lane, Vector, lanes_for, largest};
use super::order::ORDER_MAX;

/// The polynomial of the last accepted step.
#[derive(Debug)]
pub(super) struct Nordsieck {
    n: usize,
    lanes: usize,
    columns: Vec<Lane>,
    /// Step h to which the columns are scaled \[s\].
    pub(super) step: f64,
    /// Degree of the polynomial.
    pub(super) order: usize,
}

clone_in_place!(Nordsieck { n, lanes, columns, step, order });
fourbar_linalg::stored!(struct Nordsieck { columns, step, order });

/// What one attempt works on: the trial point and its distance from the prediction.
#[derive(Debug, Clone)]
pub(super) struct Trial {
    /// y.
    pub(super) y: Vector,
    /// y'.
    pub(super) yp: Vector,
    /// y - y_predicted.
    pub(super) delta: Vector,
}

impl Trial {
    pub(super) fn new(n: usize) -> Self {
        Self { y: Vector::zeros(n), yp: Vector::zeros(n), delta: Vector::zeros(n) }
    }
}

impl Nordsieck {
    /// Array of order 1 through `y` with slope `yp`, with room for `order_max`.
    pub(super) fn new(y: &[f64], yp: &[f64], step: f64, order_max: usize) -> Self {
        let (n, lanes) = (y.len(), lanes_for(y.len()));
        let mut array = Self { n, lanes, columns: vec![Lane::default(); (order_max + 1) * lanes], step, order: 1 };
        array.restart(y, yp, step);
        array
    }

    /// Falls back to order 1 through `y` with slope `yp`.
    pub(super) fn restart(&mut self, y: &[f64], yp: &[f64], step: f64) {
        self.order = 1;
        self.step = step;
        self.column_mut(0).copy_from_slice(y);
        for (z, yp) in self.column_mut(1).iter_mut().zip(yp) {
            *z = step * yp;
        }
    }

    /// Columns there is room for: one more than the highest order.
    pub(super) fn room(&self) -> usize {
        self.columns.len() / self.lanes.max(1)
    }

    pub(super) fn column(&self, j: usize) -> &[f64] {
        &self.lanes(j).as_flattened()[..self.n]
    }

    pub(super) fn column_mut(&mut self, j: usize) -> &mut [f64] {
        &mut self.columns[j * self.lanes..(j + 1) * self.lanes].as_flattened_mut()[..self.n]
    }

    pub(super) fn lanes(&self, j: usize) -> &[Lane] {
        &self.columns[j * self.lanes..(j + 1) * self.lanes]
    }

    /// max_i |z_ij w_i|.
    pub(super) fn column_norm(&self, j: usize, w: &Vector) -> f64 {
        largest(self.lanes(j), &w.lanes)
    }

    /// Writes z_{k+1} = delta / (k+1)!, k the order, so that the next step may use order k + 1.
    pub(super) fn append(&mut self, delta: &Vector) {
        let j = self.order + 1;
        let factor = 1.0 / FACTORIAL[j];
        for (z, d) in self.columns[j * self.lanes..(j + 1) * self.lanes].iter_mut().zip(&delta.lanes) {
            *z = d.map(|d| factor * d);
        }
    }

    /// Predicts y and y' at t + h with order k; clears delta.
    pub(super) fn predict(&self, k: usize, h: f64, trial: &mut Trial) {
        match k {
            1 => self.predict_with::<2>(h, trial),
            2 => self.predict_with::<3>(h, trial),
            3 => self.predict_with::<4>(h, trial),
            4 => self.predict_with::<5>(h, trial),
            5 => self.predict_with::<6>(h, trial),
            _ => self.predict_with::<7>(h, trial),
        }
    }

    fn predict_with<const N: usize>(&self, h: f64, trial: &mut Trial) {
        let powers = powers::<N>(h / self.step);
        let slopes: [f64; N] = std::array::from_fn(|j| j as f64 * powers[j] / h);
        let z: [&[Lane]; N] = std::array::from_fn(|j| self.lanes(j));
        let Trial { y, yp, delta } = trial;
        for (i, ((y, yp), delta)) in y.lanes.iter_mut().zip(&mut yp.lanes).zip(&mut delta.lanes).enumerate() {
            let (mut value, mut slope) = (z[0][i], Lane::default());
            for j in 1..N {
                let column = z[j][i];
                for l in 0..column.len() {
                    value[l] += powers[j] * column[l];
                    slope[l] += slopes[j] * column[l];
                }
            }
            (*y, *yp, *delta) = (value, slope, Lane::default());
        }
    }

    /// Accepts a trial of order k and step h: z = P diag(r^j) z + l delta with y as it was found, l from `formula`. h y' is z_1 if the formula takes
    /// the slope of its polynomial.
    pub(super) fn accept(&mut self, k: usize, h: f64, trial: &Trial, formula: &Formula) {
        match k {
            1 => self.accept_with::<2>(h, trial, formula),
            2 => self.accept_with::<3>(h, trial, formula),
            3 => self.accept_with::<4>(h, trial, formula),
            4 => self.accept_with::<5>(h, trial, formula),
            5 => self.accept_with::<6>(h, trial, formula),
            _ => self.accept_with::<7>(h, trial, formula),
        }
    }

    fn accept_with<const N: usize>(&mut self, h: f64, trial: &Trial, formula: &Formula) {
        let k = N - 1;
        let powers = powers::<N>(h / self.step);
        let l: [f64; N] = std::array::from_fn(|j| formula.update[j]);
        // How far the slope of the polynomial is from y'.
        let apart = l[1] - 1.0 / formula.beta0;
        let mut columns = self.columns.chunks_exact_mut(self.lanes.max(1));
        let z: [&mut [Lane]; N] = std::array::from_fn(|_| columns.next().unwrap_or_default());
        let point = trial.y.lanes.iter().zip(&trial.yp.lanes).zip(&trial.delta.lanes);
        for (i, ((y, yp), delta)) in point.enumerate() {
            let mut v: [Lane; N] = [Lane::default(); N];
            for j in 2..N {
                v[j] = z[j][i].map(|x| powers[j] * x);
            }
            // Pascal's triangle by additions; rows 0 and 1 are known already.
            for start in 0..k {
                for j in (start.max(2)..k).rev() {
                    for m in 0..delta.len() {
                        v[j][m] += v[j + 1][m];
                    }
                }
            }
            z[0][i] = *y;
            for m in 0..delta.len() {
                z[1][i][m] = h * yp[m] + apart * delta[m];
            }
            for j in 2..N {
                for m in 0..delta.len() {
                    v[j][m] += l[j] * delta[m];
                }
                z[j][i] = v[j];
            }
        }
        self.step = h;
        self.order = k;
    }

    /// From degree k to k + 1: adds x Lambda(x)/xi_{k+1} `delta`, which vanishes at the ends that the polynomial goes through, so that it takes the value
    /// of one more.
    pub(super) fn raise(&mut self, xi: &Xi, delta: &Vector) {
        let k = self.order;
        let lambda = xi.lambda(k);
        let scale = 1.0 / xi.get(k + 1);
        self.column_mut(k + 1).fill(0.0);
        for j in 1..=k + 1 {
            let factor = scale * lambda[j - 1];
            for (z, d) in self.column_mut(j).iter_mut().zip(delta.as_slice()) {
                *z += factor * d;
            }
        }
        self.order = k + 1;
    }

    /// From degree k to k - 1: the farthest end is given up.
    pub(super) fn lower(&mut self, xi: &Xi) {
        let k = self.order;
        let (lambda, scale) = (xi.lambda(k - 1), xi.product(k - 1));
        let (low, high) = self.columns.split_at_mut(k * self.lanes);
        for j in 1..k {
            let factor = scale * lambda[j - 1];
            for (z, last) in low[j * self.lanes..(j + 1) * self.lanes].iter_mut().zip(high.iter()) {
                for m in 0..last.len() {
                    z[m] -= factor * last[m];
                }
            }
        }
        self.order = k - 1;
    }

    /// Value and slope of the polynomial at s = (t - t_n)/h.
    pub(super) fn evaluate(&self, s: f64, y: &mut [f64], yp: &mut [f64]) {
        let k = self.order;
        y.copy_from_slice(self.column(k));
        yp.fill(0.0);
        for j in (0..k).rev() {
            for ((y, yp), z) in y.iter_mut().zip(yp.iter_mut()).zip(self.column(j)) {
                *yp = *yp * s + *y;
                *y = *y * s + z;
            }
        }
        yp.iter_mut().for_each(|yp| *yp /= self.step);
    }
}

/// r^0 .. r^(N-1).
fn powers<const N: usize>(r: f64) -> [f64; N] {
    const { assert!(N <= ORDER_MAX + 1) };
    let mut power = 1.0;
    std::array::from_fn(|_| {
        let now = power;
        power *= r;
        now
    })
}
