//! Which rows of the joints a configuration keeps: chosen anew where the kept ones come to depend on each other, and none may open.
//!
//! Contacts see the mechanism through M^ alone, which is the same for every choice of independent rows: what is solved with a choice does not change.

use super::Configuration;
use crate::error::Error;
use fourbar_linalg::checkpoint::{CheckpointError, Source};
use fourbar_multibody::{Mechanism, State};
use std::sync::Arc;

impl Configuration {
    /// Whether which rows are kept may change.
    pub(crate) fn chooses_rows(&self) -> bool {
        self.rows.is_some()
    }

    /// Refuses rows that are open at `state`, an accepted one, where dropped rows may not follow the kept ones; these are closed to round-off, or have
    /// drifted. The configuration stands there.
    pub(crate) fn refuse_open(&mut self, state: &State, closed: bool) -> Result<(), Error> {
        let passed = self.break_state();
        let Self { rows: Some(rows), mechanism, system, poses, .. } = self else { return Ok(()) };
        Ok(rows.refuse_open(mechanism, (system.inputs(), passed), (poses, state), closed)?)
    }

    /// Keeps other rows if those kept do not suit `state`, an accepted one; whether it does. It stands there then, factored.
    pub(crate) fn choose_rows(&mut self, state: &State) -> Result<bool, Error> {
        let Self { rows: Some(rows), mechanism, .. } = self else { return Ok(false) };
        let chosen = rows.chosen(mechanism, state);
        self.keep(chosen, state)
    }

    /// The same after a step from `state` that failed: any better choice will do.
    pub(crate) fn choose_rows_in_doubt(&mut self, state: &State) -> Result<bool, Error> {
        let Self { rows: Some(rows), mechanism, .. } = self else { return Ok(false) };
        let chosen = rows.chosen_in_doubt(mechanism, state);
        self.keep(chosen, state)
    }

    fn keep(&mut self, chosen: Option<Mechanism>, state: &State) -> Result<bool, Error> {
        let Some(chosen) = chosen else { return Ok(false) };
        let mut other = Self::with_rows_of(&Arc::new(chosen), state)?;
        other.system.inputs_mut().clone_from(self.system.inputs());
        other.set_break_state(self.break_state());
        other.evaluate(state)?;
        other.find_reactions(state)?;
        other.rows = self.rows.take();
        *self = other;
        Ok(true)
    }

    /// Appends which rows are kept, if that may change.
    pub(crate) fn store_rows(&self, to: &mut Vec<u8>) {
        if let Some(rows) = &self.rows {
            rows.store(&self.mechanism, to);
        }
    }

    /// Keeps the rows that [`Configuration::store_rows`] wrote, at `state`.
    pub(crate) fn load_rows(&mut self, from: &mut Source<'_>, state: &State) -> Result<(), CheckpointError> {
        let Self { rows: Some(rows), mechanism, .. } = self else { return Ok(()) };
        let kept = rows.load(mechanism, from)?;
        self.keep(Some(kept), state).map(|_| ()).map_err(|_| from.refuse("the rows that are kept"))
    }
}
