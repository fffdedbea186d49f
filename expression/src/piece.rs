//! What a program of the time is between two times at which its conditions switch.
//!
//! The operations are run once at a time, with values that are sums of c t^k e^(lambda t) where they can be ([`ExponentialSum`]). Conditions,
//! `abs`, `min`, `mod`, `floor` and the regions of `step` are settled as they are at that time, and each notes a function whose
//! next zero ends what was settled (`root`). So does what may pass in no time without any condition: a bell, a saturation, a quotient, of a
//! polynomial of the time, where the polynomial passes zero or turns.

use super::code::{Binary, Blend, Circular, Comparison, Op, Series, Unary};
use super::exponential::ExponentialSum;
use super::machine::execute;
use super::program::Program;
use super::root::{Search, Switch};
use std::f64::consts::PI;

/// A program of the time from one time to the next at which a condition of it switches.
#[derive(Debug, Clone, PartialEq)]
pub struct Piece {
    /// The value, t counted from the time asked for; none if it is not such a sum.
    pub law: Option<ExponentialSum>,
    /// The next time at which a condition switches, or which is the middle of a narrow place \[s\]; infinite if there is none.
    pub until: f64,
    /// Conditions that are no straight lines and no single sines in time were looked through up to here alone \[s\].
    pub known_to: f64,
    /// Whether anything may switch at all.
    pub switches: bool,
}

impl Program {
    /// The program of the slot `time` \[s\] just after `from`. Conditions are settled at `from` + `apart` \[s\]: what switches twice in less than
    /// that is not seen. Where they are not straight lines or single sines their switching is looked for up to `horizon` \[s\] and may be
    /// missed where they switch twice within a sixty-fourth of that distance. Other slots are NaN.
    #[must_use]
    pub fn piece(&self, time: usize, from: f64, apart: f64, horizon: f64) -> Piece {
        let search = Search { surfaces: &self.surfaces, time, from, at: from + apart, horizon };
        let mut tracer = Tracer {
            code: &self.code,
            search,
            values: Vec::new(),
            switches: Vec::new(),
            stack: vec![0.0; self.depth() + 2],
        };
        let value = tracer.run();
        let mut piece =
            Piece { law: value, until: f64::INFINITY, known_to: f64::INFINITY, switches: !tracer.switches.is_empty() };
        for switch in &tracer.switches {
            let (until, known_to) = search.first_zero(switch, &mut tracer.stack);
            (piece.until, piece.known_to) = (piece.until.min(until), piece.known_to.min(known_to));
        }
        piece
    }
}

/// A value on the stack.
pub(super) struct Value {
    pub(super) law: Option<ExponentialSum>,
    /// Where the operations that make it begin.
    pub(super) begin: usize,
}

impl Value {
    pub(super) fn constant(&self) -> Option<f64> {
        self.law.as_ref()?.is_constant()
    }
}

pub(super) struct Tracer<'a> {
    pub(super) code: &'a [Op],
    pub(super) search: Search<'a>,
    values: Vec<Value>,
    pub(super) switches: Vec<Switch>,
    pub(super) stack: Vec<f64>,
}

impl Tracer<'_> {
    fn run(&mut self) -> Option<ExponentialSum> {
        let mut next = 0;
        // Where conditionals end, and where the operations of their conditions begin.
        let mut open: Vec<(usize, usize)> = Vec::new();
        while let Some(&op) = self.code.get(next) {
            let index = next;
            next += 1;
            match op {
                Op::Jump(target) => next = target,
                Op::Branch { otherwise, end } => {
                    let condition = self.values.pop()?;
                    open.push((end, condition.begin));
                    let truth = self.number(&condition, index);
                    if truth.is_nan() {
                        self.values.push(Value { law: None, begin: condition.begin });
                        next = end;
                    } else if truth == 0.0 {
                        next = otherwise;
                    }
                }
                op => {
                    let arguments = self.values.split_off(self.values.len().saturating_sub(op.arguments()));
                    let begin = arguments.first().map_or(index, |first| first.begin);
                    let law = self.take(op, &arguments, index);
                    self.values.push(Value { law, begin });
                }
            }
            while let Some((_, begin)) = open.pop_if(|(end, _)| *end == next) {
                if let Some(value) = self.values.last_mut() {
                    value.begin = begin;
                }
            }
        }
        self.values.pop()?.law
    }

    fn take(&mut self, op: Op, arguments: &[Value], index: usize) -> Option<ExponentialSum> {
        let ends: Vec<usize> =
            (1..=arguments.len()).map(|i| arguments.get(i).map_or(index, |next| next.begin)).collect();
        match (op, arguments) {
            (Op::Constant(value), _) => return Some(ExponentialSum::constant(value)),
            (Op::Load(slot), _) => {
                return (slot == self.search.time).then(|| ExponentialSum::ramp(self.search.from, 1.0));
            }
            _ => {}
        }
        if arguments.iter().all(|argument| argument.constant().is_some()) {
            let mut code: Vec<Op> = arguments.iter().filter_map(Value::constant).map(Op::Constant).collect();
            code.push(op);
            self.stack.resize(self.stack.len().max(code.len()), 0.0);
            return Some(ExponentialSum::constant(execute(
                &code,
                self.search.surfaces,
                |_| f64::NAN,
                &mut self.stack,
                &mut super::machine::Free,
            )));
        }
        let law = |i: usize| arguments[i].law.as_ref();
        match (op, arguments) {
            (Op::Unary(function), [x]) => self.unary(function, x, index),
            (Op::Binary(function), [x, y]) => self.binary(function, x, y, [ends[0], ends[1]]),
            (Op::Circular(function), [x]) => {
                if !matches!(function, Circular::Sin | Circular::Cos) {
                    self.attend(x);
                }
                circular(function, law(0)?)
            }
            (Op::PowerConstant(n), [x]) => {
                if n < 0.0 || n.fract() != 0.0 {
                    self.attend(x);
                }
                power(law(0)?, n)
            }
            (Op::Blend(shape), [x, x0, y0, x1, y1]) => {
                let mut beyond = |edge: &Value, end: usize| {
                    let [x, edge] = self.switch_difference((x, ends[0]), (edge, end));
                    x >= edge
                };
                if !beyond(x0, ends[1]) {
                    return y0.law.clone();
                }
                if beyond(x1, ends[3]) {
                    return y1.law.clone();
                }
                let (begin, end) = (x0.constant()?, x1.constant()?);
                let parameter = x.law.as_ref()?.plus(-begin, &one())?.times(&constant(1.0 / (end - begin)))?;
                let (y0, y1) = (y0.law.as_ref()?, y1.law.as_ref()?);
                y0.plus(1.0, &y1.plus(-1.0, y0)?.times(&rise(shape, &parameter)?)?)
            }
            (Op::Harmonic, _) => {
                let angle = law(0)?.plus(-1.0, law(1)?)?.times(law(3)?)?.plus(-1.0, law(4)?)?;
                law(2)?.times(&circular(Circular::Sin, &angle)?)?.plus(1.0, law(5)?)
            }
            (Op::Sweep, [x, _, x0, _, x1, _, dx]) => self.sweep((x, ends[0]), [(x0, ends[2]), (x1, ends[4])], dx),
            (Op::Series(kind, _), _) => {
                let laws: Option<Vec<ExponentialSum>> = arguments.iter().map(|argument| argument.law.clone()).collect();
                series(kind, &laws?)
            }
            (Op::Spline { index, order, family: false }, [x]) => {
                let surface = std::sync::Arc::clone(&self.search.surfaces[index]);
                let (begin, cubic) = surface.cubic(0, self.switch_knots((x, ends[0]), surface.knots()));
                let distance = law(0)?.plus(-begin, &one())?;
                cubic_derivative(cubic, order)
                    .iter()
                    .rev()
                    .try_fold(ExponentialSum::default(), |sum, c| sum.times(&distance)?.plus(*c, &one()))
            }
            _ => None,
        }
    }

    /// Nothing before the sweep; then no such sum, and narrow where its frequency is high.
    fn sweep(&mut self, x: (&Value, usize), edges: [(&Value, usize); 2], dx: &Value) -> Option<ExponentialSum> {
        let [before, behind] = edges.map(|edge| {
            let [x, edge] = self.switch_difference(x, edge);
            x < edge
        });
        let known = dx.constant().is_some_and(|dx| dx > 0.0);
        (known && before && behind).then(ExponentialSum::default)
    }

    fn unary(&mut self, function: Unary, x: &Value, end: usize) -> Option<ExponentialSum> {
        match function {
            Unary::Negate => ExponentialSum::default().plus(-1.0, x.law.as_ref()?),
            Unary::Exp => {
                self.attend(x);
                let (a, b) = x.law.as_ref()?.is_ramp()?;
                ExponentialSum::exponential(a, b)
            }
            Unary::Sign => Some(constant(self.switch_sign((x, end)))),
            Unary::Abs => {
                let sign = self.switch_sign((x, end));
                x.law.as_ref()?.times(&constant(sign))
            }
            Unary::Floor => Some(constant(self.switch_levels((x, end), 1.0, 0.0).floor())),
            Unary::Ceil => Some(constant(self.switch_levels((x, end), 1.0, 0.0).ceil())),
            Unary::Truncate => Some(constant(self.switch_levels((x, end), 1.0, 0.0).trunc())),
            Unary::Round => Some(constant(self.switch_levels((x, end), 1.0, 0.5).round())),
            // Nothing but a constant is zero for longer than an instant.
            Unary::Not => Some(constant(f64::from(u8::from(self.number(x, end) == 0.0)))),
            Unary::Ln | Unary::Log10 | Unary::Sqrt | Unary::Cbrt => {
                self.attend(x);
                None
            }
        }
    }

    fn binary(&mut self, function: Binary, x: &Value, y: &Value, ends: [usize; 2]) -> Option<ExponentialSum> {
        let laws = (x.law.as_ref(), y.law.as_ref());
        match function {
            Binary::Add => laws.0?.plus(1.0, laws.1?),
            Binary::Subtract => laws.0?.plus(-1.0, laws.1?),
            Binary::Multiply => laws.0?.times(laws.1?),
            Binary::Divide => {
                self.attend(y);
                laws.0?.times(&laws.1?.inverse()?)
            }
            Binary::Power => {
                let (base, (a, b)) = (x.constant()?, laws.1?.is_ramp()?);
                let rate = if base > 0.0 { base.ln() } else { return None };
                ExponentialSum::exponential(rate * a, rate * b)
            }
            Binary::Min | Binary::Max => {
                let numbers = self.switch_difference((x, ends[0]), (y, ends[1]));
                let first = (numbers[0] <= numbers[1]) == (function == Binary::Min);
                if first { x.law.clone() } else { y.law.clone() }
            }
            Binary::Modulo => {
                let modulus = y.constant()?;
                let passed = self.switch_levels((x, ends[0]), modulus, 0.0).floor();
                laws.0?.plus(-modulus * passed, &one())
            }
            Binary::Compare(comparison) => {
                let numbers = self.switch_difference((x, ends[0]), (y, ends[1]));
                Some(constant(compare(comparison, numbers)))
            }
            Binary::And | Binary::Or => {
                let numbers = [self.number(x, ends[0]), self.number(y, ends[1])];
                let [a, b] = numbers.map(|number| number != 0.0);
                let truth = if function == Binary::And { a && b } else { a || b };
                let known = !numbers.iter().any(|number| number.is_nan());
                known.then(|| constant(f64::from(u8::from(truth))))
            }
            Binary::Atan2 | Binary::Hypot => None,
        }
    }
}

pub(super) fn one() -> ExponentialSum {
    ExponentialSum::constant(1.0)
}

fn constant(value: f64) -> ExponentialSum {
    ExponentialSum::constant(value)
}

/// Two values that differ but at single times.
fn compare(comparison: Comparison, [x, y]: [f64; 2]) -> f64 {
    let truth = match comparison {
        Comparison::Less | Comparison::LessEqual => x < y,
        Comparison::Greater | Comparison::GreaterEqual => x > y,
        Comparison::Equal => x == y,
        Comparison::NotEqual => x != y,
    };
    if x.is_nan() || y.is_nan() { f64::NAN } else { f64::from(u8::from(truth)) }
}

fn circular(function: Circular, x: &ExponentialSum) -> Option<ExponentialSum> {
    let (a, b) = x.is_ramp()?;
    let exponential = |sign: f64| ExponentialSum::exponential(sign * a, sign * b);
    match function {
        Circular::Sin => Some(ExponentialSum::sine(0.0, 1.0, a, b)),
        Circular::Cos => Some(ExponentialSum::sine(0.0, 1.0, a + 0.5 * PI, b)),
        Circular::Sinh => exponential(1.0)?.plus(-1.0, &exponential(-1.0)?)?.times(&constant(0.5)),
        Circular::Cosh => exponential(1.0)?.plus(1.0, &exponential(-1.0)?)?.times(&constant(0.5)),
        Circular::Tan | Circular::Asin | Circular::Acos | Circular::Atan | Circular::Tanh => None,
    }
}

/// x^n for the whole n that make sums of sums.
fn power(x: &ExponentialSum, n: f64) -> Option<ExponentialSum> {
    /// Highest power written out: a sum of two terms has thirteen then.
    const HIGHEST: f64 = 12.0;
    let base = if n < 0.0 { x.inverse()? } else { x.clone() };
    if n.fract() != 0.0 || n.abs() > HIGHEST {
        return None;
    }
    (0..n.abs() as u32).try_fold(one(), |product, _| product.times(&base))
}

/// The sum of a series of these arguments.
fn series(kind: Series, laws: &[ExponentialSum]) -> Option<ExponentialSum> {
    let (leading, coefficients) = laws.split_at(kind.leading());
    let distance = leading[0].plus(-1.0, &leading[1])?;
    match kind {
        Series::Power => coefficients
            .iter()
            .rev()
            .try_fold(ExponentialSum::default(), |sum, coefficient| sum.times(&distance)?.plus(1.0, coefficient)),
        Series::Chebyshev => {
            let (first, rest) = coefficients.split_first()?;
            let (mut one, mut two) = (ExponentialSum::default(), ExponentialSum::default());
            for coefficient in rest.iter().rev() {
                let next = one.times(&distance)?.times(&constant(2.0))?.plus(-1.0, &two)?.plus(1.0, coefficient)?;
                (one, two) = (next, one);
            }
            one.times(&distance)?.plus(-1.0, &two)?.plus(1.0, first)
        }
        Series::Cosine | Series::Sine => {
            let function = if kind == Series::Cosine { Circular::Cos } else { Circular::Sin };
            let angle = distance.times(&leading[2])?;
            let (first, rest) = coefficients.split_first()?;
            (1..).zip(rest).try_fold(first.clone(), |sum, (j, coefficient)| {
                let wave = circular(function, &angle.times(&constant(f64::from(j)))?)?;
                sum.plus(1.0, &wave.times(coefficient)?)
            })
        }
    }
}

/// Coefficients of the derivative of this order of a + b s + c s² + d s³.
fn cubic_derivative([a, b, c, d]: [f64; 4], order: u8) -> [f64; 4] {
    match order {
        0 => [a, b, c, d],
        1 => [b, 2.0 * c, 3.0 * d, 0.0],
        _ => [2.0 * c, 6.0 * d, 0.0, 0.0],
    }
}

/// The rise of a step from 0 to 1 while s goes from 0 to 1.
fn rise(shape: Blend, s: &ExponentialSum) -> Option<ExponentialSum> {
    let polynomial = |coefficients: &[f64]| {
        let horner = |sum: ExponentialSum, c: &f64| sum.times(s)?.plus(*c, &one());
        coefficients.iter().try_fold(ExponentialSum::default(), horner)
    };
    match shape {
        Blend::Cubic => polynomial(&[-2.0, 3.0, 0.0, 0.0]),
        Blend::Quintic => polynomial(&[6.0, -15.0, 10.0, 0.0, 0.0, 0.0]),
        Blend::Haversine => {
            let wave = circular(Circular::Cos, &s.times(&constant(PI))?)?;
            constant(0.5).plus(-0.5, &wave)
        }
    }
}
