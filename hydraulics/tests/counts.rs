//! What the stiff integrator takes for the axes of the press, each with a mass on its rod.

use crate::count_file::compare;
use crate::press::{axes, loaded};
use fourbar_dae::integrator::{Gstiff, Integrator, Stop};

#[test]
fn reference_runs_take_no_more_than_they_did() {
    let mut found = Vec::new();
    for (name, axis) in ["press, left", "press, right"].into_iter().zip(axes()) {
        for tolerance in [1e-6, 1e-9] {
            let mut circuit = loaded(&axis);
            let start = circuit.steady(0.0).unwrap();
            let mut run = Gstiff::with_tolerance(tolerance).start(circuit, 0.0, &start.y, &start.yp, 0.4).unwrap();
            while run.step().unwrap() != Stop::EndTime {}
            let s = run.statistics();
            let counts = vec![
                ("steps", s.steps),
                ("rejected", s.rejected_by_error + s.rejected_by_newton + s.rejected_by_switch),
                ("residuals", s.residual_evaluations),
                ("Jacobians", s.jacobian_evaluations),
                ("factorizations", s.factorizations.total()),
                ("iterations", s.newton_iterations),
            ];
            found.push((format!("{name}, {tolerance:e}"), counts));
        }
    }
    compare(env!("CARGO_MANIFEST_DIR"), &found);
}
