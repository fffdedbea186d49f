//! Block principal pivoting: guess which z are positive, solve for them, exchange every pair of the wrong sign.
//!
//! After Judice and Pires (Computers and Operations Research 21 (1994) 587): all pairs of the wrong sign are exchanged together while their number keeps falling
//! within a few tries, else the last wrong one alone (Murty's rule, finite for P matrices). A singular M_aa gets a small shift, which
//! makes a semidefinite problem strictly monotone; the shift is then taken back by proximal steps, z_k+1 solving LCP(M + eps I, q - eps z_k),
//! and if no solution exists these steps tend to a proof of that.
//!
//! Under a Z matrix (no positive entry off the diagonal: obstacles, bearings, options) all of them are exchanged every time. From no pairs at all
//! that is Chandrasekaran's method in blocks (Opsearch 7 (1970) 263), whose z only grows; from all of an M matrix it is Howard's iteration
//! (Bokanowski, Maroso and Zidani, SIAM J. Numer. Anal. 47 (2009) 3001), whose z is monotone after the first exchange: both end within n + 1.

use super::{
    Outcome, Point, Run,
    basis::{Basis, SHIFT},
    scaled::Scaled,
};
use crate::solution::{MethodName, Status};

/// Block principal pivoting with safeguard, from a guess of the active set.
#[derive(Debug, Clone, PartialEq)]
pub struct ActiveSet {
    /// Residual of the original problem that counts as solved.
    pub tolerance: f64,
    /// Factorizations at most.
    pub max_iterations: usize,
    /// Block pivots without a new least number of wrong pairs before single pivots begin.
    pub patience: usize,
    /// Single pivots at most; each costs a factorization.
    pub max_single: usize,
}

impl Default for ActiveSet {
    fn default() -> Self {
        Self { tolerance: 1e-10, max_iterations: 400, patience: 10, max_single: 100 }
    }
}

/// Proximal steps at most.
const PROXIMAL: usize = 12;
/// Shifts on the way to none.
const CONTINUATION: [f64; 7] = [1.0, 0.3, 0.1, 1e-2, 1e-3, 1e-5, 1e-7];
/// Shift times change of z, a residual of the scaled problem, below which the proximal steps have arrived.
const STANDING: f64 = 1e-13;
/// Shift times z above which they seem to go to infinity.
const DIVERGING: f64 = 1e-3;
/// Negative z or w beside the largest z that is no round-off: that of a sum of some hundred terms.
const WRONG: f64 = 1e-13;
/// Pairs up to which single pivots are tried from the first guess already.
const EAGER: usize = 48;

/// Workspace of the method.
#[derive(Debug, Clone, Default)]
pub struct Workspace {
    basis: Basis,
    anchor: Vec<f64>,
    w: Vec<f64>,
    active: Vec<bool>,
    wrong: Vec<usize>,
    /// Factorizations at which the present guess is given up.
    limit: usize,
    /// The shift of the factors in `basis`, if there are any.
    factored: Option<f64>,
}

/// Where principal pivots begin: at the given active set (none, if there is no start); at all pairs, which is what resting stacks want; at the active set
/// of problems with larger shifts, which are well conditioned and change little from one to the next.
#[derive(Clone, Copy, PartialEq)]
enum Guess {
    Given,
    All,
    Continued,
}

/// How far the pivots came.
enum Pivoting {
    Done,
    Singular,
    Exhausted,
}

impl Run for ActiveSet {
    type Workspace = Workspace;
    const NAME: MethodName = MethodName::ActiveSet;
    const POLISHED: bool = true;

    fn tolerance(&self) -> f64 {
        self.tolerance
    }

    fn run(&self, scaled: &Scaled, point: &mut Point, workspace: &mut Workspace) -> Outcome {
        let n = scaled.len();
        workspace.w.resize(n, 0.0);
        workspace.factored = None;
        let (mut iterations, mut shift, mut status) = (0, 0.0, Status::MaxIterations);
        let mut guesses = [Guess::Given, Guess::All, Guess::Continued];
        if scaled.repelling && !point.warm {
            guesses.swap(0, 1);
        }
        for (share, guess) in guesses.into_iter().enumerate() {
            workspace.limit = (share + 1) * self.max_iterations / 3;
            workspace.active.clear();
            workspace.active.extend(point.z.iter().map(|&zi| match guess {
                Guess::Given => point.warm && zi > 0.0,
                Guess::All => true,
                Guess::Continued => false,
            }));
            workspace.anchor.clear();
            workspace.anchor.resize(n, 0.0);
            let singles = if guess == Guess::Given && n > EAGER { 0 } else { self.max_single };
            if guess == Guess::Continued {
                for larger in CONTINUATION {
                    self.pivot(scaled, larger, singles, &mut point.z, workspace, &mut iterations);
                }
            }
            status = self.pursue(scaled, &mut shift, singles, point, workspace, &mut iterations);
            if matches!(status, Status::Solved | Status::Infeasible) {
                break;
            }
        }
        Outcome { status, iterations }
    }
}

fn verdict(pivots: &Pivoting) -> Status {
    match pivots {
        Pivoting::Done => Status::Solved,
        Pivoting::Singular => Status::NumericalTrouble,
        Pivoting::Exhausted => Status::MaxIterations,
    }
}

impl ActiveSet {
    /// Pivoting from the active set in `workspace`; with proximal steps as soon as a matrix was singular.
    fn pursue(
        &self,
        scaled: &Scaled,
        shift: &mut f64,
        singles: usize,
        point: &mut Point,
        workspace: &mut Workspace,
        iterations: &mut usize,
    ) -> Status {
        if *shift == 0.0 {
            let pivots = self.pivot(scaled, *shift, singles, &mut point.z, workspace, iterations);
            if !matches!(pivots, Pivoting::Singular) {
                return verdict(&pivots);
            }
            *shift = SHIFT;
        }
        self.proximal(scaled, *shift, singles, point, workspace, iterations)
    }

    /// Proximal steps with a shifted matrix until the anchor stands still.
    fn proximal(
        &self,
        scaled: &Scaled,
        shift: f64,
        singles: usize,
        point: &mut Point,
        workspace: &mut Workspace,
        iterations: &mut usize,
    ) -> Status {
        for _ in 0..PROXIMAL {
            let pivots = self.pivot(scaled, shift, singles, &mut point.z, workspace, iterations);
            if !matches!(pivots, Pivoting::Done) {
                return verdict(&pivots);
            }
            let size = point.z.iter().fold(0.0, |size: f64, zi| size.max(zi.abs()));
            let moved =
                point.z.iter().zip(&workspace.anchor).fold(0.0, |moved: f64, (zi, ai)| moved.max((zi - ai).abs()));
            if shift * moved <= STANDING {
                return Status::Solved;
            }
            if shift * size > DIVERGING {
                // The solution of the shifted problem grows like 1/shift: the step points along a ray of infeasibility.
                point.ray.clear();
                point.ray.extend(point.z.iter().zip(&workspace.anchor).map(|(zi, ai)| zi - ai));
                if scaled.certifies(&mut point.ray) {
                    return Status::Infeasible;
                }
            }
            workspace.anchor.copy_from_slice(&point.z);
        }
        Status::Solved
    }

    /// Pivoting pairs until z solves LCP(M + shift I, q - shift anchor) up to round-off.
    fn pivot(
        &self,
        scaled: &Scaled,
        shift: f64,
        mut singles: usize,
        z: &mut [f64],
        workspace: &mut Workspace,
        iterations: &mut usize,
    ) -> Pivoting {
        let n = scaled.len();
        // Under a Z matrix wrong pairs may stay as many while the free boundary moves row by row, but no pair comes back: see the head.
        let patience_at_first = if scaled.repelling { usize::MAX } else { self.patience };
        let (mut fewest, mut patience) = (n + 1, patience_at_first);
        while *iterations < workspace.limit && !scaled.meter.is_over() {
            *iterations += 1;
            if !workspace.factor(scaled, shift) {
                return Pivoting::Singular;
            }
            z.fill(0.0);
            workspace.basis.correct(scaled, shift, &workspace.anchor, z);
            workspace.basis.correct(scaled, shift, &workspace.anchor, z);
            scaled.w(z, &mut workspace.w);
            workspace.find_wrong(shift, z);
            let wrong = workspace.wrong.len();
            if wrong == 0 {
                return Pivoting::Done;
            }
            if wrong < fewest {
                (fewest, patience) = (wrong, patience_at_first);
            } else if patience > 0 {
                patience -= 1;
            } else if singles > 0 {
                singles -= 1;
                workspace.wrong.drain(..wrong - 1);
            } else {
                return Pivoting::Exhausted;
            }
            for &i in &workspace.wrong {
                workspace.active[i] = !workspace.active[i];
            }
        }
        Pivoting::Exhausted
    }
}

impl Workspace {
    /// Factors the matrix of the active set, unless that and the shift are still the last ones.
    fn factor(&mut self, scaled: &Scaled, shift: f64) -> bool {
        let members = (0..self.active.len()).filter(|&i| self.active[i]);
        if self.factored == Some(shift) && members.eq(self.basis.active.iter().copied()) {
            return true;
        }
        let active = &self.active;
        self.basis.select(active.len(), |i| active[i]);
        let done = self.basis.factor(scaled, shift);
        self.factored = done.then_some(shift);
        done
    }

    /// The pairs whose z or w is negative beyond round-off.
    fn find_wrong(&mut self, shift: f64, z: &[f64]) {
        let size = z.iter().fold(1.0, |size: f64, zi| size.max(zi.abs()));
        self.wrong.clear();
        for i in 0..z.len() {
            let wrong =
                if self.active[i] { z[i] < -WRONG * size } else { self.w[i] - shift * self.anchor[i] < -WRONG * size };
            if wrong {
                self.wrong.push(i);
            }
        }
    }
}
