//! The communication step by the extrapolation error, with rollback.

use fourbar_coupling::{Adaptive, Algorithm, Options, Order};

use crate::press::machine::Machine;
use crate::press::measure::measure;

#[test]
fn an_error_of_3e_4_on_the_press_costs_at_most_1400_evaluations() {
    let algorithm = Algorithm::GaussSeidel { order: Order::Quadratic, sequence: vec!["hyd".into(), "mech".into()] };
    let adaptive = Adaptive { tolerance: 1e-4, first: 3.4e-5, shortest: 2.5e-5, rollback: true };
    let options = Options { adaptive: Some(adaptive), ..Options::new(2.0, 0.02, algorithm) };
    let errors = measure(Machine::Press, &options);
    let evaluations = errors.statistics.steps + errors.statistics.rejected;
    println!(
        "{:.3e}, {:.3e} in {evaluations} evaluations, {} rejected",
        errors.velocity, errors.force, errors.statistics.rejected
    );
    assert!(errors.velocity < 3.4e-4, "{:e}", errors.velocity);
    assert!(evaluations <= 1400 && errors.statistics.rejected > 0, "{evaluations}");
}
