//! The Krylov space of (I - gamma A)^{-1} and x: one sparse factorization, for diffusion and other stiff dissipative systems.

use fourbar_linalg::Error::Singular;
use fourbar_linalg::{Calahan, CalahanOptions, CscMatrix};
use nalgebra::DMatrix;

use super::arnoldi::{Arnoldi, Extended, norm};
use super::forcing::Forcing;
use super::operator::LinearOperator;
use super::propagator::{
    KrylovEffort, KrylovOptions, MAX_TERMS, Propagator, SAFETY, check_arguments, refuse_round_off,
};
use super::small::{SmallExponential, perturbation};
use crate::Error;
use crate::error::all_finite;

/// gamma in units of the substep. From 0.05 to 0.15 the dimension that a heat equation takes changes by a tenth at most.
const SHIFT: f64 = 0.1;

/// The relative error of a substep that round-off of any projection has: shorter substeps would not make it less.
const LEAST: f64 = 256.0 * f64::EPSILON;

/// Steps of dx/dt = A x + f(t) by solving with I - gamma A.
///
/// In the space of S = (I - gamma A)^{-1} with projection H, A is represented by (I - H^{-1})/gamma, and e^{dA} x by beta V_m e^{d(I - H^{-1})/gamma} e_1
/// (Moret and Novati, BIT 44 (2004) 595; van den Eshof and Hochbruck, SIAM J. Sci. Comput. 27 (2006) 1438). gamma is a tenth of the
/// substep. The space grows until two indicators stay below the tolerance at two checks running, and when it is full the substep is
/// halved. The change by the last two vectors is the error before they came and sees fast modes; S times the residual, at the end or as its
/// integral h_{m+1,m} (d/gamma) e_m^T H^{-1} phi_1(d (I - H^{-1})/gamma) e_1, sees the error of slow modes that the space has not found
/// yet.
///
/// A forcing f with large components in the fast modes (a boundary value, say) is exchanged for a smooth one: with q = gamma S f,
/// y = x - q obeys dy/dt = A y + q/gamma - dq/dt, exactly.
///
/// ```
/// use fourbar_linalg::CscMatrix;
/// use fourbar_lti::{KrylovOptions, Propagator, RationalKrylov};
/// use nalgebra::DMatrix;
///
/// // Two cells that exchange heat, and a fast one.
/// let a = CscMatrix::from(&DMatrix::from_row_slice(3, 3, &[-1.0, 1.0, 0.0, 1.0, -1.0, 0.0, 0.0, 1e6, -1e6]));
/// let mut krylov = RationalKrylov::new(&a, &KrylovOptions::default())?;
/// let mut x = [1.0, 0.0, 0.0];
/// krylov.exp_action(0.5, &mut x)?;
/// assert!((x[0] - 0.5 * (1.0 + (-1f64).exp())).abs() < 1e-11);
/// # Ok::<(), fourbar_lti::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct RationalKrylov {
    a: CscMatrix<f64>,
    options: KrylovOptions,
    resolvent: Option<Resolvent>,
    arnoldi: Arnoldi,
    small: SmallExponential,
    forcing: Forcing,
    /// q_0, q_1, ....
    lift: Vec<f64>,
    /// [y; z].
    state: Vec<f64>,
    projected: Projected,
    /// Substeps of the last step: where the next one begins.
    substeps: usize,
}

/// (I - g A)^{-1}, g \[s\].
#[derive(Debug, Clone)]
struct Resolvent {
    g: f64,
    lu: Calahan,
    /// I - g A, in the pattern of the factors.
    shifted: CscMatrix<f64>,
    /// A solution before it takes the place of its right-hand side.
    solution: Vec<f64>,
}

/// Pivots of a half, since smaller ones grow along lines and rings of cells. Solutions as good as the projection needs them: it orthogonalizes to round-off, and tolerances go down to 1e-14.
pub(super) const CHECKS: CalahanOptions = CalahanOptions {
    pivot_tolerance: 0.5,
    growth_limit: 1e3,
    pivot_floor: 1e-7,
    refine_above: 1e-15,
    repivot_above: 1e-13,
    refuse_above: 1e-10,
    interrupt: fourbar_linalg::Interrupt::never(),
};

/// The projected solution: its coefficients in the basis, now and at the last check.
#[derive(Debug, Clone)]
struct Projected {
    now: Vec<f64>,
    before: Vec<f64>,
    /// S times the residual, at the end or as its integral: the error of the slow modes.
    residual: f64,
    /// The larger indicator of the error at the last check.
    indicator: f64,
}

impl RationalKrylov {
    /// # Errors
    /// [`Error::Setting`]; [`Error::MatrixShape`] and [`Error::NotFinite`] for A \[1/s\].
    pub fn new(a: &CscMatrix<f64>, options: &KrylovOptions) -> Result<Self, Error> {
        options.validate()?;
        a.check()?;
        let (n, largest) = (a.nrows(), options.max_dimension);
        Ok(Self {
            a: a.clone(),
            options: options.clone(),
            resolvent: None,
            arnoldi: Arnoldi::new(n + MAX_TERMS, largest.min(n + MAX_TERMS)),
            small: SmallExponential::new(largest),
            forcing: Forcing::default(),
            lift: Vec::new(),
            state: Vec::with_capacity(n + MAX_TERMS),
            projected: Projected {
                now: Vec::with_capacity(largest),
                before: Vec::with_capacity(largest),
                residual: 0.0,
                indicator: 0.0,
            },
            substeps: 1,
        })
    }

    /// Factors I - g A for a step in `count` parts, or in more where it is singular (1/g being an eigenvalue of A); returns the number of
    /// parts.
    fn prepare(&mut self, step: f64, mut count: usize, effort: &mut KrylovEffort) -> Result<usize, Error> {
        loop {
            match self.factor(SHIFT / count as f64 * step, effort) {
                Err(Error::Factorization(Singular { .. })) if 2 * count <= self.options.max_substeps => count *= 2,
                other => return other.map(|()| count),
            }
        }
    }

    /// Factors I - g A, unless it is the matrix factored last.
    fn factor(&mut self, g: f64, effort: &mut KrylovEffort) -> Result<(), Error> {
        if self.resolvent.as_ref().is_some_and(|resolvent| resolvent.g == g) {
            return Ok(());
        }
        effort.factorizations += 1;
        let shifted = CscMatrix::identity(self.a.nrows()) + &self.a * -g;
        // Taken out, so that a failure leaves no factors of another matrix.
        let lu = match self.resolvent.take() {
            Some(Resolvent { mut lu, .. }) => {
                lu.refactor(shifted.values())?;
                lu
            }
            None => Calahan::new(shifted.pattern(), shifted.values(), &CHECKS)?,
        };
        self.resolvent = Some(Resolvent { g, lu, shifted, solution: vec![0.0; self.a.nrows()] });
        Ok(())
    }

    /// Solves with the factors in place; the solution is checked, and refined where it must be.
    fn solve(resolvent: &mut Option<Resolvent>, x: &mut [f64]) -> Result<(), Error> {
        if let Some(Resolvent { lu, shifted, solution, .. }) = resolvent {
            lu.solve_checked(shifted.values(), x, solution)?;
            x.copy_from_slice(solution);
        }
        Ok(())
    }

    /// From x and f to y and its forcing: q_j = g S f_j, c_j = q_j/gamma - (j + 1) q_{j+1} in units of the step.
    fn lift(
        &mut self,
        gamma: f64,
        step: f64,
        x: &[f64],
        forcing: &[f64],
        effort: &mut KrylovEffort,
    ) -> Result<(), Error> {
        let (n, g) = (x.len(), gamma * step);
        self.lift.clear();
        self.lift.extend(forcing.iter().map(|f| g * f));
        for q in self.lift.chunks_exact_mut(n) {
            Self::solve(&mut self.resolvent, q)?;
            effort.applications += 1;
        }
        let q = &self.lift;
        all_finite("solution with I - gamma A", q)?;
        self.forcing.set(n, q.len() / n, |c| {
            for (i, c) in c.iter_mut().enumerate() {
                let next = q.get(i + n).map_or(0.0, |next| (i / n + 1) as f64 * next);
                *c = q[i] / gamma - next;
            }
        });
        self.state.clear();
        self.state.extend(x.iter().enumerate().map(|(i, x)| x - q.get(i).unwrap_or(&0.0)));
        self.state.resize(n + self.forcing.len(), 0.0);
        Ok(())
    }

    /// Extends the space until [y; z] can be carried over `substep`; the relative error, infinite or too large where that fails.
    fn project(&mut self, gamma: f64, substep: f64, effort: &mut KrylovEffort) -> Result<f64, Error> {
        let n = self.a.nrows();
        let (forcing, resolvent) = (&self.forcing, &mut self.resolvent);
        self.projected.now.clear();
        self.projected.indicator = f64::INFINITY;
        loop {
            let mut solved = Ok(());
            let extended = self.arnoldi.extend(|v, w| {
                let ((x, z), (rx, rz)) = (v.split_at(n), w.split_at_mut(n));
                Forcing::resolve(gamma, z, rz);
                rx.copy_from_slice(x);
                forcing.add(gamma, rz, rx);
                solved = Self::solve(resolvent, rx);
            });
            solved?;
            effort.applications += 1;
            let m = self.arnoldi.dimension();
            effort.dimension = effort.dimension.max(m);
            let done = extended == Extended::Invariant || self.arnoldi.is_full();
            if extended == Extended::NotFinite {
                let (index, value) = self.arnoldi.not_finite();
                return Err(Error::NotFinite { name: "solution with I - gamma A", index, value });
            }
            if !done && !m.is_multiple_of(2) {
                continue;
            }
            let usable = self.projected.update(&mut self.small, &self.arnoldi, substep / gamma);
            let estimate = match (usable, extended) {
                (false, _) => f64::INFINITY,
                (true, Extended::Invariant) => 0.0,
                (true, _) => self.projected.estimate(),
            };
            if estimate <= self.options.tolerance * substep {
                let round_off = self.projected.round_off(&mut self.small, &self.arnoldi, substep / gamma);
                return Ok(estimate.max(round_off));
            }
            if done {
                return Ok(estimate);
            }
        }
    }
}

fn identity(i: usize, j: usize) -> f64 {
    f64::from(u8::from(i == j))
}

impl Projected {
    /// The first column of e^{ratio (I - H^{-1})}; false where H is singular or the exponential overflows.
    fn update(&mut self, small: &mut SmallExponential, arnoldi: &Arnoldi, ratio: f64) -> bool {
        let m = arnoldi.dimension();
        std::mem::swap(&mut self.now, &mut self.before);
        self.now.clear();
        let Some(inverse) = DMatrix::from_fn(m, m, |i, j| arnoldi.h(i, j)).try_inverse() else { return false };
        let Some([exp, phi_1]) = small.first_columns(m, ratio, |i, j| identity(i, j) - inverse[(i, j)]) else {
            return false;
        };
        self.now.extend_from_slice(exp);
        let last = |column: &[f64]| (0..m).map(|j| inverse[(m - 1, j)] * column[j]).sum::<f64>().abs();
        self.residual = ratio * arnoldi.h(m, m - 1) * last(exp).max(last(phi_1));
        true
    }

    /// What round-off of the projection may do to the solution: its change when H is perturbed by as much.
    fn round_off(&self, small: &mut SmallExponential, arnoldi: &Arnoldi, ratio: f64) -> f64 {
        let (m, size) = (arnoldi.dimension(), arnoldi.size());
        let perturbed = DMatrix::from_fn(m, m, |i, j| arnoldi.h(i, j) + perturbation(size, m, i, j));
        let Some(inverse) = perturbed.try_inverse() else { return f64::INFINITY };
        let column = small.first_columns(m, ratio, |i, j| identity(i, j) - inverse[(i, j)]);
        let Some([column, _]) = column else { return f64::INFINITY };
        self.now.iter().zip(column).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
    }

    /// The relative error: the larger indicator at this check or the one before, since a single deep dip may be luck.
    fn estimate(&mut self) -> f64 {
        let indicator = SAFETY * self.change().max(self.residual);
        let before = std::mem::replace(&mut self.indicator, indicator);
        indicator.max(before)
    }

    /// The 2-norm of the difference to the last check; infinite when there was none.
    fn change(&self) -> f64 {
        if self.before.is_empty() {
            return f64::INFINITY;
        }
        let before = self.before.iter().chain(std::iter::repeat(&0.0));
        self.now.iter().zip(before).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
    }
}

impl Propagator for RationalKrylov {
    fn dimension(&self) -> usize {
        self.a.nrows()
    }

    fn pace(&self) -> f64 {
        self.substeps as f64
    }

    fn set_pace(&mut self, pace: f64) {
        self.substeps = (pace as usize).clamp(1, self.options.max_substeps);
    }

    fn advance(&mut self, step: f64, x: &mut [f64], forcing: &[f64]) -> Result<KrylovEffort, Error> {
        let n = self.a.nrows();
        check_arguments(n, step, x, forcing)?;
        let mut effort = KrylovEffort::default();
        if n == 0 {
            return Ok(effort);
        }
        let mut count = self.prepare(step, self.substeps, &mut effort)?;
        self.lift(SHIFT / count as f64, step, x, forcing, &mut effort)?;
        let mut begun = norm(x);
        let mut done = 0;
        while done < count {
            let finer = self.prepare(step, count, &mut effort)?;
            (count, done) = (finer, done * (finer / count));
            let substep = 1.0 / count as f64;
            self.forcing.tail(done as f64 * substep, &mut self.state[n..]);
            let beta = self.arnoldi.begin(&self.state);
            if beta == 0.0 {
                break;
            }
            if !beta.is_finite() {
                return Err(Error::Overflow { what: "state" });
            }
            begun = begun.max(beta);
            let estimate = self.project(SHIFT * substep, substep, &mut effort)?;
            if estimate <= (self.options.tolerance * substep).max(LEAST) {
                self.arnoldi.combine(&self.projected.now, &mut self.state);
                effort.error += beta * estimate;
                effort.substeps += 1;
                done += 1;
                continue;
            }
            (count, done) = (2 * count, 2 * done);
            if count > self.options.max_substeps {
                let (tolerance, dimension) = (self.options.tolerance, self.arnoldi.dimension());
                return Err(Error::KrylovNotConverged { estimate, tolerance, dimension, substeps: count / 2 });
            }
        }
        self.substeps = count;
        for q in self.lift.chunks_exact(n) {
            self.state[..n].iter_mut().zip(q).for_each(|(y, q)| *y += q);
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
