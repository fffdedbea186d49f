//! Krylov projections: what they refuse, and the figures of what fails.

use crate::krylov::{block, heat};
use fourbar_lti::{
    Error, KrylovEffort, KrylovOptions, LinearOperator, Method, PolynomialKrylov, Propagator, RationalKrylov,
    SparseStepper,
};
use nalgebra::DMatrix;
use nalgebra_sparse::CscMatrix;

#[test]
fn bad_input_is_refused_and_leaves_the_state() {
    let a = heat(10);
    let options = KrylovOptions::default();
    let mut krylov = RationalKrylov::new(&a, &options).unwrap();
    let mut x = [1.0; 10];
    for step in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(krylov.exp_action(step, &mut x), Err(Error::NotPositive { name: "step", .. })));
    }
    assert_eq!(krylov.exp_action(1.0, &mut [1.0; 9]), Err(Error::Length { name: "state", length: 9, expected: 10 }));
    assert_eq!(krylov.g_action(0, 1.0, &mut [1.0; 9]), Err(Error::Length { name: "state", length: 9, expected: 10 }));
    let forcing = krylov.advance(1.0, &mut x, &[1.0; 15]);
    assert_eq!(forcing, Err(Error::Length { name: "forcing", length: 15, expected: 10 }));
    assert!(matches!(krylov.advance(1.0, &mut x, &[f64::NAN; 10]), Err(Error::NotFinite { name: "forcing", .. })));
    assert!(matches!(krylov.g_action(21, 1.0, &mut x), Err(Error::OrderTooHigh { order: 21, .. })));
    let long = krylov.advance(1.0, &mut x, &[1.0; 220]);
    assert!(matches!(long, Err(Error::OrderTooHigh { order: 21, .. })));
    let mut nan = [f64::NAN; 10];
    assert!(matches!(krylov.exp_action(1.0, &mut nan), Err(Error::NotFinite { name: "state", index: 0, .. })));
    assert_eq!(x, [1.0; 10]);

    let wide = DMatrix::zeros(2, 3);
    assert!(matches!(PolynomialKrylov::new(&wide, &options), Err(Error::MatrixShape { rows: 2, columns: 3, .. })));
    assert!(matches!(
        RationalKrylov::new(&CscMatrix::from(&wide), &options),
        Err(Error::MatrixShape { name: "A", .. })
    ));
    let infinite = DMatrix::from_element(2, 2, f64::INFINITY);
    assert!(matches!(PolynomialKrylov::new(infinite, &options), Err(Error::NotFinite { name: "A", .. })));
    for bad in [
        KrylovOptions { tolerance: f64::NAN, ..options.clone() },
        KrylovOptions { tolerance: 1e-20, ..options.clone() },
        KrylovOptions { max_dimension: 2, ..options.clone() },
        KrylovOptions { max_substeps: 0, ..options.clone() },
    ] {
        assert!(matches!(RationalKrylov::new(&a, &bad), Err(Error::Setting { .. })), "{bad:?}");
    }
    let b = CscMatrix::from(&DMatrix::from_element(10, 1, 1.0));
    let stepper = |b: &CscMatrix<f64>, step, method| SparseStepper::new(krylov.clone(), b, step, method).err();
    assert_eq!(stepper(&b, 1.0, Method::Mtm4), Some(Error::Classical));
    assert!(matches!(stepper(&CscMatrix::zeros(9, 1), 1.0, Method::ZERO_ORDER_HOLD), Some(Error::MatrixShape { .. })));
    assert!(matches!(stepper(&b, f64::NAN, Method::ZERO_ORDER_HOLD), Some(Error::NotPositive { .. })));
}

/// Gives NaN in its last component.
struct Spoilt;

impl LinearOperator for Spoilt {
    fn dimension(&self) -> usize {
        3
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        y.copy_from_slice(x);
        y[2] = f64::NAN;
    }
}

#[test]
fn failures_come_with_figures() {
    let options = KrylovOptions { max_dimension: 10, max_substeps: 5, ..Default::default() };
    // Stiff beyond what five polynomials of degree 10 can do.
    let mut x = block(100);
    let error = PolynomialKrylov::new(heat(100), &options).unwrap().exp_action(1.0, &mut x).unwrap_err();
    assert!(
        matches!(error, Error::KrylovNotConverged { dimension: 10, substeps: 5, tolerance: 1e-12, estimate } if estimate > 1e-12),
        "{error}"
    );
    assert_eq!(x, block(100));
    // Undamped waves are not for the rational space.
    let turning = DMatrix::from_fn(100, 100, |i, j| match (i, j) {
        (i, j) if j == i + 1 => 1e5,
        (i, j) if i == j + 1 => -1e5,
        _ => 0.0,
    });
    let error = RationalKrylov::new(&CscMatrix::from(&turning), &options).unwrap().exp_action(1.0, &mut x).unwrap_err();
    assert!(matches!(error, Error::KrylovNotConverged { dimension: 10, substeps: 4, .. }), "{error}");
    let spoilt = PolynomialKrylov::new(Spoilt, &options).unwrap().exp_action(1.0, &mut [1.0; 3]).unwrap_err();
    assert!(matches!(spoilt, Error::NotFinite { name: "product with A", index: 2, .. }), "{spoilt}");
    // An eigenvalue at 1/gamma: refused only where the step may not be halved.
    let growing = CscMatrix::from(&DMatrix::from_element(1, 1, 10.0));
    let mut x = [1.0];
    RationalKrylov::new(&growing, &options).unwrap().exp_action(1.0, &mut x).unwrap();
    assert!((x[0] / 10f64.exp() - 1.0).abs() < 1e-12);
    let single = KrylovOptions { max_substeps: 1, ..options.clone() };
    let error = RationalKrylov::new(&growing, &single).unwrap().exp_action(1.0, &mut x).unwrap_err();
    assert!(matches!(error, Error::Factorization(_)), "{error}");
    // Growth beyond f64.
    let exploding = DMatrix::from_element(1, 1, 1e4);
    let error = PolynomialKrylov::new(exploding, &options).unwrap().exp_action(1.0, &mut [1.0]).unwrap_err();
    assert!(matches!(error, Error::KrylovNotConverged { .. }), "{error}");
}

#[test]
fn no_states() {
    let empty = DMatrix::zeros(0, 0);
    let options = KrylovOptions::default();
    let effort = PolynomialKrylov::new(empty.clone(), &options).unwrap().exp_action(1.0, &mut []).unwrap();
    assert_eq!(effort, KrylovEffort::default());
    let effort = RationalKrylov::new(&CscMatrix::from(&empty), &options).unwrap().advance(1.0, &mut [], &[]).unwrap();
    assert_eq!(effort, KrylovEffort::default());
}
