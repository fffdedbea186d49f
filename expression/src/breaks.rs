//! Where a program jumps or bends in time, as far as that can be read from it.
//!
//! The operations are run once, with values that know how they depend on the time: a + b t, or such a ramp repeated with a period
//! (`mod`), a single sine of a ramp, or in another way. A comparison of two ramps, or of a sine and a constant, switches where they meet; `floor`, `ceil` and `mod` of a ramp jump where it passes
//! a whole number (of moduli); `sign`, `abs`, `min`, `max`, the ends of `step`, `step5`, `havsin` and `sweep` and the points of splines are
//! found in the same way.

use super::code::{Binary, Circular, Comparison, Op, Unary};
use super::program::Program;
use super::spline::Surface;
use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::sync::Arc;

/// A time at which a program jumps or bends, or an endless row of such times.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Break {
    /// One of the times \[s\].
    pub time: f64,
    /// Distance of the others, before and after it \[s\]; none if there is but one.
    pub period: Option<f64>,
}

impl Break {
    /// The first of the times that is not before `t` \[s\]; infinite if there is none.
    #[must_use]
    pub fn from(&self, t: f64) -> f64 {
        let next = match self.period {
            None => self.time,
            Some(period) => {
                let passed = ((t - self.time) / period).ceil();
                // The quotient may have been rounded to the wrong side.
                let candidates = [passed - 1.0, passed, passed + 1.0].map(|k| self.time + k * period);
                candidates.into_iter().find(|time| *time >= t).unwrap_or(f64::INFINITY)
            }
        };
        if next >= t { next } else { f64::INFINITY }
    }
}

/// How a value depends on the time t.
// Read once for each program of a model: a few copies of 300 bytes cost less than boxes, and it stays `Copy`.
#[allow(clippy::large_enum_variant)]
#[derive(Debug, Clone, Copy, PartialEq)]
enum Course {
    /// a + b t; with a period, so over the one that begins at a time, and repeated.
    Ramp { a: f64, b: f64, repeated: Option<[f64; 2]> },
    /// One of several such ramps at each time, as behind `abs`, `min`, `max` and `if` of ramps.
    Fork(Fork),
    /// offset + amplitude sin(a + b t).
    Sine { offset: f64, amplitude: f64, a: f64, b: f64 },
    /// In another way, or not on the time alone. `timed`: it moves with the time by itself, not only where breaks are known.
    Other { timed: bool },
}

use Course::{Other, Ramp};

/// Splines of more points have no breaks: their pieces are short against what moves, and the error test of a method sees to the rest.
const MOST_KNOTS: usize = 1000;

/// Ramps followed at once.
const MOST: usize = 8;

/// A ramp: a, b and how it is repeated.
type Line = (f64, f64, Option<[f64; 2]>);

/// Up to [`MOST`] ramps.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Fork {
    lines: [Line; MOST],
    count: usize,
}

impl Fork {
    fn lines(&self) -> &[Line] {
        &self.lines[..self.count]
    }
}

/// What moves only where something else does, or at known times.
const PLACED: Course = Other { timed: false };

impl Course {
    fn constant(a: f64) -> Self {
        Ramp { a, b: 0.0, repeated: None }
    }

    fn is_constant(self) -> Option<f64> {
        match self {
            Ramp { a, b: 0.0, .. } => Some(a),
            _ => None,
        }
    }

    fn is_timed(self) -> bool {
        match self {
            Ramp { b, .. } => b != 0.0,
            Course::Fork(fork) => fork.lines().iter().any(|(_, b, _)| *b != 0.0),
            Course::Sine { .. } => true,
            Other { timed } => timed,
        }
    }

    /// What becomes of several in a way that is not followed.
    fn mixed(of: &[Self]) -> Self {
        Other { timed: of.iter().any(|course| course.is_timed()) }
    }

    /// The ramps it may be; none if it is something else.
    fn ramps(self) -> Vec<Self> {
        match self {
            Ramp { .. } => vec![self],
            Course::Fork(fork) => fork.lines().iter().map(|&(a, b, repeated)| Ramp { a, b, repeated }).collect(),
            Course::Sine { .. } | Other { .. } => Vec::new(),
        }
    }

    /// One of `all` at each time, which are followed if they are few ramps.
    fn fork(all: &[Self]) -> Self {
        let mut fork = Fork { lines: [(0.0, 0.0, None); MOST], count: 0 };
        for course in all {
            let ramps = course.ramps();
            if ramps.is_empty() {
                return Self::mixed(all);
            }
            for ramp in ramps {
                let Ramp { a, b, repeated } = ramp else { return Self::mixed(all) };
                if fork.lines().contains(&(a, b, repeated)) {
                    continue;
                }
                if fork.count == MOST {
                    return Self::mixed(all);
                }
                fork.lines[fork.count] = (a, b, repeated);
                fork.count += 1;
            }
        }
        match fork.lines() {
            &[(a, b, repeated)] => Ramp { a, b, repeated },
            _ => Course::Fork(fork),
        }
    }

    /// The sum of self and `factor` times the other.
    fn plus(self, factor: f64, other: Self) -> Self {
        if matches!(self, Course::Fork(_)) || matches!(other, Course::Fork(_)) {
            let others = other.ramps();
            let sums = |one: &Self| others.iter().map(|two| one.plus(factor, *two)).collect::<Vec<_>>();
            let all: Vec<Self> = self.ramps().iter().flat_map(sums).collect();
            return if all.is_empty() { Self::mixed(&[self, other]) } else { Self::fork(&all) };
        }
        match (self, self.is_constant(), other, other.is_constant()) {
            (Course::Sine { offset, amplitude, a, b }, _, _, Some(more)) => {
                return Course::Sine { offset: offset + factor * more, amplitude, a, b };
            }
            (_, Some(more), Course::Sine { .. }, _) => return other.times(factor).plus(1.0, Self::constant(more)),
            _ => {}
        }
        let (Ramp { a, b, repeated }, Ramp { a: c, b: d, repeated: again }) = (self, other) else {
            return Self::mixed(&[self, other]);
        };
        let repeated = match (repeated, again) {
            (one, None) if one.is_none() || d == 0.0 => one,
            (None, two) if b == 0.0 => two,
            _ => return Self::mixed(&[self, other]),
        };
        Ramp { a: a + factor * c, b: b + factor * d, repeated }
    }

    fn times(self, factor: f64) -> Self {
        match self {
            Ramp { a, b, repeated } => Ramp { a: factor * a, b: factor * b, repeated },
            Course::Fork(_) => {
                let all: Vec<Self> = self.ramps().iter().map(|ramp| ramp.times(factor)).collect();
                Self::fork(&all)
            }
            Course::Sine { offset, amplitude, a, b } => {
                Course::Sine { offset: factor * offset, amplitude: factor * amplitude, a, b }
            }
            Other { .. } => self,
        }
    }

    /// `sin` or `cos` of it.
    fn circular(self, function: Circular) -> Self {
        let ahead = match function {
            Circular::Sin => 0.0,
            Circular::Cos => FRAC_PI_2,
            _ => return Self::mixed(&[self]),
        };
        match self {
            Ramp { a, b, repeated: None } if b != 0.0 => Course::Sine { offset: 0.0, amplitude: 1.0, a: a + ahead, b },
            _ => Self::mixed(&[self]),
        }
    }
}

impl Program {
    /// The times at which the program jumps or bends because of what the slot `time` \[s\] is: a list that is not complete where conditions
    /// are no straight lines in time, and in which a branch that is not taken then may have its times as well.
    #[must_use]
    pub fn breaks(&self, time: usize) -> Vec<Break> {
        self.read(time).found
    }

    /// Whether there may be more of them than [`Program::breaks`] tells: conditions, `floor`, `abs`, `max` and their like of what moves
    /// with the time in another way than along straight lines.
    #[must_use]
    pub fn hides_breaks(&self, time: usize) -> bool {
        self.read(time).hidden
    }

    /// Operations that jump or bend where no time is known for: at some state, or at times that no straight line tells.
    pub(super) fn watched(&self, time: usize) -> Vec<usize> {
        self.read(time).watched
    }

    fn read(&self, time: usize) -> Reader<'_> {
        let stack = Vec::with_capacity(self.depth());
        let (surfaces, found, watched) = (&self.surfaces[..], Vec::new(), Vec::new());
        let mut reader = Reader { surfaces, stack, found, hidden: false, unplaced: false, watched };
        let mut ends: Vec<(usize, Course)> = Vec::new();
        for (index, &op) in self.code.iter().enumerate() {
            while let Some((_, first)) = ends.pop_if(|(end, _)| *end == index) {
                reader.join(first);
            }
            match op {
                Op::Load(slot) if slot == time => reader.stack.push(Ramp { a: 0.0, b: 1.0, repeated: None }),
                // The first branch is done; where the second ends, either value may lie on the stack.
                Op::Jump(end) => ends.push((end, reader.stack.pop().unwrap_or(PLACED))),
                Op::Branch { .. } => {
                    reader.stack.pop();
                }
                op => {
                    reader.unplaced = false;
                    reader.take(op);
                    if reader.unplaced {
                        reader.watched.push(index);
                    }
                }
            }
        }
        reader
    }
}

/// Runs operations on courses and notes where they break.
struct Reader<'a> {
    surfaces: &'a [Arc<Surface>],
    stack: Vec<Course>,
    found: Vec<Break>,
    hidden: bool,
    /// Whether the operation taken last switches where no time is known for.
    unplaced: bool,
    watched: Vec<usize>,
}

impl Reader<'_> {
    fn join(&mut self, first: Course) {
        let second = self.stack.pop().unwrap_or(PLACED);
        self.stack.push(Course::fork(&[first, second]));
    }

    fn take(&mut self, op: Op) {
        let kept = self.stack.len().saturating_sub(op.arguments());
        let arguments = self.stack.split_off(kept);
        let course = match (op, arguments.as_slice()) {
            (Op::Constant(value), _) => Course::constant(value),
            (Op::Unary(function), &[x]) => self.unary(function, x),
            (Op::Binary(function), &[x, y]) => self.binary(function, x, y),
            (Op::Circular(function), &[x]) => x.circular(function),
            (Op::Blend(_), &[x, x0, _, x1, _]) => {
                self.meet(x, x0);
                self.meet(x, x1);
                Course::mixed(&arguments)
            }
            (Op::Sweep, &[x, _, x0, _, x1, _, dx]) => {
                [x0, x1, x0.plus(1.0, dx)].into_iter().for_each(|edge| self.meet(x, edge));
                Course::mixed(&arguments)
            }
            (Op::Spline { index, .. }, &[x, ..]) => {
                self.pass_knots(x, index);
                Course::mixed(&arguments)
            }
            (Op::Impact | Op::TwoStops, _) => {
                self.unplaced = true;
                Course::mixed(&arguments)
            }
            _ => Course::mixed(&arguments),
        };
        self.stack.push(course);
    }

    fn unary(&mut self, function: Unary, x: Course) -> Course {
        match function {
            Unary::Negate => return x.times(-1.0),
            Unary::Floor | Unary::Ceil | Unary::Truncate => {
                self.wrap(x, 1.0);
                return PLACED;
            }
            Unary::Round => {
                self.wrap(x.plus(1.0, Course::constant(0.5)), 1.0);
                return PLACED;
            }
            Unary::Sign => {
                self.meet(x, Course::constant(0.0));
                return PLACED;
            }
            Unary::Abs => {
                self.meet(x, Course::constant(0.0));
                return Course::fork(&[x, x.times(-1.0)]);
            }
            _ => {}
        }
        Course::mixed(&[x])
    }

    fn binary(&mut self, function: Binary, x: Course, y: Course) -> Course {
        match (function, x.is_constant(), y.is_constant()) {
            (Binary::Add, ..) => return x.plus(1.0, y),
            (Binary::Subtract, ..) => return x.plus(-1.0, y),
            (Binary::Multiply, Some(factor), _) => return y.times(factor),
            (Binary::Multiply, _, Some(factor)) => return x.times(factor),
            (Binary::Divide, _, Some(divisor)) => return x.times(1.0 / divisor),
            (Binary::Modulo, _, Some(modulus)) => return self.modulo(x, modulus),
            (Binary::Compare(comparison), ..) => {
                self.meet(x, y);
                // What is equal now and then is so for no time at all.
                self.unplaced &= !matches!(comparison, Comparison::Equal | Comparison::NotEqual);
                return PLACED;
            }
            (Binary::Min | Binary::Max, ..) => {
                self.meet(x, y);
                return Course::fork(&[x, y]);
            }
            (Binary::Modulo, ..) => {
                self.hidden |= x.is_timed() || y.is_timed();
                self.unplaced = true;
            }
            _ => {}
        }
        Course::mixed(&[x, y])
    }

    /// `mod(x, modulus)`.
    fn modulo(&mut self, x: Course, modulus: f64) -> Course {
        self.wrap(x, modulus);
        match x {
            // From a time at which a + b t is a multiple of the modulus it rises from 0, or falls from the modulus.
            Ramp { a, b, repeated: None } if b != 0.0 && modulus > 0.0 => {
                let first = if b > 0.0 { a } else { a + modulus };
                Ramp { a: first, b, repeated: Some([-a / b, modulus / b.abs()]) }
            }
            _ => Course::mixed(&[x]),
        }
    }

    /// x passes multiples of `modulus`.
    fn wrap(&mut self, x: Course, modulus: f64) {
        let ramps = x.ramps();
        if ramps.is_empty() || ramps.iter().any(|ramp| matches!(ramp, Ramp { repeated: Some(_), .. })) {
            self.hidden |= x.is_timed();
            self.unplaced = true;
            return;
        }
        for ramp in ramps {
            if let Ramp { a, b, .. } = ramp {
                self.note(-a / b, Some((modulus / b).abs()));
            }
        }
    }

    /// x passes the points of a spline. Where no time is known for that it is not watched: only slopes, or what is beyond them, bend there.
    fn pass_knots(&mut self, x: Course, index: usize) {
        if x.ramps().is_empty() && !matches!(x, Course::Sine { .. }) {
            self.hidden |= x.is_timed();
            return;
        }
        let knots = self.surfaces[index].knots();
        if knots.len() <= MOST_KNOTS && x.is_timed() {
            knots.iter().for_each(|&knot| self.meet(x, Course::constant(knot)));
        }
    }

    /// x and y are the same.
    fn meet(&mut self, x: Course, y: Course) {
        let difference = x.plus(-1.0, y);
        if let Course::Sine { offset, amplitude, a, b } = difference {
            // sin(a + b t) = level twice in a period, if at all.
            let level = -offset / amplitude;
            if level.abs() <= 1.0 {
                for angle in [level.asin(), PI - level.asin()] {
                    self.note((angle - a) / b, Some(TAU / b.abs()));
                }
            }
            return;
        }
        let ramps = difference.ramps();
        if ramps.is_empty() {
            self.hidden |= x.is_timed() || y.is_timed();
            self.unplaced = true;
        }
        for ramp in ramps {
            let Ramp { a, b, repeated } = ramp else { continue };
            let time = -a / b;
            match repeated {
                None => self.note(time, None),
                Some([begin, period]) if (begin..begin + period).contains(&time) => self.note(time, Some(period)),
                Some(_) => {}
            }
        }
    }

    fn note(&mut self, time: f64, period: Option<f64>) {
        let found = Break { time, period };
        if time.is_finite()
            && period.is_none_or(|period| period > 0.0 && period.is_finite())
            && !self.found.contains(&found)
        {
            self.found.push(found);
        }
    }
}
