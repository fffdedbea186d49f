//! Reciprocal weights of the norms, renewed once per accepted step so that no inner loop divides.
//!
//! | norm | of | value |
//! |---|---|---|
//! | error | local error e | sqrt(mean over tested of (e_i/w_i)^2), w_i = rtol abs(y_i) + a_i |
//! | Newton | increment d | sqrt(mean over tested of (s_i d_i/w_i)^2 + mean over the others of (s_i d_i/w_i)^2), s_i = (h beta_0)^p_i, w_i = rtol s_i abs(y_i) + a_i |
//!
//! The means are taken apart, so that a few tested unknowns do not drown among many untested ones. The factors
//! 1/sqrt(count) are part of the reciprocal weights: a norm is one sum of squares.

use super::copying::clone_in_place;
use super::lanes::{Lane, Vector};
use super::options::Tolerance;
use crate::dae::Unknown;

/// Reciprocal weights at the last accepted point.
#[derive(Debug)]
pub(super) struct Weights {
    relative: f64,
    absolute: Vector,
    /// 1/sqrt(count of the group) for every unknown.
    share: Vector,
    /// The same for tested unknowns, 0 for the others.
    tested_share: Vector,
    /// Unknowns with p > 0.
    powered: Vec<(usize, u8)>,
    /// Reciprocal weights of the error norm, 0 where not tested.
    pub(super) error: Vector,
    /// Reciprocal weights of the Newton norm.
    pub(super) newton: Vector,
    /// h beta_0 for which `newton` stands.
    scale: f64,
}

clone_in_place!(Weights { relative, absolute, share, tested_share, powered, error, newton, scale });

impl Weights {
    pub(super) fn new(unknowns: &[Unknown], tolerance: &Tolerance) -> Self {
        let n = unknowns.len();
        let tested = unknowns.iter().filter(|u| u.error_tested).count();
        let of_group = |u: &Unknown| 1.0 / ((if u.error_tested { tested } else { n - tested }) as f64).sqrt();
        let share: Vec<f64> = unknowns.iter().map(of_group).collect();
        let tested_share: Vec<f64> =
            unknowns.iter().zip(&share).map(|(u, &s)| if u.error_tested { s } else { 0.0 }).collect();
        let powered =
            unknowns.iter().enumerate().filter(|(_, u)| u.scale_power > 0).map(|(i, u)| (i, u.scale_power)).collect();
        Self {
            relative: tolerance.relative,
            absolute: Vector::padded(&tolerance.absolutes(unknowns), 1.0),
            share: Vector::padded(&share, 0.0),
            tested_share: Vector::padded(&tested_share, 0.0),
            powered,
            error: Vector::zeros(n),
            newton: Vector::zeros(n),
            scale: f64::NAN,
        }
    }

    /// Renews the weights at the point y.
    pub(super) fn renew(&mut self, y: &[Lane]) {
        let relative = self.relative;
        let fixed = self.absolute.lanes.iter().zip(&self.share.lanes).zip(&self.tested_share.lanes);
        let written = self.error.lanes.iter_mut().zip(&mut self.newton.lanes);
        for ((((absolute, share), tested), (error, newton)), y) in fixed.zip(written).zip(y) {
            for l in 0..y.len() {
                let reciprocal = 1.0 / (relative * y[l].abs() + absolute[l]);
                error[l] = tested[l] * reciprocal;
                newton[l] = share[l] * reciprocal;
            }
        }
        self.scale = f64::NAN;
    }

    /// Adapts the Newton weights of unknowns with p > 0 to h beta_0 at the point y.
    pub(super) fn rescale(&mut self, y: &[f64], h_beta0: f64) {
        if self.scale == h_beta0 {
            return;
        }
        self.scale = h_beta0;
        let powers: [f64; 4] = [1.0, h_beta0, h_beta0 * h_beta0, h_beta0 * h_beta0 * h_beta0];
        let (absolute, share) = (self.absolute.as_slice(), self.share.as_slice());
        let newton = self.newton.as_mut_slice();
        for &(i, power) in &self.powered {
            let s = powers[usize::from(power.min(3))];
            newton[i] = share[i] * s / (self.relative * s * y[i].abs() + absolute[i]);
        }
    }

    /// The three largest |x_i w_i|, worst first, as (unknown, magnitude).
    pub(super) fn largest(x: &Vector, w: &Vector, share: &Vector) -> Vec<(usize, f64)> {
        let weigh = |(i, ((x, w), s)): (usize, ((&f64, &f64), &f64))| (i, (x * w / s).abs());
        let entries = x.as_slice().iter().zip(w.as_slice()).zip(share.as_slice()).enumerate();
        let mut all: Vec<(usize, f64)> = entries.map(weigh).filter(|(_, m)| *m > 0.0).collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1));
        all.truncate(3);
        all
    }

    pub(super) fn share(&self) -> &Vector {
        &self.share
    }
}

/// One Newton update: y -= d, y' -= c d, delta -= d. Returns the squared Newton norm of d and squared error norm of delta.
pub(super) fn update(d: &Vector, c: f64, trial: &mut super::nordsieck::Trial, weights: &Weights) -> (f64, f64) {
    let (mut increment, mut error) = (Lane::default(), Lane::default());
    let point = trial.y.lanes.iter_mut().zip(&mut trial.yp.lanes).zip(&mut trial.delta.lanes);
    let norms = weights.newton.lanes.iter().zip(&weights.error.lanes);
    for ((((y, yp), delta), (wn, we)), d) in point.zip(norms).zip(&d.lanes) {
        for l in 0..d.len() {
            y[l] -= d[l];
            yp[l] -= c * d[l];
            delta[l] -= d[l];
            let (a, b) = (d[l] * wn[l], delta[l] * we[l]);
            increment[l] += a * a;
            error[l] += b * b;
        }
    }
    (increment.iter().sum(), error.iter().sum())
}
