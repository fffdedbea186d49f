//! Interior point for monotone problems: follow z_i w_i = mu down to mu = 0, with Mehrotra's predictor and corrector and Gondzio's
//! further correctors, each of which costs two triangular solves beside the factorization of a step.
//!
//! Each step solves (M + Z^-1 W) dz = Z^-1 r_c + r, dw = M dz - r, r = w - M z - q; the number of steps hardly depends on the problem, however
//! uneven the masses. It ends near the analytic centre of the solutions, the even one among many. Wright, Primal-Dual Interior-Point Methods
//! (1997), chapters 8 and 10; Gondzio, Computational Optimization and Applications 6 (1996) 137. As soon as the z that are larger than their w
//! stay the same from step to step, they are solved for.

use super::{Outcome, Point, Run, factors::Factors, polish::Polish, scaled::Scaled};
use crate::{
    dense::dot,
    residual::size,
    solution::{MethodName, Status},
};

/// Mehrotra's predictor-corrector method with Gondzio's correctors.
#[derive(Debug, Clone, PartialEq)]
pub struct InteriorPoint {
    /// Residual of the original problem that counts as solved.
    pub tolerance: f64,
    /// Steps, one factorization each, at most.
    pub max_iterations: usize,
    /// Natural map of the scaled problem at which the active set is tried for the first time.
    pub crossover: f64,
}

impl Default for InteriorPoint {
    fn default() -> Self {
        Self { tolerance: 1e-10, max_iterations: 80, crossover: 1e-7 }
    }
}

/// Natural map of the scaled problem that is round-off.
const ENOUGH: f64 = 1e-12;
/// What is added to the diagonal, of size one, where round-off makes a matrix singular: some units of it, then so much that any semidefinite one has pivots.
const SHIFTS: [f64; 3] = [0.0, 1e-13, 1e-10];
/// z at the start, over that which fills w with one by a row of usual size, and least w: measured, half as many steps as from ones where
/// the matrix is large beside its diagonal, and nowhere many more.
const START: [f64; 2] = [0.3, 0.1];
/// Mean product z w, over that of the start, from which on the larger start is taken.
const RISEN: f64 = 1.2;
/// Residual r, beside a q of one, from which on the larger start is taken.
const INFEASIBLE: f64 = 0.1;

/// Share of the way to the boundary that a step goes at most: z and w stay above zero.
const STAY_INSIDE: f64 = 0.995;
/// Steps without progress before it gives up.
const STALLED: usize = 25;

/// Further correctors of a step at most.
const CORRECTORS: usize = 3;
/// Share of a full step that needs no further one.
const FAR: f64 = 0.95;
/// By how much a corrector is to lengthen the step.
const LONGER: f64 = 0.2;
/// The share of that lengthening from which on it is worth keeping.
const WORTH: f64 = 0.1;
/// Least and largest product z_i w_i, beside the one aimed at, that needs no correction.
const NEAR: [f64; 2] = [0.1, 10.0];

/// Workspace of the method.
#[derive(Debug, Clone, Default)]
pub struct Workspace {
    z: Vec<f64>,
    w: Vec<f64>,
    residual: Vec<f64>,
    complement: Vec<f64>,
    dz: Vec<f64>,
    dw: Vec<f64>,
    /// dz and dw before a further corrector.
    kept: [Vec<f64>; 2],
    /// Which z were larger than their w at the last step.
    larger: Vec<bool>,
    all: Vec<usize>,
    factors: Factors,
    polish: Polish,
}

impl Run for InteriorPoint {
    type Workspace = Workspace;
    const NAME: MethodName = MethodName::InteriorPoint;
    const POLISHED: bool = true;

    fn tolerance(&self) -> f64 {
        self.tolerance
    }

    fn run(&self, scaled: &Scaled, point: &mut Point, workspace: &mut Workspace) -> Outcome {
        workspace.start(scaled, START[0] / scaled.row().max(1.0), START[1]);
        let mut first = Some(workspace.mean_product());
        let (mut best, mut polished, mut stalled, mut crossover) = (f64::INFINITY, f64::INFINITY, 0, self.crossover);
        for iterations in 0..self.max_iterations {
            let mut natural = workspace.natural(scaled);
            if scaled.meter.is_over() {
                return Outcome { status: Status::OutOfBudget, iterations };
            }
            // Far from any solution, the products grow instead of falling, by short steps.
            if first.is_some_and(|first| workspace.mean_product() > RISEN * first)
                && size(&workspace.residual) > INFEASIBLE
            {
                first = None;
                workspace.start(scaled, 1.0, 1.0);
                natural = workspace.natural(scaled);
            }
            if natural < best {
                best = natural;
                point.z.copy_from_slice(&workspace.z);
            }
            let (near, stands) = (best <= crossover, workspace.active_set_stands());
            if near || (stands && natural == best) {
                let reached = if near {
                    crossover *= 0.03;
                    workspace.polish.improve(scaled, &mut point.z)
                } else {
                    workspace.polish.improve_once(scaled, &mut point.z)
                };
                // Or round-off, with wild entries and a large z, lets it come no nearer.
                if reached <= ENOUGH || (reached <= self.tolerance && reached > 0.5 * polished) {
                    return Outcome { status: Status::Solved, iterations };
                }
                polished = reached;
            }
            stalled = if natural <= 0.9 * best || natural == best { 0 } else { stalled + 1 };
            let trouble = stalled > STALLED || !workspace.factor(scaled);
            if trouble || !workspace.step(scaled) {
                point.ray.clone_from(&workspace.z);
                return Outcome { status: Status::NumericalTrouble, iterations };
            }
        }
        point.ray.clone_from(&workspace.z);
        Outcome { status: Status::MaxIterations, iterations: self.max_iterations }
    }
}

impl Workspace {
    /// The same z everywhere and w = max(M z + q, least): well inside, of the size of the data.
    fn start(&mut self, scaled: &Scaled, z: f64, least: f64) {
        let n = scaled.len();
        for vector in [&mut self.z, &mut self.w, &mut self.residual, &mut self.complement, &mut self.dz, &mut self.dw] {
            vector.clear();
            vector.resize(n, z);
        }
        self.larger.clear();
        self.all.clear();
        self.all.extend(0..n);
        scaled.w(&self.z, &mut self.w);
        self.w.iter_mut().for_each(|w| *w = w.max(least));
    }

    fn mean_product(&self) -> f64 {
        dot(&self.z, &self.w) / self.z.len() as f64
    }

    /// Whether the same z as at the last step are larger than their w.
    fn active_set_stands(&mut self) -> bool {
        let Self { z, w, larger, .. } = self;
        let same = larger.len() == z.len() && (0..z.len()).all(|i| larger[i] == (z[i] > w[i]));
        larger.clear();
        larger.extend(z.iter().zip(w.iter()).map(|(z, w)| z > w));
        same
    }

    /// Natural map at z, by its true w; leaves r = w - M z - q.
    fn natural(&mut self, scaled: &Scaled) -> f64 {
        scaled.w(&self.z, &mut self.dw);
        for i in 0..self.z.len() {
            self.residual[i] = self.w[i] - self.dw[i];
        }
        Scaled::natural(&self.z, &self.dw)
    }

    /// Factors M + Z^-1 W, with a little on the diagonal where round-off makes that singular.
    fn factor(&mut self, scaled: &Scaled) -> bool {
        let (z, w) = (&self.z, &self.w);
        SHIFTS.iter().any(|&shift| self.factors.factor(scaled, &self.all, 0.0, |i| w[i] / z[i] + shift))
    }

    /// Predictor, centering, corrector. False if no number comes out.
    fn step(&mut self, scaled: &Scaled) -> bool {
        let n = self.z.len() as f64;
        let mu = self.mean_product();
        for i in 0..self.z.len() {
            self.complement[i] = -self.z[i] * self.w[i];
        }
        self.direction(scaled);
        let reach = self.reach();
        let after: f64 =
            (0..self.z.len()).map(|i| (self.z[i] + reach * self.dz[i]) * (self.w[i] + reach * self.dw[i])).sum::<f64>()
                / n;
        let centre = (after / mu).powi(3) * mu;
        for i in 0..self.z.len() {
            self.complement[i] = centre - self.z[i] * self.w[i] - self.dz[i] * self.dw[i];
        }
        self.direction(scaled);
        self.centralize(scaled, centre);
        let length = (STAY_INSIDE * self.reach()).min(1.0);
        for i in 0..self.z.len() {
            self.z[i] += length * self.dz[i];
            self.w[i] += length * self.dw[i];
        }
        self.z.iter().zip(&self.w).all(|(z, w)| *z > 0.0 && *w > 0.0 && (z * w).is_finite())
    }

    /// Gondzio's correctors: products z w that would lie far from `centre` after a somewhat longer step are aimed back at it, as long as that
    /// does lengthen the step.
    fn centralize(&mut self, scaled: &Scaled, centre: f64) {
        let mut reach = self.reach().min(1.0);
        for _ in 0..CORRECTORS {
            if reach >= FAR || !(centre > 0.0 && centre.is_finite()) {
                return;
            }
            let wanted = (reach + LONGER).min(1.0);
            for i in 0..self.z.len() {
                let product = (self.z[i] + wanted * self.dz[i]) * (self.w[i] + wanted * self.dw[i]);
                let change = product.clamp(NEAR[0] * centre, NEAR[1] * centre) - product;
                self.complement[i] += change.max(-NEAR[1] * centre);
            }
            for (kept, now) in self.kept.iter_mut().zip([&self.dz, &self.dw]) {
                kept.clear();
                kept.extend_from_slice(now);
            }
            self.direction(scaled);
            let reached = self.reach().min(1.0);
            if !(reached >= reach + WORTH * LONGER) {
                let [dz, dw] = &mut self.kept;
                std::mem::swap(&mut self.dz, dz);
                std::mem::swap(&mut self.dw, dw);
                return;
            }
            reach = reached;
        }
    }

    /// dz and dw for the present right-hand sides.
    fn direction(&mut self, scaled: &Scaled) {
        for i in 0..self.z.len() {
            self.dz[i] = self.complement[i] / self.z[i] + self.residual[i];
        }
        self.factors.solve(&mut self.dz);
        scaled.w(&self.dz, &mut self.dw);
        for i in 0..self.z.len() {
            self.dw[i] -= scaled.q[i] + self.residual[i];
        }
    }

    /// Longest step that keeps z and w nonnegative.
    fn reach(&self) -> f64 {
        let limit = |x: &[f64], dx: &[f64]| {
            x.iter()
                .zip(dx)
                .filter(|(_, dx)| **dx < 0.0)
                .fold(1.0 / STAY_INSIDE, |least: f64, (x, dx)| least.min(-x / dx))
        };
        limit(&self.z, &self.dz).min(limit(&self.w, &self.dw))
    }
}
