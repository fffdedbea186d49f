//! The source's example by time stepping: a four-bar driven onto a wall, every scheme against the closed form.

use crate::support;
use fourbar_contact::stepping::{Scheme, TimeStepping};
use support::{ClosedForm, four_bar, wall, x_a};

/// What a run of 0.4 s did.
#[derive(Debug)]
struct Run {
    error: f64,
    penetration: f64,
    violation: f64,
    rate_violation: f64,
    force: f64,
}

fn run(scheme: Scheme, h: f64) -> Run {
    let (mechanism, exact) = (four_bar(0.0), ClosedForm::new(0.8));
    let options = TimeStepping { scheme, step: h, ..TimeStepping::default() };
    let mut stepper = options.start(&mechanism, wall(0.8), mechanism.start()).unwrap();
    let mut run = Run { error: 0.0, penetration: 0.0, violation: 0.0, rate_violation: 0.0, force: 0.0 };
    let steps = (0.4 / h).round() as usize;
    for _ in 0..steps {
        let record = *stepper.step().unwrap();
        run.error += (x_a(stepper.state()) - exact.x_a(record.time)).abs() / steps as f64;
        run.penetration = run.penetration.max(-record.gap);
        run.violation = run.violation.max(record.violation[1]);
        run.rate_violation = run.rate_violation.max(record.rate_violation[1]);
        if record.time > 0.3 + 0.5 * h {
            run.force += record.impulse / 0.1;
        }
    }
    run
}

#[test]
fn gap_lcp_meets_the_wall_and_rests_there() {
    let (coarse, fine) = (run(Scheme::GapLcp, 1e-3), run(Scheme::GapLcp, 1e-4));
    assert!(fine.error <= 4e-4, "{fine:?}");
    assert!(fine.error < 0.2 * coarse.error, "{coarse:?} {fine:?}");
    for run in [&coarse, &fine] {
        assert!(run.penetration <= 1e-12, "{run:?}");
        assert!(run.violation <= 1e-12 && run.rate_violation <= 1e-10, "{run:?}");
        assert!((run.force - 52.414_241_836_095_91).abs() < 1e-6, "{run:?}");
    }
}

#[test]
fn errors_fall_with_the_step() {
    let steps: [f64; 4] = [1e-3, 5e-4, 2.5e-4, 1.25e-4];
    for scheme in [Scheme::GapLcp, Scheme::MoreauJean { theta: 0.5 }, Scheme::Ggl] {
        // Where in a step an impact falls is chance: means over steps from h down to h/2.
        let mean =
            |h: f64| (0..16).map(|k| run(scheme, h * 2.0_f64.powf(-f64::from(k) / 16.0)).error / 16.0).sum::<f64>();
        let points = steps.map(|h| (h.ln(), mean(h).ln()));
        let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), p| (x + p.0 / 4.0, y + p.1 / 4.0));
        let sum = |f: &dyn Fn(f64, f64) -> f64| points.iter().map(|p| f(p.0 - x, p.1 - y)).sum::<f64>();
        let order = sum(&|a, b| a * b) / sum(&|a, _| a * a);
        println!("{scheme:?}: {:?}, order {order:.2}", points.map(|p| p.1.exp()));
        assert!(order >= 0.85, "{scheme:?}: {order}");
    }
}

#[test]
fn moreau_jean_and_ggl_converge_too() {
    for scheme in [Scheme::MoreauJean { theta: 0.5 }, Scheme::Ggl] {
        let (coarse, fine) = (run(scheme, 1e-3), run(scheme, 1e-4));
        assert!(fine.error <= 4e-4 && fine.error < 0.2 * coarse.error, "{scheme:?} {coarse:?} {fine:?}");
        assert!(fine.violation <= 1e-12 && fine.rate_violation <= 1e-10, "{fine:?}");
        assert!((fine.force - 52.414_241_836_095_91).abs() < 1e-3, "{fine:?}");
    }
}
