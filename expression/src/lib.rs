//! Expressions of model files: forces of time and of measures, motions of time, parameters.
//!
//! ```
//! use fourbar_expression::{Binding, Expression, Stack};
//!
//! let force = Expression::parse("-max(0, 2e4 * gap.x) * (1 + 0.3 * gap.vx)")?;
//! assert_eq!(force.variables(), ["gap.x", "gap.vx"]);
//!
//! let known = ["gap.x", "gap.vx", "time"];
//! let slot = |name: &str| known.iter().position(|known| *known == name);
//! let program = force
//!     .bind(&mut |name| slot(name).map(Binding::Slot))
//!     .map_err(|error| error.suggest(known))?;
//!
//! let mut stack = Stack::for_programs([&program]);
//! assert_eq!(program.evaluate(&[0.01, -1.0, 0.0], &mut stack), -140.0);
//!
//! let mut partials = [0.0; 2];
//! program.gradient(&[0.01, -1.0, 0.0], &mut partials, &mut Stack::new(program.depth()));
//! assert_eq!(partials, [-14000.0, -60.0]);
//! # Ok::<(), fourbar_expression::ExpressionError>(())
//! ```
//!
//! # Grammar
//!
//! ```text
//! expression = disjunction
//! disjunction = conjunction { "or" conjunction }
//! conjunction = negation { "and" negation }
//! negation = "not" negation | comparison
//! comparison = sum [ ( "<" | "<=" | ">" | ">=" | "==" | "!=" ) sum ]
//! sum = product { ( "+" | "-" ) product }
//! product = signed { ( "*" | "/" ) signed }
//! signed = ( "-" | "+" ) signed | power
//! power = operand [ ( "^" | "**" ) signed ]
//! operand = number [ unit name | "[" unit "]" ] | "pi" | "dtor" | "rtod" | name | function "(" expression { "," expression } ")" | "(" expression ")"
//! number = digits [ "." [ digits ] ] [ exponent ] | "." digits [ exponent ]
//! exponent = ( "e" | "E" ) [ "+" | "-" ] digits
//! name = ( letter | "_" ) { letter | digit | "_" } { "." ( letter | digit | "_" ) { letter | digit | "_" } }
//! ```
//!
//! Powers bind from the right and stronger than a sign before them: `2^3^2` is 512, `-2^2` is -4, `2^-1` is 0.5.
//! `30 deg` is the number 30 pi/180 and `500 mm` the number 0.5: a unit behind a number makes it one in SI units, or in those of the
//! file. A text that is one number with its unit may have [any unit](fourbar_linalg::unit), `-3 N m/deg`; within a longer text those that
//! are more than one name stand in brackets, `2*9.81 [m/s^2]`. Constants are `pi`, `dtor` = pi/180 and `rtod` = 180/pi (there is no `e`: write
//! `exp(1)`), and the name `time` is the time in seconds. Comparisons and `and`, `or`, `not` yield 1 or 0; every number but 0 counts as
//! true. Upper and lower case differ.
//!
//! An expression has at most 65536 bytes and 200 levels of nesting.
//!
//! # Functions
//!
//! | function | value |
//! |---|---|
//! | `sin(x)`, `cos(x)`, `tan(x)`, `asin(x)`, `acos(x)`, `atan(x)` | circular functions, angles in rad |
//! | `atan2(y, x)` | angle of the point (x, y), in (-pi, pi] |
//! | `sinh(x)`, `cosh(x)`, `tanh(x)` | hyperbolic functions |
//! | `exp(x)`, `ln(x)` = `log(x)`, `log10(x)` | exponential, natural and decimal logarithm |
//! | `sqrt(x)`, `cbrt(x)`, `pow(x, y)` = `x^y`, `hypot(x, y)` | square and cubic root, power, sqrt(x² + y²) |
//! | `abs(x)`, `sign(x)` | absolute value; -1, 0 or 1 |
//! | `sign(a, b)` | the absolute value of a for b >= 0, else its negative |
//! | `dim(a, b)` | a - b where that is positive, else 0 |
//! | `aint(x)`, `anint(x)` | the whole number next to x towards zero; the nearest, halves away from zero |
//! | `floor(x)`, `ceil(x)`, `mod(x, y)` | next whole number below, above; x - y floor(x/y), with the sign of y |
//! | `min(a, b, ...)`, `max(a, b, ...)` | smallest, largest of two or more |
//! | `if(condition, a, b)` | a if the condition is true, else b; the other one is not evaluated |
//! | `step(x, x0, y0, x1, y1)` | y0 up to x0, y1 from x1 on, between them a cubic: y0 + (y1 - y0) s² (3 - 2s), s = (x - x0)/(x1 - x0) |
//! | `step5(x, x0, y0, x1, y1)` | the same with the quintic s³ (10 - 15s + 6s²): continuous second derivative |
//! | `havsin(x, x0, y0, x1, y1)` | the same with the haversine (1 - cos(pi s))/2 |
//! | `poly(x, x0, a0, a1, ...)` | a0 + a1 (x - x0) + a2 (x - x0)² + ... |
//! | `cheby(x, x0, a0, a1, ...)` | a0 + a1 T1(x - x0) + a2 T2(x - x0) + ..., Chebyshev polynomials: T0 = 1, T1(s) = s, Tj = 2 s T(j-1) - T(j-2) |
//! | `forcos(x, x0, omega, a0, a1, ...)` | a0 + a1 cos(omega (x - x0)) + a2 cos(2 omega (x - x0)) + ... |
//! | `forsin(x, x0, omega, a0, a1, ...)` | the same with sines, a0 without one |
//! | `shf(x, x0, amplitude, omega, phase, offset)` | amplitude sin(omega (x - x0) - phase) + offset |
//! | `sweep(x, a, x0, f0, x1, f1, dx)` | a sine of amplitude a: 0 before x0, its frequency from f0 at x0 to f1 at x1 in cycles per unit of x, its amplitude by step5 within dx |
//! | `akispl(x, spline)`, `cubspl(x, spline)` | the spline of that name at x, by Akima's cubics or as natural cubic spline |
//! | `akispl(x, z, spline, order)` | z: of a family of curves (0 for a single one); order: the derivative by x, 0, 1 or 2; either may be left out |
//! | `impact(x, v, x1, k, e, c, d)` | force of an elastic stop at x1: 0 for x >= x1, else max(0, k (x1 - x)^e - c v step(x1 - x, 0, 0, d, 1)) with v the rate of x |
//! | `bistop(x, v, x1, x2, k, e, c, d)` | two such stops, x moving freely from x1 to x2; the force is negative beyond x2 |
//!
//! Those from `sign(a, b)` to `anint` and from `step` on are the functions of these names in Adams/Solver (C++). (Adams' MOD
//! differs: it has the sign of x.)
//!
//! # Derivatives
//!
//! A [`Program`] runs on `f64` and on dual numbers alike ([`Scalar`]), so derivatives are exact: first ones with
//! respect to any variables, and the second one with respect to time. Where a function has a kink or a jump:
//!
//! - the derivative is the one from the right: that of `abs` at 0 is 1, that of `step` at x0 or x1 and of a spline at a
//!   point is that of the piece beginning there; `sign`, `floor`, `ceil`, `aint`, `anint` and comparisons have the derivative
//!   0, at their jumps too;
//! - `min` and `max` of equal numbers take value and derivative from the first of them;
//! - `if` takes value and derivative from the branch that is evaluated;
//! - `hypot` has the derivative 0 at the origin;
//! - an infinite slope (`sqrt` at 0) times a derivative of exactly 0 is 0, so that `sqrt(max(0, x))` has the
//!   derivative 0 for x < 0.
//!
//! # Not a number
//!
//! Outside of its domain (`sqrt(-1)`, `0/0`, a step over an interval that is empty) a function is NaN, and NaN
//! spreads: `min`, `max`, comparisons, `and`, `or`, `not` and `if` of NaN are NaN. It is for the caller to refuse.
#![forbid(unsafe_code)]

mod binding;
pub mod break_state;
mod breaks;
mod builder;
mod code;
mod conditions;
mod definitions;
mod elementary;
mod error;
mod exponential;
mod expression;
mod function;
mod held;
mod interchange;
mod machine;
pub mod model;
mod parser;
mod piece;
mod program;
mod quantity;
mod root;
mod scalar;
#[cfg(feature = "schema")]
mod schema;
mod series;
mod settle;
mod spline;
mod stepwise;
#[cfg(test)]
mod tests;
mod token;

pub use binding::Binding;
pub use breaks::Break;
pub use conditions::{Conditions, Held};
pub use definitions::{CyclicDefinition, definition_order};
pub use error::{ExpressionError, Problem, nearest_name};
pub use exponential::{ExponentialSum, Term};
pub use expression::Expression;
pub use parser::is_free_name;
pub use piece::Piece;
pub use program::{GRADIENT_WIDTH, GradientStack, Program, Stack};
pub use scalar::{Partials, Scalar};
pub use spline::{Spline, SplineError};
pub use stepwise::Changes;
