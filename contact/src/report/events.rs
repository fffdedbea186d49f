//! Of contacts followed event-driven.

use super::jumps::Jumps;
use crate::event::{Event, EventKind};
use crate::law::Applied;
use crate::pair::ContactSet;

/// Jumps of what contacts are given, and impacts that obeyed another law than the one asked for.
#[derive(Debug, Clone, Default)]
pub struct EventReport {
    jumps: Jumps,
    impacts: u64,
    replaced: u64,
}

impl EventReport {
    /// Takes an event.
    pub fn take(&mut self, event: &Event) {
        if let EventKind::Impact(applied) = event.kind {
            self.impacts += 1;
            self.replaced += u64::from(applied != Applied::AsAsked);
        }
    }

    /// Looks at what the contacts are given up to `time` \[s\].
    pub fn look(&mut self, contacts: &ContactSet, time: f64) {
        self.jumps.look(contacts, time);
    }

    /// What to say of it.
    #[must_use]
    pub fn warnings(&self, contacts: &ContactSet) -> Vec<String> {
        let replaced = (self.replaced > 0).then(|| {
            format!(
                "{} of {} impacts obeyed another law than the one asked for, which would have created energy or has no solution there",
                self.replaced, self.impacts
            )
        });
        self.jumps.warnings(contacts).chain(replaced).collect()
    }
}
