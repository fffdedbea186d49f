//! What a solver answers: how it ended, the best point it saw, and by how much that point misses the original problem.
//!
//! Every solver of this crate returns a [`Solution`]; [`Status::Solved`] stands there only if the [`Residual`] of the problem as it was
//! given, not of any reduced or regularized one, is at most the tolerance.

use serde::{Deserialize, Serialize};

/// How a solve ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Status {
    /// The residual of the original problem is at most the tolerance.
    Solved,
    /// The path of complementary pivots ended on a ray. This proves nothing about the problem.
    Ray,
    /// No z >= 0 has w >= 0: [`Solution::certificate`] holds y >= 0 with M^T y <= 0 and q^T y < 0. With friction: y >= 0 in the normal
    /// rows, 0 in the others, W y = 0 and q^T y < 0, so that no impulses keep all gaps from closing.
    Infeasible,
    /// The equations (bilateral rows) contradict each other.
    Inconsistent,
    /// The iterations ran out.
    MaxIterations,
    /// Round-off, a singular matrix or lack of progress stopped the method.
    NumericalTrouble,
    /// The [`Budget`](crate::Budget) of work or time was spent, or the solve was called off.
    OutOfBudget,
}

impl std::fmt::Display for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Solved => "solved",
            Self::Ray => "ended on a ray",
            Self::Infeasible => "infeasible",
            Self::Inconsistent => "inconsistent equations",
            Self::MaxIterations => "out of iterations",
            Self::NumericalTrouble => "numerical trouble",
            Self::OutOfBudget => "out of budget",
        })
    }
}

/// By how much a point misses the original problem. All zero at an exact solution.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Residual {
    /// Scaled natural map: max_i |min(z_i / c_i, w_i r_i)| over max_i |q_i| r_i (with q = 0, over the largest z_i / c_i or w_i r_i),
    /// with c_i = r_i = 1/sqrt(M_ii), or, where that leaves rows or columns of M above 1e3 or below 1e-3 or small entries without a
    /// counterpart, the scales that bring all entries of M nearest to one, which are the same in any units; for friction
    /// |S - P_K(S - u~)| over |q|, all in units in which contacts are alike (1/sqrt(W_ii)), to which the round-off of u is added where it is above
    /// 1e-8 of that. The same in whatever units lengths, masses and times are written: no size counts as one. Where z is so large
    /// that the round-off of w might decide, w is formed with twice the digits. Dimensionless.
    pub natural: f64,
    /// |z^T w|, in the units of z times w.
    pub complementarity: f64,
    /// Worst negative z: max_i max(0, -z_i), in the units of z.
    pub negative_z: f64,
    /// Worst negative w: max_i max(0, -w_i), in the units of w.
    pub negative_w: f64,
    /// Equations of a mixed problem, max_i |A u + B z + a|_i over the largest constant, rows scaled.
    pub mixed: f64,
}

impl Residual {
    /// The residual of nothing known: every measure infinite.
    pub const UNKNOWN: Self = Self {
        natural: f64::INFINITY,
        complementarity: f64::INFINITY,
        negative_z: f64::INFINITY,
        negative_w: f64::INFINITY,
        mixed: f64::INFINITY,
    };

    /// The one number that decides: the larger of natural map and equations. NaN counts as infinite.
    #[must_use]
    pub fn value(&self) -> f64 {
        if self.natural.is_nan() || self.mixed.is_nan() { f64::INFINITY } else { self.natural.max(self.mixed) }
    }

    /// Whether the point solves the problem to `tolerance`.
    #[must_use]
    pub fn within(&self, tolerance: f64) -> bool {
        self.value() <= tolerance
    }
}

/// Which method worked on a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum MethodName {
    /// Nothing to do: q >= 0, or no rows.
    Trivial,
    /// Block principal pivoting from a guess of the active set.
    ActiveSet,
    /// Complementary pivots along a covering vector.
    Lemke,
    /// Projected Gauss-Seidel or SOR sweeps.
    GaussSeidel,
    /// Augmented Lagrangian (friction in global form).
    AugmentedLagrangian,
    /// Nonsmooth Newton (friction).
    Newton,
    /// Interior point.
    InteriorPoint,
    /// Enumeration of complementary bases.
    Enumeration,
    /// Search for a proof that no feasible point exists.
    Feasibility,
    /// Block by block, where the matrix is block triangular in some order of the pairs.
    BlockTriangular,
    /// Fixed point over second-order cone problems (friction).
    FixedPoint,
    /// Continuation in contact compliance (friction).
    Continuation,
}

/// One method's try.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Attempt {
    /// Who tried.
    pub method: MethodName,
    /// How it ended.
    pub status: Status,
    /// Its iterations, pivots or sweeps.
    pub iterations: usize,
    /// Residual of the original problem it reached, [`Residual::value`].
    pub residual: f64,
}

/// The first few tries of a solve, in order, and how many there were; of a fixed size, so that a solve allocates nothing.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Default)]
pub struct Attempts {
    kept: [Option<Attempt>; Self::KEPT],
    /// Number of tries, kept or not.
    pub count: usize,
}

impl Attempts {
    /// Number of tries kept.
    pub const KEPT: usize = 16;

    /// Adds a try; beyond [`Self::KEPT`] the last place is overwritten.
    pub fn push(&mut self, attempt: Attempt) {
        self.kept[self.count.min(Self::KEPT - 1)] = Some(attempt);
        self.count += 1;
    }

    /// The tries kept, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Attempt> {
        self.kept.iter().flatten()
    }

    /// The last try.
    #[must_use]
    pub fn last(&self) -> Option<&Attempt> {
        self.iter().last()
    }
}

/// What a solver answers. Made once and filled again by every solve, so that its vectors keep their memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Solution {
    /// How it ended.
    pub status: Status,
    /// Free variables of a mixed problem; else empty.
    pub u: Vec<f64>,
    /// Best complementary variables (impulses of contacts).
    pub z: Vec<f64>,
    /// w at z, from the original data (velocities of contacts).
    pub w: Vec<f64>,
    /// Residual of the original problem at this point.
    pub residual: Residual,
    /// Iterations, pivots or sweeps, all tries together.
    pub iterations: usize,
    /// How many directions of `u` the equations leave open (redundant joints): 0 if u is unique.
    pub undetermined: usize,
    /// With [`Status::Infeasible`]: the proof, of which [`Status::Infeasible`] says what it is; else empty.
    pub certificate: Vec<f64>,
    /// Who tried what.
    pub attempts: Attempts,
}

impl Default for Solution {
    fn default() -> Self {
        Self {
            status: Status::NumericalTrouble,
            u: Vec::new(),
            z: Vec::new(),
            w: Vec::new(),
            residual: Residual::UNKNOWN,
            iterations: 0,
            undetermined: 0,
            certificate: Vec::new(),
            attempts: Attempts::default(),
        }
    }
}

impl Solution {
    /// Whether it is solved.
    #[must_use]
    pub fn solved(&self) -> bool {
        self.status == Status::Solved
    }

    /// Forgets everything but the memory, for `free` free and `n` complementary variables, all zero.
    pub fn reset(&mut self, free: usize, n: usize) {
        for (vector, length) in [(&mut self.u, free), (&mut self.z, n), (&mut self.w, n), (&mut self.certificate, 0)] {
            vector.clear();
            vector.resize(length, 0.0);
        }
        self.status = Status::NumericalTrouble;
        self.residual = Residual::UNKNOWN;
        self.iterations = 0;
        self.undetermined = 0;
        self.attempts = Attempts::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_beyond_the_room_are_counted() {
        let mut attempts = Attempts::default();
        for iterations in 0..20 {
            let (method, status) = (MethodName::Lemke, Status::Ray);
            attempts.push(Attempt { method, status, iterations, residual: 1.0 });
        }
        assert_eq!((attempts.count, attempts.iter().count()), (20, Attempts::KEPT));
        assert_eq!(attempts.last().unwrap().iterations, 19);
    }

    #[test]
    fn no_number_is_no_solution() {
        assert!(!Residual { natural: f64::NAN, ..Residual::UNKNOWN }.within(f64::MAX));
        assert!(!Residual { natural: 0.0, mixed: f64::NAN, ..Residual::UNKNOWN }.within(f64::MAX));
    }
}
