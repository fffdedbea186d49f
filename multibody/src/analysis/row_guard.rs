//! The rows that analyses outside of this crate keep: chosen anew where they come to depend on each other, and refused where one opens.

use super::guard::{Guard, Kept};
use crate::error::Error;
use crate::input::Inputs;
use crate::mechanism::{Mechanism, Rows, System};
use crate::space::Pose;
use crate::state::State;
use fourbar_linalg::checkpoint::{CheckpointError, Source, Stored};

/// Watches the rows of a mechanism whose kept rows may come to depend on each other as it moves: spatial loops, and loops on a base that moves.
///
/// To be asked at every accepted state. The number of kept rows stays; which they are changes with the mechanism that [`RowGuard::chosen`] returns.
#[derive(Debug, Clone)]
pub struct RowGuard {
    guard: Box<Guard>,
    all_rows: System,
    rows: Vec<f64>,
}

impl RowGuard {
    /// None where the rows kept now suit every position.
    #[must_use]
    pub fn new(mechanism: &Mechanism, time: f64) -> Option<Self> {
        let guard = Guard::new(mechanism, 0.0, time)?;
        let all_rows = System::new(mechanism, Rows::All);
        Some(Self { guard, rows: vec![0.0; all_rows.row_count()], all_rows })
    }

    /// The mechanism with other rows kept, where those of `mechanism` do not suit `state`. Looks where bodies have moved since the last look: then it
    /// costs a factorization.
    pub fn chosen(&mut self, mechanism: &Mechanism, state: &State) -> Option<Mechanism> {
        self.guard.watch.look(mechanism, state).map(|chosen| chosen.mechanism)
    }

    /// The same after a step from `state` that failed: any better choice will do.
    pub fn chosen_in_doubt(&mut self, mechanism: &Mechanism, state: &State) -> Option<Mechanism> {
        self.guard.watch.doubt();
        self.chosen(mechanism, state)
    }

    /// Refuses rows, dropped ones included, that are open at `state`, whose bodies are `poses`, the ground last: by more than 1e-7 of the length of the
    /// mechanism (or of a rad, or of the largest speed so far). Where the kept rows drift (`closed` is false), by a hundred times what they leave.
    ///
    /// # Errors
    /// [`Error::Opened`] with the name of the row.
    pub fn refuse_open(
        &mut self,
        mechanism: &Mechanism,
        (inputs, breaks): (&Inputs, [f64; 3]),
        (poses, state): (&[Pose], &State),
        closed: bool,
    ) -> Result<(), Error> {
        self.all_rows.inputs_mut().clone_from(inputs);
        self.all_rows.break_state_mut().restore(breaks);
        let kept = if closed { Kept::Closed } else { Kept::Drifting };
        self.guard.refuse_open(mechanism, (&mut self.all_rows, &mut self.rows), (poses, state), kept)
    }

    /// Appends which rows `mechanism` keeps, and what was seen of them.
    pub fn store(&self, mechanism: &Mechanism, to: &mut Vec<u8>) {
        mechanism.dropped_rows().store(to);
        self.guard.point().store(to);
    }

    /// Goes where [`RowGuard::store`] was: the mechanism with the rows that were kept then, `mechanism` with those of any time.
    ///
    /// # Errors
    /// [`CheckpointError::Content`] for what cannot be such rows.
    pub fn load(&mut self, mechanism: &Mechanism, from: &mut Source<'_>) -> Result<Mechanism, CheckpointError> {
        let mut dropped = mechanism.dropped_rows();
        dropped.load(from)?;
        let kept = mechanism.keeping_all_but(&dropped).ok_or(()).map_err(|()| from.refuse("the rows that are kept"))?;
        let mut point = self.guard.point();
        point.load(from)?;
        self.guard.restore(&point);
        Ok(kept)
    }
}
