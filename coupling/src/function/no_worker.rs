//! In place of the worker where there are no threads (without the feature `clock`): none is ever made.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::call::{Buffers, Call, Refusal};
use super::waiting::{Silence, Terms};
use super::{Signal, Simulator};

/// Whether this is a thread that a run started for one of its partners: never in a build without threads.
#[must_use]
pub fn is_partner_thread() -> bool {
    false
}

/// Has no value.
pub(crate) enum Worker {}

impl Worker {
    pub(crate) fn spawn(
        _: &str,
        _: Box<dyn Simulator>,
        _: Vec<Signal>,
        _: Buffers,
        _: Terms,
        _: &Arc<AtomicBool>,
    ) -> io::Result<Self> {
        let reason = "this build has no threads: enable the feature `clock`, or step it on the thread of the caller";
        Err(io::Error::new(io::ErrorKind::Unsupported, reason))
    }

    pub(crate) fn interrupt_by(&mut self, _: &Arc<AtomicBool>) {
        match *self {}
    }

    pub(crate) fn last_words(&self) -> Option<String> {
        match *self {}
    }

    pub(crate) fn post(&mut self, _: Call, _: &[Signal], _: &mut Buffers) -> Result<(), Silence> {
        match *self {}
    }

    pub(crate) fn busy(&self) -> bool {
        match *self {}
    }

    pub(crate) fn answer(&mut self, _: &mut Buffers) -> Result<Result<(), Refusal>, Silence> {
        match *self {}
    }

    pub(crate) fn late_answer(&mut self, _: &mut Buffers) -> Result<(Call, Result<(), Refusal>), Silence> {
        match *self {}
    }
}
