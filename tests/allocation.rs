//! An accepted step of a mechanism allocates nothing.

use crate::counting;

use counting::obtained;
use fourbar::multibody::integrator::{Gstiff, Stop};
use fourbar::multibody::{Dynamics, DynamicsOptions, Formulation, Mechanism, Model};
use std::sync::Arc;

/// Steps of `model` to `end`, its measures and accounts counted as well; fresh pivots, the one thing that allocates, are chosen in the first sixty
/// steps, before counting begins.
fn steps_allocate_nothing(name: &str, model: &Model, end: f64) {
    for formulation in [Formulation::Si2, Formulation::I3, Formulation::Si1] {
        let mechanism = Arc::new(Mechanism::compile(model).expect("it compiles"));
        let method = Gstiff::with_tolerance(1e-7).into();
        let options = DynamicsOptions { formulation, method, end, stop_times: Vec::new() };
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
        assert!(steps > 200, "{name}, {formulation:?}: {steps}");
        assert_eq!(obtained() - before, 0, "{name}, {formulation:?}: allocations in {steps} steps");
    }
}

/// Andrews has redundant rows, a spring and a torque by an expression; the step grows from 5e-9 s by four decades.
#[test]
fn accepted_steps_allocate_nothing() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/models/andrews.toml");
    let file = fourbar::file::ModelFile::load(path).expect("the model loads");
    steps_allocate_nothing("andrews", &file.document().mechanism().expect("a mechanism").model, 0.03);
}

/// Derivatives of first and second order of constraints by expression, in a plane and in space, with one that does work.
#[test]
fn steps_with_constraints_by_expression_allocate_nothing() {
    for (name, table) in [("plane", "planar"), ("space", "inplane")] {
        let text = format!(
            "gravity = [0, -9.81, 0]\n[[body]]\nname = \"bead\"\nmass = 2\ninertia = [0.1, 0.1, 0.1]\nposition = [0.6, -0.8, 0]\n\
             [[joint]]\nname = \"table\"\ntype = \"{table}\"\ni = \"bead\"\nj = \"ground\"\n\
             [[constraint]]\nname = \"wire\"\nequation = \"p.x^2 + p.y^2 - (1 + 0.1*sin(3*time))^2\"\ni = \"bead\"\n\
             [[measure]]\nname = \"p\"\ntype = \"position\"\ni = \"bead\"\n\
             [[measure]]\nname = \"pull\"\ntype = \"reaction\"\nconstraint = \"wire\"\nquantity = \"force\"\n"
        );
        let file = fourbar::file::ModelFile::parse("bead.toml", text).unwrap_or_else(|e| panic!("{e}"));
        steps_allocate_nothing(name, &file.document().mechanism().expect("a mechanism").model, 20.0);
    }
}
