//! Solves of linear complementarity problems allocate nothing once their workspace has held a problem as large, and repeat bit for bit.

use crate::counting;
use crate::support::families;
use counting::obtained;
use families::{Numbers, bimatrix, definite_skew, hidden_triangular, planted, semidefinite, stack, symmetric_definite};
use fourbar_contact::{
    problem::Lcp,
    solution::Solution,
    solver::{ActiveSet, Automatic, AutomaticWorkspace, GaussSeidel, InteriorPoint, Lemke, Method, Workspace},
};

/// Allocations of this thread while `work` runs.
fn allocations(work: impl FnOnce()) -> u64 {
    let before = obtained();
    work();
    obtained() - before
}

fn problems() -> Vec<Lcp> {
    let mut numbers = Numbers(11);
    let matrices = [
        symmetric_definite(&mut numbers, 60),
        definite_skew(&mut numbers, 60, 2.0),
        semidefinite(&mut numbers, 60, 40),
    ];
    let mut problems: Vec<_> = matrices.into_iter().map(|m| planted(&mut numbers, m, false).0).collect();
    problems.push(stack(20, |_| 1.0, &[-0.5, 0.0, 0.5]));
    problems.push(bimatrix(&mut numbers, 30, 30));
    let apart = hidden_triangular(&mut numbers, 60);
    problems.push(planted(&mut numbers, apart, false).0);
    let large = definite_skew(&mut numbers, 300, 20.0);
    problems.push(planted(&mut numbers, large, false).0);
    problems
}

/// Solves each problem twice; the second time nothing is allocated and the answer is the same to the bit.
fn twice(mut solve: impl FnMut(&Lcp, &mut Solution)) {
    for (k, lcp) in problems().iter().enumerate() {
        let (mut first, mut second) = (Solution::default(), Solution::default());
        solve(lcp, &mut first);
        solve(lcp, &mut second);
        let count = allocations(|| solve(lcp, &mut second));
        assert_eq!(count, 0, "problem {k}");
        assert_eq!(first, second, "problem {k}");
    }
}

fn method<M: Method>(method: &M) {
    let mut workspace = Workspace::default();
    twice(|lcp, solution| method.solve_into(lcp, None, &mut workspace, solution));
}

#[test]
fn the_default_allocates_nothing() {
    let mut workspace = AutomaticWorkspace::default();
    twice(|lcp, solution| Automatic::default().solve_into(lcp, None, &mut workspace, solution));
}

#[test]
fn no_method_allocates() {
    method(&ActiveSet::default());
    method(&Lemke::default());
    method(&InteriorPoint::default());
    method(&GaussSeidel { max_iterations: 100, ..GaussSeidel::default() });
}
