//! Shapes from the data of a model.

use super::orientation::{Against, outwards};
use super::rounded::facets_of;
use super::{Form, Solid};
use crate::model::{Geometry, HullShape, MeshShape, Shape};
use fourbar_multibody::model::Vector3;
use fourbar_multibody::space::{FixedFrame, M3, V3};
use fourbar_multibody::{Location, ModelError, Names};
use nalgebra::DMatrix;
use parry3d_f64::math::Vec3;
use parry3d_f64::shape::{SharedShape, TriMeshFlags};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Of the size of a hull: how thin it may be.
const FLAT: f64 = 1e-9;
/// Lengths of shapes \[m\]: their squares and products are numbers, as the algorithms of the distance need.
const LENGTHS: RangeInclusive<f64> = 1e-100..=1e100;
/// The same in words.
const LENGTH: &str = "a positive length, from 1e-100 to 1e100 m";

/// Compiles a shape; `field` gives the location of one of its fields.
pub(crate) fn read(
    names: &Names<'_>,
    shape: &Shape,
    field: &dyn Fn(&str) -> Location,
) -> Result<Solid, Box<ModelError>> {
    let frame = names.marker(&shape.on, &field("on"))?;
    let positive = |e, name| names.checked(e, &field(name), LENGTH, |v| LENGTHS.contains(&v));
    let solid = |form, shape: SharedShape, half| {
        let facets = facets_of(&form, &shape).map(Arc::new);
        Solid { frame, form, shape, facets, middle: V3::zeros(), half }
    };
    Ok(match &shape.geometry {
        Geometry::Box(data) => {
            let size = vector(names, &data.size, &field("size"))?;
            if !size.iter().all(|length| LENGTHS.contains(length)) {
                let problem = format!("the size is {:?}", size.as_slice());
                let remedy = "give three positive lengths, from 1e-100 to 1e100 m";
                return Err(ModelError::new(field("size"), problem, remedy));
            }
            let half = size * 0.5;
            solid(Form::Box(half), SharedShape::cuboid(half.x, half.y, half.z), half)
        }
        Geometry::Sphere(data) => {
            let radius = positive(&data.radius, "radius")?;
            solid(Form::Sphere(radius), SharedShape::ball(radius), V3::repeat(radius))
        }
        Geometry::Cylinder(data) => {
            let (radius, half) = (positive(&data.radius, "radius")?, 0.5 * positive(&data.length, "length")?);
            // parry's cylinders stand along y.
            let frame = FixedFrame { c: cycled(&frame.c), ..frame };
            let extent = V3::new(radius, half, radius);
            Solid { frame, ..solid(Form::Cylinder { half, radius }, SharedShape::cylinder(half, radius), extent) }
        }
        Geometry::Capsule(data) => {
            let (radius, half) = (positive(&data.radius, "radius")?, 0.5 * positive(&data.length, "length")?);
            let extent = V3::new(radius, radius, half + radius);
            solid(Form::Capsule { half, radius }, SharedShape::capsule_z(half, radius), extent)
        }
        Geometry::Hull(data) => {
            let shape = hull(names, data, &field("points"))?;
            bounded(solid(Form::General, shape, V3::zeros()))
        }
        Geometry::Mesh(data) => {
            let shape = mesh(names, data, field)?;
            bounded(solid(Form::Mesh, shape, V3::zeros()))
        }
        Geometry::HalfSpace(_) => solid(Form::HalfSpace, SharedShape::halfspace(Vec3::Z), V3::repeat(f64::INFINITY)),
    })
}

/// Axes (y, z, x).
fn cycled(c: &M3) -> M3 {
    M3::from_columns(&[c.column(1), c.column(2), c.column(0)])
}

/// With the box about its shape.
fn bounded(solid: Solid) -> Solid {
    let around = solid.shape.compute_local_aabb();
    let v = |v: Vec3| V3::new(v.x, v.y, v.z);
    let (low, high) = (v(around.mins), v(around.maxs));
    Solid { middle: (low + high) * 0.5, half: (high - low) * 0.5, ..solid }
}

fn vector(names: &Names<'_>, v: &Vector3, location: &Location) -> Result<V3, Box<ModelError>> {
    names.vector(v, location)
}

/// Points whose coordinates and width are within the range of lengths.
fn points(names: &Names<'_>, points: &[Vector3], location: &Location) -> Result<Vec<Vec3>, Box<ModelError>> {
    let point = |p| vector(names, p, location).map(|p| super::general::vec3(&p));
    let points = points.iter().map(point).collect::<Result<Vec<_>, _>>()?;
    let (least, largest) = (*LENGTHS.start(), *LENGTHS.end());
    let furthest = points.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max);
    let from_first = points.iter().map(|p| (p - points[0]).abs().max_element()).fold(0.0, f64::max);
    if furthest > largest || !points.is_empty() && from_first < least {
        let problem = format!("coordinates up to {furthest} and {from_first} from the first point");
        return Err(ModelError::new(
            location.clone(),
            problem,
            "give coordinates up to 1e100 m, at least 1e-100 m apart",
        ));
    }
    Ok(points)
}

fn hull(names: &Names<'_>, data: &HullShape, location: &Location) -> Result<SharedShape, Box<ModelError>> {
    let points = points(names, &data.points, location)?;
    let refuse = |problem: String| {
        Err(ModelError::new(location.clone(), problem, "give at least four points that do not lie in one plane"))
    };
    if points.len() < 4 {
        return refuse(format!("{} points", points.len()));
    }
    let mean = points.iter().copied().sum::<Vec3>() / points.len() as f64;
    let spread = DMatrix::from_fn(3, points.len(), |k, p| (points[p] - mean)[k]);
    let sizes = fourbar_linalg::SingularValues::new(&spread);
    if !sizes.is_some_and(|sizes| sizes.values.min() > FLAT * sizes.largest()) {
        return refuse("the points lie in one plane".to_owned());
    }
    SharedShape::convex_hull(&points).map_or_else(|| refuse("the points have no hull".to_owned()), Ok)
}

fn mesh(names: &Names<'_>, data: &MeshShape, field: &dyn Fn(&str) -> Location) -> Result<SharedShape, Box<ModelError>> {
    let vertices = points(names, &data.vertices, &field("vertices"))?;
    let refuse = |problem: String, remedy: &str| Err(ModelError::new(field("triangles"), problem, remedy));
    if data.triangles.is_empty() {
        return refuse("the mesh has no triangle".to_owned(), "give at least one");
    }
    for (k, triangle) in data.triangles.iter().enumerate() {
        if let Some(at) = triangle.iter().find(|&&at| at as usize >= vertices.len()) {
            let problem = format!("triangle number {} speaks of vertex {at}, there are {}", k + 1, vertices.len());
            return refuse(problem, "count vertices from 0");
        }
        let [a, b, c] = triangle.map(|at| vertices[at as usize]);
        let longest = (b - a).length().max((c - a).length()).max((c - b).length());
        if !((b - a).cross(c - a).length() > FLAT * longest * longest) {
            return refuse(format!("triangle number {} has no area", k + 1), "leave it out");
        }
    }
    let mut triangles = data.triangles.clone();
    if let Err(Against(one, two)) = outwards(&vertices, &mut triangles) {
        let problem =
            format!("triangles number {} and {} share an edge and see different sides of the mesh", one + 1, two + 1);
        return refuse(problem, "list the vertices of all triangles counter-clockwise, seen from outside");
    }
    SharedShape::trimesh_with_flags(vertices, triangles, TriMeshFlags::FIX_INTERNAL_EDGES)
        .or_else(|error| refuse(error.to_string(), "check the triangles"))
}
