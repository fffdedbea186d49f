//! Friction at joints of a model.

use std::ffi::c_char;

use fourbar::multibody::expression::Expression;
use fourbar::multibody::model::Friction;

use super::model::{fourbar_model, number, with};
use crate::abi::error::Failure;
use crate::abi::options::{self, Grows};
use crate::abi::status::fourbar_status;
use crate::abi::{guard, view};

/// Friction at a revolute, prismatic, cylindrical, spherical, universal or Hooke joint, from its reaction; set by `fourbar_friction_init` first. Texts
/// and numbers are copied.
///
/// The surfaces are pressed by |force across the axis| + |force along it| friction_arm/pin_radius + |moment across the axis|/bending_arm +
/// |moment about it|/torsion_arm + preload_force + preload_torque/pin_radius; a ball by the whole force. Moments are those about marker I.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct fourbar_friction {
    /// sizeof(fourbar_friction).
    pub struct_size: usize,
    /// Name, unique among friction and force elements.
    pub name: *const c_char,
    /// The joint.
    pub joint: *const c_char,
    /// Coefficient of fast sliding, zero or positive.
    pub mu_dynamic: f64,
    /// Largest coefficient, at the transition velocity; NaN (the default): mu_dynamic.
    pub mu_static: f64,
    /// Velocity of the surfaces at which friction is largest [m/s], positive.
    pub transition_velocity: f64,
    /// Force on the surfaces a velocity [N s/m]; 0 by default.
    pub viscous: f64,
    /// Radius of the pin or ball \[m\]; NaN (the default) for prismatic joints alone.
    pub pin_radius: f64,
    /// Radius at which the force along the axis rubs \[m\]; NaN (the default): it does not.
    pub friction_arm: f64,
    /// Moment across the axis over the force on the surfaces \[m\]; NaN (the default): it does not count.
    pub bending_arm: f64,
    /// Moment about the axis of a prismatic joint over the force on the surfaces \[m\]; NaN (the default): it does not count.
    pub torsion_arm: f64,
    /// Force that presses the surfaces without any reaction \[N\]; 0 by default.
    pub preload_force: f64,
    /// The same as a torque at the radius of the pin or ball \[N m\]; NaN (the default): none.
    pub preload_torque: f64,
    /// Whether the force across the axis, or that on a ball, presses; 1 by default.
    pub reaction: i32,
    /// Not used; 0.
    pub reserved: i32,
}

// SAFETY: numbers and pointers, the size first.
unsafe impl Grows for fourbar_friction {
    const NAME: &'static str = "fourbar_friction";
    const FIRST: usize = size_of::<Self>();

    fn defaults() -> Self {
        Self {
            struct_size: size_of::<Self>(),
            name: std::ptr::null(),
            joint: std::ptr::null(),
            mu_dynamic: 0.0,
            mu_static: f64::NAN,
            transition_velocity: 0.0,
            viscous: 0.0,
            pin_radius: f64::NAN,
            friction_arm: f64::NAN,
            bending_arm: f64::NAN,
            torsion_arm: f64::NAN,
            preload_force: 0.0,
            preload_torque: f64::NAN,
            reaction: 1,
            reserved: 0,
        }
    }

    fn reserved(&self) -> u32 {
        self.reserved.cast_unsigned()
    }
}

/// Sets the defaults: no friction yet, pressed by the reaction; `size` is sizeof(fourbar_friction).
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
///
/// # Safety
/// `friction` is NULL or has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_friction_init(friction: *mut fourbar_friction, size: usize) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe { options::write(friction, size, &fourbar_friction::defaults()) })
}

/// Adds friction at a joint. Names and ranges are checked by `fourbar_model_compile`.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`, `FOURBAR_TEXT`, `FOURBAR_NOT_FINITE`.
///
/// # Safety
/// `model` is NULL or alive; `friction` is NULL or a struct of the size it says, its texts NULL or ending with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_model_add_friction(
    model: *mut fourbar_model,
    friction: *const fourbar_friction,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(model, |draft| {
            view::reference(friction, "friction")?;
            let given = options::read(friction)?;
            let read = read(&given)?;
            draft.change().model.frictions.push(read);
            Ok(())
        })
    }
}

/// # Safety
/// Texts are NULL or end with a NUL.
unsafe fn read(given: &fourbar_friction) -> Result<Friction, Failure> {
    let constant = |value: f64, name: &str| number(value, name).map(Expression::constant);
    // SAFETY: by contract.
    let (name, joint) = unsafe { (view::text(given.name, "name")?, view::text(given.joint, "joint")?) };
    Ok(Friction {
        name: name.to_owned(),
        joint: joint.to_owned(),
        mu_dynamic: constant(given.mu_dynamic, "mu_dynamic")?,
        mu_static: absent(given.mu_static, "mu_static")?,
        transition_velocity: constant(given.transition_velocity, "transition_velocity")?,
        viscous: Some(constant(given.viscous, "viscous")?),
        pin_radius: absent(given.pin_radius, "pin_radius")?,
        reaction: given.reaction != 0,
        friction_arm: absent(given.friction_arm, "friction_arm")?,
        bending_arm: absent(given.bending_arm, "bending_arm")?,
        torsion_arm: absent(given.torsion_arm, "torsion_arm")?,
        preload_force: Some(constant(given.preload_force, "preload_force")?),
        preload_torque: absent(given.preload_torque, "preload_torque")?,
    })
}

/// A number that may be missing: a NaN.
fn absent(value: f64, name: &str) -> Result<Option<Expression>, Failure> {
    if value.is_nan() { Ok(None) } else { number(value, name).map(|v| Some(Expression::constant(v))) }
}
