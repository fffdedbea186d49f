//! Plane curves c(s) with c' and c''. The material lies to the left, so the outward normal is to the right of c'.

use fourbar_multibody::expression::{Program, Stack};
use nalgebra::Vector2;
use num_dual::Dual2_64;

/// Vector in the plane of a curve.
pub(super) type V2 = Vector2<f64>;

/// A compiled curve.
#[derive(Debug, Clone)]
pub(super) struct Curve {
    form: Form,
    /// First and last value of the parameter.
    pub(super) range: [f64; 2],
    /// Whether the end is joined to the beginning.
    pub(super) closed: bool,
    /// Points and tangents at equal distances of the parameter, where the search for nearest points begins.
    pub(super) samples: Vec<(f64, V2, V2)>,
}

#[derive(Debug, Clone)]
enum Form {
    /// Radius; negative: a hole, run clockwise.
    Circle(f64),
    Spline(Spline),
    Formula([Program; 2]),
}

impl Curve {
    /// A circle about the origin, the material outside of it if `hollow`.
    pub(super) fn circle(radius: f64, hollow: bool) -> Self {
        let form = Form::Circle(if hollow { -radius } else { radius });
        Self::sampled(form, [0.0, std::f64::consts::TAU], true, 64)
    }

    /// A cubic spline; neighbouring points differ.
    pub(super) fn spline(points: &[V2], closed: bool) -> Self {
        let spline = Spline::new(points, closed);
        let range = [0.0, *spline.knots.last().unwrap_or(&0.0)];
        Self::sampled(Form::Spline(spline), range, closed, (4 * points.len()).clamp(64, 256))
    }

    /// x(s) and y(s).
    pub(super) fn formula(programs: [Program; 2], range: [f64; 2], closed: bool) -> Self {
        Self::sampled(Form::Formula(programs), range, closed, 128)
    }

    fn sampled(form: Form, range: [f64; 2], closed: bool, count: usize) -> Self {
        let mut curve = Self { form, range, closed, samples: Vec::new() };
        let step = curve.span() / count as f64;
        let mut stack = Stack::new(0);
        // Half a step from the ends, where open curves have no inner points.
        let at = |k: usize| range[0] + (k as f64 + 0.5) * step;
        let sample = |s: f64| {
            let [c, d, _] = curve.at(s, &mut stack);
            (s, c, d)
        };
        curve.samples = (0..count).map(at).map(sample).collect();
        curve
    }

    /// Length of the parameter's range.
    pub(super) fn span(&self) -> f64 {
        self.range[1] - self.range[0]
    }

    /// Radius of a circle, negative if hollow.
    pub(super) fn signed_radius(&self) -> Option<f64> {
        if let Form::Circle(radius) = self.form { Some(radius) } else { None }
    }

    /// The parameter brought into its range; none beyond the end of an open curve.
    pub(super) fn within(&self, s: f64) -> Option<f64> {
        if self.closed {
            return Some(self.range[0] + (s - self.range[0]).rem_euclid(self.span()));
        }
        (self.range[0]..=self.range[1]).contains(&s).then_some(s)
    }

    /// The points at the first and last value of the parameter: one point where the curve is closed.
    pub(super) fn ends(&self) -> [V2; 2] {
        let mut stack = Stack::new(0);
        let mut at = |s: f64| match &self.form {
            Form::Formula([x, y]) => {
                V2::new(x.time_derivatives(s, &mut stack)[0], y.time_derivatives(s, &mut stack)[0])
            }
            _ => self.at(s, &mut stack)[0],
        };
        self.range.map(&mut at)
    }

    /// c, c', c'' at `s`; an open curve goes on beyond its ends as it can.
    pub(super) fn at(&self, s: f64, stack: &mut Stack<Dual2_64>) -> [V2; 3] {
        let s = self.within(s).unwrap_or(s);
        match &self.form {
            Form::Circle(radius) => {
                let (sin, cos) = s.sin_cos();
                let c = V2::new(radius.abs() * cos, radius * sin);
                [c, V2::new(-radius.abs() * sin, radius * cos), -c]
            }
            Form::Spline(spline) => spline.at(s),
            Form::Formula([x, y]) => {
                let (x, y) = (x.time_derivatives(s, stack), y.time_derivatives(s, stack));
                std::array::from_fn(|k| V2::new(x[k], y[k]))
            }
        }
    }
}

/// Cubic spline by its points and second derivatives.
#[derive(Debug, Clone)]
struct Spline {
    knots: Vec<f64>,
    points: Vec<V2>,
    second: Vec<V2>,
}

impl Spline {
    fn new(points: &[V2], closed: bool) -> Self {
        let mut points = points.to_vec();
        if closed {
            points.push(points[0]);
        }
        let mut knots = vec![0.0];
        for pair in points.windows(2) {
            knots.push(knots[knots.len() - 1] + (pair[1] - pair[0]).norm());
        }
        let second = if closed { periodic(&knots, &points) } else { natural(&knots, &points) };
        Self { knots, points, second }
    }

    fn at(&self, s: f64) -> [V2; 3] {
        let last = self.knots.len() - 2;
        let k = self.knots.partition_point(|&knot| knot <= s).saturating_sub(1).min(last);
        let h = self.knots[k + 1] - self.knots[k];
        let (b, a) = ((s - self.knots[k]) / h, (self.knots[k + 1] - s) / h);
        let (p, q) = (self.points[k], self.points[k + 1]);
        let (m, n) = (self.second[k], self.second[k + 1]);
        [
            p * a + q * b + (m * (a * a * a - a) + n * (b * b * b - b)) * (h * h / 6.0),
            (q - p) / h + (n * (3.0 * b * b - 1.0) - m * (3.0 * a * a - 1.0)) * (h / 6.0),
            m * a + n * b,
        ]
    }
}

/// Right-hand side of the equation of continuous slope at knot k between its neighbours.
fn bend(before: f64, after: f64, [p, q, r]: [V2; 3]) -> V2 {
    ((r - q) / after - (q - p) / before) * 6.0
}

/// Second derivatives of the natural spline: zero at both ends.
fn natural(knots: &[f64], points: &[V2]) -> Vec<V2> {
    let h: Vec<f64> = knots.windows(2).map(|w| w[1] - w[0]).collect();
    let mut second = vec![V2::zeros(); points.len()];
    let diagonal: Vec<f64> = h.windows(2).map(|w| 2.0 * (w[0] + w[1])).collect();
    let inner = points.len() - 2;
    for k in 0..inner {
        second[k + 1] = bend(h[k], h[k + 1], [points[k], points[k + 1], points[k + 2]]);
    }
    if inner > 0 {
        tridiagonal(&h[1..inner], &diagonal, &mut second[1..=inner]);
    }
    second
}

/// Second derivatives of the periodic spline, by Sherman and Morrison from two tridiagonal systems (Press et al., Numerical
/// Recipes, 2.7.2).
fn periodic(knots: &[f64], points: &[V2]) -> Vec<V2> {
    let h: Vec<f64> = knots.windows(2).map(|w| w[1] - w[0]).collect();
    let n = h.len();
    let mut diagonal: Vec<f64> = (0..n).map(|k| 2.0 * (h[(k + n - 1) % n] + h[k])).collect();
    let at = |k: usize| points[k % n];
    let mut second: Vec<V2> =
        (0..n).map(|k| bend(h[(k + n - 1) % n], h[k], [at(k + n - 1), at(k), at(k + 1)])).collect();
    // The corner entries are h[n - 1]; they are taken off as the rank-one matrix of u = (gamma, 0, .., corner).
    let corner = h[n - 1];
    let gamma = -diagonal[0];
    diagonal[0] -= gamma;
    diagonal[n - 1] -= corner * corner / gamma;
    let mut u = vec![V2::zeros(); n];
    u[0].x = gamma;
    u[n - 1].x += corner;
    tridiagonal(&h[..n - 1], &diagonal, &mut second);
    tridiagonal(&h[..n - 1], &diagonal, &mut u);
    let ratio = corner / gamma;
    let weight = (second[0] + second[n - 1] * ratio) / (1.0 + u[0].x + ratio * u[n - 1].x);
    for (value, u) in second.iter_mut().zip(&u) {
        *value -= weight * u.x;
    }
    second.push(second[0]);
    second
}

/// Solves a symmetric, diagonally dominant tridiagonal system in place.
fn tridiagonal(off: &[f64], diagonal: &[f64], x: &mut [V2]) {
    let n = diagonal.len();
    let mut pivots = vec![diagonal[0]; n];
    for k in 1..n {
        let factor = off[k - 1] / pivots[k - 1];
        pivots[k] = diagonal[k] - factor * off[k - 1];
        let above = x[k - 1];
        x[k] -= above * factor;
    }
    x[n - 1] /= pivots[n - 1];
    for k in (0..n - 1).rev() {
        let below = x[k + 1];
        x[k] = (x[k] - below * off[k]) / pivots[k];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(count: usize, radius: f64) -> Vec<V2> {
        let angle = |k| std::f64::consts::TAU * k as f64 / count as f64;
        (0..count).map(|k| V2::new(radius * angle(k).cos(), radius * angle(k).sin())).collect()
    }

    /// The spline passes its points, and value, slope and curvature are continuous, at the seam too.
    #[test]
    fn splines_are_twice_continuous_and_differentiate_themselves() {
        let mut jagged = points(7, 0.3);
        jagged[2] *= 1.4;
        for (closed, given) in [(true, jagged.clone()), (false, jagged)] {
            let curve = Curve::spline(&given, closed);
            let Form::Spline(spline) = &curve.form else { unreachable!("a spline") };
            let knots = spline.knots.clone();
            let e = 1e-7;
            for (k, &knot) in knots.iter().enumerate() {
                let at = |s: f64| curve.within(s).map(|s| spline.at(s));
                assert!((spline.at(knot)[0] - given[k % given.len()]).norm() < 1e-14);
                if let (Some(before), Some(after)) = (at(knot - e), at(knot + e)) {
                    for order in 0..3 {
                        let jump = (before[order] - after[order]).norm();
                        assert!(jump < 1e3 * e, "order {order} at knot {k}: {jump:e}");
                    }
                    let slope = (after[0] - before[0]) / (2.0 * e);
                    assert!((slope - spline.at(knot)[1]).norm() < 1e-6);
                    let slope = (after[1] - before[1]) / (2.0 * e);
                    assert!((slope - spline.at(knot)[2]).norm() < 1e-4);
                }
            }
            if !closed {
                assert!(spline.at(0.0)[2].norm() < 1e-14 && spline.at(curve.range[1])[2].norm() < 1e-14);
            }
        }
    }

    /// A periodic spline through points of a circle is that circle to fourth order.
    #[test]
    fn a_spline_round_a_circle_converges_with_the_fourth_power() {
        let worst = |count| {
            let curve = Curve::spline(&points(count, 0.3), true);
            curve.samples.iter().map(|(_, c, _)| (c.norm() - 0.3).abs()).fold(0.0, f64::max)
        };
        let (coarse, fine) = (worst(24), worst(48));
        assert!(coarse < 4e-6 && (14.0..18.0).contains(&(coarse / fine)), "{coarse:e} {fine:e}");
    }
}
