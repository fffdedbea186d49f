//! Bodies: mass, inertia, start position and velocity.

use super::check::{at, unique};
use super::markers;
use super::scope::Scope;
use super::solids::{self, MassProperties};
use crate::error::{Location, ModelError};
use crate::expression::Expression;
use crate::mechanism::{EXACT, RigidBody, axis_of_symmetry};
use crate::model::{Body, GROUND, Model, zero};
use crate::space::{M3, Pose};
use fourbar_linalg::symmetric_eigen;
use fourbar_linalg::text::Brief;

/// Round-off allowed in the triangle inequality of moments of inertia.
const TRIANGLE: f64 = 1e-9;

/// Reads the bodies into the scope.
pub(super) fn read<'a>(model: &'a Model, scope: &mut Scope<'a>) -> Result<(), Box<ModelError>> {
    unique("body", model.bodies.iter().map(|b| b.name.as_str()))?;
    for (index, body) in model.bodies.iter().enumerate() {
        if body.name == GROUND {
            return Err(ModelError::new(
                at("body", index, &body.name, "name"),
                "the name `ground` stands for the fixed frame",
                "choose another name; the ground needs no body",
            ));
        }
        scope.body_index.insert(body.name.clone(), index);
    }
    for (index, body) in model.bodies.iter().enumerate() {
        let field = |name: &str| at("body", index, &body.name, name);
        let MassProperties { mass, center, inertia } = mass_properties(scope, index, body)?;
        let origin = scope.vector(&body.position, &field("position"))?;
        let a = markers::rotation(scope, &body.orientation, &field("orientation"))?;
        let v = scope.vector(&body.velocity, &field("velocity"))?;
        let w = scope.vector(&body.angular_velocity, &field("angular_velocity"))?;
        scope.frames.push((origin, a));
        scope.poses.push(Pose { x: origin + a * center, a, v, w });
        scope.bodies.push(RigidBody {
            inertia,
            symmetry: axis_of_symmetry(&inertia),
            center,
            exact: body.exact.clone(),
            ..RigidBody::point(&body.name, mass)
        });
    }
    Ok(())
}

/// Those that the body states, or those of its solids.
fn mass_properties(scope: &Scope<'_>, index: usize, body: &Body) -> Result<MassProperties, Box<ModelError>> {
    let field = |name: &str| at("body", index, &body.name, name);
    if body.solids.is_empty() {
        if body.mass == Expression::constant(0.0) {
            let remedy = "give `mass`, a positive number of kilograms, or `solids` with their density";
            return Err(ModelError::new(field("mass"), "the body has no mass", remedy));
        }
        let allowed = "a positive number of kilograms";
        return Ok(MassProperties {
            mass: scope.checked(&body.mass, &field("mass"), allowed, |m| m > 0.0)?,
            inertia: inertia(scope, body, &field("inertia"))?,
            center: scope.vector(&body.center_of_mass, &field("center_of_mass"))?,
        });
    }
    let stated = [
        ("mass", body.mass != Expression::constant(0.0)),
        ("inertia", !body.inertia.is_empty()),
        ("center_of_mass", body.center_of_mass != zero()),
    ];
    if let Some((name, _)) = stated.iter().find(|(_, stated)| *stated) {
        let remedy = format!("leave `{name}` out, or `solids`");
        return Err(ModelError::new(field(name), "the solids of the body give it already", remedy));
    }
    Ok(solids::sum(&solids::of_body(scope, index, body)?))
}

fn inertia(scope: &Scope<'_>, body: &Body, location: &Location) -> Result<M3, Box<ModelError>> {
    let mut v = [0.0; 6];
    match body.inertia.len() {
        0 => return Ok(M3::zeros()),
        3 | 6 => {
            for (value, expression) in v.iter_mut().zip(&body.inertia) {
                *value = scope.number(expression, location)?;
            }
        }
        n => {
            return Err(ModelError::new(
                location.clone(),
                format!("{n} numbers"),
                "write [Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz]",
            ));
        }
    }
    let [xx, yy, zz, xy, xz, yz] = v;
    let matrix = M3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
    let principal = symmetric_eigen(&matrix).eigenvalues;
    let mut sorted: [f64; 3] = principal.into();
    sorted.sort_by(f64::total_cmp);
    let [small, middle, large] = sorted;
    let told = format!("{}, {}, {}", Brief(small), Brief(middle), Brief(large));
    if small < -TRIANGLE * large.abs() {
        return Err(ModelError::new(
            location.clone(),
            format!("the principal moments of inertia are {told}, one of them negative"),
            "moments of inertia must not be negative; off-diagonal entries are those of the matrix (minus the products of inertia)",
        ));
    }
    if large > (small + middle) * (1.0 + TRIANGLE) {
        return Err(ModelError::new(
            location.clone(),
            format!("the principal moments of inertia {told} violate the triangle inequality"),
            "no body has a moment larger than the sum of the other two; check the numbers and that they refer to the centre of mass",
        ));
    }
    Ok(matrix)
}

/// Weights of corrections: a turn counts as much as the way it moves a point at the length of the mechanism.
pub(super) fn weigh(model: &Model, bodies: &mut [RigidBody], length: f64) {
    let exact = model.bodies.iter().map(|data| data.exact.as_slice()).chain(std::iter::repeat(&[][..]));
    for (body, exact) in bodies.iter_mut().zip(exact) {
        for weights in &mut body.weights {
            weights[3..].iter_mut().for_each(|turn| *turn *= length * length);
        }
        for exact in exact {
            let (level, coordinates) = exact.coordinates();
            for k in coordinates {
                body.weights[level][k] *= EXACT;
            }
        }
    }
}
