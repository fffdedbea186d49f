//! The requests to a host: inputs travel with the request that follows them, so that a step is one round trip.

use std::io::Result as IoResult;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::session::Session;
use crate::function::{Failure, Signal};
use crate::partner::wire::{Content, Word, put_f64};

/// The way to the simulator, as long as there is one.
pub(super) struct Line {
    session: Result<Session, Failure>,
    inputs: Vec<Signal>,
    /// Whether they were set and not sent.
    unsent: bool,
}

impl Line {
    /// Of a simulator with so many inputs.
    pub(super) fn new(session: Session, inputs: usize) -> Self {
        Self { session: Ok(session), inputs: vec![Signal::default(); inputs], unsent: false }
    }

    pub(super) fn set(&mut self, inputs: &[Signal]) {
        self.inputs.copy_from_slice(inputs);
        self.unsent = true;
    }

    /// One request with its answer. Inputs that are still here go first.
    pub(super) fn ask<T>(
        &mut self,
        word: Word,
        content: impl FnOnce(&mut Vec<u8>),
        read: impl FnOnce(Content<'_>) -> IoResult<T>,
    ) -> Result<T, Failure> {
        let session = self.session.as_mut().map_err(|failure| failure.clone())?;
        let request = session.begin(word);
        request.push(u8::from(self.unsent));
        if self.unsent {
            let numbers = self.inputs.iter().flat_map(|signal| [signal.value, signal.first, signal.second]);
            numbers.for_each(|number| put_f64(request, number));
        }
        content(request);
        match session.ask(read) {
            Ok(answer) => {
                self.unsent = false;
                answer
            }
            Err(lost) => {
                self.session = Err(lost.clone());
                Err(lost)
            }
        }
    }

    pub(super) fn interrupt_by(&mut self, flag: &Arc<AtomicBool>) {
        if let Ok(session) = &mut self.session {
            session.interrupt_by(flag);
        }
    }
}
