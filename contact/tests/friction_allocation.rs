//! Solves of problems with friction allocate nothing once their room has held the problem, whatever the coefficients, and repeat bit for bit.

use crate::counting;
use crate::piles;
use counting::obtained;
use fourbar_contact::{
    friction::{Coulomb, Workspace},
    solution::Solution,
};
use piles::collection::{Kind, of_two_dozen};

#[test]
fn nothing_is_allocated_and_nothing_changes() {
    let (mut workspace, mut first, mut again) = (Workspace::default(), Solution::default(), Solution::default());
    // 1e4 goes by way of smaller coefficients.
    for mu in [0.0, 0.5, 1e4] {
        for (name, problem) in of_two_dozen(Kind { mu, decades: 2.0, push: 0.3, seed: 0 }) {
            let problem = problem.reduced_form().expect("a problem");
            for solution in [&mut first, &mut again] {
                Coulomb::default().solve_in(&problem, None, &mut workspace, solution).expect("valid");
            }
            let before = obtained();
            Coulomb::default().solve_in(&problem, None, &mut workspace, &mut again).expect("valid");
            assert_eq!(obtained() - before, 0, "{name}, mu = {mu}");
            assert_eq!(first, again, "{name}, mu = {mu}");
        }
    }
}
