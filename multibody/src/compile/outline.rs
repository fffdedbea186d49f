//! Outlines of plates: polygons in a plane, and the moments of their area.

use super::scope::Scope;
use crate::error::{Location, ModelError};
use crate::expression::Expression;
use fourbar_linalg::text::Brief;
use nalgebra::Vector2;

/// Corners of an outline at most: every pair of sides is compared.
const MOST: usize = 1000;

/// Area of a polygon, its centre, and the integrals of x^2, y^2 and x y about the centre.
pub(super) struct Area {
    pub(super) area: f64,
    pub(super) center: Vector2<f64>,
    pub(super) xx: f64,
    pub(super) yy: f64,
    pub(super) xy: f64,
}

/// The corners, counter-clockwise.
pub(super) fn read(
    scope: &Scope<'_>,
    corners: &[[Expression; 2]],
    location: &Location,
) -> Result<Vec<Vector2<f64>>, Box<ModelError>> {
    let refuse = |problem: String| {
        let remedy = format!("give 3 to {MOST} corners in order around the plate, whose sides do not cross");
        Err(ModelError::new(location.clone(), problem, remedy))
    };
    let mut points = Vec::new();
    for [x, y] in corners {
        points.push(Vector2::new(scope.number(x, location)?, scope.number(y, location)?));
    }
    let n = points.len();
    if !(3..=MOST).contains(&n) {
        return refuse(format!("the outline has {n} corners"));
    }
    if let Some(k) = (0..n).find(|&k| points[k] == points[(k + 1) % n]) {
        let (x, y) = (Brief(points[k].x), Brief(points[k].y));
        return refuse(format!("the corner ({x}, {y}) follows on itself"));
    }
    for a in 0..n {
        for b in a + 2..n {
            if !(a == 0 && b + 1 == n) && crosses(&points, a, b) {
                return refuse(format!("side {} of the outline crosses side {}", a + 1, b + 1));
            }
        }
    }
    match Area::of(&points).area {
        area if area < 0.0 => points.reverse(),
        area if area > 0.0 => {}
        _ => return refuse("the outline encloses no area".to_owned()),
    }
    Ok(points)
}

/// Whether sides `a` and `b`, which share no corner, meet.
fn crosses(points: &[Vector2<f64>], a: usize, b: usize) -> bool {
    let at = |k: usize| points[k % points.len()];
    let side = |from: Vector2<f64>, to: Vector2<f64>, of: Vector2<f64>| (to - from).perp(&(of - from));
    let apart = |[p, q]: [Vector2<f64>; 2], [r, s]: [Vector2<f64>; 2]| side(p, q, r) * side(p, q, s) > 0.0;
    let (one, other) = ([at(a), at(a + 1)], [at(b), at(b + 1)]);
    let boxes = (0..2).all(|k| {
        let range = |[p, q]: [Vector2<f64>; 2]| (p[k].min(q[k]), p[k].max(q[k]));
        let ((low, high), (from, to)) = (range(one), range(other));
        low <= to && from <= high
    });
    boxes && !apart(one, other) && !apart(other, one)
}

impl Area {
    /// By Green's theorem; negative for corners that go clockwise.
    pub(super) fn of(points: &[Vector2<f64>]) -> Self {
        let n = points.len();
        // About the first corner, so that a place far away costs no digits.
        let from = points.first().copied().unwrap_or_default();
        let sides = (0..n).map(|k| (points[k] - from, points[(k + 1) % n] - from));
        let [mut area, mut x, mut y, mut xx, mut yy, mut xy] = [0.0; 6];
        for (p, q) in sides {
            let cross = p.perp(&q);
            area += cross / 2.0;
            x += cross * (p.x + q.x) / 6.0;
            y += cross * (p.y + q.y) / 6.0;
            xx += cross * (p.x * p.x + p.x * q.x + q.x * q.x) / 12.0;
            yy += cross * (p.y * p.y + p.y * q.y + q.y * q.y) / 12.0;
            xy += cross * (2.0 * p.x * p.y + p.x * q.y + q.x * p.y + 2.0 * q.x * q.y) / 24.0;
        }
        let (x, y) = (x / area, y / area);
        let center = from + Vector2::new(x, y);
        Self { area, center, xx: xx - area * x * x, yy: yy - area * y * y, xy: xy - area * x * y }
    }
}
