//! What an interface asks of its simulator: the same on the caller's thread and on one of its own.

use super::{Failure, Signal, Simulator, Snapshot};

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
    /// Say what a reader of the results should know.
    Warn,
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
}

const SAVING: &str = "saving its state";
pub(crate) const RETURNING: &str = "returning to its state";

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
    #[inline]
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
            Self::Advance { t, h } => {
                simulator.set_inputs(signals).during("taking its inputs")?;
                buffers.reached = simulator.step(t, h).during("stepping")?;
                sample(simulator, buffers)
            }
            Self::Save => {
                simulator.save(&mut saved.next).during(SAVING)?;
                std::mem::swap(&mut saved.good, &mut saved.next);
                Ok(())
            }
            Self::Restore => simulator.restore(&saved.good).during(RETURNING),
            Self::Warn => {
                buffers.warnings = simulator.warnings();
                Ok(())
            }
        }
    }
}

#[inline]
fn sample(simulator: &mut dyn Simulator, buffers: &mut Buffers) -> Result<(), Refusal> {
    simulator.outputs(&mut buffers.values).during("giving its outputs")?;
    if !buffers.derivatives.is_empty() {
        simulator.output_derivatives(&mut buffers.derivatives).during("giving the derivatives of its outputs")?;
    }
    Ok(())
}
