//! e^{AT} and G_0 .. G_6 against 50 matrices of every kind, known to 17 digits.
//!
//! Source of `g_oracle_open.json`: evaluated with 50 digits and more for this project; the file says what it holds.

use fourbar_lti::{GMatrices, Precision};
use nalgebra::DMatrix;
use serde::Deserialize;

#[derive(Deserialize)]
struct Oracle {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    cls: String,
    n: usize,
    #[serde(rename = "A")]
    a: Vec<Vec<String>>,
    #[serde(rename = "T")]
    t: String,
    #[serde(rename = "expAT")]
    exp: Vec<Vec<String>>,
    #[serde(rename = "G")]
    g: Vec<Vec<Vec<String>>>,
    #[serde(rename = "cond_expAT")]
    cond_exp: f64,
    #[serde(rename = "cond_G")]
    cond_g: f64,
}

/// Unit roundoff 2^-53.
const UNIT: f64 = f64::EPSILON / 2.0;

/// A decimal string as the sum of two doubles: its nearest double alone would add half a unit to every error measured.
fn decimal(text: &str) -> (f64, f64) {
    let high: f64 = text.parse().unwrap();
    let digits = |s: &str| {
        let (mantissa, exponent) = s.split_once('e').unwrap_or((s, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let value: i128 = format!("{whole}{fraction}").parse().unwrap();
        (value, exponent.parse::<i32>().unwrap() - fraction.len() as i32)
    };
    let (mut exact, mut exponent) = digits(text);
    let (nearest, nearest_exponent) = digits(&format!("{high:.30e}"));
    while exponent > nearest_exponent {
        exact *= 10;
        exponent -= 1;
    }
    if exponent < nearest_exponent || !high.is_normal() {
        return (high, 0.0);
    }
    (high, (exact - nearest) as f64 * 10f64.powi(exponent))
}

/// Relative error ||computed - reference||_1 / ||reference||_1.
fn relative_error(computed: &DMatrix<f64>, reference: &[Vec<String>]) -> f64 {
    let n = reference.len();
    let (mut error, mut norm) = (0f64, 0f64);
    for j in 0..n {
        let column: Vec<_> = (0..n).map(|i| decimal(&reference[i][j])).collect();
        norm = norm.max(column.iter().map(|(high, _)| high.abs()).sum());
        let difference = |(i, (high, low)): (usize, &(f64, f64))| (computed[(i, j)] - high - low).abs();
        error = error.max(column.iter().enumerate().map(difference).sum());
    }
    if error == 0.0 { 0.0 } else { error / norm }
}

/// Errors of one case in units of 2^-53 max(1, cond): of e^{AT}, and the largest of G_0 .. G_6.
fn errors(case: &Case, precision: Precision) -> [f64; 2] {
    let a = DMatrix::from_fn(case.n, case.n, |i, j| case.a[i][j].parse().unwrap());
    let t: f64 = case.t.parse().unwrap();
    let g = GMatrices::with_precision(&a, t, 6, precision).unwrap();
    let exp = relative_error(g.exp(), &case.exp);
    let largest = (0..7).map(|i| relative_error(g.g(i), &case.g[i])).fold(0.0, f64::max);
    [exp / UNIT / case.cond_exp.max(1.0), largest / UNIT / case.cond_g.max(1.0)]
}

fn median_and_maximum(mut values: Vec<f64>) -> (f64, f64) {
    values.sort_by(f64::total_cmp);
    (values[values.len() / 2], values[values.len() - 1])
}

/// The largest errors of e^{AT} and of the G_i over all cases; prints the table of medians and maxima.
fn largest_errors(precision: Precision) -> [f64; 2] {
    let text =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/reference/lti/g_oracle_open.json"))
            .unwrap();
    let oracle: Oracle = serde_json::from_str(&text).unwrap();
    assert_eq!(oracle.cases.len(), 50);
    let all: Vec<_> = oracle.cases.iter().map(|case| errors(case, precision)).collect();
    let mut classes: Vec<&str> = oracle.cases.iter().map(|case| case.cls.as_str()).collect();
    classes.dedup();
    println!("{precision:?}: error / (2^-53 max(1, cond))\nclass          cases  e^AT median  max    G median  max");
    for class in classes.into_iter().chain(["all"]) {
        let of = |which: usize| {
            let cases = oracle.cases.iter().zip(&all);
            let chosen = cases.filter(|(case, _)| class == "all" || case.cls == class);
            chosen.map(|(_, errors)| errors[which]).collect::<Vec<f64>>()
        };
        let count = of(0).len();
        let ((exp_median, exp_max), (g_median, g_max)) = (median_and_maximum(of(0)), median_and_maximum(of(1)));
        println!("{class:15} {count:4} {exp_median:12.2} {exp_max:5.2} {g_median:11.2} {g_max:5.2}");
    }
    [0, 1].map(|which| all.iter().map(|errors| errors[which]).fold(0.0, f64::max))
}

/// The promise of the crate: 6 units. Pairs of doubles keep it below one and a half.
#[test]
fn every_digit_is_right() {
    let [exp, g] = largest_errors(Precision::Automatic);
    assert!(exp <= 1.5 && g <= 1.5, "e^AT {exp}, G {g}");
}

/// The arithmetic of large matrices keeps the promise as well.
#[test]
fn plain_doubles_lose_a_few_units() {
    let [exp, g] = largest_errors(Precision::Working);
    assert!(exp <= 6.0 && g <= 6.0, "e^AT {exp}, G {g}");
}

/// Over a whole turn of a rotation G_0 vanishes; the error then is measured by T, the size of its integrand.
#[test]
fn a_whole_turn() {
    for w in [1.0, 1e4] {
        let turn = 2.0 * std::f64::consts::PI / w;
        let a = DMatrix::from_row_slice(2, 2, &[0.0, w, -w, 0.0]);
        let g = GMatrices::new(&a, turn, 0).unwrap();
        // The angle w T misses 2 pi by what f64 drops of pi and of the quotient: G_0 = T sin(angle)/angle, (1 - cos(angle))/angle.
        let missed = w.mul_add(turn, -2.0 * std::f64::consts::PI) - 2.449_293_598_294_706_4e-16;
        assert!((g.g(0)[(0, 0)] / turn - missed / (2.0 * std::f64::consts::PI)).abs() < UNIT);
        assert!((g.g(0)[(0, 1)] / turn).abs() < UNIT);
    }
}
