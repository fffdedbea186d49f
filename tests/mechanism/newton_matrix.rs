//! The static-order LU on the Newton matrices of mechanisms whose bodies moved far from the factored configuration.

use crate::mechanism::machines::{ladder, spatial_chain};
use crate::mechanism::matrices::{NewtonMatrix, newton_matrices};
use fourbar::linalg::{Calahan, CalahanOptions, SparsityPattern};
use fourbar::multibody::Formulation;

fn pattern(m: &NewtonMatrix) -> SparsityPattern {
    SparsityPattern::try_from_offsets_and_indices(m.n, m.n, m.offsets.clone(), m.rows.clone()).expect("a pattern")
}

fn right_side(n: usize) -> Vec<f64> {
    (0..n).map(|k| (0.7 * k as f64 + 0.3).sin()).collect()
}

/// Bodies turned by up to 3 rad: the solution is good to 1e-8 after at most one refinement or fresh pivots.
#[test]
fn moved_bodies_leave_the_solution_accurate() {
    for formulation in [Formulation::I3, Formulation::Si2, Formulation::Si1] {
        for (name, model) in [("chain 10", spatial_chain(10)), ("ladder 49", ladder(24))] {
            for turn in [0.05, 3.0] {
                let m = newton_matrices(name, &model, formulation, turn, 30);
                let mut lu = Calahan::new(&pattern(&m), &m.values[0], &CalahanOptions::default()).expect("regular");
                let (b, mut x) = (right_side(m.n), vec![0.0; m.n]);
                for values in &m.values {
                    let _ = lu.refactor(values).expect("regular");
                    let solved = lu.solve_checked(values, &b, &mut x).expect("solved");
                    assert!(solved.backward_error <= 1e-8, "{name} {formulation:?} {turn} rad: {solved:?}");
                }
            }
        }
    }
}

/// The fallback at work: pivots chosen at a large step are worn out at one nine decades smaller, or a matrix is met whose pivots
/// vanish; fresh ones are chosen, counted, and the solution is good again.
#[test]
fn worn_pivots_are_replaced() {
    let m = newton_matrices("chain 10", &spatial_chain(10), Formulation::Si2, 0.05, 2);
    let strict = CalahanOptions { pivot_floor: 0.5, ..CalahanOptions::default() };
    let mut lu = Calahan::new(&pattern(&m), &m.values[0], &strict).expect("regular");
    let far = newton_matrices("chain 10", &spatial_chain(10), Formulation::Si2, 3.0, 20);
    let (b, mut x) = (right_side(m.n), vec![0.0; m.n]);
    for values in &far.values {
        let _ = lu.refactor(values).expect("regular");
        let solved = lu.solve_checked(values, &b, &mut x).expect("solved");
        assert!(solved.backward_error <= 1e-8, "{solved:?}");
    }
    let s = lu.statistics();
    assert!(s.fresh_for_pivot > 0 && s.refactorizations > 0, "{s:?}");
}
