//! The places of a host: for those who have shown the token. Who has not waits in a hall from which the one who has waited longest goes when it is full.

use std::collections::VecDeque;
use std::io::{Error, Result};
use std::net::TcpStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::partner::wire::Transport;

/// Connections that have not shown the token yet: it takes them one round trip, so that more at a time are none of masters.
const HALL: usize = 64;

/// Those who have not shown the token yet.
#[derive(Default)]
pub(super) struct Hall {
    waiting: Mutex<VecDeque<(u64, TcpStream)>>,
    next: AtomicUsize,
}

/// A place in the hall, left when it is dropped.
pub(super) struct Waiting<'a> {
    hall: &'a Hall,
    number: u64,
}

impl Hall {
    /// Takes in one more; beyond the limit the connection that has waited longest is closed.
    pub(super) fn enter(&self, stream: &TcpStream) -> Result<Waiting<'_>> {
        let stream = stream.try_clone()?;
        let number = self.next.fetch_add(1, Ordering::Relaxed) as u64;
        let mut waiting = self.lock();
        waiting.push_back((number, stream));
        if waiting.len() > HALL
            && let Some((_, oldest)) = waiting.pop_front()
        {
            oldest.close();
        }
        Ok(Waiting { hall: self, number })
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<(u64, TcpStream)>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.hall.lock().retain(|(number, _)| *number != self.number);
    }
}

/// Room for simulators.
pub(super) struct Places {
    most: usize,
    taken: AtomicUsize,
}

/// Room for one, free again when it is dropped.
pub(super) struct Place<'a>(&'a Places);

impl Places {
    pub(super) fn new(most: usize) -> Self {
        Self { most, taken: AtomicUsize::new(0) }
    }

    /// The refusal is for whoever has shown the token.
    pub(super) fn take(&self) -> Result<Place<'_>> {
        let more = |taken| (taken < self.most).then_some(taken + 1);
        match self.taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more) {
            Ok(_) => Ok(Place(self)),
            Err(_) => Err(Error::other(format!(
                "the host is full, with {} simulators of runs; wait until one has ended, or start another host",
                self.most
            ))),
        }
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.taken.fetch_sub(1, Ordering::Relaxed);
    }
}
