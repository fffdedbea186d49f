//! What a run sees of the kinds of models: a setup that can be begun, and the run that it begins.

use super::{Frame, Plan, Step};
use crate::Error;
use crate::results::{Column, Details};
use fourbar_hydraulics::Circuit;
use fourbar_multibody::Mechanism;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A model compiled and its settings settled.
pub(super) trait Setup: fmt::Debug + Send + Sync {
    /// Title of the model.
    fn name(&self) -> &str;

    /// Names and units of the measures.
    fn columns(&self) -> Vec<Column>;

    /// Settings of this kind as pairs of name and value.
    fn describe(&self) -> Vec<(String, String)>;

    /// The compiled mechanism, if it is one.
    fn mechanism(&self) -> Option<&Mechanism> {
        None
    }

    /// The compiled circuit, if it is one.
    fn circuit(&self) -> Option<&Circuit> {
        None
    }

    /// A run under way at t = 0; where steps may be long, they fail once `interrupt` is raised.
    fn begin(&self, plan: &Plan, interrupt: &Arc<AtomicBool>) -> Result<Box<dyn ActiveRun>, Error>;
}

/// A simulation under way.
pub(super) trait ActiveRun {
    /// End of the last step \[s\].
    fn time(&self) -> f64;

    /// Takes one step. After an error everything is as it was before.
    fn advance(&mut self) -> Result<Advance, Error>;

    /// Whether a step may be interrupted within: its error then leaves nothing half done. Else it is between two steps.
    fn ends_within_steps(&self) -> bool {
        true
    }

    /// The measures at an output time within the last step, or at its end.
    fn values_at(&mut self, time: f64, values: &mut [f64]) -> Result<(), Error>;

    /// The bodies and what acts on them at the time last given to [`ActiveRun::values_at`]; none for kinds without.
    fn frame(&mut self) -> Result<Option<&Frame>, Error> {
        Ok(None)
    }

    /// What this kind tells at the end of a run.
    fn details(&mut self) -> Result<Details, Error>;

    /// What a reader of the results should know.
    fn warnings(&mut self) -> Vec<String> {
        Vec::new()
    }
}

/// A step taken.
pub(super) struct Advance {
    pub(super) step: Step,
    /// Whether it ended at the end time.
    pub(super) finished: bool,
}
