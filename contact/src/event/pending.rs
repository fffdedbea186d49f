//! What a failure left undone. The integrator stands behind an event as soon as it has found it: where a function of the host fails while
//! the event is dealt with, all is put back to where the integrator stopped, and the step repeated deals with it first.

use fourbar_linalg::stored;
use fourbar_multibody::integrator::Stop;

/// Where the integrator stopped, until that is dealt with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Halt {
    /// Nowhere: a step may begin.
    None,
    /// Behind a smooth step.
    Step,
    /// The same, at the end time.
    End,
    /// At events, which it lists.
    Event,
    /// Where no step is short enough.
    Pole,
    /// Where rows that were independent no longer are.
    Worn,
}

stored!(
    enum Halt {
        None = 0,
        Step = 1,
        End = 2,
        Event = 3,
        Pole = 4,
        Worn = 5,
    }
);

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Event => Self::Event,
            Stop::EndTime => Self::End,
            _ => Self::Step,
        }
    }
}

/// What has still to be done before the next step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pending {
    pub(super) halt: Halt,
    /// The integrator has its stop times for the next step, and may have failed on its way.
    pub(super) begun: bool,
    /// The inputs have jumped: what touches is to be decided anew.
    pub(super) steered: bool,
}

stored!(struct Pending { halt, begun, steered });

impl Pending {
    pub(super) const NOTHING: Self = Self { halt: Halt::None, begun: false, steered: false };
}
