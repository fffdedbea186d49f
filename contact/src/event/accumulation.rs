//! Accumulation points: infinitely many impacts in a finite time, told by their intervals and speeds.
//!
//! A contact that bounces alone under a steady acceleration has intervals and speeds that fall by e. Where several take turns, as the edges
//! of a block that rocks, intervals and speeds of each fall by one ratio r a cycle, since small motions about the place where all touch
//! have no length of their own: speeds, times and heights v, T, h go with one another as in any other unit, v' = r v, T' = r T, h' = r^2 h
//! (of a slender block that does not slip r = (1 - (3/2) sin^2 alpha)^2; G. W. Housner, The behavior of inverted pendulum structures
//! during earthquakes, Bull. Seism. Soc. Am. 53 (1963) 403).

use crate::unilateral::ContactId;
use fourbar_linalg::checkpoint::{CheckpointError, Source, Stored, store_list};

/// Deviation of the ratio of two intervals from that of the speeds up to which impacts are taken as a geometric sequence.
const ALIKE: f64 = 0.05;
/// Impacts up to which a sequence of several contacts is followed to round-off of their gaps, which ends it without extrapolation.
const FEW: f64 = 64.0;

/// The last impacts of a contact.
#[derive(Debug, Clone, Copy)]
struct Impacts {
    /// Times of the last three, latest last \[s\].
    times: [f64; 3],
    /// Closing speeds of the last two [m/s, rad/s].
    speeds: [f64; 2],
    /// Fastest closing speed so far [m/s, rad/s].
    fastest: f64,
}

/// A geometric sequence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cycle {
    /// Time at which it ends \[s\].
    pub(super) end: f64,
    /// Of a speed to that a cycle before.
    pub(super) ratio: f64,
    /// Closing speed of the last impact [m/s, rad/s].
    pub(super) closing_speed: f64,
}

impl Cycle {
    /// Whether it takes many impacts until rebounds of now `height` are no higher than `lowest`.
    pub(super) fn is_long(&self, height: f64, lowest: f64) -> bool {
        (height / lowest).ln() > -2.0 * FEW * self.ratio.ln()
    }
}

/// The last impacts of each contact.
#[derive(Debug, Clone, Default)]
pub(super) struct Accumulations {
    last: Vec<(ContactId, Impacts)>,
}

impl Stored for Impacts {
    fn store(&self, to: &mut Vec<u8>) {
        self.times.store(to);
        self.speeds.store(to);
        self.fastest.store(to);
    }
    fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        self.times.load(from)?;
        self.speeds.load(from)?;
        self.fastest.load(from)
    }
}

impl Default for Impacts {
    fn default() -> Self {
        Self { times: [f64::NEG_INFINITY; 3], speeds: [0.0; 2], fastest: 0.0 }
    }
}

impl Impacts {
    fn intervals(&self) -> [f64; 2] {
        [self.times[1] - self.times[0], self.times[2] - self.times[1]]
    }
}

impl Stored for Accumulations {
    fn store(&self, to: &mut Vec<u8>) {
        store_list(&self.last, to);
    }
    fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        from.list(&mut self.last)
    }
}

impl Accumulations {
    /// Notes an impact of `id` at `time` with closing speed `closing_speed` and rebound `rebound`; true if it continues a geometric
    /// sequence of this contact alone: the interval before it was e times the one before that, e = rebound/closing_speed.
    pub(super) fn note(&mut self, id: ContactId, time: f64, closing_speed: f64, rebound: f64) -> bool {
        let at = self.last.iter().position(|(other, _)| *other == id).unwrap_or_else(|| {
            self.last.push((id, Impacts::default()));
            self.last.len() - 1
        });
        let impacts = &mut self.last[at].1;
        impacts.times = [impacts.times[1], impacts.times[2], time];
        impacts.speeds = [impacts.speeds[1], closing_speed];
        impacts.fastest = impacts.fastest.max(closing_speed);
        let [before, now] = impacts.intervals();
        let e = rebound / closing_speed;
        e > 0.0 && e < 1.0 && before.is_finite() && (now / before - e).abs() <= ALIKE * e
    }

    /// The sequence of cycles in which the last impact of `id` stands, if intervals and speeds fall alike.
    pub(super) fn cycle(&self, id: ContactId) -> Option<Cycle> {
        let (_, impacts) = self.last.iter().find(|(other, _)| *other == id)?;
        let ([before, now], ratio) = (impacts.intervals(), impacts.speeds[1] / impacts.speeds[0]);
        let falls = before.is_finite() && ratio < 1.0 && (now / before - ratio).abs() <= ALIKE * (1.0 - ratio);
        let end = impacts.times[2] + now * ratio / (1.0 - ratio);
        falls.then_some(Cycle { end, ratio, closing_speed: impacts.speeds[1] })
    }

    /// Fastest closing speed of a contact so far [m/s, rad/s].
    pub(super) fn fastest(&self, id: ContactId) -> f64 {
        self.last.iter().find(|(other, _)| *other == id).map_or(0.0, |(_, impacts)| impacts.fastest)
    }

    /// Forgets the sequence of a contact.
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
        assert_eq!(accumulations.fastest(id), v);
    }

    #[test]
    fn cycles_that_stop_falling_are_no_sequence() {
        let id = ContactId { pair: 0, feature: 0 };
        let (mut falls, mut stays) = (Accumulations::default(), Accumulations::default());
        let (ratio, mut time, mut speed) = (0.98_f64, 0.0, 1.0);
        for k in 0..5 {
            falls.note(id, time, speed, 0.0);
            stays.note(id, f64::from(k), 1.0, 0.0);
            if k >= 2 {
                let cycle = falls.cycle(id).unwrap();
                approx::assert_abs_diff_eq!(cycle.end, 1.0 / (1.0 - ratio), epsilon = 1e-12);
                assert!(cycle.is_long(1.0, 1e-12) && !cycle.is_long(1.0, 0.1));
            }
            time += speed;
            speed *= ratio;
        }
        assert_eq!(stays.cycle(id), None);
    }
}
