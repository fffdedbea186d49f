//! Problems in global form: stacks, walls and heaps, against closed forms and against the reduced form.

use crate::piles;
use fourbar_contact::{
    friction::{Cone, Coulomb, GlobalCoulomb, GlobalSolution, GlobalWorkspace},
    problem::{GlobalBilateral, GlobalFriction, MixedLcp},
    solution::Status,
    solver::Automatic,
    unilateral::Row,
};
use fourbar_multibody::space::V3;
use nalgebra::{DMatrix, DVector};
use piles::PULL;

fn solve(options: GlobalCoulomb, problem: &GlobalFriction) -> GlobalSolution {
    let mut solution = GlobalSolution::default();
    options.solve(problem, &mut GlobalWorkspace::default(), &mut solution).expect("a valid problem");
    solution
}

/// Speed and spin of the fastest body.
fn fastest(solution: &GlobalSolution) -> f64 {
    solution.velocities.iter().flatten().fold(0.0, |fastest, v| v.abs().max(fastest))
}

/// A hundred columns of ten boxes at rest stay at rest, and each ground carries the weight above it.
#[test]
fn columns_rest() {
    let problem = piles::columns(100, 10, 0.5, |_| 8.0, |_| V3::zeros());
    let solution = solve(GlobalCoulomb::default(), &problem);
    assert!(solution.residual <= 1e-8 && fastest(&solution) < 1e-7);
    assert_eq!(solution.islands[0], 100);
    for column in 0..100 {
        for level in 0..10 {
            let first = 4 * (10 * column + level);
            let carried: f64 = solution.impulses[first..first + 4].iter().map(|s| s[0]).sum();
            assert!((carried - 8.0 * (10 - level) as f64 * PULL).abs() < 1e-6);
        }
    }
}

/// Heavy on light: ten boxes, the top one a hundred times as heavy. Sweeps alone need ten thousand rounds here.
#[test]
fn a_heavy_top_is_carried() {
    let problem = piles::columns(1, 10, 0.5, |k| if k == 9 { 800.0 } else { 8.0 }, |_| V3::zeros());
    let sweeps = solve(GlobalCoulomb { sweeps: 1000, rounds: 0, ..GlobalCoulomb::default() }, &problem);
    assert!(sweeps.residual > 1e-4, "{}", sweeps.residual);
    let solution = solve(GlobalCoulomb::default(), &problem);
    assert!(solution.residual <= 1e-8 && fastest(&solution) < 1e-6, "{}", solution.residual);
    assert!(solution.factorizations <= 60);
}

/// The next step of a pile at rest begins at its answer: no factorization, no sweep.
#[test]
fn warm_starts_end_at_once() {
    let problem = piles::wall(8, 0.5, V3::zeros());
    let (mut workspace, mut solution) = (GlobalWorkspace::default(), GlobalSolution::default());
    let solver = GlobalCoulomb::default();
    solver.solve(&problem, &mut workspace, &mut solution).expect("a valid problem");
    assert!(solution.residual <= 1e-8 && solution.factorizations > 0);
    solver.solve(&problem, &mut workspace, &mut solution).expect("a valid problem");
    assert!(solution.residual <= 1e-8 && solution.factorizations == 0 && solution.sweeps == 0);
}

/// Velocities are unique where W is positive definite: the global form and the reduced form agree, from the same answers of the law.
#[test]
fn both_forms_agree() {
    for (seed, cone) in [Cone::smooth(), Cone::coulomb(0.3), Cone::rolling(0.3, 0.01, 0.02)].into_iter().enumerate() {
        let problem = piles::heap(6, 6, |_| cone, 1.0, seed as u64);
        let global = solve(GlobalCoulomb { tolerance: 1e-11, ..GlobalCoulomb::default() }, &problem);
        assert!(global.residual <= 1e-11, "{}", global.residual);
        let dense =
            Coulomb::default().solve(&problem.reduced_form().expect("no bilateral rows")).expect("a valid problem");
        assert!(dense.solved());
        let found = global.impulses.iter().flat_map(|s| s[..cone.size()].iter());
        for (found, expected) in found.zip(&dense.z) {
            assert!((found - expected).abs() < 1e-7, "{found} for {expected}");
        }
    }
}

/// A pendulum's pin as bilateral rows, one of them twice: the pinned point does not move, the contact holds.
#[test]
fn bilateral_rows_hold_even_twice() {
    let mut problem = piles::columns(1, 2, 0.5, |_| 8.0, |_| V3::new(0.1, 0.0, 0.0));
    let (centre, pin) = (V3::new(0.0, 0.0, 0.3), V3::new(0.05, 0.0, 0.35));
    for axis in [V3::x(), V3::y(), V3::z(), V3::z()] {
        let row = Row { g: axis, gi: (pin - centre).cross(&axis), gj: V3::zeros(), drift: 0.0 };
        problem.bilateral.push(GlobalBilateral { bodies: [1, 2], row, bias: 0.0 });
    }
    let solution = solve(GlobalCoulomb::default(), &problem);
    assert!(solution.residual <= 1e-8, "{}", solution.residual);
    let [vx, vy, vz, wx, wy, wz] = solution.velocities[1];
    let moved = V3::new(vx, vy, vz) + V3::new(wx, wy, wz).cross(&(pin - centre));
    assert!(moved.norm() < 1e-7);
}

/// Smooth contacts and joints: a mixed linear complementarity problem. Sweeps alone, relaxed or not, and the default find the velocities
/// that the dense path finds, and never claim to be done before they are.
#[test]
fn smooth_contacts_with_joints_are_a_mixed_problem() {
    for seed in 0..4 {
        let mut problem = piles::heap(5, 6, |_| Cone::smooth(), 0.5, seed);
        for (bodies, axis) in [([0, 1], V3::x()), ([0, 1], V3::y()), ([2, 5], V3::new(0.6, 0.0, 0.8))] {
            let row = Row { g: axis, gi: 0.1 * axis.yzx(), gj: 0.05 * axis.zxy(), drift: 0.0 };
            problem.bilateral.push(GlobalBilateral { bodies, row, bias: 0.02 * seed as f64 });
        }
        let dense = Automatic::default().solve_mixed(&mixed(&problem));
        assert!(dense.solved());
        problem.bilateral.push(problem.bilateral[1]);
        let sweeps = GlobalCoulomb { sweeps: 40_000, rounds: 0, ..GlobalCoulomb::default() };
        for options in [GlobalCoulomb::default(), sweeps, GlobalCoulomb { relaxation: 1.4, ..sweeps }] {
            let solution = solve(options, &problem);
            assert_eq!(solution.status(1e-8), Status::Solved, "{options:?}: {}", solution.residual);
            for (found, expected) in solution.velocities.iter().flatten().zip(&dense.u) {
                assert!((found - expected).abs() < 1e-6, "{options:?}: {found} for {expected}");
            }
        }
        let few = solve(GlobalCoulomb { sweeps: 2, rounds: 0, ..sweeps }, &problem);
        assert!(few.status(1e-8) == Status::MaxIterations && few.residual > 1e-8);
    }
}

/// A u + B z + a = 0 of M (v - v_f) = J_b^T S_b + J^T z and J_b v + bias = 0, u = (v, S_b), with w = J v + bias.
fn mixed(problem: &GlobalFriction) -> MixedLcp {
    let (n, m, k) = (6 * problem.bodies.len(), problem.bilateral.len(), problem.contacts.len());
    let mut a = DMatrix::zeros(n + m, n + m);
    let (mut b, mut c) = (DMatrix::zeros(n + m, k), DMatrix::zeros(k, n + m));
    let (mut a_vec, mut b_vec) = (DVector::zeros(n + m), DVector::zeros(k));
    for (index, body) in problem.bodies.iter().enumerate() {
        let at = 6 * index;
        let inertia = body.inverse_inertia.try_inverse().expect("every body turns");
        a.view_mut((at, at), (3, 3)).fill_diagonal(1.0 / body.inverse_mass);
        a.view_mut((at + 3, at + 3), (3, 3)).copy_from(&inertia);
        a_vec.rows_mut(at, 3).copy_from(&(-body.velocity / body.inverse_mass));
        a_vec.rows_mut(at + 3, 3).copy_from(&(-inertia * body.spin));
    }
    let gradient = |bodies: [usize; 2], row: &Row| {
        let mut j = DVector::zeros(n);
        for (body, (linear, angular)) in bodies.into_iter().zip([(row.g, row.gi), (-row.g, row.gj)]) {
            if body < problem.bodies.len() {
                let sum = j.rows(6 * body, 3) + linear;
                j.rows_mut(6 * body, 3).copy_from(&sum);
                let sum = j.rows(6 * body + 3, 3) + angular;
                j.rows_mut(6 * body + 3, 3).copy_from(&sum);
            }
        }
        j
    };
    for (index, row) in problem.bilateral.iter().enumerate() {
        let j = gradient(row.bodies, &row.row);
        a.view_mut((0, n + index), (n, 1)).copy_from(&-&j);
        a.view_mut((n + index, 0), (1, n)).copy_from(&j.transpose());
        a_vec[n + index] = row.bias;
    }
    for (index, contact) in problem.contacts.iter().enumerate() {
        let j = gradient(contact.bodies, &contact.rows[0]);
        b.view_mut((0, index), (n, 1)).copy_from(&-&j);
        c.view_mut((index, 0), (1, n)).copy_from(&j.transpose());
        b_vec[index] = contact.bias[0];
    }
    MixedLcp::new(a, b, c, DMatrix::zeros(k, k), a_vec, b_vec).expect("a mixed problem")
}

/// A hundred bodies thrown together, most contacts sliding: islands that do not converge end in the reduced form, and within 1e-8 m/s.
#[test]
fn heaps_slide_to_the_last_digit() {
    for (contacts, decades, seed) in [(300, 1.0, 3), (250, 2.0, 4)] {
        let problem = piles::heap(100, contacts, |_| Cone::coulomb(0.5), decades, seed);
        let solution = solve(GlobalCoulomb::default(), &problem);
        assert!(solution.residual <= 1e-8 && solution.islands[1] > 0, "{}", solution.residual);
    }
}

/// A tower pushed aside so that it slips, two of its boxes hinged to their neighbours by rows of which one is redundant.
#[test]
fn joints_hold_while_contacts_slip() {
    let mut problem = piles::columns(1, 6, 0.5, |_| 8.0, |_| V3::new(0.4, 0.1, 0.0));
    let centre = |body: usize| V3::new(0.0, 0.0, 0.2 * body as f64 + 0.1);
    for bodies in [[1, 2], [3, 5]] {
        let pin = 0.5 * (centre(bodies[0]) + centre(bodies[1])) + V3::new(0.05, 0.0, 0.0);
        let [ri, rj] = bodies.map(|body| pin - centre(body));
        for axis in [V3::x(), V3::y(), V3::z(), V3::new(0.0, 0.6, 0.8)] {
            let row = Row { g: axis, gi: ri.cross(&axis), gj: -rj.cross(&axis), drift: 0.0 };
            problem.bilateral.push(GlobalBilateral { bodies, row, bias: 0.0 });
        }
    }
    let solution = solve(GlobalCoulomb::default(), &problem);
    assert!(solution.residual <= 1e-8, "{}", solution.residual);
    // Without the reduced form the sliding joints resist for long.
    let without = solve(GlobalCoulomb { reduced_rows: 0, rounds: 12, ..GlobalCoulomb::default() }, &problem);
    assert!(solution.residual < without.residual);
    let moved = |body: usize, pin: V3| {
        let v = &solution.velocities[body];
        V3::from_column_slice(&v[..3]) + V3::from_column_slice(&v[3..]).cross(&(pin - centre(body)))
    };
    let pin = 0.5 * (centre(3) + centre(5)) + V3::new(0.05, 0.0, 0.0);
    assert!((moved(3, pin) - moved(5, pin)).norm() < 1e-7);
}

#[test]
fn results_repeat_to_the_bit() {
    let problem = piles::heap(20, 50, |_| Cone::coulomb(0.5), 1.0, 11);
    let (first, second) = (solve(GlobalCoulomb::default(), &problem), solve(GlobalCoulomb::default(), &problem));
    assert_eq!(first, second);
}

#[test]
fn json_keeps_every_digit() {
    let mut problem = piles::heap(3, 5, |c| if c == 1 { Cone::smooth() } else { Cone::rolling(0.1, 0.2, 0.3) }, 1.0, 2);
    let row = Row { g: V3::x(), gi: V3::y() / 3.0, gj: V3::z(), drift: 0.0 };
    problem.bilateral.push(GlobalBilateral { bodies: [0, 3], row, bias: 0.1 });
    let text = serde_json::to_string(&problem).expect("finite numbers are JSON");
    let back: GlobalFriction = serde_json::from_str(&text).expect("the same problem");
    for (a, b) in back.contacts.iter().zip(&problem.contacts) {
        assert_eq!(
            (a.rows[..a.cone.size()].to_vec(), a.bias, a.cone),
            (b.rows[..b.cone.size()].to_vec(), b.bias, b.cone)
        );
    }
    assert_eq!((&back.bodies, &back.bilateral), (&problem.bodies, &problem.bilateral));
}

#[test]
fn wrong_problems_are_refused_by_name() {
    let mut problem = piles::columns(1, 2, 0.5, |_| 8.0, |_| V3::zeros());
    problem.contacts[3].bodies[1] = 7;
    assert!(problem.check().unwrap_err().to_string().contains("body of contact 3 is 7"));
    problem.contacts[3].bodies[1] = 2;
    problem.bodies[1].inverse_mass = -1.0;
    assert!(problem.check().unwrap_err().to_string().contains("inverse mass of body 1"));
}

/// What lands on a wall at rest hits all of it: impulses of the rest are no start, those with which everything sticks are. From the former it
/// would take 14 to 22 factorizations.
#[test]
fn landings_start_from_sticking_contacts() {
    let solver = GlobalCoulomb::stepping();
    for (size, speed) in [(8, 0.3), (8, 3.0), (12, 1.0), (16, 1.0)] {
        let rest = piles::wall(size, 0.5, V3::zeros());
        let (mut workspace, mut solution) = (GlobalWorkspace::default(), GlobalSolution::default());
        solver.solve(&rest, &mut workspace, &mut solution).expect("a valid problem");
        let mut hit = rest.clone();
        let top = hit.bodies.len() - 1;
        hit.bodies[top].velocity[2] -= speed;
        solver.solve(&hit, &mut workspace, &mut solution).expect("a valid problem");
        assert!(solution.residual <= 1e-8, "{size}, {speed} m/s: {}", solution.residual);
        assert!(solution.factorizations <= 7, "{size}, {speed} m/s: {}", solution.factorizations);
    }
}
