//! What touches: shapes of contacts on their bodies, planes of contacts on theirs.

use super::build::{Builder, Built};
use super::following::Way;
use super::outline::V2;
use super::points::at;
use super::{Facets, Group, flexible};
use fourbar_contact::model::{ContactKind, Curve, Geometry, Shape};
use fourbar_contact::pair::curve_points;
use fourbar_multibody::ModelError;
use fourbar_multibody::model::MarkerRef;
use fourbar_multibody::space::{FixedFrame, M3, V3};

/// Half the thickness of a curve, over its size.
const THICK: f64 = 0.06;

impl Builder<'_> {
    pub(super) fn add_contact_shapes(&mut self, displayed: &[bool]) -> Built {
        // Solids that touch are drawn already.
        let has_solids = |name: &str| self.model.model.bodies.iter().any(|b| b.name == name && !b.solids.is_empty());
        let own = |shape: &&Shape| !shape.group.as_deref().is_some_and(has_solids);
        let shapes: Vec<&Shape> = self.model.contacts.shapes.iter().filter(own).collect();
        for shape in shapes {
            let place = at("shape", &shape.name);
            let frame = self.names.marker(&shape.on, &place)?;
            if let Some(facets) = self.geometry(shape)? {
                self.add_touching(frame, facets, displayed);
            }
        }
        let contacts = self.model.contacts.contacts.iter();
        for (name, kind) in contacts.map(|contact| (contact.name.as_str(), &contact.kind)) {
            let place = at("contact", name);
            match kind {
                ContactKind::SpherePlane(data) => {
                    let radius = self.names.number(&data.radius, &place)?;
                    self.add_ball(&data.i, name, radius, displayed)?;
                }
                ContactKind::SphereSphere(data) => {
                    for (marker, radius) in [(&data.i, &data.radius_i), (&data.j, &data.radius_j)] {
                        let radius = self.names.number(radius, &place)?;
                        self.add_ball(marker, name, radius, displayed)?;
                    }
                }
                ContactKind::BoxPlane(data) => {
                    let size = self.names.vector(&data.size, &place)?;
                    let frame = self.names.marker(&data.i, &place)?;
                    // A plate or a rod of no thickness is given one.
                    let size = size.sup(&V3::repeat(0.02 * size.amax()));
                    self.add_touching(frame, Facets::cuboid(size), displayed);
                }
                ContactKind::CurveCurve(data) => {
                    for (marker, curve) in [(&data.i, &data.curve_i), (&data.j, &data.curve_j)] {
                        let frame = self.names.marker(marker, &place)?;
                        let facets = self.curve(curve, name)?;
                        self.add_touching(frame, facets, displayed);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// A ball that touches, once for all contacts of it.
    fn add_ball(&mut self, marker: &MarkerRef, name: &str, radius: f64, displayed: &[bool]) -> Built {
        let frame = self.names.marker(marker, &at("contact", name))?;
        let same = |item: &super::Item| match (&item.carrier, &item.form) {
            (super::Carrier::Body(other), super::Form::Surface(facets)) => {
                *other == frame && facets.sphere == Some(radius)
            }
            _ => false,
        };
        if radius > 0.0 && !self.items.iter().any(same) {
            self.add_touching(frame, Facets::sphere(radius), displayed);
        }
        Ok(())
    }

    fn geometry(&self, shape: &Shape) -> Result<Option<Facets>, Box<ModelError>> {
        let place = at("shape", &shape.name);
        let number = |e| self.names.number(e, &place);
        Ok(Some(match &shape.geometry {
            Geometry::Box(data) => Facets::cuboid(self.names.vector(&data.size, &place)?),
            Geometry::Sphere(data) => Facets::sphere(number(&data.radius)?),
            Geometry::Cylinder(data) => Facets::cylinder(number(&data.radius)?, number(&data.length)?),
            Geometry::Capsule(data) => Facets::capsule(number(&data.radius)?, number(&data.length)?),
            Geometry::Hull(data) => {
                let points = data.points.iter().map(|point| self.names.vector(point, &place));
                hull(&points.collect::<Result<Vec<_>, _>>()?)
            }
            Geometry::Mesh(data) => {
                let vertices = data.vertices.iter().map(|vertex| self.names.vector(vertex, &place));
                let vertices = vertices.collect::<Result<Vec<_>, _>>()?;
                Facets::triangles(vertices.into_iter(), &data.triangles)
            }
            // Drawn with the ground, once the size of the whole is known.
            _ => return Ok(None),
        }))
    }

    /// A plate with the outline of a curve; of an open one a band along it.
    fn curve(&self, curve: &Curve, name: &str) -> Result<Facets, Box<ModelError>> {
        let points = curve_points(self.names, curve, &at("contact", name))?;
        let points: Vec<V2> = points.into_iter().map(|[x, y]| V2::new(x, y)).collect();
        let size = points.iter().map(|p| (p - points[0]).norm()).fold(0.0, f64::max);
        let thick = THICK * size;
        let (closed, hollow) = match curve {
            Curve::Circle { hollow, .. } => (true, *hollow),
            Curve::Spline { closed, .. } | Curve::Formula { closed, .. } => (*closed, false),
            _ => (false, false),
        };
        let area: f64 = (0..points.len()).map(|k| points[k].perp(&points[(k + 1) % points.len()])).sum();
        if closed && !hollow && area > 0.0 {
            return Ok(Facets::prism(&points, -thick, thick));
        }
        Ok(band(&points, closed, thick))
    }

    /// Planes that contacts have, as rectangles; none on bodies that have shapes of their own.
    pub(super) fn add_planes(&mut self) -> Result<bool, Box<ModelError>> {
        let mut planes: Vec<FixedFrame> = Vec::new();
        for shape in &self.model.contacts.shapes {
            if matches!(shape.geometry, Geometry::HalfSpace(_)) {
                planes.push(self.names.marker(&shape.on, &at("shape", &shape.name))?);
            }
        }
        for contact in &self.model.contacts.contacts {
            let place = at("contact", &contact.name);
            let (marker, offset) = match &contact.kind {
                ContactKind::PointPlane(data) => (&data.j, &data.offset),
                ContactKind::SpherePlane(data) => (&data.j, &data.offset),
                ContactKind::BoxPlane(data) => (&data.j, &data.offset),
                _ => continue,
            };
            let mut frame = self.names.marker(marker, &place)?;
            // One that moves is drawn where it is given without its time.
            let z = frame.c.column(2).into_owned();
            frame.r += z * offset.value().unwrap_or(0.0);
            planes.push(frame);
        }
        for rolling in &self.model.model.rolling {
            let ground = MarkerRef::from(fourbar_multibody::model::GROUND);
            planes.push(self.names.marker(rolling.j.as_ref().unwrap_or(&ground), &at("rolling", &rolling.name))?);
        }
        let mut seen: Vec<FixedFrame> = Vec::new();
        for frame in planes {
            let normal = frame.c.column(2).into_owned();
            let same = |other: &FixedFrame| {
                other.body == frame.body
                    && other.c.column(2).cross(&normal).norm() < 1e-6
                    && other.c.column(2).dot(&(other.r - frame.r)).abs() < 1e-3 * self.length
            };
            if !seen.iter().any(same) {
                self.add_plane(frame);
                seen.push(frame);
            }
        }
        Ok(!seen.is_empty())
    }

    /// A rectangle in a plane: as large as what stands over it where it is level, a short wall elsewhere.
    fn add_plane(&mut self, frame: FixedFrame) {
        let axes = frame.axes(&self.poses);
        let origin = frame.origin(&self.poses);
        let level = axes.column(2).dot(&self.up).abs() > 0.7;
        let is_ground = frame.body == self.ground();
        let (middle, size) = match self.bounds().filter(|_| level && is_ground) {
            Some([low, high]) => {
                let corners = (0..8).map(|k| {
                    let pick = |axis: usize| if k >> axis & 1 == 0 { low[axis] } else { high[axis] };
                    axes.tr_mul(&(V3::new(pick(0), pick(1), pick(2)) - origin))
                });
                let (low, high) = corners
                    .fold((V3::repeat(f64::INFINITY), V3::repeat(f64::NEG_INFINITY)), |(low, high), c| {
                        (low.inf(&c), high.sup(&c))
                    });
                let (middle, size) = ((low + high) / 2.0, high - low);
                let margin = 0.35 * self.length;
                (origin + axes * V3::new(middle.x, middle.y, 0.0), [size.x + margin, size.y + margin])
            }
            None => (origin, [0.3 * self.length; 2]),
        };
        let thick = 0.01 * self.length;
        let plate = Facets::cuboid(V3::new(size[0], size[1], thick)).mapped(|p| p - V3::z() * (thick / 2.0));
        let (name, fixed) = (self.name(frame.body), self.fixed(frame.body, middle, axes));
        let color = if is_ground { [188, 193, 200] } else { self.color(frame.body) };
        self.add(if is_ground { Group::Ground } else { Group::Bodies }, name, fixed, plate, color);
        if level && is_ground {
            let bodies = (0..self.ground()).filter(|&body| flexible::has_place(self.mechanism, body));
            let corners = bodies.flat_map(|body| self.corners(body));
            let corners = corners.collect();
            self.follow(Way::Floor, corners);
        }
    }

    /// Corners of the box around the shapes of a body along its axes; its centre of mass if it has none.
    fn corners(&self, body: usize) -> Vec<FixedFrame> {
        let at = |r| FixedFrame { body, r, c: M3::identity() };
        let own = self.items.iter().filter_map(|item| match (&item.carrier, &item.form) {
            (super::Carrier::Body(frame), super::Form::Surface(facets)) if frame.body == body => Some((frame, facets)),
            _ => None,
        });
        let points = own.flat_map(|(frame, facets)| facets.points.iter().map(|p| frame.r + frame.c * p));
        let Some([low, high]) = super::points::bounds(points) else { return vec![at(V3::zeros())] };
        let pick = |k: usize, axis: usize| if k >> axis & 1 == 0 { low[axis] } else { high[axis] };
        (0..8).map(|k| at(V3::new(pick(k, 0), pick(k, 1), pick(k, 2)))).collect()
    }
}

fn hull(points: &[V3]) -> Facets {
    use parry3d_f64::math::Vec3;
    let given: Vec<Vec3> = points.iter().map(|p| Vec3::new(p.x, p.y, p.z)).collect();
    match parry3d_f64::transformation::try_convex_hull(&given) {
        Ok((points, triangles)) => {
            let facets = Facets::triangles(points.iter().map(|p| V3::new(p.x, p.y, p.z)), &triangles);
            Facets { open: false, ..facets }
        }
        // Refused when the contacts are compiled.
        Err(_) => Facets::default(),
    }
}

/// A band along points, on the right of the way, which is out of the material.
fn band(points: &[V2], closed: bool, thick: f64) -> Facets {
    let n = points.len();
    let inwards = |k: usize| {
        let (before, after) = match closed {
            true => (points[(k + n - 1) % n], points[(k + 1) % n]),
            false => (points[k.saturating_sub(1)], points[(k + 1).min(n - 1)]),
        };
        let way = (after - before).normalize();
        V2::new(-way.y, way.x) * thick
    };
    let inner: Vec<V2> = (0..n).map(|k| points[k] + inwards(k)).collect();
    // The way of a hole runs clockwise: both sides are shown.
    match closed {
        true => Facets { open: true, ..Facets::ring(points, &inner, -thick, thick) },
        false => {
            let outline: Vec<V2> = points.iter().copied().chain(inner.into_iter().rev()).collect();
            Facets { open: true, ..Facets::prism(&outline, -thick, thick) }
        }
    }
}
