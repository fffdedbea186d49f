//! Zeno guard: whether the motion makes progress: a run in which steps and events become ever shorter must end with a word.
//!
//! Conditions of forces, as `sign(v)`, are not located: steps go over them. Where both sides lead to the switch, as those of dry friction at rest, they
//! switch to and fro in steps that get nowhere. So switches are counted with the steps: what leads back and forth is then the condition, not a contact.

use super::log::Reached;
use crate::configuration::Configuration;
use fourbar_linalg::checkpoint::{CheckpointError, Source, Stored, store_list};
use fourbar_multibody::State;

/// Steps over which the pace is taken: more than the onset of slip or the approach to a pole takes.
const STEPS: usize = 2000;
/// Switches of a condition in steps that get nowhere from which on it is the cause: there and back twice, as where switches are located.
const LED_BACK: usize = 4;
/// Steps a switch, at least, of a condition that is met as the motion goes: the step that passes over a jump is rejected until it is short, and several follow
/// until they are long again. One that switches more often in all those steps leads nowhere, however long they are.
const APART: usize = 4;

/// Steps and events since a time \[s\].
#[derive(Debug, Clone, Copy)]
struct Pace {
    steps: usize,
    since: f64,
}

fourbar_linalg::stored!(struct Pace { steps, since });

/// A condition of forces: the sign that its argument had last, and how often that changed in the steps counted.
#[derive(Debug, Clone, Copy, Default)]
struct Switch {
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

/// Steps, events and switches, counted.
#[derive(Debug, Clone)]
pub(super) struct ZenoGuard {
    /// Events since a time \[s\].
    counted: (usize, f64),
    pace: Pace,
    /// Conditions of forces, and their arguments.
    switches: Vec<Switch>,
    arguments: Vec<f64>,
}

/// Why a motion is not to go on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Stall {
    /// A condition of forces, by its number, leads back and forth.
    Condition(usize),
    /// So many steps since a time \[s\] were too short.
    Steps(usize, f64),
}

impl ZenoGuard {
    pub(super) fn new(time: f64) -> Self {
        Self { counted: (0, time), pace: Pace { steps: 0, since: time }, switches: Vec::new(), arguments: Vec::new() }
    }

    /// Counts an event; `Err` with the time since when \[s\] if there are more than `most` within `period` \[s\].
    pub(super) fn count(&mut self, time: f64, period: f64, most: usize) -> Result<(), f64> {
        let (events, since) = &mut self.counted;
        if time - *since > period {
            (*events, *since) = (0, time);
        }
        *events += 1;
        if *events <= most { Ok(()) } else { Err(*since) }
    }

    /// Events counted, to be put back.
    pub(super) fn counted(&self) -> (usize, f64) {
        self.counted
    }

    pub(super) fn set_counted(&mut self, counted: (usize, f64)) {
        self.counted = counted;
    }

    /// Counts what the motion itself ended; how often its caller stops it says nothing.
    pub(super) fn note(&mut self, reached: Reached) {
        self.pace.steps += usize::from(reached != Reached::EndTime);
    }

    /// Looks on which side the conditions of forces are at `state`. What cannot be evaluated there, the next step says.
    pub(super) fn note_switches(&mut self, configuration: &mut Configuration, state: &State) {
        configuration.look(state);
        if configuration.conditions(state, &mut self.arguments).is_ok() {
            self.switches.resize(configuration.mechanism().condition_count(), Switch::default());
            self.switches.iter_mut().zip(&self.arguments).for_each(|(switch, argument)| switch.note(*argument));
        }
    }

    /// Why the motion is not to go on from `time` \[s\]: the last steps were shorter than `shortest` \[s\] in the mean, or a condition switches to and
    /// fro in them. `None` if it is.
    pub(super) fn stall(&mut self, time: f64, shortest: f64) -> Option<Stall> {
        let Pace { steps, since } = self.pace;
        if steps < STEPS {
            return None;
        }
        let stalled = time - since < shortest * steps as f64;
        let often = if stalled { LED_BACK } else { steps / APART };
        let most = self.switches.iter().enumerate().max_by_key(|(_, switch)| switch.count);
        if let Some((k, _)) = most.filter(|(_, switch)| switch.count >= often) {
            return Some(Stall::Condition(k));
        }
        if !stalled {
            self.pace = Pace { steps: 0, since: time };
            self.switches.iter_mut().for_each(|switch| switch.count = 0);
            return None;
        }
        Some(Stall::Steps(steps, since))
    }
}

impl Stored for ZenoGuard {
    fn store(&self, to: &mut Vec<u8>) {
        self.counted.store(to);
        self.pace.store(to);
        store_list(&self.switches, to);
    }
    fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        self.counted.load(from)?;
        self.pace.load(from)?;
        from.list(&mut self.switches)
    }
}
