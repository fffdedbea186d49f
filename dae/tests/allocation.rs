//! An accepted step allocates nothing.

use crate::counting;

use crate::support;

use crate::support::ode::{forced, forced_solution, system};
use counting::obtained;
use fourbar_dae::integrator::{Abam, Gstiff, Integrator, Snapshot, Stop};
use support::andrews::{Andrews, Form};

/// The steps counted contain rejections, changes of order and
/// step, and new matrices.
#[test]
fn steps_and_repeated_saves_allocate_nothing() {
    for form in [Form::Si2, Form::Si1] {
        steps_allocate_nothing(form);
    }
}

fn steps_allocate_nothing(form: Form) {
    let (y, yp) = Andrews::start(form);
    let mut run = Gstiff::with_tolerance(1e-6).start(Andrews::system(form), 0.0, &y, &yp, 0.03).expect("start");
    for _ in 0..20 {
        run.step().expect("step");
    }
    let mut snapshot = Snapshot::new();
    run.save(&mut snapshot);
    let (before, steps, rejected) = (obtained(), run.statistics().steps, run.statistics().rejected_by_error);
    while run.step().expect("step") != Stop::EndTime {
        run.save(&mut snapshot);
    }
    let obtained = obtained() - before;
    assert!(run.statistics().steps > steps + 300 && run.statistics().rejected_by_error > rejected);
    assert_eq!(obtained, 0, "{form:?}: allocations in {} steps", run.statistics().steps - steps);
}

/// Changes of order, and points left out behind stops close together, among them.
#[test]
fn steps_of_abam_and_repeated_saves_allocate_nothing() {
    let mut run =
        Abam::with_tolerance(1e-8).start(system::<2, _>(forced), 0.0, &forced_solution(0.0), 30.0).expect("start");
    run.set_stop_times(&[5.0, 5.0 + 1e-6, 20.0]).expect("increasing");
    let mut snapshot = Snapshot::new();
    run.save(&mut snapshot);
    let before = obtained();
    while run.step().expect("step") != Stop::EndTime {
        run.save(&mut snapshot);
    }
    assert_eq!(obtained() - before, 0);
}
