//! Contacts of a model, one by one. Shapes and curves come as TOML (`fourbar_model_add_toml`), what touches what of them too.

use std::ffi::c_char;

use fourbar::contact::model::{
    BoxPlane, Contact, ContactKind, JointStop, PointPlane, Rope, Shapes, SpherePlane, SphereSphere,
};
use fourbar::multibody::expression::Expression;
use fourbar::multibody::model::{Direction, MarkerRef, vector};

use super::force::optional;
use super::joint::choose;
use super::model::{fourbar_model, number, with};
use crate::abi::error::Failure;
use crate::abi::options::{self, Grows};
use crate::abi::status::fourbar_status;
use crate::abi::{guard, view};

/// What touches what. The z axis of a plane points out of the material; friction acts along its x and y.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum fourbar_pair_kind {
    /// The origin of I stays above the x-y plane of J.
    FOURBAR_PAIR_POINT_PLANE = 1,
    /// A sphere about I stays above the x-y plane of J.
    FOURBAR_PAIR_SPHERE_PLANE = 2,
    /// Spheres about I and J do not overlap.
    FOURBAR_PAIR_SPHERE_SPHERE = 3,
    /// The eight corners of a box about I, each a contact of its own, stay above the x-y plane of J.
    FOURBAR_PAIR_BOX_PLANE = 4,
    /// The coordinate of a joint stays between limits.
    FOURBAR_PAIR_JOINT_STOP = 5,
    /// The origins of I and J stay within a length.
    FOURBAR_PAIR_ROPE = 6,
    /// Shapes that the model has, or groups of them, do not overlap.
    FOURBAR_PAIR_SHAPES = 7,
}

/// A pair that may touch; set by `fourbar_pair_init` first. Texts and numbers are copied; what is not of its kind is not used.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct fourbar_pair {
    /// sizeof(fourbar_pair).
    pub struct_size: usize,
    /// Name, unique among contacts.
    pub name: *const c_char,
    /// A value of `fourbar_pair_kind`.
    pub kind: i32,
    /// Of stops: a value of `fourbar_direction`; `FOURBAR_DIRECTION_ONLY` by default. Of cylindrical joints and screws it must be said.
    pub direction: i32,
    /// The name of a marker or of a body; of stops the joint: revolute, prismatic, cylindrical or screw; of shapes a shape or a group.
    pub i: *const c_char,
    /// The name of a marker or of a body, or "ground"; of shapes a shape or a group, NULL for those of I against each other. Not of stops.
    pub j: *const c_char,
    /// Coefficient of restitution, 0 to 1; 0 by default.
    pub restitution: f64,
    /// Coefficient of friction, at least 0; 0 by default.
    pub friction: f64,
    /// Rolling friction: largest rolling torque over normal force \[m\]; 0 by default.
    pub rolling: f64,
    /// Spinning friction: largest torque about the normal over normal force \[m\]; 0 by default.
    pub spinning: f64,
    /// Radius about I of spheres \[m\].
    pub radius_i: f64,
    /// Radius about J of two spheres \[m\].
    pub radius_j: f64,
    /// Whole lengths of a box along x, y and z of I \[m\]: a zero makes a plate, two a rod.
    pub size: [f64; 3],
    /// How far a plane is moved along z of J \[m\]; 0 by default.
    pub offset: f64,
    /// Of ropes \[m\].
    pub length: f64,
    /// Smallest value of a stopped coordinate \[rad, m\]; NaN (the default): none.
    pub lower: f64,
    /// Largest value \[rad, m\]; NaN (the default): none.
    pub upper: f64,
    /// Of shapes: 1 where bodies that a joint binds together touch too; 0 by default.
    pub joined: i32,
    /// Not used; 0.
    pub reserved: i32,
}

// SAFETY: numbers and pointers, the size first.
unsafe impl Grows for fourbar_pair {
    const NAME: &'static str = "fourbar_pair";
    const FIRST: usize = size_of::<Self>();

    fn defaults() -> Self {
        let none = std::ptr::null();
        Self {
            struct_size: size_of::<Self>(),
            name: none,
            kind: 0,
            direction: 0,
            i: none,
            j: none,
            restitution: 0.0,
            friction: 0.0,
            rolling: 0.0,
            spinning: 0.0,
            radius_i: 0.0,
            radius_j: 0.0,
            size: [0.0; 3],
            offset: 0.0,
            length: 0.0,
            lower: f64::NAN,
            upper: f64::NAN,
            joined: 0,
            reserved: 0,
        }
    }

    fn reserved(&self) -> u32 {
        self.reserved.cast_unsigned()
    }
}

/// Sets the defaults: plastic, without friction; `size` is sizeof(fourbar_pair).
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
///
/// # Safety
/// `pair` is NULL or has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_pair_init(pair: *mut fourbar_pair, size: usize) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe { options::write(pair, size, &fourbar_pair::defaults()) })
}

/// Adds a pair that may touch. Names and ranges are checked by `fourbar_model_compile`.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`, `FOURBAR_TEXT`, `FOURBAR_NOT_FINITE`, `FOURBAR_INVALID` for an unknown kind or direction.
///
/// # Safety
/// `model` is NULL or alive; `pair` is NULL or a struct of the size it says, its texts NULL or ending with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_model_add_pair(
    model: *mut fourbar_model,
    pair: *const fourbar_pair,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(model, |draft| {
            view::reference(pair, "pair")?;
            let given = options::read(pair)?;
            let contact = Contact {
                name: view::text(given.name, "name")?.to_owned(),
                restitution: constant(given.restitution, "restitution")?,
                friction: constant(given.friction, "friction")?,
                rolling: constant(given.rolling, "rolling")?,
                spinning: constant(given.spinning, "spinning")?,
                kind: read_kind(&given)?,
            };
            draft.change().contacts.contacts.push(contact);
            Ok(())
        })
    }
}

fn constant(value: f64, name: &str) -> Result<Expression, Failure> {
    number(value, name).map(Expression::constant)
}

fn kind_of(value: i32) -> Result<fourbar_pair_kind, Failure> {
    use fourbar_pair_kind as K;
    let kinds = [
        K::FOURBAR_PAIR_POINT_PLANE,
        K::FOURBAR_PAIR_SPHERE_PLANE,
        K::FOURBAR_PAIR_SPHERE_SPHERE,
        K::FOURBAR_PAIR_BOX_PLANE,
        K::FOURBAR_PAIR_JOINT_STOP,
        K::FOURBAR_PAIR_ROPE,
        K::FOURBAR_PAIR_SHAPES,
    ];
    choose("kind", "fourbar_pair_kind", value, &kinds)
}

/// # Safety
/// The texts of `given` are NULL or end with a NUL.
unsafe fn read_kind(given: &fourbar_pair) -> Result<ContactKind, Failure> {
    use fourbar_pair_kind as K;
    let kind = kind_of(given.kind)?;
    // SAFETY: by contract.
    let name_i = unsafe { view::text(given.i, "i") }?;
    let i: MarkerRef = name_i.into();
    let j = || -> Result<MarkerRef, Failure> {
        // SAFETY: by contract.
        Ok(unsafe { view::text(given.j, "j") }?.into())
    };
    let offset = constant(given.offset, "offset")?;
    Ok(match kind {
        K::FOURBAR_PAIR_POINT_PLANE => ContactKind::PointPlane(PointPlane { i, j: j()?, offset }),
        K::FOURBAR_PAIR_SPHERE_PLANE => {
            let radius = constant(given.radius_i, "radius_i")?;
            ContactKind::SpherePlane(SpherePlane { i, radius, j: j()?, offset })
        }
        K::FOURBAR_PAIR_SPHERE_SPHERE => {
            let (radius_i, radius_j) = (constant(given.radius_i, "radius_i")?, constant(given.radius_j, "radius_j")?);
            ContactKind::SphereSphere(SphereSphere { i, j: j()?, radius_i, radius_j })
        }
        K::FOURBAR_PAIR_BOX_PLANE => {
            for value in given.size {
                number(value, "size")?;
            }
            ContactKind::BoxPlane(BoxPlane { i, size: vector(given.size), j: j()?, offset })
        }
        K::FOURBAR_PAIR_JOINT_STOP => ContactKind::JointStop(stop(name_i, given)?),
        K::FOURBAR_PAIR_ROPE => ContactKind::Rope(Rope { i, j: j()?, length: constant(given.length, "length")? }),
        K::FOURBAR_PAIR_SHAPES => {
            // SAFETY: by contract.
            let j = unsafe { optional(given.j, "j") }?.map(str::to_owned);
            ContactKind::Shapes(Shapes { i: name_i.to_owned(), j, joined: given.joined != 0 })
        }
    })
}

fn stop(joint: &str, given: &fourbar_pair) -> Result<JointStop, Failure> {
    let limit = |value: f64, name: &str| (!value.is_nan()).then(|| constant(value, name)).transpose();
    let direction = match given.direction {
        0 => None,
        value => Some(choose("direction", "fourbar_direction", value, &[Direction::Rotation, Direction::Translation])?),
    };
    let (lower, upper) = (limit(given.lower, "lower")?, limit(given.upper, "upper")?);
    Ok(JointStop { joint: joint.to_owned(), direction, lower, upper })
}
