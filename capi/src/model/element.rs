//! Bodies, markers, inputs and actuators of a model.

use std::ffi::c_char;

use fourbar::multibody::expression::Expression;
use fourbar::multibody::model::{Actuator, ActuatorKind, Body, Exact, Frame, Input, Marker, Orientation, vector};

use super::model::{fourbar_model, number, numbers, with};
use crate::abi::error::Failure;
use crate::abi::options::{self, Grows};
use crate::abi::status::fourbar_status;
use crate::abi::{guard, view};

/// Assembly keeps the x of the centre of mass. Of several start values to keep, the sum of their bits.
pub const FOURBAR_EXACT_X: u32 = 1 << 0;
/// Assembly keeps the y of the centre of mass.
pub const FOURBAR_EXACT_Y: u32 = 1 << 1;
/// Assembly keeps the z of the centre of mass.
pub const FOURBAR_EXACT_Z: u32 = 1 << 2;
/// Assembly keeps the orientation.
pub const FOURBAR_EXACT_ORIENTATION: u32 = 1 << 3;
/// Assembly keeps the velocity of the centre of mass along x.
pub const FOURBAR_EXACT_VX: u32 = 1 << 4;
/// Assembly keeps the velocity of the centre of mass along y.
pub const FOURBAR_EXACT_VY: u32 = 1 << 5;
/// Assembly keeps the velocity of the centre of mass along z.
pub const FOURBAR_EXACT_VZ: u32 = 1 << 6;
/// Assembly keeps the angular velocity.
pub const FOURBAR_EXACT_ANGULAR_VELOCITY: u32 = 1 << 7;

/// A rigid body; set by `fourbar_body_init` first. Texts and numbers are copied.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct fourbar_body {
    /// sizeof(fourbar_body).
    pub struct_size: usize,
    /// Name, unique among bodies; not "ground".
    pub name: *const c_char,
    /// Mass \[kg\], positive.
    pub mass: f64,
    /// Ixx, Iyy, Izz, Ixy, Ixz, Iyz of the inertia matrix about the centre of mass, in axes parallel to the body frame \[kg m^2\]. All 0 (the
    /// default): a point mass, which joints must keep from turning.
    pub inertia: [f64; 6],
    /// Centre of mass in the body frame \[m\].
    pub center_of_mass: [f64; 3],
    /// Origin of the body frame in the global frame at the start \[m\].
    pub position: [f64; 3],
    /// Orientation of the body frame at the start: w, x, y, z; 1, 0, 0, 0 by default. Normalized.
    pub quaternion: [f64; 4],
    /// Velocity of the centre of mass at the start, global frame \[m/s\].
    pub velocity: [f64; 3],
    /// Angular velocity at the start, global frame \[rad/s\].
    pub angular_velocity: [f64; 3],
    /// Sum of FOURBAR_EXACT_...: start values that assembly shall keep; 0 by default.
    pub exact: u32,
    /// Not used; 0.
    pub reserved: u32,
}

// SAFETY: numbers and a pointer, the size first.
unsafe impl Grows for fourbar_body {
    const NAME: &'static str = "fourbar_body";
    const FIRST: usize = size_of::<Self>();

    fn defaults() -> Self {
        Self {
            struct_size: size_of::<Self>(),
            name: std::ptr::null(),
            mass: 1.0,
            inertia: [0.0; 6],
            center_of_mass: [0.0; 3],
            position: [0.0; 3],
            quaternion: [1.0, 0.0, 0.0, 0.0],
            velocity: [0.0; 3],
            angular_velocity: [0.0; 3],
            exact: 0,
            reserved: 0,
        }
    }

    fn reserved(&self) -> u32 {
        self.reserved
    }
}

/// Sets the defaults: 1 kg, a point mass, at rest in the origin; `size` is sizeof(fourbar_body).
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
///
/// # Safety
/// `body` is NULL or has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_body_init(body: *mut fourbar_body, size: usize) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe { options::write(body, size, &fourbar_body::defaults()) })
}

/// Adds a body.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`, `FOURBAR_TEXT`, `FOURBAR_NOT_FINITE`, `FOURBAR_INVALID` for unknown bits of `exact`.
///
/// # Safety
/// `model` is NULL or alive; `body` is NULL or a struct of the size it says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_model_add_body(
    model: *mut fourbar_model,
    body: *const fourbar_body,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(model, |draft| {
            view::reference(body, "body")?;
            let body = read_body(&options::read(body)?)?;
            draft.change().model.bodies.push(body);
            Ok(())
        })
    }
}

/// # Safety
/// The name of `given` is NULL or ends with a NUL.
unsafe fn read_body(given: &fourbar_body) -> Result<Body, Failure> {
    let three = |values: &[f64; 3], name: &str| -> Result<_, Failure> {
        for value in values {
            number(*value, name)?;
        }
        Ok(vector(*values))
    };
    let mut inertia = Vec::new();
    if given.inertia != [0.0; 6] {
        for value in given.inertia {
            inertia.push(Expression::constant(number(value, "inertia")?));
        }
    }
    Ok(Body {
        // SAFETY: by contract.
        name: unsafe { view::text(given.name, "name") }?.to_owned(),
        mass: Expression::constant(number(given.mass, "mass")?),
        inertia,
        center_of_mass: three(&given.center_of_mass, "center_of_mass")?,
        position: three(&given.position, "position")?,
        orientation: orientation(&given.quaternion)?,
        velocity: three(&given.velocity, "velocity")?,
        angular_velocity: three(&given.angular_velocity, "angular_velocity")?,
        exact: exact(given.exact)?,
        solids: Vec::new(),
    })
}

fn orientation(quaternion: &[f64; 4]) -> Result<Orientation, Failure> {
    for value in quaternion {
        number(*value, "quaternion")?;
    }
    if *quaternion == [1.0, 0.0, 0.0, 0.0] {
        return Ok(Orientation::default());
    }
    Ok(Orientation { quaternion: Some(quaternion.map(Expression::constant)), ..Orientation::default() })
}

fn exact(bits: u32) -> Result<Vec<Exact>, Failure> {
    let all =
        [Exact::X, Exact::Y, Exact::Z, Exact::Orientation, Exact::Vx, Exact::Vy, Exact::Vz, Exact::AngularVelocity];
    if bits >> all.len() != 0 {
        let text = format!("exact is {bits:#x}, which has bits that are no FOURBAR_EXACT_...");
        return Err(Failure::new(fourbar_status::FOURBAR_INVALID, text));
    }
    Ok(all.into_iter().enumerate().filter(|(k, _)| bits & (1 << k) != 0).map(|(_, exact)| exact).collect())
}

/// Adds a marker, a named frame fixed to a body. `position` is its origin \[m\] (NULL: 0, 0, 0) and `quaternion` its orientation, w, x, y, z (NULL: not
/// turned), in the frame of its body, or in the global frame with `global` other than 0.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_NOT_FINITE`.
///
/// # Safety
/// `model` is NULL or alive; texts are NULL or end with a NUL; `position` is NULL or has three values, `quaternion` is NULL or has four.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_model_add_marker(
    model: *mut fourbar_model,
    name: *const c_char,
    body: *const c_char,
    position: *const f64,
    quaternion: *const f64,
    global: i32,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(model, |draft| {
            let position = if position.is_null() { [0.0; 3] } else { numbers(position, "position")? };
            let identity = [1.0, 0.0, 0.0, 0.0];
            let quaternion = if quaternion.is_null() { identity } else { numbers(quaternion, "quaternion")? };
            let marker = Marker {
                name: view::text(name, "name")?.to_owned(),
                body: view::text(body, "body")?.to_owned(),
                position: vector(position),
                orientation: orientation(&quaternion)?,
                frame: if global == 0 { Frame::Body } else { Frame::Global },
            };
            draft.change().model.markers.push(marker);
            Ok(())
        })
    }
}

/// Adds an input: a number that the host sets while the mechanism runs, of `unit` (NULL: a bare number), which forces and measures use by its name. It
/// is `start` until another value is set.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_NOT_FINITE`.
///
/// # Safety
/// `model` is NULL or alive; texts are NULL or end with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_model_add_input(
    model: *mut fourbar_model,
    name: *const c_char,
    unit: *const c_char,
    start: f64,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(model, |draft| {
            let unit = if unit.is_null() { "" } else { view::text(unit, "unit")? };
            let input = Input {
                name: view::text(name, "name")?.to_owned(),
                unit: unit.to_owned(),
                value: Expression::constant(number(start, "start")?),
            };
            draft.change().model.inputs.push(input);
            Ok(())
        })
    }
}

/// Adds an actuator between the markers `i` and `j`: a force along the line between them (positive pushes them apart), or with `torque` other
/// than 0 a torque on I about z of J, whose size is the input "name.force" \[N\] or "name.torque" \[N m\], `start` until it is set. It brings
/// the measures "name.displacement" and "name.velocity", or "name.angle" and "name.rate". `replaces` (NULL: none) is a motion that is then
/// not in force.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_NOT_FINITE`.
///
/// # Safety
/// `model` is NULL or alive; texts are NULL or end with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_model_add_actuator(
    model: *mut fourbar_model,
    name: *const c_char,
    i: *const c_char,
    j: *const c_char,
    torque: i32,
    start: f64,
    replaces: *const c_char,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(model, |draft| {
            let replaces = if replaces.is_null() { None } else { Some(view::text(replaces, "replaces")?.to_owned()) };
            let actuator = Actuator {
                name: view::text(name, "name")?.to_owned(),
                kind: if torque == 0 { ActuatorKind::Force } else { ActuatorKind::Torque },
                i: view::text(i, "i")?.into(),
                j: view::text(j, "j")?.into(),
                start: Expression::constant(number(start, "start")?),
                replaces,
            };
            draft.change().model.actuators.push(actuator);
            Ok(())
        })
    }
}
