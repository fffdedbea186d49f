//! What an interface asks of its simulator: the same on the caller's thread and on one of its own.

use super::spent::Meter;
use super::{Failure, Handled, Parameter, Signal, Simulator, Snapshot, SolverCounts, Text};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The last good saved state, and room for the next: a save that fails, with the process of a partner say, must not spoil what there is.
#[derive(Default)]
pub(crate) struct Saved {
    good: Snapshot,
    next: Snapshot,
}

/// One request.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Call {
    /// Sample the outputs.
    Sample,
    /// Write the inputs, sample the outputs: the feedthrough.
    Respond,
    /// Write the inputs, step from t by h, sample the outputs.
    Advance { t: f64, h: f64 },
    /// Save the state.
    Save,
    /// Return to the saved state.
    Restore,
    /// Say what a reader of the results should know, and what the steps have cost.
    Warn,
    /// Save the state to the snapshot that is carried.
    SaveTo,
    /// Return to the snapshot that is carried.
    ReturnTo,
    /// Append the bytes of the snapshot that is carried to those.
    Store,
    /// Make the snapshot that is carried of the bytes.
    Load,
    /// Take the places of the outputs that feed others.
    Watch,
    /// Take the flag that ends waiting.
    Interrupt,
    /// End steps at events.
    EndAtEvents,
    /// A rehearsal begins, or is over.
    Rehearse(bool),
    /// Tell the parameters.
    Parameters,
    /// Take the values that are carried for parameters.
    Tune,
    /// Tell the texts.
    Texts,
}

/// What a request brings back. `derivatives` is empty for a simulator that does not know them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Buffers {
    pub(crate) values: Vec<f64>,
    pub(crate) derivatives: Vec<f64>,
    /// Time reached by the last `Advance` \[s\].
    pub(crate) reached: f64,
    /// What the last `Warn` brought.
    pub(crate) warnings: Vec<String>,
    pub(crate) counts: Option<SolverCounts>,
    pub(crate) meter: Meter,
    /// What is asked after each step, of those that have something to say.
    pub(crate) asked: Option<Box<Asked>>,
    pub(crate) carried: Box<Carried>,
}

/// What a simulator says beside its outputs.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    /// Faults that it handled itself.
    pub(crate) faults: Vec<Handled>,
    /// Time of its next event \[s\].
    pub(crate) next_event: f64,
}

/// What requests other than those of a step take along and bring back.
#[derive(Debug, Default)]
pub(crate) struct Carried {
    pub(crate) snapshot: Snapshot,
    pub(crate) bytes: Vec<u8>,
    pub(crate) places: Vec<usize>,
    pub(crate) flag: Arc<AtomicBool>,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) tuned: Vec<(String, f64)>,
    pub(crate) texts: Vec<Text>,
}

/// What is carried belongs to one request.
impl Clone for Carried {
    fn clone(&self) -> Self {
        Self::default()
    }
}

const SAVING: &str = "saving its state";
pub(crate) const RETURNING: &str = "returning to its state";
const WRITING: &str = "writing its state down";
const READING: &str = "reading its state";

/// Which part of a request failed, and why; boxed, so that what succeeds moves one word.
pub(crate) type Refusal = Box<(&'static str, Failure)>;

/// Names the part of a request that failed.
trait During<T> {
    fn during(self, part: &'static str) -> Result<T, Refusal>;
}

impl<T> During<T> for Result<T, Failure> {
    #[inline]
    fn during(self, part: &'static str) -> Result<T, Refusal> {
        self.map_err(|failure| refusal(part, failure))
    }
}

#[cold]
fn refusal(part: &'static str, failure: Failure) -> Refusal {
    Box::new((part, failure))
}

impl Call {
    /// Does the request.
    pub(crate) fn perform(
        self,
        simulator: &mut dyn Simulator,
        saved: &mut Saved,
        signals: &[Signal],
        buffers: &mut Buffers,
    ) -> Result<(), Refusal> {
        match self {
            Self::Sample => sample(simulator, buffers),
            Self::Respond => {
                simulator.set_inputs(signals).during("taking its inputs")?;
                sample(simulator, buffers)
            }
            Self::Advance { t, h } => advance(simulator, signals, (t, h), buffers),
            Self::Save => {
                simulator.save(&mut saved.next).during(SAVING)?;
                std::mem::swap(&mut saved.good, &mut saved.next);
                Ok(())
            }
            Self::Restore => simulator.restore(&saved.good).during(RETURNING),
            Self::Warn => {
                (buffers.warnings, buffers.counts) = (simulator.warnings(), simulator.solver_counts());
                Ok(())
            }
            _ => self.perform_carried(simulator, &mut buffers.carried),
        }
    }

    /// Does a request that takes something along.
    #[cold]
    fn perform_carried(self, simulator: &mut dyn Simulator, carried: &mut Carried) -> Result<(), Refusal> {
        let Carried { snapshot, bytes, places, flag, parameters, tuned, texts } = carried;
        match self {
            Self::SaveTo => simulator.save(snapshot).during(SAVING),
            Self::ReturnTo => simulator.restore(snapshot).during(RETURNING),
            Self::Store => simulator.store(snapshot, bytes).during(WRITING),
            Self::Load => simulator.load(bytes, snapshot).during(READING),
            Self::Watch => {
                simulator.watch_outputs(places);
                Ok(())
            }
            Self::Interrupt => {
                simulator.interrupt_by(flag);
                Ok(())
            }
            Self::EndAtEvents => {
                simulator.end_at_events();
                Ok(())
            }
            Self::Rehearse(begins) => {
                simulator.rehearse(begins);
                Ok(())
            }
            Self::Parameters => {
                *parameters = simulator.parameters().during("telling its parameters")?;
                Ok(())
            }
            Self::Texts => {
                *texts = simulator.texts().during("telling its texts")?;
                Ok(())
            }
            Self::Tune => simulator.set_parameters(tuned).during("taking parameters"),
            Self::Sample | Self::Respond | Self::Advance { .. } | Self::Save | Self::Restore | Self::Warn => Ok(()),
        }
    }
}

/// Steps from t by h: in one call by those that have it.
#[inline(always)]
pub(crate) fn advance(
    simulator: &mut dyn Simulator,
    signals: &[Signal],
    (t, h): (f64, f64),
    buffers: &mut Buffers,
) -> Result<(), Refusal> {
    buffers.meter.begin();
    let done = match simulator.advance(signals, t, h, &mut buffers.values) {
        Some(Ok(reached)) => {
            buffers.reached = reached;
            sample_more(simulator, buffers)
        }
        Some(Err(failure)) => Err(refusal("stepping", failure)),
        None => advance_by_parts(simulator, signals, (t, h), buffers),
    };
    buffers.meter.end();
    done
}

fn advance_by_parts(
    simulator: &mut dyn Simulator,
    signals: &[Signal],
    (t, h): (f64, f64),
    buffers: &mut Buffers,
) -> Result<(), Refusal> {
    simulator.set_inputs(signals).during("taking its inputs")?;
    buffers.reached = simulator.step(t, h).during("stepping")?;
    sample(simulator, buffers)
}

#[inline]
fn sample(simulator: &mut dyn Simulator, buffers: &mut Buffers) -> Result<(), Refusal> {
    simulator.outputs(&mut buffers.values).during("giving its outputs")?;
    sample_more(simulator, buffers)
}

/// What some are asked beside their outputs.
#[inline]
fn sample_more(simulator: &mut dyn Simulator, buffers: &mut Buffers) -> Result<(), Refusal> {
    if !buffers.derivatives.is_empty() {
        simulator.output_derivatives(&mut buffers.derivatives).during("giving the derivatives of its outputs")?;
    }
    if let Some(asked) = &mut buffers.asked {
        ask_more(simulator, asked);
    }
    Ok(())
}

#[cold]
fn ask_more(simulator: &mut dyn Simulator, asked: &mut Asked) {
    simulator.handled(&mut asked.faults);
    asked.next_event = simulator.next_event().unwrap_or(f64::INFINITY);
}
