//! Reciprocal weights of the norms, renewed once per accepted step so that no inner loop divides.
//!
//! | norm | of | value |
//! |---|---|---|
//! | error | local error e | max over tested unknowns of abs(e_i)/w_i, w_i = rtol S_i + a_i |
//! | Newton | increment d | max over all unknowns of s_i abs(d_i)/w_i, s_i = (h beta_0)^p_i, w_i = rtol s_i S_i + a_i |
//!
//! S_i is abs(y_i), or what the system says ([`Dae::weigh`]).
//!
//! The largest component decides, not the mean: a mechanism of many bodies of which one moves is integrated as accurately as that one
//! alone. (With the root mean square, Andrews' mechanism in space, half of whose unknowns stay zero, came out ten times less accurate
//! than in its seven angles at the same tolerance.)

use super::copying::clone_in_place;
use super::lanes::{Lane, Vector, fold, larger};
use super::nordsieck::Trial;
use super::options::Tolerance;
use crate::dae::{Dae, ErrorWeights, Role, Unknown};

/// Reciprocal weights at the last accepted point.
#[derive(Debug)]
pub(super) struct Weights {
    relative: f64,
    /// Whether the system says what errors are measured against.
    told: bool,
    /// Absolute tolerances that the caller asked for, and those in force.
    given: Vector,
    absolute: Vector,
    /// S.
    sizes: Vector,
    /// 1 for tested unknowns, 0 for the others.
    tested: Vector,
    /// 0 for multipliers, 1 for the others.
    primary: Vec<f64>,
    /// Unknowns with p > 0.
    powered: Vec<(usize, u8)>,
    /// Reciprocal weights of the error norm, 0 where not tested.
    pub(super) error: Vector,
    /// Reciprocal weights of the Newton norm.
    pub(super) newton: Vector,
    /// h beta_0 for which `newton` stands.
    scale: f64,
}

clone_in_place!(Weights { relative, told, given, absolute, sizes, tested, primary, powered, error, newton, scale });
// The others follow from unknowns and tolerances.
fourbar_linalg::stored!(struct Weights { absolute, sizes, error, newton, scale });

impl Weights {
    pub(super) fn new(dae: &impl Dae, tolerance: &Tolerance) -> Self {
        let unknowns = dae.unknowns();
        let (n, told) = (unknowns.len(), dae.weighs());
        let given = if told { tolerance.given(unknowns) } else { tolerance.absolutes(unknowns) };

        let tested: Vec<f64> = unknowns.iter().map(|u| if u.error_tested { 1.0 } else { 0.0 }).collect();
        let primary = |u: &Unknown| f64::from(u8::from(u.kind.role() != Role::Multiplier));
        let powered =
            unknowns.iter().enumerate().filter(|(_, u)| u.scale_power > 0).map(|(i, u)| (i, u.scale_power)).collect();
        Self {
            relative: tolerance.relative,
            told,
            absolute: Vector::padded(&given, 1.0),
            given: Vector::padded(&given, 0.0),
            sizes: Vector::zeros(n),
            tested: Vector::padded(&tested, 0.0),
            primary: unknowns.iter().map(primary).collect(),
            powered,
            error: Vector::zeros(n),
            newton: Vector::zeros(n),
            scale: f64::NAN,
        }
    }

    /// Renews the weights at the point y; `step` is the last step, or the first one planned.
    pub(super) fn renew(&mut self, dae: &impl Dae, y: &[f64], step: f64) {
        self.sizes.as_mut_slice().iter_mut().zip(y).for_each(|(size, y)| *size = y.abs());
        if self.told {
            self.absolute.as_mut_slice().copy_from_slice(self.given.as_slice());
            let (sizes, absolute) = (self.sizes.as_mut_slice(), self.absolute.as_mut_slice());
            dae.weigh(y, &mut ErrorWeights { relative: self.relative, step, sizes, absolute });
        }
        let relative = self.relative;
        let fixed = self.absolute.lanes.iter().zip(&self.tested.lanes);
        let written = self.error.lanes.iter_mut().zip(&mut self.newton.lanes);
        for (((absolute, tested), (error, newton)), size) in fixed.zip(written).zip(&self.sizes.lanes) {
            for l in 0..size.len() {
                let reciprocal = 1.0 / (relative * size[l] + absolute[l]);
                error[l] = tested[l] * reciprocal;
                newton[l] = reciprocal;
            }
        }
        self.scale = f64::NAN;
    }

    /// Adapts the Newton weights of unknowns with p > 0 to h beta_0.
    pub(super) fn rescale(&mut self, h_beta0: f64) {
        if self.scale == h_beta0 {
            return;
        }
        self.scale = h_beta0;
        let powers: [f64; 4] = [1.0, h_beta0, h_beta0 * h_beta0, h_beta0 * h_beta0 * h_beta0];
        let (sizes, absolute) = (self.sizes.as_slice(), self.absolute.as_slice());
        let newton = self.newton.as_mut_slice();
        for &(i, power) in &self.powered {
            let s = powers[usize::from(power.min(3))];
            newton[i] = s / (self.relative * s * sizes[i] + absolute[i]);
        }
    }

    /// Newton norm of `d` but for the multipliers.
    pub(super) fn primary(&self, d: &Vector) -> f64 {
        let weights = self.newton.as_slice().iter().zip(&self.primary);
        d.as_slice().iter().zip(weights).fold(0.0, |max, (d, (w, p))| larger(max, (d * w * p).abs()))
    }

    /// Largest components of `delta` in tolerances: of multipliers, tested or not, and of the other unknowns that are tested.
    pub(super) fn parts(&self, delta: &Vector) -> [f64; 2] {
        let weights = self.newton.as_slice().iter().zip(self.error.as_slice()).zip(&self.primary);
        delta.as_slice().iter().zip(weights).fold([0.0; 2], |[multipliers, others], (d, ((newton, error), primary))| {
            [larger(multipliers, (d * newton * (1.0 - primary)).abs()), larger(others, (d * error * primary).abs())]
        })
    }

    /// What a unit of unknown `i` is in tolerances, tested or not.
    pub(super) fn of(&self, i: usize) -> f64 {
        1.0 / (self.relative * self.sizes.as_slice()[i] + self.absolute.as_slice()[i])
    }

    /// The three largest |x_i w_i|, worst first, as (unknown, magnitude).
    pub(super) fn largest(x: &Vector, w: &Vector) -> Vec<(usize, f64)> {
        let weighted = x.as_slice().iter().zip(w.as_slice()).map(|(x, w)| (x * w).abs());
        let mut all: Vec<(usize, f64)> = weighted.enumerate().filter(|(_, m)| *m > 0.0).collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1));
        all.truncate(3);
        all
    }
}

/// One Newton update: y -= d, y' -= c d, delta -= d. Returns the Newton norm of d (NaN if an entry of d is not finite) and the
/// error norm of delta.
pub(super) fn update(d: &Vector, c: f64, trial: &mut Trial, weights: &Weights) -> (f64, f64) {
    let (mut increment, mut error, mut zero) = (Lane::default(), Lane::default(), Lane::default());
    let point = trial.y.lanes.iter_mut().zip(&mut trial.yp.lanes).zip(&mut trial.delta.lanes);
    let norms = weights.newton.lanes.iter().zip(&weights.error.lanes);
    for ((((y, yp), delta), (wn, we)), d) in point.zip(norms).zip(&d.lanes) {
        for l in 0..d.len() {
            y[l] -= d[l];
            yp[l] -= c * d[l];
            delta[l] -= d[l];
            increment[l] = larger(increment[l], (d[l] * wn[l]).abs());
            error[l] = larger(error[l], (delta[l] * we[l]).abs());
            zero[l] += d[l] * 0.0;
        }
    }
    (fold(increment) + zero.iter().sum::<f64>(), fold(error))
}
