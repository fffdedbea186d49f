//! The conditions of each signal.

use fourbar_expression::{Conditions, Program};
use std::ops::Range;

/// The conditions of a signal.
#[derive(Debug, Clone)]
pub(crate) struct Watched {
    pub(crate) conditions: Conditions,
    /// Their places among all.
    pub(crate) places: Range<usize>,
    /// Whose the signal is, and what it is.
    pub(crate) name: String,
}

impl Watched {
    /// Those of all signals, given with their names.
    pub(crate) fn of(signals: &[Program], names: impl Iterator<Item = String>) -> Vec<Self> {
        let mut count = 0;
        let each = signals.iter().zip(names).map(|(signal, name)| {
            let conditions = signal.conditions(0);
            let places = count..count + conditions.count();
            count = places.end;
            Self { conditions, places, name }
        });
        each.collect()
    }
}
