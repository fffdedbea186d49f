//! The default: the active set first, which the next time step nearly always needs alone, then whatever else may help; each try on record.

use super::{
    ActiveSet, AugmentedLagrangian, Core, Enumeration, InteriorPoint, Lemke, Newton, Run, active_set,
    augmented_lagrangian, enumeration, feasibility,
    feasibility::Feasibility,
    interior_point, lemke, newton, parts,
    parts::Parts,
    scaled::Scaled,
    whirl::{Whirl, monotone},
};
use crate::{
    budget::{Budget, Meter},
    dense::Cholesky,
    problem::Lcp,
    solution::{Solution, Status},
};

/// Picks methods, falls back, and says in [`Solution::attempts`] what it did.
///
/// Problems that fall apart are solved block by block. Small ones go from the active set to Lemke's method, large ones by way of interior
/// points. Where the matrix is mostly skew, interior points come first of all, or alternating directions, if it is not so by too much. Newton
/// from several starts, further paths of Lemke's method and, for a few pairs, all supports come last. A proof of infeasibility ends the search.
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
/// Pairs from which on a factorization is so dear that flips are given up early.
const LARGE: usize = 4 * SMALL;
/// Multiplications that the factorizations of one try at flips may take where each is dear; thirty are always done.
const FLIPS: usize = 2_000_000_000;
/// Entries of the tableau that the pivots of one try may touch, so that a hopeless problem ends in seconds.
const WORK: usize = 2_000_000_000;
/// Flips that are tried first with a large matrix that is not symmetric: mostly, more do not help.
const FEW: usize = 40;
/// Size of the skew part, beside the mean of the diagonal, from which on alternating directions do not arrive, nor flips of a few pairs.
const STORM: f64 = 20.0;

/// Natural map of the scaled problem after the first iterations of alternating directions from which on they do not arrive: measured
/// on matrices of low and of full rank, it is below 0.06 or above 0.2.
const HOPELESS: f64 = 0.1;

/// Rooms of all methods the default may use, kept between solves.
#[derive(Debug, Clone, Default)]
pub struct AutomaticWorkspace {
    /// What a solve may cost; without limit by default.
    pub budget: Budget,
    core: Box<Core>,
    rooms: Rooms,
}

/// On the heap, each by itself: no stack has to hold all of them.
#[derive(Debug, Clone, Default)]
struct Rooms {
    active_set: Box<active_set::Room>,
    augmented: Box<augmented_lagrangian::Room>,
    lemke: Box<lemke::Room>,
    interior_point: Box<interior_point::Room>,
    newton: Box<newton::Room>,
    enumeration: Box<enumeration::Room>,
    feasibility: Box<feasibility::Room>,
    parts: Box<parts::Room>,
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
            let rooms = &mut workspace.rooms;
            let done = search.by_parts(rooms) || search.solve(rooms) || search.last_resort(rooms);
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

/// So many pivots of n pairs, fewer where each is dear, but enough for any usual path.
fn pivots(n: usize, wanted: usize) -> usize {
    wanted.min((WORK / (n * n)).max(4 * n))
}

/// Flips that may be tried in a problem of n pairs.
fn flips(n: usize, scaled: &Scaled) -> ActiveSet {
    let (max_iterations, max_single, patience) = if n <= SMALL {
        (300, 64, 10)
    } else if n <= LARGE {
        (120, 8, 10)
    } else {
        let affordable = FLIPS / scaled.pattern.work(n).max(1);
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
    fn attempt<R: Run>(&mut self, method: &R, room: &mut R::Room, onwards: bool) -> bool {
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
        self.core.attempt(method, room, self.lcp, self.tolerance, self.solution);
        matches!(self.solution.status, Status::Infeasible | Status::Solved)
    }

    /// Block by block, where the problem falls apart and no point near the solution of the whole is known.
    fn by_parts(&mut self, rooms: &mut Rooms) -> bool {
        let parts = &mut rooms.parts;
        !self.core.point.warm
            && parts.find(&self.core.scaled) > 1
            && (self.attempt(&Parts { tolerance: self.tolerance }, parts, false) || parts.final_say(&self.core.scaled))
    }

    /// How much the matrix turns, if that is more than it stretches: it drives flips about, each with another factorization.
    fn whirl(&self) -> Option<Whirl> {
        let scaled = &self.core.scaled;
        if scaled.symmetric || scaled.pattern.banded || self.core.point.warm {
            return None;
        }
        // Small factorizations are cheap, and a moderate whirl lets flips arrive.
        Whirl::of(scaled).filter(|whirl| self.lcp.len() > LARGE || whirl.share > STORM)
    }

    /// Where a large matrix turns moderately, alternating directions find the active set with one factorization.
    fn alternating(&mut self, whirl: &Whirl, rooms: &mut Rooms) -> bool {
        let penalty = whirl.size;
        let few = AugmentedLagrangian { max_iterations: 100, penalty, hopeless: HOPELESS, ..Default::default() };
        self.lcp.len() > LARGE && whirl.share < STORM && self.attempt(&few, &mut rooms.augmented, false)
    }

    /// The ordinary order, flips first or only from a point that is near.
    fn solve(&mut self, rooms: &mut Rooms) -> bool {
        let n = self.lcp.len();
        let whirl = self.whirl();
        if whirl.as_ref().is_some_and(|whirl| self.alternating(whirl, rooms)) {
            return true;
        }
        let interior = InteriorPoint::default();
        let turned = n > LARGE && !self.core.scaled.symmetric;
        let inside = whirl.is_some() && monotone(self.lcp, &mut rooms.even);
        if inside && self.attempt(&interior, &mut rooms.interior_point, false) {
            return true;
        }
        let flips = flips(n, &self.core.scaled);
        let first = ActiveSet { max_iterations: if turned { FEW } else { flips.max_iterations }, ..flips.clone() };
        if !(inside && n > SMALL) && self.attempt(&first, &mut rooms.active_set, false) {
            return true;
        }
        let path = |restarts| Lemke { restarts, max_iterations: pivots(n, 2000 + 60 * n), ..Lemke::default() };
        let unfit = turned && !inside && !monotone(self.lcp, &mut rooms.even);
        let early = if n <= SMALL { Some(16) } else { unfit.then_some(40) };
        if early.is_some_and(|restarts| self.attempt(&path(restarts), &mut rooms.lemke, false))
            || !inside && self.attempt(&interior, &mut rooms.interior_point, false)
            || n > SMALL
                && (self.attempt(&flips, &mut rooms.active_set, true)
                    || self.attempt(&path(40), &mut rooms.lemke, false))
        {
            return true;
        }
        let steps = if n <= LARGE { 400 } else { 60 };
        self.attempt(&Newton { max_iterations: steps, ..Newton::default() }, &mut rooms.newton, false)
    }

    /// What is too dear to be tried before.
    fn last_resort(&mut self, rooms: &mut Rooms) -> bool {
        let n = self.lcp.len();
        let few = Enumeration::default();
        let path = Lemke { restarts: 200, max_iterations: pivots(n, 40_000), ..Lemke::default() };
        n <= few.max_pairs && self.attempt(&few, &mut rooms.enumeration, false)
            || n <= 8 * SMALL && self.attempt(&Feasibility { max_pairs: 8 * SMALL }, &mut rooms.feasibility, false)
            || self.attempt(&path, &mut rooms.lemke, false)
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
