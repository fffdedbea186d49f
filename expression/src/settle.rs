//! How conditions are settled: what decides is looked at where it is told from its switch.
//!
//! A value that touches its switch (`min(1, sin(time))` at the peak, `if(cos(time) <= 1, ..)` at 0) is the same as it, but for
//! round-off, for some while about that time. What is settled there is taken from the first time behind at which the two differ by more.

use super::code::{Binary, Op};
use super::piece::{Tracer, Value, one};
use super::root::Switch;

/// A value and where its operations end.
type Ended<'a> = (&'a Value, usize);

/// What the operations of a value may be off, in units of its terms.
const ROUND_OFF: f64 = 16.0 * f64::EPSILON;

impl Tracer<'_> {
    /// The number that the operations of the value, which end at `end`, make at the time.
    pub(super) fn number(&mut self, value: &Value, end: usize) -> f64 {
        match value.constant() {
            Some(number) => number,
            None => {
                let code = section(self.code, value.begin, end);
                self.search.evaluate(&code, self.search.at, &mut self.stack)
            }
        }
    }

    /// What `found` finds at the time of settling, or at the first of later times, each four times as far, at which it finds anything;
    /// without any what it finds `at_last` at the time of settling.
    fn told<T>(&mut self, found: impl Fn(&mut Self, f64) -> Option<T>, at_last: impl Fn(&mut Self, f64) -> T) -> T {
        let (from, at, horizon) = (self.search.from, self.search.at, self.search.horizon);
        let mut ahead = (at - from).max(f64::MIN_POSITIVE.max(f64::EPSILON * from.abs()));
        let mut time = at;
        while time <= at.max(horizon) && time.is_finite() {
            if let Some(told) = found(self, time) {
                return told;
            }
            ahead *= 4.0;
            time = from + ahead;
        }
        at_last(self, at)
    }

    /// The number that the value is at a time, and the sum of its terms there.
    fn sized(&mut self, (x, end): Ended, time: f64) -> [f64; 2] {
        if let Some(number) = x.constant() {
            return [number, number.abs()];
        }
        let code = section(self.code, x.begin, end);
        let number = self.search.evaluate(&code, time, &mut self.stack);
        let terms = x.law.as_ref().map_or(0.0, |law| law.size(time - self.search.from));
        [number, terms.max(number.abs())]
    }

    /// Something switches where the values are the same; what they are where they are not.
    pub(super) fn switch_difference(&mut self, x: Ended, y: Ended) -> [f64; 2] {
        if let (Some(x), Some(y)) = (x.0.constant(), y.0.constant()) {
            return [x, y];
        }
        let both = |tracer: &mut Self, time: f64| [tracer.sized(x, time), tracer.sized(y, time)];
        let numbers = self.told(
            |tracer, time| {
                let [[x, x_size], [y, y_size]] = both(tracer, time);
                // NaN tells as well.
                (!((x - y).abs() <= ROUND_OFF * (x_size + y_size))).then_some([x, y])
            },
            |tracer, time| both(tracer, time).map(|[number, _]| number),
        );
        let mut code = section(self.code, x.0.begin, x.1);
        let offset = code.len();
        code.extend(section(self.code, y.0.begin, y.1).into_iter().map(|op| moved(op, offset, 0)));
        code.push(Op::Binary(Binary::Subtract));
        let law = x.0.law.as_ref().zip(y.0.law.as_ref()).and_then(|(x, y)| x.plus(-1.0, y));
        self.switches.push(Switch { law, code, sign: Some((numbers[0] - numbers[1]).signum()) });
        numbers
    }

    /// Something switches where the value passes zero; its sign.
    pub(super) fn switch_sign(&mut self, x: Ended) -> f64 {
        let number = match x.0.constant() {
            Some(number) => number,
            None => self.told(
                |tracer, time| {
                    let [number, size] = tracer.sized(x, time);
                    (!(number.abs() <= ROUND_OFF * size)).then_some(number)
                },
                |tracer, time| tracer.sized(x, time)[0],
            ),
        };
        self.switch_level(x, 0.0, number);
        if number < 0.0 { -1.0 } else { 1.0 }
    }

    /// Something switches where the value passes a knot; the value, between two of them.
    pub(super) fn switch_knots(&mut self, x: Ended, knots: &[f64]) -> f64 {
        let behind = |number: f64| knots.partition_point(|knot| *knot <= number);
        let number = match x.0.constant() {
            Some(number) => return number,
            None => self.told(
                |tracer, time| {
                    let [number, size] = tracer.sized(x, time);
                    let near = |knot: &f64| (number - knot).abs() <= ROUND_OFF * size;
                    let next = behind(number);
                    (!knots[next.saturating_sub(1)..knots.len().min(next + 1)].iter().any(near)).then_some(number)
                },
                |tracer, time| tracer.sized(x, time)[0],
            ),
        };
        let next = behind(number);
        let around = [next.checked_sub(1), Some(next)];
        around.into_iter().flatten().filter_map(|k| knots.get(k)).for_each(|&knot| self.switch_level(x, knot, number));
        number
    }

    /// Something switches where the value passes `offset` and multiples of `modulus` more; the value in moduli, between two of them.
    pub(super) fn switch_levels(&mut self, x: Ended, modulus: f64, offset: f64) -> f64 {
        let number = match x.0.constant() {
            Some(number) => return number / modulus,
            None => self.told(
                |tracer, time| {
                    let [number, size] = tracer.sized(x, time);
                    let from_next = number - offset - modulus * ((number - offset) / modulus).round();
                    (!(from_next.abs() <= ROUND_OFF * size)).then_some(number)
                },
                |tracer, time| tracer.sized(x, time)[0],
            ),
        };
        let passed = ((number - offset) / modulus).floor();
        self.switch_level(x, offset + modulus * passed, number);
        self.switch_level(x, offset + modulus * (passed + 1.0), number);
        number / modulus
    }

    /// Something switches where the value, which is `number` now, passes `level`.
    fn switch_level(&mut self, (x, end): Ended, level: f64, number: f64) {
        if !level.is_finite() || x.constant().is_some() {
            return;
        }
        let mut code = section(self.code, x.begin, end);
        code.extend([Op::Constant(level), Op::Binary(Binary::Subtract)]);
        let law = x.law.as_ref().and_then(|law| law.plus(-level, &one()));
        self.switches.push(Switch { law, code, sign: Some((number - level).signum()) });
    }

    /// A function of the value may do all it does near its zeros, or where it turns. Of polynomials alone: of sines there would be no end.
    pub(super) fn attend(&mut self, x: &Value) {
        let Some(law) = x.law.as_ref().filter(|law| law.is_constant().is_none()) else { return };
        let Some(derivative) = law.polynomial_derivative() else { return };
        let laws = [law.clone(), derivative];
        let moving = laws.into_iter().filter(|law| law.is_constant().is_none());
        self.switches.extend(moving.map(|law| Switch { law: Some(law), code: Vec::new(), sign: None }));
    }
}

/// The operations from `begin` to `end` as a program of their own.
fn section(code: &[Op], begin: usize, end: usize) -> Vec<Op> {
    code[begin..end].iter().map(|op| moved(*op, 0, begin)).collect()
}

/// The operation where its program lies `ahead` - `back` further on.
fn moved(op: Op, ahead: usize, back: usize) -> Op {
    match op {
        Op::Jump(target) => Op::Jump(target + ahead - back),
        Op::Branch { otherwise, end } => Op::Branch { otherwise: otherwise + ahead - back, end: end + ahead - back },
        op => op,
    }
}
