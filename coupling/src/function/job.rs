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
pub(crate) enum Job {
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
}

/// What a request brings back. `derivatives` is empty for a simulator that does not know them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Desk {
    pub(crate) values: Vec<f64>,
    pub(crate) derivatives: Vec<f64>,
    /// Time reached by the last `Advance` \[s\].
    pub(crate) reached: f64,
}

const SAVING: &str = "saving its state";
pub(crate) const RETURNING: &str = "returning to its state";

/// Which part of a request failed.
pub(crate) type Refusal = (&'static str, Failure);

impl Job {
    /// Does the request.
    #[inline]
    pub(crate) fn perform(
        self,
        simulator: &mut dyn Simulator,
        saved: &mut Saved,
        signals: &[Signal],
        desk: &mut Desk,
    ) -> Result<(), Refusal> {
        match self {
            Self::Sample => sample(simulator, desk),
            Self::Respond => {
                simulator.set_inputs(signals).map_err(|failure| ("taking its inputs", failure))?;
                sample(simulator, desk)
            }
            Self::Advance { t, h } => {
                simulator.set_inputs(signals).map_err(|failure| ("taking its inputs", failure))?;
                desk.reached = simulator.step(t, h).map_err(|failure| ("stepping", failure))?;
                sample(simulator, desk)
            }
            Self::Save => {
                simulator.save(&mut saved.next).map_err(|failure| (SAVING, failure))?;
                std::mem::swap(&mut saved.good, &mut saved.next);
                Ok(())
            }
            Self::Restore => simulator.restore(&saved.good).map_err(|failure| (RETURNING, failure)),
        }
    }
}

#[inline]
fn sample(simulator: &mut dyn Simulator, desk: &mut Desk) -> Result<(), Refusal> {
    simulator.outputs(&mut desk.values).map_err(|failure| ("giving its outputs", failure))?;
    if !desk.derivatives.is_empty() {
        let given = simulator.output_derivatives(&mut desk.derivatives);
        given.map_err(|failure| ("giving the derivatives of its outputs", failure))?;
    }
    Ok(())
}
