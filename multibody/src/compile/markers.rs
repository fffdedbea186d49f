//! Markers and orientations.

use super::check::{at, unique};
use super::scope::{Scope, center, unknown};
use crate::error::{Location, ModelError};
use crate::model::{Frame, MarkerRef, Model, Orientation, Vector3};
use crate::space::{FixedFrame, M3, V3};

/// Reads the named markers into the scope.
pub(super) fn read<'a>(model: &'a Model, scope: &mut Scope<'a>) -> Result<(), Box<ModelError>> {
    unique("marker", model.markers.iter().map(|m| m.name.as_str()))?;
    for (index, marker) in model.markers.iter().enumerate() {
        let field = |name: &str| at("marker", index, &marker.name, name);
        if marker.name == crate::model::GROUND || scope.body_index.contains_key(marker.name.as_str()) {
            return Err(ModelError::new(
                field("name"),
                "a body has this name, and stands for its frame",
                "choose another name",
            ));
        }
        let body = scope.body(&marker.body, &field("body"))?;
        let frame = place(scope, body, &marker.position, &marker.orientation, marker.frame, &field)?;
        scope.markers.insert(&marker.name, frame);
    }
    Ok(())
}

/// The frame a reference means.
pub(super) fn resolve(
    scope: &Scope<'_>,
    reference: &MarkerRef,
    location: &Location,
) -> Result<FixedFrame, Box<ModelError>> {
    match reference {
        MarkerRef::Name(name) => {
            if let Some(frame) = scope.markers.get(name.as_str()) {
                return Ok(*frame);
            }
            match scope.body(name, location) {
                Ok(body) => Ok(FixedFrame { body, r: -center(scope, body), c: M3::identity() }),
                Err(_) => {
                    let known = scope
                        .markers
                        .keys()
                        .copied()
                        .chain(scope.body_index.keys().map(String::as_str))
                        .chain([crate::model::GROUND]);
                    Err(unknown("marker or body", name, known, location))
                }
            }
        }
        MarkerRef::Inline(inline) => {
            let field = |name: &str| Location { field: format!("{}.{name}", location.field), ..location.clone() };
            let body = scope.body(&inline.body, &field("body"))?;
            place(scope, body, &inline.position, &inline.orientation, inline.frame, &field)
        }
    }
}

/// Two frames on different bodies.
pub(super) fn pair(
    scope: &Scope<'_>,
    i: &MarkerRef,
    j: &MarkerRef,
    field: &dyn Fn(&str) -> Location,
) -> Result<(FixedFrame, FixedFrame), Box<ModelError>> {
    let (fi, fj) = (resolve(scope, i, &field("i"))?, resolve(scope, j, &field("j"))?);
    if fi.body == fj.body {
        let name = scope.bodies.get(fi.body).map_or(crate::model::GROUND, |b| b.name.as_str());
        return Err(ModelError::new(
            field("j"),
            format!("markers I and J are both on \"{name}\""),
            "an element acts between two different bodies; put one of the markers on another body",
        ));
    }
    Ok((fi, fj))
}

fn place(
    scope: &Scope<'_>,
    body: usize,
    position: &Vector3,
    orientation: &Orientation,
    frame: Frame,
    field: &dyn Fn(&str) -> Location,
) -> Result<FixedFrame, Box<ModelError>> {
    let p = scope.vector(position, &field("position"))?;
    let c = rotation(scope, orientation, &field("orientation"))?;
    let (p, c) = match (frame, scope.frames.get(body)) {
        (Frame::Global, Some((origin, a))) => (a.tr_mul(&(p - origin)), a.tr_mul(&c)),
        _ => (p, c),
    };
    Ok(FixedFrame { body, r: p - center(scope, body), c })
}

/// Rotation matrix of an orientation; its columns are the axes.
pub(super) fn rotation(scope: &Scope<'_>, o: &Orientation, location: &Location) -> Result<M3, Box<ModelError>> {
    let field = |name: &str| Location { field: format!("{}.{name}", location.field), ..location.clone() };
    let refuse = |problem: &str| {
        Err(ModelError::new(
            location.clone(),
            problem,
            "write one of `euler_313`, `axis` with `angle`, `quaternion`, or `z_axis` with or without `x_axis`",
        ))
    };
    let axes = o.z_axis.is_some() || o.x_axis.is_some();
    let turn = o.axis.is_some() || o.angle.is_some();
    let forms = [o.euler_313.is_some(), turn, o.quaternion.is_some(), axes];
    if forms.iter().filter(|f| **f).count() > 1 {
        return refuse("the orientation is given in more than one form");
    }
    if let Some(e) = &o.euler_313 {
        let e = scope.vector(e, &field("euler_313"))?;
        return Ok(crate::orientation::Euler::new(&[e.x, e.y, e.z]).e);
    }
    if let Some(q) = &o.quaternion {
        let mut v = [0.0; 4];
        for (value, expression) in v.iter_mut().zip(q) {
            *value = scope.number(expression, &field("quaternion"))?;
        }
        let q = nalgebra::Quaternion::new(v[0], v[1], v[2], v[3]);
        if q.norm() < 1e-150 {
            return Err(ModelError::new(
                field("quaternion"),
                "the quaternion is zero",
                "give [w, x, y, z], not all zero",
            ));
        }
        return Ok(nalgebra::UnitQuaternion::from_quaternion(q).to_rotation_matrix().into_inner());
    }
    match (&o.axis, &o.angle) {
        (Some(axis), Some(angle)) => {
            let axis = scope.direction(axis, &field("axis"))?;
            Ok(crate::space::rotation(&(axis * scope.number(angle, &field("angle"))?)))
        }
        (None, None) => along(scope, o, &field),
        _ => refuse("`axis` and `angle` belong together, one of them is missing"),
    }
}

fn along(scope: &Scope<'_>, o: &Orientation, field: &dyn Fn(&str) -> Location) -> Result<M3, Box<ModelError>> {
    let z = o.z_axis.as_ref().map(|z| scope.direction(z, &field("z_axis"))).transpose()?;
    let x = o.x_axis.as_ref().map(|x| scope.direction(x, &field("x_axis"))).transpose()?;
    let (z, x) = match (z, x) {
        (None, None) => return Ok(M3::identity()),
        (Some(z), Some(x)) => (z, x),
        // The global axis least along the given one helps to find the other.
        (Some(z), None) => (z, helper(&z)),
        (None, Some(x)) => {
            let z = helper(&x);
            ((z - x * z.dot(&x)).normalize(), x)
        }
    };
    let across = x - z * x.dot(&z);
    if across.norm() < 1e-9 {
        return Err(ModelError::new(
            field("x_axis"),
            "the x axis is parallel to the z axis",
            "give directions that differ",
        ));
    }
    let x = across.normalize();
    Ok(M3::from_columns(&[x, z.cross(&x), z]))
}

/// The x axis unless `v` lies near it, then the y axis.
fn helper(v: &V3) -> V3 {
    if v.x.abs() < 0.9 { V3::x() } else { V3::y() }
}
