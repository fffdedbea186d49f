//! The walk through states and blocks. What they hold is as it is written; rates are by the time.

use super::{Dimension, Walk};
use crate::expression::Expression;
use crate::model::{Pid, StateSpaceBlock, TransferFunction, UserState};

const NONE: Dimension = Dimension::NONE;
const RATE: Dimension = Dimension::NONE.times_time(-1);

pub(super) fn state(walk: &mut dyn Walk, state: &mut UserState) {
    let UserState { name, unit: _, rate, zero, start, size } = state;
    walk.name(name);
    walk.optional(rate, RATE);
    walk.optional(zero, NONE);
    [start, size].into_iter().for_each(|e| walk.expression(e, NONE));
}

pub(super) fn transfer_function(walk: &mut dyn Walk, block: &mut TransferFunction) {
    let TransferFunction { name, unit: _, input, numerator, denominator } = block;
    walk.name(name);
    walk.expression(input, NONE);
    for polynomial in [numerator, denominator] {
        // The coefficient of s^k, highest power first, is a time to the power k.
        for (power, e) in (0..).zip(polynomial.iter_mut().rev()) {
            walk.expression(e, NONE.times_time(power));
        }
    }
}

pub(super) fn state_space(walk: &mut dyn Walk, block: &mut StateSpaceBlock) {
    let StateSpaceBlock { name, unit: _, inputs, a, b, c, d, start } = block;
    walk.name(name);
    a.iter_mut().chain(b).flatten().for_each(|e| walk.expression(e, RATE));
    let bare = c.iter_mut().chain(d).flatten().chain(inputs).chain(start);
    bare.for_each(|e: &mut Expression| walk.expression(e, NONE));
}

pub(super) fn pid(walk: &mut dyn Walk, block: &mut Pid) {
    let Pid { name, unit: _, input, kp, ki, kd, filter, lower, upper, tracking, start, start_input } = block;
    walk.name(name);
    [input, kp, start, start_input].into_iter().for_each(|e| walk.expression(e, NONE));
    walk.expression(ki, RATE);
    walk.expression(kd, Dimension::TIME);
    [filter, tracking].into_iter().for_each(|e| walk.optional(e, Dimension::TIME));
    [lower, upper].into_iter().for_each(|e| walk.optional(e, NONE));
}
