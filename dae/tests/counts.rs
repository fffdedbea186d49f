//! What the integrators take for Andrews' mechanism and the stiff problems.

use crate::andrews::andrews;
use crate::count_file::{Counts, compare};
use crate::stiff::{method, worst_error};
use crate::support::andrews::Form;
use crate::support::{ProtheroRobinson, Robertson, VanDerPol};
use fourbar_dae::integrator::{Damping, Dstiff, Gstiff, Hht, Integrator, Statistics, Stop, Wstiff};

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

fn stiff() -> [(String, Counts); 3] {
    let robertson = Robertson::system(true);
    let by = method(1e-8, &[1e-12, 1e-15, 1e-12]);
    let robertson = worst_error("robertson", robertson, &Robertson::START, &Robertson::SLOPE, &by).1;
    let by = method(1e-8, &[1e-9, 1e-11]);
    let van_der_pol = worst_error("van_der_pol_mu1000", VanDerPol::system(1e3), &[2.0, 0.0], &[0.0, -2.0], &by).1;
    let prothero = ProtheroRobinson::system(1e6);
    let mut run = Gstiff::with_tolerance(1e-8).start(prothero, 0.0, &[1.0, 1.0], &[0.0; 2], 10.0).expect("a start");
    while run.step().expect("a step") != Stop::EndTime {}
    [
        ("Robertson, 1e-8".to_owned(), counts(&robertson)),
        ("van der Pol, mu 1000, 1e-8".to_owned(), counts(&van_der_pol)),
        ("Prothero and Robinson, 1e6, 1e-8".to_owned(), counts(run.statistics())),
    ]
}

#[test]
fn reference_runs_take_no_more_than_they_did() {
    let mut found = Vec::new();
    for (form, tolerance) in [(Form::Si2, 1e-6), (Form::Si2, 1e-8), (Form::Si1, 1e-8), (Form::I3, 1e-8)] {
        let run = andrews(form, &Gstiff::with_tolerance(tolerance));
        found.push((format!("Andrews, {form:?}, {tolerance:e}"), counts(&run.statistics)));
    }
    for form in [Form::Si2, Form::I3] {
        let by_w = andrews(form, &Wstiff::with_tolerance(1e-8)).statistics;
        let by_d = andrews(form, &Dstiff::with_tolerance(1e-8)).statistics;
        for (name, statistics) in [("wstiff", by_w), ("dstiff", by_d)] {
            found.push((format!("Andrews, {form:?}, {name}, 1e-8"), counts(&statistics)));
        }
    }
    for form in [Form::Si2, Form::I3] {
        for (name, damping) in [("alpha -0.3", Damping::default()), ("radius 0.8", Damping::SpectralRadius(0.8))] {
            let run = andrews(form, &Hht { damping, ..Hht::with_tolerance(1e-6) });
            found.push((format!("Andrews, {form:?}, hht, {name}, 1e-6"), counts(&run.statistics)));
        }
    }
    found.extend(stiff());
    compare(env!("CARGO_MANIFEST_DIR"), &found);
}
