//! Wrong texts: what is found, where, and that nothing panics.
use proptest::prelude::*;

use crate::{Expression, ExpressionError, Problem, Stack, is_free_name};

fn error(text: &str) -> ExpressionError {
    match Expression::parse(text) {
        Ok(_) => panic!("`{text}` is accepted"),
        Err(error) => error,
    }
}

/// Texts, the byte where the problem is, and a part of the message.
const WRONG: &[(&str, usize, &str)] = &[
    ("", 0, "empty"),
    (" \t\n", 0, "empty"),
    ("1 +", 3, "the end of the expression where a number, a name or `(`"),
    ("1 + * 2", 4, "`*` where a number"),
    ("(1 + 2", 6, "where `)` or an operator"),
    ("1 + 2)", 5, "`)` where an operator or the end"),
    ("()", 1, "`)` where a number"),
    ("2 x", 2, "`x` where an operator"),
    ("2x", 1, "`x` where an operator"),
    ("x 2", 2, "the number 2 where an operator"),
    ("a, b", 1, "`,` where an operator"),
    ("x = 2", 2, "equality is written =="),
    ("x && y", 2, "write and, or, not"),
    ("!x", 0, "write and, or, not"),
    ("5 % 2", 2, "write mod(x, y)"),
    ("x + 30\u{b0}", 6, "30 deg"),
    ("x*30 m/s", 6, "write the whole unit in brackets"),
    ("x + 2 m^2", 7, "write the whole unit in brackets"),
    ("x + 2 N*m", 7, "write the whole unit in brackets"),
    ("x + 3 [furlong]", 7, "\"furlong\" is not a known unit"),
    ("x + 3 [m", 6, "brackets hold the unit"),
    ("x [m]", 2, "brackets hold the unit"),
    ("1e308 km", 0, "`1e308 km` is too large"),
    ("3 furlong", 2, "`furlong` where an operator"),
    ("x\u{b2}", 1, "write ^2"),
    ("x ? 1 : 2", 2, "write if("),
    ("a < b < c", 6, "a < b and b < c"),
    ("a == b == c", 7, "do not chain"),
    ("x deg", 2, "multiply by pi/180"),
    ("(1 + 2) deg", 8, "multiply by pi/180"),
    ("deg", 0, "multiply by pi/180"),
    ("1e", 0, "`1e` is not a number"),
    ("1 + 2e+", 4, "`2e` is not a number"),
    ("1.2.3", 0, "`1.2.3` is not a number"),
    ("2 * 1e999", 4, "too large"),
    ("a..b", 0, "`a..b` is not a name"),
    ("a.", 0, "`a.` is not a name"),
    (".a", 0, "a dotted name a letter"),
    ("sn(x)", 0, "did you mean `sin`?"),
    ("1 + SIN(x)", 4, "did you mean `sin`?"),
    ("haversin(x, 0, 0, 1, 1)", 0, "did you mean `havsin`?"),
    ("zzyzx(x)", 0, "the functions are sin, cos,"),
    ("pi(3)", 0, "unknown function `pi`"),
    ("2 * sin", 4, "write sin(x)"),
    ("step + 1", 0, "write step(x, x0, y0, x1, y1)"),
    ("sin()", 0, "takes 1 argument, found 0"),
    ("1 + atan2(x)", 4, "takes 2 arguments, found 1"),
    ("if(a, b)", 0, "takes 3 arguments, found 2"),
    ("if(a, b, c, d)", 0, "takes 3 arguments, found 4"),
    ("max(a)", 0, "takes 2 or more arguments, found 1"),
    ("poly(x, 0)", 0, "takes 3 or more arguments, found 2"),
    ("max(a, )", 7, "`)` where a number"),
    ("max(a; b)", 5, "separated by commas"),
    ("max(a b)", 6, "`b` where `,`, `)` or an operator"),
    ("2 * not x", 4, "put `not` in parentheses"),
    ("and x", 0, "`and` where an operand"),
    ("step(x, 1, 0, 0, 1)", 0, "it must begin before it ends"),
];

#[test]
fn problems_are_found_where_they_are() {
    for (text, offset, part) in WRONG {
        let error = error(text);
        let message = error.to_string();
        assert_eq!(error.offset, *offset, "`{text}`: {message}");
        assert!(message.contains(part), "`{text}`: {message}");
        assert_eq!(error.text, *text);
    }
}

#[test]
fn the_caret_stands_under_the_problem() {
    assert_eq!(error("1 + \u{e9}t\u{e9} * sn(2)").caret(), "1 + \u{e9}t\u{e9} * sn(2)\n          ^");
    assert_eq!(error("1 +\n\t2 * )").caret(), " 2 * )\n     ^");
    let long = error(&format!("{}$ + {}", "x + ".repeat(30), "x + ".repeat(30))).caret();
    let lines: Vec<&str> = long.lines().collect();
    assert_eq!(lines[0].chars().nth(lines[1].len() - 1), Some('$'));
    assert!(lines[0].len() < 90, "{long}");
}

#[test]
fn depth_and_length_are_bounded() {
    let nested = |open: &str, close: &str, count| format!("{}1{}", open.repeat(count), close.repeat(count));
    for (open, close) in [("(", ")"), ("-", ""), ("not ", ""), ("2^", ""), ("abs(", ")"), ("1-(", ")")] {
        assert!(Expression::parse(&nested(open, close, 90)).is_ok(), "{open}");
        let problem = error(&nested(open, close, 10_000)).problem;
        assert!(matches!(problem, Problem::TooDeep { limit: 200 }), "{open}: {problem}");
    }
    let problem = error(&nested("(", ")", 100_000)).problem;
    assert!(matches!(problem, Problem::TooLong { length: 200_001, .. }));

    // Long is not deep.
    let sum = Expression::parse(&format!("x{}", " + x".repeat(16_000))).expect("a long sum");
    let program = sum.bind(&mut |_| Some(crate::Binding::Slot(0))).expect("bound");
    assert_eq!(program.evaluate(&[1.0], &mut Stack::new(2)), 16_001.0);
}

#[test]
fn names_that_mean_something_are_taken() {
    for name in ["sin", "step", "if", "pi", "deg", "time", "and", "or", "not", "2a", "a b", "", "a."] {
        assert!(!is_free_name(name), "{name}");
    }
    for name in ["t", "e", "crank.angle", "_1", "sine", "winkel_\u{e4}", "body.1"] {
        assert!(is_free_name(name), "{name}");
        let parsed = Expression::parse(name).expect("a name is an expression");
        assert_eq!(parsed.variables(), [name]);
    }
}

/// Pieces of expressions, so that random texts are often almost right.
const PIECES: [&str; 40] = [
    "[", "]", "mm", "min", "1", "2.5", ".5", "1e3", "1e", "deg", "pi", "x", "a.b", "time", "+", "-", "*", "/", "^",
    "**", "(", ")", ",", "<", "<=", "==", "and", "or", "not", "sin(", "max(", "if(", "step(", "poly(", "mod(",
    "atan2(", " ", ".", "\u{e4}", "=",
];

proptest! {
    #[test]
    fn parsing_any_text_does_not_panic(text in any::<String>()) {
        check(&text);
    }

    #[test]
    fn parsing_almost_right_texts_does_not_panic(
        pieces in proptest::collection::vec(proptest::sample::select(&PIECES[..]), 0..40),
    ) {
        check(&pieces.concat());
        check(&pieces.join(" "));
    }
}

/// A text is refused with a place inside it, or it can be bound and evaluated.
fn check(text: &str) {
    match Expression::parse(text) {
        Ok(expression) => {
            let bound = expression.bind(&mut |_| Some(crate::Binding::Slot(0)));
            if let Ok(program) = bound {
                let exact = program.evaluate(&[0.5], &mut Stack::new(program.depth()));
                let grown = program.time_derivatives(0.5, &mut Stack::new(0))[0];
                assert!(exact == grown || (exact.is_nan() && grown.is_nan()), "{text}");
            }
        }
        Err(error) => {
            assert!(text.is_char_boundary(error.offset), "{text}");
            assert!(error.caret().ends_with('^'));
            assert!(!error.to_string().is_empty());
        }
    }
}
