//! Of contacts followed with fixed steps.

use super::jumps::Jumps;
use super::misses::Misses;
use crate::Error;
use crate::pair::ContactSet;
use crate::stepping::{StepRecord, TimeStepper};
use crate::unilateral::{Contacts, Unilateral};
use fourbar_linalg::text::Brief;
use fourbar_multibody::State;
use fourbar_multibody::space::Pose;

/// Overlap at the start that counts as round-off of the numbers that describe it, written with six digits and more: as part of the length of
/// the scene, or in radians.
const STARTS: f64 = 1e-6;

/// Jumps of what contacts are given, overlaps, residuals, and rebounds that would have created energy.
#[derive(Debug, Clone, Default)]
pub struct StepReport {
    jumps: Jumps,
    misses: Misses,
    /// Contact that overlaps most at the start, and how deep [m, rad].
    overlap: Option<(String, f64)>,
    steps: u64,
    replaced: u64,
}

/// The contact that overlaps most at `state`, if any does.
///
/// # Errors
/// [`Contacts::find`].
pub fn deepest(contacts: &mut ContactSet, state: &State) -> Result<Option<Unilateral>, Error> {
    let mut found = Vec::new();
    contacts.find(state.time, &with_ground(state), 0.0, &mut found)?;
    let inside = found.iter().filter(|contact| contact.gap < 0.0);
    Ok(inside.min_by(|a, b| a.gap.total_cmp(&b.gap)).copied())
}

impl StepReport {
    /// Of a stepper at its start, which has put apart what overlapped before: `deepest` there.
    #[must_use]
    pub fn start(stepper: &TimeStepper<ContactSet>, deepest: Option<Unilateral>) -> Self {
        let starts = |contact: &Unilateral| -contact.gap > stepper.scales().of_gap(contact, STARTS);
        let overlap = deepest.filter(starts).map(|contact| (stepper.detector().describe(contact.id), -contact.gap));
        Self { overlap, ..Self::default() }
    }

    /// Takes a step.
    pub fn take(&mut self, record: &StepRecord, contacts: &ContactSet) {
        self.steps += 1;
        self.replaced += u64::from(record.replaced);
        self.misses.take(record);
        self.jumps.look(contacts, record.time);
    }

    /// What to say of it where the run stands.
    #[must_use]
    pub fn warnings(&self, contacts: &ContactSet, state: &State) -> Vec<String> {
        let mut warnings: Vec<String> = self.jumps.warnings(contacts).collect();
        warnings.extend(self.overlap.as_ref().map(|(contact, depth)| {
            format!(
                "contact \"{contact}\" starts {:.4} m or rad inside, which is taken away before the first step: move its bodies until \
                 its gap is positive (apart, but nearer where a rope or a stop is too short); if it is, turn round the plane or curve that faces the \
                 wrong way",
                Brief(*depth)
            )
        }));
        warnings.extend(self.misses.warnings(contacts, self.steps, &with_ground(state)));
        if self.replaced > 0 {
            warnings.push(format!(
                "impacts of {} of {} steps obeyed another law than the one asked for, which would have created energy",
                self.replaced, self.steps
            ));
        }
        warnings
    }
}

fn with_ground(state: &State) -> Vec<Pose> {
    state.poses.iter().copied().chain([Pose::ground()]).collect()
}
