//! Sensors, and elements that act for a part of the time.

use std::ffi::c_char;

use fourbar::multibody::model::{Activity, CrossingDirection, ElementKind, Sensor};

use super::joint::{choose, expression};
use super::model::{fourbar_model, with};
use crate::abi::error::Failure;
use crate::abi::status::fourbar_status;
use crate::abi::view;

/// Which way a sensor's expression crosses its value.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum fourbar_crossing {
    /// Either way.
    FOURBAR_CROSSING_EITHER = 1,
    /// From below to above.
    FOURBAR_CROSSING_RISING = 2,
    /// From above to below.
    FOURBAR_CROSSING_FALLING = 3,
}

/// What a sensor does.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum fourbar_sensor_action {
    /// Ends the run; neither name nor expression.
    FOURBAR_SENSOR_STOP = 1,
    /// Writes the value of the expression to the list of events.
    FOURBAR_SENSOR_PRINT = 2,
    /// Gives a parameter or input the value of the expression.
    FOURBAR_SENSOR_SET = 3,
    /// Lets a joint or motion hold.
    FOURBAR_SENSOR_LOCK = 4,
    /// Lets a joint or motion go.
    FOURBAR_SENSOR_RELEASE = 5,
    /// Lets a force act.
    FOURBAR_SENSOR_ACTIVATE = 6,
    /// Lets a force cease.
    FOURBAR_SENSOR_DEACTIVATE = 7,
    /// Begins anew with the step of the expression \[s\].
    FOURBAR_SENSOR_STEP = 8,
    /// Begins anew and takes no longer steps than the expression \[s\].
    FOURBAR_SENSOR_MAX_STEP = 9,
}

/// Kinds of elements that can be switched.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum fourbar_element_kind {
    /// A joint.
    FOURBAR_ELEMENT_JOINT = 1,
    /// A motion.
    FOURBAR_ELEMENT_MOTION = 2,
    /// A force.
    FOURBAR_ELEMENT_FORCE = 3,
}

/// Adds a sensor: `expression` over time, parameters, inputs and measures, and `value` (NULL: 0) that it crosses in the direction `crossing`,
/// a value of `fourbar_crossing`. Where `when` is given, not NULL, the crossing counts where that is above 0. `once` other than 0: the first one
/// alone counts. It needs an action: `fourbar_model_add_sensor_action`.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_INVALID` for an unknown direction or what is no expression.
///
/// # Safety
/// `model` is NULL or alive; texts are NULL or end with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_model_add_sensor(
    model: *mut fourbar_model,
    name: *const c_char,
    watched: *const c_char,
    value: *const c_char,
    crossing: i32,
    when: *const c_char,
    once: i32,
) -> fourbar_status {
    use CrossingDirection as D;
    // SAFETY: by contract.
    unsafe {
        with(model, |draft| {
            let directions = [D::Either, D::Rising, D::Falling];
            let mut sensor = Sensor::new(view::text(name, "name")?, expression(watched, "watched")?);
            if !value.is_null() {
                sensor.value = expression(value, "value")?;
            }
            sensor.direction = choose("crossing", "fourbar_crossing", crossing, &directions)?;
            sensor.when = if when.is_null() { None } else { Some(expression(when, "when")?) };
            sensor.once = once != 0;
            draft.change().model.sensors.push(sensor);
            Ok(())
        })
    }
}

/// Adds what a sensor of the model does: `action`, a value of `fourbar_sensor_action`, which says whether `name` and `given` count; else they may be
/// NULL. All actions of a sensor take place at once.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_INVALID` for a sensor that the model does not have, an unknown action or what is no expression.
///
/// # Safety
/// `model` is NULL or alive; texts are NULL or end with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_model_add_sensor_action(
    model: *mut fourbar_model,
    sensor: *const c_char,
    action: i32,
    name: *const c_char,
    given: *const c_char,
) -> fourbar_status {
    use fourbar_sensor_action as A;
    let actions = [
        A::FOURBAR_SENSOR_STOP,
        A::FOURBAR_SENSOR_PRINT,
        A::FOURBAR_SENSOR_SET,
        A::FOURBAR_SENSOR_LOCK,
        A::FOURBAR_SENSOR_RELEASE,
        A::FOURBAR_SENSOR_ACTIVATE,
        A::FOURBAR_SENSOR_DEACTIVATE,
        A::FOURBAR_SENSOR_STEP,
        A::FOURBAR_SENSOR_MAX_STEP,
    ];
    // SAFETY: by contract.
    unsafe {
        with(model, |draft| {
            let wanted = view::text(sensor, "sensor")?;
            let action = choose("action", "fourbar_sensor_action", action, &actions)?;
            let name = || view::text(name, "name").map(str::to_owned);
            let given = || expression(given, "given");
            let sensors = &draft.change().model.sensors;
            let Some(at) = sensors.iter().position(|sensor| sensor.name == wanted) else {
                let text = format!("the model has no sensor \"{wanted}\"; add it first");
                return Err(Failure::new(fourbar_status::FOURBAR_INVALID, text));
            };
            let mut changed = sensors[at].clone();
            match action {
                A::FOURBAR_SENSOR_STOP => changed.stop = true,
                A::FOURBAR_SENSOR_PRINT => changed.print.push(given()?),
                A::FOURBAR_SENSOR_SET => drop(changed.set.insert(name()?, given()?)),
                A::FOURBAR_SENSOR_LOCK => changed.lock.push(name()?),
                A::FOURBAR_SENSOR_RELEASE => changed.release.push(name()?),
                A::FOURBAR_SENSOR_ACTIVATE => changed.activate.push(name()?),
                A::FOURBAR_SENSOR_DEACTIVATE => changed.deactivate.push(name()?),
                A::FOURBAR_SENSOR_STEP => changed.step = Some(given()?),
                A::FOURBAR_SENSOR_MAX_STEP => changed.max_step = Some(given()?),
            }
            draft.change().model.sensors[at] = changed;
            Ok(())
        })
    }
}

/// Lets the joint, motion or force `name` (`kind`: a value of `fourbar_element_kind`) act where `active` is above 0; NULL: all the time.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_INVALID` for an unknown kind or what is no expression. An element that the model does not have is
/// an error of `fourbar_model_compile`.
///
/// # Safety
/// `model` is NULL or alive; texts are NULL or end with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_model_set_active(
    model: *mut fourbar_model,
    kind: i32,
    name: *const c_char,
    active: *const c_char,
) -> fourbar_status {
    use ElementKind as K;
    // SAFETY: by contract.
    unsafe {
        with(model, |draft| {
            let kind = choose("kind", "fourbar_element_kind", kind, &[K::Joint, K::Motion, K::Force])?;
            let name = view::text(name, "name")?.to_owned();
            let active = if active.is_null() { None } else { Some(expression(active, "active")?) };
            let activities = &mut draft.change().model.activities;
            activities.retain(|other| other.kind != kind || other.name != name);
            activities.extend(active.map(|active| Activity { kind, name, active }));
            Ok(())
        })
    }
}
