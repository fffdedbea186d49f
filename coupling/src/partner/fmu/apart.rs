//! An FMU in a process of its own: its states travel as bytes.

use super::{Exchange, FmuError, FmuOptions, Line, Running, State};
use crate::function::{Description, Failure, Parameter, Text};
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
        let (running, mut description) = Running::open(path, options)?;
        // It goes on behind an event by itself.
        description.capabilities.early_return = false;
        // States travel as bytes alone.
        description.capabilities.rollback = description.capabilities.written;
        Ok((Self { running, state: State::default() }, description))
    }
}

impl Line for Apart {
    type State = Vec<u8>;

    fn exchange(&mut self, exchange: &mut Exchange) -> Result<(), Failure> {
        self.running.exchange(exchange)
    }

    fn parameters(&mut self) -> Result<Vec<Parameter>, Failure> {
        self.running.parameters()
    }

    fn texts(&mut self) -> Result<Vec<Text>, Failure> {
        self.running.texts()
    }

    fn save(&mut self, bytes: &mut Vec<u8>) -> Result<(), Failure> {
        self.running.save(&mut self.state)?;
        bytes.clear();
        self.running.store(&self.state, bytes)
    }

    fn store(&mut self, state: &Vec<u8>, to: &mut Vec<u8>) -> Result<(), Failure> {
        to.extend_from_slice(state);
        Ok(())
    }

    fn load(&mut self, bytes: &[u8], state: &mut Vec<u8>) -> Result<(), Failure> {
        state.clear();
        state.extend_from_slice(bytes);
        Ok(())
    }

    fn restore(&mut self, bytes: &Vec<u8>) -> Result<(), Failure> {
        let mut state = State::default();
        self.running.load(bytes, &mut state)?;
        self.running.restore(&state)
    }
}
