//! Curves through points, and families of them: what `akispl` and `cubspl` interpolate.
//!
//! Between two points both are cubics in x; they differ in the slopes at the points.
//!
//! - Akima: the slope at a point is (w2 m2 + w3 m3)/(w2 + w3), where m1 to m4 are the slopes of the two segments before and the two behind
//!   it, w2 = |m4 - m3| and w3 = |m2 - m1|; where both vanish it is (m2 + m3)/2. Beyond the ends two segments are added whose slopes
//!   continue the last two on a parabola: 2 m(n) - m(n-1) and so on (H. Akima, J. ACM 17 (1970) 589, equations 1, 9). Local, and
//!   without overshoot at flat pieces; the second derivative jumps at the points.
//! - Cubic: the natural spline, whose second derivative is continuous and zero at the ends (C. de Boor, A Practical Guide to Splines,
//!   chapter IV).
//!
//! Beyond the first and the last point both go on along the tangent there, and a family of curves is linear in z between two curves and
//! beyond the last ones, as in Adams/Solver with LINEAR_EXTRAPOLATE.
use super::scalar::{Partials, Scalar};
use std::sync::Arc;
use thiserror::Error;

/// How a curve goes through its points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Interpolation {
    Akima,
    Cubic,
}

/// A curve y(x) through points, or a family y(x, z) of curves.
///
/// ```
/// use fourbar_expression::{Binding, Expression, Spline, Stack};
/// use std::sync::Arc;
///
/// let spring = Arc::new(Spline::new(&[0.0, 1.0, 2.0], &[&[0.0, 1.0, 4.0]], &[])?);
/// let program = Expression::parse("akispl(x, spring)")?.bind(&mut |name| match name {
///     "spring" => Some(Binding::Spline(Arc::clone(&spring))),
///     _ => Some(Binding::Slot(0)),
/// })?;
/// assert_eq!(program.evaluate(&[1.5], &mut Stack::new(program.depth())), 2.25);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Spline {
    akima: Arc<Surface>,
    cubic: Arc<Surface>,
}

/// Why points are no curve.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum SplineError {
    /// Too few points, or curves of a family.
    #[error("{count} values of {axis}; give at least two")]
    TooFew {
        /// `x` or `z`.
        axis: &'static str,
        /// How many there are.
        count: usize,
    },
    /// A value is NaN or infinite.
    #[error("{axis}[{index}] is {value}; give a finite number")]
    NotFinite {
        /// `x`, `y` or `z`.
        axis: &'static str,
        /// Index in its list; of a family's y that of the curve.
        index: usize,
        /// The value.
        value: f64,
    },
    /// A value that is not above the one before it.
    #[error("{axis}[{index}] is {value} behind {before}; {axis} must increase from each value to the next: {}", remedy(*.value == *.before))]
    NotIncreasing {
        /// `x` or `z`.
        axis: &'static str,
        /// Index of the value.
        index: usize,
        /// The value.
        value: f64,
        /// The one before it.
        before: f64,
    },
    /// The numbers of values differ.
    #[error("{found} {what} for {wanted} values of {axis}; give as many")]
    Length {
        /// What is counted: the values of y, or the curves.
        what: &'static str,
        /// What it is compared to: `x` or `z`.
        axis: &'static str,
        /// How many there are.
        found: usize,
        /// How many there should be.
        wanted: usize,
    },
    /// Slopes beyond double precision.
    #[error("the slopes near x[{index}] = {x} exceed the range of numbers; scale x or y")]
    Overflow {
        /// Index of the point.
        index: usize,
        /// Its x.
        x: f64,
    },
}

fn remedy(repeated: bool) -> &'static str {
    if repeated { "remove the repeated point" } else { "sort the points by it" }
}

impl Spline {
    /// The curve through the points (x, `rows[0]`), or the curves through (x, `rows[k]`) at `z[k]`. `z` is empty for a single curve.
    ///
    /// # Errors
    /// Fewer than two points, lengths that differ, a value that is not finite, x or z that does not increase.
    pub fn new(x: &[f64], rows: &[&[f64]], z: &[f64]) -> Result<Self, SplineError> {
        increasing("x", x)?;
        if z.is_empty() && rows.len() != 1 {
            return Err(SplineError::Length { what: "curves", axis: "z", found: rows.len(), wanted: 0 });
        }
        if !z.is_empty() {
            increasing("z", z)?;
            if rows.len() != z.len() {
                return Err(SplineError::Length { what: "curves", axis: "z", found: rows.len(), wanted: z.len() });
            }
        }
        for (row, values) in rows.iter().enumerate() {
            if values.len() != x.len() {
                let (found, wanted) = (values.len(), x.len());
                return Err(SplineError::Length { what: "values of y", axis: "x", found, wanted });
            }
            if let Some(place) = values.iter().position(|value| !value.is_finite()) {
                let index = if z.is_empty() { place } else { row };
                return Err(SplineError::NotFinite { axis: "y", index, value: values[place] });
            }
        }
        let surface = |slopes: fn(&[f64], &[f64]) -> Vec<f64>| {
            let rows = rows.iter().map(|y| cubics(x, y, &slopes(x, y))).collect::<Result<_, _>>()?;
            Ok(Arc::new(Surface { x: x.into(), z: z.into(), rows }))
        };
        Ok(Self { akima: surface(akima_slopes)?, cubic: surface(natural_slopes)? })
    }

    /// Whether it is a family of curves, over x and z.
    #[must_use]
    pub fn is_family(&self) -> bool {
        !self.akima.z.is_empty()
    }

    pub(super) fn interpolated(&self, by: Interpolation) -> &Arc<Surface> {
        match by {
            Interpolation::Akima => &self.akima,
            Interpolation::Cubic => &self.cubic,
        }
    }
}

fn increasing(axis: &'static str, values: &[f64]) -> Result<(), SplineError> {
    if values.len() < 2 {
        return Err(SplineError::TooFew { axis, count: values.len() });
    }
    if let Some(index) = values.iter().position(|value| !value.is_finite()) {
        return Err(SplineError::NotFinite { axis, index, value: values[index] });
    }
    match (1..values.len()).find(|&k| values[k] <= values[k - 1]) {
        Some(index) => Err(SplineError::NotIncreasing { axis, index, value: values[index], before: values[index - 1] }),
        None => Ok(()),
    }
}

/// Slopes of the segments between the points.
fn secants(x: &[f64], y: &[f64]) -> Vec<f64> {
    (1..x.len()).map(|k| (y[k] - y[k - 1]) / (x[k] - x[k - 1])).collect()
}

/// Akima's slopes at the points.
fn akima_slopes(x: &[f64], y: &[f64]) -> Vec<f64> {
    /// Differences of slopes below this part of them are what rounding leaves of segments on one line.
    const SAME: f64 = 64.0 * f64::EPSILON;
    let inner = secants(x, y);
    let count = inner.len();
    if count == 1 {
        return vec![inner[0]; 2];
    }
    // Segment k is m[k + 2].
    let (first, last) = (2.0 * inner[0] - inner[1], 2.0 * inner[count - 1] - inner[count - 2]);
    let mut m = vec![2.0 * first - inner[0], first];
    m.extend_from_slice(&inner);
    m.extend([last, 2.0 * last - inner[count - 1]]);
    let differ = |a: f64, b: f64| {
        let difference = (b - a).abs();
        if difference <= SAME * a.abs().max(b.abs()) { 0.0 } else { difference }
    };
    let slope = |k: usize| {
        let (before, behind) = (differ(m[k + 2], m[k + 3]), differ(m[k], m[k + 1]));
        match before + behind {
            0.0 => 0.5 * (m[k + 1] + m[k + 2]),
            sum => before / sum * m[k + 1] + behind / sum * m[k + 2],
        }
    };
    (0..x.len()).map(slope).collect()
}

/// Slopes at the points of the natural cubic spline: the tridiagonal system of its continuous second derivatives, solved by elimination,
/// which needs no pivots since it is diagonally dominant.
fn natural_slopes(x: &[f64], y: &[f64]) -> Vec<f64> {
    let (n, m) = (x.len(), secants(x, y));
    let mut diagonal = vec![2.0; n];
    let mut slopes = vec![0.0; n];
    // Rows lower s(k-1) + 2 s(k) + upper s(k+1) = right, each divided by the sum of the two widths.
    let upper = |k: usize| match k {
        0 => 1.0,
        k if k == n - 1 => 0.0,
        k => (x[k] - x[k - 1]) / (x[k + 1] - x[k - 1]),
    };
    for k in 0..n {
        let (lower, right) = match k {
            0 => (0.0, 3.0 * m[0]),
            k if k == n - 1 => (1.0, 3.0 * m[n - 2]),
            k => (1.0 - upper(k), 3.0 * ((1.0 - upper(k)) * m[k - 1] + upper(k) * m[k])),
        };
        let factor = if k == 0 { 0.0 } else { lower / diagonal[k - 1] };
        if k > 0 {
            diagonal[k] -= factor * upper(k - 1);
        }
        slopes[k] = right - if k == 0 { 0.0 } else { factor * slopes[k - 1] };
    }
    slopes[n - 1] /= diagonal[n - 1];
    for k in (0..n - 1).rev() {
        slopes[k] = (slopes[k] - upper(k) * slopes[k + 1]) / diagonal[k];
    }
    slopes
}

/// Coefficients of 1, s, s², s³ with s = x - x(k), of each segment; the last entry is the tangent at the last point.
fn cubics(x: &[f64], y: &[f64], slopes: &[f64]) -> Result<Vec<[f64; 4]>, SplineError> {
    let last = x.len() - 1;
    let segment = |k: usize| {
        if k == last {
            return [y[k], slopes[k], 0.0, 0.0];
        }
        let (h, m) = (x[k + 1] - x[k], (y[k + 1] - y[k]) / (x[k + 1] - x[k]));
        let (a, b) = (slopes[k], slopes[k + 1]);
        [y[k], a, (3.0 * m - 2.0 * a - b) / h, (a + b - 2.0 * m) / h / h]
    };
    let all: Vec<[f64; 4]> = (0..=last).map(segment).collect();
    match all.iter().position(|each| each.iter().any(|value| !value.is_finite())) {
        Some(index) => Err(SplineError::Overflow { index, x: x[index] }),
        None => Ok(all),
    }
}

/// A spline with its cubics.
#[derive(Debug, PartialEq)]
pub(super) struct Surface {
    x: Box<[f64]>,
    z: Box<[f64]>,
    rows: Vec<Vec<[f64; 4]>>,
}

impl Surface {
    /// The points' x.
    pub(super) fn knots(&self) -> &[f64] {
        &self.x
    }

    /// The segment that x lies in, or begins; none before the first point.
    fn segment(&self, x: f64) -> Option<usize> {
        // NaN lies in none.
        self.x.partition_point(|knot| *knot <= x).checked_sub(1)
    }

    /// The cubic of a curve about `x`, and where its s is 0.
    pub(super) fn cubic(&self, row: usize, x: f64) -> (f64, [f64; 4]) {
        match self.segment(x) {
            Some(k) => (self.x[k], self.rows[row][k]),
            None => {
                let [y, slope, ..] = self.rows[row][0];
                (self.x[0], [y, slope, 0.0, 0.0])
            }
        }
    }

    /// A curve at x and its four derivatives.
    fn derivatives(&self, row: usize, x: f64) -> [f64; 5] {
        let (begin, [a, b, c, d]) = self.cubic(row, x);
        let s = x - begin;
        [a + s * (b + s * (c + s * d)), b + s * (2.0 * c + 3.0 * s * d), 2.0 * c + 6.0 * s * d, 6.0 * d, 0.0]
    }

    /// The derivative of `order` 0, 1 or 2 of a single curve.
    #[inline]
    pub(super) fn curve<T: Scalar>(&self, x: T, order: u8) -> T {
        let (all, order) = (self.derivatives(0, x.re()), usize::from(order));
        x.chain(all[order], || (all[order + 1], all[order + 2]))
    }

    /// The derivative of `order` 0, 1 or 2 by x of a family of curves, linear in z.
    pub(super) fn surface<T: Scalar>(&self, x: T, z: T, order: u8) -> T {
        let below = self.z.partition_point(|knot| *knot <= z.re());
        let row = below.saturating_sub(1).min(self.z.len() - 2);
        let (low, high) = (self.derivatives(row, x.re()), self.derivatives(row + 1, x.re()));
        let width = self.z[row + 1] - self.z[row];
        let (part, order) = ((z.re() - self.z[row]) / width, usize::from(order));
        let rise = |k: usize| high[order + k] - low[order + k];
        let at = |k: usize| low[order + k] + part * rise(k);
        x.chain2(z, at(0), || Partials { a: at(1), b: rise(0) / width, aa: at(2), ab: rise(1) / width, bb: 0.0 })
    }
}
