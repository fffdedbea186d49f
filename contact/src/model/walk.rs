//! A walk through the contacts of a model past every number and every name, as that through a [`Model`](fourbar_multibody::Model).

use super::{
    BoxPlane, BoxShape, Contact, ContactKind, ContactModel, Curve, CurveCurve, Geometry, HalfSpaceShape, HullShape,
    JointStop, MeshShape, PointPlane, Rope, RoundShape, Shape, Shapes, SpherePlane, SphereShape, SphereSphere,
};
use fourbar_multibody::model::{Dimension, Joint, Walk, coordinate};

const LENGTH: Dimension = Dimension::LENGTH;

impl ContactModel {
    /// Takes `walk` past every number and name; `joints` are those of the mechanism before the walk.
    pub fn walk(&mut self, walk: &mut dyn Walk, joints: &[Joint]) {
        let Self { shapes, contacts } = self;
        shapes.iter_mut().for_each(|s| shape(walk, s));
        contacts.iter_mut().for_each(|c| contact(walk, c, joints));
    }
}

fn shape(walk: &mut dyn Walk, shape: &mut Shape) {
    let Shape { name, on, group, geometry } = shape;
    walk.name(name);
    walk.reference(on);
    group.iter_mut().for_each(|name| walk.name(name));
    match geometry {
        Geometry::Box(BoxShape { size }) => walk.vector(size, LENGTH),
        Geometry::Sphere(SphereShape { radius }) => walk.expression(radius, LENGTH),
        Geometry::Cylinder(RoundShape { radius, length }) | Geometry::Capsule(RoundShape { radius, length }) => {
            [radius, length].into_iter().for_each(|e| walk.expression(e, LENGTH));
        }
        Geometry::Hull(HullShape { points }) | Geometry::Mesh(MeshShape { vertices: points, triangles: _ }) => {
            points.iter_mut().for_each(|point| walk.vector(point, LENGTH));
        }
        Geometry::HalfSpace(HalfSpaceShape {}) => {}
    }
}

fn contact(walk: &mut dyn Walk, contact: &mut Contact, joints: &[Joint]) {
    let Contact { name, restitution, friction, rolling, spinning, kind } = contact;
    walk.name(name);
    walk.expression(restitution, Dimension::NONE);
    walk.expression(friction, Dimension::NONE);
    walk.expression(rolling, LENGTH);
    walk.expression(spinning, LENGTH);
    match kind {
        ContactKind::PointPlane(PointPlane { i, j, offset }) => {
            [i, j].into_iter().for_each(|r| walk.reference(r));
            walk.expression(offset, LENGTH);
        }
        ContactKind::SpherePlane(SpherePlane { i, radius, j, offset }) => {
            [i, j].into_iter().for_each(|r| walk.reference(r));
            [radius, offset].into_iter().for_each(|e| walk.expression(e, LENGTH));
        }
        ContactKind::SphereSphere(SphereSphere { i, j, radius_i, radius_j }) => {
            [i, j].into_iter().for_each(|r| walk.reference(r));
            [radius_i, radius_j].into_iter().for_each(|e| walk.expression(e, LENGTH));
        }
        ContactKind::BoxPlane(BoxPlane { i, size, j, offset }) => {
            [i, j].into_iter().for_each(|r| walk.reference(r));
            walk.vector(size, LENGTH);
            walk.expression(offset, LENGTH);
        }
        ContactKind::CurveCurve(CurveCurve { i, j, curve_i, curve_j }) => {
            [i, j].into_iter().for_each(|r| walk.reference(r));
            [curve_i, curve_j].into_iter().for_each(|c| curve(walk, c));
        }
        ContactKind::JointStop(JointStop { joint, direction, lower, upper }) => {
            let kind = joints.iter().find(|other| other.name == *joint).map(|joint| joint.kind);
            let dimension = coordinate(kind, *direction);
            walk.name(joint);
            [lower, upper].into_iter().for_each(|limit| walk.optional(limit, dimension));
        }
        ContactKind::Rope(Rope { i, j, length }) => {
            [i, j].into_iter().for_each(|r| walk.reference(r));
            walk.expression(length, LENGTH);
        }
        ContactKind::Shapes(Shapes { i, j, joined: _ }) => {
            walk.name(i);
            j.iter_mut().for_each(|name| walk.name(name));
        }
    }
}

fn curve(walk: &mut dyn Walk, curve: &mut Curve) {
    match curve {
        Curve::Circle { radius, hollow: _ } => walk.expression(radius, LENGTH),
        Curve::Spline { points, closed: _ } => points.iter_mut().flatten().for_each(|e| walk.expression(e, LENGTH)),
        // The parameter of a curve has no unit.
        Curve::Formula { x, y, from, to, closed: _ } => {
            [x, y].into_iter().for_each(|e| walk.formula(e, LENGTH, "s"));
            [from, to].into_iter().for_each(|e| walk.expression(e, Dimension::NONE));
        }
    }
}
