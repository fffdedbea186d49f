//! Splines: polynomials that they reproduce, derivatives, breaks, extrapolation, faults.
use crate::{Binding, Expression, Problem, Program, Spline, SplineError, Stack};
use num_dual::Dual2_64;
use proptest::prelude::*;
use std::sync::Arc;

/// `text` with the spline `c`; every other name is slot 0, but `z`, which is slot 1.
fn bind(text: &str, spline: Spline) -> Program {
    let spline = Arc::new(spline);
    let resolve = &mut |name: &str| match name {
        "c" => Some(Binding::Spline(Arc::clone(&spline))),
        "z" => Some(Binding::Slot(1)),
        _ => Some(Binding::Slot(0)),
    };
    Expression::parse(text).expect("parsed").bind(resolve).expect("bound")
}

fn curve(x: &[f64], y: &[f64]) -> Spline {
    Spline::new(x, &[y], &[]).expect("a curve")
}

fn at(program: &Program, slots: &[f64]) -> f64 {
    program.evaluate(slots, &mut Stack::new(program.depth()))
}

/// Increasing points over some range.
fn points() -> impl Strategy<Value = Vec<f64>> {
    (prop::collection::vec(0.05..2.0f64, 2..12), -5.0..5.0f64).prop_map(|(widths, begin)| {
        widths
            .iter()
            .scan(begin, |x, width| {
                *x += width;
                Some(*x)
            })
            .collect()
    })
}

proptest! {
    /// Both reproduce straight lines, beyond the ends too; Akima's reproduces parabolas within the ends, if points are evenly spaced.
    #[test]
    fn polynomials_are_reproduced(x in points(), [a, b] in [-3.0..3.0f64, -3.0..3.0f64], s in -0.5..1.5f64) {
        let y: Vec<f64> = x.iter().map(|x| a + b * x).collect();
        let (first, last) = (x[0], x[x.len() - 1]);
        let place = first + s * (last - first);
        for text in ["akispl(x, c)", "cubspl(x, c)"] {
            let program = bind(text, curve(&x, &y));
            prop_assert!((at(&program, &[place]) - (a + b * place)).abs() < 1e-11, "{text}");
            let slope = bind(&text.replace(", c", ", 0, c, 1"), curve(&x, &y));
            prop_assert!((at(&slope, &[place]) - b).abs() < 1e-10, "{text}");
        }
        let even: Vec<f64> = (0..x.len().max(3)).map(|k| 0.5 * k as f64 - 1.0).collect();
        let parabola: Vec<f64> = even.iter().map(|x| a + x * (b + x)).collect();
        let place = even[0] + s.clamp(0.0, 1.0) * (even[even.len() - 1] - even[0]);
        let program = bind("akispl(x, c)", curve(&even, &parabola));
        prop_assert!((at(&program, &[place]) - (a + place * (b + place))).abs() < 1e-11);
    }

    /// The curve goes through its points, and first and second derivatives are those of differences, of the value and of each other.
    #[test]
    fn derivatives_are_those_of_differences(x in points(), s in 0.0..1.0f64, seed in prop::collection::vec(-1.0..1.0f64, 12)) {
        let y: Vec<f64> = seed[..x.len()].to_vec();
        for name in ["akispl", "cubspl"] {
            let orders = ["", ", 1", ", 2"].map(|order| bind(&format!("{name}(x, c{order})"), curve(&x, &y)));
            for (x, y) in x.iter().zip(&y) {
                prop_assert!((at(&orders[0], &[*x]) - y).abs() < 1e-12);
            }
            // Away from points, where the second derivative may jump.
            let k = ((x.len() - 1) as f64 * s) as usize;
            let (h, place) = (1e-5, x[k] + (x[k + 1] - x[k]) * (0.1 + 0.8 * s));
            let mut stack = Stack::new(1);
            let [value, first, second] = orders[0].time_derivatives(place, &mut stack);
            prop_assert_eq!(value, at(&orders[0], &[place]));
            prop_assert_eq!(first, at(&orders[1], &[place]));
            prop_assert_eq!(second, at(&orders[2], &[place]));
            let difference = |p: &Program| (at(p, &[place + h]) - at(p, &[place - h])) / (2.0 * h);
            // The third derivative grows with the smallest width cubed: 1/0.05³ = 8000.
            prop_assert!((difference(&orders[0]) - first).abs() < 1e-5 * (1.0 + first.abs()), "{name}");
            prop_assert!((difference(&orders[1]) - second).abs() < 1e-5 * (1.0 + second.abs()), "{name}");
            let [_, of_first, _] = orders[1].time_derivatives(place, &mut stack);
            prop_assert_eq!(of_first, second);
        }
    }

    /// A family is linear in z between curves and beyond them, with exact mixed derivatives.
    #[test]
    fn families_are_linear_in_z(x in points(), s in -0.2..1.2f64, z in -3.0..6.0f64) {
        let rows: Vec<Vec<f64>> = [1.0, 2.0, 2.5].iter().map(|f| x.iter().map(|x| (f * x).sin()).collect()).collect();
        let rows: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
        let family = bind("akispl(x, z, c)", Spline::new(&x, &rows, &[-1.0, 1.0, 4.0]).expect("a family"));
        let place = x[0] + s * (x[x.len() - 1] - x[0]);
        let row = usize::from(z >= 1.0);
        let [low, high] = [row, row + 1].map(|k| at(&bind("akispl(x, c)", curve(&x, rows[k])), &[place]));
        let (begin, width) = if row == 0 { (-1.0, 2.0) } else { (1.0, 3.0) };
        let expected = low + (z - begin) / width * (high - low);
        prop_assert!((at(&family, &[place, z]) - expected).abs() < 1e-12 * (1.0 + expected.abs()));
        // Along a line in x and z: the second derivative has the mixed term alone for z.
        let line = |t: Dual2_64| [t * 0.3 + place, t * 2.0 + z];
        let result = family.evaluate(&line(Dual2_64::from(0.0).derivative()), &mut Stack::new(family.depth()));
        let order = |k: usize| bind(&format!("akispl(x, z, c, {k})"), Spline::new(&x, &rows, &[-1.0, 1.0, 4.0]).expect("a family"));
        let by_z = (high - low) / width;
        prop_assert!((result.v1 - (0.3 * at(&order(1), &[place, z]) + 2.0 * by_z)).abs() < 1e-9 * (1.0 + result.v1.abs()));
    }
}

#[test]
fn the_natural_cubic_has_no_curvature_at_its_ends_and_is_smooth() {
    let x: Vec<f64> = (0..9).map(|k| f64::from(k) + 0.1 * f64::from(k * k)).collect();
    let y: Vec<f64> = x.iter().map(|x| x.sin()).collect();
    let second = bind("cubspl(x, 0, c, 2)", curve(&x, &y));
    assert!(at(&second, &[x[0]]).abs() < 1e-13 && at(&second, &[x[8] - 1e-12]).abs() < 1e-9);
    for knot in &x[1..8] {
        let [before, behind] = [-1e-10, 1e-10].map(|h| at(&second, &[knot + h]));
        assert!((before - behind).abs() < 1e-8, "at {knot}: {before} and {behind}");
    }
}

/// From the formula of Akima (1970): slopes at a corner between flat and steep, by hand.
#[test]
fn akima_does_not_overshoot_at_a_corner() {
    let x: Vec<f64> = (0..7).map(f64::from).collect();
    let program = bind("akispl(x, c)", curve(&x, &[0.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0]));
    // m = 0 0 | 0 1 1: both weights at the corner are those of equal neighbours, and the slope is the mean.
    let slope = bind("akispl(x, c, 1)", curve(&x, &[0.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0]));
    assert_eq!([2.5, 1.0, -4.0, 8.0].map(|x| at(&slope, &[x]))[1..], [0.0, 0.0, 1.0]);
    assert_eq!(at(&slope, &[3.0]), 0.5);
    assert_eq!([0.5, 1.7, 4.5, 9.0].map(|x| at(&program, &[x])), [0.0, 0.0, 1.5, 6.0]);
}

#[test]
fn sizes_and_scales_do_not_matter() {
    let two = bind("akispl(x, c) - cubspl(x, c)", curve(&[1.0, 2.0], &[3.0, 5.0]));
    assert_eq!(at(&two, &[7.0]), 0.0);
    // In micrometres, 1e-6 m, as in metres.
    let (x, y): (Vec<f64>, Vec<f64>) = (0..20).map(|k| (f64::from(k), (0.3 * f64::from(k)).cos())).unzip();
    let small: Vec<f64> = x.iter().map(|x| x * 1e-6).collect();
    for name in ["akispl", "cubspl"] {
        let one = bind(&format!("{name}(x, c)"), curve(&x, &y));
        let other = bind(&format!("{name}(x, c)"), curve(&small, &y));
        assert!((at(&one, &[7.3]) - at(&other, &[7.3e-6])).abs() < 1e-13);
    }
    let many: Vec<f64> = (0..100_000).map(f64::from).collect();
    let large = bind("akispl(time, c)", curve(&many, &many));
    assert_eq!(at(&large, &[54_321.75]), 54_321.75);
    assert!(at(&large, &[f64::NAN]).is_nan());
}

#[test]
fn points_that_are_no_curve_are_refused() {
    let refused = |x: &[f64], y: &[f64]| Spline::new(x, &[y], &[]).expect_err("no curve");
    assert_eq!(refused(&[1.0], &[1.0]), SplineError::TooFew { axis: "x", count: 1 });
    let decreasing = SplineError::NotIncreasing { axis: "x", index: 2, value: 0.5, before: 1.0 };
    assert_eq!(refused(&[0.0, 1.0, 0.5], &[0.0; 3]), decreasing);
    assert!(decreasing.to_string().ends_with("sort the points by it"));
    assert!(refused(&[0.0, 1.0, 1.0], &[0.0; 3]).to_string().ends_with("remove the repeated point"));
    assert!(matches!(refused(&[0.0, f64::NAN], &[0.0; 2]), SplineError::NotFinite { axis: "x", index: 1, .. }));
    assert!(matches!(refused(&[0.0, 1.0], &[0.0, f64::INFINITY]), SplineError::NotFinite { axis: "y", index: 1, .. }));
    assert!(matches!(refused(&[0.0, 1.0], &[0.0]), SplineError::Length { found: 1, wanted: 2, .. }));
    assert!(matches!(refused(&[0.0, 1e-300], &[0.0, 1e300]), SplineError::Overflow { index: 0, .. }));
    assert!(Spline::new(&[0.0, 1.0], &[&[0.0, 1.0], &[0.0, 1.0]], &[]).is_err());
    assert!(Spline::new(&[0.0, 1.0], &[&[0.0, 1.0]], &[1.0]).is_err());
}

#[test]
fn calls_that_make_no_sense_are_explained() {
    let family = Arc::new(Spline::new(&[0.0, 1.0], &[&[0.0, 1.0], &[0.0, 2.0]], &[0.0, 1.0]).expect("a family"));
    let single = Arc::new(curve(&[0.0, 1.0], &[0.0, 1.0]));
    let problem = |text: &str| {
        let resolve = &mut |name: &str| match name {
            "c" => Some(Binding::Spline(Arc::clone(&single))),
            "f" => Some(Binding::Spline(Arc::clone(&family))),
            "x" => Some(Binding::Slot(0)),
            _ => None,
        };
        let bound = Expression::parse(text).and_then(|expression| expression.bind(resolve));
        bound.expect_err(text).suggest(["c", "curve", "x"]).problem
    };
    assert_eq!(problem("akispl(x, d)"), Problem::UnknownSpline { name: "d".into(), nearest: Some("c".into()) });
    assert!(matches!(problem("akispl(x, x)"), Problem::NotASpline { .. }));
    assert!(matches!(problem("2 * c"), Problem::BareSpline { .. }));
    assert!(matches!(problem("akispl(x, f)"), Problem::SplineFamily { family: true, .. }));
    assert!(matches!(problem("akispl(x, x, c)"), Problem::SplineFamily { family: false, .. }));
    assert!(matches!(problem("akispl(x)"), Problem::SplineExpected { .. }));
    assert!(matches!(problem("akispl(x, 2)"), Problem::SplineExpected { .. }));
    assert!(matches!(problem("cubspl(x, 0, c, 3)"), Problem::Unexpected { .. }));
    assert!(matches!(problem("cubspl(x, 0, c, x)"), Problem::Unexpected { .. }));
    assert_eq!(at(&bind("akispl(0.5, 0, c)", curve(&[0.0, 1.0], &[0.0, 1.0])), &[]), 0.5);
}

#[test]
fn points_are_breaks_in_time() {
    let times = |text: &str| {
        let program = bind(text, curve(&[0.0, 1.0, 3.0], &[0.0, 1.0, 0.0]));
        let mut times: Vec<f64> = program.breaks(0).iter().map(|each| each.from(0.0)).collect();
        times.sort_by(f64::total_cmp);
        times
    };
    assert_eq!(times("akispl(time, c)"), [0.0, 1.0, 3.0]);
    assert_eq!(times("cubspl(2 * time - 1, c)"), [0.5, 1.0, 2.0]);
    // Within a period of mod, 3 is not reached.
    assert_eq!(times("akispl(mod(time, 2), c)"), [0.0, 1.0]);
}

/// Between two points the law of a program of the time is the cubic itself.
#[test]
fn pieces_are_cubics() {
    let (x, y) = ([0.0, 1.0, 2.5, 3.0, 4.0], [0.0, 1.0, -1.0, 2.0, 0.5]);
    for text in ["akispl(time, c)", "cubspl(2 * time, c)", "akispl(time, c, 1)", "akispl(time, 0, c, 2) + time"] {
        let program = bind(text, curve(&x, &y));
        for from in [-1.0, 0.0, 0.4, 1.0, 1.25, 2.0, 2.6, 3.5, 9.0] {
            let piece = program.piece(0, from, 1e-9, 20.0);
            let law = piece.law.expect("a polynomial");
            let to = piece.until.min(from + 1.0);
            for part in [0.1, 0.5, 0.9] {
                let time = from + part * (to - from);
                assert!((law.value(time - from) - at(&program, &[time])).abs() < 1e-11, "{text} at {time}");
            }
        }
    }
}
