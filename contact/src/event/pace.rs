//! Whether the motion gets on: a run in which steps and events become ever shorter must end with a word.

use super::{EventStepper, Reached};
use crate::error::Error;
use crate::unilateral::Contacts;

/// Steps over which the pace is taken: more than the onset of slip or the approach to a pole takes.
const STEPS: usize = 2000;

/// Steps and events since a time \[s\].
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    steps: usize,
    since: f64,
}

fourbar_linalg::stored!(struct Pace { steps, since });

impl Pace {
    pub(super) fn new(time: f64) -> Self {
        Self { steps: 0, since: time }
    }

    /// Counts what the motion itself ended; how often its caller stops it says nothing.
    pub(super) fn note(&mut self, reached: Reached) {
        self.steps += usize::from(reached != Reached::EndTime);
    }
}

impl<C: Contacts> EventStepper<C> {
    /// Refuses to go on where the last steps were too short to get anywhere.
    pub(super) fn check_pace(&mut self) -> Result<(), Error> {
        if self.pace.steps < STEPS {
            return Ok(());
        }
        let (time, since) = (self.time(), self.pace.since);
        let asked = self.options.pace_min;
        let pace = if asked.is_finite() { asked } else { self.stepper.ode().thresholds.pace() };
        if time - since >= pace * self.pace.steps as f64 {
            self.pace = Pace::new(time);
            return Ok(());
        }
        let closed = self.closed().iter().map(|closed| closed.id);
        let contacts = self.names(self.log.recent.iter().copied().chain(closed).collect());
        Err(Error::Stalled { steps: self.pace.steps, since, time, contacts })
    }
}
