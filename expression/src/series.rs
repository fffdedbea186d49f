//! Series and the sweep: functions of Adams/Solver that are sums and products of elementary ones, differentiated as such.
//!
//! Sources: the pages POLY, CHEBY, FORCOS, FORSIN and SWEEP of the help of Adams Solver (C++).
use super::code::{Blend, Circular, Series};
use super::elementary::{blend, circular, quotient};
use super::scalar::Scalar;
use std::f64::consts::TAU;

/// The sum of a series at x; `leading` holds x, x0 and, of a Fourier series, omega.
pub(super) fn series<T: Scalar>(series: Series, leading: &[T], coefficients: &[T]) -> T {
    let distance = leading[0] - leading[1];
    match series {
        Series::Power => polynomial(distance, coefficients),
        Series::Chebyshev => chebyshev(distance, coefficients),
        Series::Cosine => fourier(Circular::Cos, distance * leading[2], coefficients),
        Series::Sine => fourier(Circular::Sin, distance * leading[2], coefficients),
    }
}

/// a0 + a1 s + a2 s² + ..: Adams' POLY, by Horner's rule.
fn polynomial<T: Scalar>(s: T, coefficients: &[T]) -> T {
    let terms = coefficients.iter().rev().copied();
    terms.reduce(|sum, coefficient| sum * s + coefficient).unwrap_or_else(|| T::from(0.0))
}

/// a0 T0(s) + a1 T1(s) + .. with T0 = 1, T1 = s, Tj = 2 s T(j-1) - T(j-2): Adams' CHEBY, by Clenshaw's recurrence
/// (Math. Tables Aids Comput. 9 (1955) 118).
fn chebyshev<T: Scalar>(s: T, coefficients: &[T]) -> T {
    let Some((&first, rest)) = coefficients.split_first() else { return T::from(0.0) };
    let (mut one, mut two) = (T::from(0.0), T::from(0.0));
    for &coefficient in rest.iter().rev() {
        (one, two) = (coefficient + s * one * 2.0 - two, one);
    }
    first + s * one - two
}

/// a0 + a1 f(angle) + a2 f(2 angle) + .. with f the cosine or sine: Adams' FORCOS and FORSIN.
fn fourier<T: Scalar>(function: Circular, angle: T, coefficients: &[T]) -> T {
    let Some((&first, rest)) = coefficients.split_first() else { return T::from(0.0) };
    let mut sum = first;
    for (j, &coefficient) in (1..).zip(rest) {
        sum += coefficient * circular(function, angle * f64::from(j));
    }
    sum
}

/// A sine of amplitude `a` whose frequency rises from f0 at x0 to f1 at x1, in cycles per unit of x: Adams' SWEEP. It is 0 before x0,
/// its amplitude rises by a quintic step until x0 + dx, and from x1 on the frequency stays f1. NaN unless x0 < x1 and dx > 0.
///
/// The cycles are f0 x + (f1 - f0)/(2 (x1 - x0)) (x - x0)² and, from x1 on, f1 x - (f1 - f0) (x0 + x1)/2.
pub(super) fn sweep<T: Scalar>([x, a, x0, f0, x1, f1, dx]: [T; 7]) -> T {
    if x.re().is_nan() || !(x0.re() < x1.re()) || !(dx.re() > 0.0) {
        return T::from(f64::NAN);
    }
    let (zero, one) = (T::from(0.0), T::from(1.0));
    if x.re() < x0.re() {
        return zero;
    }
    let cycles = if x.re() < x1.re() {
        let s = x - x0;
        f0 * x + quotient((f1 - f0) * s * s, (x1 - x0) * 2.0)
    } else {
        f1 * x - (f1 - f0) * (x0 + x1) * 0.5
    };
    a * blend(Blend::Quintic, [x, x0, zero, x0 + dx, one]) * circular(Circular::Sin, cycles * TAU)
}
