//! What the motions of a mechanism do at a time, by name.

use super::crossing::ROUNDED;
use crate::drive::{Law, TimeFunction};
use crate::error::Error;
use crate::expression::Stack;
use crate::mechanism::Mechanism;
use crate::state::State;
use num_dual::Dual2_64;

/// How often a step is halved where a displacement is looked for that jumps within it.
const HALVINGS: i32 = 40;

impl Mechanism {
    /// Names of the motions that move at `state`, with their rates [m/s, rad/s].
    #[must_use]
    pub fn moving_motions(&self, state: &State) -> Vec<(String, f64)> {
        let mut stack = TimeFunction::stack(&self.drives);
        let rate = |(k, drive): (usize, &crate::drive::Drive)| {
            let rate = drive.evaluate(state.time, &state.drives, &mut stack)[1];
            (rate != 0.0).then(|| (self.motion_name(k), rate))
        };
        self.drives.iter().enumerate().filter_map(rate).collect()
    }

    fn motion_name(&self, drive: usize) -> String {
        let bound = self.constraints.iter().find(|bound| bound.drive == Some(drive));
        bound.map_or_else(String::new, |bound| self.sets[bound.set].name.clone())
    }
}

/// Refuses displacements that have no value at `to`, and those that jump between `from` and `to` \[s\].
///
/// # Errors
/// [`Error::Motion`], [`Error::DisplacementJumps`] by name.
pub(super) fn check(mechanism: &Mechanism, from: f64, to: f64, stack: &mut Stack<Dual2_64>) -> Result<(), Error> {
    for (k, drive) in mechanism.drives.iter().enumerate().filter(|(_, drive)| drive.law == Law::Displacement) {
        let value = |time: f64, stack: &mut _| drive.function.time_derivatives(time, stack)[0];
        let [before, behind] = [value(from, stack), value(to, stack)];
        if !behind.is_finite() {
            return Err(Error::Motion { motion: mechanism.motion_name(k), time: to, value: behind });
        }
        let bound = mechanism.constraints.iter().find(|bound| bound.drive == Some(k));
        let unit = if bound.is_some_and(|bound| bound.constraint.is_angular()) { 1.0 } else { mechanism.length };
        // Bisection keeps the half in which most of the way lies: of a jump it stays.
        let (mut low, mut high, mut ends) = (from, to, [before, behind]);
        for _ in 0..HALVINGS {
            let way = (ends[1] - ends[0]).abs();
            let middle = 0.5 * (low + high);
            if !(way > ROUNDED * unit) || middle == low || middle == high {
                break;
            }
            let between = value(middle, stack);
            if (between - ends[0]).abs() > (ends[1] - between).abs() {
                (high, ends[1]) = (middle, between);
            } else {
                (low, ends[0]) = (middle, between);
            }
        }
        let jump = ends[1] - ends[0];
        // A steep ramp goes on getting shorter: by a thousandth of its way in ten halvings.
        if jump.abs() > ROUNDED * unit && (high - low).abs() <= 1e-9 * (to - from).abs() {
            return Err(Error::DisplacementJumps { motion: mechanism.motion_name(k), time: high, jump });
        }
    }
    Ok(())
}
