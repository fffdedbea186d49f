//! What changes as a stepper advances.

use super::panels::Row;

/// Everything that changes as a [`Stepper`](super::Stepper) advances: save with [`Stepper::save`](super::Stepper::save), restore with [`Stepper::restore`](super::Stepper::restore), exact.
#[derive(Debug, PartialEq)]
pub struct StepperState {
    /// Of the system's dimensions, the step and the method.
    pub(super) origin: u64,
    /// n.
    pub(super) states: usize,
    /// The result of the last step, of which the first n values are x.
    pub(super) x: Vec<Row>,
    /// The samples at the nodes of the last step, and those that left the delay line.
    pub(super) samples: Vec<f64>,
    /// Samples known, counted back from the newest.
    pub(super) filled: usize,
    /// The time from which the steps count \[s\].
    pub(super) begin: f64,
    pub(super) steps: u64,
}

fourbar_linalg::stored!(struct StepperState { x, samples, filled, begin, steps });

impl Clone for StepperState {
    fn clone(&self) -> Self {
        Self { x: self.x.clone(), samples: self.samples.clone(), ..*self }
    }

    /// Into storage that is there already: allocates nothing where the dimensions agree.
    fn clone_from(&mut self, source: &Self) {
        self.x.clone_from(&source.x);
        self.samples.clone_from(&source.samples);
        let Self { origin, states, filled, begin, steps, .. } = *source;
        (self.origin, self.states, self.filled, self.begin, self.steps) = (origin, states, filled, begin, steps);
    }
}
