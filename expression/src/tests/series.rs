//! Series, the sweep and the rounding functions of Adams: closed forms, breaks, held sides.
use super::{compile, evaluate};
use crate::{Expression, Problem, Stack};
use proptest::prelude::*;

proptest! {
    /// Tj(cos a) = cos(j a), and the series of Fourier by single terms.
    #[test]
    fn series_are_their_closed_forms(angle in 0.0..3.1f64, a in [-2.0..2.0f64, -2.0..2.0f64, -2.0..2.0f64, -2.0..2.0f64]) {
        let sum = |f: &dyn Fn(f64) -> f64| a[0] * f(0.0) + a[1] * f(1.0) + a[2] * f(2.0) + a[3] * f(3.0);
        let variables = [angle.cos(), a[0], a[1], a[2], a[3]];
        let expected = sum(&|j| (j * angle).cos());
        prop_assert!((evaluate("cheby(x, 0, a, b, c, d)", &variables) - expected).abs() < 1e-13);
        let variables = [angle, a[0], a[1], a[2], a[3]];
        let cosines = sum(&|j| (j * 2.0 * (angle - 0.5)).cos());
        prop_assert!((evaluate("forcos(x, 0.5, 2, a, b, c, d)", &variables) - cosines).abs() < 1e-13);
        let sines = a[0] + sum(&|j| (j * 2.0 * (angle - 0.5)).sin());
        prop_assert!((evaluate("forsin(x, 0.5, 2, a, b, c, d)", &variables) - sines).abs() < 1e-13);
    }

    /// The frequency of a sweep is the derivative of its cycles: from f0 at x0 to f1 at x1, then constant.
    #[test]
    fn a_sweep_is_continuous_with_its_frequency(x0 in -1.0..1.0f64, f in [0.5..5.0f64, 0.5..5.0f64]) {
        let text = format!("sweep(time, 2, {x0}, {}, {}, {}, 0.1)", f[0], x0 + 3.0, f[1]);
        let program = compile(&text);
        let mut stack = Stack::new(program.depth());
        for edge in [x0, x0 + 0.1, x0 + 3.0] {
            let [before, behind] = [-1e-9, 1e-9].map(|h| program.time_derivatives(edge + h, &mut stack));
            prop_assert!((before[0] - behind[0]).abs() < 1e-6 && (before[1] - behind[1]).abs() < 1e-4, "{text} at {edge}");
        }
        // Where the sine is steepest, amplitude 2, the rate is 2 (2 pi f).
        let top = |from: f64, to: f64| (0..=4000).map(|k| from + (to - from) * f64::from(k) / 4000.0)
            .map(|t| program.time_derivatives(t, &mut Stack::new(program.depth()))[1].abs()).fold(0.0, f64::max);
        let behind = top(x0 + 3.0, x0 + 6.0) / (4.0 * std::f64::consts::PI);
        // Of 4000 places in 3 s the nearest to the steepest is within 0.4 ms: cos(2 pi 5 0.0004) = 1 - 8e-5.
        prop_assert!((behind - f[1]).abs() < 2e-4 * f[1], "{behind} for {}", f[1]);
    }

    #[test]
    fn whole_numbers_and_signs(x in -5.0..5.0f64, y in -5.0..5.0f64) {
        prop_assert_eq!(evaluate("aint(x)", &[x]), x.trunc());
        prop_assert_eq!(evaluate("anint(x)", &[x]), x.round());
        prop_assert_eq!(evaluate("dim(x, y)", &[x, y]), (x - y).max(0.0));
        prop_assert_eq!(evaluate("sign(x, y)", &[x, y]), if y >= 0.0 { x.abs() } else { -x.abs() });
        prop_assert_eq!(evaluate("sign(x)", &[x]), x.signum());
        // Held on the side on which they are, they are the same.
        for text in ["aint(x)", "anint(x)", "sign(2, x)"] {
            let program = compile(text);
            let conditions = program.conditions(9);
            let (mut sides, mut arguments) = (vec![f64::NAN; conditions.count()], vec![0.0; conditions.count()]);
            let held = program.evaluate_held(|_| x, &mut conditions.hold(&mut sides, &mut arguments), &mut Stack::new(program.depth()));
            prop_assert_eq!(held, evaluate(text, &[x]), "{}", text);
        }
    }
}

#[test]
fn halves_and_zeros() {
    assert_eq!(evaluate("anint(-2.5) + 10 * anint(2.5) + 100 * anint(0.4)", &[]), 27.0);
    assert_eq!(evaluate("sign(-3, 0) + aint(-0.9)", &[]), 3.0);
    assert_eq!(evaluate("180 * dtor - pi", &[]), 0.0);
    assert!((evaluate("pi * rtod", &[]) - 180.0).abs() < 1e-13);
}

#[test]
fn breaks_of_the_time() {
    let breaks = |text: &str, from: f64| {
        compile(text).breaks(0).iter().map(|each| each.from(from)).fold(f64::INFINITY, f64::min)
    };
    assert_eq!(breaks("aint(time)", 0.3), 1.0);
    assert_eq!(breaks("anint(time)", 0.3), 0.5);
    assert_eq!(breaks("dim(time, 2)", 0.3), 2.0);
    assert_eq!(breaks("sign(3, time - 4)", 0.3), 4.0);
    assert_eq!(breaks("sweep(time, 1, 0.5, 1, 2, 3, 0.25)", 0.3), 0.5);
    assert_eq!(breaks("sweep(time, 1, 0.5, 1, 2, 3, 0.25)", 0.6), 0.75);
    assert_eq!(breaks("sweep(time, 1, 0.5, 1, 2, 3, 0.25)", 0.8), 2.0);
}

/// Pieces of the time between breaks: the law is the value.
#[test]
fn pieces_of_series() {
    for text in [
        "cheby(time, 1, 1, 2, 3, 4)",
        "forcos(time, 0.3, 5, 1, 2, 3)",
        "forsin(2 * time, 0.3, 5, 1, 2, 3)",
        "aint(2 * time) + anint(time) * time",
        "dim(time, 1) + sign(time, 2 - time)",
    ] {
        let program = compile(text);
        for from in [0.0, 0.2, 0.9, 1.7, 3.1] {
            let piece = program.piece(0, from, 1e-9, 10.0);
            let (law, to) = (piece.law.expect(text), piece.until.min(from + 1.0));
            for part in [0.1, 0.6, 0.95] {
                let time = from + part * (to - from);
                let value = program.evaluate(&[time], &mut Stack::new(program.depth()));
                assert!(
                    (law.value(time - from) - value).abs() < 1e-10,
                    "{text} at {time}: {} for {value}",
                    law.value(time - from)
                );
            }
        }
    }
}

#[test]
fn faults() {
    let problem = |text: &str| Expression::parse(text).expect_err(text).problem;
    assert!(matches!(problem("sweep(time, 1, 2, 1, 2, 3, 0.1)"), Problem::SweepInterval { x0: 2.0, x1: 2.0 }));
    assert!(matches!(problem("sweep(time, 1, 0, 1, 2, 3, 0)"), Problem::SweepRise { dx: 0.0 }));
    assert!(matches!(problem("sign()"), Problem::Arguments { found: 0, .. }));
    assert!(matches!(problem("sign(1, 2, 3)"), Problem::Arguments { found: 3, .. }));
    assert!(matches!(problem("forcos(time, 0, 1)"), Problem::Arguments { .. }));
}
