//! The functions that an expression may call: names, arguments, operations.
use super::code::{Binary, Blend, Circular, Op, Unary};

/// How the call of a function is compiled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Form {
    /// All arguments, then one operation.
    Plain(Op),
    /// Two or more arguments, joined from the left by an operation of two.
    Fold(Binary),
    /// `poly`: the operation knows how many coefficients there are.
    Polynomial,
    /// `if`: only the chosen argument is evaluated.
    Conditional,
}

/// A function that an expression may call.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) name: &'static str,
    pub(super) signature: &'static str,
    pub(super) least: usize,
    pub(super) most: Option<usize>,
    pub(super) form: Form,
}

const fn fixed(name: &'static str, signature: &'static str, arguments: usize, form: Form) -> Function {
    Function { name, signature, least: arguments, most: Some(arguments), form }
}

const fn open(name: &'static str, signature: &'static str, least: usize, form: Form) -> Function {
    Function { name, signature, least, most: None, form }
}

const fn circular(name: &'static str, signature: &'static str, function: Circular) -> Function {
    fixed(name, signature, 1, Form::Plain(Op::Circular(function)))
}

const fn unary(name: &'static str, signature: &'static str, function: Unary) -> Function {
    fixed(name, signature, 1, Form::Plain(Op::Unary(function)))
}

const fn binary(name: &'static str, signature: &'static str, function: Binary) -> Function {
    fixed(name, signature, 2, Form::Plain(Op::Binary(function)))
}

const fn blend(name: &'static str, signature: &'static str, shape: Blend) -> Function {
    fixed(name, signature, 5, Form::Plain(Op::Blend(shape)))
}

/// Every function, with the signature that its error messages show.
pub(super) static FUNCTIONS: [Function; 33] = [
    circular("sin", "sin(x)", Circular::Sin),
    circular("cos", "cos(x)", Circular::Cos),
    circular("tan", "tan(x)", Circular::Tan),
    circular("asin", "asin(x)", Circular::Asin),
    circular("acos", "acos(x)", Circular::Acos),
    circular("atan", "atan(x)", Circular::Atan),
    circular("sinh", "sinh(x)", Circular::Sinh),
    circular("cosh", "cosh(x)", Circular::Cosh),
    circular("tanh", "tanh(x)", Circular::Tanh),
    unary("exp", "exp(x)", Unary::Exp),
    unary("ln", "ln(x)", Unary::Ln),
    unary("log", "log(x)", Unary::Ln),
    unary("log10", "log10(x)", Unary::Log10),
    unary("sqrt", "sqrt(x)", Unary::Sqrt),
    unary("cbrt", "cbrt(x)", Unary::Cbrt),
    unary("abs", "abs(x)", Unary::Abs),
    unary("sign", "sign(x)", Unary::Sign),
    unary("floor", "floor(x)", Unary::Floor),
    unary("ceil", "ceil(x)", Unary::Ceil),
    binary("atan2", "atan2(y, x)", Binary::Atan2),
    binary("hypot", "hypot(x, y)", Binary::Hypot),
    binary("mod", "mod(x, y)", Binary::Modulo),
    binary("pow", "pow(x, y)", Binary::Power),
    open("min", "min(a, b, ...)", 2, Form::Fold(Binary::Min)),
    open("max", "max(a, b, ...)", 2, Form::Fold(Binary::Max)),
    fixed("if", "if(condition, a, b)", 3, Form::Conditional),
    blend("step", "step(x, x0, y0, x1, y1)", Blend::Cubic),
    blend("step5", "step5(x, x0, y0, x1, y1)", Blend::Quintic),
    blend("havsin", "havsin(x, x0, y0, x1, y1)", Blend::Haversine),
    open("poly", "poly(x, x0, a0, a1, ...)", 3, Form::Polynomial),
    fixed("shf", "shf(x, x0, amplitude, omega, phase, offset)", 6, Form::Plain(Op::Harmonic)),
    fixed("impact", "impact(x, v, x1, k, e, c, d)", 7, Form::Plain(Op::Impact)),
    fixed("bistop", "bistop(x, v, x1, x2, k, e, c, d)", 8, Form::Plain(Op::TwoStops)),
];

/// The function of this name.
pub(super) fn find(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|function| function.name == name)
}

/// The names of all functions.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|function| function.name)
}
