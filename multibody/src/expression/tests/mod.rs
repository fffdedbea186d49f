//! Tests of expressions.
use super::*;

pub(super) fn parse(text: &str) -> Expression {
    Expression::parse(text).unwrap_or_else(|error| panic!("{error}\n{}", error.caret()))
}

#[test]
fn first() {
    assert_eq!(parse("1+2*3^2").value(), Some(19.0));
}
