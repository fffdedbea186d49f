//! Starts made consistent: what is given stays, what follows is found, what does not follow is said.

use crate::support;

use fourbar_dae::integrator::{Cause, Error, consistent_start};
use fourbar_dae::{Dae, EvalError, Kind, Unknown};
use num_dual::DualNum;
use support::pendulum::{Index, Pendulum};
use support::{ALGEBRAIC, Equations, Robertson, STATE, System};

#[test]
fn robertson_from_anything() {
    let mut system = Robertson::system(true);
    let (mut y, mut yp) = ([1.0, 0.0, 0.7], [3.0, -2.0, 0.0]);
    let statistics = consistent_start(&mut system, 0.0, &mut y, &mut yp).unwrap();
    assert!(statistics.iterations <= 3, "{statistics:?}");
    assert_eq!(y[..2], [1.0, 0.0]);
    assert!(y[2].abs() < 1e-15, "{y:?}");
    assert!((yp[0] + 0.04).abs() < 1e-15 && (yp[1] - 0.04).abs() < 1e-15, "{yp:?}");
}

/// y0' = -y1, y1^3 + y1 = y0 + 9: y1 = 2 at y0 = 1.
struct Cubic;

impl Equations for Cubic {
    fn residual<T: DualNum<Primitive = f64> + Copy>(&self, _: T, y: &[T], yp: &[T], r: &mut [T]) {
        r[0] = yp[0] + y[1];
        r[1] = y[1] * y[1] * y[1] + y[1] - y[0] - 9.0;
    }
}

#[test]
fn a_far_guess_of_a_nonlinear_equation_is_damped() {
    let mut system = System::new(vec![STATE, ALGEBRAIC], Cubic);
    for guess in [0.0, 100.0, -50.0] {
        let (mut y, mut yp) = ([1.0, guess], [0.0, 0.0]);
        consistent_start(&mut system, 0.0, &mut y, &mut yp).unwrap();
        // What is left is promised to be 1e-11 of the magnitude.
        assert!(y[0] == 1.0 && (y[1] - 2.0).abs() < 2e-11 && (yp[0] + 2.0).abs() < 2e-11, "{y:?} {yp:?}");
    }
}

#[test]
fn a_higher_index_is_said() {
    let pendulum = Pendulum { index: Index::Three, gravity: 9.81 };
    let (mut y, mut yp) = pendulum.rest();
    let before = y.clone();
    let error = consistent_start(&mut Pendulum::system(Index::Three, 9.81), 0.0, &mut y, &mut yp).unwrap_err();
    assert!(matches!(error, Error::Start { cause: Cause::Singular { unknown: Some(_), .. }, .. }), "{error}");
    assert!(error.to_string().contains("index 1"), "{error}");
    assert_eq!(y, before);
}

/// A system that cannot be evaluated anywhere.
struct Nowhere(System<Cubic>);

impl Dae for Nowhere {
    fn dimension(&self) -> usize {
        self.0.dimension()
    }
    fn unknowns(&self) -> &[Unknown] {
        self.0.unknowns()
    }
    fn pattern(&self) -> &nalgebra_sparse::pattern::SparsityPattern {
        self.0.pattern()
    }
    fn residual(&mut self, _: f64, _: &[f64], _: &[f64], r: &mut [f64]) -> Result<(), EvalError> {
        r.fill(f64::NAN);
        Ok(())
    }
    fn jacobian(&mut self, t: f64, y: &[f64], yp: &[f64], c: f64, values: &mut [f64]) -> Result<(), EvalError> {
        self.0.jacobian(t, y, yp, c, values)
    }
}

#[test]
fn what_cannot_be_evaluated_is_said() {
    let mut system = Nowhere(System::new(vec![STATE, ALGEBRAIC], Cubic));
    let error = consistent_start(&mut system, 2.0, &mut [1.0, 1.0], &mut [0.0; 2]).unwrap_err();
    assert!(matches!(error, Error::Start { time: 2.0, cause: Cause::NotFinite { .. } }), "{error}");
    let mut system = System::new(vec![STATE, ALGEBRAIC], Cubic);
    let error = consistent_start(&mut system, 0.0, &mut [1.0], &mut [0.0; 2]).unwrap_err();
    assert!(matches!(error, Error::Length { given: 1, needed: 2, .. }), "{error}");
    let error = consistent_start(&mut system, 0.0, &mut [1.0, f64::NAN], &mut [0.0; 2]).unwrap_err();
    assert!(matches!(error, Error::NotFinite { .. }), "{error}");
    assert_eq!(STATE.kind, Kind::STATE);
}
