//! Signs of life while the other end waits: it learns of a computer that is gone, which closes no connection.

use std::io::Write;
use std::net::TcpStream;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::partner::beside::Beside;
use crate::partner::wire::{Transport, Word, bare_frame};

/// Between two signs of life \[s\]: far more than a round trip in any network, far less than a person waits.
const PERIOD: Duration = Duration::from_secs(1);

/// An end that was not heard for this long is taken for lost: ten signs of life in a row, more than TCP needs to send one again after losses.
pub(super) const SILENCE: Duration = Duration::from_secs(10);

/// A thread that gives the signs while it is told to.
pub(super) struct Beat {
    stream: TcpStream,
    /// Whether the other end waits. Who holds the lock alone writes.
    needed: Arc<Mutex<bool>>,
    _thread: Beside,
}

impl Beat {
    /// Beside the connection `stream`, silent at first.
    pub(super) fn start(stream: &TcpStream) -> std::io::Result<Self> {
        let needed = Arc::new(Mutex::new(false));
        let (mut writing, asked) = (stream.try_clone()?, Arc::clone(&needed));
        let sign = bare_frame(Word::Alive);
        let thread = Beside::start("heartbeat", PERIOD, move || {
            let needed = asked.lock().unwrap_or_else(PoisonError::into_inner);
            // Whoever reads or writes next finds the connection broken and says so.
            match *needed && writing.write_all(&sign).is_err() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        })?;
        Ok(Self { stream: stream.try_clone()?, needed, _thread: thread })
    }

    /// From now on signs are given, or none. After `needed(false)` nobody else writes to the connection.
    pub(super) fn needed(&self, needed: bool) {
        *self.needed.lock().unwrap_or_else(PoisonError::into_inner) = needed;
    }
}

impl Drop for Beat {
    fn drop(&mut self) {
        // A sign that cannot leave would hold the thread, which is waited for next.
        self.stream.close();
    }
}
