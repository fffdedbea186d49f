//! The cubic spline through points, and what points must satisfy.

use super::search::Samples;
use super::{Curve, Place};
use crate::space::{M3, V3};
use fourbar_linalg::symmetric_eigen;
use fourbar_linalg::text::Brief;
use thiserror::Error;

/// Gap between the first and the last point of a closed curve, and distance of two points, in lengths of the curve, that count as zero: what rounding
/// leaves of written numbers.
const SAME: f64 = 1e-9;
/// Smallest length of the tangent by s, which is 1 on a well-drawn curve: below, the curve has a cusp or turns back.
const CUSP: f64 = 1e-3;
/// Smallest sine of the angle between the reference direction and a tangent: below, the directions across the curve lose digits.
const LEANS: f64 = 1e-3;

/// Why points are no curve.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum CurveError {
    /// Too few points.
    #[error("{given} points are no {kind}curve; at least {needed} are needed", kind = if *.closed { "closed " } else { "" })]
    Few {
        /// Number of points.
        given: usize,
        /// Least number.
        needed: usize,
        /// Whether it is closed.
        closed: bool,
    },
    /// A coordinate is infinite or no number.
    #[error("point {index} is not finite")]
    NotFinite {
        /// Its index, from 0.
        index: usize,
    },
    /// A point lies where the one before lies.
    #[error("point {index} repeats the point before it")]
    Repeated {
        /// Its index, from 0.
        index: usize,
    },
    /// A closed curve that does not end where it begins.
    #[error("the last point is {distance:.4} m from the first, but the curve is said to be closed", distance = Brief(*.distance))]
    NotClosed {
        /// Distance \[m\].
        distance: f64,
    },
    /// An open curve that ends where it begins.
    #[error("the last point is the first, but the curve is not said to be closed")]
    NotOpen,
    /// A cusp.
    #[error("the curve turns back on itself near the point ({x:.4}, {y:.4}, {z:.4})", x = Brief(*.x), y = Brief(*.y), z = Brief(*.z))]
    Cusp {
        /// Place \[m\].
        x: f64,
        /// Place \[m\].
        y: f64,
        /// Place \[m\].
        z: f64,
    },
    /// It crosses itself: which branch a point is on would not be told by its place.
    #[error("the curve crosses or touches itself near the point ({x:.4}, {y:.4}, {z:.4})", x = Brief(*.x), y = Brief(*.y), z = Brief(*.z))]
    Crossing {
        /// Place \[m\].
        x: f64,
        /// Place \[m\].
        y: f64,
        /// Place \[m\].
        z: f64,
    },
    /// A curve in space whose tangents have all directions.
    #[error("the tangents of the curve take every direction, so that none is left to measure sideways from")]
    AllDirections,
}

impl Curve {
    /// The curve through `points`; `plane` if it lies in x-y. The last point of a closed curve is the first.
    ///
    /// # Errors
    /// [`CurveError`].
    pub fn new(points: &[V3], closed: bool, plane: bool) -> Result<Self, CurveError> {
        let needed = if closed { 4 } else { 2 };
        if points.len() < needed {
            return Err(CurveError::Few { given: points.len(), needed, closed });
        }
        if let Some(index) = points.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
            return Err(CurveError::NotFinite { index });
        }
        let chords: Vec<f64> = points.windows(2).map(|pair| (pair[1] - pair[0]).norm()).collect();
        let length: f64 = chords.iter().sum();
        if let Some(index) = chords.iter().position(|chord| *chord <= SAME * length) {
            return Err(CurveError::Repeated { index: index + 1 });
        }
        let distance = (points[points.len() - 1] - points[0]).norm();
        match (closed, distance <= SAME * length) {
            (true, false) => return Err(CurveError::NotClosed { distance }),
            (false, true) => return Err(CurveError::NotOpen),
            _ => {}
        }
        let mut knots = vec![0.0];
        knots.extend(chords.iter().scan(0.0, |s, chord| {
            *s += chord;
            Some(*s)
        }));
        let seconds = if closed { periodic(points, &chords) } else { natural(points, &chords) };
        let cubics = cubics(points, &chords, &seconds);
        let mut curve = Self { knots, cubics, closed, plane, reference: V3::z(), samples: Samples::default() };
        curve.samples = Samples::of(&curve);
        curve.check_cusps()?;
        if let Some(at) = curve.crossing() {
            return Err(CurveError::Crossing { x: at.x, y: at.y, z: at.z });
        }
        if !plane {
            curve.reference = curve.across()?;
        }
        Ok(curve)
    }

    fn check_cusps(&self) -> Result<(), CurveError> {
        let slow = self.places().find(|place| place.first.norm() < CUSP);
        slow.map_or(Ok(()), |Place { position: p, .. }| Err(CurveError::Cusp { x: p.x, y: p.y, z: p.z }))
    }

    fn places(&self) -> impl Iterator<Item = Place> + '_ {
        self.samples.parameters().map(|s| self.at(s))
    }

    /// The direction that the tangents are farthest from: the one in which they go least, or one of the axes and their middles.
    fn across(&self) -> Result<V3, CurveError> {
        let tangents: Vec<V3> = self.places().map(|place| place.first.normalize()).collect();
        let spread: M3 = tangents.iter().map(|t| t * t.transpose()).sum();
        let own = symmetric_eigen(&spread);
        let signs = [-1.0, 0.0, 1.0];
        let middles = signs.iter().flat_map(|x| signs.iter().flat_map(move |y| signs.map(|z| V3::new(*x, *y, z))));
        let candidates = own.eigenvectors.column_iter().map(|column| column.into_owned());
        let candidates = candidates.chain(middles.filter(|v| v.norm() > 0.0).map(|v| v.normalize()));
        let leans = |v: &V3| tangents.iter().map(|t| t.cross(v).norm()).fold(f64::INFINITY, f64::min);
        let best = candidates.map(|v| (leans(&v), v)).max_by(|a, b| a.0.total_cmp(&b.0));
        best.filter(|(lean, _)| *lean > LEANS).map(|(_, v)| v).ok_or(CurveError::AllDirections)
    }
}

/// The cubics of all segments from the second derivatives at the points.
fn cubics(points: &[V3], chords: &[f64], seconds: &[V3]) -> Vec<[V3; 4]> {
    let segment = |k: usize| {
        let (h, m, n) = (chords[k], seconds[k], seconds[k + 1]);
        let slope = (points[k + 1] - points[k]) / h - (m * 2.0 + n) * (h / 6.0);
        [points[k], slope, m * 0.5, (n - m) / (6.0 * h)]
    };
    (0..chords.len()).map(segment).collect()
}

/// 6 times the change of the slopes of the chords at point `k`, between the chords before and behind it.
fn bend(points: &[V3], chords: &[f64], before: usize, behind: usize) -> V3 {
    let slope = |k: usize| (points[k + 1] - points[k]) / chords[k];
    (slope(behind) - slope(before)) * 6.0
}

/// Second derivatives at the points, zero at the ends.
fn natural(points: &[V3], chords: &[f64]) -> Vec<V3> {
    let n = chords.len();
    let diagonal: Vec<f64> = (1..n).map(|k| 2.0 * (chords[k - 1] + chords[k])).collect();
    let beside: Vec<f64> = chords.get(1..n.saturating_sub(1).max(1)).unwrap_or(&[]).to_vec();
    let mut inner: Vec<V3> = (1..n).map(|k| bend(points, chords, k - 1, k)).collect();
    solve(&diagonal, &beside, &mut inner);
    let mut all = vec![V3::zeros()];
    all.extend(inner);
    all.push(V3::zeros());
    all
}

/// Second derivatives at the points, the last one being the first: a cyclic system, by the formula of Sherman and Morrison.
fn periodic(points: &[V3], chords: &[f64]) -> Vec<V3> {
    let n = chords.len();
    let before = |k: usize| (k + n - 1) % n;
    let mut diagonal: Vec<f64> = (0..n).map(|k| 2.0 * (chords[before(k)] + chords[k])).collect();
    let corner = chords[n - 1];
    let gamma = -diagonal[0];
    diagonal[0] -= gamma;
    diagonal[n - 1] -= corner * corner / gamma;
    let beside = &chords[..n - 1];
    let mut found: Vec<V3> = (0..n).map(|k| bend(points, chords, before(k), k)).collect();
    solve(&diagonal, beside, &mut found);
    let mut update = vec![V3::zeros(); n];
    update[0].x = gamma;
    update[n - 1].x = corner;
    solve(&diagonal, beside, &mut update);
    let weight = 1.0 + update[0].x + update[n - 1].x * corner / gamma;
    let factor = (found[0] + found[n - 1] * (corner / gamma)) / weight;
    found.iter_mut().zip(&update).for_each(|(m, u)| *m -= factor * u.x);
    found.push(found[0]);
    found
}

/// Solves a symmetric, diagonally dominant tridiagonal system in place.
fn solve(diagonal: &[f64], beside: &[f64], right: &mut [V3]) {
    let mut pivots = diagonal.to_vec();
    for k in 1..pivots.len() {
        let factor = beside[k - 1] / pivots[k - 1];
        pivots[k] -= factor * beside[k - 1];
        let before = right[k - 1];
        right[k] -= before * factor;
    }
    for k in (0..pivots.len()).rev() {
        if let Some(next) = right.get(k + 1).copied() {
            right[k] -= next * beside[k];
        }
        right[k] /= pivots[k];
    }
}
