//! dF/dy + c dF/dy' against differences of F, for every joint, force and motion, in every formulation, at states that satisfy
//! nothing.

use crate::mechanism::scenes;
use fourbar::multibody::dae::Dae;
use fourbar::multibody::{Equations, Formulation, Mechanism, Model};
use std::sync::Arc;

/// A reproducible number in (-1, 1).
fn scatter(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

/// Richardson's extrapolation of central differences: error O(s^4).
fn difference(f: &mut dyn FnMut(f64) -> Vec<f64>, s: f64) -> Vec<f64> {
    let mut central = |s: f64| -> Vec<f64> {
        let (plus, minus) = (f(s), f(-s));
        plus.iter().zip(&minus).map(|(p, m)| (p - m) / (2.0 * s)).collect()
    };
    let (wide, narrow) = (central(s), central(0.5 * s));
    wide.iter().zip(&narrow).map(|(w, n)| (4.0 * n - w) / 3.0).collect()
}

fn check(model: &Model, formulation: Formulation, what: &str) {
    let mechanism = Arc::new(Mechanism::compile(model).unwrap_or_else(|error| panic!("{what}: {error}")));
    let mut equations = Equations::new(Arc::clone(&mechanism), formulation, mechanism.start());
    let n = equations.dimension();
    let (mut y, mut yp) = (vec![0.0; n], vec![0.0; n]);
    equations.write(mechanism.start(), &mut y, &mut yp);
    let mut seed = 7;
    use fourbar::multibody::formulation::kinds::{STABILIZER, STABILIZER_INTEGRAL};
    for k in 0..n {
        // The equations drop the derivative of Phi_q^T mu, since mu is zero in the solution.
        if ![STABILIZER, STABILIZER_INTEGRAL].contains(&equations.unknowns()[k].kind) {
            y[k] += 0.1 * scatter(&mut seed);
            yp[k] += 0.1 * scatter(&mut seed);
        }
    }
    let (t, c) = (0.4, 7.0);
    let mut values = vec![0.0; equations.pattern().nnz()];
    equations.jacobian(t, &y, &yp, c, &mut values).expect("jacobian");
    let mut matrix = nalgebra::DMatrix::<f64>::zeros(n, n);
    let pattern = equations.pattern().clone();
    for ((column, row), value) in pattern.entries().zip(&values) {
        matrix[(row, column)] = *value;
    }
    for k in 0..n {
        let mut evaluate = |s: f64| {
            let (mut y, mut yp, mut r) = (y.clone(), yp.clone(), vec![0.0; n]);
            y[k] += s;
            yp[k] += c * s;
            equations.residual(t, &y, &yp, &mut r).expect("residual");
            r
        };
        let expected = difference(&mut evaluate, 5e-4);
        for (row, e) in expected.iter().enumerate() {
            let error = (matrix[(row, k)] - e).abs();
            let (equation, unknown) = (equations.equation_name(row), equations.unknown_name(k));
            assert!(
                error < 1e-8 * (1.0 + e.abs()),
                "{what}, {formulation:?}: d({equation})/d({unknown}) is {}, differences give {e}",
                matrix[(row, k)]
            );
        }
    }
}

fn check_all(model: &Model, what: &str) {
    for formulation in [Formulation::I3, Formulation::Si2, Formulation::Si1] {
        check(model, formulation, what);
    }
}

#[test]
fn bodies_alone() {
    check_all(&scenes::two_bodies(), "two bodies");
}

#[test]
fn every_joint() {
    for kind in scenes::KINDS {
        let mut model = scenes::two_bodies();
        model.joints = vec![scenes::joint_between(kind)];
        check_all(&model, &format!("{kind:?}"));
        // To the ground, from either side.
        let own = crate::mechanism::machines::hinge("a", [0.3, 0.2, -0.1], [0.2, 0.5, 1.0]);
        let fixed = crate::mechanism::machines::hinge("ground", [0.1, -0.1, 0.5], [-0.4, 0.3, 1.0]);
        for (i, j) in [(own.clone(), fixed.clone()), (fixed, own)] {
            model.joints = vec![crate::mechanism::machines::joint("g", kind, i, j)];
            check_all(&model, &format!("{kind:?} to the ground"));
        }
    }
}

#[test]
fn every_force() {
    check_all(&scenes::forces(), "forces");
    for k in 0..scenes::forces().forces.len() {
        let mut model = scenes::forces();
        model.forces = vec![model.forces.swap_remove(k)];
        check_all(&model, &format!("force {k}"));
    }
}

#[test]
fn every_motion() {
    for kind in ["displacement", "velocity", "acceleration"] {
        check_all(&scenes::driven(kind), kind);
    }
}
