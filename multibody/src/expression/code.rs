//! The operations of a program in postfix order, and their assembly with constants folded.
use super::error::Problem;
use super::machine::{Free, execute};

/// A circular or hyperbolic function, or its inverse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Circular {
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
}

/// Another function of one argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unary {
    Negate,
    Not,
    Exp,
    Ln,
    Log10,
    Sqrt,
    Cbrt,
    Abs,
    Sign,
    Floor,
    Ceil,
}

/// A comparison, which yields 1 or 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}

/// A function of two arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Min,
    Max,
    And,
    Or,
    Compare(Comparison),
    Atan2,
    Hypot,
    Modulo,
}

/// The shape of a step from 0 to 1 over the unit interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Blend {
    Cubic,
    Quintic,
    Haversine,
}

/// An operation on the stack. Arguments are taken from the top, the last one first; the result replaces them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Op {
    Constant(f64),
    /// The variable of this index (in an expression) or the slot (in a program).
    Load(usize),
    Circular(Circular),
    Unary(Unary),
    /// Power with this constant exponent.
    PowerConstant(f64),
    Binary(Binary),
    /// x, x0, y0, x1, y1
    Blend(Blend),
    /// x, x0, amplitude, omega, phase, offset
    Harmonic,
    /// x, x', x1, k, e, c, d
    Impact,
    /// x, x', x1, x2, k, e, c, d
    TwoStops,
    /// x, x0 and this many coefficients, the constant term first.
    Polynomial(usize),
    /// Takes a condition: nonzero goes on, zero goes to `otherwise`, NaN yields NaN and goes to `end`.
    Branch {
        otherwise: usize,
        end: usize,
    },
    /// Goes to an operation further on.
    Jump(usize),
}

impl Op {
    /// How many values the operation takes from the stack.
    pub(super) fn arguments(self) -> usize {
        match self {
            Op::Constant(_) | Op::Load(_) | Op::Jump(_) => 0,
            Op::Circular(_) | Op::Unary(_) | Op::PowerConstant(_) | Op::Branch { .. } => 1,
            Op::Binary(_) => 2,
            Op::Blend(_) => 5,
            Op::Harmonic => 6,
            Op::Impact => 7,
            Op::TwoStops => 8,
            Op::Polynomial(coefficients) => coefficients + 2,
        }
    }

    /// How many values the operation puts on the stack.
    fn results(self) -> usize {
        usize::from(!matches!(self, Op::Branch { .. } | Op::Jump(_)))
    }
}

/// Assembles operations; replaces an operation on constants by its value.
#[derive(Debug, Default)]
pub(super) struct Builder {
    code: Vec<Op>,
    places: Vec<usize>,
    /// Constants before this index belong to another branch of a conditional: they are no arguments.
    floor: usize,
    depth: usize,
    deepest: usize,
}

impl Builder {
    /// Appends an operation written at the byte `place`.
    pub(super) fn emit(&mut self, op: Op, place: usize) -> Result<(), Problem> {
        self.check_interval(op)?;
        let count = op.arguments();
        if count > 0 && self.trailing_constants(count) == count {
            let start = self.code.len() - count;
            let place = self.places[start];
            self.code.push(op);
            let value = execute(&self.code[start..], |_| f64::NAN, &mut vec![0.0; count], &mut Free);
            self.truncate(start);
            self.depth -= count;
            self.push(Op::Constant(value), place);
        } else if let (Op::Binary(Binary::Power), Some(exponent)) = (op, self.constant()) {
            self.pop();
            self.push(Op::PowerConstant(exponent), place);
        } else {
            self.push(op, place);
        }
        Ok(())
    }

    /// Opens a conditional on the value on top; returns the branch, for [`Self::join`].
    pub(super) fn branch(&mut self, place: usize) -> usize {
        let (otherwise, end) = (0, 0);
        self.push(Op::Branch { otherwise, end }, place);
        self.floor = self.code.len();
        self.code.len() - 1
    }

    /// Ends the first branch of a conditional; returns the jump, for [`Self::join`].
    pub(super) fn jump(&mut self, place: usize) -> usize {
        self.push(Op::Jump(0), place);
        // The second branch finds the stack without the value of the first.
        self.depth -= 1;
        self.floor = self.code.len();
        self.code.len() - 1
    }

    /// Ends a conditional.
    pub(super) fn join(&mut self, branch: usize, jump: usize) {
        let end = self.code.len();
        let otherwise = jump + 1;
        self.code[branch] = Op::Branch { otherwise, end };
        self.code[jump] = Op::Jump(end);
        self.floor = end;
    }

    /// The value on top, if it is a constant.
    pub(super) fn constant(&self) -> Option<f64> {
        match self.code[self.floor..].last() {
            Some(Op::Constant(value)) => Some(*value),
            _ => None,
        }
    }

    /// Takes the constant on top away.
    pub(super) fn pop(&mut self) {
        self.truncate(self.code.len() - 1);
        self.depth -= 1;
    }

    /// The operations and where each is written.
    pub(super) fn into_parts(self) -> (Vec<Op>, Vec<usize>) {
        (self.code, self.places)
    }

    /// How many values the operations stack at most.
    pub(super) fn deepest(&self) -> usize {
        self.deepest
    }

    fn push(&mut self, op: Op, place: usize) {
        self.depth = self.depth + op.results() - op.arguments();
        self.deepest = self.deepest.max(self.depth);
        self.code.push(op);
        self.places.push(place);
    }

    fn truncate(&mut self, length: usize) {
        self.code.truncate(length);
        self.places.truncate(length);
    }

    /// How many of the last operations are constants of this branch, counted up to `limit`.
    fn trailing_constants(&self, limit: usize) -> usize {
        let constant = |op: &&Op| matches!(op, Op::Constant(_));
        let tail = self.code[self.floor..].iter().rev();
        tail.take(limit).take_while(constant).count()
    }

    /// A step over a constant interval that is empty or runs backwards is a mistake of the model.
    fn check_interval(&self, op: Op) -> Result<(), Problem> {
        let Op::Blend(_) = op else { return Ok(()) };
        match self.code[self.floor..] {
            [.., Op::Constant(x0), Op::Constant(_), Op::Constant(x1), Op::Constant(_)] if x0 >= x1 => {
                Err(Problem::StepInterval { x0, x1 })
            }
            _ => Ok(()),
        }
    }
}
