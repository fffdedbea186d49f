//! An FMU in a process of its own: its states travel as bytes.

use super::{Exchange, FmuError, FmuOptions, Line, Running, State};
use crate::function::{Description, Failure};
use fourbar_linalg::checkpoint::{CheckpointError, Source, Stored, store_list};
use std::path::Path;

/// An instance whose states are bytes.
pub(in crate::partner) struct Apart {
    running: Running,
    /// The last state that was saved, in whose place the next one comes.
    state: State,
}

impl Apart {
    /// As [`Fmu::open`](super::Fmu::open).
    pub(in crate::partner) fn open(path: &Path, options: &FmuOptions) -> Result<(Self, Description), FmuError> {
        let (running, mut description, serializable) = Running::open(path, options)?;
        let rollback = description.capabilities.rollback && serializable;
        description.capabilities = description.capabilities.rollback(rollback);
        Ok((Self { running, state: State::default() }, description))
    }
}

impl Line for Apart {
    type State = Vec<u8>;

    fn exchange(&mut self, exchange: &mut Exchange) -> Result<(), Failure> {
        self.running.exchange(exchange)
    }

    fn save(&mut self, bytes: &mut Vec<u8>) -> Result<(), Failure> {
        self.running.save(&mut self.state)?;
        self.running.write_state(&self.state, bytes)
    }

    fn restore(&mut self, bytes: &Vec<u8>) -> Result<(), Failure> {
        self.running.read_state(bytes)
    }
}

/// Puts what fourbar keeps of a state, and the solver's own, before the bytes of the FMU.
pub(super) fn put(state: &State, solver: &[u8], to: &mut Vec<u8>) {
    to.clear();
    // Where the bytes of the FMU begin.
    0_usize.store(to);
    store_list(&state.outputs, to);
    store_list(&state.rates, to);
    store_list(&state.inputs, to);
    state.next_event.store(to);
    solver.len().store(to);
    to.extend(solver);
    let begin = to.len() as u64;
    to[..8].copy_from_slice(&begin.to_le_bytes());
}

/// Takes that back; what is left are the bytes of the solver and those of the FMU.
pub(super) fn take<'a>(state: &mut State, from: &'a [u8]) -> Result<(&'a [u8], &'a [u8]), CheckpointError> {
    let mut source = Source::new(from);
    let begin = source.value::<usize>()?;
    source.list(&mut state.outputs)?;
    source.list(&mut state.rates)?;
    source.list(&mut state.inputs)?;
    state.next_event = source.value()?;
    let length = source.value::<usize>()?;
    let solver = source.take(length)?;
    let fmu = from.get(begin..).ok_or_else(|| source.refuse("the state of an FMU"))?;
    Ok((solver, fmu))
}
