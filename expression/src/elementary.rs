//! The functions of expressions with their first and second derivatives.
//!
//! Derivatives are textbook formulas, written so that they lose no digits near the ends of the domain. At a
//! kink the derivative is the one from the right; at a tie of `min` or `max` it is that of the first argument.
use super::code::{Blend, Circular, Comparison, Unary};
use super::scalar::{Partials, Scalar};

/// Circular and hyperbolic functions.
#[inline]
pub(super) fn circular<T: Scalar>(function: Circular, argument: T) -> T {
    let x = argument.re();
    match function {
        Circular::Sin => {
            let sin = x.sin();
            argument.chain(sin, || (x.cos(), -sin))
        }
        Circular::Cos => {
            let cos = x.cos();
            argument.chain(cos, || (-x.sin(), -cos))
        }
        Circular::Tan => {
            let tan = x.tan();
            let slope = 1.0 + tan * tan;
            argument.chain(tan, || (slope, 2.0 * tan * slope))
        }
        Circular::Asin => argument.chain(x.asin(), || inverse_sine_slopes(x)),
        Circular::Acos => argument.chain(x.acos(), || {
            let (first, second) = inverse_sine_slopes(x);
            (-first, -second)
        }),
        Circular::Atan => argument.chain(x.atan(), || {
            let slope = 1.0 / (1.0 + x * x);
            (slope, -2.0 * x * slope * slope)
        }),
        Circular::Sinh => {
            let sinh = x.sinh();
            argument.chain(sinh, || (x.cosh(), sinh))
        }
        Circular::Cosh => {
            let cosh = x.cosh();
            argument.chain(cosh, || (x.sinh(), cosh))
        }
        Circular::Tanh => {
            let tanh = x.tanh();
            // 1 - tanh² = 1/cosh², which keeps its digits where tanh is close to 1.
            argument.chain(tanh, || {
                let slope = x.cosh().powi(-2);
                (slope, -2.0 * tanh * slope)
            })
        }
    }
}

/// Signs, exponentials, logarithms, roots and the functions with kinks and jumps.
#[inline]
pub(super) fn unary<T: Scalar>(function: Unary, argument: T) -> T {
    let x = argument.re();
    match function {
        Unary::Negate => -argument,
        Unary::Not => truth([x, 0.0], |x, _| x == 0.0),
        Unary::Exp => {
            let exp = x.exp();
            argument.chain(exp, || (exp, exp))
        }
        Unary::Ln => argument.chain(x.ln(), || (1.0 / x, -1.0 / (x * x))),
        Unary::Log10 => argument.chain(x.log10(), || {
            let slope = std::f64::consts::LOG10_E / x;
            (slope, -slope / x)
        }),
        Unary::Sqrt => {
            let root = x.sqrt();
            argument.chain(root, || (0.5 / root, -0.25 / (root * x)))
        }
        Unary::Cbrt => {
            let root = x.cbrt();
            argument.chain(root, || {
                let slope = 1.0 / (3.0 * root * root);
                (slope, -2.0 / 3.0 * slope / x)
            })
        }
        Unary::Abs => argument.chain(x.abs(), || (if x >= 0.0 { 1.0 } else { -1.0 }, 0.0)),
        Unary::Sign => argument.chain(sign(x), || (0.0, 0.0)),
        Unary::Floor => argument.chain(x.floor(), || (0.0, 0.0)),
        Unary::Ceil => argument.chain(x.ceil(), || (0.0, 0.0)),
        Unary::Truncate => argument.chain(x.trunc(), || (0.0, 0.0)),
        Unary::Round => argument.chain(x.round(), || (0.0, 0.0)),
    }
}

fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

/// 1/sqrt(1 - x²) and its derivative; the factored form keeps the digits near x = 1.
fn inverse_sine_slopes(x: f64) -> (f64, f64) {
    let square = (1.0 - x) * (1.0 + x);
    let slope = 1.0 / square.sqrt();
    (slope, x * slope / square)
}

/// a / b
#[inline]
pub(super) fn quotient<T: Scalar>(a: T, b: T) -> T {
    let (x, y) = (a.re(), b.re());
    let value = x / y;
    a.chain2(b, value, || Partials {
        a: 1.0 / y,
        b: -value / y,
        aa: 0.0,
        ab: -1.0 / (y * y),
        bb: 2.0 * value / (y * y),
    })
}

/// x^n for a small whole n by multiplications, otherwise by the library function.
fn real_power(x: f64, n: f64) -> f64 {
    /// Largest exponent by multiplications: up to it their errors stay within a few roundings.
    const LARGEST: f64 = 16.0;
    if n.fract() == 0.0 && n.abs() <= LARGEST { x.powi(n as i32) } else { x.powf(n) }
}

/// c x^n, which is zero for c = 0 even where x^n is infinite.
fn scaled_power(c: f64, x: f64, n: f64) -> f64 {
    if c == 0.0 { 0.0 } else { c * real_power(x, n) }
}

/// a^n
#[inline]
pub(super) fn power_constant<T: Scalar>(a: T, n: f64) -> T {
    let x = a.re();
    a.chain(real_power(x, n), || (scaled_power(n, x, n - 1.0), scaled_power(n * (n - 1.0), x, n - 2.0)))
}

/// a^b. Where a = 0, the derivatives with respect to b are those of the limit a -> 0.
pub(super) fn power<T: Scalar>(a: T, b: T) -> T {
    let (x, n) = (a.re(), b.re());
    let value = real_power(x, n);
    a.chain2(b, value, || {
        // x^m ln(x)^k, which tends to zero with x for m > 0.
        let with_log = |m: f64, k: i32| match (x, m) {
            (0.0, m) if m > 0.0 => 0.0,
            _ => x.powf(m) * x.ln().powi(k),
        };
        Partials {
            a: scaled_power(n, x, n - 1.0),
            b: with_log(n, 1),
            aa: scaled_power(n * (n - 1.0), x, n - 2.0),
            ab: real_power(x, n - 1.0) + if n == 0.0 { 0.0 } else { n * with_log(n - 1.0, 1) },
            bb: with_log(n, 2),
        }
    })
}

/// sqrt(a² + b²); its derivatives at the origin, where there are none, are zero.
pub(super) fn hypot<T: Scalar>(a: T, b: T) -> T {
    let (x, y) = (a.re(), b.re());
    let value = x.hypot(y);
    a.chain2(b, value, || {
        if value == 0.0 {
            return Partials { a: 0.0, b: 0.0, aa: 0.0, ab: 0.0, bb: 0.0 };
        }
        let (cos, sin) = (x / value, y / value);
        Partials { a: cos, b: sin, aa: sin * sin / value, ab: -sin * cos / value, bb: cos * cos / value }
    })
}

/// The angle of the point (x, y), in (-pi, pi].
pub(super) fn atan2<T: Scalar>(y: T, x: T) -> T {
    let (b, a) = (y.re(), x.re());
    y.chain2(x, b.atan2(a), || {
        // Through the unit vector: the square of the radius may leave the range of numbers.
        let radius = a.hypot(b);
        let (cos, sin) = (a / radius, b / radius);
        let curvature = 2.0 * sin * cos / radius / radius;
        Partials {
            a: cos / radius,
            b: -sin / radius,
            aa: -curvature,
            ab: (sin - cos) * (sin + cos) / radius / radius,
            bb: curvature,
        }
    })
}

/// a - b floor(a/b): the remainder with the sign of b.
pub(super) fn modulo<T: Scalar>(a: T, b: T) -> T {
    let (x, y) = (a.re(), b.re());
    let remainder = x % y;
    let below = remainder != 0.0 && (remainder < 0.0) != (y < 0.0);
    let value = if below { remainder + y } else { remainder };
    a.chain2(b, value, || Partials { a: 1.0, b: -((x - value) / y).round(), aa: 0.0, ab: 0.0, bb: 0.0 })
}

/// The larger one; NaN if one of them is.
#[inline]
pub(super) fn max<T: Scalar>(a: T, b: T) -> T {
    if a.re() >= b.re() {
        a
    } else if b.re() > a.re() {
        b
    } else {
        T::from(f64::NAN)
    }
}

/// The smaller one; NaN if one of them is.
#[inline]
pub(super) fn min<T: Scalar>(a: T, b: T) -> T {
    if a.re() <= b.re() {
        a
    } else if b.re() < a.re() {
        b
    } else {
        T::from(f64::NAN)
    }
}

/// A truth value as a number; NaN if one of the operands is NaN, so that a failure is not taken for "no".
#[inline]
pub(super) fn truth<T: Scalar>(operands: [f64; 2], truth: impl FnOnce(f64, f64) -> bool) -> T {
    let [a, b] = operands;
    if a.is_nan() || b.is_nan() {
        return T::from(f64::NAN);
    }
    T::from(f64::from(u8::from(truth(a, b))))
}

/// 1 if the comparison holds, 0 if not.
#[inline]
pub(super) fn compare<T: Scalar>(comparison: Comparison, a: T, b: T) -> T {
    truth([a.re(), b.re()], |a, b| match comparison {
        Comparison::Less => a < b,
        Comparison::LessEqual => a <= b,
        Comparison::Greater => a > b,
        Comparison::GreaterEqual => a >= b,
        Comparison::Equal => a == b,
        Comparison::NotEqual => a != b,
    })
}

/// y0 up to x0, y1 from x1 on, and between them y0 + (y1 - y0) f(s) with s = (x - x0)/(x1 - x0). NaN unless
/// x0 < x1. The shapes f are those of Adams' STEP, STEP5 and HAVSIN.
pub(super) fn blend<T: Scalar>(shape: Blend, [x, x0, y0, x1, y1]: [T; 5]) -> T {
    if x.re().is_nan() || x0.re().partial_cmp(&x1.re()) != Some(std::cmp::Ordering::Less) {
        return T::from(f64::NAN);
    }
    if x.re() < x0.re() {
        return y0;
    }
    if x.re() >= x1.re() {
        return y1;
    }
    let parameter = quotient(x - x0, x1 - x0);
    let s = parameter.re();
    let rise = match shape {
        Blend::Cubic => parameter.chain(s * s * (3.0 - 2.0 * s), || (6.0 * s * (1.0 - s), 6.0 - 12.0 * s)),
        Blend::Quintic => {
            let value = s * s * s * (10.0 + s * (6.0 * s - 15.0));
            parameter.chain(value, || {
                let rest = 1.0 - s;
                (30.0 * s * s * rest * rest, 60.0 * s * rest * (rest - s))
            })
        }
        Blend::Haversine => {
            let pi = std::f64::consts::PI;
            // (1 - cos(pi s))/2 without cancellation at small s.
            let half = (0.5 * pi * s).sin();
            parameter.chain(half * half, || {
                let angle = pi * s;
                (0.5 * pi * angle.sin(), 0.5 * pi * pi * angle.cos())
            })
        }
    };
    y0 + (y1 - y0) * rise
}

/// amplitude sin(omega (x - x0) - phase) + offset: Adams' SHF.
pub(super) fn harmonic<T: Scalar>([x, x0, amplitude, omega, phase, offset]: [T; 6]) -> T {
    amplitude * circular(Circular::Sin, omega * (x - x0) - phase) + offset
}

/// The force of an elastic stop at x1 that x must stay above: 0 for x >= x1, else k (x1 - x)^e - c v b, not below 0. The damping
/// rises with the depth: b is the cubic step from 0 at x1 to 1 at x1 - d. Adams' IMPACT. NaN unless d > 0.
pub(super) fn impact<T: Scalar>([x, v, x1, k, e, c, d]: [T; 7]) -> T {
    let depth = x1 - x;
    if depth.re() <= 0.0 && d.re() > 0.0 {
        return T::from(0.0);
    }
    let zero = T::from(0.0);
    let damping = blend(Blend::Cubic, [depth, zero, zero, d, T::from(1.0)]);
    max(k * power(depth, e) - c * v * damping, zero)
}

/// Elastic stops at x1 < x2, between which x moves freely. Adams' BISTOP. NaN unless d > 0 and x1 < x2.
pub(super) fn two_stops<T: Scalar>([x, v, x1, x2, k, e, c, d]: [T; 8]) -> T {
    if x1.re().partial_cmp(&x2.re()) != Some(std::cmp::Ordering::Less) {
        return T::from(f64::NAN);
    }
    if x.re() > x2.re() { -impact([-x, -v, -x2, k, e, c, d]) } else { impact([x, v, x1, k, e, c, d]) }
}
