//! Lengths of steps and of their parts.

use crate::run::schedule::Interval;
use fourbar_linalg::checkpoint::{CheckpointError, Source, Stored, store_list};

/// Lengths of parts of steps that are remembered: those of a few pulses with their pauses, cut by outputs.
pub(super) const MOST_PARTS_KNOWN: usize = 8;

/// The lengths of parts of steps. What differs from one before by the round-off of the time is the same: the pulses of a train share their
/// matrices. The difference is owed to the next part, so that nothing adds up.
#[derive(Debug, Clone, Default)]
pub(super) struct Parts {
    known: Vec<f64>,
    owed: f64,
}

impl Stored for Parts {
    fn store(&self, to: &mut Vec<u8>) {
        store_list(&self.known, to);
        self.owed.store(to);
    }

    fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        from.list(&mut self.known)?;
        self.owed.load(from)
    }
}

impl Parts {
    /// The length to take for the interval \[s\].
    pub(super) fn length(&mut self, interval: &Interval) -> f64 {
        if interval.whole {
            return interval.length;
        }
        let wanted = interval.length + self.owed;
        let round_off = 2.0 * f64::EPSILON * interval.to.time.abs();
        let taken = match self.known.iter().position(|known| (known - wanted).abs() <= round_off) {
            Some(index) => self.known.remove(index),
            None => wanted,
        };
        if self.known.len() == MOST_PARTS_KNOWN {
            self.known.remove(0);
        }
        self.known.push(taken);
        self.owed = wanted - taken;
        taken
    }
}

/// Which step is taken: its length \[s\], and whether it is an equal step of the run or a part of one, halved how often.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Length {
    pub(super) seconds: f64,
    pub(super) whole: bool,
    pub(super) halvings: u32,
}
