//! The solids of bodies as contact shapes: a contact of shapes that names a body means its solids.

use fourbar_contact::model::{
    BoxShape, ContactKind, ContactModel, Geometry, HullShape, RoundShape, Shape, SphereShape,
};
use fourbar_multibody::expression::Expression;
use fourbar_multibody::model::{Frame, MarkerRef, Orientation, Place, vector};
use fourbar_multibody::{BodySolid, Location, Model, ModelError, SolidForm, body_solids};
use nalgebra::Vector2;

/// Adds the shapes of the bodies with solids that contacts name, in a group of the body's name.
pub(super) fn write_out(model: &Model, contacts: &mut ContactModel) -> Result<(), Box<ModelError>> {
    if model.bodies.iter().all(|body| body.solids.is_empty()) {
        return Ok(());
    }
    let solids = body_solids(model)?;
    for ((index, body), solids) in model.bodies.iter().enumerate().zip(&solids) {
        let name = body.name.as_str();
        if solids.is_empty() || !named(contacts, name) || taken(contacts, name) {
            continue;
        }
        for (k, solid) in solids.iter().enumerate() {
            let location =
                || Location { section: "body", index, name: name.to_owned(), field: format!("solids.{k}.type") };
            let geometry = geometry(solid).ok_or_else(|| {
                let remedy = "divide the plate into convex ones, or draw it as a [[shape]] of type \"mesh\"";
                ModelError::new(location(), "a plate that is not convex does not touch", remedy)
            })?;
            let shape = format!("{name} solid {}", k + 1);
            contacts.shapes.push(Shape { name: shape, on: place(name, solid), group: Some(name.to_owned()), geometry });
        }
    }
    Ok(())
}

/// Whether a contact of shapes names it.
fn named(contacts: &ContactModel, name: &str) -> bool {
    let shapes = contacts.contacts.iter().filter_map(|contact| match &contact.kind {
        ContactKind::Shapes(shapes) => Some(shapes),
        _ => None,
    });
    shapes.flat_map(|shapes| [Some(&shapes.i), shapes.j.as_ref()]).flatten().any(|own| own == name)
}

/// Whether a shape or group has the name already.
fn taken(contacts: &ContactModel, name: &str) -> bool {
    contacts.shapes.iter().any(|shape| shape.name == name || shape.group.as_deref() == Some(name))
}

fn place(body: &str, solid: &BodySolid) -> MarkerRef {
    let axis = |k: usize| Some(vector([0, 1, 2].map(|row| solid.axes[(row, k)])));
    let orientation = Orientation { z_axis: axis(2), x_axis: axis(0), ..Orientation::default() };
    let position = vector([solid.position.x, solid.position.y, solid.position.z]);
    Place { body: body.to_owned(), position, orientation, frame: Frame::Body }.into()
}

/// The outside of a solid; none for a plate that is not convex.
fn geometry(solid: &BodySolid) -> Option<Geometry> {
    let number = Expression::constant;
    let round = |radius: f64, length: f64| RoundShape { radius: number(radius), length: number(length) };
    Some(match &solid.form {
        SolidForm::Box(size) => Geometry::Box(BoxShape { size: vector([size.x, size.y, size.z]) }),
        SolidForm::Cylinder { radius, length, .. } => Geometry::Cylinder(round(*radius, *length)),
        SolidForm::Capsule { radius, length } => Geometry::Capsule(round(*radius, *length)),
        SolidForm::Sphere { radius, .. } => Geometry::Sphere(SphereShape { radius: number(*radius) }),
        SolidForm::Plate { outline, thickness } if convex(outline) => {
            let at = |z: f64| outline.iter().map(move |p| vector([p.x, p.y, z]));
            Geometry::Hull(HullShape { points: at(thickness / 2.0).chain(at(-thickness / 2.0)).collect() })
        }
        _ => return None,
    })
}

/// Whether an outline, counter-clockwise, turns left at every corner.
fn convex(outline: &[Vector2<f64>]) -> bool {
    let n = outline.len();
    (0..n).all(|k| {
        let [a, b, c] = [outline[k], outline[(k + 1) % n], outline[(k + 2) % n]];
        (b - a).perp(&(c - b)) >= 0.0
    })
}
