//! Block-triangular decomposition: blocks of pairs, in an order in which w of each block hangs on z of itself and of earlier blocks alone.
//!
//! They are the strong components of the graph that leads from j to i where M_ij is not zero (Tarjan, SIAM J. Comput. 1 (1972) 146). Bodies
//! that do not touch make a block diagonal matrix, a permuted triangular one has blocks of one pair. The blocks are solved one after the other,
//! each with what the earlier ones add to its q. For a P matrix, whose principal submatrices are P matrices too, that is the solution; in
//! general an early block may have several, of which the one found need not fit the later blocks: then the whole is left to other methods.

use super::{Outcome, Point, Run, scaled::Scaled};
use crate::{
    budget::Meter,
    problem::Lcp,
    solution::{MethodName, Solution, Status},
};
use fourbar_linalg::StrongComponents;

/// Solves a block.
pub(super) trait BlockSolver {
    /// Kept between blocks.
    type Workspace: Default + Clone + std::fmt::Debug;
    /// Residual that counts as solved.
    fn tolerance(&self) -> f64;
    /// Solves a problem on what is left of a budget.
    fn solve_block(&self, meter: &Meter, lcp: &Lcp, workspace: &mut Self::Workspace, solution: &mut Solution);
}

/// One block after the other, each by the same solver.
#[derive(Debug, Clone)]
pub(super) struct BlockTriangular<S> {
    pub(super) solver: S,
}

/// Workspace of the method; `find` has filled in the blocks.
#[derive(Debug, Clone, Default)]
pub(super) struct Workspace<W> {
    blocks: StrongComponents,
    problem: Lcp,
    solution: Solution,
    workspace: Option<Box<W>>,
    w: Vec<f64>,
}

impl<W> Workspace<W> {
    /// Looks for blocks; how many there are.
    pub(super) fn find(&mut self, scaled: &Scaled) -> usize {
        self.blocks.find(scaled.len(), |j, from| {
            let next = scaled.column(j)[from..].iter().position(|entry| *entry != 0.0)?;
            Some((from + next, from + next + 1))
        });
        self.blocks.iter().len()
    }

    /// Whether the blocks found are single pairs with a positive diagonal: a P matrix, whose only solution substitution finds to round-off,
    /// where any other method would have more of it.
    pub(super) fn final_say(&self, scaled: &Scaled) -> bool {
        self.blocks.iter().len() == scaled.len() && (0..scaled.len()).all(|j| scaled.column(j)[j] > 0.0)
    }
}

impl<S: BlockSolver> Run for BlockTriangular<S> {
    type Workspace = Workspace<S::Workspace>;
    const NAME: MethodName = MethodName::BlockTriangular;
    /// Each block was.
    const POLISHED: bool = false;

    fn tolerance(&self) -> f64 {
        self.solver.tolerance()
    }

    fn run(&self, scaled: &Scaled, point: &mut Point, workspace: &mut Self::Workspace) -> Outcome {
        let Workspace { blocks, problem, solution, workspace, w } = workspace;
        let workspace = workspace.get_or_insert_default();
        // w of what is known so far.
        let mut iterations = 0;
        w.clear();
        w.extend_from_slice(&scaled.q);
        // Components come out behind those that hang on them.
        for members in blocks.iter().rev() {
            let filled = problem.refill(members.len(), |mut m, q| {
                for (column, &j) in members.iter().enumerate() {
                    q[column] = w[j];
                    members.iter().enumerate().for_each(|(row, &i)| m[(row, column)] = scaled.column(j)[i]);
                }
            });
            if filled.is_err() {
                return Outcome { status: Status::NumericalTrouble, iterations };
            }
            self.solver.solve_block(&scaled.meter, problem, workspace, solution);
            iterations += solution.iterations;
            if solution.status == Status::Infeasible {
                // A proof for the whole if no earlier block has a say in this one, which is checked with it.
                point.ray.resize(scaled.len(), 0.0);
                members.iter().zip(&solution.certificate).for_each(|(&i, y)| point.ray[i] = *y);
            }
            if !solution.solved() {
                return Outcome { status: Status::NumericalTrouble, iterations };
            }
            for (&j, &zj) in members.iter().zip(&solution.z).filter(|(_, zj)| **zj != 0.0) {
                point.z[j] = zj;
                w.iter_mut().zip(scaled.column(j)).for_each(|(wi, mij)| *wi += mij * zj);
            }
        }
        Outcome { status: Status::Solved, iterations }
    }
}
