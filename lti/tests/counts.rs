//! How often the exponential methods ask for the nonlinear part: once or twice a step where they are multistep, once a stage where they are not.

use crate::count_file::compare;
use crate::nonlinear::all;
use fourbar_lti::NonlinearStepper;
use nalgebra::dmatrix;

const STEPS: u64 = 100;

#[test]
fn reference_runs_take_no_more_than_they_did() {
    let a = dmatrix![-1.0, 1.0; 0.0, -50.0];
    let mut found = Vec::new();
    for method in all() {
        let mut stepper = NonlinearStepper::new(&a, 0.01, method).unwrap();
        stepper.set_state(&[1.0, 0.5]).unwrap();
        let mut evaluations = 0;
        for _ in 0..STEPS {
            let nonlinear = |_: f64, x: &[f64], out: &mut [f64]| {
                evaluations += 1;
                out.copy_from_slice(&[-x[0] * x[1], x[0] * x[0]]);
            };
            stepper.step(nonlinear).unwrap();
        }
        found.push((format!("{method:?}"), vec![("steps", STEPS), ("evaluations", evaluations)]));
    }
    compare(env!("CARGO_MANIFEST_DIR"), &found);
}
