//! An accepted step of a mechanism allocates nothing.

use crate::counting;

use counting::obtained;
use fourbar::multibody::integrator::{Gstiff, Stop};
use fourbar::multibody::{Dynamics, DynamicsOptions, Formulation, Mechanism};
use std::sync::Arc;

/// Andrews has redundant rows, a spring and a torque by an
/// expression; sampling its measures and accounts counts as well. Fresh pivots, the one thing that allocates, are chosen once, while
/// the step grows from 5e-9 s by four decades; counting begins after that.
#[test]
fn accepted_steps_allocate_nothing() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/models/andrews.toml");
    let file = fourbar::file::ModelFile::load(path).expect("the model loads");
    for formulation in [Formulation::Si2, Formulation::I3, Formulation::Si1] {
        let mechanism = Arc::new(
            Mechanism::compile(&file.document().mechanism().expect("a mechanism").model).expect("it compiles"),
        );
        let method = Gstiff::with_tolerance(1e-7).into();
        let options = DynamicsOptions { formulation, method, end: 0.03, stop_times: Vec::new() };
        let mut dynamics = Dynamics::new(&mechanism, &options).expect("the run starts");
        let mut values = vec![0.0; mechanism.measures().len()];
        for _ in 0..60 {
            dynamics.step().expect("a step");
            dynamics.account_energy().expect("energy");
        }
        let before = obtained();
        let mut steps = 0;
        while dynamics.step().expect("a step") == Stop::Step {
            dynamics.account_energy().expect("energy");
            dynamics.violation().expect("violation");
            dynamics.measures_at(dynamics.time(), &mut values).expect("measures");
            steps += 1;
        }
        assert!(steps > 200);
        assert_eq!(obtained() - before, 0, "{formulation:?}: allocations in {steps} steps");
    }
}
