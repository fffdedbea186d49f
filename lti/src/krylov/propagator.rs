//! What every way to carry a state over a step shares: options, effort, the trait, checks.

use crate::error::{all_finite, length, positive};
use crate::{Error, Method};

/// What a projection is allowed.
#[derive(Debug, Clone, PartialEq)]
pub struct KrylovOptions {
    /// Estimated error of a step in the 2-norm, relative to the norm of what is propagated: the state, or the response to the
    /// forcing where that is larger. In \[1e-14, 0.1\]; default 1e-12.
    pub tolerance: f64,
    /// Largest dimension of a Krylov space, from 4 on; default 60. Memory: this many vectors.
    pub max_dimension: usize,
    /// Most substeps of a step; default 10,000.
    pub max_substeps: usize,
}

impl Default for KrylovOptions {
    fn default() -> Self {
        Self { tolerance: 1e-12, max_dimension: 60, max_substeps: 10_000 }
    }
}

impl KrylovOptions {
    /// Refuses numbers out of range.
    ///
    /// # Errors
    /// [`Error::Setting`].
    pub fn validate(&self) -> Result<(), Error> {
        let check = |name, value, range, good| if good { Ok(()) } else { Err(Error::Setting { name, value, range }) };
        check("tolerance", self.tolerance, "[1e-14, 0.1]", (1e-14..=0.1).contains(&self.tolerance))?;
        check("max_dimension", self.max_dimension as f64, "[4, 1000]", (4..=1000).contains(&self.max_dimension))?;
        check("max_substeps", self.max_substeps as f64, "[1, inf)", self.max_substeps >= 1)
    }
}

/// What a step took.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct KrylovEffort {
    /// Substeps.
    pub substeps: usize,
    /// Largest dimension of a Krylov space.
    pub dimension: usize,
    /// Products with A, or solutions with I - gamma A.
    pub applications: usize,
    /// Factorizations of I - gamma A.
    pub factorizations: usize,
    /// Sum of the estimated errors of the substeps, 2-norm, in units of the state: of each as it is made, without what a system far from
    /// normal makes of it in later substeps.
    pub error: f64,
}

/// Estimates of an error are taken this many times larger than the indicators they come from.
pub(super) const SAFETY: f64 = 2.0;

/// How far round-off may carry the estimated error of a whole step beyond the tolerance.
const BEYOND: f64 = 100.0;

/// Most terms of a forcing.
pub(super) const MAX_TERMS: usize = Method::MAX_ORDER + 1;

/// A way to carry a state over a step of dx/dt = A x + f(t) without forming e^{AT}.
pub trait Propagator {
    /// n.
    fn dimension(&self) -> usize;

    /// `x` <- e^{AT} x + sum_j G_j(T) f_j, the exact solution after T = `step` \[s\] of dx/dt = A x + sum_j f_j (t/T)^j; `forcing` holds f_0, f_1,
    /// ... (n values each, in units of x per second; empty for none).
    ///
    /// # Errors
    /// [`Error::NotPositive`] for the step, [`Error::Length`], [`Error::NotFinite`] (also for a product with A), [`Error::OrderTooHigh`] for more
    /// terms than [`Method::MAX_ORDER`] + 1, [`Error::KrylovNotConverged`], [`Error::Factorization`], [`Error::Overflow`]. The state is then unchanged.
    fn advance(&mut self, step: f64, x: &mut [f64], forcing: &[f64]) -> Result<KrylovEffort, Error>;

    /// Where the search for substeps begins in the next step, for [`Propagator::set_pace`]: part of a saved state.
    fn pace(&self) -> f64;

    /// Back to an earlier [`Propagator::pace`].
    fn set_pace(&mut self, pace: f64);

    /// `x` <- e^{AT} x.
    ///
    /// # Errors
    /// As [`Propagator::advance`].
    fn exp_action(&mut self, step: f64, x: &mut [f64]) -> Result<KrylovEffort, Error> {
        self.advance(step, x, &[])
    }

    /// `x` <- G_i(T) x.
    ///
    /// # Errors
    /// As [`Propagator::advance`].
    fn g_action(&mut self, i: usize, step: f64, x: &mut [f64]) -> Result<KrylovEffort, Error> {
        if i >= MAX_TERMS {
            return Err(Error::OrderTooHigh { order: i, limit: Method::MAX_ORDER });
        }
        length("state", x.len(), self.dimension())?;
        let mut forcing = vec![0.0; (i + 1) * x.len()];
        forcing[i * x.len()..].copy_from_slice(x);
        let mut response = vec![0.0; x.len()];
        let effort = self.advance(step, &mut response, &forcing)?;
        x.copy_from_slice(&response);
        Ok(effort)
    }

    /// `x` <- phi_k(TA) x = G_{k-1}(T) x / ((k-1)! T), e^{TA} x for k = 0.
    ///
    /// # Errors
    /// As [`Propagator::advance`].
    fn phi_action(&mut self, k: usize, step: f64, x: &mut [f64]) -> Result<KrylovEffort, Error> {
        if k == 0 {
            return self.exp_action(step, x);
        }
        let mut effort = self.g_action(k - 1, step, x)?;
        let factor = 1.0 / (step * (1..k).map(|j| j as f64).product::<f64>());
        x.iter_mut().for_each(|x| *x *= factor);
        effort.error *= factor;
        Ok(effort)
    }
}

/// Checks the arguments of [`Propagator::advance`]; returns the number of terms.
pub(super) fn check_arguments(n: usize, step: f64, x: &[f64], forcing: &[f64]) -> Result<usize, Error> {
    positive("step", step)?;
    length("state", x.len(), n)?;
    let terms = forcing.len().checked_div(n).unwrap_or(0);
    length("forcing", forcing.len(), n * terms)?;
    if terms > MAX_TERMS {
        return Err(Error::OrderTooHigh { order: terms - 1, limit: Method::MAX_ORDER });
    }
    all_finite("state", x)?;
    all_finite("forcing", forcing)?;
    Ok(terms)
}

/// Refuses a step whose estimated errors, truncation within the tolerance and round-off beside it, sum up to far more than was asked for.
pub(super) fn refuse_round_off(
    effort: &KrylovEffort,
    norm: f64,
    options: &KrylovOptions,
    dimension: usize,
) -> Result<(), Error> {
    let KrylovOptions { tolerance, .. } = *options;
    let estimate = effort.error / norm;
    if norm > 0.0 && !(estimate <= BEYOND * tolerance) {
        return Err(Error::KrylovNotConverged { estimate, tolerance, dimension, substeps: effort.substeps });
    }
    Ok(())
}
