//! Derivatives against central differences, closed forms and each other.
use num_dual::{Dual2_64, Dual64, DualSVec64};
use proptest::prelude::*;

use super::{compile, evaluate};
use crate::{Scalar, Stack};

/// Smooth expressions of x in (0.1, 0.9) and y in (1.1, 1.9): every function, every operator.
const SMOOTH: &[&str] = &[
    "x + y * x - x / y",
    "-(x * y)",
    "x^y",
    "y^x",
    "x^-3",
    "x^2.5",
    "(x + y)^3 * x^2",
    "pow(y, 1.5)",
    "pow(2, x)",
    "sin(x * y)",
    "cos(x * y)",
    "tan(x * y / 2)",
    "asin(x / y)",
    "acos(x / y)",
    "atan(x * y)",
    "sinh(x * y)",
    "cosh(x * y)",
    "tanh(x * y)",
    "exp(x * y)",
    "ln(x * y)",
    "log(x + y)",
    "log10(x * y)",
    "sqrt(x * y)",
    "cbrt(x * y)",
    "cbrt(-x * y)",
    "abs(x * y)",
    "abs(-x * y)",
    "sign(x) * y * x",
    "floor(x) + ceil(y) + x * y",
    "atan2(x, y)",
    "atan2(-y, -x)",
    "atan2(x * x, y)",
    "hypot(x, y * y)",
    "mod(x * y, 5)",
    "mod(10, x + y + 2.2)",
    "min(x * x, y, 5)",
    "max(x, y * y, x * y)",
    "if(x < y, x * y, x / y)",
    "if(x > y or not (x < 1 and y > 1), x * y, x / y)",
    "step(x * y, 0, x, 4, y)",
    "step(x, 0, 1, 1, 2)",
    "step(0.5, -x, 1, y, 2)",
    "step5(x, 0, y, 1, x * y)",
    "havsin(x, 0, y, 1, x * y)",
    "havsin(0.5, -x, y, y, x)",
    "poly(x, y, 1, x, 2, y)",
    "shf(x, 0.1, y, 3, x * y, y)",
    "cheby(x, y, 1, x, 2, y, 3)",
    "cheby(x * y, 0.1, y)",
    "forcos(x, y, x * y, 1, y, 2, x)",
    "forsin(x * y, 0.1, 3, x, y, 2)",
    "sweep(x, y, 0, 1, 2, x + 2, 3)",
    "sweep(y, x, x - 1, 0.5, 1.05, y, 0.01)",
    "sweep(-x, y, 0, 1, 2, 3, 1)",
    "sign(x * y, y) + sign(x, -y)",
    "dim(y, x) * y + dim(x, y)",
    "aint(y) * x + anint(x * 0.1) + aint(-y)",
    "impact(x, y, 1, 20, 1.5, y, 2)",
    "impact(x, -y, y, x * 20, y, x, 5)",
    "bistop(x, y, 1, 2, 20, 2.2, 1, 3)",
    "bistop(y, x, -1, 1, 20, y, x, 3)",
];

/// Central differences of sixth order: f' and f'' at 0 of a function of the distance. The step is a fiftieth of the smallest x: with a
/// twenty-fifth the truncation of x^-3 was larger than what is allowed.
fn differences(f: impl Fn(f64) -> f64) -> (f64, f64) {
    let h = 2e-3;
    let [a, b, c] = [1.0, 2.0, 3.0].map(|k| (f(k * h), f(-k * h)));
    let odd = |(p, m): (f64, f64)| p - m;
    let even = |(p, m): (f64, f64)| p + m - 2.0 * f(0.0);
    (
        (45.0 * odd(a) - 9.0 * odd(b) + odd(c)) / (60.0 * h),
        (270.0 * even(a) - 27.0 * even(b) + 2.0 * even(c)) / (180.0 * h * h),
    )
}

/// The expression as a function of x and y, and x and y in the order of first use.
fn ordered(text: &str) -> String {
    format!("0 * x + 0 * y + ({text})")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// First and second derivatives along the line (x, y) + s (dx, dy).
    #[test]
    fn derivatives_agree_with_differences(
        x in 0.1..0.9, y in 1.1..1.9, dx in -1.0..1.0, dy in -1.0..1.0,
    ) {
        for text in SMOOTH {
            let program = compile(&ordered(text));
            let along = |s: f64| {
                program.evaluate(&[x + s * dx, y + s * dy], &mut Stack::new(program.depth()))
            };
            let (first, second) = differences(along);
            let seeds = [Dual2_64::new(x, dx, 0.0), Dual2_64::new(y, dy, 0.0)];
            let dual = program.evaluate(&seeds, &mut Stack::new(program.depth()));
            let scale = 1.0 + along(0.0).abs() + first.abs() + second.abs();
            let [e1, e2] = [dual.v1 - first, dual.v2 - second].map(|e| e.abs() / scale);
            prop_assert!(e1 < 2e-8 && e2 < 1e-6, "{text} at {x}, {y}: {e1:e}, {e2:e}");
        }
    }

    /// All kinds of numbers give bitwise one value, and the same first derivatives.
    #[test]
    fn kinds_of_numbers_agree(x in -3.0..3.0, y in -3.0..3.0) {
        for text in SMOOTH {
            let program = compile(&ordered(text));
            let depth = program.depth();
            let value = program.evaluate(&[x, y], &mut Stack::new(depth));
            let along_x = program.evaluate(
                &[Dual64::new(x, 1.0), Dual64::new(y, 0.0)], &mut Stack::new(depth));
            let along_y = program.evaluate(
                &[Dual2_64::new(x, 0.0, 0.0), Dual2_64::new(y, 1.0, 0.0)], &mut Stack::new(depth));
            let seeds = [DualSVec64::<12>::from(x).derivative(3), DualSVec64::from(y).derivative(11)];
            let vector = program.evaluate(&seeds, &mut Stack::new(depth));
            let partial = |index: usize| vector.eps.0.map_or(0.0, |eps| eps[index]);
            let mut gradient = [0.0; 2];
            let again = program.gradient(&[x, y], &mut gradient, &mut Stack::new(depth));

            for other in [along_x.re, along_y.re, vector.re, again] {
                let same = value.to_bits() == other.to_bits() || (value.is_nan() && other.is_nan());
                prop_assert!(same, "{} at {}, {}: {} {}", text, x, y, value, other);
            }
            let close = |a: f64, b: f64| {
                a == b || (a - b).abs() <= 1e-13 * (a.abs() + b.abs()) || (a.is_nan() && b.is_nan())
            };
            for (a, b) in [
                (along_x.eps, partial(3)), (along_y.v1, partial(11)),
                (gradient[0], partial(3)), (gradient[1], partial(11)),
            ] {
                prop_assert!(close(a, b), "{} at {}, {}: {} {}", text, x, y, a, b);
            }
            prop_assert_eq!(partial(0), 0.0);
        }
    }

    /// Both sides of an identity have the same value and derivatives.
    #[test]
    fn identities_hold_with_their_derivatives(x in -2.0..2.0) {
        for (left, right) in [
            ("sin(x)^2 + cos(x)^2", "1 + 0 * x"),
            ("cosh(x)^2 - sinh(x)^2", "1 + 0 * x"),
            ("exp(ln(x^2 + 1))", "x * x + 1"),
            ("tan(atan(x))", "x"),
            ("sin(asin(x / 3))", "x / 3"),
            ("cos(acos(x / 3))", "x / 3"),
            ("tanh(x)", "sinh(x) / cosh(x)"),
            ("10^log10(x^2 + 1)", "x^2 + 1"),
            ("cbrt(x^3 + 9)^3", "x^3 + 9"),
            ("sqrt(x^2 + 2) * sqrt(x^2 + 2)", "x^2 + 2"),
            ("hypot(x, 2)", "sqrt(x^2 + 4)"),
            ("atan2(sin(x), cos(x))", "x"),
            ("pow(2, x)", "exp(x * ln(2))"),
            ("(x^2 + 1)^x", "exp(x * ln(x^2 + 1))"),
            ("poly(x, 1, 2, 3, 4)", "2 + 3 * (x - 1) + 4 * (x - 1)^2"),
            ("shf(x, 1, 2, 3, 4, 5)", "2 * sin(3 * (x - 1) - 4) + 5"),
            ("havsin(x, -2, 3, 2, 7)", "5 + 2 * sin((x + 2) / 4 * pi - pi / 2)"),
        ] {
            let [left, right] = [left, right].map(|text| {
                let program = compile(text);
                program.time_derivatives(x, &mut Stack::new(program.depth()))
            });
            for (a, b) in left.into_iter().zip(right) {
                prop_assert!((a - b).abs() < 2e-13 * (1.0 + b.abs()), "{x}: {left:?} {right:?}");
            }
        }
    }
}

/// f, f', f'' of a motion, against its closed form.
#[test]
fn motions_have_exact_second_derivatives() {
    let motion = compile("0.1 * sin(2 * pi * time)");
    let t = 0.3;
    let omega = std::f64::consts::TAU;
    let [value, first, second] = motion.time_derivatives(t, &mut Stack::new(motion.depth()));
    assert!((value - 0.1 * (omega * t).sin()).abs() < 1e-16);
    assert!((first - 0.1 * omega * (omega * t).cos()).abs() < 1e-15);
    assert!((second + 0.1 * omega * omega * (omega * t).sin()).abs() < 1e-14);
}

/// More variables than one run of the gradient holds, one of them twice, and a slot that is not used.
#[test]
fn gradients_have_any_length() {
    let text = "a * b + 2 * c + d^2 + e * f + 0 * g + a";
    let program = compile(text);
    let values = [2.0, 3.0, 5.0, 7.0, 11.0, 13.0, 17.0, 19.0];
    let mut partials = [f64::NAN; 7];
    let value = program.gradient(&values, &mut partials, &mut Stack::new(program.depth()));
    assert_eq!(value, evaluate(text, &values));
    assert_eq!(partials, [4.0, 2.0, 2.0, 14.0, 13.0, 11.0, 0.0]);
    let constant = compile("6 * 7");
    assert_eq!(constant.gradient(&[], &mut [], &mut Stack::new(1)), 42.0);
}

/// tanh' where sinh and cosh overflow, atan2' where its quotient has no value.
#[test]
fn derivatives_survive_large_arguments() {
    let slope = |text: &str, x: f64| {
        let program = compile(text);
        program.time_derivatives(x, &mut Stack::new(program.depth()))
    };
    assert_eq!(slope("tanh(x)", 800.0), [1.0, 0.0, 0.0]);
    assert_eq!(slope("atan2(1, x)", 0.0)[1], -1.0);
    assert_eq!(slope("atan2(1e200, x * 1e200)", 0.0)[1], -1.0);
    assert_eq!(slope("x^1", 0.0), [0.0, 1.0, 0.0]);
    assert_eq!(slope("x^2", 0.0), [0.0, 0.0, 2.0]);
    assert_eq!(slope("x^2.5", 0.0), [0.0, 0.0, 0.0]);
    assert_eq!(slope("x^0", 0.0), [1.0, 0.0, 0.0]);
}

fn dual<T: Scalar>(x: f64) -> T {
    T::from(x)
}

/// The trait suffices to write code that is generic over the kind of number.
#[test]
fn programs_run_in_generic_code() {
    fn twice<T: Scalar>(x: f64) -> T {
        let program = compile("x * x");
        program.evaluate_with(|_| dual::<T>(x), &mut Stack::new(program.depth()))
    }
    assert_eq!(twice::<f64>(3.0), 9.0);
    assert_eq!(twice::<DualSVec64<12>>(3.0).re, 9.0);
}
