//! Mechanisms in coordinates: Andrews' squeezing mechanism over the tolerances, the pendulum in every index.

use crate::support;

use fourbar_dae::integrator::{Gstiff, Integrator, NewtonOptions, Statistics, Stop};
use support::Differentiation;
use support::andrews::{Andrews, Form};
use support::pendulum::{Index, Pendulum};

/// q(0.03): re-computed by five ways that agree to 1e-13 (docs/corrections.md).
const END: [f64; 7] = [
    15.8107711951537,
    -15.75637105841183,
    0.040822240119645734,
    -0.5347301163420797,
    0.524409965879954,
    0.5347301163420797,
    1.048080741041938,
];

/// One run of Andrews' mechanism to t = 0.03: worst relative angle error, largest violations, cost.
pub(crate) struct Run {
    pub(crate) error: f64,
    position: f64,
    velocity: f64,
    pub(crate) statistics: Statistics,
}

pub(crate) fn andrews(form: Form, method: &impl Differentiation) -> Run {
    let (y, yp) = Andrews::start(form);
    let mut run = method.begin(Andrews::system(form), &y, &yp, 0.03);
    let (mut position, mut velocity): (f64, f64) = (0.0, 0.0);
    while run.step().expect("step") != Stop::EndTime {
        let violation = Andrews::violations(run.state());
        (position, velocity) = (position.max(violation.0), velocity.max(violation.1));
    }
    let error = run.state().iter().zip(END).map(|(q, end)| ((q - end) / end).abs()).fold(0.0, f64::max);
    Run { error, position, velocity, statistics: *run.statistics() }
}

/// Errors of the size of integrators.md, section 10 (about ten times the tolerance in SI2 and SI1, some thousand times in I3), in fewer
/// residual evaluations than stand there; those of SI1 at 1e-6 and 1e-9 than of SI2.
#[test]
fn andrews_error_and_cost_over_the_tolerances() {
    let cases = [
        (Form::Si2, 1e-4, 1e-2, 1000),
        (Form::Si2, 1e-6, 3e-5, 1262),
        (Form::Si2, 1e-7, 3e-6, 1674),
        (Form::Si2, 1e-8, 3e-7, 2182),
        (Form::Si2, 1e-9, 3e-8, 2843),
        (Form::Si1, 1e-6, 2e-5, 1262),
        (Form::Si1, 1e-8, 2e-7, 1999),
        (Form::Si1, 1e-9, 2e-8, 2843),
        (Form::I3, 1e-6, 1e-3, 722),
        (Form::I3, 1e-8, 1e-4, 1365),
        (Form::I3, 1e-10, 2e-6, 2461),
        (Form::I3, 1e-11, 2e-7, 3271),
    ];
    for (form, tolerance, error_max, residuals_max) in cases {
        let Run { error, position, velocity, statistics: s } = andrews(form, &Gstiff::with_tolerance(tolerance));
        println!(
            "{form:?} {tolerance:e}: error {error:.1e}, violations {position:.0e} m, {velocity:.0e} m/s, steps {} / {}, residuals {}, \
             factorizations {}",
            s.steps,
            s.rejected_by_error,
            s.residual_evaluations,
            s.factorizations.total()
        );
        assert!(error < error_max, "{form:?} {tolerance:e}: error {error:e}");
        assert!(s.residual_evaluations < residuals_max, "{form:?} {tolerance:e}: {s:?}");
    }
}

#[test]
fn andrews_keeps_its_constraints() {
    for form in [Form::Si2, Form::Si1] {
        let run = andrews(form, &Gstiff::with_tolerance(1e-8));
        assert!(run.position < 1e-10, "{form:?}: {:e} m", run.position);
        assert!(run.velocity < 1e-7, "{form:?}: {:e} m/s", run.velocity);
    }
}

/// A new matrix at each step makes nearly every correction the only one, and both constraints hold to round-off.
#[test]
fn andrews_with_a_new_matrix_at_each_step() {
    let newton = NewtonOptions { matrix_age: 1, ..NewtonOptions::default() };
    for form in [Form::Si2, Form::Si1] {
        let run = andrews(form, &Gstiff { newton, ..Gstiff::with_tolerance(1e-8) });
        assert!(run.error < 1e-6, "{form:?}: {:e}", run.error);
        assert!(run.position < 1e-14 && run.velocity < 1e-11, "{form:?}: {:e} m, {:e} m/s", run.position, run.velocity);
        let s = run.statistics;
        assert!(10 * s.residual_evaluations < 12 * (s.steps + s.rejected_by_error), "{form:?}: {s:?}");
    }
}

/// Fifty periods of two seconds end where they began: at horizontal rest.
#[test]
fn pendulum_over_fifty_periods() {
    let gravity = Pendulum::GRAVITY_OF_PERIOD_2;
    for index in [Index::Stabilized, Index::Integrated] {
        let system = Pendulum::system(index, gravity);
        let (y, yp) = system.equations.rest();
        let mut run = Gstiff::with_tolerance(1e-8).start(system, 0.0, &y, &yp, 100.0).expect("start");
        while run.step().expect("step") != Stop::EndTime {}
        let end = run.state();
        assert!((end[0] - 1.0).abs() < 1e-6 && end[1].abs() < 1e-6, "{end:?}");
        // Just before or after rest v = -g dt tells the error dt of the time. An energy error that grows to g 1e-6 within 100 s changes
        // the period by up to 0.45e-6 of itself (Jacobi's functions at an amplitude of 90 degrees) and so the time by up to 2.3e-5 s.
        let lag = end[3].abs() / gravity;
        assert!(lag < 2.3e-5, "{lag:e} s after 100 s");
        assert!(50 * run.statistics().rejected_by_error < run.statistics().steps, "{:?}", run.statistics());
    }
}

/// Every index is solved. The constraints that are among the equations hold to the corrector's tolerance, 0.03 of the weight
/// 1e-8 (1 + |y|); the others drift by the integration error.
#[test]
fn pendulum_in_every_index() {
    let (held, drift) = (1e-9, 1e-4);
    for (index, position_max, velocity_max) in [
        (Index::Three, held, drift),
        (Index::Two, drift, 10.0 * held),
        (Index::One, drift, drift),
        (Index::Stabilized, held, 10.0 * held),
        (Index::Integrated, held, 10.0 * held),
    ] {
        let system = Pendulum::system(index, Pendulum::GRAVITY_OF_PERIOD_2);
        let (y, yp) = system.equations.rest();
        let mut run = Gstiff::with_tolerance(1e-8).start(system, 0.0, &y, &yp, 2.0).expect("start");
        let (mut position, mut velocity): (f64, f64) = (0.0, 0.0);
        loop {
            let stop = run.step().unwrap_or_else(|error| panic!("{index:?}: {error}"));
            let s = run.state();
            position = position.max((s[0].hypot(s[1]) - 1.0).abs());
            velocity = velocity.max((s[0] * s[2] + s[1] * s[3]).abs());
            if stop == Stop::EndTime {
                break;
            }
        }
        assert!((run.state()[0] - 1.0).abs() < 1e-4 && run.state()[1].abs() < 1e-4, "{index:?} {:?}", run.state());
        assert!(position < position_max && velocity < velocity_max, "{index:?}: {position:e} m, {velocity:e} m/s");
    }
}
