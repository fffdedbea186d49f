//! The parts of a step within which inputs are interpolated: halves of halves, each short enough for the tolerance.
//!
//! A step is divided as a whole, the coarse parts before the fine ones: how large an input becomes in it is known before its small beginnings
//! are resolved beside that, as those of a bell are.

use super::super::forcing::Layout;
use super::super::inputs::Inputs;
use super::interpolation::Interpolation;
use crate::run::schedule::Interval;
use fourbar_lti::Error;

/// Most halvings of a step: the shortest part is still told from the time within which two stops are one.
pub(super) const MOST_HALVINGS: u32 = 24;
/// Most parts of a step. What is not resolved then is told by the estimate.
const MOST_PARTS: usize = 1 << 14;
/// Halvings with which the next step begins at most, whatever the last one needed everywhere.
const MOST_AT_FIRST: u32 = 10;

/// A part.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    /// Where it begins, in the shortest parts there are.
    first: u32,
    pub(super) halvings: u32,
    /// Where its samples are kept.
    slot: usize,
}

impl Part {
    /// Beginning and length, in steps.
    pub(super) fn place(&self) -> [f64; 2] {
        let all = f64::from(1u32 << MOST_HALVINGS);
        [f64::from(self.first) / all, f64::from(1u32 << (MOST_HALVINGS - self.halvings)) / all]
    }

    fn halves(self) -> [Self; 2] {
        let halvings = self.halvings + 1;
        [self.first, self.first + (1 << (MOST_HALVINGS - halvings))].map(|first| Self { first, halvings, slot: 0 })
    }
}

/// The parts of one step, with what was sampled in them.
#[derive(Debug, Clone, Default)]
pub(super) struct Partition {
    parts: Vec<Part>,
    /// Those not looked at yet.
    new: Vec<Part>,
    kept: Vec<f64>,
}

impl Partition {
    /// The parts in the order of time.
    pub(super) fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// What was sampled in a part is that of `interpolation` again.
    pub(super) fn take_up(&self, part: &Part, interpolation: &mut Interpolation) {
        interpolation.load(&self.kept[part.slot..]);
    }

    /// Halvings with which the next step begins: one less than this one needed everywhere.
    pub(super) fn next_halvings(&self) -> u32 {
        let least = self.parts.iter().map(|part| part.halvings).min().unwrap_or(0);
        least.saturating_sub(1).min(MOST_AT_FIRST)
    }

    /// Divides `interval`, at first by so many `halvings`; no further unless `adaptive`.
    ///
    /// # Errors
    /// [`Error::NotFinite`] if an input is not.
    pub(super) fn divide(
        &mut self,
        (interval, halvings, adaptive): (&Interval, u32, bool),
        layout: &Layout,
        inputs: &mut Inputs,
        interpolation: &mut Interpolation,
    ) -> Result<(), Error> {
        self.parts.clear();
        self.kept.clear();
        self.new.clear();
        let length = 1u32 << (MOST_HALVINGS - halvings);
        self.new.extend((0..1u32 << halvings).map(|k| Part { first: k * length, halvings, slot: 0 }));
        while !self.new.is_empty() {
            for part in &mut self.new {
                let place = part.place().map(|share| interval.length * share);
                interpolation.sample(interval, place, layout, inputs);
                if inputs.is_faulty() {
                    return Err(Error::NotFinite { name: "input", index: 0, value: f64::NAN });
                }
                part.slot = self.kept.len();
                interpolation.keep(&mut self.kept);
            }
            self.halve(adaptive, interpolation);
        }
        self.parts.sort_unstable_by_key(|part| part.first);
        Ok(())
    }

    /// Takes over the new parts that are resolved, or cannot be, and halves the others.
    fn halve(&mut self, adaptive: bool, interpolation: &mut Interpolation) {
        let mut count = self.parts.len() + self.new.len();
        for part in std::mem::take(&mut self.new) {
            interpolation.load(&self.kept[part.slot..]);
            let divisible = adaptive && part.halvings < MOST_HALVINGS && count < MOST_PARTS;
            if divisible && !interpolation.is_resolved() {
                count += 1;
                self.new.extend(part.halves());
            } else {
                self.parts.push(part);
            }
        }
    }
}
