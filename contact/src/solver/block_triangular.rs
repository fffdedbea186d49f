//! Block-triangular decomposition: blocks of pairs, in an order in which w of each block hangs on z of itself and of earlier blocks alone.
//!
//! They are the strong components of the graph that leads from j to i where M_ij is not zero (Tarjan, SIAM J. Comput. 1 (1972) 146). Bodies
//! that do not touch make a block diagonal matrix, a permuted triangular one has blocks of one pair. The blocks are solved one after the other,
//! each with what the earlier ones add to its q. For a P matrix, whose principal submatrices are P matrices too, that is the solution; in
//! general an early block may have several, of which the one found need not fit the later blocks: then the whole is left to other methods.

use super::{Automatic, AutomaticWorkspace, Outcome, Point, Run, scaled::Scaled};
use crate::{
    problem::Lcp,
    solution::{MethodName, Solution, Status},
};

/// One block after the other, each by the default solver.
#[derive(Debug, Clone)]
pub(super) struct BlockTriangular {
    pub(super) tolerance: f64,
}

/// Workspace of the method; `find` has filled in the blocks.
#[derive(Debug, Clone, Default)]
pub(super) struct Workspace {
    blocks: Blocks,
    problem: Lcp,
    solution: Solution,
    workspace: Option<Box<AutomaticWorkspace>>,
}

impl Workspace {
    /// Looks for blocks; how many there are.
    pub(super) fn find(&mut self, scaled: &Scaled) -> usize {
        self.blocks.find(scaled.len(), |j| scaled.column(j));
        self.blocks.ranges.len()
    }

    /// Whether the blocks found are single pairs with a positive diagonal: a P matrix, whose only solution substitution finds to round-off,
    /// where any other method would have more of it.
    pub(super) fn final_say(&self, scaled: &Scaled) -> bool {
        self.blocks.ranges.len() == scaled.len() && (0..scaled.len()).all(|j| scaled.column(j)[j] > 0.0)
    }
}

impl Run for BlockTriangular {
    type Workspace = Workspace;
    const NAME: MethodName = MethodName::BlockTriangular;
    /// Each block was.
    const POLISHED: bool = false;

    fn tolerance(&self) -> f64 {
        self.tolerance
    }

    fn run(&self, scaled: &Scaled, point: &mut Point, workspace: &mut Workspace) -> Outcome {
        let Workspace { blocks, problem, solution, workspace } = workspace;
        let (solver, workspace) = (Automatic { tolerance: self.tolerance }, workspace.get_or_insert_default());
        // w of what is known so far.
        let mut iterations = 0;
        blocks.w.clear();
        blocks.w.extend_from_slice(&scaled.q);
        // Components come out behind those that hang on them.
        for range in blocks.ranges.iter().rev() {
            let members = &blocks.order[range.clone()];
            let filled = problem.refill(members.len(), |mut m, q| {
                for (column, &j) in members.iter().enumerate() {
                    q[column] = blocks.w[j];
                    members.iter().enumerate().for_each(|(row, &i)| m[(row, column)] = scaled.column(j)[i]);
                }
            });
            if filled.is_err() {
                return Outcome { status: Status::NumericalTrouble, iterations };
            }
            solver.solve_under(&scaled.meter, problem, None, workspace, solution);
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
                blocks.w.iter_mut().zip(scaled.column(j)).for_each(|(wi, mij)| *wi += mij * zj);
            }
        }
        Outcome { status: Status::Solved, iterations }
    }
}

/// Strong components.
#[derive(Debug, Clone, Default)]
struct Blocks {
    /// The pairs, block by block.
    order: Vec<usize>,
    /// Where each block stands in that order.
    ranges: Vec<std::ops::Range<usize>>,
    /// When each pair was first met, from 1; 0 before, `SETTLED` when its component is known.
    met: Vec<usize>,
    /// The earliest met that each pair leads back to.
    earliest: Vec<usize>,
    /// Pairs whose component is not yet known.
    open: Vec<usize>,
    /// The way to the present pair: each with the row of its column that is next.
    way: Vec<(usize, usize)>,
    w: Vec<f64>,
}

const SETTLED: usize = usize::MAX;

impl Blocks {
    fn find<'a>(&mut self, n: usize, column: impl Fn(usize) -> &'a [f64]) {
        self.order.clear();
        self.ranges.clear();
        for times in [&mut self.met, &mut self.earliest] {
            times.clear();
            times.resize(n, 0);
        }
        let mut time = 0;
        for first in 0..n {
            if self.met[first] == 0 {
                self.meet(first, &mut time);
                while let Some((j, next)) = self.way.pop() {
                    self.go_on(j, next, column(j), &mut time);
                }
            }
        }
    }

    fn meet(&mut self, j: usize, time: &mut usize) {
        *time += 1;
        (self.met[j], self.earliest[j]) = (*time, *time);
        self.open.push(j);
        self.way.push((j, 0));
    }

    /// Goes through the rest of column j until a pair not yet met turns up, which comes first.
    fn go_on(&mut self, j: usize, next: usize, column: &[f64], time: &mut usize) {
        for i in next..column.len() {
            if column[i] == 0.0 {
                continue;
            }
            if self.met[i] == 0 {
                self.way.push((j, i));
                return self.meet(i, time);
            }
            if self.met[i] != SETTLED {
                self.earliest[j] = self.earliest[j].min(self.earliest[i]);
            }
        }
        if self.earliest[j] == self.met[j] {
            self.close(j);
        }
    }

    /// What was met since j and is still open is a component.
    fn close(&mut self, j: usize) {
        let start = self.order.len();
        while let Some(i) = self.open.pop() {
            self.met[i] = SETTLED;
            self.order.push(i);
            if i == j {
                break;
            }
        }
        self.order[start..].sort_unstable();
        self.ranges.push(start..self.order.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(n: usize, entries: &[(usize, usize)]) -> Vec<Vec<usize>> {
        let mut m = vec![0.0; n * n];
        entries.iter().for_each(|&(i, j)| m[j * n + i] = 1.0);
        let mut blocks = Blocks::default();
        blocks.find(n, |j| &m[j * n..(j + 1) * n]);
        blocks.ranges.iter().rev().map(|range| blocks.order[range.clone()].to_vec()).collect()
    }

    #[test]
    fn blocks_come_in_the_order_in_which_they_hang_on_each_other() {
        assert_eq!(found(3, &[(0, 1), (1, 2)]), [[2], [1], [0]]);
        assert_eq!(found(4, &[(0, 1), (1, 0), (2, 3), (3, 2), (0, 3)]), [[2, 3], [0, 1]]);
        assert_eq!(found(5, &[(1, 0), (2, 1), (0, 2), (3, 2), (4, 3), (3, 4)]), [vec![0, 1, 2], vec![3, 4]]);
        assert_eq!(found(3, &[(0, 1), (1, 2), (2, 0)]), [[0, 1, 2]]);
        assert_eq!(found(2, &[]).len(), 2);
    }
}
