//! The source's example event-driven: every impact, the accumulation point and the rest against the closed form.

use crate::support;
use approx::assert_abs_diff_eq;
use fourbar_contact::event::{EventDriven, EventKind, Reached};
use support::{ClosedForm, four_bar, wall, x_a};

#[test]
fn impacts_accumulate_and_come_to_rest() {
    let (mechanism, exact) = (four_bar(0.0), ClosedForm::new(0.8));
    let mut run = EventDriven::default().start(&mechanism, wall(0.8), mechanism.start(), 0.4).unwrap();
    let mut violation = [0.0_f64; 2];
    loop {
        let reached = run.step().unwrap();
        let now = run.violation().unwrap();
        violation = [violation[0].max(now[0]), violation[1].max(now[1])];
        let (t, x) = (run.time(), x_a(run.state()));
        assert_abs_diff_eq!(x, exact.x_a(t), epsilon = 2e-8);
        if reached == Reached::EndTime {
            break;
        }
    }
    assert!(violation[0] <= 1e-12 && violation[1] <= 1e-10, "{violation:?}");
    let impacts: Vec<_> = run.log().iter().filter(|e| matches!(e.kind, EventKind::Impact(_))).collect();
    let fast = (1..).take_while(|&k| exact.closing_speed(k) >= 1e-3).count();
    assert_eq!(fast, 38);
    assert!(impacts.len() >= fast, "{}", impacts.len());
    for (k, event) in (1..).zip(&impacts[..fast]) {
        assert!((event.time - exact.impact(k)).abs() <= 1e-9, "impact {k}: {} {}", event.time, exact.impact(k));
        let tolerance = if exact.closing_speed(k) >= 1e-2 { 1e-8 } else { 1e-6 };
        let relative = event.closing_speed / exact.closing_speed(k) - 1.0;
        assert!(relative.abs() <= tolerance, "impact {k}: {relative:e}");
        // T+ - T- = -m_eff (1 - e^2) v^2/2.
        let lost = 0.5 * 0.293_040_293_040_293 * (1.0 - 0.64) * exact.closing_speed(k).powi(2);
        assert!((event.energy + lost).abs() <= 1e-6 * lost, "impact {k}");
    }
    let point = run.log().iter().find(|e| e.kind == EventKind::Accumulation).unwrap();
    assert!((point.time - exact.accumulation()).abs() <= 1e-8, "{} {}", point.time, exact.accumulation());
    assert_eq!(run.closed().len(), 1);
    assert_abs_diff_eq!(run.forces().unwrap()[0][0], 52.414_241_836_095_91, epsilon = 1e-7);
    assert_abs_diff_eq!(x_a(run.state()), -0.06, epsilon = 1e-13);
    assert!(run.state().poses.iter().all(|p| p.v.norm() <= 1e-12));
}

#[test]
fn gravity_changes_the_numbers_not_the_course() {
    // theta'' = (T - 0.5886 cos theta)/I, integrated apart to 11 digits.
    let mechanism = four_bar(9.81);
    let mut run = EventDriven::default().start(&mechanism, wall(0.8), mechanism.start(), 0.4).unwrap();
    run.run().unwrap();
    assert_abs_diff_eq!(run.log()[0].time, 0.025_457_487_73, epsilon = 1e-10);
    let point = run.log().iter().find(|e| e.kind == EventKind::Accumulation).unwrap();
    assert_abs_diff_eq!(point.time, 0.227_371_859_18, epsilon = 1e-8);
    assert_abs_diff_eq!(run.forces().unwrap()[0][0], 53.339_772_52, epsilon = 1e-7);
}
