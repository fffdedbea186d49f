//! A state of an FMU as bytes: what fourbar keeps beside it, the state of the solver, and the bytes that the FMU writes.

use super::State;
use fourbar_linalg::checkpoint::{CheckpointError, Source, Stored, store_list};

/// Appends what stands before the bytes of the FMU.
pub(super) fn put(state: &State, to: &mut Vec<u8>) {
    let mut solver = Vec::new();
    state.solver.store(&mut solver);
    store_list(&state.outputs, to);
    store_list(&state.rates, to);
    store_list(&state.inputs, to);
    state.next_event.store(to);
    solver.len().store(to);
    to.extend(solver);
}

/// Takes that back; what is left are the bytes of the solver and those of the FMU.
pub(super) fn take<'a>(state: &mut State, bytes: &'a [u8]) -> Result<(&'a [u8], &'a [u8]), CheckpointError> {
    let mut from = Source::new(bytes);
    from.list(&mut state.outputs)?;
    from.list(&mut state.rates)?;
    from.list(&mut state.inputs)?;
    state.next_event = from.value()?;
    let length = from.value()?;
    let solver = from.take(length)?;
    let left = from.left();
    Ok((solver, from.take(left)?))
}
