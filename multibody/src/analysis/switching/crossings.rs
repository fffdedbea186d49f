//! Where expressions cross their values within a step: samples, a parabola through them for what dips in between, and bisection.

use super::{INSTANT, Switching};
use crate::analysis::dynamics::Dynamics;
use crate::error::Error;

/// Parts of a step at whose ends the expressions are evaluated; a parabola through these finds what dips between them.
const PARTS: u32 = 4;

impl Dynamics {
    pub(super) fn sense(&mut self, own: &mut Switching, time: f64) -> Result<(), Error> {
        self.motion_at(time)?;
        own.sensing.evaluate(&self.mechanism, &mut self.state)
    }

    /// Those that are on another side at the last evaluation.
    pub(super) fn changed(&self, own: &Switching) -> Vec<(usize, i8)> {
        let sensors = self.mechanism.switches.sensors.len();
        let known = |k: &usize| own.sensing.sides[*k] != 0;
        let all = (0..self.mechanism.switches.count()).filter(known);
        all.filter_map(|k| Some((k, own.sensing.new_side(k, k >= sensors)?))).collect()
    }

    /// Looks for crossings from where the motion stands to the end of the step, and stops at the first that switches anything.
    pub(super) fn look(&mut self, own: &mut Switching, to: f64) -> Result<(), Error> {
        while own.pending.is_none() && own.ended.is_none() && own.reached < to {
            let Some((low, high)) = self.bracket(own, to)? else {
                own.reached = to;
                return Ok(());
            };
            let (time, changed) = self.locate(own, low, high, to)?;
            own.reached = time;
            own.sensing.forget(time);
            own.fire(&self.mechanism, &changed, time)?;
        }
        Ok(())
    }

    /// Two times between which the first crossing lies.
    fn bracket(&mut self, own: &mut Switching, to: f64) -> Result<Option<(f64, f64)>, Error> {
        let from = own.reached;
        let mut left = from;
        for part in 1..=PARTS {
            let right = if part == PARTS { to } else { from + (to - from) * f64::from(part) / f64::from(PARTS) };
            if right <= left {
                continue;
            }
            self.sense(own, right)?;
            if !self.changed(own).is_empty() {
                return Ok(Some((left, right)));
            }
            own.sensing.settle();
            own.sensing.keep(right);
            for dip in own.sensing.dips() {
                if dip > from && dip < right {
                    self.sense(own, dip)?;
                    if !self.changed(own).is_empty() {
                        return Ok(Some((if dip > left { left } else { from }, dip)));
                    }
                }
            }
            left = right;
        }
        Ok(None)
    }

    /// The first crossing in a bracket, to round-off in t by bisection, at its upper end, and all that crossed at that time.
    fn locate(
        &mut self,
        own: &mut Switching,
        mut low: f64,
        mut high: f64,
        to: f64,
    ) -> Result<(f64, Vec<(usize, i8)>), Error> {
        let length = high - low;
        while high - low > 2.0 * f64::EPSILON * low.abs().max(high.abs()).max(length) {
            let middle = low + 0.5 * (high - low);
            if middle <= low || middle >= high {
                break;
            }
            self.sense(own, middle)?;
            if self.changed(own).is_empty() {
                own.sensing.settle();
                low = middle;
            } else {
                high = middle;
            }
        }
        self.sense(own, (high + INSTANT * high.abs().max(length)).min(to))?;
        let mut changed = self.changed(own);
        self.sense(own, high)?;
        for now in self.changed(own) {
            if changed.iter().all(|(k, _)| *k != now.0) {
                changed.push(now);
            }
        }
        changed.sort_unstable();
        Ok((high, changed))
    }
}
