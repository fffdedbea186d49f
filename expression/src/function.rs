//! The functions that an expression may call: names, arguments, operations.
use super::code::{Binary, Blend, Circular, Op, Series, Unary};
use super::spline::Interpolation;

/// How the call of a function is compiled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Form {
    /// All arguments, then one operation.
    Plain(Op),
    /// Two or more arguments, joined from the left by an operation of two.
    Fold(Binary),
    /// The operation knows how many coefficients there are.
    Series(Series),
    /// `sign` of one number, or |a| with the sign of b.
    Sign,
    /// `dim`: max(a - b, 0).
    Difference,
    /// A spline by its name among the arguments.
    Spline(Interpolation),
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

const fn ranged(name: &'static str, signature: &'static str, least: usize, most: usize, form: Form) -> Function {
    Function { name, signature, least, most: Some(most), form }
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
pub(super) static FUNCTIONS: [Function; 42] = [
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
    ranged("sign", "sign(x) or sign(a, b)", 1, 2, Form::Sign),
    unary("floor", "floor(x)", Unary::Floor),
    unary("ceil", "ceil(x)", Unary::Ceil),
    unary("aint", "aint(x)", Unary::Truncate),
    unary("anint", "anint(x)", Unary::Round),
    fixed("dim", "dim(a, b)", 2, Form::Difference),
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
    open("poly", "poly(x, x0, a0, a1, ...)", 3, Form::Series(Series::Power)),
    open("cheby", "cheby(x, x0, a0, a1, ...)", 3, Form::Series(Series::Chebyshev)),
    open("forcos", "forcos(x, x0, omega, a0, a1, ...)", 4, Form::Series(Series::Cosine)),
    open("forsin", "forsin(x, x0, omega, a0, a1, ...)", 4, Form::Series(Series::Sine)),
    fixed("shf", "shf(x, x0, amplitude, omega, phase, offset)", 6, Form::Plain(Op::Harmonic)),
    fixed("sweep", "sweep(x, a, x0, f0, x1, f1, dx)", 7, Form::Plain(Op::Sweep)),
    fixed("impact", "impact(x, v, x1, k, e, c, d)", 7, Form::Plain(Op::Impact)),
    fixed("bistop", "bistop(x, v, x1, x2, k, e, c, d)", 8, Form::Plain(Op::TwoStops)),
    ranged("akispl", "akispl(x, spline) or akispl(x, z, spline, order)", 2, 4, Form::Spline(Interpolation::Akima)),
    ranged("cubspl", "cubspl(x, spline) or cubspl(x, z, spline, order)", 2, 4, Form::Spline(Interpolation::Cubic)),
];

/// The function of this name.
pub(super) fn find(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|function| function.name == name)
}

/// The constant of this name: pi, and the factors between degrees and radians.
pub(super) fn constant(name: &str) -> Option<f64> {
    match name {
        "pi" => Some(std::f64::consts::PI),
        "dtor" => Some(std::f64::consts::PI / 180.0),
        "rtod" => Some(180.0 / std::f64::consts::PI),
        _ => None,
    }
}

/// The names of all functions.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|function| function.name)
}
