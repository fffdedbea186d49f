//! The walk through sensors and activities.

use super::{Dimension, Walk};
use crate::model::{Activity, Sensor};

pub(super) fn sensor(walk: &mut dyn Walk, sensor: &mut Sensor) {
    let Sensor {
        name,
        expression,
        value,
        direction: _,
        when,
        once: _,
        stop: _,
        print,
        set,
        lock,
        release,
        activate,
        deactivate,
        step,
        max_step,
    } = sensor;
    walk.name(name);
    walk.expression(expression, Dimension::NONE);
    walk.expression(value, Dimension::NONE);
    walk.optional(when, Dimension::NONE);
    print.iter_mut().for_each(|e| walk.expression(e, Dimension::NONE));
    let mut entry = |(mut name, mut value)| {
        walk.name(&mut name);
        walk.expression(&mut value, Dimension::NONE);
        (name, value)
    };
    *set = std::mem::take(set).into_iter().map(&mut entry).collect();
    [lock, release, activate, deactivate].into_iter().flatten().for_each(|name| walk.name(name));
    walk.optional(step, Dimension::TIME);
    walk.optional(max_step, Dimension::TIME);
}

pub(super) fn activity(walk: &mut dyn Walk, activity: &mut Activity) {
    let Activity { kind: _, name, active } = activity;
    walk.name(name);
    walk.expression(active, Dimension::NONE);
}
