//! The operations of a program in postfix order.

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
    /// Towards zero.
    Truncate,
    /// The nearest, halves away from zero.
    Round,
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

/// The functions that a series sums.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Series {
    /// Powers of x - x0.
    Power,
    /// Chebyshev polynomials of x - x0.
    Chebyshev,
    /// cos(j omega (x - x0))
    Cosine,
    /// A constant and sin(j omega (x - x0))
    Sine,
}

impl Series {
    /// How many arguments stand before the coefficients: x, x0 and, of a Fourier series, omega.
    pub(super) fn leading(self) -> usize {
        match self {
            Self::Power | Self::Chebyshev => 2,
            Self::Cosine | Self::Sine => 3,
        }
    }
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
    /// x, a, x0, f0, x1, f1, dx
    Sweep,
    /// x, x0, of a Fourier series omega, and this many coefficients, the constant term first.
    Series(Series, usize),
    /// x, and z of a family of curves: the derivative of this order by x of the spline of this index.
    Spline {
        index: usize,
        order: u8,
        family: bool,
    },
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
            Op::Impact | Op::Sweep => 7,
            Op::TwoStops => 8,
            Op::Series(series, coefficients) => coefficients + series.leading(),
            Op::Spline { family, .. } => 1 + usize::from(family),
        }
    }

    /// How many values the operation puts on the stack.
    pub(super) fn results(self) -> usize {
        usize::from(!matches!(self, Op::Branch { .. } | Op::Jump(_)))
    }
}
