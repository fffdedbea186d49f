//! What [`Calahan`](super::Calahan) takes as options and tells about its work.

use crate::{Interrupt, Ordering, error::Error};

/// How [`Calahan`](super::Calahan) chooses and trusts its pivots.
#[derive(Debug, Clone, PartialEq)]
pub struct CalahanOptions {
    /// Smallest admissible pivot relative to the largest entry of its line in the equilibrated matrix, in (0, 1]. Larger is
    /// stabler and costs more fill. Default 0.1: frozen sequences age half as fast as with 0.01.
    pub pivot_tolerance: f64,
    /// Largest growth of the entries in the elimination, relative to the equilibrated matrix, that is accepted when pivots are chosen, from 1
    /// on: as many units of round-off may be missing from a solution before refinement. Beyond it they are chosen anew at tolerances of 0.5
    /// and 1. Default 1e5; the Newton matrices of mechanisms
    /// stay below 1e4.
    pub growth_limit: f64,
    /// A refactorization asks for fresh pivots when a pivot falls below this fraction of its magnitude at the time the pivots were
    /// chosen, in [0, 1). Default 1e-7: smaller pivots cost more digits than a Newton direction can spare, larger ones are left to the
    /// residual test, since choosing pivots costs hundreds of refactorizations.
    pub pivot_floor: f64,
    /// Backward error above which [`Calahan::solve_checked`](super::Calahan::solve_checked) refines the solution once, in
    /// [0, 1]. Default 1e-10.
    pub refine_above: f64,
    /// Backward error above which, after refinement, it chooses fresh pivots, in [0, 1]. Default 1e-8.
    pub repivot_above: f64,
    /// Backward error above which, after fresh pivots and refinement, the solution is refused, in [0, 1]. Default 1e-6.
    pub refuse_above: f64,
    /// Ends the choice of pivots with [`Error::Interrupted`] once it is raised. Default: never.
    pub interrupt: Interrupt,
}

impl Default for CalahanOptions {
    fn default() -> Self {
        Self {
            pivot_tolerance: 0.1,
            growth_limit: 1e5,
            pivot_floor: 1e-7,
            refine_above: 1e-10,
            repivot_above: 1e-8,
            refuse_above: 1e-6,
            interrupt: Interrupt::never(),
        }
    }
}

impl CalahanOptions {
    /// Refuses numbers out of range.
    ///
    /// # Errors
    /// [`Error::Option`] with the name, the value and the range.
    pub fn validate(&self) -> Result<(), Error> {
        let check = |name, value, range, good| if good { Ok(()) } else { Err(Error::Option { name, value, range }) };
        let (u, floor) = (self.pivot_tolerance, self.pivot_floor);
        check("pivot_tolerance", u, "(0, 1]", u > 0.0 && u <= 1.0)?;
        check("growth_limit", self.growth_limit, "[1, inf]", self.growth_limit >= 1.0)?;
        check("pivot_floor", floor, "[0, 1)", (0.0..1.0).contains(&floor))?;
        check("refine_above", self.refine_above, "[0, 1]", (0.0..=1.0).contains(&self.refine_above))?;
        check("repivot_above", self.repivot_above, "[0, 1]", (0.0..=1.0).contains(&self.repivot_above))?;
        check("refuse_above", self.refuse_above, "[0, 1]", (0.0..=1.0).contains(&self.refuse_above))
    }
}

/// What a [`Calahan`](super::Calahan) object has done so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CalahanStatistics {
    /// Calls of `refactor`.
    pub refactorizations: usize,
    /// Fresh pivotings because a pivot had become small.
    pub fresh_for_pivot: usize,
    /// Fresh pivotings because the stream overflowed on finite values.
    pub fresh_for_overflow: usize,
    /// Fresh pivotings because the residual of a solution was too large.
    pub fresh_for_residual: usize,
    /// Steps of iterative refinement.
    pub refinements: usize,
    /// Origin of the pivot sequence in use.
    pub ordering: Ordering,
}

/// Why pivots were chosen afresh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum RepivotCause {
    /// A pivot had become small.
    SmallPivot,
    /// The stream overflowed although the values are finite.
    Overflow,
}

/// How a refactorization went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refactored {
    /// Along the stream, with the pivots in place.
    Stream,
    /// With pivots chosen afresh for these values.
    FreshPivots(RepivotCause),
}

/// How a checked solution came about.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Solved {
    /// Backward error of the solution returned.
    pub backward_error: f64,
    /// Whether a step of iterative refinement was taken.
    pub refined: bool,
    /// Whether pivots were chosen afresh.
    pub fresh_pivoting: bool,
}
