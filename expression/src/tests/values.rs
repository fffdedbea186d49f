//! Values against numbers that were computed elsewhere, and the precedence of operators.
use approx::assert_relative_eq;

use super::{evaluate, parse};

/// Values of each function, computed with 40 digits in mpmath 1.3 and rounded to double. `x` is 0.7, `y` is -1.3.
const FUNCTIONS: &[(&str, f64)] = &[
    ("sin(x)", 0.644217687237691),
    ("cos(x)", 0.7648421872844885),
    ("tan(x)", 0.8422883804630794),
    ("asin(x)", 0.775397496610753),
    ("acos(x)", 0.7953988301841436),
    ("atan(y)", -0.9151007005533605),
    ("sinh(x)", 0.7585837018395335),
    ("cosh(y)", 1.9709142303266285),
    ("tanh(y)", -0.8617231593133063),
    ("exp(y)", 0.2725317930340126),
    ("ln(x)", -0.35667494393873245),
    ("log(x)", -0.35667494393873245),
    ("log10(x)", -0.1549019599857432),
    ("sqrt(x)", 0.8366600265340756),
    ("cbrt(y)", -1.091392883061106),
    ("abs(y)", 1.3),
    ("sign(y)", -1.0),
    ("floor(y)", -2.0),
    ("ceil(y)", -1.0),
    ("atan2(x, y)", 2.647651284670212),
    ("atan2(y, x)", -1.0768549578753155),
    ("hypot(x, y)", 1.47648230602334),
    ("mod(y, x)", 0.09999999999999987),
    ("mod(x, y)", -0.6000000000000001),
    ("pow(x, y)", 1.5899100258580596),
    ("x^2.5", 0.409963413001697),
    ("y^3", -2.197),
    ("y^-4", 0.35012779664577565),
    ("min(x, y)", -1.3),
    ("max(x, y)", 0.7),
    ("if(x < y, x, y)", -1.3),
    ("step(x, 0.5, 2, 1.5, -1)", 1.6880000000000002),
    ("step5(x, 0.5, 2, 1.5, -1)", 1.82624),
    ("havsin(x, 0.5, 2, 1.5, -1)", 1.7135254915624212),
    ("poly(x, 0.5, 1, -2, 3, 4)", 0.752),
    ("shf(x, 0.5, 3, 10, 0.25, 4)", 6.9519578406218105),
    ("impact(x, y, 1, 10, 1.5, 2, 0.5)", 3.327967672515499),
    ("impact(x, y, 0.6, 10, 1.5, 2, 0.5)", 0.0),
    ("impact(y, 4, -1, 10, 1.5, 20, 0.1)", 0.0),
    ("bistop(x, y, -1, 0.5, 10, 1.5, 1, 0.5)", -0.4368271909999158),
    ("bistop(x, y, -1, 1, 10, 1.5, 1, 0.5)", 0.0),
];

#[test]
fn functions_have_their_values() {
    for (text, expected) in FUNCTIONS {
        // The variables are fixed in this order, whichever the text uses first.
        let value = evaluate(&format!("0 * x + 0 * y + {text}"), &[0.7, -1.3]);
        assert_relative_eq!(value, *expected, max_relative = 4e-16, epsilon = 1e-16);
    }
}

/// Texts and their values by the rules of precedence.
const PRECEDENCE: &[(&str, f64)] = &[
    ("1 + 2 * 3", 7.0),
    ("(1 + 2) * 3", 9.0),
    ("2 - 3 - 4", -5.0),
    ("24 / 4 / 2", 3.0),
    ("24 / 4 * 2", 12.0),
    ("2 ^ 3 ^ 2", 512.0),
    ("2 ** 3 ** 2", 512.0),
    ("(2 ^ 3) ^ 2", 64.0),
    ("-2 ^ 2", -4.0),
    ("(-2) ^ 2", 4.0),
    ("2 ^ -1", 0.5),
    ("2 ^ -2 ^ 2", 0.0625),
    ("2 * -3", -6.0),
    ("2 - -3", 5.0),
    ("- - 3", 3.0),
    ("+3 - +2", 1.0),
    ("-2 * 3", -6.0),
    ("6 / 2 * (1 + 2)", 9.0),
    ("1 + 1 < 3", 1.0),
    ("1 + 1 < 2", 0.0),
    ("2 <= 2", 1.0),
    ("2 >= 3", 0.0),
    ("3 > 2", 1.0),
    ("2 == 2", 1.0),
    ("2 != 2", 0.0),
    ("1 < 2 and 2 < 1", 0.0),
    ("1 < 2 or 2 < 1 and 0", 1.0),
    ("(1 < 2 or 2 < 1) and 0", 0.0),
    ("not 0 and 0", 0.0),
    ("not (0 and 0)", 1.0),
    ("not 1 == 2", 1.0),
    ("not not 5", 1.0),
    ("2 * (not 0) + 1", 3.0),
    ("if(1 < 2, 10, 20) + 1", 11.0),
    ("if(1 > 2, 10, 20) ^ 2", 400.0),
    ("3 - if(0, 1, 2) * 2", -1.0),
    ("if(0.5, if(0, 1, 2), 3)", 2.0),
    ("max(1, 5, 3)", 5.0),
    ("min(4, 5, 3, 7)", 3.0),
    ("1e3 + 1.e-1 + .5 + 2E+0", 1002.6),
];

#[test]
fn operators_bind_as_documented() {
    for (text, expected) in PRECEDENCE {
        assert_eq!(parse(text).value(), Some(*expected), "{text}");
    }
}

/// The same texts with each number in a variable: the compiled program must do what folding does.
#[test]
fn programs_compute_what_folding_computes() {
    for (text, expected) in PRECEDENCE {
        let mut numbers = Vec::new();
        let mut with_names = String::new();
        let mut rest = *text;
        while let Some(start) = rest.find(|c: char| c.is_ascii_digit() || c == '.') {
            let number = |c: char| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E');
            let mut end = start + rest[start..].find(|c| !number(c)).unwrap_or(rest.len() - start);
            if rest[..end].ends_with(['e', 'E']) {
                end += 2;
            }
            with_names += &format!("{}v{}", &rest[..start], numbers.len());
            numbers.push(rest[start..end].parse::<f64>().expect("a number"));
            rest = &rest[end..];
        }
        with_names += rest;
        assert_eq!(evaluate(&with_names, &numbers), *expected, "{text} as {with_names}");
    }
}

#[test]
fn degrees_follow_a_number() {
    assert_eq!(parse("180 deg").value(), Some(std::f64::consts::PI));
    assert_eq!(parse("180deg / 2").value(), Some(std::f64::consts::FRAC_PI_2));
    assert_relative_eq!(evaluate("sin(x + 30 deg)", &[0.0]), 0.5, max_relative = 1e-15);
}

#[test]
fn a_failed_condition_is_not_taken_for_no() {
    for text in [
        "if(sqrt(x) > 0, 1, 2)",
        "max(1, sqrt(x))",
        "min(sqrt(x), 1)",
        "not sqrt(x)",
        "0 and sqrt(x)",
        "1 or sqrt(x)",
        "sqrt(x) != sqrt(x)",
        "step(sqrt(x), 0, 1, 2, 3)",
        "step(1, x, 1, x, 3)",
        "if(if(sqrt(x), 1, 0), 1, 2) + 1",
    ] {
        assert!(evaluate(text, &[-1.0]).is_nan(), "{text}");
    }
}

#[test]
fn the_branch_not_taken_is_not_evaluated() {
    assert_eq!(evaluate("if(x > 0, ln(x), 0)", &[-1.0]), 0.0);
    assert_eq!(evaluate("if(x > 0, if(x > 1, 3, 2), 1) * 10", &[0.5]), 20.0);
    assert_eq!(evaluate("1 + if(x > 0, 2, if(x < -1, 3, 4))", &[-2.0]), 4.0);
}

#[test]
fn steps_meet_their_ends() {
    for step in ["step", "step5", "havsin"] {
        let at = |x| evaluate(&format!("{step}(x, 1, 10, 3, 20)"), &[x]);
        assert_eq!([at(0.0), at(1.0), at(2.0), at(3.0), at(9.0)], [10.0, 10.0, 15.0, 20.0, 20.0]);
    }
}

#[test]
fn a_missing_slot_is_not_a_number() {
    assert!(evaluate("x + y", &[1.0]).is_nan());
}
