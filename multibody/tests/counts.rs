//! What the integrators take for the reference mechanisms.

use crate::chains::{compiled, dynamics};
use crate::count_file::{Counts, compare};
use crate::support::chains::{Drawing, Kind};
use fourbar_multibody::integrator::{Abam, Gstiff, Rkf45, Statistics};
use fourbar_multibody::{Formulation, Method};

fn counts(s: &Statistics) -> Counts {
    vec![
        ("steps", s.steps),
        ("rejected", s.rejected_by_error + s.rejected_by_newton + s.rejected_by_evaluation + s.rejected_by_switch),
        ("residuals", s.residual_evaluations),
        ("Jacobians", s.jacobian_evaluations),
        ("factorizations", s.factorizations.total()),
        ("iterations", s.newton_iterations),
        ("pivotings", s.pivotings),
    ]
}

#[test]
fn reference_runs_take_no_more_than_they_did() {
    let mut found = Vec::new();
    for (kind, drawing) in [(Kind::Chain, Drawing::Zigzag), (Kind::Ladder, Drawing::Twisted)] {
        for formulation in [Formulation::Si2, Formulation::I3, Formulation::Si1] {
            let gstiff = Gstiff::with_tolerance(1e-6).into();
            let mut run = dynamics(&compiled(kind, drawing, 60), gstiff, formulation);
            while run.time() < 0.2 {
                let _ = run.step().expect("a step");
            }
            found.push((format!("{kind:?} of 60, {drawing:?}, {formulation:?}, 1e-6"), counts(run.statistics())));
        }
    }
    for method in [Method::from(Rkf45::with_tolerance(1e-6)), Abam::with_tolerance(1e-6).into()] {
        let name = method.name();
        let mut run = dynamics(&compiled(Kind::Chain, Drawing::Zigzag, 60), method, Formulation::Si2);
        while run.time() < 0.2 {
            let _ = run.step().expect("a step");
        }
        found.push((format!("Chain of 60, Zigzag, partitioned, {name}, 1e-6"), counts(run.statistics())));
    }
    compare(env!("CARGO_MANIFEST_DIR"), &found);
}
