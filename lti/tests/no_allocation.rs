//! No step allocates: counted by an allocator that counts.

use crate::counting;

use counting::obtained;
use fourbar_lti::{Discretization, Ensemble, Method, StateSpace, Stepper};
use nalgebra::DMatrix;

#[test]
fn steps_allocate_nothing() {
    for n in [1, 4, 50] {
        let a = DMatrix::from_fn(n, n, |i, j| if i == j { -2.0 } else { 1.0 / (1 + i + j) as f64 });
        for a in [a.clone(), DMatrix::from_diagonal(&a.diagonal())] {
            let system = StateSpace::new(
                a,
                DMatrix::from_element(n, 2, 1.0),
                DMatrix::from_element(1, n, 1.0),
                DMatrix::zeros(1, 2),
            )
            .unwrap();
            for method in [Method::Algorithm1 { order: 3 }, Method::Algorithm2 { order: 3 }, Method::ZERO_ORDER_HOLD] {
                check(&system, method);
            }
        }
    }
}

fn check(system: &StateSpace, method: Method) {
    let discretization = Discretization::new(system, 0.01, method.clone()).unwrap();
    let samples = 2 * discretization.sample_offsets().len();
    let retained = 2 * discretization.nodes().len() - samples;
    let mut stepper = Stepper::new(system, 0.01, method).unwrap();
    stepper.set_input(&[0.5, 0.5]).unwrap();
    let (start, u) = (vec![0.5; 2 * stepper.startup_offsets().len()], vec![0.5; samples]);
    let mut ensemble = Ensemble::new(system, &discretization, 5).unwrap();
    ensemble.set_history(&vec![0.5; 5 * retained]).unwrap();
    let (many, mut many_y) = (vec![0.5; 5 * samples], [0.0; 5]);
    let (mut y, mut error, mut saved) = ([0.0], vec![0.0; system.states()], stepper.save());

    let before = obtained();
    while stepper.missing_history() > 0 {
        stepper.start_step(&start, &mut y).unwrap();
    }
    for _ in 0..100 {
        stepper.step(&u, &mut y).unwrap();
        stepper.local_error(&mut error).unwrap();
        stepper.output(&[0.0, 1.0], &mut y).unwrap();
        ensemble.step(&many, &mut many_y).unwrap();
        stepper.save_into(&mut saved).unwrap();
    }
    stepper.restore(&saved).unwrap();
    assert_eq!(obtained(), before, "n = {}", system.states());
}
