//! No step of a nonlinear stepper allocates: counted by an allocator that counts.

use crate::counting;

use counting::obtained;
use fourbar_lti::{ExponentialMethod, NonlinearStepper};
use nalgebra::DMatrix;

/// One test, so that no other thread allocates meanwhile. Start-up, steps and restarts are counted.
#[test]
fn steps_allocate_nothing() {
    let n = 20;
    let a = DMatrix::from_fn(n, n, |i, j| if i == j { -2.0 } else { 1.0 / (1 + i + j) as f64 });
    let adams =
        (1..=4).flat_map(|order| [ExponentialMethod::Adams { order }, ExponentialMethod::AdamsRealTime { order }]);
    let others = [
        ExponentialMethod::MidpointRealTime,
        ExponentialMethod::Etdrk2,
        ExponentialMethod::Etdrk4,
        ExponentialMethod::Krogstad,
        ExponentialMethod::HochbruckOstermann,
    ];
    for method in adams.chain(others) {
        let mut stepper = NonlinearStepper::new(&a, 0.01, method).unwrap();
        stepper.set_state(&vec![0.5; n]).unwrap();
        let mut saved = stepper.save();
        let before = obtained();
        for k in 0..100 {
            if k % 25 == 0 {
                stepper.restart();
            }
            stepper.step(|t, x, f| f.iter_mut().zip(x).for_each(|(f, x)| *f = t - x * x)).unwrap();
        }
        stepper.save_into(&mut saved).unwrap();
        stepper.restore(&saved).unwrap();
        assert_eq!(obtained(), before, "{method:?}");
    }
}
