//! Outlines in a plane: convex hulls, round ends, teeth, and triangles that fill them.

use nalgebra::Vector2;
use std::f64::consts::{PI, TAU};

/// Vector in the plane of an outline.
pub(super) type V2 = Vector2<f64>;

/// Corners of a whole circle.
pub(super) const ROUND: usize = 24;

/// A circle about `middle`, counter-clockwise.
pub(super) fn circle(middle: V2, radius: f64, corners: usize) -> Vec<V2> {
    let angle = |k: usize| TAU * (k as f64 + 0.5) / corners as f64;
    (0..corners).map(|k| middle + V2::new(angle(k).cos(), angle(k).sin()) * radius).collect()
}

/// The convex hull, counter-clockwise (Andrew's monotone chain).
pub(super) fn hull(mut points: Vec<V2>) -> Vec<V2> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let half = |points: &mut dyn Iterator<Item = &V2>| {
        let mut chain: Vec<V2> = Vec::new();
        for p in points {
            while let [.., a, b] = chain[..] {
                if (b - a).perp(&(p - b)) > 0.0 {
                    break;
                }
                chain.pop();
            }
            chain.push(*p);
        }
        chain.pop();
        chain
    };
    let mut lower = half(&mut points.iter());
    lower.extend(half(&mut points.iter().rev()));
    lower
}

/// A wheel of `teeth` straight teeth about the origin; the pitch circle lies halfway up.
pub(super) fn teeth(pitch: f64, teeth: usize) -> Vec<V2> {
    let half = (0.5 * PI * pitch / teeth as f64).min(0.2 * pitch) * 0.6;
    let corners = [(-0.32, -1.0), (-0.16, 1.0), (0.16, 1.0), (0.32, -1.0)];
    let at = |k: usize, (turn, up): (f64, f64)| {
        let (angle, radius) = (TAU * (k as f64 + turn) / teeth as f64, pitch + up * half);
        V2::new(angle.cos(), angle.sin()) * radius
    };
    (0..teeth).flat_map(|k| corners.map(|corner| at(k, corner))).collect()
}

/// Triangles that fill a simple polygon, counter-clockwise (ears cut off one after the other).
pub(super) fn triangles(outline: &[V2]) -> Vec<[usize; 3]> {
    let mut left: Vec<usize> = (0..outline.len()).collect();
    let mut found = Vec::with_capacity(outline.len());
    while left.len() > 3 {
        let n = left.len();
        let ear = (0..n).find(|&k| {
            let [a, b, c] = [left[(k + n - 1) % n], left[k], left[(k + 1) % n]];
            let [p, q, r] = [a, b, c].map(|corner| outline[corner]);
            (q - p).perp(&(r - q)) > 0.0
                && left.iter().filter(|&&d| d != a && d != b && d != c).all(|&d| !inside(&outline[d], [&p, &q, &r]))
        });
        // Where round-off leaves none, the rest is flat.
        let Some(k) = ear else { break };
        found.push([left[(k + n - 1) % n], left[k], left[(k + 1) % n]]);
        left.remove(k);
    }
    if let [a, b, c] = left[..] {
        found.push([a, b, c]);
    }
    found
}

fn inside(point: &V2, [a, b, c]: [&V2; 3]) -> bool {
    let side = |from: &V2, to: &V2| (to - from).perp(&(point - from)) >= 0.0;
    side(a, b) && side(b, c) && side(c, a)
}

/// Whether an outline, counter-clockwise, turns left at every corner.
pub(super) fn is_convex(outline: &[V2]) -> bool {
    let n = outline.len();
    (0..n).all(|k| {
        let [a, b, c] = [outline[k], outline[(k + 1) % n], outline[(k + 2) % n]];
        (b - a).perp(&(c - b)) >= 0.0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_fill_a_wheel_with_teeth() {
        let wheel = teeth(1.0, 20);
        let area = |corners: &[V2]| {
            let n = corners.len();
            (0..n).map(|k| corners[k].perp(&corners[(k + 1) % n])).sum::<f64>() / 2.0
        };
        let filled: f64 = triangles(&wheel).iter().map(|t| area(&t.map(|corner| wheel[corner]))).sum();
        assert!((filled - area(&wheel)).abs() < 1e-12, "{filled} {}", area(&wheel));
        assert!(!is_convex(&wheel) && is_convex(&circle(V2::zeros(), 1.0, ROUND)));
    }

    #[test]
    fn a_hull_is_convex_and_holds_all_points() {
        let points: Vec<V2> =
            (0..50).map(|k| V2::new((f64::from(k) * 1.7).sin(), (f64::from(k) * 2.3).cos())).collect();
        let hull = hull(points.clone());
        assert!(is_convex(&hull));
        let n = hull.len();
        for p in points {
            assert!((0..n).all(|k| (hull[(k + 1) % n] - hull[k]).perp(&(p - hull[k])) > -1e-12));
        }
    }
}
