//! Finite entries at the end of the range of f64: every call gives an answer or a typed error, and ends.

use fourbar_linalg::CscMatrix;
use fourbar_lti::{
    Diagram, Discretization, DyadicSteps, KrylovOptions, Method, ModalForm, PolynomialKrylov, Propagator,
    RationalKrylov, StateSpace, Stepper, suggest_step,
};
use nalgebra::DMatrix;

const SIZES: [f64; 5] = [1e307, -1e307, f64::MAX, -f64::MAX, 1e-308];

fn finite<'a>(values: impl IntoIterator<Item = &'a f64>) -> bool {
    values.into_iter().all(|x| x.is_finite())
}

fn systems() -> impl Iterator<Item = StateSpace> {
    SIZES.into_iter().flat_map(|size| {
        [1usize, 2, 5].into_iter().map(move |n| {
            let full = DMatrix::from_element(n, n, size);
            StateSpace::new(
                full,
                DMatrix::from_element(n, 1, size),
                DMatrix::from_element(1, n, 1.0),
                DMatrix::from_element(1, 1, size),
            )
            .unwrap()
        })
    })
}

#[test]
fn discretizations_and_steppers_end() {
    for system in systems() {
        for method in [Method::ZERO_ORDER_HOLD, Method::Algorithm2 { order: 3 }, Method::Qam4] {
            for step in [1e-308, 1.0, 1e300] {
                if let Ok(d) = Discretization::new(&system, step, method.clone()) {
                    assert!(finite(d.exp()) && (0..d.nodes().len()).all(|i| finite(d.input_matrix(i))));
                }
                if let Ok(mut stepper) = Stepper::new(&system, step, method.clone()) {
                    let (u, mut y) = (vec![1.0; stepper.sample_offsets().len()], [0.0]);
                    let _ = stepper.set_input(&[1.0]);
                    if stepper.start_step(&u, &mut y).is_ok() {
                        assert!(finite(stepper.state()));
                    }
                }
                let _ = DyadicSteps::new(&system, step, 4, method.clone());
            }
        }
        let _ = suggest_step(&system, &Method::FIRST_ORDER_HOLD, &[1.0], 1e-6, 1.0);
        let _ = ModalForm::new(&system, 1e8);
        for s in [0.0, 1.0, 1e308] {
            if let Some((re, im)) = system.frequency_response(s, s) {
                assert!(finite(&re) && finite(&im));
            }
        }
        let mut diagram = Diagram::new();
        let block = diagram.add("all", system.clone());
        diagram.connect((block, 0), (block, 0), f64::MAX).unwrap();
        assert!(diagram.to_state_space().is_err() || system.d()[0].abs() < 1.0);
    }
}

#[test]
fn projections_end() {
    let options = KrylovOptions { max_substeps: 100, ..KrylovOptions::default() };
    for system in systems() {
        let sparse = CscMatrix::from(system.a());
        let n = system.states();
        for step in [1e-308, 1.0, 1e300] {
            for size in [1.0, 1e308] {
                let mut polynomial = PolynomialKrylov::new(sparse.clone(), &options).unwrap();
                let mut rational = RationalKrylov::new(&sparse, &options).unwrap();
                for propagator in [&mut polynomial as &mut dyn Propagator, &mut rational] {
                    let (mut x, forcing) = (vec![size; n], vec![size; n]);
                    if propagator.advance(step, &mut x, &forcing).is_ok() {
                        assert!(finite(&x));
                    }
                }
            }
        }
    }
}
