//! Bodies of flat faces: what every shape is made of before it is written or drawn.

use super::build::{axes, axis_across};
use super::outline::{self, ROUND, V2};
use fourbar_multibody::space::V3;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Cosine of the angle up to which two faces meet smoothly, and no edge is drawn between them: 35 degrees, more than the corners of round shapes have.
pub(super) const CREASE: f64 = 0.82;
/// Steps from pole to pole of a sphere.
const BELTS: usize = 12;
/// Steps from the pole of a capsule to its cylinder.
const CAP: usize = 3;
/// Coils of a spring, fewest and most: few of a short one, so that they are told apart, and no more of a long one than a picture has room for.
const COILS: [f64; 2] = [5.0, 16.0];
/// Distance of its coils over its radius, as springs are drawn.
const PITCH: f64 = 1.8;
/// Corners of one coil.
const OF_COIL: usize = 12;
/// Sides of the wire: enough that it looks round where it is thin.
const SIDES: usize = 5;

/// A surface of convex polygons, their corners counter-clockwise seen from outside.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Facets {
    /// Corners \[m\].
    pub points: Vec<V3>,
    /// Corners of each face, counted from 0.
    pub faces: Vec<Vec<u32>>,
    /// Whether both sides of its faces are seen: it has no inside. A rim of what is not open goes on in another surface.
    pub open: bool,
    /// Radius \[m\] where it stands for a sphere about the origin.
    pub sphere: Option<f64>,
}

impl Facets {
    /// A box about the origin.
    pub(super) fn cuboid(size: V3) -> Self {
        let h = size / 2.0;
        let outline = [V2::new(-h.x, -h.y), V2::new(h.x, -h.y), V2::new(h.x, h.y), V2::new(-h.x, h.y)];
        Self::prism(&outline, -h.z, h.z)
    }

    /// A prism over an outline, counter-clockwise, from z = `low` to `high`.
    pub(super) fn prism(outline: &[V2], low: f64, high: f64) -> Self {
        Self::loft(outline, (low, 1.0), (high, 1.0))
    }

    /// An outline drawn from one height to another, scaled by a factor at each.
    pub(super) fn loft(outline: &[V2], (low, at_low): (f64, f64), (high, at_high): (f64, f64)) -> Self {
        let n = outline.len() as u32;
        let ring = |z: f64, scale: f64| outline.iter().map(move |p| V3::new(p.x * scale, p.y * scale, z));
        let points = ring(low, at_low).chain(ring(high, at_high)).collect();
        let mut faces: Vec<Vec<u32>> = (0..n).map(|k| vec![k, (k + 1) % n, n + (k + 1) % n, n + k]).collect();
        match outline::is_convex(outline) {
            true => faces.extend([(0..n).rev().collect(), (n..2 * n).collect()]),
            false => {
                for [a, b, c] in outline::triangles(outline).into_iter().map(|t| t.map(|corner| corner as u32)) {
                    faces.extend([vec![c, b, a], vec![n + a, n + b, n + c]]);
                }
            }
        }
        Self { points, faces, ..Self::default() }
    }

    /// A prism over a convex outline from z = 0 to 1, with lids where it begins and ends; without one it goes on in another piece.
    pub(super) fn piece(outline: &[V2], [low, high]: [bool; 2]) -> Self {
        let n = outline.len() as u32;
        let mut prism = Self::prism(outline, 0.0, 1.0);
        let is_lid = |face: &[u32], first: u32| face.iter().all(|k| (first..first + n).contains(k));
        prism.faces.retain(|face| (low || !is_lid(face, 0)) && (high || !is_lid(face, n)));
        prism
    }

    /// A rod along a curve, from its places and tangents; with lids unless it ends where it begins.
    pub(super) fn along(curve: &[[V3; 2]], radius: f64, lids: bool) -> Self {
        let mut points = Vec::with_capacity(curve.len() * SIDES);
        let mut across: Option<V3> = None;
        for [place, tangent] in curve {
            // As the ring before it, so that the rod does not twist.
            let frame = axes(tangent, &across.unwrap_or_else(|| axis_across(tangent)));
            across = Some(frame.column(0).into_owned());
            points.extend(
                outline::circle(V2::zeros(), radius, SIDES).iter().map(|p| place + frame * V3::new(p.x, p.y, 0.0)),
            );
        }
        let (sides, last) = (SIDES as u32, curve.len() as u32 - 1);
        let mut faces: Vec<Vec<u32>> = Vec::new();
        for low in (0..last).map(|ring| ring * sides) {
            faces.extend((0..sides).map(|side| {
                let next = (side + 1) % sides;
                vec![low + side, low + next, low + sides + next, low + sides + side]
            }));
        }
        if lids {
            faces.push((0..sides).rev().collect());
            faces.push((0..sides).map(|side| last * sides + side).collect());
        }
        Self { points, faces, ..Self::default() }
    }

    /// What lies between two outlines of as many corners, both counter-clockwise, from z = `low` to `high`.
    pub(super) fn ring(outer: &[V2], inner: &[V2], low: f64, high: f64) -> Self {
        let n = outer.len() as u32;
        let at = |outline: &[V2], z: f64| outline.iter().map(|p| V3::new(p.x, p.y, z)).collect::<Vec<_>>();
        let points = [at(outer, low), at(outer, high), at(inner, low), at(inner, high)].concat();
        let faces = (0..n).flat_map(|k| {
            let next = (k + 1) % n;
            [
                vec![k, next, n + next, n + k],
                vec![2 * n + next, 2 * n + k, 3 * n + k, 3 * n + next],
                vec![n + k, n + next, 3 * n + next, 3 * n + k],
                vec![next, k, 2 * n + k, 2 * n + next],
            ]
        });
        Self { faces: faces.collect(), points, ..Self::default() }
    }

    /// A cylinder about z, its middle at the origin.
    pub(super) fn cylinder(radius: f64, length: f64) -> Self {
        Self::prism(&outline::circle(V2::zeros(), radius, ROUND), -length / 2.0, length / 2.0)
    }

    /// A tube about z, its middle at the origin.
    pub(super) fn pipe(radius: f64, inner: f64, length: f64) -> Self {
        let circle = |radius| outline::circle(V2::zeros(), radius, ROUND);
        Self::ring(&circle(radius), &circle(inner), -length / 2.0, length / 2.0)
    }

    /// A rod about z from the origin to z = 1.
    pub(super) fn unit_rod(radius: f64) -> Self {
        Self::prism(&outline::circle(V2::zeros(), radius, ROUND / 2), 0.0, 1.0)
    }

    /// A sphere about the origin.
    pub(super) fn sphere(radius: f64) -> Self {
        let middle = |latitude: f64| (latitude.cos() * radius, latitude.sin() * radius);
        let belts = (0..=BELTS).map(|k| middle(PI * k as f64 / BELTS as f64 - FRAC_PI_2));
        Self { sphere: Some(radius), ..Self::turned(&belts.collect::<Vec<_>>()) }
    }

    /// A cylinder about z with half spheres at its ends, its middle at the origin.
    pub(super) fn capsule(radius: f64, length: f64) -> Self {
        let half = |k: usize, from: f64, shift: f64| {
            let latitude = from + FRAC_PI_2 * k as f64 / CAP as f64;
            (latitude.cos() * radius, latitude.sin() * radius + shift)
        };
        let lower = (0..=CAP).map(|k| half(k, -FRAC_PI_2, -length / 2.0));
        Self::turned(&lower.chain((0..=CAP).map(|k| half(k, 0.0, length / 2.0))).collect::<Vec<_>>())
    }

    /// Turned about z from pairs of radius and height, the lowest first; at both ends the radius is as good as zero.
    fn turned(profile: &[(f64, f64)]) -> Self {
        let n = ROUND as u32;
        let angle = |k: usize| TAU * k as f64 / ROUND as f64;
        let inner = &profile[1..profile.len() - 1];
        let ring = |&(radius, z): &(f64, f64)| {
            (0..ROUND).map(move |k| V3::new(radius * angle(k).cos(), radius * angle(k).sin(), z))
        };
        let mut points: Vec<V3> = inner.iter().flat_map(ring).collect();
        let (bottom, top) = (points.len() as u32, points.len() as u32 + 1);
        points.extend([profile[0].1, profile[profile.len() - 1].1].map(|z| V3::new(0.0, 0.0, z)));
        let last = n * (inner.len() as u32 - 1);
        let mut faces = Vec::new();
        for k in 0..n {
            let next = (k + 1) % n;
            faces.push(vec![bottom, next, k]);
            faces.extend((0..inner.len() as u32 - 1).map(|belt| {
                let (low, high) = (belt * n, (belt + 1) * n);
                vec![low + k, low + next, high + next, high + k]
            }));
            faces.push(vec![last + k, last + next, top]);
        }
        Self { points, faces, ..Self::default() }
    }

    /// The coil of a spring about z from the origin to z = 1, with straight ends; where it is stretched to `length` its wire is round.
    pub(super) fn spring(radius: f64, wire: f64, length: f64) -> Self {
        let coils = (length / (PITCH * radius)).round().clamp(COILS[0], COILS[1]);
        let steps = coils as usize * OF_COIL;
        // A spring without a length at the start gets one later.
        let flat = wire / length.max(PITCH * radius);
        // The first and the last tenth lead from the axis onto the coil.
        let centre = |k: usize| {
            let s = k as f64 / steps as f64;
            let out = (s.min(1.0 - s) * 10.0).min(1.0) * radius;
            let angle = TAU * coils * s;
            V3::new(out * angle.cos(), out * angle.sin(), s)
        };
        let mut points = Vec::new();
        for k in 0..=steps {
            let angle = TAU * coils * k as f64 / steps as f64;
            let outwards = V3::new(angle.cos(), angle.sin(), 0.0);
            for side in 0..SIDES {
                let turn = TAU * side as f64 / SIDES as f64;
                points.push(centre(k) + outwards * (turn.cos() * wire) + V3::z() * (turn.sin() * flat));
            }
        }
        let sides = SIDES as u32;
        let mut faces: Vec<Vec<u32>> = Vec::new();
        for k in 0..steps as u32 {
            faces.extend((0..sides).map(|side| {
                let (next, low, high) = ((side + 1) % sides, k * sides, (k + 1) * sides);
                vec![low + side, high + side, high + next, low + next]
            }));
        }
        faces.push((0..sides).collect());
        faces.push((0..sides).rev().map(|side| steps as u32 * sides + side).collect());
        Self { points, faces, ..Self::default() }
    }

    /// An arrow along z from the origin to z = 1; with two heads for a torque.
    pub(super) fn arrow(heads: usize) -> Self {
        let circle = |radius| outline::circle(V2::zeros(), radius, ROUND / 2);
        let shaft = Self::prism(&circle(0.025), 0.0, 1.0 - 0.2 * heads as f64);
        (0..heads).fold(shaft, |arrow, head| {
            let top = 1.0 - 0.2 * head as f64;
            arrow.joined(Self::loft(&circle(0.07), (top - 0.2, 1.0), (top, 1e-3)))
        })
    }

    /// A rectangle in the x-y plane about the origin.
    pub(super) fn rectangle(x: f64, y: f64) -> Self {
        let (x, y) = (x / 2.0, y / 2.0);
        let points = [[-x, -y], [x, -y], [x, y], [-x, y]].map(|[x, y]| V3::new(x, y, 0.0)).to_vec();
        Self { points, faces: vec![vec![0, 1, 2, 3]], open: true, sphere: None }
    }

    /// Triangles as they are, seen from both sides: files do not always keep the order of corners.
    pub(super) fn triangles(vertices: impl Iterator<Item = V3>, triangles: &[[u32; 3]]) -> Self {
        let faces = triangles.iter().map(|corners| corners.to_vec()).collect();
        Self { points: vertices.collect(), faces, open: true, sphere: None }
    }

    /// Both in one.
    pub(super) fn joined(mut self, other: Self) -> Self {
        let first = self.points.len() as u32;
        self.points.extend(other.points);
        self.faces.extend(other.faces.into_iter().map(|face| face.into_iter().map(|k| first + k).collect()));
        Self { sphere: None, ..self }
    }

    /// Every corner moved by `map`, which keeps insides inside.
    pub(super) fn mapped(mut self, map: impl Fn(&V3) -> V3) -> Self {
        self.points.iter_mut().for_each(|point| *point = map(point));
        Self { sphere: None, ..self }
    }

    /// Normal of a face by its area, after Newell: twice the area long.
    #[must_use]
    pub fn area_normal(&self, face: &[u32]) -> V3 {
        let at = |k: usize| self.points[face[k % face.len()] as usize];
        (1..face.len().saturating_sub(1)).map(|k| (at(k) - at(0)).cross(&(at(k + 1) - at(0)))).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the theorem of Gauss, positive only if faces look outwards.
    fn volume(facets: &Facets) -> f64 {
        let of = |face: &Vec<u32>| facets.area_normal(face).dot(&facets.points[face[0] as usize]) / 6.0;
        facets.faces.iter().map(of).sum()
    }

    #[test]
    fn shapes_have_their_volumes() {
        let near = |facets: Facets, exact: f64, part: f64| {
            let volume = volume(&facets);
            assert!((volume / exact - 1.0).abs() < part, "{volume} for {exact}");
        };
        near(Facets::cuboid(V3::new(1.0, 2.0, 3.0)), 6.0, 1e-12);
        // Polygons of 24 corners have 1.1 % less area than their circle.
        near(Facets::cylinder(1.0, 2.0), TAU, 0.012);
        near(Facets::pipe(2.0, 1.0, 1.0), 3.0 * PI, 0.012);
        near(Facets::sphere(1.0), 4.0 / 3.0 * PI, 0.03);
        near(Facets::capsule(1.0, 2.0), (2.0 + 4.0 / 3.0) * PI, 0.06);
        let wheel = outline::teeth(1.0, 24);
        near(Facets::prism(&wheel, 0.0, 1.0), PI, 0.1);
        let spring = volume(&Facets::spring(0.1, 0.01, 1.0));
        assert!(spring > 0.0, "{spring}");
        assert!(volume(&Facets::arrow(2)) > 0.0);
        let arc = |k: i32| {
            let angle = PI * f64::from(k) / 50.0;
            [V3::new(angle.cos(), angle.sin(), 0.0), V3::new(-angle.sin(), angle.cos(), 0.0)]
        };
        // A half ring: the area of a pentagon in a circle of radius 0.1 along pi, after Pappus.
        let rod = Facets::along(&(0..=50).map(arc).collect::<Vec<_>>(), 0.1, true);
        near(rod, 2.5 * 0.01 * (TAU / 5.0).sin() * PI, 0.01);
    }

    #[test]
    fn the_wire_of_a_spring_is_as_thick_along_it_as_across_however_long_it_is() {
        for length in [0.02, 0.2, 1.0, 5.0] {
            let (radius, wire) = (0.024, 0.0042);
            let spring = Facets::spring(radius, wire, length);
            // The rings of the wire, as its carrier stretches them.
            for ring in spring.points.chunks_exact(SIDES) {
                let height = ring.iter().map(|p| p.z * length);
                let height = height.clone().fold(f64::MIN, f64::max) - height.fold(f64::MAX, f64::min);
                let across = ring.iter().map(|p| p.xy().norm());
                let across = across.clone().fold(f64::MIN, f64::max) - across.fold(f64::MAX, f64::min);
                // A pentagon is 1.9 radii high and 1.8 wide.
                let is_short = length < PITCH * radius;
                assert!(height < 2.0 * wire && (is_short || height > 1.8 * wire), "{length}: {height}");
                assert!(across < 2.0 * wire, "{length}: {across}");
            }
        }
    }

    #[test]
    fn closed_shapes_have_no_rim() {
        for facets in [Facets::sphere(1.0), Facets::capsule(1.0, 1.0), Facets::arrow(1), Facets::spring(0.1, 0.01, 1.0)]
        {
            let sum: V3 = facets.faces.iter().map(|face| facets.area_normal(face)).sum();
            assert!(sum.norm() < 1e-12, "{sum}");
        }
    }
}
