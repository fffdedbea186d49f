//! Numbers that a program can run on: `f64` and dual numbers, through the chain rule
//! d f(x) = f'(x) dx, d² f(x) = f'(x) d²x + f''(x) dx².
use num_dual::{Derivative, Dual2_64, Dual64, DualNum, DualSVec64, HyperDual64};

/// First and second partial derivatives of a function f(a, b).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Partials {
    /// df/da
    pub a: f64,
    /// df/db
    pub b: f64,
    /// d²f/da²
    pub aa: f64,
    /// d²f/da db
    pub ab: f64,
    /// d²f/db²
    pub bb: f64,
}

/// A number that a [`Program`](super::Program) runs on.
///
/// Implemented for `f64` (values), [`Dual64`] (one directional derivative), [`DualSVec64<N>`](DualSVec64)
/// (N partial derivatives at once), [`Dual2_64`] (first and second derivative with respect to one
/// variable) and [`HyperDual64`] (a second derivative with respect to two). The real part of the result does not depend on the type, bit for bit.
///
/// A part of the argument that is exactly zero stays zero, even where the slope is infinite or undefined:
/// `sqrt(max(x, 0))` has the derivative 0 for x < 0, not 0 * infinity.
pub trait Scalar: DualNum<Primitive = f64> + Copy {
    /// f(self), from the value f and a closure that gives (f', f''), all at the real part of `self`.
    fn chain(self, value: f64, slopes: impl FnOnce() -> (f64, f64)) -> Self;

    /// f(self, b), from the value f and a closure that gives its partial derivatives, all at the real parts.
    fn chain2(self, b: Self, value: f64, partials: impl FnOnce() -> Partials) -> Self;
}

/// slope * seed, where a zero seed gives zero whatever the slope.
#[inline]
fn times(seed: f64, slope: f64) -> f64 {
    if seed == 0.0 { 0.0 } else { seed * slope }
}

impl Scalar for f64 {
    #[inline]
    fn chain(self, value: f64, _: impl FnOnce() -> (f64, f64)) -> Self {
        value
    }

    #[inline]
    fn chain2(self, _: Self, value: f64, _: impl FnOnce() -> Partials) -> Self {
        value
    }
}

impl Scalar for Dual64 {
    #[inline]
    fn chain(self, value: f64, slopes: impl FnOnce() -> (f64, f64)) -> Self {
        Self::new(value, times(self.eps, slopes().0))
    }

    #[inline]
    fn chain2(self, b: Self, value: f64, partials: impl FnOnce() -> Partials) -> Self {
        let p = partials();
        Self::new(value, times(self.eps, p.a) + times(b.eps, p.b))
    }
}

impl Scalar for Dual2_64 {
    #[inline]
    fn chain(self, value: f64, slopes: impl FnOnce() -> (f64, f64)) -> Self {
        let (first, second) = slopes();
        Self::new(value, times(self.v1, first), times(self.v2, first) + times(self.v1 * self.v1, second))
    }

    #[inline]
    fn chain2(self, b: Self, value: f64, partials: impl FnOnce() -> Partials) -> Self {
        let p = partials();
        Self::new(
            value,
            times(self.v1, p.a) + times(b.v1, p.b),
            times(self.v2, p.a)
                + times(b.v2, p.b)
                + times(self.v1 * self.v1, p.aa)
                + times(2.0 * self.v1 * b.v1, p.ab)
                + times(b.v1 * b.v1, p.bb),
        )
    }
}

impl Scalar for HyperDual64 {
    #[inline]
    fn chain(self, value: f64, slopes: impl FnOnce() -> (f64, f64)) -> Self {
        let (first, second) = slopes();
        let both = times(self.eps1eps2, first) + times(self.eps1 * self.eps2, second);
        Self::new(value, times(self.eps1, first), times(self.eps2, first), both)
    }

    #[inline]
    fn chain2(self, b: Self, value: f64, partials: impl FnOnce() -> Partials) -> Self {
        let p = partials();
        let both = times(self.eps1eps2, p.a)
            + times(b.eps1eps2, p.b)
            + times(self.eps1 * self.eps2, p.aa)
            + times(self.eps1 * b.eps2 + b.eps1 * self.eps2, p.ab)
            + times(b.eps1 * b.eps2, p.bb);
        let first = times(self.eps1, p.a) + times(b.eps1, p.b);
        Self::new(value, first, times(self.eps2, p.a) + times(b.eps2, p.b), both)
    }
}

impl<const N: usize> Scalar for DualSVec64<N> {
    #[inline]
    fn chain(self, value: f64, slopes: impl FnOnce() -> (f64, f64)) -> Self {
        Self::new(value, all_times(self, slopes().0))
    }

    #[inline]
    fn chain2(self, b: Self, value: f64, partials: impl FnOnce() -> Partials) -> Self {
        let p = partials();
        Self::new(value, all_times(self, p.a) + all_times(b, p.b))
    }
}

#[inline]
fn all_times<const N: usize>(x: DualSVec64<N>, slope: f64) -> Derivative<f64, nalgebra::Const<N>, nalgebra::U1> {
    Derivative::new(x.eps.0.map(
        |seeds| {
            if slope.is_finite() { seeds * slope } else { seeds.map(|seed| times(seed, slope)) }
        },
    ))
}
