//! Problems with friction of the kinds that public collections hold, by the default solvers, from nothing.

use crate::piles;

use fourbar_contact::{
    friction::{Coulomb, Workspace},
    solution::Solution,
};
use piles::collection::{Kind, of_two_dozen};

const FRICTION: [f64; 7] = [0.0, 0.1, 0.3, 0.5, 0.8, 1.0, 1.5];

/// Every problem of a family of each kind to 1e-8 in cone form.
fn all_solved(
    family: impl Fn(Kind) -> Vec<(&'static str, fourbar_contact::problem::GlobalFriction)>,
    kinds: impl Iterator<Item = Kind>,
) {
    let (mut workspace, mut solution) = (Workspace::default(), Solution::default());
    for kind in kinds {
        for (name, problem) in family(kind) {
            let problem = problem.cone_form().expect("a problem");
            Coulomb::default().solve_in(&problem, None, &mut workspace, &mut solution).expect("valid");
            let tries: Vec<_> = solution.attempts.iter().collect();
            let solved = solution.solved() && solution.residual.natural <= 1e-8;
            assert!(solved, "{name}, {kind:?}: {:e}, {tries:?}", solution.residual.natural);
        }
    }
}

#[test]
fn two_dozen_contacts() {
    let kinds = FRICTION.into_iter().flat_map(|mu| {
        [0.0, 2.0, 4.0].into_iter().flat_map(move |decades| {
            [0.0, 0.3].into_iter().flat_map(move |push| (0..2).map(move |seed| Kind { mu, decades, push, seed }))
        })
    });
    all_solved(of_two_dozen, kinds);
}

/// Coefficients that mean "never slips". In random heaps some contacts slip all the same; theirs is a normal impulse of 1/mu, which
/// round-off hides at 1e8 and above.
#[test]
fn two_dozen_contacts_that_never_slip() {
    for mu in [1e2, 1e3, 1e4, 1e6, 1e8, 1e10, 1e12] {
        let kinds = (0..2).flat_map(|seed| [0.0, 2.0].map(|decades| Kind { mu, decades, push: 0.0, seed }));
        let family = |kind| of_two_dozen(kind).into_iter().filter(|(name, _)| mu <= 1e6 || *name != "heap").collect();
        all_solved(family, kinds);
    }
}
