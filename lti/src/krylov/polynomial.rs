//! The polynomial Krylov space of A and x: products with A only, for systems that are not stiff.

use super::arnoldi::{Arnoldi, Extended, norm};
use super::forcing::Forcing;
use super::operator::LinearOperator;
use super::propagator::{
    KrylovEffort, KrylovOptions, MAX_TERMS, Propagator, SAFETY, check_arguments, refuse_round_off,
};
use super::small::{SmallExponential, perturbation};
use crate::Error;

/// Steps of dx/dt = A x + f(t) by products with A.
///
/// e^{dA} x is approximated by beta V_{m+1} times the first column of e^{dH}, H bordered by its last row, whose last entry estimates the
/// error (Saad, SIAM J. Numer. Anal. 29 (1992) 209, eq. 27 and section 5; Sidje, ACM TOMS 24 (1998) 130). The space grows until the estimate is
/// below the tolerance; when it is full the substep shrinks instead, in the same space.
///
/// ```
/// use fourbar_lti::{KrylovOptions, PolynomialKrylov, Propagator};
/// use nalgebra::dmatrix;
///
/// // A full turn of an oscillator.
/// let mut krylov = PolynomialKrylov::new(dmatrix![0.0, 1.0; -1.0, 0.0], &KrylovOptions::default())?;
/// let mut x = [1.0, 0.0];
/// krylov.exp_action(std::f64::consts::TAU, &mut x)?;
/// assert!((x[0] - 1.0).abs() < 1e-11 && x[1].abs() < 1e-11);
/// # Ok::<(), fourbar_lti::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct PolynomialKrylov<A> {
    operator: A,
    options: KrylovOptions,
    arnoldi: Arnoldi,
    small: SmallExponential,
    forcing: Forcing,
    /// [x; z].
    state: Vec<f64>,
    /// Of the solution in the basis, for the last estimate.
    coefficients: Vec<f64>,
    /// Length of the last substep \[s\]: where the next call begins.
    substep: f64,
}

impl<A: LinearOperator> PolynomialKrylov<A> {
    /// # Errors
    /// [`Error::Setting`]; [`Error::MatrixShape`] and [`Error::NotFinite`] for A.
    pub fn new(operator: A, options: &KrylovOptions) -> Result<Self, Error> {
        options.validate()?;
        operator.check()?;
        let n = operator.dimension();
        Ok(Self {
            operator,
            options: options.clone(),
            arnoldi: Arnoldi::new(n + MAX_TERMS, options.max_dimension.min(n + MAX_TERMS)),
            small: SmallExponential::new(options.max_dimension + 1),
            forcing: Forcing::default(),
            state: Vec::with_capacity(n + MAX_TERMS),
            coefficients: Vec::with_capacity(options.max_dimension + 1),
            substep: f64::INFINITY,
        })
    }

    /// Extends the space until [x; z] can be carried over a substep; returns its length, at most `wanted`, and the relative error.
    fn project(&mut self, step: f64, wanted: f64, effort: &mut KrylovEffort) -> Result<(f64, f64), Error> {
        let n = self.operator.dimension();
        loop {
            let extended = self.arnoldi.extend(|v, w| {
                let ((x, z), (dx, dz)) = (v.split_at(n), w.split_at_mut(n));
                self.operator.apply(x, dx);
                dx.iter_mut().for_each(|dx| *dx *= step);
                self.forcing.add(1.0, z, dx);
                Forcing::differentiate(z, dz);
            });
            effort.applications += 1;
            let m = self.arnoldi.dimension();
            effort.dimension = effort.dimension.max(m);
            match extended {
                Extended::NotFinite => {
                    let (index, value) = self.arnoldi.not_finite();
                    return Err(Error::NotFinite { name: "product with A", index, value });
                }
                Extended::Grown if !(m + 1).is_multiple_of(4) && !self.arnoldi.is_full() => {}
                _ => {
                    let done = extended == Extended::Invariant || self.arnoldi.is_full();
                    let estimate = self.estimate(wanted);
                    if estimate <= self.options.tolerance * wanted {
                        let (round_off, tolerable) = self.round_off(wanted);
                        if tolerable {
                            return Ok((wanted, estimate.max(round_off)));
                        }
                        // A longer basis would not help: a shorter substep has less of a transient.
                        return self.shrink(0.5 * wanted);
                    }
                    if done {
                        return self.shrink(wanted);
                    }
                }
            }
        }
    }

    /// The longest substep that the present space carries.
    fn shrink(&mut self, mut substep: f64) -> Result<(f64, f64), Error> {
        let (tolerance, m) = (self.options.tolerance, self.arnoldi.dimension());
        loop {
            let estimate = self.estimate(substep);
            let mut factor = 0.5;
            if estimate <= tolerance * substep {
                let (round_off, tolerable) = self.round_off(substep);
                if tolerable {
                    return Ok((substep, estimate.max(round_off)));
                }
            } else {
                // The estimate goes as the m-th power of the substep.
                factor = 0.9 * (tolerance * substep / estimate).powf(1.0 / m as f64);
                factor = if factor.is_finite() { factor.clamp(0.1, 0.8) } else { 0.1 };
            }
            substep *= factor;
            if substep * (self.options.max_substeps as f64) < 0.5 {
                return Err(self.not_converged(estimate, self.options.max_substeps));
            }
        }
    }

    /// What round-off of the projection may do to the solution last estimated: its change when H is perturbed by as much. Acceptable when it is
    /// within the tolerance, or no more than a matrix of this norm must suffer, whatever the substep.
    fn round_off(&mut self, substep: f64) -> (f64, bool) {
        let (m, arnoldi) = (self.arnoldi.dimension(), &self.arnoldi);
        let size = arnoldi.size();
        let entry = |i: usize, j: usize| if j < m { arnoldi.h(i, j) + perturbation(size, m, i, j) } else { 0.0 };
        let Some([column, _]) = self.small.first_columns(m + 1, substep, entry) else { return (f64::INFINITY, false) };
        let change = column[..m].iter().zip(&self.coefficients).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
        let least = 16.0 * f64::EPSILON * (1.0 + size * substep);
        (change, change <= least.max(self.options.tolerance * substep))
    }

    /// The coefficients of the solution in v_1, ..., v_{m+1} and the relative error; infinite where the projected exponential overflows.
    fn estimate(&mut self, substep: f64) -> f64 {
        let (m, arnoldi) = (self.arnoldi.dimension(), &self.arnoldi);
        let entry = |i: usize, j: usize| if j < m { arnoldi.h(i, j) } else { 0.0 };
        let Some([column, _]) = self.small.first_columns(m + 1, substep, entry) else { return f64::INFINITY };
        self.coefficients.clear();
        self.coefficients.extend_from_slice(column);
        SAFETY * column[m].abs()
    }

    fn not_converged(&self, estimate: f64, substeps: usize) -> Error {
        let (tolerance, dimension) = (self.options.tolerance, self.arnoldi.dimension());
        Error::KrylovNotConverged { estimate, tolerance, dimension, substeps }
    }
}

impl<A: LinearOperator> Propagator for PolynomialKrylov<A> {
    fn dimension(&self) -> usize {
        self.operator.dimension()
    }

    fn pace(&self) -> f64 {
        self.substep
    }

    fn set_pace(&mut self, pace: f64) {
        self.substep = if pace > 0.0 { pace } else { f64::INFINITY };
    }

    fn advance(&mut self, step: f64, x: &mut [f64], forcing: &[f64]) -> Result<KrylovEffort, Error> {
        let n = self.operator.dimension();
        let terms = check_arguments(n, step, x, forcing)?;
        self.forcing.set(n, terms, |c| c.iter_mut().zip(forcing).for_each(|(c, f)| *c = step * f));
        self.state.clear();
        self.state.extend_from_slice(x);
        self.state.resize(n + self.forcing.len(), 0.0);
        let mut begun = norm(x);
        let mut effort = KrylovEffort::default();
        let mut theta = 0.0;
        let mut next = self.substep / step;
        while theta < 1.0 {
            self.forcing.tail(theta, &mut self.state[n..]);
            let beta = self.arnoldi.begin(&self.state);
            if beta == 0.0 {
                break;
            }
            if !beta.is_finite() {
                return Err(Error::Overflow { what: "state" });
            }
            begun = begun.max(beta);
            let rest = 1.0 - theta;
            // No substep that leaves a sliver behind.
            let wanted = if next < rest { next.min(0.5 * rest) } else { rest };
            let (substep, estimate) = self.project(step, wanted, &mut effort)?;
            effort.substeps += 1;
            if effort.substeps > self.options.max_substeps {
                return Err(self.not_converged(estimate, effort.substeps));
            }
            self.arnoldi.combine(&self.coefficients, &mut self.state);
            effort.error += beta * estimate;
            theta = if substep == rest { 1.0 } else { theta + substep };
            if substep < rest {
                self.substep = substep * step;
            }
            next = 2.0 * substep;
        }
        let norm = norm(&self.state[..n]);
        if !norm.is_finite() {
            return Err(Error::Overflow { what: "state" });
        }
        refuse_round_off(&effort, norm.max(begun), &self.options, self.arnoldi.dimension())?;
        x.copy_from_slice(&self.state[..n]);
        Ok(effort)
    }
}
