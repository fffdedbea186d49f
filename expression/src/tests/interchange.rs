//! Expressions in files: numbers and texts.
use super::parse;
use crate::Expression;

#[test]
fn numbers_and_texts_are_read() {
    let read = |json: &str| serde_json::from_str::<Expression>(json);
    assert_eq!(read("3").ok(), Some(parse("3")));
    assert_eq!(read("-2.5e-3").ok(), Some(parse("-0.0025")));
    assert_eq!(read("18446744073709551615").ok(), Some(Expression::constant(2f64.powi(64))));
    assert_eq!(read(r#""2 * x""#).ok(), Some(parse("2*x")));
    assert_eq!(read(r#""3""#).ok(), Some(Expression::constant(3.0)));
    let error = read(r#""1 + sn(x)""#).expect_err("no such function").to_string();
    assert!(error.contains("did you mean `sin`? (at byte 4 of `1 + sn(x)`)"), "{error}");
    let error = read("true").expect_err("no number").to_string();
    assert!(error.contains("a finite number or an expression in quotes"), "{error}");
}

#[test]
fn numbers_that_are_not_finite_are_refused() {
    use serde::Deserialize;
    use serde::de::IntoDeserializer;
    use serde::de::value::{Error, F64Deserializer};
    for value in [f64::NAN, f64::INFINITY] {
        let deserializer: F64Deserializer<Error> = value.into_deserializer();
        assert!(Expression::deserialize(deserializer).is_err());
    }
}

#[test]
fn what_is_written_is_read_again() {
    for (text, json) in [
        ("3", "3.0"),
        ("-1e-3", "-0.001"),
        ("30 deg", r#""30 deg""#),
        ("1 + 2", r#""1 + 2""#),
        ("sin( time )", r#""sin( time )""#),
        ("nan", r#""nan""#),
    ] {
        let expression = parse(text);
        let written = serde_json::to_string(&expression).expect("expressions can be written");
        assert_eq!(written, json);
        let read: Expression = serde_json::from_str(&written).expect("can be read again");
        assert_eq!(read, expression);
    }
    let constant = Expression::constant(-1e300);
    assert_eq!(parse(constant.source()), constant);
}
