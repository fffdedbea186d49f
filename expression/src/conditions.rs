//! Conditions of a program on what moves: where they switch, and programs that keep to one side of them.
//!
//! Comparisons, `sign`, `floor`, `ceil`, `aint`, `anint` and `mod` jump where their argument passes a value. An integrator that sees both sides within a step sees no
//! smooth function; so the side is *held* during a step and the argument watched as a root function, behind whose zero the side changes (Park,
//! Barton, ACM Trans. Model. Comput. Simul. 6 (1996) 137). `min`, `max`, `abs`, `impact`, `bistop` and the ends of `step`, `step5` and
//! `havsin` and `sweep` bend without a jump: they are watched, lest a step pass over them, and not held.

use super::code::{Binary, Comparison, Op, Unary};
use super::elementary as f;
use super::machine::{Watcher, binary};
use super::scalar::Scalar;

/// The conditions of a program, each with its place among the arguments that are watched.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Conditions {
    /// First place of the operation of each index, [`NONE`] for others.
    places: Vec<u32>,
    /// What switches, by place, and whether it is the second argument of its operation.
    names: Vec<(&'static str, bool)>,
}

/// Stands for an operation without a condition.
const NONE: u32 = u32::MAX;

/// Sides on which conditions are held and arguments that are watched, by place. A side that is not a number is not chosen yet.
#[derive(Debug)]
pub struct Held<'a> {
    conditions: &'a Conditions,
    /// Sides: 1 or -1 (0 also for `sign`), or the whole number of `floor`, `ceil`, `aint`, `anint` and `mod`.
    pub sides: &'a mut [f64],
    /// The arguments: their zeros are where the conditions switch.
    pub arguments: &'a mut [f64],
}

impl Conditions {
    /// Those of the operations `watched` of `code`.
    pub(super) fn new(code: &[Op], watched: impl IntoIterator<Item = usize>) -> Self {
        let mut conditions = Self { places: vec![NONE; code.len()], names: Vec::new() };
        for op in watched {
            let (name, arguments) = describe(code[op]);
            conditions.places[op] = conditions.names.len() as u32;
            conditions.names.extend((0..arguments).map(|k| (name, k > 0)));
        }
        conditions
    }

    /// Number of arguments that are watched.
    #[must_use]
    pub fn count(&self) -> usize {
        self.names.len()
    }

    /// The function that switches at `place`.
    #[must_use]
    pub fn name(&self, place: usize) -> &'static str {
        self.names.get(place).map_or("a condition", |(name, _)| name)
    }

    /// Turns to the side that the argument at `place` has come to, rising or falling; false where nothing is held.
    pub fn turn(&self, place: usize, rises: bool, sides: &mut [f64]) -> bool {
        let second = self.names.get(place).is_some_and(|(_, second)| *second);
        match self.name(place) {
            "a comparison" | "sign" => sides[place] = if rises { 1.0 } else { -1.0 },
            // It left n downwards, or passed n + 1.
            "floor" | "ceil" | "mod" | "aint" | "anint" if second => sides[place - 1] += if rises { 0.0 } else { 1.0 },
            "floor" | "ceil" | "mod" | "aint" | "anint" => sides[place] -= if rises { 0.0 } else { 1.0 },
            _ => return false,
        }
        true
    }

    /// Holds `sides`; both lists have [`Conditions::count`] entries.
    pub fn hold<'a>(&'a self, sides: &'a mut [f64], arguments: &'a mut [f64]) -> Held<'a> {
        Held { conditions: self, sides, arguments }
    }

    /// The sign that the argument at `place` has as long as the side held is the right one; none where nothing is held.
    #[must_use]
    pub fn expected(&self, place: usize, side: f64) -> Option<i8> {
        match self.name(place) {
            "floor" | "ceil" | "mod" | "aint" | "anint" => Some(1),
            "a comparison" | "sign" if !side.is_nan() => Some(side as i8),
            _ => None,
        }
    }
}

/// What is said of an operation that switches, and how many arguments it has.
fn describe(op: Op) -> (&'static str, usize) {
    match op {
        Op::Unary(Unary::Sign) => ("sign", 1),
        Op::Unary(Unary::Floor) => ("floor", 2),
        Op::Unary(Unary::Ceil) => ("ceil", 2),
        Op::Binary(Binary::Modulo) => ("mod", 2),
        Op::Binary(Binary::Compare(_)) => ("a comparison", 1),
        Op::Blend(_) => ("step", 2),
        Op::TwoStops => ("bistop", 2),
        Op::Sweep => ("sweep", 2),
        Op::Unary(Unary::Truncate) => ("aint", 2),
        Op::Unary(Unary::Round) => ("anint", 2),
        _ => ("a kink", 1),
    }
}

impl Held<'_> {
    fn place(&self, op: usize) -> Option<usize> {
        let place = self.conditions.places[op];
        (place != NONE).then_some(place as usize)
    }

    /// The side held at `place`, now chosen as `now` if there is none.
    fn side(&mut self, place: usize, now: f64) -> f64 {
        if self.sides[place].is_nan() {
            self.sides[place] = now;
        }
        self.sides[place]
    }

    /// Watches that `x` stays from n to n + 1, n held.
    fn whole(&mut self, place: usize, x: f64) -> f64 {
        let n = self.side(place, x.floor());
        self.arguments[place] = x - n;
        self.arguments[place + 1] = n + 1.0 - x;
        n
    }
}

impl Watcher for Held<'_> {
    fn unary<T: Scalar>(&mut self, op: usize, function: Unary, x: T) -> T {
        let Some(place) = self.place(op) else { return f::unary(function, x) };
        match function {
            Unary::Sign => {
                self.arguments[place] = x.re();
                let now = f::unary(function, x.re());
                T::from(self.side(place, now))
            }
            Unary::Floor => T::from(self.whole(place, x.re())),
            Unary::Ceil => T::from(-self.whole(place, -x.re())),
            Unary::Truncate => {
                let below = self.whole(place, x.re());
                T::from(if below < 0.0 { below + 1.0 } else { below })
            }
            Unary::Round => T::from(self.whole(place, x.re() + 0.5)),
            _ => {
                self.arguments[place] = x.re();
                f::unary(function, x)
            }
        }
    }

    fn binary<T: Scalar>(&mut self, op: usize, function: Binary, a: T, b: T) -> T {
        let Some(place) = self.place(op) else { return binary(function, a, b) };
        match function {
            Binary::Modulo => {
                let n = self.whole(place, a.re() / b.re());
                a - b * T::from(n)
            }
            Binary::Compare(comparison) => {
                let (x, y) = (a.re(), b.re());
                let rises = matches!(comparison, Comparison::Greater | Comparison::GreaterEqual);
                self.arguments[place] = if rises { x - y } else { y - x };
                let now: f64 = f::compare(comparison, x, y);
                // A side is 1 where the comparison holds.
                let side = self.side(place, 2.0 * now - 1.0);
                T::from(0.5 * (side + 1.0))
            }
            _ => {
                self.arguments[place] = a.re() - b.re();
                binary(function, a, b)
            }
        }
    }

    fn see(&mut self, op: usize, arguments: [f64; 2]) {
        if let Some(place) = self.place(op) {
            self.arguments[place] = arguments[0];
            if self.conditions.names.get(place + 1).is_some_and(|(_, second)| *second) {
                self.arguments[place + 1] = arguments[1];
            }
        }
    }
}
