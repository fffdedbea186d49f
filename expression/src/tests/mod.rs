//! Tests of expressions.
mod binding;
mod breaks;
mod derivatives;
mod errors;
mod interchange;
mod kinks;
mod pieces;
mod quantities;
mod series;
mod splines;
mod values;

use super::*;

/// Parses a text that is correct.
fn parse(text: &str) -> Expression {
    Expression::parse(text).unwrap_or_else(|error| panic!("{error}\n{}", error.caret()))
}

/// A program whose slots are the variables of the expression in order of first use.
fn compile(text: &str) -> Program {
    let expression = parse(text);
    let names = expression.variables();
    let slot = |name: &str| names.iter().position(|known| known == name);
    expression.bind(&mut |name| slot(name).map(Binding::Slot)).expect("every name is known")
}

/// The value of an expression, its variables in order of first use.
fn evaluate(text: &str, variables: &[f64]) -> f64 {
    let program = compile(text);
    program.evaluate(variables, &mut Stack::new(program.depth()))
}
