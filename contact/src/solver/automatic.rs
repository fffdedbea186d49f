//! The default: the active set first, which the next time step nearly always needs alone, then whatever else may help; each try on record.

use super::{
    ActiveSet, Core, Enumeration, InteriorPoint, Lemke, Run, active_set, block_triangular,
    block_triangular::{BlockSolver, BlockTriangular},
    enumeration, feasibility,
    feasibility::Feasibility,
    interior_point, lemke,
    scaled::Scaled,
    skew::{monotone, skew_ratio},
};
use crate::{
    budget::{Budget, Meter},
    dense::Cholesky,
    problem::Lcp,
    solution::{Solution, Status},
};

/// Picks methods, falls back, and says in [`Solution::attempts`] what it did.
///
/// Block-triangular problems are solved block by block. Small ones go from the active set to Lemke's method, large ones by way of interior
/// points, which come first of all where the matrix is skew-dominant. Further paths of Lemke's method and, for a few pairs, the enumeration of
/// complementary bases come last. A proof of infeasibility ends the search.
///
/// ```
/// use fourbar_contact::{problem::Lcp, solver::Automatic};
/// use nalgebra::{dmatrix, dvector};
///
/// let lcp = Lcp::new(dmatrix![2.0, 1.0; 1.0, 2.0], dvector![-5.0, -6.0])?;
/// let solution = Automatic::default().solve(&lcp);
/// assert!(solution.solved());
/// assert!((solution.z[0] - 4.0 / 3.0).abs() < 1e-15 && (solution.z[1] - 7.0 / 3.0).abs() < 1e-15);
/// # Ok::<(), fourbar_contact::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Automatic {
    /// Residual of the original problem that counts as solved.
    pub tolerance: f64,
}

impl Default for Automatic {
    fn default() -> Self {
        Self { tolerance: 1e-10 }
    }
}

/// Pairs up to which Lemke's method comes before interior points.
const SMALL: usize = 64;
/// Pairs from which on a factorization is so dear that principal pivots are given up early.
const LARGE: usize = 4 * SMALL;
/// Multiplications that the factorizations of one try at principal pivots may take where each is dear; thirty are always done.
const PIVOTS: usize = 2_000_000_000;
/// Entries of the tableau that the pivots of one try may touch, so that a hopeless problem ends in seconds.
const WORK: usize = 2_000_000_000;
/// Pivots that are tried first with a large matrix that is not symmetric: mostly, more do not help.
const FEW: usize = 40;
/// Skew ratio from which on principal pivots of a few pairs do not arrive.
const SKEW: f64 = 20.0;

/// Workspaces of all methods the default may use, kept between solves.
#[derive(Debug, Clone, Default)]
pub struct AutomaticWorkspace {
    /// What a solve may cost; without limit by default.
    pub budget: Budget,
    core: Box<Core>,
    workspaces: Workspaces,
}

/// On the heap, each by itself: no stack has to hold all of them.
#[derive(Debug, Clone, Default)]
struct Workspaces {
    active_set: Box<active_set::Workspace>,
    lemke: Box<lemke::Workspace>,
    interior_point: Box<interior_point::Workspace>,
    enumeration: Box<enumeration::Workspace>,
    feasibility: Box<feasibility::Workspace>,
    blocks: Box<block_triangular::Workspace<AutomaticWorkspace>>,
    even: Cholesky,
}

impl Automatic {
    /// Solves `lcp` into `solution`, from `start` (n entries, the z of a similar problem) if there is one. Allocates nothing once
    /// `workspace` and `solution` have held a problem as large that took the same path.
    ///
    /// # Panics
    /// If `start` has not n entries.
    pub fn solve_into(
        &self,
        lcp: &Lcp,
        start: Option<&[f64]>,
        workspace: &mut AutomaticWorkspace,
        solution: &mut Solution,
    ) {
        workspace.core.scaled.meter.begin(&workspace.budget);
        self.run(lcp, start, workspace, solution);
    }

    /// The same on what is left of another budget.
    pub(crate) fn solve_under(
        &self,
        meter: &Meter,
        lcp: &Lcp,
        start: Option<&[f64]>,
        workspace: &mut AutomaticWorkspace,
        solution: &mut Solution,
    ) {
        workspace.core.scaled.meter.begin_under(meter);
        self.run(lcp, start, workspace, solution);
        meter.charge(&workspace.core.scaled.meter);
    }

    fn run(&self, lcp: &Lcp, start: Option<&[f64]>, workspace: &mut AutomaticWorkspace, solution: &mut Solution) {
        if workspace.core.begin(lcp, start, solution) {
            let mut search = Search { tolerance: self.tolerance, lcp, core: &mut workspace.core, solution };
            let workspaces = &mut workspace.workspaces;
            let done = search.by_blocks(workspaces) || search.solve(workspaces) || search.last_resort(workspaces);
            if !done {
                search.conclude();
            }
        }
    }

    /// Solves `lcp` from scratch.
    #[must_use]
    pub fn solve(&self, lcp: &Lcp) -> Solution {
        let mut solution = Solution::default();
        self.solve_into(lcp, None, &mut AutomaticWorkspace::default(), &mut solution);
        solution
    }
}

impl BlockSolver for Automatic {
    type Workspace = AutomaticWorkspace;

    fn tolerance(&self) -> f64 {
        self.tolerance
    }

    fn solve_block(&self, meter: &Meter, lcp: &Lcp, workspace: &mut AutomaticWorkspace, solution: &mut Solution) {
        self.solve_under(meter, lcp, None, workspace, solution);
    }
}

/// So many pivots of n pairs, fewer where each is dear, but enough for any usual path.
fn pivots(n: usize, wanted: usize) -> usize {
    wanted.min((WORK / (n * n)).max(4 * n))
}

/// Principal pivots that may be tried in a problem of n pairs.
fn principal_pivots(n: usize, scaled: &Scaled) -> ActiveSet {
    let (max_iterations, max_single, patience) = if n <= SMALL {
        (300, 64, 10)
    } else if n <= LARGE {
        (120, 8, 10)
    } else {
        let affordable = PIVOTS / scaled.pattern.work(n).max(1);
        (affordable.clamp(30, 3 * n), (affordable / 16).clamp(1, 64), 3)
    };
    ActiveSet { max_iterations, max_single, patience, ..ActiveSet::default() }
}

/// A solve under way.
struct Search<'a> {
    tolerance: f64,
    lcp: &'a Lcp,
    core: &'a mut Core,
    solution: &'a mut Solution,
}

impl Search<'_> {
    /// One try from scratch, or from the point the last one reached. Whether that ends the search, as the end of the budget does.
    fn attempt<R: Run>(&mut self, method: &R, workspace: &mut R::Workspace, onwards: bool) -> bool {
        if self.core.scaled.meter.is_over() {
            self.solution.status = Status::OutOfBudget;
            return true;
        }
        let point = &mut self.core.point;
        if self.solution.attempts.count > 0 {
            point.warm = onwards;
            if !onwards {
                point.z.fill(0.0);
            }
        }
        self.core.attempt(method, workspace, self.lcp, self.tolerance, self.solution);
        matches!(self.solution.status, Status::Infeasible | Status::Solved)
    }

    /// Block by block, where the problem falls apart and no point near the solution of the whole is known.
    fn by_blocks(&mut self, workspaces: &mut Workspaces) -> bool {
        let blocks = &mut workspaces.blocks;
        !self.core.point.warm
            && blocks.find(&self.core.scaled) > 1
            && (self.attempt(&BlockTriangular { solver: Automatic { tolerance: self.tolerance } }, blocks, false)
                || blocks.final_say(&self.core.scaled))
    }

    /// Whether the skew part of the matrix is so large that principal pivots are not to be tried first.
    fn skew_dominant(&self) -> bool {
        let scaled = &self.core.scaled;
        if scaled.symmetric || scaled.pattern.banded || self.core.point.warm {
            return false;
        }
        // Small factorizations are cheap, and moderate skew parts let pivots arrive.
        skew_ratio(scaled).is_some_and(|ratio| self.lcp.len() > LARGE || ratio > SKEW)
    }

    /// The ordinary order, principal pivots first or only from a point that is near.
    fn solve(&mut self, workspaces: &mut Workspaces) -> bool {
        let n = self.lcp.len();
        let interior = InteriorPoint::default();
        let turned = n > LARGE && !self.core.scaled.symmetric;
        let inside = self.skew_dominant() && monotone(self.lcp, &mut workspaces.even);
        if inside && self.attempt(&interior, &mut workspaces.interior_point, false) {
            return true;
        }
        let all = principal_pivots(n, &self.core.scaled);
        let first = ActiveSet { max_iterations: if turned { FEW } else { all.max_iterations }, ..all.clone() };
        if !(inside && n > SMALL) && self.attempt(&first, &mut workspaces.active_set, false) {
            return true;
        }
        let path = |restarts| Lemke { restarts, max_iterations: pivots(n, 2000 + 60 * n), ..Lemke::default() };
        let unfit = turned && !inside && !monotone(self.lcp, &mut workspaces.even);
        let early = if n <= SMALL { Some(16) } else { unfit.then_some(40) };
        early.is_some_and(|restarts| self.attempt(&path(restarts), &mut workspaces.lemke, false))
            || !inside && self.attempt(&interior, &mut workspaces.interior_point, false)
            || n > SMALL
                && (self.attempt(&all, &mut workspaces.active_set, true)
                    || self.attempt(&path(40), &mut workspaces.lemke, false))
    }

    /// What is too dear to be tried before.
    fn last_resort(&mut self, workspaces: &mut Workspaces) -> bool {
        let n = self.lcp.len();
        let few = Enumeration::default();
        let path = Lemke { restarts: 200, max_iterations: pivots(n, 40_000), ..Lemke::default() };
        n <= few.max_pairs && self.attempt(&few, &mut workspaces.enumeration, false)
            || n <= 8 * SMALL && self.attempt(&Feasibility { max_pairs: 8 * SMALL }, &mut workspaces.feasibility, false)
            || self.attempt(&path, &mut workspaces.lemke, false)
    }

    /// What is said of a problem nobody solved: a ray if one was seen, else out of iterations.
    fn conclude(&mut self) {
        let solution = &mut *self.solution;
        let seen = |status| solution.attempts.iter().any(|attempt| attempt.status == status);
        solution.status = if seen(Status::Ray) {
            Status::Ray
        } else if seen(Status::MaxIterations) {
            Status::MaxIterations
        } else {
            Status::NumericalTrouble
        };
    }
}
