//! Accumulation points: infinitely many impacts in a finite time, told by their intervals.

use crate::unilateral::ContactId;
use fourbar_linalg::point::{PointError, Source, Stored, store_list};

/// Deviation of the ratio of two intervals from that of the speeds up to which impacts are taken as a geometric sequence.
const ALIKE: f64 = 0.05;

/// Times of the last impacts of each contact that bounces.
#[derive(Debug, Clone, Default)]
pub(super) struct Accumulations {
    last: Vec<(ContactId, [f64; 2])>,
}

impl Stored for Accumulations {
    fn store(&self, to: &mut Vec<u8>) {
        store_list(&self.last, to);
    }
    fn load(&mut self, from: &mut Source<'_>) -> Result<(), PointError> {
        from.list(&mut self.last)
    }
}

impl Accumulations {
    /// Notes an impact of `id` at `time` with closing speed `approach` and rebound `rebound`; true if it continues a geometric
    /// sequence: the interval before it was e times the one before that, e = rebound/approach.
    pub(super) fn note(&mut self, id: ContactId, time: f64, approach: f64, rebound: f64) -> bool {
        let Some((_, times)) = self.last.iter_mut().find(|(other, _)| *other == id) else {
            self.last.push((id, [f64::NEG_INFINITY, time]));
            return false;
        };
        let (before, now) = (times[1] - times[0], time - times[1]);
        *times = [times[1], time];
        let e = rebound / approach;
        e < 1.0 && before.is_finite() && (now / before - e).abs() <= ALIKE * e
    }

    /// Forgets a contact.
    pub(super) fn forget(&mut self, id: ContactId) {
        self.last.retain(|(other, _)| *other != id);
    }
}

/// Time from a rebound with `speed` until the impacts accumulate, under the acceleration -`deceleration` and restitution e.
pub(super) fn remaining(speed: f64, deceleration: f64, e: f64) -> f64 {
    2.0 * speed / (deceleration * (1.0 - e))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bouncing_ball_is_a_geometric_sequence() {
        let (e, g, v) = (0.8_f64, 9.81, 1.0);
        let id = ContactId { pair: 0, feature: 0 };
        let (mut accumulations, mut time, mut speed) = (Accumulations::default(), 0.0, v);
        let limit = remaining(e * v, g, e);
        for k in 0..6 {
            assert_eq!(accumulations.note(id, time, speed, e * speed), k >= 2);
            approx::assert_abs_diff_eq!(time + remaining(e * speed, g, e), limit, epsilon = 1e-14);
            speed *= e;
            time += 2.0 * speed / g;
        }
        assert!(!accumulations.note(id, time + 1.0, speed, e * speed));
    }
}
