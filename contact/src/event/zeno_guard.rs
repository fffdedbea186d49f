//! Whether the motion gets on: a run in which steps and events become ever shorter must end with a word.
//!
//! Conditions of forces, as `sign(v)`, are not located: steps go over them. Where both sides lead to the switch, as those of dry friction at rest, they
//! switch to and fro in steps that get nowhere. So switches are counted with the steps: what leads back and forth is then the condition, not a contact.

use super::{EventStepper, Reached};
use crate::error::Error;
use crate::unilateral::Contacts;
use fourbar_multibody::integrator::Error as IntegratorError;
use std::sync::Arc;

/// Steps over which the pace is taken: more than the onset of slip or the approach to a pole takes.
const STEPS: usize = 2000;
/// Switches of a condition in steps that get nowhere from which on it is the cause: there and back twice, as where switches are located.
const LED_BACK: usize = 4;
/// Steps a switch, at least, of a condition that is met as the motion goes: the step that passes over a jump is rejected until it is short, and several follow
/// until they are long again. One that switches more often in all those steps leads nowhere, however long they are.
const APART: usize = 4;

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

/// A condition of forces: the sign that its argument had last, and how often that changed in the steps counted.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Switch {
    sign: f64,
    count: usize,
}

fourbar_linalg::stored!(struct Switch { sign, count });

impl Switch {
    fn note(&mut self, argument: f64) {
        if argument != 0.0 {
            self.count += usize::from(self.sign * argument < 0.0);
            self.sign = argument.signum();
        }
    }
}

impl<C: Contacts> EventStepper<C> {
    /// Looks on which side the conditions of forces are where the motion stands. What cannot be evaluated there, the next step says.
    pub(super) fn note_switches(&mut self) {
        let count = self.stepper.ode().configuration.mechanism().condition_count();
        if count == 0 {
            return;
        }
        self.state();
        let (flow, mut arguments) = (self.stepper.ode_mut(), std::mem::take(&mut self.arguments));
        flow.configuration.look(&flow.state);
        if flow.configuration.conditions(&flow.state, &mut arguments).is_ok() {
            self.switches.resize(count, Switch::default());
            self.switches.iter_mut().zip(&arguments).for_each(|(switch, argument)| switch.note(*argument));
        }
        self.arguments = arguments;
    }

    /// Refuses to go on where the last steps were too short to get anywhere, or a condition switches to and fro in them.
    pub(super) fn check_pace(&mut self) -> Result<(), Error> {
        if self.pace.steps < STEPS {
            return Ok(());
        }
        let (time, since, steps) = (self.time(), self.pace.since, self.pace.steps);
        let asked = self.options.pace_min;
        let pace = if asked.is_finite() { asked } else { self.stepper.ode().thresholds.pace() };
        let stalled = time - since < pace * steps as f64;
        let often = if stalled { LED_BACK } else { steps / APART };
        let most = self.switches.iter().enumerate().max_by_key(|(_, switch)| switch.count);
        if let Some((k, _)) = most.filter(|(_, switch)| switch.count >= often) {
            let mechanism = Arc::clone(self.stepper.ode().configuration.mechanism());
            let condition = mechanism.condition_name(k);
            return Err(fourbar_multibody::Error::from(IntegratorError::Chattering { condition, time }).into());
        }
        if !stalled {
            self.pace = Pace::new(time);
            self.switches.iter_mut().for_each(|switch| switch.count = 0);
            return Ok(());
        }
        let closed = self.closed().iter().map(|closed| closed.id);
        let contacts = self.names(self.log.recent.iter().copied().chain(closed).collect());
        Err(Error::Stalled { steps, since, time, contacts })
    }
}
