//! What a run sees of the kinds of models: a job that can be begun, and its course.

use super::{Plan, Step};
use crate::Error;
use crate::results::{Column, Details};
use fourbar_hydraulics::Circuit;
use fourbar_linalg::text::Brief;
use fourbar_multibody::Mechanism;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A model compiled and its settings settled.
pub(super) trait Job: fmt::Debug + Send + Sync {
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

    /// A course at t = 0; where steps may be long, they fail once `interrupt` is raised.
    fn begin(&self, plan: &Plan, interrupt: &Arc<AtomicBool>) -> Result<Box<dyn Course>, Error>;
}

/// A simulation under way.
pub(super) trait Course {
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

    /// What this kind tells at the end of a run.
    fn details(&mut self) -> Result<Details, Error>;

    /// What a reader of the results should know.
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A step taken.
pub(super) struct Advance {
    pub(super) step: Step,
    /// Whether it ended at the end time.
    pub(super) finished: bool,
}

/// Forces and motions with conditions on the time that no step is led to.
pub(super) fn unlocated(mechanism: &fourbar_multibody::Mechanism) -> Option<String> {
    let names: Vec<String> = mechanism.unlocated_breaks().iter().map(|name| format!("\"{name}\"")).collect();
    (!names.is_empty()).then(|| {
        format!(
            "{} switch where a curve of the time crosses a value: switches closer than a step may be missed, and motions that jump \
             there are not refused; write the condition with `time`, `mod` or a single sine, or give `max_step`",
            names.join(", ")
        )
    })
}

/// Bodies that a warning names one by one.
const NAMED: usize = 5;

/// What assembly did to the start that the model gives.
pub(super) fn assembly_warnings(mechanism: &Mechanism) -> Vec<String> {
    let report = mechanism.assembly();
    let told = |kind: &str, list: Vec<String>, remedy: &str| {
        let (count, shown) = (list.len(), list.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", "));
        let more = if count > NAMED { format!(" and {} more", count - NAMED) } else { String::new() };
        (count > 0).then(|| format!("assembly {kind} {shown}{more}; {remedy}"))
    };
    let moved = report.moved.iter().filter(|moved| moved.displaced).map(|moved| {
        let (way, turn) = (Brief(moved.translation), Brief(moved.rotation));
        format!("body \"{}\" by {way:.3} m and {turn:.3} rad", moved.body)
    });
    let changed = report.not_kept.iter().map(|value| {
        let unit = value.value.unit();
        format!("`{}` of body \"{}\" by {:.3} {unit}", value.value.name(), value.body, Brief(value.change))
    });
    let moved = told("moved", moved.collect(), "draw them where their joints close");
    let changed = told(
        "changed what the model calls exact:",
        changed.collect(),
        "what is exact contradicts the joints and motions; correct it, or call less exact",
    );
    moved.into_iter().chain(changed).collect()
}
