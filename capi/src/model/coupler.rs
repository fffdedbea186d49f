//! Couplers, gears and racks of a model.

use std::ffi::c_char;

use fourbar::multibody::expression::Expression;
use fourbar::multibody::model::{CoupledJoint, Coupler, Direction, Gear, RackAndPinion};

use super::joint::{choose, fourbar_direction};
use super::model::{fourbar_model, number, with};
use crate::abi::error::Failure;
use crate::abi::status::fourbar_status;
use crate::abi::view;

fn direction(value: i32) -> Result<Option<Direction>, Failure> {
    if value == fourbar_direction::FOURBAR_DIRECTION_ONLY as i32 {
        return Ok(None);
    }
    choose("direction", "fourbar_direction", value, &[Direction::Rotation, Direction::Translation]).map(Some)
}

/// Adds a coupler: the sum of `ratios[k]` times the coordinate of joint `joints[k]` (an angle about z of J \[rad\] or a displacement along it \[m\], full
/// turns counted) stays what it is at the start. `count` is 2 or 3. `directions` (values of `fourbar_direction`) may be NULL where no joint is
/// cylindrical.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_NOT_FINITE`, `FOURBAR_INVALID` for an unknown direction or another count. Joints that do not fit are
/// errors of `fourbar_model_compile`.
///
/// # Safety
/// `model` is NULL or alive; `joints`, `ratios` and, unless NULL, `directions` have `count` values; texts are NULL or end with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_model_add_coupler(
    model: *mut fourbar_model,
    name: *const c_char,
    joints: *const *const c_char,
    directions: *const i32,
    ratios: *const f64,
    count: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(model, |draft| {
            let name = view::text(name, "name")?.to_owned();
            // Before arrays are read: a wrong count may be any number.
            if !(2..=3).contains(&count) {
                let text = format!("count is {count}; a coupler relates two or three joints");
                return Err(Failure::new(fourbar_status::FOURBAR_INVALID, text));
            }
            let ratios = view::slice(ratios, count, "ratios")?;
            let names = view::texts(view::slice(joints, count, "joints")?, "joints")?;
            let directions = if directions.is_null() { &[][..] } else { view::slice(directions, count, "directions")? };
            let mut coupled = Vec::with_capacity(count);
            for (k, (joint, &ratio)) in names.into_iter().zip(ratios).enumerate() {
                let direction = directions.get(k).map_or(Ok(None), |value| direction(*value))?;
                let ratio = Expression::constant(number(ratio, "ratios")?);
                coupled.push(CoupledJoint { joint, direction, ratio });
            }
            draft.change().model.couplers.push(Coupler { name, joints: coupled });
            Ok(())
        })
    }
}

/// Adds a pair of gears, held by `joint_1` and `joint_2` (revolute, prismatic or cylindrical) on one carrier. `common_velocity` is the name of a marker on
/// the carrier: at its origin, the pitch point, both gears have the same velocity along its z axis.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`. Joints and markers that do not fit are errors of `fourbar_model_compile`.
///
/// # Safety
/// `model` is NULL or alive; texts are NULL or end with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_model_add_gear(
    model: *mut fourbar_model,
    name: *const c_char,
    joint_1: *const c_char,
    joint_2: *const c_char,
    common_velocity: *const c_char,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(model, |draft| {
            let gear = Gear {
                name: view::text(name, "name")?.to_owned(),
                joints: [view::text(joint_1, "joint_1")?.to_owned(), view::text(joint_2, "joint_2")?.to_owned()],
                common_velocity: view::text(common_velocity, "common_velocity")?.into(),
            };
            draft.change().model.gears.push(gear);
            Ok(())
        })
    }
}

/// Adds a pinion on a rack: the displacement of joint `rack` (prismatic or cylindrical) is `pitch_radius` \[m\] times the angle of joint `pinion` (revolute or
/// cylindrical), from the start on. A negative radius reverses the rack.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_NOT_FINITE`. Joints that do not fit are errors of `fourbar_model_compile`.
///
/// # Safety
/// `model` is NULL or alive; texts are NULL or end with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_model_add_rack_and_pinion(
    model: *mut fourbar_model,
    name: *const c_char,
    pinion: *const c_char,
    rack: *const c_char,
    pitch_radius: f64,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(model, |draft| {
            let rack = RackAndPinion {
                name: view::text(name, "name")?.to_owned(),
                pinion: view::text(pinion, "pinion")?.to_owned(),
                rack: view::text(rack, "rack")?.to_owned(),
                pitch_radius: Expression::constant(number(pitch_radius, "pitch_radius")?),
            };
            draft.change().model.racks.push(rack);
            Ok(())
        })
    }
}
