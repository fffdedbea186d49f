//! The way to another time along which motions by displacement take a mechanism, in parts that Newton's iteration can follow.

use crate::drive::TimeFunction;
use crate::error::Error;
use crate::expression::Stack;
use crate::input::Inputs;
use crate::mechanism::Mechanism;
use crate::state::State;
use num_dual::Dual2_64;

/// How often a way in time may be halved before a position counts as out of reach.
pub(super) const HALVINGS: i32 = 20;
/// Turn of a motion in one go [rad, lengths of the mechanism].
const TURN: f64 = 0.3;

/// Largest way of the motions of `mechanism` within `h` \[s\] from `now`, in rad or lengths of the mechanism.
pub(super) fn of_motions(mechanism: &Mechanism, now: f64, h: f64, stack: &mut Stack<Dual2_64>) -> f64 {
    let mut worst = 0.0_f64;
    for bound in &mechanism.constraints {
        let Some(drive) = bound.drive else { continue };
        let function = &mechanism.drives[drive].function;
        let way = function.time_derivatives(now + h, stack)[0] - function.time_derivatives(now, stack)[0];
        worst = worst.max(way.abs() / if bound.constraint.is_angular() { 1.0 } else { mechanism.length });
    }
    worst
}

/// The positions of `state` taken to `time` by the motions: the nearest ones that satisfy joints and motions, in parts.
///
/// # Errors
/// [`Error::NotAssembled`] where the joints cannot follow; [`Error::Motion`], [`Error::DisplacementJumps`] by name; [`Error::Free`] with motions given by velocity, whose displacement at another time
/// is not known.
pub(super) fn go(mechanism: &Mechanism, state: &State, time: f64, inputs: &Inputs) -> Result<State, Error> {
    let mut state = state.clone();
    if state.time == time {
        return Ok(state);
    }
    if mechanism.drive_unknowns() > 0 {
        return Err(Error::Free { degrees: mechanism.drive_unknowns() });
    }
    if !mechanism.drives.is_empty() {
        mechanism.refuse_rolling("statics at a time to which motions go")?;
    }
    let mut stack = TimeFunction::stack(&mechanism.drives);
    let mut halvings = 0;
    super::motions::check(mechanism, state.time, time, &mut stack)?;
    while state.time != time {
        let now = state.time;
        let mut h = (time - now) * 0.5_f64.powi(halvings);
        // A motion that jumps turns by as much in any time.
        for _ in 0..HALVINGS {
            if !(of_motions(mechanism, now, h, &mut stack) > TURN) {
                break;
            }
            h *= 0.5;
        }
        let to = if h == time - now || now + h == now { time } else { now + h };
        match mechanism.consistent(&State { time: to, ..state.clone() }, inputs) {
            Ok(reached) => (state, halvings) = (reached, 0),
            Err(Error::NotAssembled { .. }) if halvings < HALVINGS => halvings += 1,
            Err(error) => return Err(mechanism.at_right_angle(&super::with_ground(&state.poses), state.time, error)),
        }
    }
    Ok(state)
}
