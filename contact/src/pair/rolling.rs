//! Two plane curves: where they are nearest.
//!
//! With c_I(s), c_J(t) in global axes, t_I = c_I', t_J = c_J', N = t_J x z_J (to the right of the travel: out of the material)
//! and d = p_I - p_J, the gap g = n.d, n = N/|N|, is stationary over s and t where
//!
//! ```text
//! F1 = t_J.d = 0,    F2 = t_I.N = 0
//! ```
//!
//! F1 = 0 makes p_J the projection of p_I(s) to curve J, and F2 is the slope of the signed distance over s. From the nearest of a
//! table of samples the sign of that slope brackets the minimum; Newton's method in both unknowns ends the search, and its matrix
//! gives s' and t' along the motion.

use super::curve::Curve;
use super::nearest::{Feature, Nearest, Side, reject, velocity};
use fourbar_multibody::expression::Stack;
use fourbar_multibody::space::{FixedFrame, Pose, V3};
use nalgebra::{Matrix2, Vector2};
use num_dual::Dual2_64;

/// Newton steps in both unknowns, and in t alone.
const ITERATIONS: usize = 50;
const PROJECTIONS: usize = 8;
/// Step of a parameter, as part of its range, that is round-off; and, as part of the longest step, from which on Newton goes on by itself.
const ARRIVED: f64 = 1e-13;
const NEAR: f64 = 1e-6;
/// Halvings of the bracket before Newton's method takes over.
const HALVINGS: usize = 12;

/// Two curves in their frames.
#[derive(Debug, Clone)]
pub(super) struct Curves {
    pub(super) i: FixedFrame,
    pub(super) j: FixedFrame,
    pub(super) curve_i: Curve,
    pub(super) curve_j: Curve,
    /// Samples of curve I in the frame of J: point and tangent.
    scratch: Vec<[Vector2<f64>; 2]>,
}

/// The curves at s and t, global axes.
struct At {
    p: [V3; 2],
    tangent: [V3; 2],
    second: [V3; 2],
    /// N and dN/dt.
    normal: V3,
    normal_change: V3,
}

impl At {
    fn residual(&self) -> Vector2<f64> {
        Vector2::new(self.tangent[1].dot(&(self.p[0] - self.p[1])), self.tangent[0].dot(&self.normal))
    }

    /// d(F1, F2)/d(s, t).
    fn matrix(&self) -> Matrix2<f64> {
        let d = self.p[0] - self.p[1];
        let [ti, tj] = &self.tangent;
        Matrix2::new(
            tj.dot(ti),
            self.second[1].dot(&d) - tj.norm_squared(),
            self.second[0].dot(&self.normal),
            ti.dot(&self.normal_change),
        )
    }
}

impl Curves {
    pub(super) fn new(i: FixedFrame, j: FixedFrame, curve_i: Curve, curve_j: Curve) -> Self {
        let scratch = vec![[Vector2::zeros(); 2]; curve_i.samples.len()];
        Self { i, j, curve_i, curve_j, scratch }
    }

    /// Nearest points, deepest ones if the curves overlap; `None` where an open curve ends before.
    pub(super) fn nearest(&mut self, poses: &[Pose], stack: &mut Stack<Dual2_64>) -> Result<Option<Nearest>, String> {
        if let (Some(ri), Some(rj)) = (self.curve_i.signed_radius(), self.curve_j.signed_radius()) {
            return Ok(Some(self.circles(ri, rj, poses)));
        }
        let Some(start) = self.start(poses) else { return Ok(None) };
        let [mut s, mut t] = self.bracketed(start, poses, stack);
        let spans = [self.curve_i.span(), self.curve_j.span()];
        // Longer steps may leave the valley of the samples for another place where the tangents are parallel.
        let most = [&self.curve_i, &self.curve_j].map(|c| 2.0 * c.span() / c.samples.len() as f64);
        for _ in 0..ITERATIONS {
            let at = self.at([s, t], poses, stack);
            let Some(step) = at.matrix().lu().solve(&-at.residual()) else { break };
            let reduction = (most[0] / step.x.abs()).min(most[1] / step.y.abs()).min(1.0);
            s += step.x * reduction;
            t += step.y * reduction;
            if step.x.abs() <= ARRIVED * spans[0] && step.y.abs() <= ARRIVED * spans[1] {
                return Ok(self.rates([s, t], poses, stack));
            }
            let (Some(inside_s), Some(inside_t)) = (self.curve_i.within(s), self.curve_j.within(t)) else {
                return Ok(None);
            };
            (s, t) = (inside_s, inside_t);
        }
        Err("the nearest points of the curves were not found; give the curves a smaller curvature where they touch, or split \
             them where both bend alike"
            .to_owned())
    }

    /// Two circles, radii negative if hollow: the centre of I and the axis of J, rounded. Inside a hole n points from the centre
    /// of I back to that of J, and l = n.(p_I - p_J) is negative.
    fn circles(&self, ri: f64, rj: f64, poses: &[Pose]) -> Nearest {
        let (p, axes) = (self.i.origin(poses), self.j.axes(poses));
        let axis = V3::from(axes.column(2));
        let apart = p - self.j.origin(poses);
        let across = reject(&apart, &axis);
        let size = across.norm();
        let inside = if ri < 0.0 || rj < 0.0 { -1.0 } else { 1.0 };
        let n = if size > 0.0 { across * (inside / size) } else { V3::from(axes.column(0)) };
        let i = Side { body: self.i.body, p, feature: Feature::Point, radius: ri };
        let j = Side { body: self.j.body, p: p - across, feature: Feature::Edge(axis), radius: rj };
        Nearest::new(&i, &j, &n, poses)
    }

    /// Parameters of the pair of samples with the smallest signed distance among those that face each other.
    fn start(&mut self, poses: &[Pose]) -> Option<[f64; 2]> {
        let (aj, oj) = (self.j.axes(poses), self.j.origin(poses));
        let turn = aj.tr_mul(&self.i.axes(poses));
        let origin = aj.tr_mul(&(self.i.origin(poses) - oj)).xy();
        let turn = turn.fixed_view::<2, 2>(0, 0).into_owned();
        for (place, (_, c, d)) in self.scratch.iter_mut().zip(&self.curve_i.samples) {
            *place = [origin + turn * c, turn * d];
        }
        let mut best = (f64::INFINITY, None);
        for ([p, tangent], (s, ..)) in self.scratch.iter().zip(&self.curve_i.samples) {
            let mut near = (f64::INFINITY, None);
            for sample in &self.curve_j.samples {
                let apart = (p - sample.1).norm_squared();
                if apart < near.0 {
                    near = (apart, Some(sample));
                }
            }
            let (apart, Some((t, c, d))) = near else { continue };
            // Sides that look the same way do not touch.
            if tangent.dot(d) < 0.0 {
                let outside = (p - c).dot(&Vector2::new(d.y, -d.x)) >= 0.0;
                let signed = if outside { apart.sqrt() } else { -apart.sqrt() };
                if signed < best.0 {
                    best = (signed, Some([*s, *t]));
                }
            }
        }
        best.1
    }

    /// Walks from a sample down the signed distance until its slope changes sign, and halves that interval.
    fn bracketed(&self, [s, t]: [f64; 2], poses: &[Pose], stack: &mut Stack<Dual2_64>) -> [f64; 2] {
        let step = self.curve_i.span() / self.curve_i.samples.len() as f64;
        let (slope, mut t) = self.slope(s, t, poses, stack);
        let (mut low, mut high) = (s, s);
        let down = -slope.signum() * step;
        for _ in 0..self.curve_i.samples.len() {
            let next = if down > 0.0 { &mut high } else { &mut low };
            *next += down;
            let ahead = *next;
            let (at_next, projected) = self.slope(ahead, t, poses, stack);
            t = projected;
            if at_next * slope <= 0.0 {
                break;
            }
            (low, high) = (ahead, ahead);
        }
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            let (slope, projected) = self.slope(middle, t, poses, stack);
            t = projected;
            *(if slope < 0.0 { &mut low } else { &mut high }) = middle;
        }
        [0.5 * (low + high), t]
    }

    /// Slope of the signed distance at `s`, but for a positive factor, with the projection to curve J, sought from `t`.
    fn slope(&self, s: f64, mut t: f64, poses: &[Pose], stack: &mut Stack<Dual2_64>) -> (f64, f64) {
        let most = self.curve_j.span() / self.curve_j.samples.len() as f64;
        for _ in 0..PROJECTIONS {
            let at = self.at([s, t], poses, stack);
            // The squared distance falls along F1 whatever its curvature.
            let curvature = at.matrix()[(0, 1)].min(-0.1 * at.tangent[1].norm_squared());
            let step = (-at.residual().x / curvature).clamp(-most, most);
            t += step;
            if step.abs() < NEAR * most {
                break;
            }
        }
        (self.at([s, t], poses, stack).residual().y, t)
    }

    fn at(&self, [s, t]: [f64; 2], poses: &[Pose], stack: &mut Stack<Dual2_64>) -> At {
        let (ai, aj) = (self.i.axes(poses), self.j.axes(poses));
        let lift = |a: &nalgebra::Matrix3<f64>, v: Vector2<f64>| a.column(0) * v.x + a.column(1) * v.y;
        let [ci, di, ei] = self.curve_i.at(s, stack);
        let [cj, dj, ej] = self.curve_j.at(t, stack);
        let z = V3::from(aj.column(2));
        let (tangent, second) = ([lift(&ai, di), lift(&aj, dj)], [lift(&ai, ei), lift(&aj, ej)]);
        At {
            p: [self.i.origin(poses) + lift(&ai, ci), self.j.origin(poses) + lift(&aj, cj)],
            tangent,
            second,
            normal: tangent[1].cross(&z),
            normal_change: second[1].cross(&z),
        }
    }

    /// Gap, normal and place with their rates at the nearest points.
    fn rates(&self, at: [f64; 2], poses: &[Pose], stack: &mut Stack<Dual2_64>) -> Option<Nearest> {
        let at = self.at(at, poses, stack);
        let (bi, bj) = (&poses[self.i.body], &poses[self.j.body]);
        let [pi, pj] = at.p;
        let [ti, tj] = at.tangent;
        let size = at.normal.norm();
        let n = at.normal / size;
        let vi = velocity(bi, &pi);
        let known = Vector2::new(
            bj.w.cross(&tj).dot(&(pi - pj)) + tj.dot(&(vi - velocity(bj, &pj))),
            bi.w.cross(&ti).dot(&at.normal) + ti.dot(&bj.w.cross(&at.normal)),
        );
        let slides = at.matrix().lu().solve(&-known)?;
        let gap = n.dot(&(pi - pj));
        let gap_rate = n.dot(&(vi - velocity(bj, &pi)));
        let n_rate = bj.w.cross(&n) + reject(&at.normal_change, &n) * (slides.y / size);
        let p_rate = vi + ti * slides.x - (n * gap_rate + n_rate * gap) * 0.5;
        Some(Nearest { gap, n, n_rate, p: pi - n * (0.5 * gap), p_rate })
    }
}
